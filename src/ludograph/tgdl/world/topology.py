"""The topology of a board: neighbours, weights, directions, lines, corners, sides, cells and names.

A `GroupPlan` describes a group: its shape, and its tiles with coordinates or names. A `Topology` is computed
from the plans and from the `Edits`, a value in the state that holds the changes made during play. A board
that never changes has one topology.
"""

from collections.abc import Iterable
from heapq import heappop, heappush

from msgspec import Struct
from msgspec.structs import replace

from ludograph.geometry import hex_places, square_places
from ludograph.geometry.boards import HexBoard, SquareBoard
from ludograph.geometry.hex_places import HexCorner, HexSide
from ludograph.geometry.hexes import Hex
from ludograph.geometry.square_places import SquareCorner, SquareSide
from ludograph.geometry.squares import Square
from ludograph.tgdl.program import GroupShape
from ludograph.tgdl.world.memory import Instance

MAX_TILES_OF_CACHED_DISTANCES = 1000
"""Up to this number of tiles, a topology caches the distances between all tiles."""
MAX_CACHED_TILES = 1_000_000
"""The greatest number of tiles in cached lines."""
# Steps to the neighbours by direction, clockwise. Direction 0 is north on squares and in `hex col`, and
# north-east in `hex row`. Steps of squares are (row, column).
_SQUARE_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
# Steps of hexes are axial (q, r).
_HEX_ROW_STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
_HEX_COL_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
SQUARES = frozenset({GroupShape.SQUARE, GroupShape.SQUARE_AROUND})
HEXES = frozenset({GroupShape.HEX_ROW, GroupShape.HEX_COL, GroupShape.RHOMBUS, GroupShape.HEXAGON})

CornerOrSide = HexCorner | HexSide | SquareCorner | SquareSide


class TilePlan(Struct, frozen=True):
    """A tile and its place in its group."""

    tile: Instance
    row: int | None
    column: int | None
    name: str
    place: "CornerOrSide | None" = None
    """The corner or side, for a tile of a group of corners or sides."""


class GroupPlan(Struct, frozen=True):
    """A group as the program declares it."""

    name: str
    shape: GroupShape
    tiles: tuple[TilePlan, ...]
    of: str | None = None
    """The group of cells, for a group of their corners or sides."""
    chains: tuple[tuple[Instance, ...], ...] = ()
    """The lines of a graph, as the program declares them."""


class LinkPlan(Struct, frozen=True):
    """A directed link that is added (with a weight) or removed (weight None)."""

    start: Instance
    end: Instance
    weight: float | None


class Edits(Struct, frozen=True):
    """The changes of a board during play, in canonical form: equal boards have equal edits."""

    placed: tuple[tuple[Instance, str, int, int], ...] = ()
    """Added tiles: tile, group, row, column; sorted by the number of the tile."""
    taken: tuple[Instance, ...] = ()
    """Removed tiles of the plan, sorted by their numbers."""
    absent: tuple[str, ...] = ()
    """Groups that are not on the board."""
    links: tuple[tuple[Instance, Instance, float | None], ...] = ()
    """Added or removed (weight None) links, sorted by the numbers of their tiles."""

    def with_link(self, start: Instance, end: Instance, weight: float | None) -> "Edits":
        kept = [link for link in self.links if (link[0], link[1]) != (start, end)]
        links = sorted([*kept, (start, end, weight)], key=lambda link: (link[0].number, link[1].number))
        return replace(self, links=tuple(links))

    def with_tile(self, tile: Instance, group: str, row: int, column: int) -> "Edits":
        placed = sorted([*self.placed, (tile, group, row, column)], key=lambda place: place[0].number)
        return replace(self, placed=tuple(placed))

    def without_tile(self, tile: Instance) -> "Edits":
        if any(place[0] is tile for place in self.placed):
            return replace(self, placed=tuple(place for place in self.placed if place[0] is not tile))
        return replace(self, taken=tuple(sorted([*self.taken, tile], key=lambda each: each.number)))

    def canonical(self) -> "Edits":
        """The same changes in canonical form: sorted and without duplicates."""
        return Edits(
            tuple(sorted(set(self.placed), key=lambda place: place[0].number)),
            tuple(sorted(set(self.taken), key=lambda tile: tile.number)),
            tuple(sorted(set(self.absent))),
            tuple(sorted(set(self.links), key=lambda link: (link[0].number, link[1].number))),
        )


class Topology:
    """The neighbourhood relations of a board. Lines and distances are computed on demand and cached."""

    def __init__(
        self, plans: Iterable[GroupPlan], links: Iterable[LinkPlan] = (), edits: Edits | None = None
    ) -> None:
        self.plans = tuple(_edited(plan, edits) for plan in plans) if edits else tuple(plans)
        self.tiles: dict[str, tuple[Instance, ...]] = {}
        """By group."""
        self.at: dict[str, dict[tuple[int, int], Instance]] = {}
        """By group, then by (row, column)."""
        self.by_name: dict[tuple[str, str], Instance] = {}
        """By group and name of the tile."""
        self.group: dict[Instance, str] = {}
        self.row: dict[Instance, float | None] = {}
        self.column: dict[Instance, float | None] = {}
        self.name: dict[Instance, str] = {}
        self.next: dict[Instance, tuple[Instance | None, ...]] = {}
        """The neighbour of a tile in each direction; None at the edge of the board."""
        self.links: dict[Instance, dict[Instance, float]] = {}
        """The weights of the links of a tile, by the tile at the other end."""
        self.corners: dict[Instance, tuple[Instance, ...]] = {}
        self.sides: dict[Instance, tuple[Instance, ...]] = {}
        self.cells: dict[Instance, tuple[Instance, ...]] = {}
        self.shape: dict[Instance, GroupShape] = {}
        self._chains: dict[Instance, tuple[tuple[Instance, ...], ...]] = {}
        self._lines: dict[tuple[Instance, int], tuple[Instance, ...]] = {}
        self._runs: dict[tuple[Instance, int], tuple[tuple[Instance, ...], ...]] = {}
        self._distances: dict[Instance, dict[Instance, float]] = {}
        self._cached_tiles = 0
        """The number of tiles in cached lines."""
        for plan in self.plans:
            self._add_tiles(plan)
        for plan in self.plans:
            self._link_neighbours(plan)
        self._apply_links(links)
        if edits:
            self._apply_links(LinkPlan(start, end, weight) for start, end, weight in edits.links)
        for plan in self.plans:
            if plan.shape is GroupShape.GRAPH:
                for planned in plan.tiles:
                    ends = (end for end in self.links[planned.tile] if self.group[end] == plan.name)
                    self.next[planned.tile] = tuple(ends)
        self.adjacent = {tile: tuple(ends) for tile, ends in self.links.items()}
        """All tiles that a tile has a link to."""
        self.link_count = sum(map(len, self.links.values()))
        count = len(self.group)
        # A game has one unchanged board but may have hundreds of changed ones.
        self._max_cached_starts = (
            count if count <= MAX_TILES_OF_CACHED_DISTANCES and not edits else 1 + 20_000 // max(1, count)
        )

    # Queries

    def next_in(self, tile: Instance, direction: int) -> Instance | None:
        """The next tile in a direction. Directions wrap around."""
        neighbours = self.next.get(tile, ())
        return neighbours[direction % len(neighbours)] if neighbours else None

    def _line_start(self, tile: Instance, direction: int, length: int) -> tuple[Instance, ...]:
        """The first tiles in a direction, at most so many."""
        tiles: dict[Instance, None] = {}
        at = self.next_in(tile, direction)
        while len(tiles) < length and at is not None and at is not tile and at not in tiles:
            tiles[at] = None
            at = self.next_in(at, direction)
        return tuple(tiles)

    def line(self, tile: Instance, direction: int) -> tuple[Instance, ...]:
        """The tiles in a direction, up to the end of the board."""
        neighbours = self.next.get(tile, ())
        if not neighbours:
            return ()
        # Equal directions here may differ on tiles with another number of directions, so do not reduce them.
        key = (tile, direction)
        found = self._lines.get(key)
        if found is None:
            tiles: dict[Instance, None] = {}
            at = neighbours[direction % len(neighbours)]
            while at is not None and at is not tile and at not in tiles:
                tiles[at] = None
                at = self.next_in(at, direction)
            found = tuple(tiles)
            if 0 <= direction < len(neighbours):
                self._count_cached_tiles(len(found))
                self._lines[key] = found
        return found

    def runs(self, tile: Instance, length: int) -> tuple[tuple[Instance, ...], ...]:
        """The runs through a tile: parts of a line with `length` tiles; for length 0 the whole lines."""
        key = (tile, length)
        found = self._runs.get(key)
        if found is None:
            found = tuple(self._find_runs(tile, length))
            self._count_cached_tiles(sum(map(len, found)))
            self._runs[key] = found
        return found

    def count_run_elements(self, tile: Instance, length: int) -> int:
        """The number of elements in the result of `runs`, including those of its lists."""
        found = self._runs.get((tile, length))
        if found is not None:
            return len(found) + sum(map(len, found))
        total = 0
        for line, index in self._lines_near(tile, length):
            if length:
                total += (length + 1) * len(_window_starts(line, index, length))
            elif len(line) > 1 or self.shape.get(tile) is GroupShape.GRAPH:
                total += 1 + len(line)
        return total

    def _count_cached_tiles(self, count: int) -> None:
        """Add to the number of tiles in cached lines; clear the caches when there are too many."""
        self._cached_tiles += count
        if self._cached_tiles > MAX_CACHED_TILES:
            self._lines.clear()
            self._runs.clear()
            self._cached_tiles = count

    def between(self, first: Instance, second: Instance) -> tuple[Instance, ...]:
        """The tiles between two tiles on one line; empty if no line contains both."""
        for direction in range(len(self.next.get(first, ()))):
            line = self.line(first, direction)
            if second in line:
                return line[: line.index(second)]
        return ()

    def distance(self, first: Instance, second: Instance) -> float | None:
        """The length of the shortest path between two tiles; None if there is no path."""
        if first not in self._distances:
            if len(self._distances) >= self._max_cached_starts:
                self._distances.clear()
            self._distances[first] = self._shortest_distances(first)
        return self._distances[first].get(second)

    def tile_at(self, group: str, row: float, column: float) -> Instance | None:
        """The tile of a group at whole coordinates; None if there is no tile."""
        return self.at.get(group, {}).get((int(row), int(column)))

    # Construction

    def _add_tiles(self, plan: GroupPlan) -> None:
        self.tiles[plan.name] = tuple(planned.tile for planned in plan.tiles)
        by_coordinates = self.at[plan.name] = {}
        for planned in plan.tiles:
            tile = planned.tile
            self.group[tile] = plan.name
            self.shape[tile] = plan.shape
            self.name[tile] = planned.name
            self.by_name[plan.name, planned.name] = tile
            self.row[tile] = None if planned.row is None else float(planned.row)
            self.column[tile] = None if planned.column is None else float(planned.column)
            self.links[tile] = {}
            if planned.row is not None and planned.column is not None:
                by_coordinates[planned.row, planned.column] = tile

    def _link_neighbours(self, plan: GroupPlan) -> None:
        by_coordinates = self.at[plan.name]
        if plan.shape in SQUARES:
            only_sides = plan.shape is GroupShape.SQUARE
            for (row, column), tile in by_coordinates.items():
                self.next[tile] = tuple(
                    None if only_sides and number % 2 else by_coordinates.get((row + down, column + right))
                    for number, (down, right) in enumerate(_SQUARE_STEPS)
                )
        elif plan.shape in HEXES:
            steps = _HEX_COL_STEPS if plan.shape is GroupShape.HEX_COL else _HEX_ROW_STEPS
            axial = {axial_of(plan.shape, coordinates): tile for coordinates, tile in by_coordinates.items()}
            for cell, tile in axial.items():
                self.next[tile] = tuple(axial.get(Hex(cell.q + q, cell.r + r)) for q, r in steps)
        elif plan.shape in (GroupShape.CORNERS, GroupShape.SIDES):
            self._link_places(plan)
        for chain in plan.chains:
            for tile in chain:
                if chain not in self._chains.get(tile, ()):
                    self._chains[tile] = (*self._chains.get(tile, ()), chain)
        for planned in plan.tiles:
            for end in self.next.get(planned.tile, ()):
                if end is not None:
                    self.links[planned.tile][end] = 1.0

    def _link_places(self, plan: GroupPlan) -> None:
        """Link the corners (or sides) of a group to each other, to its cells and its sides (or corners)."""
        assert plan.of is not None
        of = next((other for other in self.plans if other.name == plan.of), None)
        if of is None:
            return  # this configuration does not have the group
        cells = tiles_by_cell(of)
        wants_corners = plan.shape is GroupShape.CORNERS
        tile_of = _tiles_by_place(plan)
        around: dict[CornerOrSide, list[Instance]] = {place: [] for place in tile_of}
        for cell, tile in cells.items():
            own_places = places_around(cell, corners=wants_corners)
            own = tuple(tile_of[place] for place in own_places if place in tile_of)
            (self.corners if wants_corners else self.sides)[tile] = own
            for place in own_places:
                if place in around:
                    around[place].append(tile)
        for place, tile in tile_of.items():
            self.cells[tile] = tuple(around[place])
            ends = (tile_of[end] for end in place.neighbours if end in tile_of)
            self.links[tile] = dict.fromkeys(ends, 1.0)
            self.next[tile] = tuple(self.links[tile])
        # Link corners with sides of the same group, whichever was added first.
        for other in self.plans:
            if other.of != plan.of or other.shape is plan.shape or other.name not in self.tiles:
                continue
            others = _tiles_by_place(other)
            for place, tile in tile_of.items():
                if isinstance(place, HexCorner | SquareCorner):
                    self.sides[tile] = tuple(others[side] for side in place.sides if side in others)
                else:
                    self.corners[tile] = tuple(others[corner] for corner in place.corners if corner in others)

    def _apply_links(self, links: Iterable[LinkPlan]) -> None:
        """Add and remove links; a removed link also removes the neighbour in its direction."""
        for link in links:
            if link.start not in self.links or link.end not in self.links:
                continue
            if link.weight is not None:
                self.links[link.start][link.end] = link.weight
                continue
            self.links[link.start].pop(link.end, None)
            neighbours = self.next.get(link.start, ())
            self.next[link.start] = tuple(None if end is link.end else end for end in neighbours)

    def _find_runs(self, tile: Instance, length: int) -> Iterable[tuple[Instance, ...]]:
        for line, index in self._lines_near(tile, length):
            if length:
                yield from _windows(line, index, length)
            elif len(line) > 1 or self.shape.get(tile) is GroupShape.GRAPH:
                yield line

    def _lines_near(self, tile: Instance, length: int) -> list[tuple[tuple[Instance, ...], int]]:
        """The lines through a tile, as far as runs of a length can reach; for length 0 the whole lines."""
        if not length or self.shape.get(tile) is GroupShape.GRAPH:
            return self.whole_lines(tile)
        found = []
        directions = len(self.next.get(tile, ()))
        for direction in range(directions // 2):
            before = self._line_start(tile, direction + directions // 2, length - 1)[::-1]
            after = self._line_start(tile, direction, length - 1)
            found.append(((*before, tile, *after), len(before)))
        return found

    def whole_lines(self, tile: Instance) -> list[tuple[tuple[Instance, ...], int]]:
        """The lines through a tile (some may contain only the tile), each with the tile's index in it."""
        if self.shape.get(tile) is GroupShape.GRAPH:
            return [(chain, chain.index(tile)) for chain in self._chains.get(tile, ())]
        found = []
        directions = len(self.next.get(tile, ()))
        for direction in range(directions // 2):
            before = tuple(reversed(self.line(tile, direction + directions // 2)))
            found.append(((*before, tile, *self.line(tile, direction)), len(before)))
        return found

    def _shortest_distances(self, start: Instance) -> dict[Instance, float]:
        """The length of the shortest path to each reachable tile, by Dijkstra's algorithm."""
        reached: dict[Instance, float] = {}
        queue: list[tuple[float, int, Instance]] = [(0.0, 0, start)]
        count = 0
        while queue:
            distance, _, tile = heappop(queue)
            if tile in reached:
                continue
            reached[tile] = distance
            for end, weight in self.links.get(tile, {}).items():
                if end not in reached:
                    count += 1
                    heappush(queue, (distance + weight, count, end))
        return reached


def axial_of(shape: GroupShape, coordinates: tuple[int, int]) -> Hex:
    """The axial cell at the coordinates of a hex group."""
    first, second = coordinates
    match shape:
        case GroupShape.HEX_ROW:
            return Hex(second - first // 2, first)
        case GroupShape.HEX_COL:
            return Hex(first, second - first // 2)
        case _:
            return Hex(second, first)


def coordinates_of(shape: GroupShape, cell: Hex | Square) -> tuple[int, int]:
    """The coordinates of a cell of a square or hex group: the inverse of `axial_of`.

    >>> coordinates_of(GroupShape.HEX_ROW, axial_of(GroupShape.HEX_ROW, (3, 5)))
    (3, 5)
    """
    if isinstance(cell, Square):
        return cell.y, cell.x
    match shape:
        case GroupShape.HEX_ROW:
            return cell.r, cell.q + cell.r // 2
        case GroupShape.HEX_COL:
            return cell.q, cell.r + cell.q // 2
        case _:
            return cell.r, cell.q


def steps_of(shape: GroupShape, first: int) -> tuple[tuple[int, int] | None, ...]:
    """By direction: the difference of coordinates to the neighbour, for a tile with this first coordinate.

    >>> steps_of(GroupShape.SQUARE, 0)[:3]
    ((-1, 0), None, (0, 1))
    """
    if shape in SQUARES:
        only_sides = shape is GroupShape.SQUARE
        return tuple(None if only_sides and number % 2 else step for number, step in enumerate(_SQUARE_STEPS))
    here = axial_of(shape, (first, 0))
    found = []
    for q, r in _HEX_COL_STEPS if shape is GroupShape.HEX_COL else _HEX_ROW_STEPS:
        row, column = coordinates_of(shape, Hex(here.q + q, here.r + r))
        found.append((row - first, column))
    return tuple(found)


def tiles_by_cell(plan: GroupPlan) -> dict[Hex, Instance] | dict[Square, Instance]:
    """The tiles of a square or hex group by their cell in `ludograph.geometry`."""
    tiles = [
        (planned.row, planned.column, planned.tile)
        for planned in plan.tiles
        if planned.row is not None and planned.column is not None
    ]
    if plan.shape in SQUARES:
        return {Square(column, row): tile for row, column, tile in tiles}
    return {axial_of(plan.shape, (row, column)): tile for row, column, tile in tiles}


def places_of(plan: GroupPlan, *, corners: bool) -> tuple[CornerOrSide, ...]:
    """The corners or sides of a group, in reading order."""
    cells = tiles_by_cell(plan)
    board = (
        SquareBoard(cell for cell in cells if isinstance(cell, Square))
        if plan.shape in SQUARES
        else HexBoard(cell for cell in cells if isinstance(cell, Hex))
    )
    return board.corners() if corners else board.sides()


def _tiles_by_place(plan: GroupPlan) -> dict[CornerOrSide, Instance]:
    return {planned.place: planned.tile for planned in plan.tiles if planned.place is not None}


def places_around(cell: Hex | Square, *, corners: bool) -> tuple[CornerOrSide, ...]:
    """The corners or sides of a cell, clockwise."""
    if isinstance(cell, Square):
        return square_places.corners_of(cell) if corners else square_places.sides_of(cell)
    return hex_places.corners_of(cell) if corners else hex_places.sides_of(cell)


def _windows(line: tuple[Instance, ...], index: int, length: int) -> Iterable[tuple[Instance, ...]]:
    """The parts of a line of a length that contain an index."""
    for start in _window_starts(line, index, length):
        yield line[start : start + length]


def _window_starts(line: tuple[Instance, ...], index: int, length: int) -> range:
    """The start indexes of the windows of a length that contain an index."""
    return range(max(0, index - length + 1), max(0, min(index, len(line) - length) + 1))


def _edited(plan: GroupPlan, edits: Edits) -> GroupPlan:
    if plan.name in edits.absent:
        return replace(plan, tiles=(), chains=())
    taken = frozenset(edits.taken)
    kept = tuple(planned for planned in plan.tiles if planned.tile not in taken)
    added = tuple(
        TilePlan(tile, row, column, f"{group}[{row}][{column}]")
        for tile, group, row, column in edits.placed
        if group == plan.name
    )
    chains = tuple(chain for chain in plan.chains if taken.isdisjoint(chain))
    return replace(plan, tiles=kept + added, chains=chains)


def chess_name(row: int, column: int, rows: int) -> str:
    """The name of a square as in chess: letters for columns, rows counted from the bottom.

    >>> chess_name(7, 0, 8)
    'a1'
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"{letters}{rows - row}"
