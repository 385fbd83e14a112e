"""Scenes: what one seat sees of a state, laid out for drawing, as plain data.

A scene consists of items with stable ids and coordinates. The static part is the boards, which a client
receives once; the changing part is everything else. Lengths are in pixels of the picture; `y` grows down.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace


class ItemKind(Enum):
    """What an item is, which decides how it is drawn."""

    CELL = "cell"
    """A tile of a board: a polygon, or a circle if it has no points."""
    GROUND = "ground"
    """The colour of a tile that an attribute gives."""
    RIM = "rim"
    """The owner of a tile, along its border."""
    LINE = "line"
    LABEL = "label"
    PIECE = "piece"
    CARD = "card"
    DIE = "die"
    COUNTER = "counter"
    """A name with a number, such as a resource in a hand."""
    PIPS = "pips"
    """Dots or equal pieces at the points of the item."""
    MARK = "mark"
    """The mark of a player."""
    BOX = "box"
    RING = "ring"
    """A place that the last move changed, or that can be chosen."""
    ARROW = "arrow"
    TERRAIN = "terrain"
    """A tile of an island: land with its beach and the symbol of its terrain."""
    TOKEN = "token"
    """A number on a tile; its points are the pips."""
    HARBOR = "harbor"
    """A badge in the sea with piers to its points."""
    ROAD = "road"

    def __repr__(self) -> str:
        return f"ItemKind.{self.name}"

    __hash__ = object.__hash__  # members are equal to themselves only; that of Enum is slow


Palette = tuple[tuple[str, str, str], ...]
"""Rows of a name, a colour, and the colour on dark pages (empty: the same).

Items refer to a row by its name. A name with two leading hyphens replaces a colour of all pictures, such as
`--text`.
"""


class SceneItem(Struct, frozen=True, omit_defaults=True):
    """One thing to draw. Its centre is (x, y), except for boxes and labels, whose corner or anchor it is."""

    id: str
    kind: ItemKind
    x: float
    y: float
    width: float = 0
    height: float = 0
    points: tuple[tuple[float, float], ...] = ()
    """The corners of a cell, or the ends of a line or an arrow."""
    text: str = ""
    symbol: str = ""
    owner: int | None = None
    colour: str = ""
    """`#rrggbb`; empty: the colour of the owner, or that of the style."""
    style: str = ""
    notes: tuple[str, ...] = ()
    """Further short texts of a piece or card."""
    pixels: tuple[tuple[str, ...], ...] = ()
    """The rows of a sprite, which replaces the symbol of a piece: `#rrggbb`, or empty."""
    title: str = ""
    """A description for people who point at it or hear it."""
    place: str = ""
    """The tile that a piece stands on."""
    of: tuple[str, ...] = ()
    """What the item stands for, as choices name it: `thing e2`, `member resource.brick`, `player 0`."""
    layer: int = 0
    """Items of a higher layer are drawn above all items of lower layers."""


class SceneStep(Struct, frozen=True, omit_defaults=True):
    """One choice that occurs in moves of the seat, and the items that stand for it."""

    kind: str
    """`action`, `input`, `pick` (an element of a list), `add` (one more in a table), `stop` or `effect`."""
    name: str
    """The action or input."""
    text: str
    targets: tuple[str, ...] = ()
    """The ids of the items that choose it, the main one first. None: it needs a button."""
    label: str = ""
    """The words of the author for it."""
    key: str = ""
    """The key that chooses it: a letter, a digit or the name of a key."""
    symbol: str = ""
    colour: str = ""
    entry: str = ""
    """Inside a loop: the value of the loop's variable, which distinguishes inputs with the same name."""


class SceneMove(Struct, frozen=True):
    """A move of the seat: its text, and its choices as indexes of steps."""

    text: str
    steps: tuple[int, ...]


class SceneChoices(Struct, frozen=True, omit_defaults=True):
    """What the seat can do now."""

    steps: tuple[SceneStep, ...] = ()
    moves: tuple[SceneMove, ...] = ()
    is_complete: bool = True
    """Whether `moves` are whole moves. Otherwise there are too many: each is one answer to the question."""


class StaticScene(Struct, frozen=True):
    """The part of a scene that a move does not change, unless it changes the board itself."""

    game: str
    players: int
    player_colours: tuple[str, ...]
    items: tuple[SceneItem, ...]
    palette: Palette = ()
    """Further colours of the style sheet."""
    font: str = ""
    """The fonts; empty: the usual ones."""
    corner_radius: float = 0
    """The radius of the corners of the picture."""


class ChangingScene(Struct, frozen=True):
    """The part of a scene that moves change."""

    width: float
    height: float
    description: str
    """The position in a sentence or two, for people who do not see the picture."""
    items: tuple[SceneItem, ...]
    choices: SceneChoices = SceneChoices()
    effects: tuple[SceneItem, ...] = ()
    """What the last move did: rings and arrows, drawn above the rest of their layer."""
    title: str = ""
    """A line about the picture; empty: the name of the game."""


class Scene(Struct, frozen=True):
    """What one seat sees of a state, laid out for drawing."""

    static: StaticScene
    changing: ChangingScene


def of_things(*names: str) -> tuple[str, ...]:
    """What an item stands for: things of the view."""
    return tuple(f"thing {name}" for name in names)


def item_id(*parts: str) -> str:
    """An id of an item from the names of things; it is a valid id of XML.

    >>> item_id("piece", "man#3"), item_id("cell", "grid[2][4]")
    ('piece.man-3', 'cell.grid-2--4-')
    """
    return ".".join(_id_part(part) for part in parts)


@lru_cache(maxsize=4096)
def _id_part(name: str) -> str:
    return "".join(_id_character(each) for each in name)


def _id_character(character: str) -> str:
    if character.isascii() and (character.isalnum() or character == "_"):
        return character
    return "-" if character in "[]#" else f":{ord(character):x}"


def unique_items(items: Iterable[SceneItem]) -> Iterator[SceneItem]:
    """The items with different ids: a repeated id gets a number. Tiles of two groups may share a name."""
    seen: dict[str, int] = {}
    for item in items:
        count = seen[item.id] = seen.get(item.id, 0) + 1
        yield item if count == 1 else replace(item, id=f"{item.id}.{count}")
