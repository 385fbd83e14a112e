"""Pictures: values in, strings out; SVG for pages and notebooks, rows of styled text for terminals."""

from ludograph.render.coordinates import CoordinateSystem, PlaceKind
from ludograph.render.looks import LOOKS, Looks, PlayerLook, TerrainLook
from ludograph.render.scene import Arrow, Highlight
from ludograph.render.svg import Picture, svg
from ludograph.render.terminal import TerminalPicture, terminal
from ludograph.render.terminal_grid import Style, Styled

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
