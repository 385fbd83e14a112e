"""Styles of boards: the hints `style` and `colour` of a group in, its layout and colours out."""

import re
from collections.abc import Sequence

from msgspec import Struct

from ludograph.render.scenes.graphs import PlanePoint
from ludograph.render.scenes.hints import Hints

LAYOUTS = ("plain", "checkered", "lines", "points", "pits", "terrain")
MATERIALS = {"wood": "#E3C48F", "felt": "#2F7D54", "paper": "#FAF6EA", "stone": "#C9CCD1"}
SEA = "#8FC3E3"
MIN_SCALE = 0.25
MAX_SCALE = 2.0


class BoardStyle(Struct, frozen=True):
    """How a group is drawn."""

    layout: str = ""
    """One of LAYOUTS; empty: what its tiles suggest."""
    ground: str = ""
    """The colour below the tiles; empty: there is none."""
    colours: tuple[str, ...] = ()
    """The colours of the tiles, by turns."""
    scale: float = 1.0

    def tile_colour(self, index: int) -> str:
        return self.colours[index % len(self.colours)] if self.colours else ""


def board_style(hints: Hints, group: str, board: str = "") -> BoardStyle:
    """The style of a group: its own hints, otherwise those of the board; empty without hints."""
    words = [str(word) for word in hints.find_all(group, "style") or hints.find_all(board, "style")]
    given = hints.find_all(group, "colour") or hints.find_all(board, "colour")
    colours = tuple(colour for colour in given if isinstance(colour, str))
    layout = next((word for word in words if word in LAYOUTS), "")
    ground = next((MATERIALS[word] for word in words if word in MATERIALS), "")
    scale = min(max(hints.number(group, "scale", hints.number(board, "scale", 1.0)), MIN_SCALE), MAX_SCALE)
    match layout:
        case "lines":
            return BoardStyle(layout, colours[0] if colours else ground or MATERIALS["wood"], (), scale)
        case "terrain":
            return BoardStyle(layout, colours[0] if colours else SEA, (), scale)
        case _:
            return BoardStyle(layout, ground, colours, scale)


class LongTile(Struct, frozen=True):
    """The place of a tile that is a long triangle: the middle of its base, and which way it points."""

    column: int
    is_above: bool
    is_beside: bool
    """Whether it is not in the numbered row, such as a bar."""


def long_tiles(points: dict[str, PlanePoint]) -> dict[str, LongTile]:
    """The columns of a track that is folded into two rows; empty if it is not."""
    rows = sorted({round(y, 3) for _, y in points.values()})
    columns = sorted({round(x, 3) for x, _ in points.values()})
    if len(rows) != 2 or len(points) < 4:
        return {}
    main = _main_prefix(list(points))
    return {
        name: LongTile(columns.index(round(x, 3)), round(y, 3) == rows[0], not _has_prefix(name, main))
        for name, (x, y) in points.items()
    }


def _main_prefix(names: Sequence[str]) -> str:
    prefixes = [name.rstrip("0123456789") for name in names]
    return max(prefixes, key=prefixes.count)


def _has_prefix(name: str, prefix: str) -> bool:
    return re.fullmatch(re.escape(prefix) + "[0-9]+", name) is not None
