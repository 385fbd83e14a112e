"""Conversion with the rules: whole games between HAN, CGN and SGN, and to the final position in HSN.

The rules supply what a notation leaves out: who pays, who ends a turn, what the bank pays, who holds the
awards, and which hidden cards must have been bought. If the rules cannot play the record (no start position,
an illegal action), the notations convert it alone, and the list of losses gives the reason.
"""

from typing import Unpack

from msgspec.structs import replace

from ludograph.games import BadOption
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Unplayable
from ludograph.hexil.replay.replaying import PlayedRecord, replay
from ludograph.hexil.writing import report_guessed_card
from ludograph.notation import hsn
from ludograph.notation.convert import normalise, write_normal, write_record
from ludograph.notation.han import Dialect
from ludograph.notation.located import parse_located
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.normal_form.to_actions import describe_event
from ludograph.notation.notations import NOTATIONS, Content, Feature, Notation, check_dialect, find_notation
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.settlers import Act, BuyCard, Record


def convert(
    text: str,
    source: Notation | str,
    target: Notation | str,
    *,
    lenient: bool = False,
    dialect: Dialect = "seed",
    engine: str | None = None,
    **options: Unpack[Options],
) -> Writing:
    """Convert a text, playing it by the rules; returns the new text and the losses.

    The options of the game are needed if the record does not give them. The engine is that of `Match.new`.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> setup = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"
    >>> text, losses = convert(f"{start} {setup} R(5+6)", "han", "cgn")
    >>> text.splitlines()[-2]
    '{"RP":{"P1":{"O":1},"B":{"O":-1}}}'
    >>> for loss in losses:
    ...     print(loss)
    lost: event 9: the dice 5+6, of which only the sum is written
    """
    given, wanted = find_notation(source), find_notation(target)
    check_dialect(dialect)
    record = parse_located(text, given, lenient=lenient).record
    return convert_record(record, given, wanted, dialect=dialect, engine=engine, **options)


def convert_record(
    record: Record,
    source: Notation,
    target: Notation,
    *,
    dialect: Dialect = "seed",
    engine: str | None = None,
    **options: Unpack[Options],
) -> Writing:
    """Write a record of one notation in another, playing it by the rules if they can.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> record = parse_located(f"{start} Pv(d4n) Pr(d4ne)", "han").record
    >>> convert_record(record, Notation.HAN, Notation.SGN).text.splitlines()[-1]
    '["1","BR",{"path":[[[1,-1],[0,0],[0,-1]],[[1,-1],[1,0],[0,0]]]}]'
    """
    moves = normalise(record, source)
    row = NOTATIONS[target]
    if source is target or NOTATIONS[source].content is not Content.GAME or row.content is Content.SETUP:
        return write_record(record, source, target, dialect=dialect)
    if moves.record.start is None or not moves.record.actions:
        return write_record(record, source, target, dialect=dialect)
    has_consequences = Feature.CONSEQUENCES in row.features
    try:
        played = replay(moves, source, options, consequences=has_consequences, engine=engine)
    except (Unplayable, BadOption) as error:
        return _convert_without_rules(
            record,
            source,
            target,
            dialect,
            Loss(LossKind.MISSING, f"everything that only the rules know: {error}"),
        )
    if played.faults:
        fault = played.faults[0]
        reason = Loss(LossKind.MISSING, f"everything that only the rules know: {fault.message}", fault.event)
        return _convert_without_rules(record, source, target, dialect, reason)
    if row.content is Content.POSITION:
        return _write_position(played)
    normal = played.moves if Feature.UNKNOWN_CARDS in row.features else _with_known_cards(played)
    consequences = played.consequences if has_consequences else None
    return write_normal(normal, target, dialect=dialect, consequences=consequences)


def _convert_without_rules(
    record: Record, source: Notation, target: Notation, dialect: Dialect, reason: Loss
) -> Writing:
    text, losses = write_record(record, source, target, dialect=dialect)
    return Writing(text, (reason, *losses))


def _with_known_cards(played: PlayedRecord) -> NormalRecord:
    """The moves with the hidden cards that SGN must name, and without the winner, which follows."""
    moves, result = played.moves, played.executor.result
    events, losses = list(moves.record.events), list(moves.losses)
    for index, card in played.cards.items():
        event = events[index]
        assert isinstance(event, Act)
        events[index] = replace(event, action=BuyCard(card))
        losses.append(report_guessed_card(card, moves.origins[index]))
    headers = moves.record.headers
    if result is not None and result.winners:
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
