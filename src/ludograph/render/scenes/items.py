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
    layer: int = 0
    """Items of a higher layer are drawn above all items of lower layers."""


class SceneChoice(Struct, frozen=True, omit_defaults=True):
    """A choice of the seat now: its text, and the items that stand for it."""

    text: str
    targets: tuple[str, ...]
    label: str = ""
    """The words of the author for the action of the choice."""
    key: str = ""
    """The key that chooses it: a letter, a digit or the name of a key."""
    symbol: str = ""
    colour: str = ""


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
    choices: tuple[SceneChoice, ...] = ()
    effects: tuple[SceneItem, ...] = ()
    """What the last move did: rings and arrows, drawn above the rest of their layer."""
    title: str = ""
    """A line about the picture; empty: the name of the game."""


class Scene(Struct, frozen=True):
    """What one seat sees of a state, laid out for drawing."""

    static: StaticScene
    changing: ChangingScene


class SceneChanges(Struct, frozen=True, omit_defaults=True):
    """The differences between two scenes. `apply_scene_changes` is the way back."""

    static: StaticScene | None = None
    """The new static part, if the board has changed."""
    set: tuple[SceneItem, ...] = ()
    """Items of the changing part that are new or different."""
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None
    """The ids of all items in the order of drawing, if it is not the old order with new items at the end."""
    size: tuple[float, float] | None = None
    description: str | None = None
    choices: tuple[SceneChoice, ...] | None = None
    effects: tuple[SceneItem, ...] | None = None
    title: str | None = None


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


def find_scene_changes(old: Scene, new: Scene) -> SceneChanges:
    """The changes from one scene to another."""
    before = {item.id: item for item in old.changing.items}
    after = {item.id: item for item in new.changing.items}
    kept = [name for name in before if name in after]
    expected = (*kept, *(name for name in after if name not in before))
    one, two = old.changing, new.changing
    has_same_size = (one.width, one.height) == (two.width, two.height)
    return SceneChanges(
        static=None if old.static == new.static else new.static,
        set=tuple(item for item in two.items if before.get(item.id) != item),
        gone=tuple(name for name in before if name not in after),
        order=None if expected == tuple(after) else tuple(after),
        size=None if has_same_size else (two.width, two.height),
        description=None if one.description == two.description else two.description,
        choices=None if one.choices == two.choices else two.choices,
        effects=None if one.effects == two.effects else two.effects,
        title=None if one.title == two.title else two.title,
    )


def apply_scene_changes(scene: Scene, changes: SceneChanges) -> Scene:
    """The new scene from an old one and the changes."""
    old = scene.changing
    items = {item.id: item for item in old.items}
    for name in changes.gone:
        del items[name]
    items.update({item.id: item for item in changes.set})
    order = tuple(items) if changes.order is None else changes.order
    width, height = changes.size or (old.width, old.height)
    return Scene(
        scene.static if changes.static is None else changes.static,
        ChangingScene(
            width,
            height,
            old.description if changes.description is None else changes.description,
            tuple(items[name] for name in order),
            old.choices if changes.choices is None else changes.choices,
            old.effects if changes.effects is None else changes.effects,
            old.title if changes.title is None else changes.title,
        ),
    )
