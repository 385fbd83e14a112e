"""Conversion with the rules: whole games between HAN, CGN and SGN, and to the final position in HSN.

The rules supply what a notation leaves out: who pays, who ends a turn, what the bank pays, who holds the
awards, and which hidden cards must have been bought. If the rules refuse an action, nothing is written: a
reader would take the result for another game. Lenient conversion leaves the refused actions out instead and
lists them among the losses.
"""

from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from ludograph.hexil.options import Options
from ludograph.hexil.positions import Unplayable
from ludograph.hexil.replay.faults import RecordFault
from ludograph.hexil.replay.records import make_error, play_record
from ludograph.hexil.replay.replaying import PlayedRecord
from ludograph.hexil.writing import leave_out_restored, report_guessed_card
from ludograph.notation import hsn
from ludograph.notation.convert import write_located, write_normal
from ludograph.notation.han import Dialect
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import Located, parse_located
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.normal_form.to_actions import describe_event
from ludograph.notation.notations import NOTATIONS, Content, Feature, Notation, check_dialect, find_notation
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.settlers import Act, BuyCard, EndTurn, MapDefined, Record

__all__ = ["Conversion", "Unplayable", "convert", "convert_located"]


class Conversion(Struct, frozen=True):
    """The new text with its losses, and the faults that the rules found.

    Strict conversion stops at the first fault; it has no text then.
    """

    writing: Writing
    faults: tuple[RecordFault, ...] = ()


def convert(
    text: str,
    source: Notation | ImportFormat | str,
    target: Notation | str,
    *,
    lenient: bool = False,
    dialect: Dialect = "seed",
    engine: str | None = None,
    **options: Unpack[Options],
) -> Writing:
    """Convert a text, playing it by the rules; returns the new text and the losses.

    If the rules refuse an action, it raises what `Match.from_record` raises. Lenient conversion leaves the
    action out instead. The options of the game are needed if the record does not give them. The engine is
    that of `Match.new`.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> setup = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"
    >>> text, losses = convert(f"{start} {setup} R(5+6)", "han", "cgn")
    >>> text.splitlines()[-2]
    '{"RP":{"P1":{"O":1},"B":{"O":-1}}}'
    >>> for loss in losses:
    ...     print(loss)
    lost: event 9: the dice 5+6, of which only the sum is written
    """
    check_dialect(dialect)
    located = parse_located(text, source, lenient=lenient)
    converted = convert_located(
        located, find_notation(target), lenient=lenient, dialect=dialect, engine=engine, **options
    )
    if converted.faults and not lenient:
        raise make_error(converted.faults[0], located)
    return converted.writing


def convert_located(
    located: Located,
    target: Notation,
    *,
    lenient: bool = False,
    dialect: Dialect = "seed",
    engine: str | None = None,
    **options: Unpack[Options],
) -> Conversion:
    """Write a record in another notation; Unplayable if the rules cannot start from its position.

    Without a start position or a map nothing can be checked. Strict conversion refuses such a record, lenient
    conversion writes it. A record without actions needs no rules.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> located = parse_located(f"{start} Pv(d4n) Pr(d4ne)", "han")
    >>> convert_located(located, Notation.SGN).writing.text.splitlines()[-1]
    '["1","BR",{"path":[[[1,-1],[0,0],[0,-1]],[[1,-1],[1,0],[0,0]]]}]'
    """
    record, source, row = located.record, located.notation, NOTATIONS[target]
    is_game = NOTATIONS[source].content is Content.GAME and row.content is not Content.SETUP
    is_same = source is target and located.imported is None
    if is_same or not is_game or not record.actions:
        return Conversion(write_located(located, target, dialect=dialect))
    if _has_no_start(record):
        return Conversion(_convert_unchecked(located, target, dialect, lenient))
    if located.checkable is not None:
        return _convert_partly_checked(located, target, dialect, engine, lenient, options)
    has_consequences = Feature.CONSEQUENCES in row.features
    played = play_record(located, lenient=lenient, consequences=has_consequences, engine=engine, **options)
    if played.faults and not lenient:
        return Conversion(Writing("", ()), played.faults)
    refused = tuple(Loss(LossKind.LOST, fault.message, fault.event) for fault in played.faults)
    if row.content is Content.POSITION:
        text, losses = _write_position(played)
    else:
        normal = played.moves if Feature.UNKNOWN_CARDS in row.features else _with_known_cards(played)
        consequences = played.consequences if has_consequences else None
        writing = write_normal(normal, target, dialect=dialect, consequences=consequences)
        text, losses = leave_out_restored(writing, normal)
    return Conversion(Writing(text, (*located.losses, *refused, *losses)), played.faults)


def _convert_unchecked(located: Located, target: Notation, dialect: Dialect, lenient: bool) -> Writing:
    """Convert a record that has nothing from which the rules could start; Unplayable unless lenient."""
    text, losses = write_located(located, target, dialect=dialect)
    if not text:
        return Writing(text, losses)
    if not lenient:
        raise Unplayable(
            "the record has neither a start position nor a map, so the rules cannot check it;"
            " lenient conversion writes it unchecked"
        )
    message = "the check by the rules: the record has neither a start position nor a map"
    return Writing(text, (Loss(LossKind.MISSING, message), *losses))


def _convert_partly_checked(
    located: Located, target: Notation, dialect: Dialect, engine: str | None, lenient: bool, options: Options
) -> Conversion:
    """Convert a record that hides what the rules need; they check it up to the first hidden event."""
    faults = play_record(located.checked_part(), lenient=lenient, engine=engine, **options).faults
    if faults and not lenient:
        return Conversion(Writing("", ()), faults)
    text, losses = write_located(located, target, dialect=dialect)
    message = "the check of the events from here on: they depend on what the record does not say"
    unchecked = Loss(LossKind.MISSING, message, located.checkable)
    return Conversion(Writing(text, (*losses, unchecked)), faults)


def _has_no_start(record: Record) -> bool:
    """Whether a record has neither a start position nor a map."""
    return record.start is None and not any(isinstance(event, MapDefined) for event in record.events)


def _with_known_cards(played: PlayedRecord) -> NormalRecord:
    """The moves with the hidden cards that SGN must name.

    The winner follows from the moves and is left out, unless the game is won by the end of a turn, which SGN
    does not have.
    """
    moves, result = played.moves, played.executor.result
    events, losses = list(moves.record.events), list(moves.losses)
    for index, card in played.cards.items():
        event = events[index]
        assert isinstance(event, Act)
        events[index] = replace(event, action=BuyCard(card))
        losses.append(report_guessed_card(card, moves.origins[index]))
    headers = moves.record.headers
    is_won_by_end = bool(events) and isinstance(events[-1], Act) and isinstance(events[-1].action, EndTurn)
    if result is not None and result.winners and not is_won_by_end:
        headers = tuple(pair for pair in headers if pair != ("Result", str(result.winners[0])))
    record = replace(moves.record, events=tuple(events), headers=headers)
    return replace(moves, record=record, losses=tuple(losses))


def _write_position(played: PlayedRecord) -> Writing:
    """The final position of a game; events that are not actions are lost."""
    record = played.moves.record
    assert record.start is not None
    position = played.executor.position(record.start.island)
    text, losses = hsn.format_lenient(position)
    headers = tuple(Loss(LossKind.LOST, f"the header {key!r}") for key, _ in record.headers)
    others = tuple(
        Loss(LossKind.LOST, describe_event(event), origin)
        for event, origin in zip(record.events, played.moves.origins, strict=True)
        if not isinstance(event, Act)
    )
    return Writing(text, (*played.moves.losses, *headers, *others, *losses))
