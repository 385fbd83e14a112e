"""Boards as the engine sees them: neighbours, directions, lines, corners and sides, names, distances."""

import pytest

from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.topology import Topology, chess_name
from tests.tgdl.rules import game

SHAPES = {
    "around": "group g square around 3 by 3 { sq; }",
    "sides": "group g square sides 3 by 3 { sq; }",
    "row": "group g hex row { sq, sq, sq; sq, sq, sq; sq, sq, sq; }",
    "col": "group g hex col { sq, sq, sq; sq, sq, sq; sq, sq, sq; }",
    "rhombus": "group g hex rhombus 3 by 3 { sq; }",
    "hexagon": "group g hex hexagon 2 { sq; }",
    "gap": "group g square sides { sq, b, sq; sq, sq, sq; }",
    "weights": "group g square sides { sq, sq, sq; adjacency { (0,0) 2 <-> 5 (0,2); (0,0) x-> (0,1); } }",
    "graph": "group g adjacency { a -> b -> c; c -> 3 a; b <-> d; }",
    "names": "group g square 3 by 3 names a1 { sq; }",
}


def topology(board: str) -> Topology:
    text = f"tile sq {{ }} board {{ {board} }} action go {{ trigger on player choice; effect {{ pass; }} }}"
    return game(text).world().topology


def at(board: Topology, name: str) -> Instance:
    return next(tile for tile, known in board.name.items() if known == name)


def names(board: Topology, tiles: tuple[Instance | None, ...]) -> list[str | None]:
    return [None if tile is None else board.name[tile].removeprefix("g") for tile in tiles]


@pytest.mark.parametrize(
    ("shape", "tile", "expected"),
    [
        ("around", "g[1][1]", "[0][1] [0][2] [1][2] [2][2] [2][1] [2][0] [1][0] [0][0]"),
        ("sides", "g[1][1]", "[0][1] [1][2] [2][1] [1][0]"),
        ("row", "g[1][1]", "[0][2] [1][2] [2][2] [2][1] [1][0] [0][1]"),
        ("col", "g[1][1]", "[1][0] [2][1] [2][2] [1][2] [0][2] [0][1]"),
        ("rhombus", "g[1][1]", "[0][2] [1][2] [2][1] [2][0] [1][0] [0][1]"),
        ("hexagon", "g[0][0]", "[-1][1] [0][1] [1][0] [1][-1] [0][-1] [-1][0]"),
        ("gap", "g[0][0]", "[1][0]"),
        ("graph", "b", "c d"),
    ],
)
def test_neighbours_come_clockwise_from_the_first_direction(shape: str, tile: str, expected: str) -> None:
    board = topology(SHAPES[shape])
    assert names(board, board.adjacent[at(board, tile)]) == expected.split()


def test_directions_wrap_and_end_at_the_edge() -> None:
    board = topology(SHAPES["around"])
    middle = at(board, "g[1][1]")
    assert board.next_in(middle, 0) is board.next_in(middle, 8) is at(board, "g[0][1]")
    assert board.next_in(middle, -1) is at(board, "g[0][0]")
    assert board.next_in(at(board, "g[0][0]"), 0) is None


def test_lines_are_the_straight_runs_through_a_tile() -> None:
    board = topology("group g square around 3 by 4 { sq; }")
    assert len(board.runs(at(board, "g[1][1]"), 3)) == 1 + 2 + 1 + 1
    assert names(board, board.line(at(board, "g[1][0]"), 2)) == ["[1][1]", "[1][2]", "[1][3]"]
    assert names(board, board.between(at(board, "g[0][0]"), at(board, "g[2][2]"))) == ["[1][1]"]
    assert board.between(at(board, "g[0][0]"), at(board, "g[1][2]")) == ()


def test_the_lines_of_a_graph_are_the_chains_that_were_written() -> None:
    board = topology(SHAPES["graph"])
    assert [names(board, line) for line in board.runs(at(board, "b"), 0)] == [["a", "b", "c"], ["b", "d"]]
    assert [names(board, line) for line in board.runs(at(board, "b"), 2)] == [
        ["a", "b"],
        ["b", "c"],
        ["b", "d"],
    ]


def test_distance_follows_links_and_weights() -> None:
    board = topology(SHAPES["weights"])
    first, second, third = (at(board, f"g[0][{column}]") for column in range(3))
    assert (board.distance(first, third), board.distance(third, first)) == (5.0, 2.0)
    assert board.distance(first, second) == 6.0
    assert board.next_in(first, 2) is None
    graph = topology(SHAPES["graph"])
    assert graph.distance(at(graph, "c"), at(graph, "d")) == 5.0
    assert graph.distance(at(graph, "d"), at(graph, "d")) == 0.0


def test_a_hole_has_no_tile_and_no_way_through() -> None:
    board = topology(SHAPES["gap"])
    assert board.tile_at("g", 0, 1) is None
    assert board.tile_at("g", -1, 0) is None
    assert board.distance(at(board, "g[0][0]"), at(board, "g[0][2]")) == 4.0


def test_chess_names_count_rows_from_below() -> None:
    board = topology(SHAPES["names"])
    assert board.name[board.tiles["g"][0]] == "a3"
    assert board.by_name["g", "c1"] is board.tile_at("g", 2, 2)
    assert chess_name(0, 26, 1) == "aa1"


def test_corners_and_sides_are_shared_by_the_cells_that_meet_there() -> None:
    board = topology(
        "group g hex hexagon 3 { sq; } group spots corners of g { sq; } group ways sides of g { sq; }"
    )
    assert [len(board.tiles[name]) for name in ("g", "spots", "ways")] == [19, 54, 72]
    middle = at(board, "g[0][0]")
    assert (len(board.corners[middle]), len(board.sides[middle])) == (6, 6)
    for number, side in enumerate(board.sides[middle]):
        ends = {board.corners[middle][number], board.corners[middle][(number + 1) % 6]}
        assert {*board.corners[side]} == ends
        assert middle in board.cells[side]
    corner = board.corners[middle][0]
    assert len(board.cells[corner]) == len(board.sides[corner]) == len(board.adjacent[corner]) == 3


def test_square_corners_and_sides_work_alike() -> None:
    board = topology(
        "group g square 2 by 2 { sq; } group ways sides of g { sq; } group spots corners of g { sq; }"
    )
    assert [len(board.tiles[name]) for name in ("ways", "spots")] == [12, 9]
    centre = next(tile for tile in board.tiles["spots"] if len(board.cells[tile]) == 4)
    assert len(board.sides[centre]) == 4


def test_borders_link_tiles_of_two_groups() -> None:
    board = topology(
        "group g square 1 by 2 { sq; } group h square 1 by 1 { sq; } tiles { g[0][1] <-> h[0][0]; }"
    )
    assert names(board, board.adjacent[at(board, "g[0][1]")]) == ["[0][0]", "h[0][0]"]
    assert board.distance(at(board, "g[0][0]"), at(board, "h[0][0]")) == 2.0
