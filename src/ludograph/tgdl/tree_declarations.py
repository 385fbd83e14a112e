"""The tree of a game text, last part: what stands at the top of a file, constructs and boards.

`File` is the root.
"""

from dataclasses import dataclass, field
from enum import Enum

from ludograph.text.source import Span
from ludograph.tgdl.tree import Chain, Expression, FieldValue, Number, Path, Range, Text, TypeName, Word
from ludograph.tgdl.tree_actions import Action, Effect, Goal, PlayerCount, Setup, Verb
from ludograph.tgdl.tree_statements import Block, Input

GAP = "b"
"""What stands in a row where there is no tile."""

# Headers


@dataclass(frozen=True, slots=True, eq=False)
class LanguageHeader:
    """`language 1;`: the version of the language that the file is written in."""

    version: Number
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class GameHeader:
    """`game "name";`."""

    name: Text
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class PlayersHeader:
    """`players 2..4 has seat;`: how many may play, and the states that each of them has."""

    counts: tuple[PlayerCount, ...]
    states: tuple[Path, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Import:
    """`import "file.tgdl" as name;`."""

    file: Text
    name: Word | None
    span: Span = field(repr=False)


# Values known before the game starts


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """`const type name = value;`."""

    type: TypeName
    name: Word
    value: Expression
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """`option type name = value from a to b;` or `… in { … };`: fixed for each game."""

    type: TypeName
    name: Word
    value: Expression
    bounds: Range | None
    choices: Expression | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """`enum name { value, … }`."""

    name: Word
    values: tuple[Word, ...]
    span: Span = field(repr=False)


# Constructs


class Secrecy(Enum):
    """Who sees it: all, its owner, nobody."""

    OPEN = "open"
    PRIVATE = "private"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """`[override] [private|hidden] [untracked] type name = value from a to b;`."""

    override: bool
    secrecy: Secrecy
    untracked: bool
    type: TypeName
    name: Word
    value: Expression | None
    bounds: Range | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class VisibleBlock:
    """`visible to players { parts }`: who sees these parts."""

    visible_to: Expression
    parts: tuple["ConstructPart", ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
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
    span: Span = field(repr=False)


ConstructPart = Attribute | Stack | Action | Verb | VisibleBlock


class Scope(Enum):
    LOCAL = "local"
    GROUP = "group"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """`[sealed] [local|group|global] state name [: base] { parts }`; unsaid, the scope is LOCAL."""

    secrecy: Secrecy
    sealed: bool
    scope: Scope
    name: Word
    base: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """`tile name [: base] [holds piece] { parts }`."""

    name: Word
    base: Path | None
    holds: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span = field(repr=False)


class InteractableKind(Enum):
    PLACEABLE = "placeable"
    STACKABLE = "stackable"


@dataclass(frozen=True, slots=True, eq=False)
class Interactable:
    """`interactable name kind, kind [: base] { parts }`."""

    name: Word
    kinds: tuple[InteractableKind, ...]
    base: Path | None
    parts: tuple[ConstructPart, ...]
    span: Span = field(repr=False)


# Turns


@dataclass(frozen=True, slots=True, eq=False)
class TurnPhase:
    """`phase name [simultaneous] [asks players] { inputs and effects }`, or `;` instead of the braces."""

    name: Word
    simultaneous: bool
    asks: Expression | None
    inputs: tuple[Input, ...]
    effects: tuple[Effect, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """`turn name [: base] { phases; default { … } }`; `default` runs on a bare `pass`."""

    name: Word
    base: Path | None
    phases: tuple[TurnPhase, ...]
    default: Block | None
    span: Span = field(repr=False)


# Boards


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """`8 by 8`, or for a hexagon its one number `3`, with no columns."""

    rows: Expression
    columns: Expression | None
    span: Span = field(repr=False)


class SquareNeighbours(Enum):
    AROUND = "around"
    SIDES = "sides"


@dataclass(frozen=True, slots=True, eq=False)
class SquareShape:
    """`square [around|sides] [rows by columns]`; unsaid, SIDES. Without size the rows draw it."""

    neighbours: SquareNeighbours
    size: Size | None
    span: Span = field(repr=False)


class HexLayout(Enum):
    ROW = "row"
    COL = "col"
    RHOMBUS = "rhombus"
    HEXAGON = "hexagon"


@dataclass(frozen=True, slots=True, eq=False)
class HexShape:
    """`hex [row|col] [rows by columns]`, `hex rhombus n by m`, `hex hexagon n`; unsaid, ROW."""

    layout: HexLayout
    size: Size | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class GraphShape:
    """`adjacency`: the nodes and links are written in the group."""

    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class CornersShape:
    """`corners of group`: a tile for every corner."""

    group: Path
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class SidesShape:
    """`sides of group`: a tile for every side."""

    group: Path
    span: Span = field(repr=False)


Shape = SquareShape | HexShape | GraphShape | CornersShape | SidesShape


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """`sq`, `7 sq`, or the gap `b`, which has no tile."""

    count: int
    tile: Path | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """`h, h, b, h;`. In a group with a size, or of corners or sides, one cell fills everything."""

    cells: tuple[Cell, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """`pit a1, a2 { player = 0; }`: nodes of an adjacency group, their tile, and their first values."""

    tile: Path
    names: tuple[Word, ...]
    fields: tuple[FieldValue, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """`adjacency { links }`: ways added to and taken from those of a grid."""

    links: tuple[Chain, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class GroupDefault:
    """`default { … }` of a group: runs once at load."""

    body: Block
    span: Span = field(repr=False)


GroupPart = Row | Nodes | Chain | Adjacency | GroupDefault | Attribute | Action | Verb | Stack | VisibleBlock


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """`group name shape [names a1] [if condition] { parts }`; `group square grid` is read as well.

    Without shape (`group first { }`) it has only what is added later. `chess_names` is `names a1`.
    """

    name: Word
    shape: Shape | None
    chess_names: bool
    condition: Expression | None
    parts: tuple[GroupPart, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Borders:
    """`tiles { links }` of a board: ways between its groups."""

    links: tuple[Chain, ...]
    span: Span = field(repr=False)


BoardPart = Group | Borders | Attribute | Action | Verb | Stack | VisibleBlock


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """`board [name] { parts }`."""

    name: Word | None
    parts: tuple[BoardPart, ...]
    span: Span = field(repr=False)


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
)


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """Everything a file declares, in order."""

    declarations: tuple[Declaration, ...]
    span: Span = field(repr=False)
