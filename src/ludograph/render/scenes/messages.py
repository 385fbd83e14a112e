"""Scenes as messages: a scene in, data for a client in another process or language out.

A client receives a `SceneMessage` once and `SceneChanges` afterwards. An item is a drawing at a place. A
drawing is the text of SVG elements around (0, 0); equal drawings are sent once. So a client draws any game
without knowledge of games, symbols or styles, and moves an item by changing its place.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from ludograph.render.scenes.choices import DECORATION
from ludograph.render.scenes.drawing import draw_inside, draw_lower_parts
from ludograph.render.scenes.identity import Same
from ludograph.render.scenes.items import Scene, SceneChoices, SceneItem
from ludograph.render.scenes.stylesheet import palette_class, stylesheet

PARTS = 3
"""The number of parts of an item, of which each has a layer of its own."""
VERSION = 1
"""Of the messages. It grows when a client of the version before could not read them."""


class DrawnItem(Struct, frozen=True, omit_defaults=True):
    """An item: a drawing at a place."""

    id: str
    kind: str
    x: float
    y: float
    drawing: str
    """The key of the drawing."""
    title: str = ""
    """A description for people who point at it or hear it."""
    width: float = 0
    height: float = 0
    """Of the item, for areas to click. Boxes and counters begin at (x, y), the middle of other items."""
    is_decoration: bool = False
    """Whether clicks on it mean what is below it."""
    layer: int = 0
    """Items of a higher layer are above all items of lower layers."""


class SceneMessage(Struct, frozen=True):
    """A whole scene."""

    version: int
    game: str
    players: int
    player_colours: tuple[str, ...]
    style: str
    """The style sheet, for all scenes of this game."""
    style_class: str
    """The classes of the `svg` element, which the style sheet refers to."""
    drawings: Mapping[str, str]
    """By their keys: SVG elements around (0, 0)."""
    static: tuple[DrawnItem, ...]
    """The board, in the order of drawing."""
    items: tuple[DrawnItem, ...]
    """What moves change, above the board."""
    effects: tuple[DrawnItem, ...]
    """What the last move did, above the items."""
    width: float
    height: float
    corner_radius: float
    """The radius of the corners of the picture."""
    title: str
    """A line about the picture."""
    description: str
    choices: SceneChoices


class SceneChanges(Struct, frozen=True, omit_defaults=True):
    """The differences between two scenes. What is not in it has not changed."""

    drawings: Mapping[str, str] = {}
    """New drawings."""
    static: tuple[DrawnItem, ...] | None = None
    items: tuple[DrawnItem, ...] = ()
    """Items that are new or look different; they replace those with the same ids."""
    moved: tuple[tuple[str, float, float], ...] = ()
    """The ids and new places of items that only stand elsewhere."""
    gone: tuple[str, ...] = ()
    inserted: tuple[tuple[str, str], ...] = ()
    """The id of each new item, and that of the item above it, which is there already; "": it is on top."""
    order: tuple[str, ...] | None = None
    """The ids of all items in the order of drawing, if items that stay have changed their order."""
    effects: tuple[DrawnItem, ...] | None = None
    size: tuple[float, float] | None = None
    title: str | None = None
    description: str | None = None
    choices: SceneChoices | None = None


def scene_message(scene: Scene) -> SceneMessage:
    """A whole scene as a message."""
    static, changing, colours = scene.static, scene.changing, scene.static.player_colours
    board, board_drawings = _drawn_board(Same(static.items), colours)
    drawings = dict(board_drawings)
    look = (colours, static.palette, static.font)
    return SceneMessage(
        VERSION,
        static.game,
        static.players,
        colours,
        stylesheet(*look),
        f"lg {palette_class(*look)}",
        drawings,
        board,
        _drawn(changing.items, colours, drawings),
        _drawn(changing.effects, colours, drawings),
        _rounded(changing.width),
        _rounded(changing.height),
        static.corner_radius,
        changing.title or static.game,
        changing.description,
        changing.choices,
    )


def find_scene_changes(old: SceneMessage, new: SceneMessage) -> SceneChanges | None:
    """What a client that has the old scene needs for the new one.

    None: the game, the players or the colours differ, so the client needs the whole new scene.
    """
    if _kind(old) != _kind(new):
        return None
    before = {item.id: item for item in old.items}
    after = {item.id: item for item in new.items}
    changed = [item for item in new.items if before.get(item.id) != item]
    moved = [item for item in changed if item.id in before and _is_same_elsewhere(before[item.id], item)]
    only_moved = {item.id for item in moved}
    keeps_order = [name for name in before if name in after] == [name for name in after if name in before]
    above = dict(zip(after, [*list(after)[1:], ""], strict=True))
    has_same_size = (old.width, old.height) == (new.width, new.height)
    return SceneChanges(
        drawings={key: text for key, text in new.drawings.items() if key not in old.drawings},
        static=None if old.static == new.static else new.static,
        items=tuple(item for item in changed if item.id not in only_moved),
        moved=tuple((item.id, item.x, item.y) for item in moved),
        gone=tuple(name for name in before if name not in after),
        # From the top down, so that the item above is always there.
        inserted=tuple((name, above[name]) for name in reversed(after) if name not in before)
        if keeps_order
        else (),
        order=None if keeps_order else tuple(after),
        effects=None if old.effects == new.effects else new.effects,
        size=None if has_same_size else (new.width, new.height),
        title=None if old.title == new.title else new.title,
        description=None if old.description == new.description else new.description,
        choices=None if old.choices == new.choices else new.choices,
    )


def apply_scene_changes(message: SceneMessage, changes: SceneChanges) -> SceneMessage:
    """The new scene from the old one, as a client computes it."""
    items = {item.id: item for item in (*message.items, *changes.items)}
    for name, x, y in changes.moved:
        items[name] = replace(items[name], x=x, y=y)
    order = list(changes.order or (item.id for item in message.items if item.id not in changes.gone))
    for name, above in changes.inserted:
        order.insert(order.index(above) if above else len(order), name)
    width, height = changes.size or (message.width, message.height)
    static = message.static if changes.static is None else changes.static
    effects = message.effects if changes.effects is None else changes.effects
    known = {**message.drawings, **changes.drawings}
    used = tuple(items[name] for name in order)
    return replace(
        message,
        drawings={item.drawing: known[item.drawing] for item in (*static, *used, *effects)},
        static=static,
        items=used,
        effects=effects,
        width=width,
        height=height,
        title=message.title if changes.title is None else changes.title,
        description=message.description if changes.description is None else changes.description,
        choices=message.choices if changes.choices is None else changes.choices,
    )


def _kind(message: SceneMessage) -> tuple[object, ...]:
    return message.version, message.game, message.players, message.style, message.style_class


def _is_same_elsewhere(old: DrawnItem, new: DrawnItem) -> bool:
    return replace(old, x=new.x, y=new.y) == new


@lru_cache(maxsize=64)
def _drawn_board(items: Same, colours: tuple[str, ...]) -> tuple[tuple[DrawnItem, ...], Mapping[str, str]]:
    """The static items for clients, with their drawings: all tables of a game have the same board."""
    drawings: dict[str, str] = {}
    return _drawn(items.value, colours, drawings), drawings


def _drawn(
    items: Iterable[SceneItem], colours: tuple[str, ...], drawings: dict[str, str]
) -> tuple[DrawnItem, ...]:
    found = []
    for item in items:
        for drawn, text in _drawn_item(item, colours):
            drawings[drawn.drawing] = text
            found.append(drawn)
    return tuple(found)


@lru_cache(maxsize=32768)
def _drawn_item(item: SceneItem, colours: tuple[str, ...]) -> tuple[tuple[DrawnItem, str], ...]:
    """An item for clients, and its lower parts, each with the text of its drawing.

    Most items of a scene were in the scene before.
    """
    *lower, (key, text) = _drawing(_at_origin(item), colours)
    x, y, layer = _rounded(item.x), _rounded(item.y), PARTS * item.layer
    drawn = DrawnItem(
        item.id,
        item.kind.value,
        x,
        y,
        key,
        item.title,
        _rounded(item.width),
        _rounded(item.height or item.width),
        item.kind in DECORATION,
        layer,
    )
    found = [(drawn, text)]
    for name, depth, (key, text) in zip(("lowest", "lower"), (-2, -1), lower, strict=True):
        if text:
            part = DrawnItem(f"{item.id}.{name}", "part", x, y, key, is_decoration=True)
            found.append((replace(part, layer=layer + depth), text))
    return tuple(found)


def _at_origin(item: SceneItem) -> SceneItem:
    """An item with the same drawing around (0, 0), without what the drawing does not show."""
    points = tuple((_rounded(x - item.x), _rounded(y - item.y)) for x, y in item.points)
    return replace(item, id="", x=0, y=0, points=points, title="", place="", of=(), layer=0)


@lru_cache(maxsize=16384)
def _drawing(item: SceneItem, colours: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The keys and the texts of the lower parts of an item, and of the item itself."""
    texts = (*draw_lower_parts(item), draw_inside(item, colours))
    return tuple((blake2b(text.encode(), digest_size=6).hexdigest(), text) for text in texts)


def _rounded(length: float) -> float:
    return round(length, 2)
