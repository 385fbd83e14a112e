"""Standings: scores, awards, production and purchases of a position; and the types of replaced fields."""

from typing import Any

import pytest

from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Award,
    AwardStanding,
    Buy,
    BuyCard,
    Cards,
    Face,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    Piece,
    Player,
    Pole,
    fresh_position,
)
from ludograph.settlers.names import maybe_han_place

EMPTY = fresh_position(BEGINNERS_ISLAND, 3).replace(must=None, turn=2)


def corner(name: str) -> HexCorner:
    place = maybe_han_place(name)
    assert isinstance(place, HexCorner)
    return place


def sides(names: str) -> tuple[HexSide, ...]:
    found = [maybe_han_place(name) for name in names.split()]
    assert all(isinstance(each, HexSide) for each in found)
    return tuple(each for each in found if isinstance(each, HexSide))


def test_scores_count_buildings_awards_and_hidden_cards() -> None:
    position = EMPTY.replace_seat(1, villages=(corner("d4n"),), cities=(corner("c5n"),), cards=Cards(point=2))
    position = position.replace(largest_army=Player(2), longest_road=Player(1), bought=Cards(point=1))
    assert position.scores() == (7, 3, 0)
    assert position.visible_scores() == (5, 2, 0)


def test_hand_sizes_count_resource_cards() -> None:
    assert EMPTY.replace_seat(2, goods=Goods(ore=3, wool=2), cards=Cards(knight=1)).hand_sizes() == (0, 5, 0)


@pytest.mark.parametrize(
    ("roads", "length"),
    [
        ("", 0),
        ("d4ne d4nw d4w", 3),
        ("d4ne d4nw d4w e4w d5nw c5ne", 6),  # round a tile
        ("d4ne d3w", 1),
    ],
)
def test_road_lengths_count_the_longest_trail(roads: str, length: int) -> None:
    assert EMPTY.replace_seat(1, roads=sides(roads)).road_lengths() == (length, 0, 0)


def test_another_players_building_cuts_a_road_but_an_own_one_does_not() -> None:
    road = EMPTY.replace_seat(1, roads=sides("d4ne d4nw d4w"))
    assert road.place(1, Piece.VILLAGE, corner("d4n")).road_lengths()[0] == 3
    assert road.place(2, Piece.VILLAGE, corner("d4n")).road_lengths()[0] == 2


def test_more_roads_than_the_supply_are_not_measured() -> None:
    many = tuple(HexSide(Hex(q, 0), face) for q in range(-3, 3) for face in Face)
    with pytest.raises(ValueError, match="player 1 has 18 roads, but the supply has 15"):
        EMPTY.replace_seat(1, roads=many).road_lengths()


def test_the_standing_of_an_award_names_holder_leaders_and_lead() -> None:
    position = EMPTY.replace_seat(1, knights=3).replace_seat(3, knights=5).replace(largest_army=Player(3))
    standing = position.award_standing(Award.LARGEST_ARMY)
    assert standing == AwardStanding(Player(3), (3, 0, 5))
    assert (standing.leaders, standing.lead) == ((3,), 2)
    roads = EMPTY.replace_seat(2, roads=sides("d4ne d4nw")).award_standing(Award.LONGEST_ROAD)
    assert (roads.holder, roads.counts, roads.leaders, roads.lead) == (None, (0, 2, 0), (2,), 2)


def test_players_who_tie_lead_by_nothing() -> None:
    assert AwardStanding(None, (4, 4, 1)).leaders == (1, 2)
    assert AwardStanding(None, (4, 4, 1)).lead == 0
    assert AwardStanding(None, (0, 0)).leaders == ()


def test_a_city_yields_two_cards_and_the_robbers_tile_none() -> None:
    # c4 is a forest with the number 11, d3 a pasture with 4.
    position = EMPTY.replace_seat(1, cities=(corner("c4n"),)).replace(robber=Hex(0, 0))
    rolls = {total: position.production(total)[0] for total in range(2, 13)}
    assert [(total, goods) for total, goods in rolls.items() if goods] == [
        (6, Goods(brick=2)),
        (11, Goods(lumber=2)),
        (12, Goods(grain=2)),
    ]
    assert position.replace(robber=Hex(-1, 0)).production(11)[0] == Goods()


def test_a_shortage_pays_one_player_the_rest_and_several_nothing() -> None:
    # Only player 3 holds lumber: the bank has one card left.
    position = EMPTY.replace_seat(1, cities=(corner("c4n"),)).replace_seat(3, goods=Goods(lumber=18))
    assert position.production(11) == (Goods(lumber=1), Goods(), Goods())
    shared = position.place(2, Piece.VILLAGE, corner("c4s"))
    assert shared.production(11) == (Goods(), Goods(), Goods())


def test_no_roll_shows_thirteen() -> None:
    with pytest.raises(ValueError, match="two dice show 2 to 12, not 13"):
        EMPTY.production(13)


@pytest.mark.parametrize(
    ("hand", "affordable"),
    [
        (Goods(), ()),
        (Goods(brick=1, lumber=1), (Buy(Piece.ROAD),)),
        (Goods(grain=2, ore=3), (Buy(Piece.CITY),)),
        (Goods(1, 1, 1, 1, 1), (Buy(Piece.VILLAGE), Buy(Piece.ROAD), BuyCard())),
    ],
)
def test_a_hand_affords_what_it_can_pay_for(hand: Goods, affordable: tuple[Buy | BuyCard, ...]) -> None:
    assert EMPTY.replace_seat(2, goods=hand).affordable(2) == affordable


def test_missing_cards_are_those_that_a_purchase_still_needs() -> None:
    position = EMPTY.replace_seat(1, goods=Goods(grain=1, ore=4))
    assert position.missing(1, Buy(Piece.CITY)) == Goods(grain=1)
    assert position.missing(1, BuyCard()) == Goods(wool=1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turn": "7"}, "the field 'turn' of a position is a whole number, not '7'"),
        ({"turn": True}, "the field 'turn' of a position is a whole number, not True"),
        ({"rolled": 1}, "the field 'rolled' of a position is True or False, not 1"),
        ({"robber": (0, 0)}, "the field 'robber' of a position is a Hex or None"),
        ({"seats": []}, "the field 'seats' of a position is a tuple of Seats"),
        ({"must": "M"}, "the field 'must' of a position is a duty or None"),
        ({"bougth": Cards()}, "a position has no field 'bougth'; its fields are island, seats"),
    ],
)
def test_replace_refuses_wrong_types_and_unknown_fields(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message.replace("(", r"\(")):
        EMPTY.replace(**changes)


def test_replace_seat_refuses_wrong_types() -> None:
    with pytest.raises(TypeError, match="the field 'villages' of a seat is a tuple of HexCorners"):
        EMPTY.replace_seat(1, villages=(Hex(0, 0),))
    with pytest.raises(TypeError, match="a seat has no field 'hand'"):
        EMPTY.replace_seat(1, hand=Goods())


def test_replace_accepts_what_a_position_may_have() -> None:
    assert EMPTY.replace(robber=None, largest_army=None, turn=4, rolled=True).turn == 4
    assert EMPTY.replace_seat(1, villages=(HexCorner(Hex(0, 0), Pole.NORTH),)).seats[0].villages
