"""Events in, CGN messages out, with what they cannot tell.

What the reader yields is the canonical form of an event. CGN tells trades and used cards in events
of its own: a trade as T, a card as P (with the T of its effect). As actions they are written so too,
and listed as losses, because they are read back as those events. Other losses are dice, the kind of a
bought card, players and places that CGN does not have.
"""

import re
from typing import assert_never

from ludograph import settlers
from ludograph.notation.cgn.map import format_map
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.places import format_corner, format_side, format_tile
from ludograph.notation.cgn.words import (
    ANYBODY,
    BUILDS,
    OFFER_KEY,
    PIECE_CODES,
    party_name,
    player_name,
)
from ludograph.notation.json_text import LARGEST, Plain, format_json, has_surrogates
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.notation.transfers import (
    CARD_CODES,
    CannotSay,
    act_of_nobody,
    check_plenty,
    check_sayable,
    counts_in,
    negate,
    trade_changes,
)
from ludograph.settlers.goods import BANK, Card, Piece, Player, goods_of
from ludograph.settlers.record import Change

Words = tuple[str, Plain]
"""A code and its detail."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_AWARD_CODES = {settlers.Award.LARGEST_ARMY: "LA", settlers.Award.LONGEST_ROAD: "LR"}


def write_record(record: settlers.Record) -> Writing:
    """The canonical text of a record: a JSON list, one message a line, comments between them."""
    losses: list[Loss] = []
    if record.start is not None:
        losses.append(Loss(LossKind.LOST, "the position at the start"))
    losses += (Loss(LossKind.LOST, f"the header {key}") for key, _ in record.headers)
    lines: list[str] = []
    book = OfferBook()
    for index, event in enumerate(record.events):
        try:
            if isinstance(event, settlers.Commented):
                lines += _comment_lines(event.text, losses, index)
                continue
            following = record.events[index + 1] if index + 1 < len(record.events) else None
            lines += _message_lines(event, following, losses, index)
            if fault := book.add(event):
                raise CannotSay(f"what a strict reader accepts: {fault[1]}")
        except CannotSay as reason:
            losses.append(Loss(reason.kind, reason.message, index))
    return Writing(_join(lines), tuple(losses))


def _join(lines: list[str]) -> str:
    """The lines as a list: every message but the last has a comma."""
    last = max((index for index, line in enumerate(lines) if not line.startswith("#")), default=-1)
    separated = [
        f"{line}," if index < last and not line.startswith("#") else line for index, line in enumerate(lines)
    ]
    return "\n".join(("[", *separated, "]", ""))


def _comment_lines(text: str, losses: list[Loss], index: int) -> list[str]:
    _check_text(text)
    parts = _LINE_END.split(text)
    if len(parts) > 1:
        losses.append(Loss(LossKind.LOST, "that a comment of several lines is one comment", index))
    return [f"# {part}" if part else "#" for part in parts]


def _message_lines(
    event: settlers.Event, following: settlers.Event | None, losses: list[Loss], index: int
) -> list[str]:
    partial: list[CannotSay] = []
    said = _say(event, following, partial)
    losses += (Loss(reason.kind, reason.message, index) for reason in partial)
    return [format_json({code: detail}) for code, detail in said]


def _say(event: settlers.Event, following: settlers.Event | None, partial: list[CannotSay]) -> list[Words]:
    """The messages for an event; what they leave out goes to `partial`."""
    match event:
        case settlers.Act():
            return _say_act(event, following, partial)
        case settlers.PhaseStarts(phase):
            return [("PS", phase.value)]
        case settlers.PhaseEnds(phase):
            return [("PE", phase.value)]
        case settlers.RoundStarts(number):
            return [("RS", _round(number))]
        case settlers.RoundEnds(number):
            return [("RE", _round(number))]
        case settlers.TurnStarts(player):
            return [("TS", player_name(player))]
        case settlers.PlayerJoins(player):
            return [("PA", player_name(player))]
        case settlers.PlayerLeaves(leaver):
            return [("PR", _maybe_name(leaver))]
        case settlers.PlayerQuits(player):
            return [("Q", player_name(player))]
        case settlers.MapDefined(island):
            tiles, losses = format_map(island)
            partial += losses
            return [("MD", tiles)]
        case settlers.OrderRolled(totals):
            rolls = {player_name(player): _total(total) for player, total in totals}
            if len(rolls) < max(2, len(totals)):
                raise CannotSay("a roll for the order that is not by several players, once each")
            return [("R", rolls)]
        case settlers.OrderSet(players):
            if len(set(players)) < len(players):
                raise CannotSay("an order in which a player stands twice")
            return [("SP", [player_name(player) for player in players])]
        case settlers.Transferred(changes, offer):
            return [("T", _transfer(changes) | _name(offer))]
        case settlers.Produced(changes):
            return [("RP", _transfer(changes))]
        case settlers.RobberRoused():
            return [("R!", None)]
        case settlers.Awarded(award, holder):
            return [(_AWARD_CODES[award], _maybe_name(holder))]
        case settlers.CardPlayed(card, holder):
            code = CARD_CODES[card]
            return [("P", code if holder is None else {player_name(holder): code})]
        case settlers.Offered():
            return [("O", _offer(event, partial))]
        case settlers.Withdrawn(player, offer):
            return [("W", {player_name(player): _name(offer)})]
        case settlers.Accepted(player, offer):
            return [("A", {player_name(player): _name(offer)})]
        case settlers.Said(player, text):
            return [("CH", {player_name(player): _check_text(text)})]
        case settlers.GameOver(winner):
            return [("GO", _maybe_name(winner))]
        case settlers.Commented():
            raise AssertionError("comments are no messages")
        case _:
            assert_never(event)


def _say_act(act: settlers.Act, following: settlers.Event | None, partial: list[CannotSay]) -> list[Words]:
    if isinstance(act.action, settlers.Discard):
        if act.player is None:
            partial.append(CannotSay("that a discard leaves its player to itself: it is read back with one"))
        return [("C", _discard(act.action, act.player))]
    if act.player is None:
        raise act_of_nobody(act.action)
    name = player_name(act.player)
    match act.action:
        case settlers.Roll(value):
            if isinstance(value, tuple):
                partial.append(CannotSay(f"the dice {value[0]}+{value[1]}, of which only the sum is written"))
            return [("R", {name: _total(act.action.total)})]
        case settlers.MoveRobber(tile):
            return [("M", {name: format_tile(tile)})]
        case settlers.Steal(victim, kind):
            if kind is None:
                raise CannotSay("a steal whose card is unknown")
            if victim in {BANK, act.player}:
                raise CannotSay("a steal that is not from another player")
            gain = settlers.Holding(goods_of(kind))
            return [("S", _transfer(((act.player, gain), (victim, negate(gain)))))]
        case settlers.Buy(piece):
            return [("B", _build(act.player, piece))]
        case settlers.BuyCard(card):
            if card is not None:
                partial.append(CannotSay(f"which card was bought ({card.value})"))
            return [("B", _build(act.player, None))]
        case settlers.PlaceVillage(corner):
            return [("D", {name: {"S": format_corner(corner)}})]
        case settlers.PlaceCity(corner):
            return [("D", {name: {"C": format_corner(corner)}})]
        case settlers.PlaceRoad(side):
            return [("D", {name: {"R": format_side(side)}})]
        case settlers.UseKnight():
            partial.append(_read_back(act.action, "CardPlayed"))
            return [("P", {name: CARD_CODES[Card.KNIGHT]})]
        case settlers.UseRoads():
            partial.append(_read_back(act.action, "CardPlayed"))
            return [("P", {name: CARD_CODES[Card.ROADS]})]
        case settlers.UsePlenty(goods):
            check_plenty(goods)
            partial.append(_read_back(act.action, "CardPlayed and Transferred"))
            gain = settlers.Holding(goods)
            taken = _transfer(((act.player, gain), (BANK, negate(gain))))
            return [("P", {name: CARD_CODES[Card.PLENTY]}), ("T", taken)]
        case settlers.UseMonopoly(kind):
            partial.append(_read_back(act.action, "CardPlayed"))
            if not isinstance(following, settlers.Transferred):
                message = f"how much {kind.value} each player gave for the monopoly"
                partial.append(CannotSay(message, LossKind.MISSING))
            return [("P", {name: CARD_CODES[Card.MONOPOLY]})]
        case settlers.Trade(give, take, partner):
            changes = trade_changes(give, take, act.player, partner)
            partial.append(_read_back(act.action, "Transferred"))
            return [("T", _transfer(changes))]
        case settlers.EndTurn():
            return [("TE", name)]
        case _:
            assert_never(act.action)


def _read_back(action: settlers.Action, events: str) -> CannotSay:
    return CannotSay(f"that {type(action).__name__} is an action: it is read back as {events}")


def _maybe_name(player: Player | None) -> str | None:
    return None if player is None else player_name(player)


def _transfer(changes: tuple[Change, ...]) -> dict[str, Plain]:
    check_sayable(changes, LARGEST)
    return {party_name(player): counts_in(holding) for player, holding in changes}


def _discard(discard: settlers.Discard, player: Player | None) -> Plain:
    if player not in {None, discard.player} or discard.player == BANK:
        raise CannotSay("that somebody discards for another")
    if not discard.goods or any(count < 0 for _, count in discard.goods.items()):
        raise CannotSay("a discard of nothing")
    given = settlers.Holding(-discard.goods)
    return _transfer(((discard.player, given), (BANK, negate(given))))


def _build(player: Player, piece: Piece | None) -> Plain:
    code = PIECE_CODES[piece]
    paid = counts_in(settlers.Holding(-BUILDS[code].cost))
    counts = {code: 1} | paid
    return {player_name(player): counts, "B": {item: -count for item, count in counts.items()}}


def _offer(offer: settlers.Offered, partial: list[CannotSay]) -> Plain:
    asked = [player for player, _ in offer.answers]
    if not asked or BANK in asked or len({offer.player, *asked}) <= len(asked):
        raise CannotSay("an offer that does not ask other players, once each")
    if not offer.open and len(asked) > 1:
        partial.append(CannotSay("that the first to accept an offer wins it", LossKind.INVENTED))
    for answer in offer.answers:
        check_sayable(((offer.player, offer.change), answer), LARGEST)
    answers = {player_name(player): counts_in(change) for player, change in offer.answers}
    own = {player_name(offer.player): counts_in(offer.change)}
    name = _name(offer.offer or None)
    return own | ({ANYBODY: answers} if offer.open or len(asked) > 1 else answers) | name


def _name(offer: str | None) -> dict[str, Plain]:
    if offer == "":
        raise CannotSay("an offer that has no name")
    return {} if offer is None else {OFFER_KEY: _check_text(offer)}


def _check_text(text: str) -> str:
    if has_surrogates(text):
        raise CannotSay("a text with half of a surrogate pair")
    return text


def _round(number: int) -> int:
    if not 1 <= number <= LARGEST:
        raise CannotSay(f"a round number {number}")
    return number


def _total(total: int | None) -> int:
    if total is None:
        raise CannotSay("a roll whose result is unknown")
    if not 2 <= total <= 12:
        raise CannotSay(f"a roll of {total}")
    return total
