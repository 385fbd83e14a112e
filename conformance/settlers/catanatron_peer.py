"""What catanatron says, in the words of the notations: island, position, points, actions.

Places and cards are translated by tables. It knows no moment between buying and placing, or between the
robber's move and the theft, and mixes cards bought this turn with the others; so `comparable` does too.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from catanatron.models.board import base_map
from catanatron.models.enums import ActionPrompt, ActionType
from catanatron.models.map import PORT_DIRECTION_TO_NODEREFS, LandTile, NodeRef, Port

from ludograph.geometry.hex_places import corners_of, side_between
from ludograph.notation.formulas import LETTER_OF_CARD, LETTER_OF_RESOURCE
from ludograph.settlers import (
    Card,
    Cards,
    Goods,
    Harbor,
    Hex,
    HexCorner,
    HexSide,
    Island,
    Must,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    Piece,
    Pieces,
    Player,
    Position,
    Resource,
    Seat,
    Terrain,
)
from ludograph.settlers.names import han_name
from ludograph.settlers.places import FRAME, LAND_CORNERS, LAND_SIDES

Theirs = Any
"""A game, state or action of catanatron, which has no types."""

RESOURCES: dict[Resource, str] = {
    Resource.BRICK: "BRICK",
    Resource.GRAIN: "WHEAT",
    Resource.LUMBER: "WOOD",
    Resource.ORE: "ORE",
    Resource.WOOL: "SHEEP",
}
CARDS: dict[Card, str] = {
    Card.KNIGHT: "KNIGHT",
    Card.ROADS: "ROAD_BUILDING",
    Card.MONOPOLY: "MONOPOLY",
    Card.POINT: "VICTORY_POINT",
    Card.PLENTY: "YEAR_OF_PLENTY",
}
KINDS = {theirs: ours for ours, theirs in RESOURCES.items()}
CARD_KINDS = {theirs: ours for ours, theirs in CARDS.items()}


# Places


def hex_of(coordinate: tuple[int, int, int]) -> Hex:
    return Hex(coordinate[0], coordinate[2])


@cache
def corners() -> dict[int, HexCorner]:
    """Its nodes; they have the same numbers in every game on the standard frame."""
    found: dict[int, HexCorner] = {}
    for coordinate, tile in base_map.land_tiles.items():
        for ref, corner in zip(NodeRef, corners_of(hex_of(coordinate)), strict=True):
            found[tile.nodes[ref]] = LAND_CORNERS[LAND_CORNERS.index(corner)]
    return found


@cache
def nodes() -> dict[HexCorner, int]:
    return {corner: node for node, corner in corners().items()}


@cache
def edges() -> dict[HexSide, tuple[int, int]]:
    """Its edges, the smaller node first."""
    found = {}
    for side in LAND_SIDES:
        first, second = sorted(nodes()[corner] for corner in side.corners)
        found[side] = (first, second)
    return found


@cache
def side_of_edge(edge: tuple[int, int]) -> HexSide:
    side = side_between((corners()[edge[0]], corners()[edge[1]]))
    assert side is not None
    return LAND_SIDES[LAND_SIDES.index(side)]


# The island


def island_of(board: Theirs) -> Island:
    """The island of one of its maps."""
    terrain = dict.fromkeys(FRAME, Terrain.SEA)
    numbers: dict[Hex, int | None] = {}
    harbors = []
    for coordinate, tile in board.tiles.items():
        if isinstance(tile, LandTile):
            terrain[hex_of(coordinate)] = _TERRAIN[tile.resource]
            numbers[hex_of(coordinate)] = tile.number
        elif isinstance(tile, Port):
            first, second = (tile.nodes[ref] for ref in PORT_DIRECTION_TO_NODEREFS[tile.direction])
            harbors.append(Harbor(side_of_edge((first, second)), KINDS.get(tile.resource)))
    return Island.of(terrain, numbers, harbors)


_TERRAIN: dict[str | None, Terrain] = {
    None: Terrain.DESERT,
    **{RESOURCES[kind.yields]: kind for kind in Terrain if kind.yields is not None},
}


# Positions


def position_of(game: Theirs, island: Island) -> Position:
    """Where one of its games stands; bought cards are among the others, the turn number tells the player."""
    state = game.state
    seats = tuple(_seat_of(state, number) for number in range(len(state.colors)))
    return Position(
        island,
        seats,
        hex_of(state.board.robber_coordinate),
        _holder(state, "HAS_ARMY"),
        _holder(state, "HAS_ROAD"),
        1 if state.is_initial_build_phase else state.current_turn_index + 1,
        bool(state.player_state[f"P{state.current_turn_index}_HAS_ROLLED"]),
        _must_of(state),
        may_place=Pieces(road=_free_roads(state)) if state.is_road_building else Pieces(),
    )


def _free_roads(state: Theirs) -> int:
    """How many free roads may be placed: it counts two even if only one piece is left."""
    left = state.player_state[f"P{state.current_turn_index}_ROADS_AVAILABLE"]
    return min(int(left), int(state.free_roads_available))


def comparable(position: Position) -> Position:
    """A position without what catanatron does not know."""
    current = position.current
    cards = Cards(*map(sum, zip(position.seat(current).cards.counts, position.bought.counts, strict=True)))
    turn = 1 if position.in_setup else current
    return position.replace_seat(current, cards=cards).replace(bought=Cards(), turn=turn)


def _seat_of(state: Theirs, number: int) -> Seat:
    color, own = state.colors[number], state.player_state
    buildings = state.buildings_by_color[color]
    return Seat(
        tuple(corners()[node] for node in buildings["CITY"]),
        tuple(corners()[node] for node in buildings["SETTLEMENT"]),
        tuple(side_of_edge(edge) for edge in buildings["ROAD"]),
        Goods(*(own[f"P{number}_{RESOURCES[kind]}_IN_HAND"] for kind in Resource)),
        Cards(*(own[f"P{number}_{CARDS[kind]}_IN_HAND"] for kind in Card)),
        own[f"P{number}_PLAYED_KNIGHT"],
    )


def _holder(state: Theirs, award: str) -> Player | None:
    found = [number for number in range(len(state.colors)) if state.player_state[f"P{number}_{award}"]]
    assert len(found) <= 1, f"{award} of several"
    return Player(found[0] + 1) if found else None


def _must_of(state: Theirs) -> Must | None:
    match state.current_prompt:
        case ActionPrompt.BUILD_INITIAL_SETTLEMENT:
            return MustPlace((Piece.VILLAGE, Piece.ROAD))
        case ActionPrompt.BUILD_INITIAL_ROAD:
            return MustPlace((Piece.ROAD,))
        case ActionPrompt.MOVE_ROBBER:
            return MustMoveRobber()
        case ActionPrompt.DISCARD:
            rest = range(state.current_player_index, len(state.colors))
            return MustDiscard(
                tuple(Player(n + 1) for n in rest if _seat_of(state, n).goods.total > state.discard_limit)
            )
        case _:
            return None


def points_of(game: Theirs) -> tuple[int, ...]:
    """The points of all players, those of secret cards included."""
    own, players = game.state.player_state, range(len(game.state.colors))
    return tuple(own[f"P{number}_ACTUAL_VICTORY_POINTS"] for number in players)


# Actions


def buys_pieces(state: Theirs) -> bool:
    """Whether a piece that is placed now has to be bought."""
    return not state.is_initial_build_phase and not state.is_road_building


def han_of(action: Theirs, colors: tuple[Theirs, ...], *, bought: bool) -> tuple[str, ...]:
    """A logged action (with what chance gave) in HAN; `bought` tells of the moment before it."""
    value = action.value
    match action.action_type:
        case ActionType.ROLL:
            first, second = sorted(value)
            return (f"R({first}+{second})",)
        case ActionType.END_TURN:
            return ("E",)
        case ActionType.BUILD_SETTLEMENT:
            placed = f"Pv({han_name(corners()[value])})"
            return ("Bv", placed) if bought else (placed,)
        case ActionType.BUILD_CITY:
            return ("Bc", f"Pc({han_name(corners()[value])})")
        case ActionType.BUILD_ROAD:
            placed = f"Pr({han_name(side_of_edge(value))})"
            return ("Br", placed) if bought else (placed,)
        case ActionType.BUY_DEVELOPMENT_CARD:
            return (f"BD{LETTER_OF_CARD[CARD_KINDS[value]]}",)
        case ActionType.PLAY_KNIGHT_CARD:
            return ("Uk",)
        case ActionType.PLAY_ROAD_BUILDING:
            return ("Uo",)
        case ActionType.PLAY_MONOPOLY:
            return (f"Um({LETTER_OF_RESOURCE[KINDS[value]]})",)
        case ActionType.PLAY_YEAR_OF_PLENTY:
            return (f"Uy({_formula(value)})",)
        case ActionType.DISCARD:
            return (f"{colors.index(action.color) + 1}D({_formula(value)})",)
        case ActionType.MARITIME_TRADE:
            return (f"T({_formula(value[:-1])})({_formula(value[-1:])})0",)
        case ActionType.MOVE_ROBBER:
            coordinate, victim, card = value
            moved = f"M({han_name(hex_of(coordinate))})"
            if victim is None:
                return (moved,)
            return (moved, f"S({LETTER_OF_RESOURCE[KINDS[card]]}){colors.index(victim) + 1}")
    raise AssertionError(f"{action} is no action of catanatron 3.2.1")


def _formula(names: Iterable[str | None]) -> str:
    """Some of its resources as a formula; it fills its trades up with None."""
    counts = Counter(KINDS[name] for name in names if name is not None)
    return "".join(
        f"{LETTER_OF_RESOURCE[kind]}{counts[kind] if counts[kind] > 1 else ''}"
        for kind in Resource
        if counts[kind]
    )
