"""Positions: what follows from them, and how they are edited by hand."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Face,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    Island,
    MustDiscard,
    MustPlace,
    Piece,
    Pieces,
    Player,
    Pole,
    Position,
    Seat,
    Terrain,
    fresh_position,
)
from ludograph.settlers.position import seat_in_order, snake_player
from tests.settlers.pasting import pasted
from tests.strategies import any_positions, any_seats, less_often

CENTRE = Hex(0, 0)
NORTH, SOUTH = HexCorner(CENTRE, Pole.NORTH), HexCorner(CENTRE, Pole.SOUTH)
WEST, NORTH_EAST = HexSide(CENTRE, Face.WEST), HexSide(CENTRE, Face.NORTH_EAST)
FRESH = fresh_position(BEGINNERS_ISLAND, 3)

# A fresh position.


def test_a_fresh_position_has_empty_seats_and_the_robber_on_the_desert() -> None:
    assert FRESH.seats == (Seat(),) * 3
    assert FRESH.robber == CENTRE
    assert BEGINNERS_ISLAND.terrain_at(CENTRE) is Terrain.DESERT
    assert (FRESH.turn, FRESH.rolled, FRESH.largest_army, FRESH.longest_road) == (1, False, None, None)


def test_a_fresh_position_waits_for_a_village_and_a_road() -> None:
    assert FRESH.must == MustPlace((Piece.VILLAGE, Piece.ROAD))
    assert FRESH.in_setup


def test_an_island_without_desert_leaves_the_robber_open() -> None:
    assert fresh_position(Island.of({CENTRE: Terrain.SEA}), 2).robber is None


# Who is to move.


@pytest.mark.parametrize(
    ("players", "order"), [(2, "1221"), (3, "123321"), (4, "12344321"), (6, "123456654321"), (1, "11")]
)
def test_the_set_up_goes_round_in_snake_order(players: int, order: str) -> None:
    assert "".join(str(snake_player(placed, players)) for placed in range(2 * players)) == order


def test_after_the_set_up_the_snake_stays_with_the_first_player() -> None:
    assert snake_player(99, 3) == 1


@pytest.mark.parametrize("duty", [(Piece.VILLAGE, Piece.ROAD), (Piece.ROAD,)])
def test_in_the_set_up_the_placed_roads_determine_the_player_to_move(duty: tuple[Piece, ...]) -> None:
    position = FRESH.replace(must=MustPlace(duty))
    movers = []
    for _ in range(6):
        movers.append(position.current)
        position = position.place(position.current, Piece.ROAD, WEST)
    assert movers == [1, 2, 3, 3, 2, 1]


@pytest.mark.parametrize(("turn", "player"), [(1, 1), (2, 2), (3, 3), (4, 1), (300, 3)])
def test_after_the_set_up_the_turn_number_determines_the_player_to_move(turn: int, player: int) -> None:
    assert FRESH.replace(must=None, turn=turn).current == player


@pytest.mark.parametrize(
    "changes",
    [
        {"turn": 2},
        {"rolled": True},
        {"must": None},
        {"must": MustPlace((Piece.VILLAGE,))},
        {"must": MustPlace((Piece.ROAD, Piece.VILLAGE))},
        {"must": MustDiscard((Player(1),))},
    ],
)
def test_any_other_duty_or_turn_is_not_the_set_up(changes: dict[str, object]) -> None:
    assert not FRESH.replace(**changes).in_setup


def test_without_players_no_player_is_to_move() -> None:
    with pytest.raises(ValueError, match="no players"):
        _ = FRESH.replace(seats=()).current


# What is left.


@pytest.mark.parametrize(("players", "stock"), [(2, 19), (4, 19), (5, 24), (6, 24)])
def test_the_bank_has_the_cards_that_no_player_holds(players: int, stock: int) -> None:
    position = fresh_position(BEGINNERS_ISLAND, players).replace_seat(1, goods=Goods(brick=2, ore=1))
    position = position.replace_seat(2, goods=Goods(ore=3))
    assert position.bank == Goods(stock - 2, stock, stock, stock - 4, stock)


def test_pieces_left_are_those_not_placed() -> None:
    assert FRESH.pieces_left(1) == Pieces(village=5, city=4, road=15)
    position = FRESH.place(2, Piece.CITY, NORTH).place(2, Piece.VILLAGE, SOUTH).place(2, Piece.ROAD, WEST)
    assert position.pieces_left(2) == Pieces(village=4, city=3, road=14)
    assert position.pieces_left(1) == FRESH.pieces_left(1)


# Editing by hand.


def test_replacing_fields_makes_another_position() -> None:
    changed = FRESH.replace(turn=7, rolled=True, longest_road=Player(2))
    assert (changed.turn, changed.rolled, changed.longest_road) == (7, True, 2)
    assert (FRESH.turn, FRESH.rolled, FRESH.longest_road) == (1, False, None)
    assert changed.seats == FRESH.seats


def test_replacing_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        FRESH.replace(trun=7)
    with pytest.raises(TypeError):
        FRESH.replace_seat(1, gold=7)


def test_replacing_fields_of_a_seat_leaves_the_others() -> None:
    changed = FRESH.replace_seat(2, knights=3, cards=Cards(point=1))
    assert changed.seats == (Seat(), Seat(knights=3, cards=Cards(point=1)), Seat())


def test_placing_a_piece_changes_nothing_else() -> None:
    changed = FRESH.place(2, Piece.VILLAGE, NORTH).place(2, Piece.ROAD, WEST).place(3, Piece.CITY, SOUTH)
    assert changed.seat(2) == Seat(villages=(NORTH,), roads=(WEST,))
    assert changed.seat(3) == Seat(cities=(SOUTH,))
    assert changed.replace(seats=FRESH.seats) == FRESH


def test_pieces_are_in_reading_order_in_any_order_of_placement() -> None:
    changed = FRESH.place(1, Piece.VILLAGE, SOUTH).place(1, Piece.VILLAGE, NORTH)
    assert changed.seat(1).villages == (NORTH, SOUTH)
    roads = FRESH.place(1, Piece.ROAD, WEST).place(1, Piece.ROAD, NORTH_EAST).seat(1).roads
    assert roads == (NORTH_EAST, WEST)


@pytest.mark.parametrize(("piece", "place"), [(Piece.VILLAGE, WEST), (Piece.CITY, WEST), (Piece.ROAD, NORTH)])
def test_a_piece_that_does_not_fit_its_place_is_refused(piece: Piece, place: HexCorner | HexSide) -> None:
    with pytest.raises(ValueError, match=f"a {piece.value} cannot be on"):
        FRESH.place(1, piece, place)


@pytest.mark.parametrize("player", [-1, 0, 4])
def test_a_player_who_is_not_there_is_refused(player: int) -> None:
    message = f"there is no player {player}: this position has players 1 to 3"
    with pytest.raises(ValueError, match=message):
        FRESH.seat(player)
    with pytest.raises(ValueError, match=message):
        FRESH.replace_seat(player, knights=1)
    with pytest.raises(ValueError, match=message):
        FRESH.place(player, Piece.VILLAGE, NORTH)
    with pytest.raises(ValueError, match=message):
        FRESH.remove(player, Piece.VILLAGE, NORTH)
    with pytest.raises(ValueError, match=message):
        FRESH.pieces_left(player)


@pytest.mark.parametrize(
    ("piece", "place"), [(Piece.VILLAGE, NORTH), (Piece.CITY, SOUTH), (Piece.ROAD, NORTH_EAST)]
)
def test_removing_what_was_placed_gives_the_position_before(piece: Piece, place: HexCorner | HexSide) -> None:
    assert FRESH.place(2, piece, place).remove(2, piece, place) == FRESH


def test_removing_takes_one_of_two_equal_pieces() -> None:
    twice = FRESH.place(1, Piece.VILLAGE, NORTH).place(1, Piece.VILLAGE, NORTH)
    assert twice.remove(1, Piece.VILLAGE, NORTH) == FRESH.place(1, Piece.VILLAGE, NORTH)


def test_removing_a_missing_piece_is_rejected() -> None:
    position = FRESH.place(1, Piece.VILLAGE, NORTH)
    with pytest.raises(ValueError, match="player 1 has no village on"):
        position.remove(1, Piece.VILLAGE, SOUTH)
    with pytest.raises(ValueError, match="player 1 has no city on"):
        position.remove(1, Piece.CITY, NORTH)
    with pytest.raises(ValueError, match="player 2 has no village on"):
        position.remove(2, Piece.VILLAGE, NORTH)


# Values.


@given(any_seats, st.randoms())
def test_a_seat_is_the_same_however_its_pieces_are_listed(seat: Seat, rng: random.Random) -> None:
    cities, villages, roads = list(seat.cities), list(seat.villages), list(seat.roads)
    for pieces in (cities, villages, roads):
        rng.shuffle(pieces)
    again = Seat(tuple(cities), tuple(villages), tuple(roads), seat.goods, seat.cards, seat.knights)
    assert again == seat
    assert hash(again) == hash(seat)


@given(any_seats)
def test_a_seat_made_of_pieces_in_order_is_the_same_seat(seat: Seat) -> None:
    parts = (seat.cities, seat.villages, seat.roads, seat.goods, seat.cards, seat.knights)
    assert seat_in_order(*parts) == seat
    assert hash(seat_in_order(*parts)) == hash(seat)


@less_often
@given(any_positions)
def test_the_repr_of_a_position_pastes_back(position: Position) -> None:
    again = pasted(position)
    assert again == position
    assert hash(again) == hash(position)


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        FRESH.turn = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        FRESH.seats[0].knights = 2  # type: ignore[misc]
