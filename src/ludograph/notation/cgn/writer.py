"""The writer of CGN: from events to messages and losses.

CGN has its own events for trades (T) and used cards (P, with a T for the effect). Trades and used cards
that are actions are written in the same way and listed as losses, because the text is parsed as those
events. Other losses are the two dice, the kind of a bought card, and players and places that CGN does
not have.
"""

import re
from typing import assert_never

from ludograph import settlers
from ludograph.notation.bought_cards import drop_misfit, hide_cards
from ludograph.notation.cgn.map import format_map
from ludograph.notation.cgn.names import (
    ANYBODY,
    OFFER_KEY,
    PIECE_CODES,
    PRODUCTS,
    party_name,
    player_name,
)
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.places import format_corner, format_side, format_tile
from ludograph.notation.headers import maybe_comment_header
from ludograph.notation.json_records.item_codes import CARD_CODES, counts_in
from ludograph.notation.json_records.reader import MAX_NUMBER
from ludograph.notation.json_records.transfers import (
    check_plenty,
    check_transfer,
    discard_changes,
    exchange,
    steal_changes,
    trade_changes,
)
from ludograph.notation.json_records.values import JsonValue, format_json, has_surrogates
from ludograph.notation.json_records.writing import (
    Losses,
    check_total,
    following_event,
    missing_player,
    total_of,
    write_events,
)
from ludograph.notation.results import Inexpressible, LossKind, Writing
from ludograph.settlers.goods import BANK, Card, Piece, Player
from ludograph.settlers.record import HoldingChange

MessageDetail = tuple[str, JsonValue]
"""A code and its detail."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_AWARD_CODES = {settlers.Award.LARGEST_ARMY: "LA", settlers.Award.LONGEST_ROAD: "LR"}


def write_record(record: settlers.Record) -> Writing:
    """The canonical text of a record: a JSON list with one message or comment on each line."""
    record, misfits = drop_misfit(record)
    record = hide_cards(record)
    book = OfferBook()
    opening = _count_opening_comments(record.events)

    def format_event(index: int, event: settlers.Event, losses: Losses) -> list[str]:
        if isinstance(event, settlers.Commented):
            if index < opening and maybe_comment_header(event.text) is not None:
                losses.append(Inexpressible("that a comment is not a header"))
            return _comment_lines(event.text, losses)
        messages = _messages(event, following_event(record, index), losses)
        if fault := book.add(event):
            losses.append(Inexpressible(f"the consistency that strict parsing requires: {fault[1]}"))
        return [format_json({code: detail}) for code, detail in messages]

    lines, losses = write_events(record, format_event)
    return Writing(_join(lines) if lines or not losses else "", (*misfits, *losses))


def _count_opening_comments(events: tuple[settlers.Event, ...]) -> int:
    """The number of comments before the first message."""
    is_comment = (isinstance(event, settlers.Commented) for event in events)
    return next((index for index, found in enumerate(is_comment) if not found), len(events))


def _join(lines: list[str]) -> str:
    """The lines as a JSON list: every message except the last one has a comma."""
    last = max((index for index, line in enumerate(lines) if not line.startswith("#")), default=-1)
    separated = [
        f"{line}," if index < last and not line.startswith("#") else line for index, line in enumerate(lines)
    ]
    return "\n".join(("[", *separated, "]", ""))


def _comment_lines(text: str, losses: Losses) -> list[str]:
    _check_text(text)
    parts = _LINE_END.split(text)
    if len(parts) > 1:
        losses.append(Inexpressible("that a comment of several lines is one comment"))
    return [f"# {part}" if part else "#" for part in parts]


def _messages(event: settlers.Event, following: settlers.Event | None, losses: Losses) -> list[MessageDetail]:
    """The messages for an event."""
    match event:
        case settlers.Act():
            return _act_messages(event, following, losses)
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
            tiles, map_losses = format_map(island)
            losses += map_losses
            return [("MD", tiles)]
        case settlers.OrderRolled(totals):
            rolls = {player_name(player): check_total(total) for player, total in totals}
            if len(rolls) < max(2, len(totals)):
                raise Inexpressible("rolls for the turn order by one player, or twice by the same player")
            return [("R", rolls)]
        case settlers.OrderSet(players):
            if len(set(players)) < len(players):
                raise Inexpressible("a turn order that lists a player twice")
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
            return [("O", _offer(event, losses))]
        case settlers.Withdrawn(player, offer):
            return [("W", {player_name(player): _name(offer)})]
        case settlers.Accepted(player, offer):
            return [("A", {player_name(player): _name(offer)})]
        case settlers.Said(player, text):
            return [("CH", {player_name(player): _check_text(text)})]
        case settlers.GameOver(winner):
            return [("GO", _maybe_name(winner))]
        case settlers.Commented():
            raise AssertionError("a comment is not a message")
        case _:
            assert_never(event)


def _act_messages(act: settlers.Act, following: settlers.Event | None, losses: Losses) -> list[MessageDetail]:
    if isinstance(act.action, settlers.Discard):
        discard = _transfer(discard_changes(act.action, act.player))
        if act.player is None:
            losses.append(Inexpressible("that the event of a discard names no player: the parser adds it"))
        return [("C", discard)]
    if act.player is None:
        raise missing_player(act.action)
    name = player_name(act.player)
    match act.action:
        case settlers.Roll():
            return [("R", {name: total_of(act.action, losses)})]
        case settlers.MoveRobber(tile):
            return [("M", {name: format_tile(tile)})]
        case settlers.Steal():
            return [("S", _transfer(steal_changes(act.action, act.player)))]
        case settlers.Buy(piece):
            return [("B", _purchase(act.player, piece))]
        case settlers.BuyCard(card):
            if card is not None:
                losses.append(Inexpressible(f"the kind of the bought card ({card.value})"))
            return [("B", _purchase(act.player, None))]
        case settlers.PlaceVillage(corner):
            return [("D", {name: {"S": format_corner(corner)}})]
        case settlers.PlaceCity(corner):
            return [("D", {name: {"C": format_corner(corner)}})]
        case settlers.PlaceRoad(side):
            return [("D", {name: {"R": format_side(side)}})]
        case settlers.UseKnight():
            losses.append(_parsed_as(act.action, "CardPlayed"))
            return [("P", {name: CARD_CODES[Card.KNIGHT]})]
        case settlers.UseRoads():
            losses.append(_parsed_as(act.action, "CardPlayed"))
            return [("P", {name: CARD_CODES[Card.ROADS]})]
        case settlers.UsePlenty(goods):
            check_plenty(goods)
            losses.append(_parsed_as(act.action, "CardPlayed and Transferred"))
            taken = _transfer(exchange(act.player, settlers.Holding(goods), BANK))
            return [("P", {name: CARD_CODES[Card.PLENTY]}), ("T", taken)]
        case settlers.UseMonopoly(kind):
            losses.append(_parsed_as(act.action, "CardPlayed"))
            if not isinstance(following, settlers.Transferred):
                message = f"the {kind.value} cards that each player gave for the monopoly"
                losses.append(Inexpressible(message, LossKind.MISSING))
            return [("P", {name: CARD_CODES[Card.MONOPOLY]})]
        case settlers.Trade(give, take, partner):
            trade = _transfer(trade_changes(give, take, act.player, partner))
            losses.append(_parsed_as(act.action, "Transferred"))
            return [("T", trade)]
        case settlers.EndTurn():
            return [("TE", name)]
        case _:
            assert_never(act.action)


def _parsed_as(action: settlers.Action, events: str) -> Inexpressible:
    return Inexpressible(f"that {type(action).__name__} is an action: it is parsed as {events}")


def _maybe_name(player: Player | None) -> str | None:
    return None if player is None else player_name(player)


def _transfer(changes: tuple[HoldingChange, ...]) -> dict[str, JsonValue]:
    check_transfer(changes)
    return {party_name(player): counts_in(holding) for player, holding in changes}


def _purchase(player: Player, piece: Piece | None) -> JsonValue:
    code = PIECE_CODES[piece]
    paid = counts_in(settlers.Holding(-PRODUCTS[code].price))
    counts = {code: 1} | paid
    return {player_name(player): counts, "B": {item: -count for item, count in counts.items()}}


def _offer(offer: settlers.Offered, losses: Losses) -> JsonValue:
    asked = [player for player, _ in offer.answers]
    if not asked or BANK in asked or len({offer.player, *asked}) <= len(asked):
        raise Inexpressible("an offer that asks no other player, or the same player twice")
    for answer in offer.answers:
        check_transfer(((offer.player, offer.change), answer))
    answers = {player_name(player): counts_in(change) for player, change in offer.answers}
    own = {player_name(offer.player): counts_in(offer.change)}
    name = _name(offer.offer or None)
    if not offer.open and len(asked) > 1:
        losses.append(Inexpressible("that the first player to accept the offer wins it", LossKind.INVENTED))
    return own | ({ANYBODY: answers} if offer.open or len(asked) > 1 else answers) | name


def _name(offer: str | None) -> dict[str, JsonValue]:
    if offer == "":
        raise Inexpressible("an empty offer name")
    return {} if offer is None else {OFFER_KEY: _check_text(offer)}


def _check_text(text: str) -> str:
    if has_surrogates(text):
        raise Inexpressible("text with an unpaired surrogate")
    return text


def _round(number: int) -> int:
    if not 1 <= number <= MAX_NUMBER:
        raise Inexpressible(f"the round number {number}")
    return number
