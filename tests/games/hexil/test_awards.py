"""Hexil: longest road, largest army and winning (rows 28 to 36 of the rules)."""

import pytest

from ludograph.hexil import Match
from ludograph.settlers import Cards, Flag, MustPlace, Piece, Seat
from tests.games.hexil.tables import play, refusal, seat, table

PUT_ROAD = MustPlace((Piece.ROAD,))
PUT_VILLAGE = MustPlace((Piece.VILLAGE,))

# Round the desert, from d4n clockwise; the sixth closes the ring.
RING = "d4ne e4w d5nw c5ne d4w"
# Along the coast: six in the south from d7n, six in the east from f2n.
SOUTH = "d7nw c7ne c7nw b7ne b7nw a7ne"
EAST = "f2ne g2w f3ne g3w f4ne g4w"


def first(road: str, length: int) -> str:
    return " ".join(road.split()[:length])


def holder(game: Match) -> int | None:
    return game.position().longest_road


def test_row_28_longest_road_needs_five_in_a_row() -> None:
    game = table(seat("d4n", first(RING, 3)), must=PUT_ROAD)
    game.push("Pr(c5ne)")
    assert holder(game) is None
    game = table(seat("d4n", first(RING, 4)), must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) == 1
    assert game.scores()[0] == 3


def test_row_28_branches_are_not_added() -> None:
    # Three arms of two roads at d4n: six roads, but no trail is longer than four.
    game = table(seat("d4n", "d4ne e4w d4nw d4w e3w"), must=PUT_ROAD)
    game.push("Pr(e3nw)")
    assert holder(game) is None


def test_row_28_no_edge_is_used_twice() -> None:
    # A ring of six with a tail of one: seven. Walking back over the tail would be eight.
    rival = seat("c7n", f"{SOUTH} b6w")
    game = table(seat("d4n", f"{RING} d4nw"), rival, longest=2, must=PUT_ROAD)
    game.push("Pr(e3w)")
    assert holder(game) == 2


def test_row_29_a_loop_counts_in_full() -> None:
    game = table(seat("d4n", RING), seat("c7n", first(SOUTH, 5)), longest=2, must=PUT_ROAD)
    game.push("Pr(d4nw)")
    assert holder(game) == 1


def test_row_30_own_buildings_do_not_break_it() -> None:
    game = table(seat("d5n d3s", first(RING, 4), cities="d4n"), must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) == 1


@pytest.mark.parametrize("village, city", [("d5n", ""), ("", "d5n")])
def test_row_30_the_building_of_another_breaks_it(village: str, city: str) -> None:
    game = table(seat("d4n", first(RING, 4)), seat(village, "d5ne", cities=city), must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) is None


def test_row_31_the_edge_that_ends_at_the_building_of_another_still_counts() -> None:
    # Five roads from d4n to d3s, at both ends of which others have built.
    game = table(seat("e3s", first(RING, 4)), seat("d3s d4n", "c4ne"), must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) == 1


def test_row_32_taken_over_only_by_a_strictly_longer_road() -> None:
    rival = seat("c7n", first(SOUTH, 5))
    game = table(seat("d4n", first(RING, 4)), rival, longest=2, must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) == 2
    game = table(seat("d4n", RING), rival, longest=2, must=PUT_ROAD)
    game.push("Pr(d4nw)")
    assert holder(game) == 1


# Along the western coast: seven roads, which a village at b4n leaves as three and four.
CUTTER = seat("e6n", "b4ne")
WEST = "a5ne b4w b4nw c3w c3nw d2w d2nw"


def cut_by_a_village(*others: Seat) -> Match:
    """The first player builds at b4n, in the middle of the second's road along the western coast."""
    game = table(CUTTER, seat("d2n", WEST), *others, longest=2, must=PUT_VILLAGE)
    game.push("Pv(b4n)")
    return game


def test_row_33_after_a_cut_a_tied_holder_keeps_it() -> None:
    # Nine roads, cut into five and four; another has five too.
    nine = seat("d2n", f"a6ne b5w {WEST}")
    game = table(CUTTER, nine, seat("d5n", RING), longest=2, must=PUT_VILLAGE)
    game.push("Pv(b4n)")
    assert holder(game) == 2


def test_row_33_after_a_cut_a_single_longest_takes_it() -> None:
    assert holder(cut_by_a_village(seat("d5n", RING))) == 3


def test_row_33_after_a_cut_a_tie_among_others_sets_it_aside() -> None:
    game = cut_by_a_village(seat("d5n", RING), seat("f2n", first(EAST, 5)))
    assert holder(game) is None


def test_row_33_after_a_cut_nobody_at_five_sets_it_aside() -> None:
    game = cut_by_a_village(seat("d5n", first(RING, 3)))
    assert holder(game) is None
    assert game.scores()[1] == 1


def test_row_33_set_aside_it_goes_to_the_only_longest_road() -> None:
    # Two have six each and nobody holds the award: five are not enough, seven are.
    seats = (seat("d4n", first(RING, 4)), seat("c7n", SOUTH), seat("f2n", EAST))
    game = table(*seats, must=PUT_ROAD)
    game.push("Pr(d4w)")
    assert holder(game) is None
    game = table(*seats, current=2, must=PUT_ROAD)
    game.push("Pr(b6w)")
    assert holder(game) == 2


def test_row_33_set_aside_a_cut_may_leave_an_only_longest_road() -> None:
    game = table(CUTTER, seat("d1s", first(WEST, 6)), seat("f2n", EAST), must=PUT_VILLAGE)
    game.push("Pv(b4n)")
    assert holder(game) == 3


def test_row_34_evaluated_again_after_villages_too() -> None:
    game = table(seat("e6n", "b4ne", "BGLW"), seat("d2n", WEST), seat("d5n", RING), longest=2)
    play(game, "Bv Pv(b4n)")
    assert holder(game) == 3


def test_row_35_largest_army_needs_three_knights() -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(knight=1), knights=1))
    game.push("Uk")
    assert game.position().largest_army is None
    game = table(seat("d4n", "d4ne", cards=Cards(knight=1), knights=2))
    game.push("Uk")
    assert game.position().largest_army == 1
    assert game.scores()[0] == 3


def test_row_35_largest_army_is_taken_over_by_strictly_more() -> None:
    rival = seat("b6n", "b6ne", knights=3)
    game = table(seat("d4n", "d4ne", cards=Cards(knight=1), knights=2), rival, largest=2)
    game.push("Uk")
    assert game.position().largest_army == 2
    game = table(seat("d4n", "d4ne", cards=Cards(knight=1), knights=3), rival, largest=2)
    game.push("Uk")
    assert game.position().largest_army == 1


def test_row_36_points_reached_off_turn_wait_until_that_turn_begins() -> None:
    # The cut gives the third player the longest road, and with it three points.
    others = (seat("d2n", WEST), seat("d5n", RING))
    game = table(CUTTER, *others, longest=2, must=PUT_VILLAGE, points=3)
    game.push("Pv(b4n)")
    assert game.scores() == (2, 1, 3)
    assert game.winner() is None
    play(game, "E R(1+1)")
    assert game.winner() is None
    game.push("E")
    assert game.winner() == 3
    assert game.asked == ()
    assert "over" in refusal(game, "R(1+1)")


def test_row_36_a_player_wins_on_the_own_turn_at_once() -> None:
    game = table(seat("d4n", "d4ne e4w", "BGLW"), points=3)
    play(game, "Bv Pv(d5n)")
    assert game.winner() is None
    game = table(seat("d4n b5n", "d4ne e4w", "BGLW"), points=3)
    play(game, "Bv Pv(d5n)")
    assert game.winner() == 1


@pytest.mark.parametrize("purchase, placement", [("Bv", "Pv(d5n)"), ("Bc", "Pc(d4n)")])
def test_row_36_nothing_is_due_once_the_game_is_won(purchase: str, placement: str) -> None:
    game = play(table(seat("d4n b5n", "d4ne e4w", "BG3LO3W"), points=3), f"{purchase} {placement}")
    assert game.winner() == 1
    assert game.position().must is None
    assert Flag.PLACE_WITHOUT_PIECE not in {finding.flag for finding in game.position().findings()}
