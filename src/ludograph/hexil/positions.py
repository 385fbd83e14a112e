"""Translation between positions and states of the rules, by tables.

A position has what HSN can express. The rules know a little more (whether a card was played this turn, which
cards are left); `Facts` holds it, and the header lines of a record store it.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ludograph import settlers
from ludograph.games import State
from ludograph.hexil.layout import Layout, fits_frame
from ludograph.notation.acting_player import HEADER as ACTING_HEADER
from ludograph.notation.acting_player import acting_from_headers
from ludograph.notation.formulas import CARD_LETTERS, LETTER_OF_CARD
from ludograph.settlers.places import frame_of
from ludograph.settlers.position import next_in_turn
from ludograph.settlers.standard import deck as full_deck

AttributeData = Mapping[str, Any]
"""Attributes of things by name, as states of the rules return and accept them."""


class Facts(Struct, frozen=True):
    """The state of the rules that HSN does not contain."""

    card_played: bool = False
    """Whether the current player has played a development card this turn."""
    deck: settlers.Cards | None = None
    """The cards that nobody has bought; None: all cards except those held and the knights played."""
    acting: settlers.Player | None = None
    """Who acts in the turn of another player, with five and six players: `Position.acting`."""


class Unplayable(ValueError):
    """No game can be played from this position; `findings` gives the reasons."""

    def __init__(self, message: str, findings: tuple[settlers.Finding, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


def check_playable(position: settlers.Position, facts: Facts, *, special: bool = False) -> None:
    """Raise Unplayable if the rules cannot represent a position with these facts.

    A position that is merely unreachable (a robber that nobody moved, a knight too early) can be played.
    `special` is the option of the rules.
    """
    findings = tuple(finding for finding in position.findings() if finding.flag in _UNPLAYABLE)
    if findings:
        raise Unplayable("; ".join(finding.message for finding in findings), findings)
    if not 2 <= position.players <= 6:
        raise Unplayable(f"the game is for two to six players, not {position.players}")
    if not fits_frame(position.island.land, position.players):
        tiles = len(frame_of(position.players))
        raise Unplayable(f"there is land outside the frame of {tiles} tiles")
    _check_acting(position, special=special)
    if position.must is not None and not isinstance(position.must, settlers.MustPlace) and position.in_setup:
        raise Unplayable("players neither discard nor move the robber in the set-up")
    most = count_deck(position, Facts())
    if any(count > most[card] for card, count in (facts.deck or settlers.Cards()).items()):
        raise Unplayable("the deck and the players have more cards than the game")


def _check_acting(position: settlers.Position, *, special: bool) -> None:
    """Raise Unplayable if nobody can act in the turn of another player, or not this player."""
    if position.acting is None:
        return
    if position.players <= 4 or position.in_setup or not position.rolled:
        raise Unplayable("a player acts in the turn of another player only with five or six, after the roll")
    guests = []
    turn, guest = next_in_turn(position.turn, None, position.players, special=special)
    while turn == position.turn:
        guests.append(guest)
        turn, guest = next_in_turn(turn, guest, position.players, special=special)
    if position.acting not in guests:
        names = " or ".join(f"player {each}" for each in guests)
        raise Unplayable(f"after turn {position.turn} comes {names}, not player {position.acting}")


def check_reachable(position: settlers.Position, limit: int) -> None:
    """Raise Unplayable if no game can reach a position; `limit` is the option of the game."""
    findings = tuple(
        finding
        for finding in position.findings()
        if finding.flag not in _REACHABLE
        and not (finding.flag is settlers.Flag.DISCARD_SMALL_HAND and _all_owe(position, limit))
    )
    if findings:
        reasons = "; ".join(finding.message for finding in findings)
        raise Unplayable(
            f"no game reaches this position: {reasons} (lenient=True does not check this)", findings
        )


def _all_owe(position: settlers.Position, limit: int) -> bool:
    """Whether every player who must discard has more cards than the limit."""
    must = position.must
    return isinstance(must, settlers.MustDiscard) and all(
        position.seat(player).goods.total > limit for player in must.players
    )


def check_kept(position: settlers.Position, started: settlers.Position) -> None:
    """Raise Unplayable if the rules have dropped a duty or a free piece of a position."""
    if position.must is not None and position.must != started.must:
        raise Unplayable(f"no legal move fulfils the duty of this position, {position.must!r}")
    if position.may_place != started.may_place:
        raise Unplayable(f"the rules cannot keep the free pieces of this position, {position.may_place!r}")


_REACHABLE = frozenset(
    {
        settlers.Flag.TERRAIN_COUNTS,
        settlers.Flag.NUMBER_COUNTS,
        settlers.Flag.HARBORS_SHARE_CORNER,
        settlers.Flag.HARBORS_TOO_CLOSE,
        settlers.Flag.HARBOR_PLACES,
        settlers.Flag.HARBOR_KINDS,
    }
)
"""Flags of islands that differ from the standard set, but can be played."""


_UNPLAYABLE = frozenset(
    {
        settlers.Flag.NO_LAND,
        settlers.Flag.TILE_TWICE,
        settlers.Flag.NUMBER_TWICE,
        settlers.Flag.NUMBER_MISPLACED,
        settlers.Flag.HARBOR_OFF_COAST,
        settlers.Flag.HARBOR_TWICE,
        settlers.Flag.PIECE_OFF_LAND,
        settlers.Flag.CORNER_SHARED,
        settlers.Flag.SIDE_SHARED,
        settlers.Flag.PIECES_OVERDRAWN,
        settlers.Flag.ROBBER_MISSING,
        settlers.Flag.ROBBER_OFF_LAND,
        settlers.Flag.NEGATIVE_COUNT,
        settlers.Flag.BANK_OVERDRAWN,
        settlers.Flag.DECK_OVERDRAWN,
        settlers.Flag.AWARD_HOLDER_UNKNOWN,
        settlers.Flag.TURN_BELOW_ONE,
        settlers.Flag.ACTING_PLAYER_UNKNOWN,
        settlers.Flag.SETUP_ORDER,
        settlers.Flag.DISCARD_BY_NOBODY,
        settlers.Flag.DISCARDER_TWICE,
        settlers.Flag.DISCARDER_UNKNOWN,
        settlers.Flag.PLACE_NOTHING,
        settlers.Flag.PLACE_SEVERAL,
        settlers.Flag.FREE_PIECES_NOT_ROADS,
        settlers.Flag.DUTY_BESIDE_FREE_ROADS,
    }
)


# From positions to states of the rules


def encode_position(position: settlers.Position, facts: Facts, layout: Layout) -> dict[str, object]:
    """A playable position as data for the rules."""
    things: dict[str, dict[str, object]] = {}
    numbers = dict(position.island.numbers)
    terrain = dict(position.island.terrain)
    for name, tile in layout.tiles:
        kind = terrain[tile].yields
        things[name] = {"yields": kind.value if kind is not None else None, "number": numbers.get(tile)}
    for harbor in position.island.harbors:
        wants = harbor.resource.value if harbor.resource is not None else None
        things[layout.names[harbor.side]] = {"harbor": True, "wants": wants}
    for player, seat in enumerate(position.seats):
        for kind_of, corners in (("village", seat.villages), ("city", seat.cities)):
            for corner in corners:
                things[layout.names[corner]] = {"player": player, "built": kind_of}
        for side in seat.roads:
            things.setdefault(layout.names[side], {})["player"] = player
        things[f"seat#{player + 1}"] = _seat_data(position, player)
    assert position.robber is not None
    deck = count_deck(position, facts)
    things["table"] = {
        "stock": list(position.bank.counts),
        "deck": list(deck.counts),
        "deck_size": deck.total,
        "used": _count_used(position, deck),
        "robber": layout.names[position.robber],
        "turns": position.turn,
        "rolled": position.rolled,
        "played": facts.card_played,
        "free": position.may_place.road,
        "longest": _number(position.longest_road),
        "largest": _number(position.largest_army),
    }
    turn, phase = _phase(position)
    return {
        "format": 1,
        "stage": "play",
        "turn": turn,
        "phase": phase,
        "active": position.current - 1,
        "instances": things,
    }


def _seat_data(position: settlers.Position, player: int) -> dict[str, object]:
    seat, left = position.seats[player], position.pieces_left(player + 1)
    bought = position.bought.counts if position.current == player + 1 else (0,) * len(settlers.Card)
    must = position.must
    return {
        "hand": list(seat.goods.counts),
        "cards": list(seat.cards.counts),
        "fresh": list(bought),
        "hand_size": seat.goods.total,
        "unplayed_size": seat.cards.total + sum(bought),
        "fresh_size": sum(bought),
        "villages": left.village,
        "cities": left.city,
        "streets": left.road,
        "knights": seat.knights,
        "owes": isinstance(must, settlers.MustDiscard) and player + 1 in must.players,
    }


def count_deck(position: settlers.Position, facts: Facts) -> settlers.Cards:
    """The remaining cards: as given by the facts, or all that the position does not show elsewhere."""
    if facts.deck is not None:
        return facts.deck
    left = list(full_deck(position.players).counts)
    for seat in position.seats:
        left = [count - held for count, held in zip(left, seat.cards.counts, strict=True)]
        left[0] -= seat.knights
    return settlers.Cards(
        *(count - bought for count, bought in zip(left, position.bought.counts, strict=True))
    )


def _count_used(position: settlers.Position, deck: settlers.Cards) -> list[int]:
    """The cards that were played: all that are neither in the deck nor in a hand."""
    left = zip(full_deck(position.players).counts, deck.counts, position.bought.counts, strict=True)
    used = [count - unsold - bought for count, unsold, bought in left]
    for seat in position.seats:
        used = [count - held for count, held in zip(used, seat.cards.counts, strict=True)]
    return [max(0, count) for count in used]


def _phase(position: settlers.Position) -> tuple[str, str]:
    """The turn and the phase of the rules."""
    match position.must:
        case settlers.MustPlace(pieces) if position.in_setup:
            return "opening", "settle" if pieces[0] is settlers.Piece.VILLAGE else "pave"
        case settlers.MustPlace((piece,)):
            return "main", _PLACING_PHASES[piece]
        case settlers.MustDiscard():
            return "main", "discard"
        case settlers.MustMoveRobber():
            return "main", "robber"
        case settlers.MustSteal():
            return "main", "steal"
        case _ if position.may_place.road:
            return "main", "paving"
        case _:
            return "main", "build" if position.rolled else "roll"


_PLACING_PHASES = {
    settlers.Piece.VILLAGE: "put_village",
    settlers.Piece.CITY: "put_city",
    settlers.Piece.ROAD: "put_road",
}
_PLACED_PIECES = {phase: (piece,) for piece, phase in _PLACING_PHASES.items()}


def _number(player: settlers.Player | None) -> int | None:
    return player - 1 if player is not None else None


# From states of the rules to positions


def read_island(things: AttributeData, layout: Layout, sea: tuple[settlers.Hex, ...]) -> settlers.Island:
    """The island of a state; `sea` are the sea tiles around it."""
    tiles = [(tile, things[name]) for name, tile in layout.tiles]
    terrain = {tile: _TERRAIN[data["yields"]] for tile, data in tiles}
    return settlers.Island(
        (*terrain.items(), *((tile, settlers.Terrain.SEA) for tile in sea)),
        tuple((tile, int(data["number"])) for tile, data in tiles if data["number"] is not None),
        tuple(
            settlers.Harbor(side, _RESOURCE[things[name]["wants"]])
            for name, side in layout.sides
            if things[name]["harbor"]
        ),
    )


def read_pieces(things: AttributeData, layout: Layout, players: int) -> list[dict[str, list[Any]]]:
    """The pieces of each player, in reading order: cities, villages, roads."""
    pieces: list[dict[str, list[Any]]] = [{"cities": [], "villages": [], "roads": []} for _ in range(players)]
    for name, corner in layout.corners:
        data = things[name]
        if data["built"] is not None:
            pieces[data["player"]][_BUILT[data["built"]]].append(corner)
    for name, side in layout.sides:
        owner = things[name]["player"]
        if owner is not None:
            pieces[owner]["roads"].append(side)
    return pieces


def read_position(state: State, layout: Layout, island: settlers.Island) -> settlers.Position:
    """The position of a state; offers are not part of a position."""
    table: AttributeData = state.thing("table")
    seats_data: Mapping[str, AttributeData] = state.things("seat")
    players = len(seats_data)
    pieces_data = read_pieces(
        {**state.things("corner", "built", "player"), **state.things("path", "player")}, layout, players
    )
    seats = []
    for seat, pieces in zip(seats_data.values(), pieces_data, strict=True):
        cities: tuple[settlers.HexCorner, ...] = tuple(pieces["cities"])
        villages: tuple[settlers.HexCorner, ...] = tuple(pieces["villages"])
        roads: tuple[settlers.HexSide, ...] = tuple(pieces["roads"])
        goods, cards = settlers.Goods(*map(int, seat["hand"])), settlers.Cards(*map(int, seat["cards"]))
        seats.append(settlers.Seat(cities, villages, roads, goods, cards, int(seat["knights"])))
    # A game ends in the middle of a phase, whose duties do not apply any more.
    phase = (state.phase() or "") if not state.is_over else ""
    robber = layout.places[table["robber"]]
    assert isinstance(robber, settlers.Hex)
    turn, active = int(table["turns"]), settlers.Player(state.active() + 1)
    is_guest = players > 4 and phase not in ("settle", "pave") and (turn - 1) % players + 1 != active
    return settlers.Position(
        island,
        tuple(seats),
        robber,
        _player(table["largest"]),
        _player(table["longest"]),
        turn,
        bool(table["rolled"]),
        _must(phase, seats_data, players),
        settlers.Cards(*map(int, seats_data[f"seat#{state.active() + 1}"]["fresh"])),
        settlers.Pieces(road=int(table["free"])) if phase == "paving" else settlers.Pieces(),
        active if is_guest else None,
    )


def read_facts(table: AttributeData, acting: settlers.Player | None) -> Facts:
    """The facts from the data of the rules' table."""
    return Facts(bool(table["played"]), settlers.Cards(*map(int, table["deck"])), acting)


def _must(phase: str, things: AttributeData, players: int) -> settlers.Must | None:
    match phase:
        case "settle":
            return settlers.MustPlace((settlers.Piece.VILLAGE, settlers.Piece.ROAD))
        case "pave":
            return settlers.MustPlace((settlers.Piece.ROAD,))
        case "discard":
            return settlers.MustDiscard(
                tuple(settlers.Player(n) for n in range(1, players + 1) if things[f"seat#{n}"]["owes"])
            )
        case "robber":
            return settlers.MustMoveRobber()
        case "steal":
            return settlers.MustSteal()
        case _:
            return settlers.MustPlace(_PLACED_PIECES[phase]) if phase in _PLACED_PIECES else None


def _player(number: int | None) -> settlers.Player | None:
    return settlers.Player(number + 1) if number is not None else None


_RESOURCE: dict[str | None, settlers.Resource | None] = {
    None: None,
    **{kind.value: kind for kind in settlers.Resource},
}
_TERRAIN: dict[str | None, settlers.Terrain] = {
    None: settlers.Terrain.DESERT,
    **{kind.yields.value: kind for kind in settlers.Terrain if kind.yields is not None},
}
_BUILT = {"village": "villages", "city": "cities"}


# Headers

_CARD_TERM = re.compile(r"D([krmvy])([1-9][0-9]?)?")
_CARD_FORMULA = re.compile(rf"(?:{_CARD_TERM.pattern})*")


def facts_from_headers(headers: Mapping[str, str]) -> Facts:
    """The facts in header lines: `[CardPlayed "yes"]`, `[Deck "Dk12Dr2Dm2Dv5Dy2"]`, `[Acting "4"]`.

    >>> facts_from_headers({"CardPlayed": "yes", "Deck": "Dk2Dv"})
    Facts(card_played=True, deck=Cards(knight=2, point=1), acting=None)
    """
    try:
        acting = acting_from_headers(headers)
    except ValueError as error:
        raise Unplayable(str(error)) from None
    played, deck = headers.get("CardPlayed", "no"), headers.get("Deck")
    if played not in ("yes", "no"):
        raise Unplayable(f'the header CardPlayed is "yes" or "no", not "{played}"')
    if deck is None:
        return Facts(played == "yes", acting=acting)
    if not _CARD_FORMULA.fullmatch(deck):
        raise Unplayable(f'the header Deck is a formula such as "Dk14Dv5", not "{deck}"')
    counts = dict.fromkeys(settlers.Card, 0)
    for letter, digits in _CARD_TERM.findall(deck):
        counts[CARD_LETTERS[letter]] += int(digits or 1)
    return Facts(played == "yes", settlers.Cards(*counts.values()), acting)


def facts_to_headers(facts: Facts) -> tuple[tuple[str, str], ...]:
    """The inverse of `facts_from_headers`.

    >>> facts_to_headers(Facts(True, settlers.Cards(knight=2, point=1)))
    (('CardPlayed', 'yes'), ('Deck', 'Dk2Dv'))
    """
    deck = "".join(
        f"D{LETTER_OF_CARD[card]}{count if count > 1 else ''}"
        for card, count in (facts.deck or settlers.Cards()).items()
    )
    headers = [(ACTING_HEADER, str(facts.acting))] if facts.acting is not None else []
    headers += [("CardPlayed", "yes")] if facts.card_played else []
    return (*headers, ("Deck", deck)) if facts.deck is not None else tuple(headers)
