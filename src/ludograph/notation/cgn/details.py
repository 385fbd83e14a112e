"""The parser of CGN messages: from a code and its detail to events.

Most messages are one event. Several assets in a `D` or `B` and several players in a `C` are several
events in the order of the text.
"""

from collections.abc import Callable, Iterable

from ludograph import settlers
from ludograph.notation.cgn.map import parse_map
from ludograph.notation.cgn.messages import CgnMessage
from ludograph.notation.cgn.names import (
    ANYBODY,
    OFFER_KEY,
    PLAYERS,
    PLAYERS_HINT,
    PRODUCTS,
    parse_card,
    parse_party,
    parse_phase,
    parse_player,
    parse_player_detail,
    parse_single,
)
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.places import parse_corner, parse_side, parse_tile
from ludograph.notation.json_records.item_codes import ITEMS, RESOURCES, counts_in, holding_from
from ludograph.notation.json_records.reader import MAX_NUMBER, JsonReader
from ludograph.notation.json_records.transfers import check_balance, parse_count
from ludograph.notation.json_records.values import (
    Json,
    JsonMember,
    JsonNull,
    JsonString,
    fold_case,
    format_json,
    show,
)
from ludograph.settlers.goods import BANK, Goods, Player
from ludograph.settlers.record import HoldingChange

EVENT_CODES = ("PA", "PR", "MD", "PS", "PE", "RS", "RE", "RP", "R!", "TS", "TE", "SP", "LA", "LR", "CH", "GO")
ACTION_CODES = ("O", "W", "A", "B", "R", "C", "D", "T", "P", "S", "M", "Q")

_WITH_PLAYER: dict[str, Callable[[Player], settlers.Event]] = {
    "PA": settlers.PlayerJoins,
    "Q": settlers.PlayerQuits,
    "TS": settlers.TurnStarts,
    "TE": lambda player: settlers.Act(settlers.EndTurn(), player),
}
_WITH_OPTIONAL_PLAYER: dict[str, Callable[[Player | None], settlers.Event]] = {
    "PR": settlers.PlayerLeaves,
    "LA": lambda player: settlers.Awarded(settlers.Award.LARGEST_ARMY, player),
    "LR": lambda player: settlers.Awarded(settlers.Award.LONGEST_ROAD, player),
    "GO": settlers.GameOver,
}


def parse_message(reader: JsonReader, message: CgnMessage, book: OfferBook) -> tuple[settlers.Event, ...]:
    """The events of a message."""
    code, detail = message.code, message.detail
    if code not in EVENT_CODES and code not in ACTION_CODES:
        hint = f"the codes are {' '.join((*EVENT_CODES, *ACTION_CODES))}"
        reader.fail(message.span, "NT0316", f"{show(code)} is not a code", hint)
    match code:
        case "Q" if reader.lenient and _is_other_name(detail):
            reader.tolerate(detail.span, "NT0305", "this name is not a player", PLAYERS_HINT)
            return (settlers.PlayerLeaves(),)
        case _ if code in _WITH_PLAYER:
            return (_WITH_PLAYER[code](parse_player_detail(reader, detail)),)
        case _ if code in _WITH_OPTIONAL_PLAYER:
            player = None if isinstance(detail, JsonNull) else parse_player_detail(reader, detail)
            return (_WITH_OPTIONAL_PLAYER[code](player),)
        case "R!":
            if not isinstance(detail, JsonNull):
                reader.expect_fields(detail, "the detail of R!", ())
            return (settlers.RobberRoused(),)
        case "MD":
            return (settlers.MapDefined(parse_map(reader, detail)),)
        case "PS":
            return (settlers.PhaseStarts(parse_phase(reader, detail)),)
        case "PE":
            return (settlers.PhaseEnds(parse_phase(reader, detail)),)
        case "RS":
            return (
                settlers.RoundStarts(reader.expect_integer(detail, "the number of a round", 1, MAX_NUMBER)),
            )
        case "RE":
            return (
                settlers.RoundEnds(reader.expect_integer(detail, "the number of a round", 1, MAX_NUMBER)),
            )
        case "SP":
            return (settlers.OrderSet(_parse_order(reader, detail)),)
        case "CH":
            player, text = parse_single(reader, detail, "chat")
            return (settlers.Said(player, reader.expect_text(text, "the chat text")),)
        case "RP":
            return (settlers.Produced(_parse_transfer(reader, detail, "the production")[0]),)
        case "T":
            changes, offer = _parse_transfer(reader, detail, "a trade", named=True)
            return (settlers.Transferred(changes, offer),)
        case "O":
            return (_parse_offer(reader, detail),)
        case "W":
            return (settlers.Withdrawn(*_parse_offer_reference(reader, detail, book.maybe_offerer)),)
        case "A":
            return (settlers.Accepted(*_parse_offer_reference(reader, detail, book.maybe_asked)),)
        case "B":
            return tuple(_parse_builds(reader, detail))
        case "R":
            return (_parse_roll(reader, detail),)
        case "C":
            return tuple(_parse_concessions(reader, detail))
        case "D":
            return tuple(_parse_deployments(reader, detail))
        case "P":
            return (_parse_card_played(reader, detail),)
        case "S":
            return (_parse_steal(reader, detail),)
        case "M":
            mover, tile = parse_single(reader, detail, "the robber's move")
            return (settlers.Act(settlers.MoveRobber(parse_tile(reader, tile)), mover),)
        case _:
            raise AssertionError(f"the code {code} is listed but not parsed")


def _is_other_name(detail: Json) -> bool:
    return isinstance(detail, JsonString) and fold_case(detail.value) not in PLAYERS


# Transfers.


def _parse_transfer(
    reader: JsonReader, detail: Json, what: str, *, named: bool = False
) -> tuple[tuple[HoldingChange, ...], str | None]:
    """Balanced changes, and the name of the offer if the message may have one."""
    members = reader.expect_members(detail, what, fold=True)
    offer = _parse_name(reader, members.pop(OFFER_KEY)[1]) if named and OFFER_KEY in members else None
    changes = tuple(_parse_changes(reader, members.values()))
    check_balance(reader, detail, "NT1301", changes)
    return changes, offer


def _parse_changes(reader: JsonReader, members: Iterable[JsonMember]) -> Iterable[HoldingChange]:
    for name, value in members:
        yield parse_party(reader, name), _parse_holding(reader, value)


def _parse_holding(reader: JsonReader, value: Json) -> settlers.Holding:
    counts: dict[str, int] = {}
    for item, (key, count) in reader.expect_members(
        value, "the gains and losses of a player", fold=True
    ).items():
        if item not in ITEMS:
            hint = f"the items are {', '.join(ITEMS)}"
            reader.fail(key.span, "NT0317", f"{show(key.value)} is neither a resource nor an asset", hint)
        counts[item] = parse_count(reader, count, item, "NT1307")
    return holding_from(counts)


def _parse_builds(reader: JsonReader, detail: Json) -> Iterable[settlers.Event]:
    """Purchases: balanced with their price, or short without it (`{"P1":{"S":1}}`)."""
    changes = tuple(_parse_changes(reader, reader.expect_members(detail, "a build", fold=True).values()))
    builders = [change for change in changes if change[0] != BANK]
    if len(builders) != 1:
        reader.fail(detail.span, "NT0306", f"a build names one player, found {len(builders)}", PLAYERS_HINT)
    player, holding = builders[0]
    counts = counts_in(holding)
    bought = {code: count for code, count in counts.items() if code not in RESOURCES}
    for code, count in bought.items():
        if code not in PRODUCTS or not 1 <= count <= PRODUCTS[code].limit:
            message = f"a player cannot build {count} × {ITEMS[code]} ({code})"
            reader.fail_meaning(detail.span, "NT1308", message, f"players build {', '.join(PRODUCTS)}")
    if not bought:
        hint = f"players build {', '.join(PRODUCTS)}"
        reader.fail_meaning(detail.span, "NT1308", "the message builds nothing", hint)
    if len(changes) > 1 or holding.goods:
        check_balance(reader, detail, "NT1301", changes)
        _check_price(reader, detail, bought, holding.goods)
    for code, count in bought.items():
        piece = PRODUCTS[code].piece
        yield from (
            settlers.Act(settlers.BuyCard() if piece is None else settlers.Buy(piece), player)
            for _ in range(count)
        )


def _check_price(reader: JsonReader, detail: Json, bought: dict[str, int], paid: Goods) -> None:
    price = Goods()
    for code, count in bought.items():
        for _ in range(count):
            price += PRODUCTS[code].price
    if paid != -price:
        what = " and ".join(f"{count} × {ITEMS[code]}" for code, count in bought.items())
        hint = f"the price is {format_json(counts_in(settlers.Holding(-price)))}"
        reader.fail_meaning(detail.span, "NT1309", f"the price of {what} is wrong", hint)


def _parse_concessions(reader: JsonReader, detail: Json) -> Iterable[settlers.Event]:
    changes, _ = _parse_transfer(reader, detail, "a concession")
    discards = [(player, holding) for player, holding in changes if player != BANK]
    for _, holding in discards:
        counts = counts_in(holding)
        if not counts or any(code not in RESOURCES or count > 0 for code, count in counts.items()):
            message = "a conceding player only gives resources to the bank"
            reader.fail_meaning(detail.span, "NT1310", message, 'write {"P2":{"G":-2},"B":{"G":2}}')
    if not discards:
        reader.fail(detail.span, "NT0306", "a concession names a player, found none", PLAYERS_HINT)
    return [settlers.Act(settlers.Discard(player, -holding.goods), player) for player, holding in discards]


def _parse_steal(reader: JsonReader, detail: Json) -> settlers.Event:
    changes, _ = _parse_transfer(reader, detail, "a steal")
    stolen = [(player, counts) for player, holding in changes if (counts := counts_in(holding))]
    thieves = [player for player, counts in stolen if list(counts.values()) == [1]]
    if len(changes) != 2 or len(thieves) != 1 or BANK in dict(stolen) or not RESOURCES.keys() & stolen[0][1]:
        hint = 'write {"P1":{"G":1},"P3":{"G":-1}}'
        reader.fail_meaning(
            detail.span, "NT1311", "a steal moves one resource from one player to another", hint
        )
    victim = next(player for player, _ in stolen if player != thieves[0])
    (code,) = stolen[0][1]
    return settlers.Act(settlers.Steal(victim, RESOURCES[code]), thieves[0])


# Offers.


def _parse_offer(reader: JsonReader, detail: Json) -> settlers.Offered:
    members = reader.expect_members(detail, "an offer", fold=True)
    name = _parse_name(reader, members.pop(OFFER_KEY)[1]) if OFFER_KEY in members else ""
    asked = members.pop(ANYBODY)[1] if ANYBODY in members else None
    parties = [(parse_player(reader, key), _parse_holding(reader, value)) for key, value in members.values()]
    if len(parties) != (2 if asked is None else 1):
        expected = "two players, or one player and '?'" if asked is None else "one player and '?'"
        reader.fail(detail.span, "NT0306", f"an offer names {expected}, found {len(parties)}", PLAYERS_HINT)
    (player, change), *answers = parties
    if asked is not None:
        for key, value in reader.expect_members(asked, "the asked players", fold=True).values():
            answers.append((parse_player(reader, key), _parse_holding(reader, value)))
            if answers[-1][0] == player:
                reader.fail_meaning(
                    key.span, "NT1312", "an offer asks the offering player", "ask the other players"
                )
        if not answers:
            reader.fail(asked.span, "NT0306", "an offer asks at least one player, found none", PLAYERS_HINT)
    for answer in answers:
        check_balance(reader, detail, "NT1301", ((player, change), answer))
    return settlers.Offered(player, change, tuple(answers), name, open=asked is not None)


def _parse_offer_reference(
    reader: JsonReader, detail: Json, maybe_player: Callable[[str], Player | None]
) -> tuple[Player, str]:
    """The player and the offer: {"P2":{"UUID":"…"}}, or the name alone if it determines the player."""
    if not isinstance(detail, JsonString):
        members = reader.expect_members(detail, "an answer to an offer", fold=True)
        if OFFER_KEY not in members:
            player, value = parse_single(reader, detail, "an answer to an offer")
            return player, _parse_offer_name(reader, value)
    offer = _parse_offer_name(reader, detail)
    player_of_offer = maybe_player(offer)
    if player_of_offer is None:
        hint = f'write {{"P2":{{"UUID":{format_json(offer)[:40]}}}}}'
        reader.fail(detail.span, "NT0318", "the name of the offer does not determine the player", hint)
    return player_of_offer, offer


def _parse_offer_name(reader: JsonReader, value: Json) -> str:
    """The name of an offer: "…" or {"UUID":"…"}."""
    if isinstance(value, JsonString):
        return _parse_name(reader, value)
    members = reader.expect_members(value, "the name of an offer", fold=True)
    if list(members) != [OFFER_KEY]:
        reader.fail(value.span, "NT0319", "expected the name of an offer", 'write {"UUID":"1234"}')
    return _parse_name(reader, members[OFFER_KEY][1])


def _parse_name(reader: JsonReader, value: Json) -> str:
    name = reader.expect_text(value, "the name of an offer")
    if not name:
        hint = "leave out an unknown UUID"
        reader.fail(value.span, "NT0319", "the name of an offer is empty", hint)
    return name


# Other messages.


def _parse_order(reader: JsonReader, detail: Json) -> tuple[Player, ...]:
    players: list[Player] = []
    for item in reader.expect_items(detail, "the order of players"):
        player = parse_player_detail(reader, item)
        if player in players:
            reader.fail_meaning(
                item.span,
                "NT1313",
                f"the turn order lists P{player} twice",
                "list each player once",
            )
        players.append(player)
    return tuple(players)


def _parse_roll(reader: JsonReader, detail: Json) -> settlers.Event:
    members = reader.expect_members(detail, "a roll", fold=True)
    totals = tuple(
        (parse_player(reader, name), reader.expect_integer(total, "the total of a roll", 2, 12))
        for name, total in members.values()
    )
    if not totals:
        reader.fail(detail.span, "NT0306", "a roll names a player, found none", PLAYERS_HINT)
    (player, total), *others = totals
    return settlers.OrderRolled(totals) if others else settlers.Act(settlers.Roll(total), player)


def _parse_card_played(reader: JsonReader, detail: Json) -> settlers.Event:
    if isinstance(detail, JsonString):
        return settlers.CardPlayed(parse_card(reader, detail))
    player, card = parse_single(reader, detail, "the card played")
    return settlers.CardPlayed(parse_card(reader, card), player)


def _parse_deployments(reader: JsonReader, detail: Json) -> Iterable[settlers.Event]:
    hint = 'write {"P1":{"S":[2,20,19]}}; assets are S, C and R'
    deployed = reader.expect_members(detail, "a deployment", fold=True)
    if not deployed:
        reader.fail(detail.span, "NT0320", "the message deploys nothing", hint)
    for name, assets in deployed.values():
        player = parse_player(reader, name)
        members = reader.expect_members(assets, "the assets that a player deploys", fold=True)
        for code, (key, place) in members.items():
            if code not in {"S", "C", "R"}:
                reader.fail(key.span, "NT0320", f"{show(key.value)} cannot be deployed", hint)
            yield settlers.Act(_parse_placement(reader, code, place), player)
        if not members:
            reader.fail(assets.span, "NT0320", "the message deploys nothing", hint)


def _parse_placement(reader: JsonReader, code: str, place: Json) -> settlers.Action:
    if code == "R":
        return settlers.PlaceRoad(parse_side(reader, place))
    corner = parse_corner(reader, place)
    return settlers.PlaceVillage(corner) if code == "S" else settlers.PlaceCity(corner)
