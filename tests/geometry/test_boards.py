"""Boards over any set of cells: counts, coasts, Euler's formula, graphs."""

from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from typing import TypeVar

from hypothesis import example, given
from hypothesis import strategies as st

from ludograph.geometry import hexes, squares
from ludograph.geometry.boards import HexBoard, SquareBoard
from ludograph.geometry.hex_places import HexCorner, HexSide, Pole, corners_of, sides_of
from ludograph.geometry.hexes import ORIGIN, Hex, hexagon
from ludograph.geometry.square_places import SquareCorner, SquareSide
from ludograph.geometry.square_places import corners_of as square_corners_of
from ludograph.geometry.squares import Square

Cell = TypeVar("Cell", bound=Hashable)

# Small frames, so that random sets are dense enough for holes, and holes with islands in them.
HEX_FRAME = hexes.parallelogram(7, 7)
SQUARE_FRAME = squares.rectangle(7, 7)
HEX_SETS = st.one_of(
    st.sets(st.sampled_from(HEX_FRAME)), st.sets(st.sampled_from(HEX_FRAME)).map(set(HEX_FRAME).difference)
)
SQUARE_SETS = st.one_of(
    st.sets(st.sampled_from(SQUARE_FRAME)),
    st.sets(st.sampled_from(SQUARE_FRAME)).map(set(SQUARE_FRAME).difference),
)
ISLAND_IN_A_LAKE = {*hexes.ring(Hex(3, 3), 2), Hex(3, 3)}


def count_parts(cells: Iterable[Cell], neighbours: Callable[[Cell], Iterable[Cell]]) -> int:
    """How many pieces a set of cells has, by painting them one after the other."""
    unpainted = set(cells)
    parts = 0
    while unpainted:
        parts += 1
        wet = [unpainted.pop()]
        while wet:
            touched = set(neighbours(wet.pop())) & unpainted
            unpainted -= touched
            wet.extend(touched)
    return parts


def hex_water(cells: set[Hex]) -> set[Hex]:
    return set(hexes.parallelogram(9, 9, Hex(-1, -1))) - cells


def square_water(cells: set[Square]) -> set[Square]:
    return set(squares.rectangle(9, 9, Square(-1, -1))) - cells


def test_the_settlers_frame_has_37_cells_54_corners_72_sides_and_a_coast_of_30() -> None:
    board = HexBoard(hexagon(2))
    assert len(HexBoard(hexagon(3))) == 37
    assert len(board) == 19
    assert len(board.corners()) == 54
    assert len(board.sides()) == 72
    assert len(board.outline()) == 30
    assert [(len(coast.sides), coast.is_hole) for coast in board.coasts()] == [(30, False)]
    assert len(board.border_cells()) == 12


def test_a_board_lists_each_cell_once_in_reading_order() -> None:
    board = HexBoard([Hex(1, 0), Hex(0, 0), Hex(1, 0), Hex(5, -1)])
    assert board.cells == tuple(board) == (Hex(5, -1), Hex(0, 0), Hex(1, 0))
    assert Hex(1, 0) in board
    assert Hex(2, 0) not in board
    assert eval(repr(board)) == board
    assert hash(board) == hash(HexBoard(board.cells))


def test_an_empty_board_has_no_places() -> None:
    board = HexBoard([])
    assert not any([board.cells, board.corners(), board.sides(), board.coasts(), board.regions()])


def test_corners_and_sides_know_which_of_their_cells_are_on_the_board() -> None:
    board = HexBoard([Hex(0, 0), Hex(1, 0)])
    assert board.cells_around(HexCorner(Hex(1, -1), Pole.SOUTH)) == (Hex(1, 0), Hex(0, 0))
    assert board.cells_around(HexCorner(Hex(0, 0), Pole.NORTH)) == (Hex(0, 0),)
    assert board.cells_around(sides_of(Hex(0, 0))[1]) == (Hex(1, 0), Hex(0, 0))


@given(HEX_SETS)
def test_places_of_a_hex_board_are_those_of_its_cells_each_once(cells: set[Hex]) -> None:
    board = HexBoard(cells)
    assert len(set(board.corners())) == len(board.corners())
    assert len(set(board.sides())) == len(board.sides())
    assert set(board.corners()) == set(chain.from_iterable(map(corners_of, cells)))
    assert set(board.sides()) == set(chain.from_iterable(map(sides_of, cells)))
    assert all(board.cells_around(corner) for corner in board.corners())
    assert all(board.cells_around(side) for side in board.sides())


@given(HEX_SETS)
@example(ISLAND_IN_A_LAKE)
def test_euler_holds_for_hex_boards_with_pieces_and_holes(cells: set[Hex]) -> None:
    board = HexBoard(cells)
    pieces = count_parts(cells, hexes.neighbours)
    holes = count_parts(hex_water(cells), hexes.neighbours) - 1
    assert len(board.corners()) - len(board.sides()) + len(board.cells) == pieces - holes
    assert len(board.regions()) == pieces
    assert [coast.is_hole for coast in board.coasts()] == [False] * pieces + [True] * holes


@given(SQUARE_SETS)
def test_euler_holds_for_square_boards_with_pieces_and_holes(cells: set[Square]) -> None:
    board = SquareBoard(cells)
    pieces = count_parts(cells, squares.neighbours_around)
    holes = count_parts(square_water(cells), squares.neighbours) - 1
    assert len(board.corners()) - len(board.sides()) + len(board.cells) == pieces - holes


@given(SQUARE_SETS)
def test_square_coasts_part_land_that_touches_only_in_a_corner(cells: set[Square]) -> None:
    board = SquareBoard(cells)
    pieces = count_parts(cells, squares.neighbours)
    holes = count_parts(square_water(cells), squares.neighbours_around) - 1
    assert len(board.regions()) == pieces
    assert [coast.is_hole for coast in board.coasts()] == [False] * pieces + [True] * holes


@given(HEX_SETS)
def test_hex_coasts_are_closed_and_use_each_side_of_the_outline_once(cells: set[Hex]) -> None:
    board = HexBoard(cells)
    coasts = board.coasts()
    used = [side for coast in coasts for side in coast.sides]
    assert len(used) == len(set(used))
    assert set(used) == set(board.outline())
    for coast in coasts:
        following = (*coast.corners[1:], coast.corners[0])
        for side, start, end in zip(coast.sides, coast.corners, following, strict=True):
            assert set(side.corners) == {start, end}


@given(SQUARE_SETS)
def test_square_coasts_are_closed_and_use_each_side_of_the_outline_once(cells: set[Square]) -> None:
    board = SquareBoard(cells)
    coasts = board.coasts()
    used = [side for coast in coasts for side in coast.sides]
    assert len(used) == len(set(used))
    assert set(used) == set(board.outline())
    for coast in coasts:
        following = (*coast.corners[1:], coast.corners[0])
        for side, start, end in zip(coast.sides, coast.corners, following, strict=True):
            assert set(side.corners) == {start, end}


@given(SQUARE_SETS)
def test_square_coasts_enclose_as_many_cells_as_there_are(cells: set[Square]) -> None:
    area = 0
    for coast in SquareBoard(cells).coasts():
        points = [(corner.cell.x, corner.cell.y) for corner in coast.corners]
        following = [*points[1:], points[0]]
        twice = sum(x * v - u * y for (x, y), (u, v) in zip(points, following, strict=True))
        # y grows downwards, so a positive area is a loop walked clockwise.
        assert (twice < 0) == coast.is_hole
        area += twice
    assert area == 2 * len(cells)


def test_the_coast_of_one_cell_goes_clockwise_round_it() -> None:
    (coast,) = HexBoard([ORIGIN]).coasts()
    assert coast.sides == sides_of(ORIGIN)
    assert coast.corners == corners_of(ORIGIN)
    assert not coast.is_hole


def test_the_coast_of_a_hole_goes_the_other_way() -> None:
    outer, hole = HexBoard(hexes.ring(ORIGIN, 1)).coasts()
    corners = corners_of(ORIGIN)
    assert (outer.is_hole, len(outer.sides)) == (False, 18)
    assert (hole.is_hole, set(hole.sides)) == (True, set(sides_of(ORIGIN)))
    assert hole.corners[1] == corners[corners.index(hole.corners[0]) - 1]


def test_an_island_in_a_lake_has_its_own_coast_before_the_holes() -> None:
    lengths = [(len(coast.sides), coast.is_hole) for coast in HexBoard(ISLAND_IN_A_LAKE).coasts()]
    assert lengths == [(30, False), (6, False), (18, True)]


@given(HEX_SETS)
def test_border_cells_are_those_with_a_side_on_the_outline(cells: set[Hex]) -> None:
    board = HexBoard(cells)
    outline = set(board.outline())
    assert board.border_cells() == tuple(cell for cell in board if outline & set(sides_of(cell)))


@given(HEX_SETS)
def test_hex_graphs_link_what_touches(cells: set[Hex]) -> None:
    board = HexBoard(cells)
    inner = len(board.sides()) - len(board.outline())
    assert sum(len(ends) for ends in board.cell_graph().links.values()) == 2 * inner
    assert sum(len(ends) for ends in board.corner_graph().links.values()) == 2 * len(board.sides())
    assert board.cell_graph().nodes == board.cells
    assert board.corner_graph().nodes == board.corners()
    side_graph = board.side_graph()
    assert side_graph.nodes == board.sides()
    ending_at: dict[HexCorner, set[HexSide]] = {}
    for side in board.sides():
        for corner in side.corners:
            ending_at.setdefault(corner, set()).add(side)
    for side in board.sides():
        first, second = side.corners
        assert set(side_graph.neighbours(side)) == (ending_at[first] | ending_at[second]) - {side}


def test_a_corner_graph_lacks_links_that_are_no_sides_of_the_board() -> None:
    # Two cells that would be joined by a side which belongs to neither.
    board = HexBoard([Hex(0, 0), Hex(1, -2)])
    north, above = HexCorner(Hex(0, 0), Pole.NORTH), HexCorner(Hex(1, -2), Pole.SOUTH)
    assert above in north.neighbours
    assert above not in board.corner_graph().neighbours(north)


@given(SQUARE_SETS)
def test_square_graphs_link_what_touches(cells: set[Square]) -> None:
    board = SquareBoard(cells)
    inner = len(board.sides()) - len(board.outline())
    assert sum(len(ends) for ends in board.cell_graph().links.values()) == 2 * inner
    assert sum(len(ends) for ends in board.corner_graph().links.values()) == 2 * len(board.sides())
    assert len(board.around_graph().regions()) == count_parts(cells, squares.neighbours_around)
    side_graph, sides = board.side_graph(), set(board.sides())
    assert all(set(side_graph.neighbours(side)) == set(side.neighbours) & sides for side in sides)


def test_a_chess_board_has_64_cells_81_corners_144_sides_and_a_border_of_28() -> None:
    board = SquareBoard(squares.rectangle(8, 8))
    assert (len(board), len(board.corners()), len(board.sides())) == (64, 81, 144)
    assert len(board.border_cells()) == 28
    assert len(board.cells_around(SquareCorner(Square(0, 0)))) == 1
    assert len(board.cells_around(SquareCorner(Square(4, 4)))) == 4
    assert board.neighbours(Square(0, 0)) == (Square(1, 0), Square(0, 1))
    assert Square(8, 0) not in board
    assert tuple(board) == board.cells
    assert eval(repr(board)) == board


@given(SQUARE_SETS)
def test_places_of_a_square_board_are_those_of_its_cells_each_once(cells: set[Square]) -> None:
    board = SquareBoard(cells)
    assert len(set(board.corners())) == len(board.corners())
    assert set(board.corners()) == set(chain.from_iterable(map(square_corners_of, cells)))
    assert all(isinstance(side, SquareSide) and board.cells_around(side) for side in board.sides())


def test_regions_of_some_cells_only() -> None:
    board = HexBoard(hexagon(2))
    assert board.regions([Hex(0, 0), Hex(1, 0), Hex(-2, 0)]) == ((Hex(-2, 0),), (Hex(0, 0), Hex(1, 0)))
    row = SquareBoard(squares.rectangle(3, 1))
    assert row.regions([Square(0, 0), Square(2, 0)]) == ((Square(0, 0),), (Square(2, 0),))


def test_the_corners_of_the_outline_lie_on_exactly_two_of_its_sides() -> None:
    outline = HexBoard(hexagon(2)).outline()
    ends: list[HexCorner] = [corner for side in outline for corner in side.corners]
    assert all(ends.count(corner) == 2 for corner in ends)
    assert all(isinstance(side, HexSide) for side in outline)
