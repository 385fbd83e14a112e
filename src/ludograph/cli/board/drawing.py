"""Groups of tiles as lines of text: the marks of tiles by name in, lines out.

Groups of squares and hexes are drawn as a grid, with their corners and sides. Graphs whose places are named
like the squares of chess are drawn as a grid too. A graph with a long numbered track (p1 to p24) is drawn as
a track that is folded in the middle. All other groups are listed.
"""

import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ludograph.cli.board.marks import EMPTY
from ludograph.geometry.hex_places import HexCorner, HexSide
from ludograph.geometry.square_places import SquareCorner, SquareFace, SquareSide
from ludograph.render.terminal_drawing.grid import find_spot
from ludograph.tgdl.program import GroupShape
from ludograph.tgdl.world.topology import GroupPlan, axial_of

LISTED_COLUMNS = 76
MIN_TRACK_LENGTH = 12
PLACES = (GroupShape.CORNERS, GroupShape.SIDES)

Marks = Mapping[str, str]
Wall = tuple[int, int, bool]
"""The row and column of a square with a wall on its right side, or below it if the last part is true."""

_HALVES: Mapping[GroupShape, Callable[[int, int], tuple[int, int]]] = {
    GroupShape.SQUARE: lambda row, column: (row, 2 * column),
    GroupShape.SQUARE_AROUND: lambda row, column: (row, 2 * column),
    GroupShape.HEX_ROW: lambda row, column: (row, 2 * column + row % 2),
    GroupShape.HEX_COL: lambda column, row: (2 * row + column % 2, 2 * column),
    GroupShape.RHOMBUS: lambda row, column: (row, 2 * column + row),
    GroupShape.HEXAGON: lambda row, column: (row, 2 * column + row),
}
"""Where a tile with these coordinates is drawn: its line, and its column in halves of a cell."""


def draw_group(
    plan: GroupPlan,
    around: Sequence[GroupPlan],
    marks: Marks,
    numbered: Container[str] = (),
    walls: Collection[Wall] = (),
) -> list[str]:
    """Draw a group together with the groups of its corners and sides.

    A corner or side in `numbered` shows its number.
    """
    if around and plan.shape in _HALVES and plan.shape is not GroupShape.HEX_COL:
        return _draw_with_places(plan, around, marks, numbered, walls)
    if plan.shape in _HALVES:
        return _draw_cells(plan, marks, walls)
    names = [tile.name for tile in plan.tiles if tile.name in marks]
    if plan.shape is not GroupShape.GRAPH:  # corners and sides of a group that is drawn without them
        return _format_columns([f"{name} {marks[name]}" for name in names if marks[name] != EMPTY])
    drawn = _find_chess_squares(names)
    lines = _draw_grid([(marks[name], spot) for name, spot in drawn.items()])
    if not drawn:
        track = _find_track(names)
        drawn = dict.fromkeys(track, _GridSpot(0, 0, "", ""))
        lines = _fold_track([(name, marks[name]) for name in track])
    listed = _format_columns([f"{name} {marks[name]}" for name in names if name not in drawn])
    return [*lines, "", *listed] if lines and listed else lines or listed


# Grids


class _GridSpot(Struct, frozen=True):
    """Where a tile is drawn, and the labels of its row and column."""

    line: int
    half: int
    row: str
    column: str


def _draw_cells(plan: GroupPlan, marks: Marks, walls: Collection[Wall]) -> list[str]:
    place = _HALVES[plan.shape]
    spots: list[tuple[str, _GridSpot]] = []
    for tile in plan.tiles:
        if tile.name in marks:
            assert tile.row is not None
            assert tile.column is not None
            line, half = place(tile.row, tile.column)
            # The first coordinate of a `hex col` is the column.
            in_columns = plan.shape is GroupShape.HEX_COL
            row, column = (tile.column, tile.row) if in_columns else (tile.row, tile.column)
            spots.append((marks[tile.name], _GridSpot(line, half, *_labels(tile.name, row, column))))
    if plan.shape is GroupShape.HEXAGON:
        # The columns of a hexagon slant and begin in different rows, so each row is labelled by its first
        # tile.
        starts = _row_starts(plan, marks)
        return _draw_grid([(mark, replace(spot, row=starts[spot.row])) for mark, spot in spots], tops=())
    if plan.shape in (GroupShape.SQUARE, GroupShape.SQUARE_AROUND, GroupShape.HEX_COL):
        return _draw_walls(_draw_grid(spots), spots, walls) if walls else _draw_grid(spots)
    first = min((spot.line for _, spot in spots), default=0)
    return _draw_grid(spots, tops=[spot for _, spot in spots if spot.line == first])


def _row_starts(plan: GroupPlan, marks: Marks) -> dict[str, str]:
    """The name of the first tile of each row, without the name of the group; the keys are row labels."""
    first: dict[str, tuple[int, str]] = {}
    for tile in plan.tiles:
        if tile.name in marks and tile.row is not None and tile.column is not None:
            row, _ = _labels(tile.name, tile.row, tile.column)
            name = tile.name.removeprefix(plan.name)
            first[row] = min(first.get(row, (tile.column, name)), (tile.column, name))
    return {row: name for row, (_, name) in first.items()}


def _find_chess_squares(names: list[str]) -> dict[str, _GridSpot]:
    """The positions of places that are named as on a chess board, if most places of the graph are."""
    found = {
        name: _GridSpot(-int(match[2]), 2 * ord(match[1]), match[2], match[1])
        for name in names
        if (match := re.fullmatch(r"([a-z])([0-9]{1,2})", name))
    }
    is_board = len({spot.column for spot in found.values()}) > 1 and 2 * len(found) > len(names)
    return found if is_board else {}


def _draw_grid(spots: list[tuple[str, _GridSpot]], tops: Sequence[_GridSpot] | None = None) -> list[str]:
    """Marks at their positions, with row labels on the left and column labels above (of `tops`; default:
    all).
    """
    if not spots:
        return []
    above = {spot.half: spot.column for spot in ([spot for _, spot in spots] if tops is None else tops)}
    rows: dict[int, dict[int, str]] = {}
    labels: dict[int, str] = {}
    for mark, spot in spots:
        rows.setdefault(spot.line, {})[spot.half] = mark
        labels.setdefault(spot.line, spot.row)
    left = min(half for row in rows.values() for half in row)
    widest = max(len(text) for row in (*rows.values(), above) for text in row.values())
    # If all marks are in columns, a cell may have an odd width, which cannot be halved.
    has_columns = all((half - left) % 2 == 0 for row in rows.values() for half in row)
    cell = widest + 1 if has_columns else (widest + 2) // 2 * 2
    margin = max(len(label) for label in labels.values())
    lines = [" " * margin + _line(above, left, cell)] if above else []
    for line in sorted(rows):
        lines.append(f"{labels[line]:>{margin}}{_line(rows[line], left, cell)}")
    return lines


def _draw_walls(lines: list[str], spots: list[tuple[str, _GridSpot]], walls: Collection[Wall]) -> list[str]:
    """Add walls to a grid of squares: in the gaps between columns, and on lines between rows."""
    first = min(spot.line for _, spot in spots)
    left = min(spot.half for _, spot in spots) // 2
    margin = max(len(spot.row) for _, spot in spots)
    widest = max(len(text) for mark, spot in spots for text in (mark, spot.column))
    found = lines[:1]
    for row, line in enumerate(lines[1:], first):
        gaps = [
            margin + (column - left + 1) * (widest + 1) + 1
            for at, column, below in walls
            if at == row and not below
        ]
        for gap in gaps:
            line = line.ljust(gap + 1)
            line = f"{line[:gap]}│{line[gap + 1 :]}"
        found.append(line)
        between = ""
        for column in sorted(column for at, column, below in walls if at == row and below):
            between = between.ljust(margin + (column - left) * (widest + 1) + 2) + "─" * widest
        if between:
            found.append(between)
    return found


def _labels(name: str, row: int, column: int) -> tuple[str, str]:
    """The labels of a tile's row and column: `a8` is in column a and row 8, other names give coordinates."""
    found = re.fullmatch(r"([a-z]+)([0-9]+)", name)
    return (found[2], found[1]) if found else (str(row), str(column))


def _line(texts: Mapping[int, str], left: int, cell: int) -> str:
    line = ""
    for half in sorted(texts):
        line = line.ljust((half - left) * cell // 2 + 2) + texts[half]
    return line


# Corners and sides


def _draw_with_places(
    plan: GroupPlan,
    around: Sequence[GroupPlan],
    marks: Marks,
    numbered: Container[str],
    walls: Collection[Wall],
) -> list[str]:
    """Cells with their corners and sides; some of these show the number in their name."""
    texts: list[tuple[int, int, str]] = []
    rows: dict[int, str] = {}
    columns: dict[int, str] = {}
    for tile in plan.tiles:
        if tile.name in marks and tile.row is not None and tile.column is not None:
            line, column = _cell_position(plan.shape, tile.row, tile.column)
            texts.append((line, column, marks[tile.name]))
            rows[line], columns[column] = _labels(tile.name, tile.row, tile.column)
    if plan.shape not in (GroupShape.SQUARE, GroupShape.SQUARE_AROUND):
        starts = _row_starts(plan, marks)
        rows = {line: starts[row] for line, row in rows.items()}
    for group in around:
        for tile in group.tiles:
            if tile.name in marks and tile.place is not None:
                line, column = _place_position(tile.place)
                mark = marks[tile.name]
                number = tile.name.removeprefix(f"{group.name}[").removesuffix("]")
                label = f"{EMPTY}{number}{mark.removeprefix(EMPTY)}"
                texts.append((line, column, label if tile.name in numbered else mark))
    kinds = {GroupShape.CORNERS: "a corner", GroupShape.SIDES: "a side"}
    shown = [group for group in around if any(tile.name in numbered for tile in group.tiles)]
    keys = [f"on {kinds[group.shape]} {group.name}[5]" for group in shown]
    texts = _with_walls(texts, walls)
    if plan.shape in (GroupShape.SQUARE, GroupShape.SQUARE_AROUND) and texts:
        above = min(line for line, _, _ in texts) - 1
        texts += [(above, column, label) for column, label in columns.items()]
    drawn = _place_texts(texts, rows)
    return [*drawn, f"{EMPTY}5 is {', '.join(keys)}"] if keys else drawn


def _with_walls(texts: list[tuple[int, int, str]], walls: Collection[Wall]) -> list[tuple[int, int, str]]:
    """Texts with walls of squares on their sides; a wall replaces a side that is only a dot."""
    drawn = {
        (2 * row + 2, 8 * column + 4) if below else (2 * row + 1, 8 * column + 8): "───" if below else "│"
        for row, column, below in walls
    }
    kept = [
        (line, column, text) for line, column, text in texts if (line, column) not in drawn or text != EMPTY
    ]
    taken = {(line, column) for line, column, _ in kept}
    return kept + [(*place, wall) for place, wall in drawn.items() if place not in taken]


def _cell_position(shape: GroupShape, row: int, column: int) -> tuple[int, int]:
    """The line and column of a cell's middle."""
    if shape in (GroupShape.SQUARE, GroupShape.SQUARE_AROUND):
        return 2 * row + 1, 8 * column + 4
    spot = find_spot(axial_of(shape, (row, column)))
    return spot.line, spot.column


def _place_position(place: HexCorner | HexSide | SquareCorner | SquareSide) -> tuple[int, int]:
    """The line and column of a corner's or side's middle."""
    match place:
        case SquareCorner(cell):
            return 2 * cell.y, 8 * cell.x
        case SquareSide(cell, SquareFace.NORTH):
            return 2 * cell.y, 8 * cell.x + 4
        case SquareSide(cell, _):
            return 2 * cell.y + 1, 8 * cell.x
        case _:
            spot = find_spot(place)
            return spot.line, spot.column


def _place_texts(texts: list[tuple[int, int, str]], rows: Mapping[int, str]) -> list[str]:
    """Texts centred at their positions, labels on the left; a text that does not fit moves to the right."""
    if not texts:
        return []
    margin = max(map(len, rows.values()), default=0) + 2
    left = min(column - len(text) // 2 for _, column, text in texts)
    lines: dict[int, str] = {}
    for line, column, text in sorted(texts):
        before = lines.get(line, "")
        start = max(column - len(text) // 2 - left, len(before) + 1 if before else 0)
        lines[line] = before.ljust(start) + text
    return [
        f"{rows.get(line, ''):>{margin - 2}}  {lines.get(line, '')}"
        for line in range(min(lines), max(lines) + 1)
    ]


# Tracks and lists


def _find_track(names: list[str]) -> list[str]:
    """The places of a long track, `p1` to `p24`, if most of the places are on it."""
    found = [match for name in names if (match := re.fullmatch(r"([a-z]+)([0-9]+)", name))]
    prefixes = {match[1] for match in found}
    for prefix in prefixes:
        track = sorted((match for match in found if match[1] == prefix), key=lambda match: int(match[2]))
        numbers = [int(match[2]) for match in track]
        is_whole = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        if is_whole and len(track) >= MIN_TRACK_LENGTH and 2 * len(track) > len(names):
            return [match[0] for match in track]
    return []


def _fold_track(track: list[tuple[str, str]]) -> list[str]:
    """A track in two rows: the first half below from right to left, the second above from left to right."""
    if not track:
        return []
    half = len(track) // 2
    above, below = track[half:], track[half - 1 :: -1] if half else []
    width = max(len(text) for pair in track for text in pair) + 2
    rows: tuple[list[str], ...] = (
        [name for name, _ in above],
        [mark for _, mark in above],
        [],
        [mark for _, mark in below],
        [name for name, _ in below],
    )
    return ["".join(text.ljust(width) for text in row) for row in rows]


def _format_columns(words: list[str]) -> list[str]:
    """Short texts in columns."""
    if not words:
        return []
    gap = 3
    width = max(len(word) for word in words) + gap
    count = max(1, (LISTED_COLUMNS + gap) // width)
    return [
        "".join(word.ljust(width) for word in words[start : start + count])
        for start in range(0, len(words), count)
    ]
