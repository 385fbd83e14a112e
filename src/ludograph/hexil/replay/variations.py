"""Variations of a record: each is played by the rules from the start of the game.

A variation is played as a record of its own: the events before it, then its events. So a bought card that the
record hides may be another one in each variation. The result in the headers is that of the main line, so it
is not compared with the end of a variation.
"""

from collections.abc import Iterator
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from ludograph.hexil.options import Options
from ludograph.hexil.replay.faults import RecordFault
from ludograph.hexil.replay.records import play_record
from ludograph.notation.located import Located
from ludograph.settlers import Event, Position, Record


class PlayedVariations(Struct, frozen=True):
    """The outcome of playing the variations of a record."""

    faults: tuple[RecordFault, ...] = ()
    """Each with the index of its event in the `spans` of the located record."""
    played: int = 0
    """The number of variations that were played, completely or up to a fault."""
    unreached: int = 0
    """The number of variations that a fault before them hides."""


class _Line(Struct, frozen=True):
    """A line of play from the start of the game, with the index of each event in the located record."""

    events: tuple[Event, ...]
    indices: tuple[int, ...]
    first: int = 0
    """The number of events before the variation, which belong to the line around it."""


def play_variations(
    located: Located,
    *,
    start: Position | str | None = None,
    seed: int | None = None,
    lenient: bool = False,
    engine: str | None = None,
    **options: Unpack[Options],
) -> PlayedVariations:
    """Play all variations of a record; Unplayable if the rules cannot start from its position.

    >>> from ludograph.notation.located import parse_located
    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> located = parse_located(f"{start} Pv(d4n) (Pv(d5n) Pr(b5w)) Pr(d4ne)", "han")
    >>> [located.diagnostic(fault.event, "", "").place() for fault in play_variations(located).faults]
    ['1:73']
    """
    faults: list[RecordFault] = []
    played = unreached = 0
    for line in _find_lines(located.record):
        found = play_record(
            _record_of(line, located),
            start=start,
            seed=seed,
            lenient=lenient,
            engine=engine,
            **options,
        ).faults
        own = [fault for fault in found if fault.event is None or fault.event >= line.first]
        if len(own) < len(found) and not lenient:
            unreached += 1
            continue
        played += 1
        for fault in own:
            index = None if fault.event is None else line.indices[fault.event]
            faults.append(replace(fault, event=index, message=f"in a variation: {fault.message}"))
    return PlayedVariations(tuple(faults), played, unreached)


def list_variation_records(located: Located) -> list[Located]:
    """Each variation as a record of its own: the events before it, then its events."""
    return [_record_of(line, located) for line in _find_lines(located.record)]


def _record_of(line: _Line, located: Located) -> Located:
    headers = tuple(pair for pair in located.record.headers if pair[0] != "Result")
    record = Record(line.events, located.record.start, headers)
    return replace(located, record=record, spans=tuple(located.spans[index] for index in line.indices))


def _find_lines(record: Record) -> Iterator[_Line]:
    """The line of every variation, in the order of `walk_variations`."""
    count = len(record.events)
    stack = [(variation, _Line(record.events, tuple(range(count)))) for variation in record.variations][::-1]
    while stack:
        variation, around = stack.pop()
        indices = range(count, count + len(variation.events))
        count += len(variation.events)
        line = _Line(
            (*around.events[: around.first + variation.at], *variation.events),
            (*around.indices[: around.first + variation.at], *indices),
            around.first + variation.at,
        )
        yield line
        stack += [(inner, line) for inner in reversed(variation.variations)]
