"""Pictures: SVG for pages and notebooks, rows of styled text for terminals.

A module is imported when it is first used: drawing another game in the terminal needs no settlers island.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph.render.canvas import Picture
    from ludograph.render.coordinates import CoordinateSystem, PlaceKind
    from ludograph.render.looks import LOOKS, Looks, PlayerLook, TerrainLook
    from ludograph.render.scenes.drawing import draw_scene
    from ludograph.render.scenes.island.contents import Arrow, Highlight
    from ludograph.render.scenes.island.picture import svg
    from ludograph.render.scenes.items import Scene
    from ludograph.render.scenes.messages import (
        SceneChanges,
        SceneMessage,
        apply_scene_changes,
        find_scene_changes,
        scene_message,
    )
    from ludograph.render.scenes.states import draw_state, scene_of
    from ludograph.render.terminal_drawing.grid import Style, Styled, TerminalPicture
    from ludograph.render.terminal_drawing.picture import terminal

__all__ = [
    "LOOKS",
    "Arrow",
    "CoordinateSystem",
    "Highlight",
    "Looks",
    "Picture",
    "PlaceKind",
    "PlayerLook",
    "Scene",
    "SceneChanges",
    "SceneMessage",
    "Style",
    "Styled",
    "TerminalPicture",
    "TerrainLook",
    "apply_scene_changes",
    "draw_scene",
    "draw_state",
    "find_scene_changes",
    "scene_message",
    "scene_of",
    "svg",
    "terminal",
]

_MODULES = {
    "LOOKS": "ludograph.render.looks",
    "Arrow": "ludograph.render.scenes.island.contents",
    "CoordinateSystem": "ludograph.render.coordinates",
    "Highlight": "ludograph.render.scenes.island.contents",
    "Looks": "ludograph.render.looks",
    "Picture": "ludograph.render.canvas",
    "PlaceKind": "ludograph.render.coordinates",
    "PlayerLook": "ludograph.render.looks",
    "Scene": "ludograph.render.scenes.items",
    "SceneChanges": "ludograph.render.scenes.messages",
    "SceneMessage": "ludograph.render.scenes.messages",
    "Style": "ludograph.render.terminal_drawing.grid",
    "Styled": "ludograph.render.terminal_drawing.grid",
    "TerminalPicture": "ludograph.render.terminal_drawing.grid",
    "TerrainLook": "ludograph.render.looks",
    "apply_scene_changes": "ludograph.render.scenes.messages",
    "draw_scene": "ludograph.render.scenes.drawing",
    "draw_state": "ludograph.render.scenes.states",
    "find_scene_changes": "ludograph.render.scenes.messages",
    "scene_message": "ludograph.render.scenes.messages",
    "scene_of": "ludograph.render.scenes.states",
    "svg": "ludograph.render.scenes.island.picture",
    "terminal": "ludograph.render.terminal_drawing.picture",
}


def __getattr__(name: str) -> object:
    where = _MODULES.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph.render' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
