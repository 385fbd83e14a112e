"""The tree of a game text, last part: what stands at the top of a file, constructs and boards.

`File` is the root.
"""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.actions import Action, Effect, Goal, PlayerCount, Setup, Verb
from ludograph.tgdl.syntax.tree.expressions import (
    Chain,
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
from ludograph.tgdl.syntax.tree.statements import Block, Input

GAP = "b"
"""What stands in a row where there is no tile."""

# Headers


class LanguageHeader(Struct, frozen=True, eq=False):
    """`language 1;`: the version of the language that the file is written in."""

    version: Number
    span: Span


class GameHeader(Struct, frozen=True, eq=False):
    """`game "name";`."""

    name: Text
    span: Span


class PlayersHeader(Struct, frozen=True, eq=False):
    """`players 2..4 has seat;`: how many may play, and the states that each of them has."""

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
    """`option type name = value from a to b;` or `… in { … };`: fixed for each game."""

    type: TypeName
    name: Word
    value: Expression
    bounds: Range | None
    choices: Expression | None
    span: Span


class Enumeration(Struct, frozen=True, eq=False):
    """`enum name { value, … }`."""

    name: Word
    values: tuple[Word, ...]
    span: Span


# Constructs


class Secrecy(Enum):
    """Who sees it: all, its owner, nobody."""

    OPEN = "open"
    PRIVATE = "private"
    HIDDEN = "hidden"


class Attribute(Struct, frozen=True, eq=False):
    """`[override] [private|hidden] [untracked] type name = value from a to b;`."""

    override: bool
    secrecy: Secrecy
    untracked: bool
    type: TypeName
    name: Word
    value: Expression | None
    bounds: Range | None
    span: Span


class VisibleBlock(Struct, frozen=True, eq=False):
    """`visible to players { parts }`: who sees these parts."""

    visible_to: Expression
    parts: tuple["ConstructPart", ...]
    span: Span


class Stack(Struct, frozen=True, eq=False):
    """`[private|hidden] stack name [of card] [: base] { parts }`, at the top or in a state.

    `default` says what lies in it at first, the top last. Only an attribute-like stack of a state ends
    with `;` and has neither.
    """

    override: bool
    secrecy: Secrecy
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
    """`[sealed] [local|group|global] state name [: base] { parts }`; unsaid, the scope is LOCAL."""

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
    """`interactable name kind, kind [: base] { parts }`."""

    name: Word
    kinds: tuple[InteractableKind, ...]
    base: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span


# Turns


class TurnPhase(Struct, frozen=True, eq=False):
    """`phase name [simultaneous] [asks players] { inputs and effects }`, or `;` instead of the braces."""

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
    """`8 by 8`, or for a hexagon its one number `3`, with no columns."""

    rows: Expression
    columns: Expression | None
    span: Span


class SquareNeighbours(Enum):
    AROUND = "around"
    SIDES = "sides"


class SquareShape(Struct, frozen=True, eq=False):
    """`square [around|sides] [rows by columns]`; unsaid, SIDES. Without size the rows draw it."""

    neighbours: SquareNeighbours
    size: Size | None
    span: Span


class HexLayout(Enum):
    ROW = "row"
    COL = "col"
    RHOMBUS = "rhombus"
    HEXAGON = "hexagon"


class HexShape(Struct, frozen=True, eq=False):
    """`hex [row|col] [rows by columns]`, `hex rhombus n by m`, `hex hexagon n`; unsaid, ROW."""

    layout: HexLayout
    size: Size | None
    span: Span


class GraphShape(Struct, frozen=True, eq=False):
    """`adjacency`: the nodes and links are written in the group."""

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
    """`h, h, b, h;`. In a group with a size, or of corners or sides, one cell fills everything."""

    cells: tuple[Cell, ...]
    span: Span


class Nodes(Struct, frozen=True, eq=False):
    """`pit a1, a2 { player = 0; }`: nodes of an adjacency group, their tile, and their first values."""

    tile: Path
    names: tuple[Word, ...]
    fields: tuple[FieldValue, ...]
    span: Span


class Adjacency(Struct, frozen=True, eq=False):
    """`adjacency { links }`: ways added to and taken from those of a grid."""

    links: tuple[Chain | ErrorNode, ...]
    span: Span


class GroupDefault(Struct, frozen=True, eq=False):
    """`default { … }` of a group: runs once at load."""

    body: Block
    span: Span


GroupPart = Row | Nodes | Chain | Adjacency | GroupDefault | ConstructPart


class Group(Struct, frozen=True, eq=False):
    """`group name shape [names a1] [if condition] { parts }`; `group square grid` is read as well.

    Without shape (`group first { }`) it has only what is added later. `chess_names` is `names a1`.
    """

    name: Word
    shape: Shape | None
    chess_names: bool
    condition: Expression | None
    parts: tuple[GroupPart, ...]
    span: Span


class Borders(Struct, frozen=True, eq=False):
    """`tiles { links }` of a board: ways between its groups."""

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
    | ErrorNode
)


class File(Struct, frozen=True, eq=False):
    """Everything a file declares, in order."""

    declarations: tuple[Declaration, ...]
    span: Span
