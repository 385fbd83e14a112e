"""Findings about set-up, turns and duties: a table row for each, with the nearest legal position."""

import pytest

from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Flag,
    Goods,
    Island,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Seat,
    Terrain,
    fresh_position,
)
from tests.settlers.findings_cases import ALL_PAVED, FIFTEEN, LATE, START, Case, corners, flags, sides, tile

FRESH = fresh_position(BEGINNERS_ISLAND, 3)
FIRST, SECOND = START.seats[0], START.seats[1]
RICH = LATE.replace_seat(1, goods=Goods(brick=8)).replace(must=MustDiscard((Player(1),)))
ONE_LEFT = ALL_PAVED.replace_seat(1, roads=FIFTEEN[:-1])
PAVING = LATE.replace(may_place=Pieces(road=2))
ROAD, VILLAGE, CITY = MustPlace((Piece.ROAD,)), MustPlace((Piece.VILLAGE,)), MustPlace((Piece.CITY,))
STOLEN_FROM = LATE.replace(must=MustSteal(), robber=tile("c5"))

TURN_CASES: dict[str, Case] = {
    "a turn before the first": Case(Flag.TURN_BELOW_ONE, START.replace(turn=0), START),
    "a player who does not exist acts": Case(
        Flag.ACTING_PLAYER_UNKNOWN, LATE.replace(acting=Player(9)), LATE
    ),
    "a player who does not exist moves the robber": Case(
        Flag.ACTING_PLAYER_UNKNOWN,
        LATE.replace(acting=Player(0), must=MustMoveRobber()),
        LATE.replace(must=MustMoveRobber()),
    ),
    "player 2 places first": Case(
        Flag.SETUP_ORDER,
        FRESH.replace_seat(2, villages=SECOND.villages[:1], roads=SECOND.roads[:1]),
        FRESH.replace_seat(1, villages=FIRST.villages[:1], roads=FIRST.roads[:1]),
    ),
    "pieces owed after the whole set-up": Case(Flag.SETUP_ORDER, START.replace(must=FRESH.must), START),
    "one village after the set-up": Case(
        Flag.SETUP_UNFINISHED,
        START.replace_seat(3, villages=corners("e3n"), roads=sides("f2w"), goods=Goods()),
        START,
    ),
    "the pieces of the set-up in a later turn": Case(
        Flag.SETUP_OVER, LATE.replace(must=FRESH.must), LATE.replace(must=VILLAGE)
    ),
    "the set-up after a roll": Case(Flag.SETUP_OVER, START.replace(must=FRESH.must, rolled=True), START),
    "a third road before a first turn": Case(
        Flag.BUILT_TOO_EARLY,
        START.replace(rolled=True).replace_seat(2, roads=sides("e2w d4w c5nw")),
        START.replace(rolled=True, turn=2).replace_seat(2, roads=sides("e2w d4w c5nw")),
    ),
    "a third road before the roll of a first turn": Case(
        Flag.BUILT_TOO_EARLY,
        START.replace(turn=2).replace_seat(2, roads=sides("e2w d4w c5nw")),
        START.replace(turn=3).replace_seat(2, roads=sides("e2w d4w c5nw")),
    ),
    "a card before a first turn": Case(
        Flag.CARDS_TOO_EARLY,
        START.replace(turn=2, rolled=True).replace_seat(2, cards=Cards(point=1)),
        START.replace(turn=3).replace_seat(2, cards=Cards(point=1)),
    ),
    "a knight in a first turn": Case(
        Flag.KNIGHTS_TOO_EARLY,
        START.replace(turn=3).replace_seat(1, knights=1),
        START.replace(turn=4).replace_seat(1, knights=1),
    ),
    "knight and road building in one turn": Case(
        Flag.KNIGHTS_TOO_EARLY,
        PAVING.replace(turn=4).replace_seat(1, knights=1),
        PAVING.replace(turn=7).replace_seat(1, knights=1),
    ),
    "a card bought before the roll": Case(
        Flag.BOUGHT_BEFORE_ROLL,
        LATE.replace(rolled=False, bought=Cards(knight=1)),
        LATE.replace(bought=Cards(knight=1)),
    ),
    "a discard before the roll": Case(Flag.DISCARD_WITHOUT_SEVEN, RICH.replace(rolled=False), RICH),
    "a discard after a purchase": Case(Flag.DISCARD_WITHOUT_SEVEN, RICH.replace(bought=Cards(point=1)), RICH),
    "a discard by nobody": Case(Flag.DISCARD_BY_NOBODY, LATE.replace(must=MustDiscard(())), RICH),
    "a discarder named twice": Case(
        Flag.DISCARDER_TWICE, RICH.replace(must=MustDiscard((Player(1), Player(1)))), RICH
    ),
    "a discarder who does not play": Case(
        Flag.DISCARDER_UNKNOWN, RICH.replace(must=MustDiscard((Player(1), Player(4)))), RICH
    ),
    "a discard of seven cards": Case(
        Flag.DISCARD_SMALL_HAND, RICH.replace_seat(1, goods=Goods(brick=7)), RICH
    ),
    "the robber moves before the roll without a knight": Case(
        Flag.ROBBER_WITHOUT_CAUSE,
        LATE.replace(rolled=False, must=MustMoveRobber()),
        LATE.replace(rolled=False, must=MustMoveRobber()).replace_seat(1, knights=1),
    ),
    "the robber moves after a purchase without a knight": Case(
        Flag.ROBBER_WITHOUT_CAUSE,
        STOLEN_FROM.replace(bought=Cards(point=1)),
        STOLEN_FROM,
    ),
    "a theft where nobody lives": Case(
        Flag.STEAL_FROM_NOBODY, STOLEN_FROM.replace(robber=tile("f4")), STOLEN_FROM
    ),
    "a theft from oneself": Case(Flag.STEAL_FROM_NOBODY, STOLEN_FROM.replace(robber=tile("d6")), STOLEN_FROM),
    "a theft from an empty hand": Case(
        Flag.STEAL_FROM_NOBODY,
        STOLEN_FROM.replace_seat(2, goods=Goods()).replace(robber=tile("d4")),
        STOLEN_FROM.replace(robber=tile("d4")),
    ),
    "nothing to place": Case(Flag.PLACE_NOTHING, LATE.replace(must=MustPlace(())), LATE.replace(must=ROAD)),
    "two roads to place": Case(
        Flag.PLACE_SEVERAL, LATE.replace(must=MustPlace((Piece.ROAD, Piece.ROAD))), LATE.replace(must=ROAD)
    ),
    "a bought road before the roll": Case(
        Flag.PLACE_BEFORE_ROLL, LATE.replace(must=ROAD, rolled=False), LATE.replace(must=ROAD)
    ),
    "a sixteenth road to place": Case(
        Flag.PLACE_WITHOUT_PIECE, ALL_PAVED.replace(must=ROAD), ONE_LEFT.replace(must=ROAD)
    ),
    "no corner for a village": Case(
        Flag.PLACE_NOWHERE, START.replace(turn=100, rolled=True, must=VILLAGE), LATE.replace(must=VILLAGE)
    ),
    "no village for a city": Case(
        Flag.PLACE_NOWHERE,
        LATE.replace_seat(1, villages=(), cities=corners("c3n d5s")).replace(must=CITY),
        LATE.replace(must=CITY),
    ),
    "a free village": Case(
        Flag.FREE_PIECES_NOT_ROADS,
        LATE.replace(may_place=Pieces(village=1)),
        LATE.replace(may_place=Pieces(road=1)),
    ),
    "three free roads": Case(Flag.FREE_ROADS_TOO_MANY, PAVING.replace(may_place=Pieces(road=3)), PAVING),
    "a free road and none left": Case(
        Flag.FREE_ROADS_WITHOUT_PIECE,
        ALL_PAVED.replace(may_place=Pieces(road=1)),
        ONE_LEFT.replace(may_place=Pieces(road=2)),
    ),
    "free roads in a first turn": Case(
        Flag.FREE_ROADS_TOO_EARLY,
        START.replace(turn=3, rolled=True, may_place=Pieces(road=2)),
        START.replace(turn=6, rolled=True, may_place=Pieces(road=2)),
    ),
    "free roads while the robber moves": Case(
        Flag.DUTY_BESIDE_FREE_ROADS, PAVING.replace(must=MustMoveRobber()), PAVING
    ),
}


@pytest.mark.parametrize("name", TURN_CASES)
def test_what_is_wrong_with_a_turn_is_found(name: str) -> None:
    assert flags(TURN_CASES[name].wrong.findings()) == {TURN_CASES[name].flag}


@pytest.mark.parametrize("name", TURN_CASES)
def test_the_nearest_legal_turn_has_no_findings(name: str) -> None:
    assert TURN_CASES[name].fine.findings() == ()


@pytest.mark.parametrize(
    "wrong",
    [
        FRESH.replace_seat(1, goods=Goods(ore=1)),
        FRESH.replace_seat(1, cards=Cards(point=1)),
        FRESH.replace_seat(1, knights=1),
        FRESH.replace_seat(1, cities=corners("c3n")),
        FRESH.replace(longest_road=Player(1)),
        FRESH.replace(largest_army=Player(1)),
        FRESH.replace(bought=Cards(point=1)),
        FRESH.replace(may_place=Pieces(road=1)),
        FRESH.replace(rolled=True),
        FRESH.replace(must=ROAD),
    ],
)
def test_what_the_set_up_cannot_hold_is_found(wrong: Position) -> None:
    assert wrong.findings()


def test_a_road_may_go_on_from_the_end_of_another() -> None:
    paved = LATE.replace_seat(1, roads=sides("c3ne c3nw d2w d6w d6nw c6ne"))
    assert paved.replace(must=ROAD).findings() == ()


def test_a_road_that_only_leads_to_other_villages_cannot_go_on() -> None:
    # Two tiles, every side paved: nobody has a place for one more road.
    shore = dict.fromkeys((tile("d4"), tile("e4")), Terrain.HILLS)
    island = Island.of(shore, {tile("d4"): 5, tile("e4"): 9})
    position = LATE.replace(
        island=island,
        robber=None,
        seats=(
            Seat((), corners("d4n e4n"), sides("d4nw d4ne e4nw e4ne f4w")),
            Seat((), corners("c5n d5n"), sides("d4w c5ne d5nw d5ne e5nw e4w")),
        ),
        turn=101,
        must=ROAD,
    )
    assert Flag.PLACE_NOWHERE in flags(position.findings())


def test_in_the_set_up_cards_may_come_with_the_second_village_or_at_the_end() -> None:
    last = START.replace(must=ROAD).replace_seat(1, roads=sides("d2w"))
    assert last.findings() == ()
    assert last.replace_seat(1, goods=Goods()).findings() == ()


def test_with_five_players_others_may_buy_and_build_in_a_turn() -> None:
    five = fresh_position(BEGINNERS_ISLAND, 5).replace(must=None, turn=2, rolled=True)
    position = five.replace_seat(5, cards=Cards(point=1), cities=corners("c3n"))
    assert flags(position.findings()).isdisjoint({Flag.BUILT_TOO_EARLY, Flag.CARDS_TOO_EARLY})
