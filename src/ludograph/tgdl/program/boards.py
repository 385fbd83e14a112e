"""The board of a typed program. A configuration (players, options) decides its size later."""

from enum import Enum

from ludograph.text import Span
from ludograph.tgdl.program.expressions import Expression
from ludograph.tgdl.program.statements import Block
from ludograph.tgdl.syntax.traversal import ProgramNode


class GroupShape(Enum):
    SQUARE = "square"
    SQUARE_AROUND = "square around"
    HEX_ROW = "hex row"
    HEX_COL = "hex col"
    RHOMBUS = "hex rhombus"
    HEXAGON = "hex hexagon"
    GRAPH = "adjacency"
    CORNERS = "corners"
    SIDES = "sides"


class Node(ProgramNode, frozen=True):
    """A node of a graph: its name, its tile construct and its initial values."""

    name: str
    construct: str
    values: tuple[tuple[int, Expression], ...]
    span: Span


class Spot(ProgramNode, frozen=True):
    """A tile named by its coordinates or by its name, in a group."""

    group: str
    row: int | None
    column: int | None
    name: str | None
    span: Span


class Connection(ProgramNode, frozen=True):
    """A link that is added or removed, in one direction or both, with the cost of each direction."""

    first: Spot
    second: Spot
    adds: bool
    both_ways: bool
    there: float
    back: float
    span: Span


class Group(ProgramNode, frozen=True):
    """A group of tiles: rows of construct names (None is a gap), a size, a graph, or corners or sides."""

    name: str
    shape: GroupShape
    rows: tuple[tuple[str | None, ...], ...]
    size: tuple[Expression, ...]
    """`n by m`, or the radius of a hexagon."""
    tile: str | None
    """The construct of all tiles, if they have the same one."""
    of: str | None
    nodes: tuple[Node, ...]
    chains: tuple[tuple[str, ...], ...]
    """The chains in the source of a graph. They are its lines."""
    connections: tuple[Connection, ...]
    condition: Expression | None
    filling: Block | None
    """Its `default` block, which adds tiles once when the game is loaded."""
    naming: str | None
    """"a1" for `names a1`."""
    frame: int
    span: Span
    file: int = 0


class Board(ProgramNode, frozen=True):
    groups: tuple[Group, ...]
    borders: tuple[Connection, ...]
    changes: frozenset[str]
    """The groups, and kinds of tiles outside of groups, whose links the program may change in play."""
