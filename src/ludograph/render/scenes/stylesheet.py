"""The colours of pictures of any game, for light and dark pages, as a style sheet inside of the SVG.

Boards, pieces and cards are objects and look the same on every page. The background, the panels and the text
follow the reader's preference. All rules begin with `.lg`, so that they change nothing else on a page.
"""

from functools import lru_cache
from zlib import crc32

from ludograph.render.scenes.items import Palette

FONT = "system-ui, 'DejaVu Sans', Verdana, sans-serif"
INK = "#1B1E24"
PAPER = "#FFFFFF"
LIGHT_SQUARE = "#F3ECDD"
DARK_SQUARE = "#CDBB98"
PLAIN_CELL = "#F1EADB"
BOARD_LINE = "#8C7C5E"
WOOD = "#E7CF9C"
CARD_BACK = "#41507A"
RED_SUIT = "#B3131B"
CHANGED = "#C2007A"

LIGHT = {
    "page": "#FFFFFF",
    "text": "#1B1E24",
    "quiet": "#555B66",
    "panel": "#F5F5F2",
    "edge": "#D5D4CD",
    "link": "#8C7C5E",
    "changed": "#B00070",
    "asked": "#1B1E24",
}
DARK = {
    "page": "#16181D",
    "text": "#F1F2F4",
    "quiet": "#AEB4BF",
    "panel": "#23262D",
    "edge": "#3D424D",
    "link": "#A59A80",
    "changed": "#FF7CC8",
    "asked": "#F1F2F4",
}


@lru_cache(maxsize=64)
def stylesheet(player_colours: tuple[str, ...], palette: Palette = (), font: str = "") -> str:
    """The style sheet of a picture."""
    scope = f".lg.{palette_class(player_colours, palette, font)}"
    players = "".join(f"{scope} .p{index}{{fill:{colour}}}" for index, colour in enumerate(player_colours))
    strokes = "".join(f"{scope} .s{index}{{stroke:{colour}}}" for index, colour in enumerate(player_colours))
    dark = f"@media(prefers-color-scheme:dark){{{_variables(DARK)}}}"
    own = f"{scope}{{font-family:{font}}}" if font else ""
    return f"{_variables(LIGHT)}{dark}{_RULES}{players}{strokes}{_palette_rules(scope, palette)}{own}"


@lru_cache(maxsize=64)
def palette_class(player_colours: tuple[str, ...], palette: Palette = (), font: str = "") -> str:
    """The class of a picture with these colours, because a page may have pictures with others."""
    colours = (*player_colours, *("=".join(row) for row in palette), *((font,) if font else ()))
    return f"lg-{crc32(''.join(colours).encode()):08x}"


def _palette_rules(scope: str, palette: Palette) -> str:
    """Replaced variables, and classes that fill (`f-name`) or stroke (`k-name`) with a colour."""
    light = "".join(_palette_rule(scope, name, colour) for name, colour, _ in palette)
    dark = "".join(_palette_rule(scope, name, colour) for name, _, colour in palette if colour)
    return light + (f"@media(prefers-color-scheme:dark){{{dark}}}" if dark else "")


def _palette_rule(scope: str, name: str, colour: str) -> str:
    if name.startswith("--"):
        return f"{scope}{{{name}:{colour}}}"
    return f"{scope} .f-{name}{{fill:{colour}}}{scope} .k-{name}{{stroke:{colour}}}"


def _variables(colours: dict[str, str]) -> str:
    return ".lg{" + "".join(f"--{name}:{colour};" for name, colour in colours.items()) + "}"


_RULES = (
    f".lg{{font-family:{FONT};max-width:100%;height:auto}}"
    ".lg .page{fill:var(--page)}"
    ".lg text{fill:var(--text)}"
    ".lg .quiet,.lg .coordinate,.lg .heading{fill:var(--quiet)}"
    ".lg .coordinate{paint-order:stroke;stroke:var(--page);stroke-width:3px}"
    ".lg .changed{fill:var(--changed);font-weight:bold}"
    ".lg .panel{fill:var(--panel);stroke:var(--edge)}"
    ".lg .panel.asked{stroke:var(--asked);stroke-width:2}"
    ".lg .title,.lg .name{font-weight:bold}"
    f".lg .plain,.lg .graph{{fill:{PLAIN_CELL};stroke:{BOARD_LINE}}}"
    f".lg .light{{fill:{LIGHT_SQUARE}}}.lg .dark{{fill:{DARK_SQUARE}}}"
    f".lg .points{{fill:{WOOD}}}"
    f".lg .corner,.lg .side{{fill:{PLAIN_CELL};stroke:{BOARD_LINE}}}"
    f".lg .grid{{stroke:#5B4A2A;stroke-width:1}}"
    ".lg .link{stroke:var(--link);stroke-width:3}"
    ".lg .link.on-ground{stroke:#5B4A2A}"
    ".lg .portal{stroke:var(--link);stroke-width:2;stroke-dasharray:5 4;opacity:.7}"
    f".lg .wall{{stroke:{INK};stroke-width:5;stroke-linecap:round}}"
    ".lg .wall.one-way{stroke-dasharray:2 7}"
    f".lg .ink{{fill:{INK}}}.lg .paper{{fill:{PAPER}}}"
    f".lg .outline{{stroke:{INK};stroke-width:1.2;stroke-linejoin:round;"
    "vector-effect:non-scaling-stroke}"
    f".lg .ring{{fill:none;stroke:{CHANGED};stroke-width:3}}"
    f".lg .choice{{fill:none;stroke:{INK};stroke-width:2.5;stroke-dasharray:4 3}}"
    f".lg .choice.below{{stroke:{PAPER};stroke-dasharray:none}}"
    f".lg .arrow{{fill:none;stroke:{CHANGED};stroke-width:3;stroke-linecap:round}}"
    f".lg .head{{fill:{CHANGED}}}"
    f".lg .back{{fill:{CARD_BACK};stroke:{PAPER}}}"
    ".lg .empty{fill:none;stroke:var(--quiet);stroke-dasharray:4 3}"
    f".lg .face{{fill:{PAPER};stroke:#777}}"
    f".lg .red{{fill:{RED_SUIT}}}"
    f".lg .die{{fill:{PAPER};stroke:{INK}}}"
    ".lg .chip{fill:var(--page);stroke:var(--edge)}.lg .zero{font-weight:normal}"
    ".lg .nobody{fill:#D8D8D8}"
    f".lg .tinted{{stroke:{BOARD_LINE}}}"
    ".lg .edge{stroke:var(--text);stroke-width:1.2;stroke-linejoin:round;vector-effect:non-scaling-stroke}"
    ".lg .faint{fill:#6B7079}"
    f".lg .changed-ink{{fill:{CHANGED}}}"
    ".lg .clear{fill:transparent}.lg .hit{stroke:transparent;stroke-width:16}"
    ".lg .crossing{fill:#5B4A2A}.lg .place-name{fill:#4A3C22}"
    ".lg .seed{fill:#EADFC0}"
)
