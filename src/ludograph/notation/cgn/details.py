"""What CGN messages mean: a code and its detail in, events out.

Most messages are one event. Several assets in a `D` or `B` and several players in a `C` become
several events in the order of the text.
"""

from collections.abc import Callable, Iterable

from ludograph import settlers
from ludograph.notation.cgn.map import parse_map
from ludograph.notation.cgn.messages import CgnMessage
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.places import parse_corner, parse_side, parse_tile
from ludograph.notation.cgn.words import (
    ANYBODY,
    BUILDS,
    OFFER_KEY,
    PLAYERS_HINT,
    parse_card,
    parse_party,
    parse_phase,
    parse_player,
    parse_player_detail,
    parse_single,
)
from ludograph.notation.json_text import (
    LARGEST,
    Json,
    JsonNull,
    JsonReader,
    JsonString,
    Member,
    format_json,
    show,
)
from ludograph.notation.transfers import (
    ITEMS,
    RESOURCES,
    counts_in,
    describe_imbalance,
    find_imbalance,
    holding_from,
    negate,
)
from ludograph.settlers.goods import BANK, Goods, Player
from ludograph.settlers.record import Change

EVENT_CODES = ("PA", "PR", "MD", "PS", "PE", "RS", "RE", "RP", "R!", "TS", "TE", "SP", "LA", "LR", "CH", "GO")
ACTION_CODES = ("O", "W", "A", "B", "R", "C", "D", "T", "P", "S", "M", "Q")

_OF_PLAYER: dict[str, Callable[[Player], settlers.Event]] = {
    "PA": settlers.PlayerJoins,
    "Q": settlers.PlayerQuits,
    "TS": settlers.TurnStarts,
    "TE": lambda player: settlers.Act(settlers.EndTurn(), player),
}
_OF_PLAYER_OR_NOBODY: dict[str, Callable[[Player | None], settlers.Event]] = {
    "PR": settlers.PlayerLeaves,
    "LA": lambda player: settlers.Awarded(settlers.Award.LARGEST_ARMY, player),
    "LR": lambda player: settlers.Awarded(settlers.Award.LONGEST_ROAD, player),
    "GO": settlers.GameOver,
}


def parse_message(reader: JsonReader, message: CgnMessage, book: OfferBook) -> tuple[settlers.Event, ...]:
    """The events that a message tells."""
    code, detail = message.code, message.detail
    if code not in EVENT_CODES and code not in ACTION_CODES:
        hint = f"the codes are {' '.join((*EVENT_CODES, *ACTION_CODES))}"
        reader.fail(message.span, "NT0316", f"{show(code)} is no code", hint)
    match code:
        case of_player if of_player in _OF_PLAYER:
            return (_OF_PLAYER[code](parse_player_detail(reader, detail)),)
        case of_nobody if of_nobody in _OF_PLAYER_OR_NOBODY:
            player = None if isinstance(detail, JsonNull) else parse_player_detail(reader, detail)
            return (_OF_PLAYER_OR_NOBODY[code](player),)
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
            return (settlers.RoundStarts(reader.expect_integer(detail, "the number of a round", 1, LARGEST)),)
        case "RE":
            return (settlers.RoundEnds(reader.expect_integer(detail, "the number of a round", 1, LARGEST)),)
        case "SP":
            return (settlers.OrderSet(_parse_order(reader, detail)),)
        case "CH":
            speaker, text = parse_single(reader, detail, "chat")
            return (settlers.Said(speaker, reader.expect_text(text, "what a player says")),)
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
            raise AssertionError(f"the code {code} is listed, but nobody reads it")


# Transfers.


def _parse_transfer(
    reader: JsonReader, detail: Json, what: str, *, named: bool = False
) -> tuple[tuple[Change, ...], str | None]:
    """Balanced changes, and the offer's name if there may be one."""
    members = reader.expect_members(detail, what, fold=True)
    offer = _parse_name(reader, members.pop(OFFER_KEY)[1]) if named and OFFER_KEY in members else None
    changes = tuple(_parse_changes(reader, members.values()))
    _check_balance(reader, detail, changes)
    return changes, offer


def _parse_changes(reader: JsonReader, members: Iterable[Member]) -> Iterable[Change]:
    for name, value in members:
        yield parse_party(reader, name), _parse_holding(reader, value)


def _parse_holding(reader: JsonReader, value: Json) -> settlers.Holding:
    counts: dict[str, int] = {}
    for item, (key, count) in reader.expect_members(
        value, "what a player gains and loses", fold=True
    ).items():
        if item not in ITEMS:
            hint = f"the items are {', '.join(ITEMS)}"
            reader.fail(key.span, "NT0317", f"{show(key.value)} is no resource or asset", hint)
        counts[item] = reader.expect_integer(count, f"the count of {item}", -LARGEST, LARGEST)
        if counts[item] == 0:
            reader.tolerate_meaning(count.span, "NT1307", "a count of 0 says nothing", "leave the item out")
    return holding_from(counts)


def _check_balance(reader: JsonReader, detail: Json, changes: Iterable[Change]) -> None:
    if imbalance := find_imbalance(changes):
        hint = 'what one party gains, others give; the bank is "B"'
        reader.fail_meaning(detail.span, "NT1301", describe_imbalance(*imbalance), hint)


def _parse_builds(reader: JsonReader, detail: Json) -> Iterable[settlers.Event]:
    """Purchases: balanced with their cost, or short (`{"P1":{"S":1}}`)."""
    changes = tuple(_parse_changes(reader, reader.expect_members(detail, "a build", fold=True).values()))
    builders = [change for change in changes if change[0] != BANK]
    if len(builders) != 1:
        reader.fail(detail.span, "NT0306", f"a build names one player, found {len(builders)}", PLAYERS_HINT)
    player, holding = builders[0]
    counts = counts_in(holding)
    bought = {code: count for code, count in counts.items() if code not in RESOURCES}
    for code, count in bought.items():
        if code not in BUILDS or not 1 <= count <= BUILDS[code].most:
            message = f"nobody can build {count} × {ITEMS[code]} ({code})"
            reader.fail_meaning(detail.span, "NT1308", message, f"one builds {', '.join(BUILDS)}")
    if not bought:
        reader.fail_meaning(detail.span, "NT1308", "nothing is built", f"one builds {', '.join(BUILDS)}")
    if len(changes) > 1 or holding.goods:
        _check_balance(reader, detail, changes)
        _check_cost(reader, detail, bought, holding.goods)
    for code, count in bought.items():
        piece = BUILDS[code].piece
        yield from (
            settlers.Act(settlers.BuyCard() if piece is None else settlers.Buy(piece), player)
            for _ in range(count)
        )


def _check_cost(reader: JsonReader, detail: Json, bought: dict[str, int], paid: Goods) -> None:
    cost = Goods()
    for code, count in bought.items():
        for _ in range(count):
            cost += BUILDS[code].cost
    if paid != -cost:
        what = " and ".join(f"{count} × {ITEMS[code]}" for code, count in bought.items())
        price = format_json(counts_in(negate(settlers.Holding(cost))))
        reader.fail_meaning(detail.span, "NT1309", f"the price of {what} is not this", f"it is {price}")


def _parse_concessions(reader: JsonReader, detail: Json) -> Iterable[settlers.Event]:
    changes, _ = _parse_transfer(reader, detail, "a concession")
    discards = [(player, holding) for player, holding in changes if player != BANK]
    for _, holding in discards:
        counts = counts_in(holding)
        if not counts or any(code not in RESOURCES or count > 0 for code, count in counts.items()):
            message = "a player who concedes gives resources to the bank and gets nothing"
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
        reader.fail_meaning(detail.span, "NT1311", "a steal moves one resource from player to player", hint)
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
        expected = (
            "two players, or one and those asked under '?'" if asked is None else "one player beside '?'"
        )
        reader.fail(detail.span, "NT0306", f"an offer names {expected}, found {len(parties)}", PLAYERS_HINT)
    (player, change), *answers = parties
    if asked is not None:
        for key, value in reader.expect_members(asked, "those asked", fold=True).values():
            answers.append((parse_player(reader, key), _parse_holding(reader, value)))
            if answers[-1][0] == player:
                reader.fail_meaning(
                    key.span, "NT1312", "nobody makes an offer to himself", "ask the other players"
                )
        if not answers:
            reader.fail(asked.span, "NT0306", "an offer asks at least one player, found none", PLAYERS_HINT)
    for answer in answers:
        _check_balance(reader, detail, ((player, change), answer))
    return settlers.Offered(player, change, tuple(answers), name, open=asked is not None)


def _parse_offer_reference(
    reader: JsonReader, detail: Json, maybe_player: Callable[[str], Player | None]
) -> tuple[Player, str]:
    """Who speaks of which offer: {"P2":{"UUID":"…"}}, or the name alone where it says who."""
    if not isinstance(detail, JsonString):
        members = reader.expect_members(detail, "what is said about an offer", fold=True)
        if OFFER_KEY not in members:
            player, value = parse_single(reader, detail, "what is said about an offer")
            return player, _parse_offer_name(reader, value)
    offer = _parse_offer_name(reader, detail)
    speaker = maybe_player(offer)
    if speaker is None:
        hint = f'write {{"P2":{{"UUID":{format_json(offer)[:40]}}}}}'
        reader.fail(detail.span, "NT0318", "the record does not tell which player this is", hint)
    return speaker, offer


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
        hint = "leave out a UUID that you do not have"
        reader.fail(value.span, "NT0319", "the name of an offer is empty", hint)
    return name


# The rest.


def _parse_order(reader: JsonReader, detail: Json) -> tuple[Player, ...]:
    players: list[Player] = []
    for item in reader.expect_items(detail, "the order of players"):
        player = parse_player_detail(reader, item)
        if player in players:
            reader.fail_meaning(
                item.span,
                "NT1313",
                f"P{player} stands twice in the order of players",
                "name each player once",
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
        reader.fail(detail.span, "NT0320", "nothing is deployed", hint)
    for name, assets in deployed.values():
        player = parse_player(reader, name)
        members = reader.expect_members(assets, "what a player deploys", fold=True)
        for code, (key, place) in members.items():
            if code not in {"S", "C", "R"}:
                reader.fail(key.span, "NT0320", f"{show(key.value)} cannot be deployed", hint)
            yield settlers.Act(_parse_placement(reader, code, place), player)
        if not members:
            reader.fail(assets.span, "NT0320", "nothing is deployed", hint)


def _parse_placement(reader: JsonReader, code: str, place: Json) -> settlers.Action:
    if code == "R":
        return settlers.PlaceRoad(parse_side(reader, place))
    corner = parse_corner(reader, place)
    return settlers.PlaceVillage(corner) if code == "S" else settlers.PlaceCity(corner)
