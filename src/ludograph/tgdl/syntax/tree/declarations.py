"""Syntax tree: declarations at the top of a file, constructs and boards.

`File` is the root.
"""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.actions import Action, Effect, Goal, PlayerCount, Resample, Setup, Verb
from ludograph.tgdl.syntax.tree.appearance import AppearanceBlock
from ludograph.tgdl.syntax.tree.expressions import (
    Chain,
    Dimension,
    ErrorNode,
    Expression,
    FieldValue,
    Number,
    Path,
    Range,
    Text,
    TypeName,
    Word,
)
from ludograph.tgdl.syntax.tree.rule_tests import RuleTest
from ludograph.tgdl.syntax.tree.statements import Block, Input

GAP = "b"
"""The word for a gap in a row: a place without a tile."""

# Headers


class LanguageHeader(Struct, frozen=True, eq=False):
    """`language 1;`: the language version of the file."""

    version: Number
    span: Span


class GameHeader(Struct, frozen=True, eq=False):
    """`game "name";`."""

    name: Text
    span: Span


class PlayersHeader(Struct, frozen=True, eq=False):
    """`players 2..4 has seat;`: the numbers of players, and the states of each player."""

    counts: tuple[PlayerCount, ...]
    states: tuple[Path, ...]
    span: Span


class Import(Struct, frozen=True, eq=False):
    """`import "file.tgdl" as name;`."""

    file: Text
    name: Word | None
    span: Span


# Values known before the game starts


class Constant(Struct, frozen=True, eq=False):
    """`const type name = value;`."""

    type: TypeName
    name: Word
    value: Expression
    span: Span


class Option(Struct, frozen=True, eq=False):
    """`option type name = value from a to b;` or `… in { … };`: constant during a game."""

    type: TypeName
    name: Word
    value: Expression
    bounds: Range | None
    choices: Expression | None
    span: Span


class MemberNumber(Struct, frozen=True, eq=False):
    """`= 5` after a value of an enum; `place` counts the values from 0."""

    place: int
    value: float
    span: Span


class Enumeration(Struct, frozen=True, eq=False):
    """`enum name { value, value = 5, … }`."""

    name: Word
    values: tuple[Word, ...]
    numbers: tuple[MemberNumber, ...]
    span: Span


# Constructs


class Secrecy(Enum):
    """The players who can see a value: everybody, its owner or nobody."""

    OPEN = "open"
    PRIVATE = "private"
    HIDDEN = "hidden"


class Attribute(Struct, frozen=True, eq=False):
    """`[override] [private|hidden] [untracked] [sealed] type name = value from a to b;`."""

    override: bool
    secrecy: Secrecy
    untracked: bool
    sealed: bool
    type: TypeName
    name: Word
    value: Expression | None
    bounds: Range | None
    span: Span


class VisibleBlock(Struct, frozen=True, eq=False):
    """`visible to players { parts }`: the players who can see these parts."""

    visible_to: Expression
    parts: tuple["ConstructPart", ...]
    span: Span


class Stack(Struct, frozen=True, eq=False):
    """`[private|hidden] [sealed] stack[keys] name [of card] [: base] { parts }`.

    With keys it is a table of stacks. `default` gives the initial content of each, with the top at the end. A
    semicolon may replace the parts and the default.
    """

    override: bool
    secrecy: Secrecy
    sealed: bool
    dimensions: tuple[Dimension, ...]
    name: Word
    of: Path | None
    base: Path | None
    parts: tuple["ConstructPart", ...]
    default: Block | None
    span: Span


ConstructPart = Attribute | Stack | Action | Verb | VisibleBlock | ErrorNode


class Scope(Enum):
    LOCAL = "local"
    GROUP = "group"
    GLOBAL = "global"


class State(Struct, frozen=True, eq=False):
    """`[sealed] [local|group|global] state name [: base] { parts }`; the default scope is LOCAL."""

    secrecy: Secrecy
    sealed: bool
    scope: Scope
    name: Word
    base: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span


class Tile(Struct, frozen=True, eq=False):
    """`tile name [: base] [holds piece] { parts }`."""

    name: Word
    base: Path | None
    holds: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span


class InteractableKind(Enum):
    PLACEABLE = "placeable"
    STACKABLE = "stackable"


class Interactable(Struct, frozen=True, eq=False):
    """`interactable name kind, kind [named attribute, …] [interchangeable] [: base] { parts }`."""

    name: Word
    kinds: tuple[InteractableKind, ...]
    names: tuple[Word, ...]
    """The attributes after `named`, whose values name an instance."""
    interchangeable: bool
    base: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span


# Turns


class TurnPhase(Struct, frozen=True, eq=False):
    """`phase name [simultaneous] [asks players] { inputs and effects }`, or `;` instead of braces."""

    name: Word
    simultaneous: bool
    asks: Expression | None
    inputs: tuple[Input, ...]
    effects: tuple[Effect, ...]
    span: Span


class Turn(Struct, frozen=True, eq=False):
    """`turn name [: base] { phases; default { … } }`; `default` runs on a bare `pass`."""

    name: Word
    base: Path | None
    phases: tuple[TurnPhase, ...]
    default: Block | None
    span: Span


# Boards


class Size(Struct, frozen=True, eq=False):
    """`8 by 8`; for a hexagon one number, `3`, without columns."""

    rows: Expression
    columns: Expression | None
    span: Span


class SquareNeighbours(Enum):
    AROUND = "around"
    SIDES = "sides"


class SquareShape(Struct, frozen=True, eq=False):
    """`square [around|sides] [rows by columns]`; the default is SIDES. Rows may replace the size."""

    neighbours: SquareNeighbours
    size: Size | None
    span: Span


class HexLayout(Enum):
    ROW = "row"
    COL = "col"
    RHOMBUS = "rhombus"
    HEXAGON = "hexagon"


class HexShape(Struct, frozen=True, eq=False):
    """`hex [row|col] [rows by columns]`, `hex rhombus n by m`, `hex hexagon n`; the default is ROW."""

    layout: HexLayout
    size: Size | None
    span: Span


class GraphShape(Struct, frozen=True, eq=False):
    """`adjacency`: the group lists its nodes and links."""

    span: Span


class CornersShape(Struct, frozen=True, eq=False):
    """`corners of group`: a tile for every corner."""

    group: Path
    span: Span


class SidesShape(Struct, frozen=True, eq=False):
    """`sides of group`: a tile for every side."""

    group: Path
    span: Span


Shape = SquareShape | HexShape | GraphShape | CornersShape | SidesShape


class Cell(Struct, frozen=True, eq=False):
    """`sq`, `7 sq`, or the gap `b`, which has no tile."""

    count: int
    tile: Path | None
    span: Span


class Row(Struct, frozen=True, eq=False):
    """`h, h, b, h;`. In a group with a size, or of corners or sides, one cell is the tile of all places."""

    cells: tuple[Cell, ...]
    span: Span


class Nodes(Struct, frozen=True, eq=False):
    """`pit a1, a2 { player = 0; }`: nodes of an adjacency group, their tile, and their initial values."""

    tile: Path
    names: tuple[Word, ...]
    fields: tuple[FieldValue, ...]
    span: Span


class Adjacency(Struct, frozen=True, eq=False):
    """`adjacency { links }`: links that are added to a grid or removed from it."""

    links: tuple[Chain | ErrorNode, ...]
    span: Span


class GroupDefault(Struct, frozen=True, eq=False):
    """`default { … }` of a group: runs once when the game is loaded."""

    body: Block
    span: Span


GroupPart = Row | Nodes | Chain | Adjacency | GroupDefault | ConstructPart


class Group(Struct, frozen=True, eq=False):
    """`group name shape [: base] [names a1] [if condition] { parts }`; `group square grid` is also accepted.

    A group without a shape (`group first { }`) has only the tiles that are added later. `chess_names` is
    `names a1`.
    """

    name: Word
    shape: Shape | None
    base: Path | None
    chess_names: bool
    condition: Expression | None
    parts: tuple[GroupPart, ...]
    span: Span


class Borders(Struct, frozen=True, eq=False):
    """`tiles { links }` of a board: links between its groups."""

    links: tuple[Chain | ErrorNode, ...]
    span: Span


BoardPart = Group | Borders | ConstructPart


class Board(Struct, frozen=True, eq=False):
    """`board [name] { parts }`."""

    name: Word | None
    parts: tuple[BoardPart, ...]
    span: Span


# The root

Declaration = (
    LanguageHeader
    | GameHeader
    | PlayersHeader
    | Import
    | Constant
    | Option
    | Enumeration
    | State
    | Tile
    | Interactable
    | Stack
    | Board
    | Turn
    | Action
    | Goal
    | Verb
    | Setup
    | Resample
    | AppearanceBlock
    | RuleTest
    | ErrorNode
)


class File(Struct, frozen=True, eq=False):
    """The declarations of a file, in order."""

    declarations: tuple[Declaration, ...]
    span: Span
