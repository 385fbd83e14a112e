"""Symbols: small drawings around (0, 0) for terrains, pieces, cards, dice and players.

A terrain's symbol is about 28 units wide and 22 high; a resource has the symbol of its terrain.
"""

from ludograph.geometry.plane import Point
from ludograph.render.canvas import circle, element, fit_size, line, moved, path, rect, text
from ludograph.render.colour import choose_readable, mix
from ludograph.render.descriptions import CARD_LETTERS, format_number
from ludograph.render.looks import RESOURCE_TERRAINS, Looks, TerrainLook
from ludograph.settlers import Card, Piece, Resource, Terrain

TREE = "M0,-11L5,-4H2.8L7,2H4.2L8.5,8H1.6V11H-1.6V8H-8.5L-4.2,2H-7L-2.8,-4H-5Z"
PEAKS = "M-15,10L-5,-10L0.5,0L5,-6L15,10Z"
SNOW = "M-5,-10L-8.4,-3.2L-6.3,-4.4L-4.6,-2L-2.6,-4.2L-1.4,-3.4Z"
SNOW_2 = "M5,-6L2.4,-2.5L4.3,-3L5.6,-1.2L7.9,-1.4Z"
BRICKS = (
    "M-5.2,-10H5.2V-4H-5.2ZM-11.2,-3H-0.6V3H-11.2ZM0.6,-3H11.2V3H0.6Z"
    "M-17,4H-6.2V10H-17ZM-5.2,4H5.2V10H-5.2ZM6.2,4H17V10H6.2Z"
)
EAR = "M0,11V-10" + "".join(f"M4.2,{y - 5}L0,{y}L-4.2,{y - 5}" for y in (-4, 1))
WOOL = (
    "M-9,5C-13,5 -13.5,0 -10.5,-1C-12,-5 -7,-7.5 -4.8,-5C-3.4,-9 2,-9 3,-5.4"
    "C6,-8 10,-5 8.6,-1.6C11.5,-0.4 11,4.6 7.4,5C5.6,7.6 2,7.6 0.4,5.8"
    "C-1.6,7.6 -5,7.4 -6,5.4C-7,5.6 -8,5.6 -9,5Z"
)
HEAD = "M7.5,-5.5C10,-7.6 14.4,-6.4 14.8,-2.6C14.9,-0.4 13.4,0.8 11.6,0.6C9.2,0.4 7.2,-2 7.5,-5.5Z"
DUNES = "M-15,3Q-8,-5 -1,3Q6,-5 15,3M-11,9Q-4,3 3,9Q8,5 13,9"
CACTUS = (
    "M-1.9,4V-8.5A1.9,1.9 0 0 1 1.9,-8.5V-2.4H4.4V-5.4A1.5,1.5 0 0 1 7.4,-5.4V0.6H1.9V4Z"
    "M-1.9,-0.4H-7.2V-4.4A1.5,1.5 0 0 1 -4.2,-4.4V-3.4H-1.9Z"
)
WAVES = "M-13,-3q3.25,-5 6.5,0t6.5,0t6.5,0t6.5,0M-9,4q3,-5 6,0t6,0t6,0"

BOLD = {"font_weight": "bold"}

VILLAGE = "M-11,11.5V-2.5L0,-13L11,-2.5V11.5Z"
CITY = "M-17,12.5V-6.5L-8.5,-15.5L0,-6.5V-4H17V12.5Z"
ROBBER = "M-8.5,15C-8.5,6 -4.8,3 -3.6,-1.4A6.6,6.6 0 1 1 3.6,-1.4C4.8,3 8.5,6 8.5,15Z"


def terrain_symbol(terrain: Terrain, looks: Looks) -> str:
    """The symbol of a terrain."""
    look = looks.terrains[terrain]
    match terrain:
        case Terrain.HILLS:
            return path(BRICKS, fill=look.shade)
        case Terrain.FIELDS:
            ears = (moved(x, y, _ear(look), scale=scale, turn=turn) for x, y, scale, turn in _THREE_EARS)
            return "".join(ears)
        case Terrain.FOREST:
            return "".join(
                moved(x, y, path(TREE, fill=colour), scale=scale)
                for x, y, scale, colour in (
                    (-9.5, 2, 0.8, look.shade),
                    (9.5, 2, 0.8, look.shade),
                    (0, 0, 1, look.shade),
                )
            )
        case Terrain.MOUNTAINS:
            return path(PEAKS, fill=look.shade) + path(SNOW + SNOW_2, fill=look.light)
        case Terrain.PASTURE:
            legs = path("M-5,5V10.5M5,5V10.5M-1.5,6V10.5M1.8,6V10.5", stroke=look.shade, stroke_width=1.8)
            wool = path(WOOL, fill=look.light, stroke=look.shade, stroke_width=1.3)
            return legs + wool + path(HEAD, fill=look.shade)
        case Terrain.DESERT:
            dunes = path(DUNES, fill="none", stroke=look.shade, stroke_width=1.8, stroke_linecap="round")
            return dunes + moved(1, -4, path(CACTUS, fill=look.shade))
        case Terrain.SEA:
            return path(WAVES, fill="none", stroke=look.shade, stroke_width=2, stroke_linecap="round")


_THREE_EARS = ((-8.0, 1.5, 0.85, -14.0), (8.0, 1.5, 0.85, 14.0), (0.0, 0.0, 1.0, 0.0))


def _ear(look: TerrainLook) -> str:
    return path(EAR, stroke=look.shade, stroke_width=2.1, stroke_linecap="round", fill="none")


def resource_symbol(resource: Resource, looks: Looks) -> str:
    """The symbol of the terrain that produces a resource."""
    return terrain_symbol(RESOURCE_TERRAINS[resource], looks)


def piece_symbol(piece: Piece, player: int | None, looks: Looks, *, labelled: bool = True) -> str:
    """A single piece: a building, or a road off the board."""
    if piece is Piece.ROAD:
        return road(Point(-16, 6), Point(16, -6), player, looks)
    return building(piece, player, looks, labelled=labelled)


def building(piece: Piece, player: int | None, looks: Looks, *, labelled: bool = True) -> str:
    """A village (a house) or a city (a house with a tower), with its player's number."""
    colour = looks.player(player).colour
    shape = VILLAGE if piece is Piece.VILLAGE else CITY
    label = format_number(player) if player and labelled else ""
    size = fit_size(label, 15, 18 if piece is Piece.VILLAGE else 28, bold=True)
    return "".join(
        (
            path(shape, fill=looks.pale_ink, stroke=looks.pale_ink, **_round(looks.outline + 2 * looks.halo)),
            path(shape, fill=colour, stroke=looks.ink, **_round(looks.outline)),
            text(0, 3.6, label, size, font_weight="bold", fill=choose_ink(colour, looks)) if label else "",
        )
    )


def road(start: Point, end: Point, player: int | None, looks: Looks) -> str:
    """A road, with its player's pattern along the middle."""
    look = looks.player(player)
    width = looks.road_width
    layers = [
        line(start, end, stroke=looks.pale_ink, stroke_width=width + 2 * looks.outline + 2 * looks.halo),
        line(start, end, stroke=looks.ink, stroke_width=width + 2 * looks.outline),
        line(start, end, stroke=look.colour, stroke_width=width),
    ]
    if look.dashes is not None:
        # A round cap turns a dash of length 0 into a dot.
        dots = look.dashes[0] and look.dashes[0] < 1
        layers.append(
            line(
                start,
                end,
                stroke=choose_ink(look.colour, looks),
                stroke_width=5 if dots else 3,
                stroke_linecap="round" if dots else "butt",
                stroke_dasharray=" ".join(f"{dash:g}" for dash in look.dashes) if any(look.dashes) else None,
            )
        )
    return "".join(layers)


def robber(looks: Looks, *, leaving: bool = False) -> str:
    """The robber; only an outline on the tile that the robber leaves."""
    if leaving:
        ghost = path(ROBBER, fill=looks.pale_ink, fill_opacity=0.55, stroke=looks.robber, **_round(1.8))
        return element("g", ghost, stroke_dasharray="3.5 2.5")
    back = path(ROBBER, fill=looks.pale_ink, stroke=looks.pale_ink, **_round(5))
    return back + path(ROBBER, fill=looks.robber)


def player_badge(player: int | None, looks: Looks, *, radius: float = 13) -> str:
    """A disc in a player's colour with the player's number; the bank has a B."""
    colour = looks.player(player).colour
    label = "?" if player is None else format_number(player) if player else "B"
    size = fit_size(label, radius * 1.3, radius * 1.6, bold=True)
    disc = circle(0, 0, radius, fill=colour, stroke=looks.ink, stroke_width=looks.outline)
    return disc + text(0, 0, label, size, font_weight="bold", fill=choose_ink(colour, looks))


CARD_WIDTH, CARD_HEIGHT = 27.0, 37.0


def resource_card(resource: Resource, looks: Looks, count: int | None = None) -> str:
    """A card with the symbol of a resource above its letter; with a count, that many of them.

    Its upper left corner is at (0, 0).
    """
    look = looks.resource(resource)
    symbol = moved(CARD_WIDTH / 2, 10, resource_symbol(resource, looks), scale=0.64)
    return _card(look.ground, symbol, resource.value[0].upper(), count, looks)


def development_card(card: Card | None, looks: Looks, count: int | None = None) -> str:
    """A card with the letter of a development card; a question mark if its kind is not known."""
    colour = looks.panel if count == 0 else looks.card_back
    ink = looks.quiet_ink if count == 0 else choose_ink(colour, looks)
    letter = "?" if card is None else CARD_LETTERS[card]
    symbol = text(CARD_WIDTH / 2, 11 if count is not None else CARD_HEIGHT / 2, letter, 15, fill=ink, **BOLD)
    return _card(colour, symbol, "", count, looks)


def _card(colour: str, symbol: str, letter: str, count: int | None, looks: Looks) -> str:
    """A card: the kind above, the count below. If the count is 0, the card is pale with a thin outline."""
    empty = count == 0
    middle = CARD_WIDTH / 2
    frame = rect(
        0.75,
        0.75,
        CARD_WIDTH - 1.5,
        CARD_HEIGHT - 1.5,
        rx=4,
        fill=mix(colour, looks.panel, 0.55) if empty else colour,
        stroke=looks.panel_line if empty else looks.ink,
        stroke_width=1.3,
    )
    if count is None:
        return (
            frame
            + symbol
            + (text(middle, 28, letter, 14, fill=choose_ink(colour, looks), **BOLD) if letter else "")
        )
    label = f"{letter}{format_number(count)}"
    size = fit_size(label, 13, 22, bold=not empty)
    ink = {"fill": looks.quiet_ink} if empty else {"fill": looks.ink, **BOLD}
    foot = rect(2.4, 20, CARD_WIDTH - 4.8, CARD_HEIGHT - 22.4, rx=2.5, fill=looks.panel)
    seen = element("g", symbol, opacity=0.5) if empty and letter else symbol
    return frame + seen + foot + text(middle, 27.8, label, size, **ink)


DIE_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-6, -6), (6, 6)),
    3: ((-6, -6), (0, 0), (6, 6)),
    4: ((-6, -6), (6, -6), (-6, 6), (6, 6)),
    5: ((-6, -6), (6, -6), (0, 0), (-6, 6), (6, 6)),
    6: ((-6, -6), (6, -6), (-6, 0), (6, 0), (-6, 6), (6, 6)),
}


def die(value: int, looks: Looks) -> str:
    """The face of a die; a number if a die has no such face."""
    face = rect(-13, -13, 26, 26, rx=5, fill=looks.token, stroke=looks.ink, stroke_width=1.6)
    if value not in DIE_PIPS:
        return face + text(0, 0, format_number(value), fit_size(format_number(value), 14, 22), fill=looks.ink)
    return face + "".join(circle(x, y, 2.7, fill=looks.ink) for x, y in DIE_PIPS[value])


def choose_ink(colour: str, looks: Looks) -> str:
    """The dark or the pale ink, whichever is more readable on a colour."""
    return choose_readable(colour, looks.ink, looks.pale_ink)


def _round(width: float) -> dict[str, str | float]:
    return {"stroke_width": width, "stroke_linejoin": "round"}
