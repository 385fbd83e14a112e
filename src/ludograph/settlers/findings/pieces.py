"""Findings about players, pieces and robber: their places and connections."""

from collections.abc import Iterator

from ludograph.geometry import HexCorner, HexSide
from ludograph.geometry.graph import graph_of
from ludograph.geometry.hex_places import reading_order
from ludograph.settlers.findings.facts import PositionFacts, buildings_of
from ludograph.settlers.findings.flags import (
    Finding,
    Flag,
    count_things,
    count_word,
    join_words,
    name_place,
    name_places,
)
from ludograph.settlers.goods import Piece, Player
from ludograph.settlers.places import in_reading_order
from ludograph.settlers.standard import SUPPLY

MAX_PLAYERS = 6
SETUP_VILLAGES = 2
"""The number of villages, each with a road, that each player places in the set-up."""


def find_in_pieces(facts: PositionFacts) -> Iterator[Finding]:
    """Every finding about the players and the pieces on the island."""
    if not 2 <= facts.position.players <= MAX_PLAYERS:
        count = count_things(facts.position.players, "player")
        yield Finding(Flag.PLAYER_COUNT, f"The position has {count}, but the game is for two to six.")
    yield from _find_in_places(facts)
    yield from _find_in_distances(facts)
    yield from _find_in_supply(facts)
    for player, _ in facts.seats:
        yield from _find_in_networks(facts, player)
    yield from _find_in_robber(facts)


def _find_in_places(facts: PositionFacts) -> Iterator[Finding]:
    """Pieces that touch no land or share a place."""
    for player, seat in facts.seats:
        pieces: list[tuple[Piece, HexCorner | HexSide]] = [
            *((Piece.VILLAGE, corner) for corner in seat.villages),
            *((Piece.CITY, corner) for corner in seat.cities),
            *((Piece.ROAD, side) for side in seat.roads),
        ]
        for piece, place in pieces:
            if not facts.land.intersection(place.cells):
                message = f"The {piece.value} of player {player} on {name_place(place)} touches no land."
                yield Finding(Flag.PIECE_OFF_LAND, message, (place,))
    for corner in in_reading_order(facts.building_owners):
        owners = facts.building_owners[corner]
        if len(owners) > 1:
            buildings = count_things(len(owners), "building")
            message = f"The corner {name_place(corner)} has {buildings}, of {_name_players(owners)}."
            yield Finding(Flag.CORNER_SHARED, message, (corner,))
    for side in in_reading_order(facts.road_owners):
        owners = facts.road_owners[side]
        if len(owners) > 1:
            roads = count_things(len(owners), "road")
            message = f"The side {name_place(side)} has {roads}, of {_name_players(owners)}."
            yield Finding(Flag.SIDE_SHARED, message, (side,))


def _find_in_distances(facts: PositionFacts) -> Iterator[Finding]:
    for corner in in_reading_order(facts.building_owners):
        for other in in_reading_order(corner.neighbours):
            if other in facts.building_owners and reading_order(corner) < reading_order(other):
                pair = (corner, other)
                message = f"The buildings on {name_places(pair)} are only one side apart."
                yield Finding(Flag.BUILDINGS_TOO_CLOSE, message, pair)


def _find_in_supply(facts: PositionFacts) -> Iterator[Finding]:
    for player, seat in facts.seats:
        placed: dict[Piece, tuple[HexCorner, ...] | tuple[HexSide, ...]] = {
            Piece.VILLAGE: seat.villages,
            Piece.CITY: seat.cities,
            Piece.ROAD: seat.roads,
        }
        for piece, places in placed.items():
            if len(places) > SUPPLY[piece]:
                message = (
                    f"Player {player} has placed {count_things(len(places), piece.value)},"
                    f" but has only {count_word(SUPPLY[piece])}."
                )
                yield Finding(Flag.PIECES_OVERDRAWN, message, places)


def _find_in_networks(facts: PositionFacts, player: Player) -> Iterator[Finding]:
    """Roads and buildings that cannot have grown from the player's two villages of the set-up."""
    seat = facts.position.seats[player - 1]
    buildings = dict.fromkeys(buildings_of(seat))
    networks = _networks(facts, player)
    without_road = tuple(
        corner
        for corner in buildings
        if not any(player in facts.road_owners.get(side, ()) for side in corner.sides)
    )
    # In the set-up the village just placed does not have its road yet.
    is_placing_road = facts.in_setup and facts.pieces_to_place == (Piece.ROAD,) and player == facts.current
    if len(without_road) > is_placing_road:
        for corner in without_road:
            message = f"No road of player {player} leads to its building on {name_place(corner)}."
            yield Finding(Flag.BUILDING_WITHOUT_ROAD, message, (corner,))
    network_count = 0
    for roads, own_buildings in networks:
        if roads and own_buildings:
            network_count += 1
        elif roads:
            message = f"No building of player {player} belongs to its {_name_roads(roads)}."
            yield Finding(Flag.ROAD_WITHOUT_BUILDING, message, roads)
    if network_count > SETUP_VILLAGES:
        message = (
            f"The roads of player {player} form {count_word(network_count)} separate networks,"
            " but they can only grow from the two villages of the set-up."
        )
        places = tuple(own_buildings[0] for roads, own_buildings in networks if roads and own_buildings)
        yield Finding(Flag.NETWORKS_APART, message, places)


def _networks(
    facts: PositionFacts, player: Player
) -> list[tuple[tuple[HexSide, ...], tuple[HexCorner, ...]]]:
    """The connected components of the pieces of a player: roads and buildings of each.

    A building of another player on the corner between two roads does not separate them: it may have been
    built after them. Only the villages of the set-up came before all other roads, so the buildings of a
    player who has at most two of them separate roads.
    """
    seat = facts.position.seats[player - 1]
    own = dict.fromkeys(buildings_of(seat))
    blocked = {
        corner
        for other, opponent in facts.seats
        if other != player and len(buildings_of(opponent)) <= SETUP_VILLAGES
        for corner in buildings_of(opponent)
        if corner not in own
    }
    nodes: tuple[HexSide | HexCorner, ...] = (*seat.roads, *own)
    links: list[tuple[HexSide | HexCorner, HexSide | HexCorner]] = [
        (road, corner) for road in seat.roads for corner in road.corners if corner not in blocked
    ]
    return [
        (
            tuple(place for place in part if isinstance(place, HexSide)),
            tuple(place for place in part if isinstance(place, HexCorner) and place in own),
        )
        for part in graph_of(nodes, links).regions()
    ]


def _find_in_robber(facts: PositionFacts) -> Iterator[Finding]:
    robber = facts.position.robber
    knights = sum(max(0, seat.knights) for _, seat in facts.seats)
    if robber is None:
        # Without a desert the robber has no place before its first move.
        if facts.deserts or facts.steals or knights > facts.moves_robber:
            yield Finding(Flag.ROBBER_MISSING, "The robber has no place.")
        return
    if robber not in facts.land:
        where = "at sea" if robber in facts.tiles else "outside the island"
        yield Finding(Flag.ROBBER_OFF_LAND, f"The robber on {name_place(robber)} is {where}.", (robber,))
    elif facts.deserts and robber not in facts.deserts and facts.is_before_first_roll:
        message = f"The robber is on {name_place(robber)} before the first roll, not on the desert."
        yield Finding(Flag.ROBBER_MOVED_EARLY, message, (robber,))
    elif facts.deserts == (robber,) and facts.steals and facts.rolls == 1 and knights == 0:
        message = (
            f"A player must steal after the first roll, but the robber is still on {name_place(robber)}."
        )
        yield Finding(Flag.ROBBER_NOT_MOVED, message, (robber,))


def _name_players(players: tuple[Player, ...]) -> str:
    different = tuple(dict.fromkeys(players))
    plural = "s" if len(different) > 1 else ""
    return f"player{plural} {join_words(str(player) for player in different)}"


def _name_roads(roads: tuple[HexSide, ...]) -> str:
    return f"{'road' if len(roads) == 1 else 'roads'} on {name_places(roads)}"
