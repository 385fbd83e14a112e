"""Draw a scene as SVG: a scene in, the text of a picture out.

Each item is one group with the id of the item, so that a browser can replace or move it. Nothing is loaded
from elsewhere: shapes are paths, and the style sheet is inside.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from operator import itemgetter

from ludograph.geometry.plane import Point
from ludograph.render.canvas import (
    Picture,
    circle,
    element,
    escape,
    fit_size,
    moved,
    number,
    path,
    polygon,
    rect,
    text,
    text_width,
)
from ludograph.render.colour import choose_readable
from ludograph.render.scenes.choices import marked_targets
from ludograph.render.scenes.island.drawing import ISLAND_DRAWERS, ISLAND_LOWER_PARTS
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem
from ludograph.render.scenes.known_names import RED_SUITS
from ludograph.render.scenes.piece_symbols import MARKS, PIECES, ROUND_SYMBOLS
from ludograph.render.scenes.stylesheet import INK, PAPER, palette_class, stylesheet

FIXED_INK = ("number", "note")
"""Labels on boards, which look the same on light and dark pages."""


def draw_scene(
    scene: Scene, *, prefix: str = "", choices: bool = False, width: float | None = None
) -> Picture:
    """A scene as SVG. A prefix keeps the ids of several pictures on one page apart.

    `choices` marks what the seat can choose. `width` is the width in pixels; the height follows.
    """
    static, changing = scene.static, scene.changing
    colours = (static.player_colours, static.palette, static.font)
    drawn = draw_items(scene, prefix=prefix)
    if choices:
        drawn += _draw_choices(scene, prefix)
    height = changing.height if width is None else changing.height * width / changing.width
    body = "\n".join(
        (
            element("title", escape(changing.title or static.game), id=f"{prefix}label"),
            element("desc", escape(changing.description), id=f"{prefix}description"),
            element("style", stylesheet(*colours)),
            rect(*(0, 0, changing.width, changing.height), rx=static.corner_radius or None, class_="page"),
            element("g", "\n" + "\n".join(drawn) + "\n", id=f"{prefix}items"),
        )
    )
    return Picture(
        element(
            "svg",
            f"\n{body}\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(changing.width)} {number(changing.height)}",
            width=changing.width if width is None else width,
            height=height,
            class_=f"lg {palette_class(*colours)}",
            role="img",
            aria_labelledby=f"{prefix}label",
            aria_describedby=f"{prefix}description",
        )
        + "\n"
    )


def draw_items(scene: Scene, *, prefix: str = "") -> list[str]:
    """All items of a scene in the order of drawing, what the last move did at the end of each layer."""
    items = (*scene.static.items, *scene.changing.items, *scene.changing.effects)
    colours = scene.static.player_colours
    if not any(item.layer for item in items):
        return [draw_item(item, colours, prefix) for item in items]
    parts = [
        ((item.layer, depth), part)
        for item in items
        for depth, part in enumerate((*_draw_below(item, prefix), draw_item(item, colours, prefix)), -2)
    ]
    return [part for _, part in sorted(parts, key=_ORDER) if part]


_ORDER: Callable[[tuple[tuple[int, int], str]], tuple[int, int]] = itemgetter(0)


@lru_cache(maxsize=8192)
def draw_item(item: SceneItem, player_colours: tuple[str, ...], prefix: str = "") -> str:
    """One item as a group with its id."""
    title = element("title", escape(item.title)) if item.title else ""
    return element("g", title + draw_inside(item, player_colours), id=prefix + item.id)


def draw_inside(item: SceneItem, player_colours: tuple[str, ...]) -> str:
    """The elements of one item, without its id and title."""
    draw = ISLAND_DRAWERS.get((item.kind, item.style.partition(" ")[0])) or _DRAWERS[item.kind]
    return draw(item, player_colours)


@lru_cache(maxsize=4096)
def _draw_below(item: SceneItem, prefix: str) -> tuple[str, str]:
    """The two parts of an item that are below all items of its layer, such as the outline of a road."""
    lowest, lower = draw_lower_parts(item)
    return (
        element("g", lowest, id=f"{prefix}{item.id}.lowest") if lowest else "",
        element("g", lower, id=f"{prefix}{item.id}.lower") if lower else "",
    )


def draw_lower_parts(item: SceneItem) -> tuple[str, str]:
    """The elements of an item below all items of its layer: the lowest ones, and those above them."""
    draw = ISLAND_LOWER_PARTS.get(item.kind)
    return ("", "") if draw is None else draw(item)


# Boards


def _cell(item: SceneItem, colours: tuple[str, ...]) -> str:
    if item.style == "side" and not item.points:
        return circle(item.x, item.y, item.width / 2, class_="clear")
    if item.style == "side":
        (x1, y1), (x2, y2) = item.points
        return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="hit")
    if item.style == "corner":
        return circle(item.x, item.y, item.width * 0.2, class_=item.style)
    if item.style == "board":
        left, top = item.x - item.width / 2, item.y - item.height / 2
        return rect(left, top, item.width, item.height, rx=10, fill=item.colour, class_="tinted")
    if item.style == "crossing":
        return circle(item.x, item.y, 4, class_=item.style)
    look = {"fill": item.colour, "class_": "tinted"} if item.colour else {"class_": item.style}
    if item.points:
        return polygon([Point(x, y) for x, y in item.points], **look)
    return circle(item.x, item.y, item.width / 2, **look)


def _ground(item: SceneItem, colours: tuple[str, ...]) -> str:
    ink = choose_readable(item.colour, INK, PAPER) if item.colour else INK
    size = fit_size(item.text, min(11.0, item.width / 5), item.width * 0.8)
    if item.points:
        shape = polygon([Point(x, y) for x, y in item.points], fill=item.colour, stroke="#6F6654")
    else:
        shape = circle(item.x, item.y, item.width / 2, fill=item.colour, stroke="#6F6654")
    if not item.text:
        return shape
    return shape + text(item.x, item.y - item.width * 0.31, item.text, size, class_=_ink_class(ink))


def _rim(item: SceneItem, colours: tuple[str, ...]) -> str:
    """The owner of a tile: a band inside of its border, and the owner's mark in a corner."""
    owner = _player_class("s", item.owner, colours)
    if item.points:
        inset = [Point(item.x + (x - item.x) * 0.9, item.y + (y - item.y) * 0.9) for x, y in item.points]
        band = polygon(inset, class_=owner, fill="none", stroke_width=max(2.5, item.width * 0.06))
    else:
        band = circle(
            item.x,
            item.y,
            item.width * 0.45,
            class_=owner,
            fill="none",
            stroke_width=max(2.5, item.width * 0.08),
        )
    x, y, size = item.x - item.width * 0.31, item.y - item.width * 0.31, max(item.width * 0.18, 9.0)
    badge = circle(x, y, size * 0.55, class_=f"{_player_class('p', item.owner, colours)} outline")
    return band + badge + _mark_at(x, y, size * 0.62, item.owner, colours)


def _line(item: SceneItem, colours: tuple[str, ...]) -> str:
    (x1, y1), (x2, y2) = item.points
    if item.style == "road":
        shorter = 0.12
        dx, dy = (x2 - x1) * shorter, (y2 - y1) * shorter
        ends = {"x1": x1 + dx, "y1": y1 + dy, "x2": x2 - dx, "y2": y2 - dy}
        outline = element("line", **ends, stroke=INK, stroke_width=9, stroke_linecap="round")
        look = {"stroke": item.colour} if item.colour else {"class_": _player_class("s", item.owner, colours)}
        inner = element("line", **ends, **look, stroke_width=6, stroke_linecap="round")
        return outline + inner + _mark_at(item.x, item.y, 10, item.owner, colours)
    drawn = element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=item.style)
    if "one-way" in item.style and "wall" not in item.style:
        head = "crossing" if "on-ground" in item.style else "quiet"
        drawn += _arrow_head(x1, y1, (x1 + x2) / 2, (y1 + y2) / 2, 7, head)
    return drawn


def _ring(item: SceneItem, colours: tuple[str, ...]) -> str:
    if item.style == "side":
        (x1, y1), (x2, y2) = item.points
        length = hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (y2 - y1) / length * 7, (x1 - x2) / length * 7
        corners = ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy))
        return polygon([Point(x, y) for x, y in corners], class_="ring")
    if item.points and item.style != "point":
        inset = [Point(item.x + (x - item.x) * 0.93, item.y + (y - item.y) * 0.93) for x, y in item.points]
        return polygon(inset, class_="ring")
    share = {"corner": 0.7, "node": 0.52, "pit": 0.52}.get(item.style, 0.46)
    return circle(item.x, item.y, item.width * share, class_="ring")


def _arrow(item: SceneItem, colours: tuple[str, ...]) -> str:
    (x1, y1), (x2, y2) = item.points
    length = hypot(x2 - x1, y2 - y1) or 1.0
    back = min(10.0, length / 3)
    ex, ey = x2 - (x2 - x1) / length * back, y2 - (y2 - y1) / length * back
    return element("line", x1=x1, y1=y1, x2=ex, y2=ey, class_="arrow") + _arrow_head(
        x1, y1, x2, y2, 12, "head"
    )


def _arrow_head(x1: float, y1: float, x2: float, y2: float, size: float, style: str) -> str:
    turn = atan2(y2 - y1, x2 - x1)
    corners = [Point(x2, y2)]
    for side in (-1, 1):
        at = turn + pi + side * 0.45
        corners.append(Point(x2 + size * cos(at), y2 + size * sin(at)))
    return polygon(corners, class_=style)


def _draw_choices(scene: Scene, prefix: str) -> list[str]:
    """A dashed ring around everything that can be chosen."""
    items = {item.id: item for item in (*scene.static.items, *scene.changing.items)}
    covered = _covered_widths(scene)
    drawn = []
    for name in marked_targets(scene.changing.choices):
        item = items[name]
        # A dark dashed line on a pale one is visible on any ground.
        shapes = "".join(_choice_shape(item, covered, style) for style in ("choice below", "choice"))
        drawn.append(element("g", shapes, id=f"{prefix}choice.{name}"))
    return drawn


def _choice_shape(item: SceneItem, covered: Mapping[str, float], style: str) -> str:
    if item.kind is not ItemKind.CARD:
        return circle(item.x, item.y, max(item.width * 0.44, 7.0), class_=style)
    left, width = item.x - item.width / 2, item.width - covered.get(item.id, 0.0)
    return rect(left + 2, item.y - item.height / 2 + 2, width - 4, item.height - 4, rx=4, class_=style)


def _covered_widths(scene: Scene) -> dict[str, float]:
    """How much of each card of a row the next card covers."""
    cards = [item for item in scene.changing.items if item.kind is ItemKind.CARD and item.place]
    return {
        card.id: max(0.0, card.x + card.width - next_card.x)
        for card, next_card in pairwise(cards)
        if card.place == next_card.place and card.y == next_card.y and card.x < next_card.x
    }


# Texts and boxes


def _label(item: SceneItem, colours: tuple[str, ...]) -> str:
    style = item.style
    size = item.height
    if style in FIXED_INK:
        size = fit_size(item.text, size, item.width) if item.width else size
        width = max(text_width(item.text, size, bold=True), size) + 4
        height = size + 4
        plate = rect(
            item.x - width / 2,
            item.y - height / 2,
            width,
            height,
            rx=height / 2,
            fill=PAPER,
            fill_opacity=0.85,
        )
        return plate + text(item.x, item.y, item.text, size, class_="ink", font_weight="bold")
    if style in ("coordinate", "heading", "place-name"):
        return text(item.x, item.y, item.text, size, class_=style)
    if style == "title":
        size = fit_size(item.text, size, item.width, bold=True)
    anchor = "end" if style.startswith("right") else "start"
    return text(item.x, item.y, item.text, size, class_=style, text_anchor=anchor)


def _box(item: SceneItem, colours: tuple[str, ...]) -> str:
    style = "panel asked" if "asked" in item.style else "panel"
    box = rect(item.x, item.y, item.width, item.height, rx=8, class_=style)
    if item.owner is not None:
        box += rect(
            item.x,
            item.y + 8,
            4,
            item.height - 16,
            rx=2,
            class_=f"{_player_class('p', item.owner, colours)} edge",
        )
    return box


def _mark(item: SceneItem, colours: tuple[str, ...]) -> str:
    owner = _player_class("p", item.owner, colours)
    return circle(item.x, item.y, item.width / 2, class_=f"{owner} edge") + _mark_at(
        item.x, item.y, item.width * 0.62, item.owner, colours
    )


def _counter(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A chip: a swatch with a symbol, a name and a number."""
    middle = item.y + item.height / 2
    name = item.notes[0] if item.notes else ""
    if item.style.startswith("pile"):
        look = {"fill": item.colour, "stroke": INK} if item.colour else {"class_": "back"}
        card = rect(item.x, item.y, 11, item.height, rx=2, **look)
        size = fit_size(name, 9, max(item.width - 30, 8))
        return (
            card
            + text(item.x + 14, middle, item.text, 11, class_="ink", text_anchor="start", font_weight="bold")
            + text(item.x + 24, middle, name, size, class_="ink", text_anchor="start")
        )
    if item.style.startswith("card"):
        return _counted_card(item, name)
    chip = rect(item.x, item.y, item.width, item.height, rx=item.height / 2, class_="chip")
    swatch = circle(item.x + 12, middle, 7.5, fill=item.colour or "#D8D8D8", class_="outline")
    if item.symbol in PIECES:
        ink = choose_readable(item.colour or "#D8D8D8", INK, PAPER)
        swatch += moved(item.x + 12, middle, path(PIECES[item.symbol], fill=ink), scale=0.1)
    faded = " zero" if "zero" in item.style else ""
    value = "changed" if "changed" in item.style else "value"
    return (
        chip
        + swatch
        + text(item.x + 24, middle, name, 11, class_=f"quiet{faded}", text_anchor="start")
        + text(
            item.x + item.width - 8,
            middle,
            item.text,
            13,
            class_=f"{value}{faded}",
            text_anchor="end",
            font_weight="bold",
        )
    )


def _counted_card(item: SceneItem, name: str) -> str:
    """A card with the number of equal cards that it stands for."""
    x, y, width = item.x, item.y, item.width
    colour = item.colour or "#C9CED6"
    ink = choose_readable(colour, INK, PAPER)
    drawn = rect(x, y, width, item.height, rx=4, class_="face")
    drawn += rect(x + 2.5, y + 2.5, width - 5, 19, rx=2.5, fill=colour)
    if item.symbol in PIECES:
        drawn += moved(x + width / 2, y + 12, path(PIECES[item.symbol], fill=ink), scale=0.17)
    else:
        drawn += text(x + width / 2, y + 12, name[:1].upper(), 12, class_=_ink_class(ink), font_weight="bold")
    value = "changed-ink" if "changed" in item.style else "faint" if "zero" in item.style else "ink"
    drawn += text(x + width / 2, y + 31, item.text, 14, class_=value, font_weight="bold")
    return drawn + text(x + width / 2, y + 46, name, fit_size(name, 9, width - 5), class_="ink")


# Pieces, cards and dice


def _piece(item: SceneItem, colours: tuple[str, ...]) -> str:
    size = item.width
    scale = size / 100
    if item.pixels:
        return moved(item.x, item.y, _pixels(item) + _owner_badge(item, colours), scale=scale)
    if item.style == "icon":
        return moved(item.x, item.y, _icon(item), scale=scale)
    owner = _player_class("p", item.owner, colours) if item.owner is not None and not item.colour else ""
    fill = {"fill": item.colour} if item.colour else {}
    border = "edge" if item.style == "panel" else "outline"
    style = f"{owner or ('nobody' if not fill else '')} {border}".strip()
    ink = _ink_on(item, colours)
    if item.symbol in ROUND_SYMBOLS:
        drawn = circle(0, 0, 40, class_=style, stroke_width=1.2 / scale, **fill)
        if item.symbol == "disc":
            drawn += circle(0, 0, 30, fill="none", stroke=ink, stroke_width=2, opacity=0.5)
        if item.text.startswith("@"):
            drawn += path(PIECES[item.text[1:]], fill=ink, transform="scale(.62)")
        elif item.text:
            letters = fit_size(item.text, 44, 56, bold=True)
            drawn += text(0, 0, item.text, letters, class_=_ink_class(ink), font_weight="bold")
        elif item.owner is not None:
            drawn += _mark_path(item.owner, colours, 0.5, ink)
        if item.text and item.owner is not None:
            drawn += _badge_mark(item.owner, colours)
    else:
        shape = PIECES[item.symbol]
        drawn = path(shape, class_=style, stroke_width=1.6 / scale, **fill)
        if item.text:
            drawn += text(
                0,
                18,
                item.text,
                fit_size(item.text, 30, 44, bold=True),
                class_=_ink_class(ink),
                font_weight="bold",
            )
        if item.owner is not None:
            drawn += _badge_mark(item.owner, colours)
    for index, note in enumerate(item.notes):
        x, y = (-30, 34) if index == 0 else (-30, -34)
        drawn += circle(x, y, 19, fill=PAPER, stroke=INK, stroke_width=2.5)
        drawn += text(x, y, note, fit_size(note, 26, 30, bold=True), class_="ink", font_weight="bold")
    return moved(item.x, item.y, drawn, scale=scale)


def _icon(item: SceneItem) -> str:
    """A symbol without a border, which is readable on its colour."""
    ink = choose_readable(item.colour, INK, PAPER) if item.colour else INK
    if item.symbol in PIECES:
        return path(PIECES[item.symbol], fill=ink)
    if item.symbol:
        return circle(0, 0, 40, fill=ink)
    return text(0, 0, item.text, fit_size(item.text, 60, 90, bold=True), class_=_ink_class(ink))


def _pixels(item: SceneItem) -> str:
    """The pixels of a sprite, in a square of 80 by 80."""
    size = 80 / max(len(item.pixels), len(item.pixels[0]))
    left, top = -size * len(item.pixels[0]) / 2, -size * len(item.pixels) / 2
    return "".join(
        rect(left + column * size, top + row * size, size + 0.3, size + 0.3, fill=colour)
        for row, colours in enumerate(item.pixels)
        for column, colour in enumerate(colours)
        if colour
    )


def _owner_badge(item: SceneItem, colours: tuple[str, ...]) -> str:
    return "" if item.owner is None else _badge_mark(item.owner, colours)


def _pips(item: SceneItem, colours: tuple[str, ...]) -> str:
    """Dots, or equal pieces."""
    if item.style == "dots":
        return "".join(circle(x, y, item.width / 2, class_="ink") for x, y in item.points)
    owner = _player_class("p", item.owner, colours) if item.owner is not None else "seed"
    drawn = []
    for x, y in item.points:
        if item.symbol in ROUND_SYMBOLS:
            drawn.append(circle(x, y, item.width * 0.48, class_=f"{owner} outline"))
        else:
            shape = path(PIECES[item.symbol], class_=f"{owner} outline")
            drawn.append(moved(x, y, shape, scale=item.width / 100))
    if item.owner is not None and item.points:
        drawn.append(_mark_at(*item.points[-1], item.width * 0.5, item.owner, colours))
    return "".join(drawn)


def _ink_on(item: SceneItem, colours: tuple[str, ...]) -> str:
    if item.owner is not None and not item.colour:
        return choose_readable(colours[item.owner % len(colours)], INK, PAPER)
    return choose_readable(item.colour, INK, PAPER) if item.colour else INK


def _ink_class(ink: str) -> str:
    """The class of a text in an ink. A page may forbid styles of single elements, so they have classes."""
    return "ink" if ink == INK else "paper"


def _badge_mark(owner: int, colours: tuple[str, ...]) -> str:
    """The mark of the owner in a corner of a piece, on white."""
    badge = circle(32, 32, 17, fill=PAPER, stroke=INK, stroke_width=2.5)
    return badge + moved(32, 32, _mark_path(owner, colours, 0.34, INK))


def _mark_path(owner: int, colours: tuple[str, ...], scale: float, ink: str) -> str:
    if owner < len(MARKS):
        return path(MARKS[owner], fill=ink, transform=f"scale({scale:.4g})")
    label = str(owner)
    return text(0, 0, label, 60 * scale * 1.4, class_=_ink_class(ink), font_weight="bold")


def _mark_at(x: float, y: float, size: float, owner: int | None, colours: tuple[str, ...]) -> str:
    if owner is None:
        return ""
    ink = choose_readable(colours[owner % len(colours)], INK, PAPER)
    return moved(x, y, _mark_path(owner, colours, 1, ink), scale=size / 100)


def _card(item: SceneItem, colours: tuple[str, ...]) -> str:
    width, height = item.width, item.height
    left, top = item.x - width / 2, item.y - height / 2
    if item.style == "empty":
        return rect(left, top, width, height, rx=5, class_="empty")
    if item.style == "back":
        look = {"fill": item.colour, "stroke": PAPER} if item.colour else {"class_": "back"}
        back = rect(left, top, width, height, rx=5, stroke_width=1.5, **look)
        back += rect(left + 5, top + 5, width - 10, height - 10, rx=3, fill="none", stroke=PAPER, opacity=0.5)
        if item.text:
            size = fit_size(item.text, 20, width - 14, bold=True)
            back += text(item.x, item.y, item.text, size, class_="paper", font_weight="bold")
        return back
    face = rect(left, top, width, height, rx=5, class_="face")
    if item.style == "suit":
        tint = "red" if item.symbol in RED_SUITS else "ink"
        look = {"fill": item.colour} if item.colour else {"class_": tint}
        suit = PIECES[item.symbol]
        face += text(left + 4, top + 10, item.text, 14, class_=tint, text_anchor="start", font_weight="bold")
        face += moved(left + 8.5, top + 24, path(suit, **look), scale=0.11)
        face += moved(item.x + 5, item.y + 10, path(suit, **look), scale=0.26)
        lines = item.notes
        bottom = top + height - 5
    else:
        colour = item.colour or "#C9CED6"
        face += rect(left + 3, top + 3, width - 6, 17, rx=3, fill=colour)
        ink = choose_readable(colour, INK, PAPER)
        head = item.text or (item.notes[0] if item.notes else "")
        face += text(
            left + 6,
            top + 11.5,
            head,
            fit_size(head, 13, width - 12, bold=True),
            class_=_ink_class(ink),
            text_anchor="start",
            font_weight="bold",
        )
        if item.symbol in PIECES:
            face += moved(item.x, item.y + 2, path(PIECES[item.symbol], fill=colour, stroke=INK), scale=0.2)
        elif item.text:
            face += text(
                item.x,
                item.y + 4 - 4 * max(0, min(len(item.notes), 3) - 1),
                item.text,
                fit_size(item.text, 20, width - 8, bold=True),
                class_="ink",
                font_weight="bold",
            )
        lines = item.notes if item.text or item.symbol in PIECES else item.notes[1:]
        bottom = top + height - 6
    for index, line in enumerate(reversed(lines[:3])):
        size = fit_size(line, 9, width - 6)
        face += text(item.x, bottom - index * 9.5, line, size, class_="ink")
    return face


PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _die(item: SceneItem, colours: tuple[str, ...]) -> str:
    size = item.width - 2
    box = rect(item.x - size / 2, item.y - size / 2, size, size, rx=5, class_="die")
    pips = PIPS.get(int(item.text) if item.text.isdigit() else 0)
    if pips is None:
        return box + text(item.x, item.y, item.text, 13, class_="ink")
    step = size * 0.27
    return box + "".join(
        circle(item.x + x * step, item.y + y * step, size * 0.09, class_="ink") for x, y in pips
    )


def _player_class(letter: str, owner: int | None, colours: tuple[str, ...]) -> str:
    return "nobody" if owner is None else f"{letter}{owner % len(colours)}"


_DRAWERS: Mapping[ItemKind, Callable[[SceneItem, tuple[str, ...]], str]] = {
    ItemKind.CELL: _cell,
    ItemKind.GROUND: _ground,
    ItemKind.RIM: _rim,
    ItemKind.LINE: _line,
    ItemKind.LABEL: _label,
    ItemKind.PIECE: _piece,
    ItemKind.CARD: _card,
    ItemKind.DIE: _die,
    ItemKind.COUNTER: _counter,
    ItemKind.PIPS: _pips,
    ItemKind.MARK: _mark,
    ItemKind.BOX: _box,
    ItemKind.RING: _ring,
    ItemKind.ARROW: _arrow,
}
