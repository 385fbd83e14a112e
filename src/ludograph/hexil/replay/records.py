"""Records: play the text of a game action by action, and report faults with their place."""

from typing import Unpack

from msgspec.structs import replace

from ludograph.games import BadOption
from ludograph.hexil.errors import IllegalAction
from ludograph.hexil.execution import UnknownValue
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Unplayable
from ludograph.hexil.replay.faults import FaultKind, RecordFault
from ludograph.hexil.replay.replaying import PlayedRecord, replay
from ludograph.notation.convert import normalise
from ludograph.notation.located import Located, parse_located
from ludograph.notation.normal_form.record import NormalRecord, normalise_actions
from ludograph.notation.notations import NOTATIONS, Content, Feature, Notation
from ludograph.settlers import Position, Record


def play_record(
    located: Located,
    *,
    start: Position | str | None = None,
    seed: int | None = None,
    lenient: bool = False,
    last: int | None = None,
    consequences: bool = False,
    engine: str | None = None,
    **options: Unpack[Options],
) -> PlayedRecord:
    """Play a record from its own start position or from `start`; Unplayable if it cannot start.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> played = play_record(parse_located("Pv(d4n) Pr(b5w)", "han"), start=start)
    >>> played.number, [fault.refusal.condition for fault in played.faults]
    (2, ['s.open(player)'])
    """
    moves = normalise(located.record, located.notation) if start is None else _start_at(located, start)
    try:
        return replay(
            moves,
            located.notation,
            options,
            seed=seed,
            lenient=lenient,
            last=last,
            consequences=consequences,
            engine=engine,
        )
    except BadOption as error:
        raise Unplayable(str(error)) from None


def replay_events(
    record: Record, *, seed: int | None = None, engine: str | None = None, **options: Unpack[Options]
) -> PlayedRecord:
    """Play a record that is not a text, with the events of HAN; raises the error for its first fault.

    >>> from ludograph.settlers import BEGINNERS_ISLAND, fresh_position
    >>> replay_events(Record((), fresh_position(BEGINNERS_ISLAND, 2))).number
    0
    """
    try:
        played = replay(normalise_actions(record), Notation.HAN, options, seed=seed, engine=engine)
    except BadOption as error:
        raise Unplayable(str(error)) from None
    if played.faults:
        fault = played.faults[0]
        if fault.kind is not FaultKind.ILLEGAL or fault.action is None or fault.refusal is None:
            raise UnknownValue(f"action {fault.number}: {fault.message}")
        message = f"action {fault.number}: {fault.message}"
        raise IllegalAction(fault.action, fault.refusal, number=fault.number, message=message)
    return played


def make_error(fault: RecordFault, located: Located) -> ValueError:
    """The exception for a fault; Nonsense if the record contradicts the rules.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> located = parse_located("Pv(d4n) E", "han")
    >>> make_error(play_record(located, start=start).faults[0], located).place
    '1:9'
    """
    if fault.kind is FaultKind.CONTRADICTION:
        return located.nonsense(fault.event, fault.kind.value, fault.message)
    place = located.diagnostic(fault.event, fault.kind.value, fault.message).place()
    message = f"{', '.join(filter(None, (place, fault.where)))}: {fault.message}"
    if fault.kind is FaultKind.UNKNOWN or fault.action is None or fault.refusal is None:
        return UnknownValue(message)
    return IllegalAction(fault.action, fault.refusal, number=fault.number, place=place, message=message)


def _start_at(located: Located, start: Position | str) -> NormalRecord:
    """The moves of a record from a given start; the placements of a set-up in CCN come first."""
    before = Record(start=start) if isinstance(start, Position) else _parse_start(start)
    placed = len(before.events)
    if Feature.PLAYER_OF_ACTION in NOTATIONS[located.notation].features:
        moves = normalise(located.record, located.notation, renumber=False)
        record = replace(moves.record, start=before.start, events=(*before.events, *moves.record.events))
        assertions = tuple(replace(each, after=each.after + placed) for each in moves.assertions)
        origins = (*[None] * placed, *moves.origins)
        return replace(moves, record=record, origins=origins, assertions=assertions)
    record = replace(located.record, start=before.start, events=(*before.events, *located.record.events))
    moves = normalise_actions(record)
    origins = tuple(None if index < placed else index - placed for index in range(len(moves.origins)))
    return replace(moves, origins=origins)


def _parse_start(text: str) -> Record:
    located = parse_located(text)
    if NOTATIONS[located.notation].content is Content.GAME:
        starts = [each.name for each, row in NOTATIONS.items() if row.content is not Content.GAME]
        raise Unplayable(f"a start position is in {' or '.join(starts)}, not in {located.notation.name}")
    return located.record
