"""The layout of boards: an arrangement in, the place of every tile in the picture and the static items out.

Squares and hexagons keep their shape. Their corners and sides lie on them. A board is scaled to a common
width, so that small boards do not look lost and large ones stay readable.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import hypot, sqrt

from msgspec import Struct
from msgspec.structs import replace

from ludograph.play.material import Arrangement, GroupMaterial, LinkMaterial, Material, TileMaterial
from ludograph.render.canvas import text_width
from ludograph.render.scenes.board_styles import BoardStyle, board_style, long_tiles
from ludograph.render.scenes.graphs import PlanePoint, chess_squares, lay_out_graph
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.identity import Same
from ludograph.render.scenes.items import ItemKind, SceneItem, item_id, of_things, unique_items
from ludograph.render.scenes.known_names import POINT_NAMES
from ludograph.render.scenes.stylesheet import PLAIN_CELL

BOARD_WIDTH = 448
"""The width that a board is scaled to."""
SQUARE_SIZES = (24.0, 64.0)
HEX_SIZES = (14.0, 40.0)
"""The least and the greatest distance from the middle of a hexagon to its corners."""
HEX_SIZES_WITH_PLACES = (34.0, 52.0)
GRAPH_UNITS = (30.0, 84.0)
GRAPH_UNITS_WITH_LINES = (96.0, 150.0)
LINE_ENDS = 18.0
"""The greatest radius of the nodes that lines join."""
MARGIN = 24
PLACES_GAP = 16.0
"""Between a board and the names of its rows and columns, for what is written at corners and sides."""
"""Around each board, for the names of rows and columns."""
MIN_WIDTH = BOARD_WIDTH + 2 * MARGIN
"""The width of a frame without its margins."""
GAP = 16
SQUARE_SHAPES = ("square", "square around")
FLAT_SHAPE = "hex col"
PLACE_SHAPES = ("corners", "sides")
LABEL_SIZE = 12.0
NAME_HEIGHT = 15.0
"""The room for the name of a node below it."""
PADS = {"terrain": 34.0, "pits": 24.0}
"""How far the ground of a board reaches beyond its tiles."""
PIT_STRETCH = 1.6
"""Rows of pits are farther apart than other nodes, because numbers stand above them."""
CHECKERED_SIDES = (8, 10, 12)
LINE_GAP = 13.0
"""How far lines between the same two nodes are apart."""
MAX_COMPARED = 600
"""The number of nodes up to which the distances between all of them decide about their size."""
MAX_CELLS = 10_000
"""Of a group with more tiles only the ground is drawn, and what is on it."""
SQUARE_STYLES = {"lines": "points", "checkered": "checkered", "plain": "plain", "terrain": "plain"}
"""The layouts of hints that change how squares are drawn."""


class TileSpot(Struct, frozen=True):
    """The place of a tile in the picture."""

    x: float
    y: float
    radius: float
    """Of the circle around the middle that is inside of the tile."""
    form: str
    """`square`, `hex`, `node`, `point`, `corner`, `side`; by a style also `pit` or `long`."""
    points: tuple[PlanePoint, ...] = ()
    """The corners of a cell, or the ends of a side."""
    outward: PlanePoint = (0.0, 0.0)
    """The direction away from the middle of the board, of length 1."""
    length: float = 0.0
    """Of a long tile, from its base to its end."""


class BoardLayout(Struct, frozen=True):
    """All boards, placed."""

    width: float
    height: float
    spots: Mapping[str, TileSpot]
    """By the name of the tile."""
    items: tuple[SceneItem, ...]


class _Board(Struct, frozen=True):
    """One group with its corners and sides, placed around its own origin."""

    width: float
    height: float
    spots: dict[str, TileSpot]
    labels: tuple[SceneItem, ...]
    group: GroupMaterial
    style: str
    look: BoardStyle = BoardStyle()
    label: str = ""
    """The name of the group in words."""


def lay_out_boards(
    material: Material, arrangement: Arrangement, hints: Hints, margin: float, top: float
) -> BoardLayout:
    """Place all boards below one another, or side by side if they are narrow, in the middle of the frame."""
    board = next((kind.name for kind in material.kinds if kind.role == "board"), "")
    lines = frozenset(kind.name for kind in material.kinds if hints.has(kind.name, "line"))
    looks = tuple(
        None
        if hints.is_set(group.name, "hide")
        else _GroupLook(
            board_style(hints, group.name, board), hints.text(group.name, "label") or group.name, lines
        )
        for group in arrangement.groups
    )
    same = (Same(material), Same(arrangement.groups), Same(arrangement.links), Same(arrangement.walls))
    return _lay_out_all(*same, looks, margin, top)


class _GroupLook(Struct, frozen=True):
    """What the hints say about a group."""

    style: BoardStyle
    label: str
    lines: frozenset[str] = frozenset()
    """The kinds of tiles that are lines between two others."""


@lru_cache(maxsize=64)
def _lay_out_all(
    material: Same,
    groups: Same,
    links: Same,
    walls: Same,
    looks: tuple["_GroupLook | None", ...],
    margin: float,
    top: float,
) -> BoardLayout:
    arrangement = Arrangement(groups.value, links.value, walls.value)
    boards = [
        _lay_out(material.value, group, _places_of(group, arrangement), arrangement.links, look)
        for group, look in zip(arrangement.groups, looks, strict=True)
        if group.tiles and look is not None and not _is_place_group(group, arrangement)
    ]
    frame = max(MIN_WIDTH, _width_of(boards))
    spots: dict[str, TileSpot] = {}
    items: list[SceneItem] = []
    backgrounds: list[SceneItem] = []
    grounds: list[SceneItem] = []
    width = x = y = row_height = 0.0
    left = margin + _space_before(boards, frame)
    for index, board in enumerate(boards):
        heading = 18.0 if len(boards) > 1 else 0.0
        if x > 0 and x + board.width > MIN_WIDTH:
            x, y, row_height = 0.0, y + row_height + GAP, 0.0
            left = margin + _space_before(boards[index:], frame)
        placed = {name: _shifted(spot, left + x, top + y + heading) for name, spot in board.spots.items()}
        backgrounds += _background(board, placed)
        grounds += _grounds(board, placed)
        spots.update(placed)
        items += [
            replace(label, x=label.x + left + x, y=label.y + top + y + heading) for label in board.labels
        ]
        if heading:
            items.append(
                SceneItem(
                    item_id("heading", board.group.name),
                    ItemKind.LABEL,
                    left + x + board.width / 2,
                    top + y + 8,
                    text=board.label,
                    width=board.width,
                    height=13,
                    style="heading",
                )
            )
        x += board.width + GAP
        width = max(width, x - GAP)
        row_height = max(row_height, board.height + heading)
    on_ground = {board.group.name for board in boards if board.look.ground}
    drawn = list(_link_items(arrangement, spots, on_ground))
    below = [item for item in drawn if item.style.startswith("link")]
    above = [item for item in drawn if not item.style.startswith("link")]
    below = [*backgrounds, *below]
    items = [*below, *grounds, *above, *_wall_items(arrangement, spots), *items]
    return BoardLayout(width, y + row_height, spots, tuple(unique_items(items)))


def _width_of(boards: Sequence[_Board]) -> float:
    """The width of all boards when they are placed."""
    width = x = 0.0
    for board in boards:
        x = board.width if x == 0 or x + GAP + board.width > MIN_WIDTH else x + GAP + board.width
        width = max(width, x)
    return width


def _space_before(boards: Sequence[_Board], frame: float) -> float:
    """The space on the left of a row of boards, which these boards begin, in the middle of the frame."""
    width = boards[0].width if boards else 0.0
    for board in boards[1:]:
        if width + GAP + board.width > MIN_WIDTH:
            break
        width += GAP + board.width
    return (frame - width) / 2


def _is_place_group(group: GroupMaterial, arrangement: Arrangement) -> bool:
    return group.shape in PLACE_SHAPES and any(other.name == group.of for other in arrangement.groups)


def _places_of(group: GroupMaterial, arrangement: Arrangement) -> list[GroupMaterial]:
    return [other for other in arrangement.groups if other.shape in PLACE_SHAPES and other.of == group.name]


def _lay_out(
    material: Material,
    group: GroupMaterial,
    places: Sequence[GroupMaterial],
    links: Sequence[LinkMaterial],
    hinted: _GroupLook,
) -> _Board:
    look = hinted.style
    if group.shape in SQUARE_SHAPES:
        board = _square_board(material, group, places, look)
    elif group.shape.startswith("hex"):
        board = _hex_board(group, places, look)
    else:
        long = _long_board(group, links, look) if look.layout == "points" else None
        board = long or _graph_board(group, links, look, hinted.lines)
    return replace(board, label=hinted.label)


def _scale(extent: float, sizes: tuple[float, float]) -> float:
    """The length of a unit, so that a board has the common width."""
    return min(max(BOARD_WIDTH / extent, sizes[0]), sizes[1])


# Squares


def _square_board(
    material: Material, group: GroupMaterial, places: Sequence[GroupMaterial], look: BoardStyle
) -> _Board:
    columns = [column for tile in group.tiles for column, _ in tile.cells]
    rows = [row for tile in group.tiles for _, row in tile.cells]
    first_column, first_row = min(columns), min(rows)
    across, down = max(columns) - first_column + 1, max(rows) - first_row + 1
    size = _scale(max(across, down * 0.8), SQUARE_SIZES) * look.scale
    style = SQUARE_STYLES.get(look.layout) or _square_style(material, group, across, down)

    gap = PLACES_GAP if places else 0
    margin = MARGIN + gap

    def centre(column: float, row: float) -> PlanePoint:
        return margin + (column - first_column + 0.5) * size, margin + (row - first_row + 0.5) * size

    spots: dict[str, TileSpot] = {}
    for tile in group.tiles:
        x, y = centre(*tile.cells[0])
        half = size / 2
        points = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        form = "point" if style == "points" else "square"
        spots[tile.name] = TileSpot(x, y, half, form, points)
    middle = margin + across * size / 2, margin + down * size / 2
    for place_group in places:
        for tile in place_group.tiles:
            x, y = centre(
                sum(column for column, _ in tile.cells) / len(tile.cells),
                sum(row for _, row in tile.cells) / len(tile.cells),
            )
            ends: tuple[PlanePoint, ...] = ()
            if place_group.shape == "sides":
                is_upright = tile.cells[0][1] == tile.cells[1][1]
                half = size / 2
                ends = ((x, y - half), (x, y + half)) if is_upright else ((x - half, y), (x + half, y))
            spots[tile.name] = _place_spot(x, y, size, place_group.shape, ends, middle)
    labels = tuple(_square_labels(group, spots, size, gap))
    return _Board(2 * margin + across * size, 2 * margin + down * size, spots, labels, group, style, look)


def _square_style(material: Material, group: GroupMaterial, across: int, down: int) -> str:
    """Points for tiles that are called so; a chequered board for pieces on an even square; else plain."""
    kinds = {tile.kind for tile in group.tiles}
    if all(POINT_NAMES & set(material.kind(kind).ancestors) for kind in kinds):
        return "points"
    holds_pieces = any(material.kind(kind).holds for kind in kinds)
    if holds_pieces and across == down and across in CHECKERED_SIDES:
        return "checkered"
    return "plain"


def _square_labels(
    group: GroupMaterial, spots: Mapping[str, TileSpot], size: float, gap: float
) -> Iterator[SceneItem]:
    """The names of rows on the left and of columns below, behind what is written beside corners and sides."""
    rows: dict[int, tuple[str, float]] = {}
    columns: dict[int, tuple[str, float]] = {}
    for tile in group.tiles:
        if tile.row is not None and tile.column is not None:
            row, column = split_name(tile)
            rows.setdefault(tile.row, (row, spots[tile.name].y))
            columns.setdefault(tile.column, (column, spots[tile.name].x))
    left = min(spots[tile.name].x for tile in group.tiles) - size / 2
    bottom = max(spots[tile.name].y for tile in group.tiles) + size / 2
    for text, y in rows.values():
        yield _label(f"row.{group.name}", text, left - 12 - gap, y)
    for text, x in columns.values():
        yield _label(f"column.{group.name}", text, x, bottom + 12 + gap)


def split_name(tile: TileMaterial) -> tuple[str, str]:
    """The names of the row and the column of a tile: 8 and a for `a8`, otherwise its coordinates."""
    letters = tile.name.rstrip("0123456789")
    digits = tile.name[len(letters) :]
    if letters.isalpha() and letters.islower() and digits:
        return digits, letters
    return str(tile.row), str(tile.column)


def _label(name: str, text: str, x: float, y: float) -> SceneItem:
    width = text_width(text, LABEL_SIZE)
    return SceneItem(
        item_id("label", name, text),
        ItemKind.LABEL,
        x,
        y,
        text=text,
        width=width,
        height=LABEL_SIZE,
        style="coordinate",
    )


def _place_spot(
    x: float, y: float, size: float, shape: str, ends: tuple[PlanePoint, ...], middle: PlanePoint
) -> TileSpot:
    dx, dy = x - middle[0], y - middle[1]
    length = hypot(dx, dy) or 1.0
    form = "corner" if shape == "corners" else "side"
    return TileSpot(x, y, size * (0.2 if form == "corner" else 0.12), form, ends, (dx / length, dy / length))


# Hexagons


def _hex_board(group: GroupMaterial, places: Sequence[GroupMaterial], look: BoardStyle) -> _Board:
    is_flat = group.shape == FLAT_SHAPE
    centres = {tile.name: _hex_point(tile.cells, is_flat) for tile in group.tiles}
    reach = (1.0, sqrt(3) / 2) if is_flat else (sqrt(3) / 2, 1.0)
    left = min(x for x, _ in centres.values()) - reach[0]
    right = max(x for x, _ in centres.values()) + reach[0]
    top = min(y for _, y in centres.values()) - reach[1]
    bottom = max(y for _, y in centres.values()) + reach[1]
    sizes = HEX_SIZES_WITH_PLACES if places else HEX_SIZES
    size = _scale(max(right - left, (bottom - top) * 0.8), sizes) * look.scale
    margin = MARGIN + (30 if places else 0)

    def place(point: PlanePoint) -> PlanePoint:
        return margin + (point[0] - left) * size, margin + (point[1] - top) * size

    spots: dict[str, TileSpot] = {}
    for tile in group.tiles:
        x, y = place(centres[tile.name])
        spots[tile.name] = TileSpot(x, y, size * sqrt(3) / 2, "hex", tuple(_hex_points(x, y, size, is_flat)))
    middle = place(((left + right) / 2, (top + bottom) / 2))
    for place_group in places:
        for tile in place_group.tiles:
            x, y = place(_hex_point(tile.cells, is_flat))
            ends: tuple[PlanePoint, ...] = ()
            if place_group.shape == "sides":
                one, two = (place(_hex_point((cell,), is_flat)) for cell in tile.cells[:2])
                # A side is at right angles to the line between its cells, and as long as the radius.
                length = hypot(two[0] - one[0], two[1] - one[1])
                across, along = (two[0] - one[0]) / length * size / 2, (two[1] - one[1]) / length * size / 2
                ends = ((x - along, y + across), (x + along, y - across))
            spots[tile.name] = _place_spot(x, y, size, place_group.shape, ends, middle)
    width, height = (right - left) * size + 2 * margin, (bottom - top) * size + 2 * margin
    labels = tuple(_hex_labels(group, spots, size, PLACES_GAP if places else 0))
    return _Board(width, height, spots, labels, group, "plain", look)


def _hex_point(cells: Sequence[tuple[int, int]], is_flat: bool) -> PlanePoint:
    """The mean of the middles of cells."""
    q = sum(cell[0] for cell in cells) / len(cells)
    r = sum(cell[1] for cell in cells) / len(cells)
    if is_flat:
        return q * 1.5, (2 * r + q) * sqrt(3) / 2
    return (2 * q + r) * sqrt(3) / 2, r * 1.5


def _hex_points(x: float, y: float, size: float, is_flat: bool) -> Iterator[PlanePoint]:
    half, whole = size / 2, size * sqrt(3) / 2
    pointy = ((0, -size), (whole, -half), (whole, half), (0, size), (-whole, half), (-whole, -half))
    for dx, dy in pointy:
        yield (x + dy, y + dx) if is_flat else (x + dx, y + dy)


def _hex_labels(
    group: GroupMaterial, spots: Mapping[str, TileSpot], size: float, gap: float
) -> Iterator[SceneItem]:
    """The names of rows at their left ends, and of columns above their first tiles; not for a hexagon.

    The gap leaves the place for what is written beside corners and sides.
    """
    if group.shape == "hex hexagon":
        return
    is_flat = group.shape == FLAT_SHAPE
    firsts: dict[int, TileSpot] = {}
    tops: dict[int, TileSpot] = {}
    rows: dict[int, str] = {}
    columns: dict[int, str] = {}
    for tile in group.tiles:
        if tile.row is None or tile.column is None:
            continue
        row, column = (tile.column, tile.row) if is_flat else (tile.row, tile.column)
        names = split_name(tile)
        rows[row], columns[column] = (names[1], names[0]) if is_flat else names
        spot = spots[tile.name]
        if row not in firsts or spot.x < firsts[row].x:
            firsts[row] = spot
        if column not in tops or spot.y < tops[column].y:
            tops[column] = spot
    reach = size * (1.0 if is_flat else 0.87)
    highest = min(spot.y for spot in tops.values())
    for row, spot in firsts.items():
        if not is_flat or spot.x <= min(each.x for each in firsts.values()) + size * 0.1:
            yield _label(f"row.{group.name}", rows[row], spot.x - reach - 10 - gap, spot.y)
    for column, spot in tops.items():
        if spot.y <= highest + size:
            yield _label(f"column.{group.name}", columns[column], spot.x, highest - size - 9 - gap)


# Graphs


def _graph_board(
    group: GroupMaterial, links: Sequence[LinkMaterial], look: BoardStyle, lines: frozenset[str]
) -> _Board:
    ends = _ends_of_lines(group, links, lines)
    names = [tile.name for tile in group.tiles if tile.name not in ends]
    points = lay_out_graph(names, [*((link.start, link.end) for link in links), *ends.values()])
    if look.layout == "pits":
        points = {name: (x, y * PIT_STRETCH) for name, (x, y) in points.items()}
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    across = max(x for x, _ in points.values()) - left
    down = max(y for _, y in points.values()) - top
    unit = _scale(max(across, down * 0.8) + 1, GRAPH_UNITS_WITH_LINES if ends else GRAPH_UNITS) * look.scale
    closest, above = _closest(list(points.values())) if len(points) <= MAX_COMPARED else (1.0, 1.0)
    radius = max(min(unit * 0.42, unit * closest * 0.42, (unit * above - NAME_HEIGHT) / 2), 9.0)
    radius = min(radius, LINE_ENDS) if ends else radius
    pad = PADS.get(look.layout, 16.0) if look.ground else 12.0
    margin = max(MARGIN, radius + pad + 2)
    middle = margin + across * unit / 2, margin + down * unit / 2
    spots: dict[str, TileSpot] = {}
    labels: list[SceneItem] = []
    # On crossings of lines, pieces would hide names below them.
    squares = chess_squares(names) if look.layout == "lines" else {}
    for name, (x, y) in points.items():
        place = margin + (x - left) * unit, margin + (y - top) * unit
        dx, dy = place[0] - middle[0], place[1] - middle[1]
        length = hypot(dx, dy) or 1.0
        form = "pit" if look.layout == "pits" else "node"
        spots[name] = TileSpot(*place, radius, form, (), (dx / length, dy / length))
        if name not in squares:
            labels.append(_node_label(group, name, place[0], place[1] + radius + 8, look))
    labels += _crossing_labels(group, {name: spots[name] for name in squares}, look)
    spots.update(_line_spots(ends, spots))
    width, height = across * unit + 2 * margin, down * unit + 2 * margin
    return _Board(width, height, spots, tuple(labels), group, "graph", look)


def _ends_of_lines(
    group: GroupMaterial, links: Sequence[LinkMaterial], lines: frozenset[str]
) -> dict[str, tuple[str, str]]:
    """The two tiles that each line joins. A tile of such a kind with other neighbours is a node."""
    wanted = {tile.name for tile in group.tiles if tile.kind in lines}
    others = {tile.name for tile in group.tiles} - wanted
    joined: dict[str, dict[str, None]] = {name: {} for name in sorted(wanted)}
    for link in links if wanted else ():
        for name, other in ((link.start, link.end), (link.end, link.start)):
            if name in joined:
                joined[name][other] = None
    ends = {name: tuple(sorted(found)) for name, found in joined.items()}
    return {name: (both[0], both[1]) for name, both in ends.items() if len(both) == 2 and others >= set(both)}


def _line_spots(
    ends: Mapping[str, tuple[str, str]], spots: Mapping[str, TileSpot]
) -> Iterator[tuple[str, TileSpot]]:
    """Each line between the borders of its ends; several lines between the same ends are side by side."""
    beside: dict[tuple[str, str], list[str]] = {}
    for name, both in ends.items():
        beside.setdefault(both, []).append(name)
    for (start, end), names in beside.items():
        one, two = spots[start], spots[end]
        dx, dy = two.x - one.x, two.y - one.y
        length = hypot(dx, dy) or 1.0
        dx, dy = dx / length, dy / length
        for index, name in enumerate(names):
            aside = (index - (len(names) - 1) / 2) * LINE_GAP
            x, y = (one.x + two.x) / 2 - dy * aside, (one.y + two.y) / 2 + dx * aside
            half = max(length / 2 - one.radius, 8.0)
            points = ((x - dx * half, y - dy * half), (x + dx * half, y + dy * half))
            yield name, TileSpot(x, y, 7.0, "side", points)


def _crossing_labels(
    group: GroupMaterial, spots: Mapping[str, TileSpot], look: BoardStyle
) -> Iterator[SceneItem]:
    """The numbers of the rows on the left, and the letters of the columns below."""
    rows = {name[1:]: spot.y for name, spot in spots.items()}
    columns = {name[0]: spot.x for name, spot in spots.items()}
    left = min((spot.x - spot.radius for spot in spots.values()), default=0.0)
    bottom = max((spot.y + spot.radius for spot in spots.values()), default=0.0)
    for row, y in rows.items():
        yield _node_label(group, row, left - 7, y, look)
    for column, x in columns.items():
        yield _node_label(group, column, x, bottom + 7, look)


def _node_label(group: GroupMaterial, name: str, x: float, y: float, look: BoardStyle) -> SceneItem:
    label = _label(f"node.{group.name}", name, x, y)
    return replace(label, style="place-name") if look.ground else label


def _long_board(group: GroupMaterial, links: Sequence[LinkMaterial], look: BoardStyle) -> _Board | None:
    """A track of long triangles in two rows, as in backgammon; None if it is not a folded track."""
    names = [tile.name for tile in group.tiles]
    tiles = long_tiles(lay_out_graph(names, [(link.start, link.end) for link in links]))
    if not tiles:
        return None
    columns = max(tile.column for tile in tiles.values()) + 1
    unit = _scale(columns, GRAPH_UNITS) * look.scale
    length = 5 * unit * 0.92
    top, bottom = MARGIN + 6.0, MARGIN + 6.0 + 2 * length + unit
    spots: dict[str, TileSpot] = {}
    labels: list[SceneItem] = []
    for name, tile in tiles.items():
        x = MARGIN + (tile.column + 0.5) * unit
        base, along = (top, 1.0) if tile.is_above else (bottom, -1.0)
        half = unit * 0.46
        end = base + along * length
        points = ((x - half, base), (x + half, base), (x, end))
        if tile.is_beside:
            points = ((x - half, base), (x + half, base), (x + half, end), (x - half, end))  # type: ignore[assignment]
        spots[name] = TileSpot(
            x, base + along * unit * 0.48, unit * 0.46, "long", points, (0.0, -along), length
        )
        labels.append(_node_label(group, name, x, base - along * 9, look))
    return _Board(
        columns * unit + 2 * MARGIN, bottom + MARGIN + 6, spots, tuple(labels), group, "graph", look
    )


def _closest(points: Sequence[PlanePoint]) -> tuple[float, float]:
    """The least distance between two points, and between two that are above one another; 1 without any."""
    apart = [
        (abs(one[0] - two[0]), abs(one[1] - two[1])) for at, one in enumerate(points) for two in points[:at]
    ]
    above = [dy for dx, dy in apart if dx < 0.6]
    return min((hypot(dx, dy) for dx, dy in apart), default=1.0), min(above, default=1.0)


# Items


def _grounds(board: _Board, spots: Mapping[str, TileSpot]) -> Iterator[SceneItem]:
    if len(spots) > MAX_CELLS:
        return
    for index, tile in enumerate(board.group.tiles):
        spot = spots[tile.name]
        style, colour = board.style, board.look.tile_colour(0)
        if style == "checkered":
            is_other = sum(tile.cells[0]) % 2
            style, colour = "dark" if is_other else "light", board.look.tile_colour(is_other)
        elif style == "points" and board.look.ground:
            style = "clear"
        elif board.look.layout == "lines":
            style = "crossing"
        elif spot.form == "long":
            colour = board.look.tile_colour(index) if len(spot.points) == 3 else ""
        yield replace(_cell_item(tile.name, spot, style), colour=colour)
    if board.style == "points":
        yield from _point_lines(board.group, spots)
    for name, spot in spots.items():
        if spot.form in ("corner", "side"):
            yield _cell_item(name, spot, spot.form)


def _background(board: _Board, spots: Mapping[str, TileSpot]) -> Iterator[SceneItem]:
    """The ground below the tiles of a board that has one."""
    if board.look.ground or len(spots) > MAX_CELLS:
        found = spots.values()
        xs = [x for spot in found for x, _ in spot.points] + [
            spot.x + r for spot in found for r in _reach(spot)
        ]
        ys = [y for spot in found for _, y in spot.points] + [
            spot.y + r for spot in found for r in _reach(spot)
        ]
        pad = PADS.get(board.look.layout, 16.0 if board.style == "graph" else 5.0)
        left, right, top, bottom = min(xs) - pad, max(xs) + pad, min(ys) - pad, max(ys) + pad
        yield SceneItem(
            item_id("board", board.group.name),
            ItemKind.CELL,
            (left + right) / 2,
            (top + bottom) / 2,
            right - left,
            bottom - top,
            ((left, top), (right, top), (right, bottom), (left, bottom)),
            colour=board.look.ground or board.look.tile_colour(0) or PLAIN_CELL,
            style="board",
            title=f"{board.label}: {len(board.group.tiles)} tiles",
        )


def _reach(spot: TileSpot) -> tuple[float, float]:
    return -spot.radius, spot.radius


def _cell_item(name: str, spot: TileSpot, style: str) -> SceneItem:
    return SceneItem(
        item_id("cell", name),
        ItemKind.CELL,
        spot.x,
        spot.y,
        width=2 * spot.radius,
        height=2 * spot.radius,
        points=spot.points,
        style=style,
        title=name,
        of=of_things(name),
    )


def _point_lines(group: GroupMaterial, spots: Mapping[str, TileSpot]) -> Iterator[SceneItem]:
    """The lines through neighbouring points, as on a board of Go."""
    by_cell = {tile.cells[0]: tile.name for tile in group.tiles}
    for (column, row), name in by_cell.items():
        for other in ((column + 1, row), (column, row + 1)):
            if other in by_cell:
                yield _line(name, by_cell[other], spots, "grid")


def _link_items(
    arrangement: Arrangement, spots: Mapping[str, TileSpot], on_ground: Set[str]
) -> Iterator[SceneItem]:
    """The links of adjacent tiles. Those of the given groups lie on a ground, which no page darkens."""
    groups = {tile.name: group for group in arrangement.groups for tile in group.tiles}
    for link in arrangement.links[:MAX_CELLS]:
        if link.start not in spots or link.end not in spots:
            continue
        if spots[link.start].form == spots[link.end].form == "long":
            continue  # the row of the tiles shows which ones are neighbours
        is_inside = groups[link.start] is groups[link.end] and groups[link.start].shape == "adjacency"
        style = "link" if is_inside else "portal"
        if is_inside and groups[link.start].name in on_ground:
            style = "link on-ground"
        yield _line(link.start, link.end, spots, style if link.is_both_ways else f"{style} one-way")


def _wall_items(arrangement: Arrangement, spots: Mapping[str, TileSpot]) -> Iterator[SceneItem]:
    """A wall stands on the border of two cells; where cells only touch at a corner, there is no border."""
    for wall in arrangement.walls:
        one, two = spots.get(wall.start), spots.get(wall.end)
        if one is None or two is None or not (one.points and two.points) or one.form in ("corner", "side"):
            continue
        near = [
            a
            for a in one.points
            if any(abs(a[0] - b[0]) < 0.5 and abs(a[1] - b[1]) < 0.5 for b in two.points)
        ]
        if len(near) == 2:
            yield SceneItem(
                item_id("wall", wall.start, wall.end),
                ItemKind.LINE,
                (near[0][0] + near[1][0]) / 2,
                (near[0][1] + near[1][1]) / 2,
                points=tuple(near),
                style="wall" if wall.is_both_ways else "wall one-way",
                title=f"no way from {wall.start} to {wall.end}",
            )


def _line(start: str, end: str, spots: Mapping[str, TileSpot], style: str) -> SceneItem:
    one, two = spots[start], spots[end]
    return SceneItem(
        item_id("line", start, end),
        ItemKind.LINE,
        (one.x + two.x) / 2,
        (one.y + two.y) / 2,
        points=((one.x, one.y), (two.x, two.y)),
        width=two.radius,
        style=style,
    )


def _shifted(spot: TileSpot, dx: float, dy: float) -> TileSpot:
    points = tuple((x + dx, y + dy) for x, y in spot.points)
    return replace(spot, x=spot.x + dx, y=spot.y + dy, points=points)
