"""Draw the items that only islands have: tiles with beaches, numbers, harbors, roads, buildings, small cards.

Each function draws one item as SVG. Colours are classes of the palette of the scene. The lower parts of an
item are drawn below all items of its layer, so that beaches and roads of neighbouring places join.
"""

from collections.abc import Callable, Mapping
from math import hypot

from ludograph.geometry.plane import Point
from ludograph.render.canvas import circle, element, fit_size, line, moved, path, polygon, rect, text
from ludograph.render.scenes.island.symbols import (
    CARD_SYMBOLS,
    CITY,
    ROBBER,
    STAR,
    SWORD,
    VILLAGE,
    terrain_symbol,
)
from ludograph.render.scenes.items import ItemKind, SceneItem
from ludograph.settlers import Card

BEACH_WIDTH, SHALLOWS_WIDTH = 13, 34
CARD_WIDTH, CARD_HEIGHT = 27.0, 37.0
BOLD = "bold"

_Corners = tuple[tuple[float, float], ...]


def _points(corners: _Corners) -> list[Point]:
    return [Point(x, y) for x, y in corners]


# The ground


def _draw_terrain(item: SceneItem, colours: tuple[str, ...]) -> str:
    ground = item.symbol or "blank"
    tile = polygon(_points(item.points), class_=f"f-{ground} k-seam", stroke_width=2.5)
    if not item.symbol:
        return tile
    if item.style == "wide":
        return tile + moved(item.x, item.y, terrain_symbol(item.symbol), scale=1.3)
    return tile + moved(item.x, item.y - 26.5, terrain_symbol(item.symbol), scale=0.88)


def _lower_terrain(item: SceneItem) -> tuple[str, str]:
    """Shallow water, and the beach on it."""
    shallows, beach = (
        polygon(
            _points(item.points), class_=f"f-{name} k-{name}", stroke_width=width, stroke_linejoin="round"
        )
        for name, width in (("shallows", SHALLOWS_WIDTH), ("beach", BEACH_WIDTH))
    )
    return shallows, beach


def _draw_token(item: SceneItem, colours: tuple[str, ...]) -> str:
    x, y, radius = item.x, item.y, item.width / 2
    ink = "hot" if item.style == "hot" else "ink"
    size = fit_size(item.text, item.height, item.width - 5)
    disc = circle(x, y, radius, class_="f-token k-ink", stroke_width=1, stroke_opacity=0.55)
    weight = BOLD if item.style == "hot" else "600"
    label = text(x, y - 3 if item.points else y, item.text, size, class_=f"f-{ink}", font_weight=weight)
    return disc + label + "".join(circle(a, b, 1.9, class_=f"f-{ink}") for a, b in item.points)


def _draw_harbor(item: SceneItem, colours: tuple[str, ...]) -> str:
    x, y, radius = item.x, item.y, item.width / 2
    if not item.symbol:
        disc = circle(x, y, radius, class_="f-token k-pier", stroke_width=2.5)
        return disc + text(x, y, item.text, 16, class_="f-ink", font_weight=BOLD)
    return "".join(
        (
            circle(x, y, radius, class_=f"f-{item.symbol} k-pier", stroke_width=2.5),
            moved(x, y - 6.5, terrain_symbol(item.symbol), scale=0.72),
            text(x, y + 9, item.text, 12.5, class_=_ink(item), font_weight=BOLD),
        )
    )


def _lower_harbor(item: SceneItem) -> tuple[str, str]:
    """Two piers from the badge to the corners of the side."""
    ends = [(Point(item.x, item.y), end) for end in _points(item.points)]
    return "", "".join(
        line(badge, end, class_="k-pier", stroke_width=7)
        + line(badge, end, class_="k-beach", stroke_width=3.4, stroke_dasharray="2.4 2")
        for badge, end in ends
    )


def _draw_sea(item: SceneItem, colours: tuple[str, ...]) -> str:
    return rect(item.x, item.y, item.width, item.height, rx=14, class_="f-water")


# Pieces


def _draw_road(item: SceneItem, colours: tuple[str, ...]) -> str:
    """The road in its player's colour, with the pattern along its middle."""
    start, end = _points(item.points)
    road = line(start, end, class_=_stroke(item, colours), stroke_width=item.width, stroke_linecap="round")
    if not item.notes:
        return road
    pattern, breadth, core = item.notes
    ink = "pale" if "pale" in item.style else "ink"
    is_dotted = pattern.startswith("0.")
    if pattern:
        pattern = _centred_dashes(pattern, start, end)
    look = {"stroke_linecap": "round"} if is_dotted else {}
    road += line(
        start, end, class_=f"k-{ink}", stroke_width=float(breadth), stroke_dasharray=pattern or None, **look
    )
    if core:
        road += line(start, end, class_=_stroke(item, colours), stroke_width=float(core))
    return road


def _centred_dashes(pattern: str, start: Point, end: Point) -> str:
    """Dashes with a gap before the first and behind the last, so that all of them are inside the line."""
    dash, gap = (float(each) for each in pattern.split(" ")[:2])
    if len(pattern.split(" ")) > 2:
        return pattern
    length = hypot(end.x - start.x, end.y - start.y)
    count = max(1, int((length - gap / 2) // (dash + gap)))
    lead = max(0.0, (length - count * dash - (count - 1) * gap) / 2)
    # A dash of length 0 first: then the pattern begins with the gap.
    return " ".join(
        ("0", f"{lead:.4g}", *(f"{dash:g}", f"{gap:g}") * (count - 1), f"{dash:g}", f"{length:.4g}")
    )


def _lower_road(item: SceneItem) -> tuple[str, str]:
    start, end = _points(item.points)
    edge = item.width + 2 * item.height
    halo = edge + 2 * float(item.text) if item.text else 0
    return (
        line(start, end, class_="k-pale", stroke_width=halo, stroke_linecap="round") if halo else "",
        line(start, end, class_="k-ink" if halo else "k-rim", stroke_width=edge, stroke_linecap="round"),
    )


def _draw_building(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A village (a house) or a city (a house with a tower), with its player's number."""
    is_village = item.symbol == "village"
    shape = VILLAGE if is_village else CITY
    halo, outline = (float(note) for note in item.notes)
    size = fit_size(item.text, 15, 18 if is_village else 28, bold=True)
    middle = 3.6 if is_village else 5.6
    drawn = "".join(
        (
            path(shape, class_="f-pale k-pale", stroke_width=outline + 2 * halo, stroke_linejoin="round")
            if halo
            else "",
            path(
                shape,
                class_=f"{_fill(item, colours)} {'k-ink' if halo else 'k-rim'}",
                stroke_width=outline,
                stroke_linejoin="round",
            ),
            text(0, middle, item.text, size, class_=_ink(item), font_weight=BOLD) if item.text else "",
        )
    )
    return moved(item.x, item.y, drawn, scale=item.width / 34)


def _draw_robber(item: SceneItem, colours: tuple[str, ...]) -> str:
    """The robber; only an outline on the tile that the robber has left."""
    scale = item.height / 30
    if "leaving" in item.style:
        ghost = path(
            ROBBER,
            class_="f-pale k-robber",
            fill_opacity=0.55,
            stroke_width=1.8,
            stroke_linejoin="round",
            stroke_dasharray="3.5 2.5",
        )
        return moved(item.x, item.y, ghost, scale=scale)
    back = path(ROBBER, class_="f-pale k-pale", stroke_width=5, stroke_linejoin="round")
    return moved(item.x, item.y, back + path(ROBBER, class_="f-robber"), scale=scale)


# Highlights and arrows: two lines, pale and coloured, are visible on any ground and with any colour vision.


def _draw_highlight(item: SceneItem, colours: tuple[str, ...]) -> str:
    look = _coloured_stroke(item, "highlight")
    if "side" in item.style:
        start, end = _points(item.points)
        shape = _capsule(start, end, item.width / 2)
        return path(shape, fill="none", class_="k-pale", stroke_width=7) + path(
            shape, fill="none", stroke_width=4, **look
        )
    if item.points:
        corners = [Point(item.x + (x - item.x) * 0.9, item.y + (y - item.y) * 0.9) for x, y in item.points]
        joined = {"fill": "none", "stroke_linejoin": "round"}
        return polygon(corners, **joined, class_="k-pale", stroke_width=8) + polygon(
            corners, **joined, stroke_width=4.5, **look
        )
    back = circle(item.x, item.y, item.width / 2, fill="none", class_="k-pale", stroke_width=7)
    return back + circle(item.x, item.y, item.width / 2, fill="none", stroke_width=4, **look)


def _capsule(start: Point, end: Point, radius: float) -> str:
    """A closed line around the line from one point to another."""
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (start.y - end.y) / length * radius, (end.x - start.x) / length * radius
    return (
        f"M{start.x + x:.2f},{start.y + y:.2f}L{end.x + x:.2f},{end.y + y:.2f}"
        f"A{radius:g},{radius:g} 0 0 0 {end.x - x:.2f},{end.y - y:.2f}"
        f"L{start.x - x:.2f},{start.y - y:.2f}"
        f"A{radius:g},{radius:g} 0 0 0 {start.x + x:.2f},{start.y + y:.2f}Z"
    )


def _draw_arrow(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A straight arrow with a pale border, from its first to its second point."""
    start, end = _points(item.points)
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    scale = min(1.0, length / 45)

    def point(along: float, across: float = 0) -> Point:
        return Point(start.x + x * along - y * across, start.y + y * along + x * across)

    neck, base = point(length - 15 * scale), length - 19 * scale
    head = (point(length), point(base, 11 * scale), neck, point(base, -11 * scale))
    border = {"class_": "f-pale k-pale", "stroke_linejoin": "round"}
    fill = {"fill": item.colour} if item.colour else {"class_": "f-arrow"}
    return "".join(
        (
            line(start, neck, class_="k-pale", stroke_width=11 * scale, stroke_linecap="round"),
            polygon(head, stroke_width=5, **border),
            line(
                start, neck, stroke_width=6 * scale, stroke_linecap="round", **_coloured_stroke(item, "arrow")
            ),
            polygon(head, **fill),
        )
    )


def _coloured_stroke(item: SceneItem, name: str) -> dict[str, str]:
    return {"stroke": item.colour} if item.colour else {"class_": f"k-{name}"}


# Labels of places


def _draw_place_label(item: SceneItem, colours: tuple[str, ...]) -> str:
    """Lines of text around a point, perhaps turned, on a pale plate or directly on the ground."""
    size = item.height
    if "bare" in item.style:
        return text(item.x, item.y, item.text, size, class_=_ink(item))
    lines = (item.text, *item.notes)
    width, height = item.width, plate_height(len(lines), size)
    plate = rect(-width / 2, -height / 2, width, height, rx=2.2, class_="f-token", fill_opacity=0.92)
    middle = (len(lines) - 1) / 2
    rows = (
        text(0, (row - middle) * size * LINE_HEIGHT, each, size, class_=_ink(item))
        for row, each in enumerate(lines)
    )
    turn = float(item.symbol) if item.symbol else 0
    return moved(item.x, item.y, plate, *rows, turn=turn)


LINE_HEIGHT = 1.12
"""From one line of a label to the next, in multiples of the font size."""


def plate_height(lines: int, size: float) -> float:
    return lines * size * LINE_HEIGHT + 1.8


# The panel


def _draw_badge(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A disc in a player's colour with the player's number."""
    radius = item.width / 2
    size = fit_size(item.text, radius * 1.3, radius * 1.6, bold=True)
    disc = circle(item.x, item.y, radius, class_=f"{_fill(item, colours)} k-rim", stroke_width=2)
    return disc + text(item.x, item.y, item.text, size, class_=_ink(item), font_weight=BOLD)


def _draw_small_card(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A card: its symbol above, a letter and a count below; pale with a thin outline if the count is 0.

    The symbol is the name of a terrain or of a development card; without one, the card is face down.
    """
    scale = item.height / CARD_HEIGHT
    left, top, middle = -CARD_WIDTH / 2, -CARD_HEIGHT / 2, 0.0
    is_terrain = "resource" in item.style
    is_empty = "empty" in item.style
    ground = "page" if is_empty else f"f-{item.symbol or 'pier'}" if is_terrain else "f-card-back"
    frame = rect(
        left + 0.75,
        top + 0.75,
        CARD_WIDTH - 1.5,
        CARD_HEIGHT - 1.5,
        rx=4,
        class_=f"{ground} {'k-panel-line' if is_empty else 'k-rim'}",
        stroke_width=1.3,
    )
    has_foot = bool(item.text)
    symbol_y = top + 10.5 if has_foot else 0
    if is_terrain and item.symbol:
        symbol = moved(middle, symbol_y, terrain_symbol(item.symbol), scale=0.64 if has_foot else 0.74)
    elif item.symbol:
        shade = "f-symbol" if is_empty else _card_ink(item)
        symbol = moved(middle, symbol_y, path(CARD_SYMBOLS[Card(item.symbol)], class_=shade), scale=0.62)
    else:
        ink = "f-pale" if is_terrain else _card_ink(item)
        question = text(middle, symbol_y, "?", 16, class_=ink, font_weight=BOLD)
        symbol = "" if is_empty else question
    if is_empty:
        symbol = element("g", symbol, opacity=0.45)
    foot = ""
    if has_foot:
        size = fit_size(item.text, 13, 22.5, bold=not is_empty)
        weight = {} if is_empty else {"font_weight": BOLD}
        back = "" if is_empty else rect(left + 2.4, top + 20, CARD_WIDTH - 4.8, 14.6, rx=2.5, class_="page")
        foot = back + text(
            middle, top + 27.5, item.text, size, class_="quiet" if is_empty else "value", **weight
        )
    return moved(item.x, item.y, frame + symbol + foot, scale=scale)


def _card_ink(item: SceneItem) -> str:
    return "f-pale" if "pale" in item.style else "f-ink"


def _draw_delta(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A gain or a loss, in a small pill."""
    kind = "gain" if item.text.startswith("+") else "loss"
    pill = rect(
        item.x - item.width / 2,
        item.y - item.height / 2,
        item.width,
        item.height,
        rx=item.height / 2,
        class_=f"f-{kind} k-page",
        stroke_width=1.2,
    )
    return pill + text(item.x, item.y, item.text, item.height - 2.5, class_="f-delta-ink", font_weight=BOLD)


def _draw_award(item: SceneItem, colours: tuple[str, ...]) -> str:
    """The name of an award that a player holds."""
    pill = rect(item.x, item.y, item.width, item.height, rx=item.height / 2, class_="f-award")
    return pill + text(
        item.x + item.width / 2,
        item.y + item.height / 2,
        item.text,
        fit_size(item.text, item.height - 4, item.width - 10, bold=True),
        class_="f-award-ink",
        font_weight=BOLD,
    )


def _draw_panel_symbol(item: SceneItem, colours: tuple[str, ...]) -> str:
    """A sword or a star beside a number, or an arrow before the row of the player to move."""
    shapes = {"sword": SWORD, "star": STAR, "arrow": "M-5,-8L5,0L-5,8Z"}
    return moved(item.x, item.y, path(shapes[item.symbol], class_="f-symbol"), scale=item.height / 22)


def _draw_row(item: SceneItem, colours: tuple[str, ...]) -> str:
    """The background of a row of the panel, or the line above it."""
    if "line" in item.style:
        return line(
            Point(item.x, item.y), Point(item.x + item.width, item.y), class_="k-panel-line", stroke_width=1
        )
    return rect(item.x, item.y, item.width, item.height, rx=9, class_="f-current")


def _draw_words(item: SceneItem, colours: tuple[str, ...]) -> str:
    """Text of the panel. The style has the class of the colour, the anchor and the weight."""
    words = item.style.split()
    anchor = next((word for word in words if word in ("middle", "end")), "start")
    look = "quiet" if "quiet" in words else "value"
    shown: dict[str, str | float] = {"font_weight": BOLD} if "bold" in words else {}
    size = item.height
    if "exact" in words:
        # The reader's font is unknown: without an exact width, the next item could overlap.
        shown |= {"textLength": item.width, "lengthAdjust": "spacingAndGlyphs"}
    elif item.width:
        size = fit_size(item.text, item.height, item.width, bold="bold" in words)
    return text(item.x, item.y, item.text, size, class_=look, text_anchor=anchor, **shown)


def _ink(item: SceneItem) -> str:
    words = item.style.split()
    return "f-pale" if "pale" in words else "f-quiet" if "quiet" in words else "f-ink"


def _fill(item: SceneItem, colours: tuple[str, ...]) -> str:
    return "f-nobody" if item.owner is None else f"p{item.owner % len(colours)}"


def _stroke(item: SceneItem, colours: tuple[str, ...]) -> str:
    return "k-nobody" if item.owner is None else f"s{item.owner % len(colours)}"


ItemDrawer = Callable[[SceneItem, tuple[str, ...]], str]

ISLAND_DRAWERS: Mapping[tuple[ItemKind, str], ItemDrawer] = {
    (ItemKind.TERRAIN, ""): _draw_terrain,
    (ItemKind.TERRAIN, "wide"): _draw_terrain,
    (ItemKind.TOKEN, ""): _draw_token,
    (ItemKind.TOKEN, "hot"): _draw_token,
    (ItemKind.HARBOR, ""): _draw_harbor,
    (ItemKind.HARBOR, "pale"): _draw_harbor,
    (ItemKind.BOX, "sea"): _draw_sea,
    (ItemKind.BOX, "row"): _draw_row,
    (ItemKind.BOX, "award"): _draw_award,
    (ItemKind.ROAD, ""): _draw_road,
    (ItemKind.ROAD, "pale"): _draw_road,
    (ItemKind.PIECE, "building"): _draw_building,
    (ItemKind.PIECE, "robber"): _draw_robber,
    (ItemKind.PIECE, "panel-symbol"): _draw_panel_symbol,
    (ItemKind.RING, "highlight"): _draw_highlight,
    (ItemKind.ARROW, "outlined"): _draw_arrow,
    (ItemKind.LABEL, "place"): _draw_place_label,
    (ItemKind.LABEL, "words"): _draw_words,
    (ItemKind.LABEL, "delta"): _draw_delta,
    (ItemKind.MARK, "badge"): _draw_badge,
    (ItemKind.CARD, "small"): _draw_small_card,
}
"""The functions of items by their kind and the first word of their style."""

ISLAND_LOWER_PARTS: Mapping[ItemKind, Callable[[SceneItem], tuple[str, str]]] = {
    ItemKind.TERRAIN: _lower_terrain,
    ItemKind.HARBOR: _lower_harbor,
    ItemKind.ROAD: _lower_road,
}
"""The two parts of items, lowest first, that are below all items of their layer."""
