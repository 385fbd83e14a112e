"""Pictures: values in, strings out; SVG for pages and notebooks, rows of styled text for terminals.

A file is imported when it is first used: the table of a game in the terminal needs no settlers island.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph.render.coordinates import CoordinateSystem, PlaceKind
    from ludograph.render.looks import LOOKS, Looks, PlayerLook, TerrainLook
    from ludograph.render.scene import Arrow, Highlight
    from ludograph.render.svg_picture import Picture, svg
    from ludograph.render.terminal_grid import Style, Styled, TerminalPicture
    from ludograph.render.terminal_picture import terminal

__all__ = [
    "LOOKS",
    "Arrow",
    "CoordinateSystem",
    "Highlight",
    "Looks",
    "Picture",
    "PlaceKind",
    "PlayerLook",
    "Style",
    "Styled",
    "TerminalPicture",
    "TerrainLook",
    "svg",
    "terminal",
]

_WHERE = {
    "LOOKS": "ludograph.render.looks",
    "Arrow": "ludograph.render.scene",
    "CoordinateSystem": "ludograph.render.coordinates",
    "Highlight": "ludograph.render.scene",
    "Looks": "ludograph.render.looks",
    "Picture": "ludograph.render.svg_picture",
    "PlaceKind": "ludograph.render.coordinates",
    "PlayerLook": "ludograph.render.looks",
    "Style": "ludograph.render.terminal_grid",
    "Styled": "ludograph.render.terminal_grid",
    "TerminalPicture": "ludograph.render.terminal_grid",
    "TerrainLook": "ludograph.render.looks",
    "svg": "ludograph.render.svg_picture",
    "terminal": "ludograph.render.terminal_picture",
}


def __getattr__(name: str) -> object:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph.render' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
