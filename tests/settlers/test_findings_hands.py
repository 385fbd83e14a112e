"""Findings about hands, bank, deck and awards: a table row for each, with the nearest legal position."""

import pytest

from ludograph.settlers import Cards, Flag, Goods, Pieces, Player
from tests.settlers.findings_cases import ASIDE, EVEN, FIVE_1, FIVE_2, LATE, START, Case, flags, sides

HOLDER = LATE.replace(largest_army=Player(1)).replace_seat(1, knights=3)
FOUR_1 = sides("d2w d2nw d2ne e2nw d6nw")
PAVED = LATE.replace_seat(1, roads=FIVE_1)
LEADER = PAVED.replace(longest_road=Player(1))

HAND_CASES: dict[str, Case] = {
    "a negative hand": Case(Flag.NEGATIVE_COUNT, LATE.replace_seat(1, goods=Goods(ore=-1)), LATE),
    "a negative number of cards": Case(
        Flag.NEGATIVE_COUNT, LATE.replace_seat(1, cards=Cards(point=-1)), LATE
    ),
    "a negative number of knights": Case(Flag.NEGATIVE_COUNT, LATE.replace_seat(1, knights=-1), LATE),
    "a negative purchase": Case(Flag.NEGATIVE_COUNT, LATE.replace(bought=Cards(plenty=-1)), LATE),
    "a negative number of free pieces": Case(
        Flag.NEGATIVE_COUNT, LATE.replace(may_place=Pieces(road=-1)), LATE
    ),
    "more brick than the bank has": Case(
        Flag.BANK_OVERDRAWN,
        LATE.replace_seat(1, goods=Goods(brick=19)),
        LATE.replace_seat(1, goods=Goods(brick=18)),
    ),
    "three monopolies": Case(
        Flag.DECK_OVERDRAWN,
        LATE.replace_seat(1, cards=Cards(monopoly=2)).replace(bought=Cards(monopoly=1)),
        LATE.replace_seat(1, cards=Cards(monopoly=1)).replace(bought=Cards(monopoly=1)),
    ),
    "fifteen knights": Case(
        Flag.DECK_OVERDRAWN,
        HOLDER.replace_seat(2, cards=Cards(knight=12)),
        HOLDER.replace_seat(2, cards=Cards(knight=11)),
    ),
    "a third road building": Case(
        Flag.DECK_OVERDRAWN,
        LATE.replace_seat(2, cards=Cards(roads=2)).replace(may_place=Pieces(road=1)),
        LATE.replace_seat(2, cards=Cards(roads=1)).replace(may_place=Pieces(road=1)),
    ),
    "a hand that no second village gave": Case(
        Flag.HAND_BEFORE_ROLL,
        START.replace_seat(1, goods=Goods(grain=1, wool=1)),
        START.replace_seat(1, goods=Goods(grain=1, ore=1)),
    ),
    "more cards than two rolls bring": Case(
        Flag.INCOME_EXCEEDED,
        START.replace(turn=3).replace_seat(1, goods=Goods(wool=13)),
        START.replace(turn=3).replace_seat(1, goods=Goods(wool=12)),
    ),
    "more development cards than two rolls pay for": Case(
        Flag.INCOME_EXCEEDED,
        START.replace(turn=3).replace_seat(1, cards=Cards(point=4)),
        START.replace(turn=3).replace_seat(1, cards=Cards(point=3)),
    ),
    "an award for nobody": Case(Flag.AWARD_HOLDER_UNKNOWN, LATE.replace(largest_army=Player(4)), LATE),
    "a road of the bank": Case(Flag.AWARD_HOLDER_UNKNOWN, LATE.replace(longest_road=Player(0)), LATE),
    "an army of two": Case(Flag.ARMY_TOO_SMALL, HOLDER.replace_seat(1, knights=2), HOLDER),
    "an army smaller than another": Case(
        Flag.ARMY_NOT_LARGEST, HOLDER.replace_seat(2, knights=4), HOLDER.replace_seat(2, knights=3)
    ),
    "an army that nobody claims": Case(
        Flag.ARMY_UNCLAIMED, LATE.replace_seat(1, knights=3), LATE.replace_seat(1, knights=2)
    ),
    "a longest road of four": Case(Flag.ROAD_TOO_SHORT, LEADER.replace_seat(1, roads=FOUR_1), LEADER),
    "a longest road shorter than another": Case(
        Flag.ROAD_NOT_LONGEST,
        LEADER.replace_seat(2, roads=(*FIVE_2, *sides("d4nw"))),
        LEADER.replace_seat(2, roads=FIVE_2),
    ),
    "a road of five that nobody claims": Case(Flag.ROAD_UNCLAIMED, PAVED, LATE.replace_seat(1, roads=FOUR_1)),
    "a tie without a cut": Case(Flag.ROAD_UNCLAIMED, EVEN, ASIDE),
}


@pytest.mark.parametrize("name", HAND_CASES)
def test_what_is_wrong_with_hands_and_awards_is_found(name: str) -> None:
    assert flags(HAND_CASES[name].wrong.findings()) == {HAND_CASES[name].flag}


@pytest.mark.parametrize("name", HAND_CASES)
def test_the_nearest_legal_hands_and_awards_have_no_findings(name: str) -> None:
    assert HAND_CASES[name].fine.findings() == ()


def test_a_hand_before_the_first_roll_is_compared_with_both_villages() -> None:
    (finding,) = START.replace_seat(1, goods=Goods()).findings()
    assert finding.message == (
        "Before the first roll player 1 holds nothing, but the set-up gave 1 grain and 1 ore"
        " or 2 grain and 1 wool."
    )


def test_the_box_for_five_has_more_resource_cards() -> None:
    seats = (*LATE.seats, LATE.seats[0], LATE.seats[1])
    position = LATE.replace(seats=seats).replace_seat(1, goods=Goods(brick=23))
    assert Flag.BANK_OVERDRAWN not in flags(position.findings())


def test_own_buildings_do_not_break_a_road_but_others_do() -> None:
    # Player 3 stands on b5s, so player 2 has four in a row there instead of five.
    assert ASIDE.replace(longest_road=Player(1)).findings() == ()
    assert flags(ASIDE.replace(longest_road=Player(2)).findings()) == {
        Flag.ROAD_TOO_SHORT,
        Flag.ROAD_NOT_LONGEST,
    }
