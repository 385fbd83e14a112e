"""`ludograph render`: draw a position of any game, or the steps of a record.

A position of a settlers game in a notation has its own pictures. All other games are drawn as scenes.
"""

from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ludograph.cli.output import SUCCESS, USAGE, CommandError, parse_path, write_text
from ludograph.cli.pictures import PictureContent, read_content_for_people, write_picture_json
from ludograph.render import CoordinateSystem, PlaceKind, svg

GAME_SUFFIX = ".tgdl"


def run(arguments: Namespace) -> int:
    draw_game = _find_drawer(arguments)
    if draw_game is not None:
        return draw_game()
    if isinstance(arguments.record, str):
        raise CommandError("--record is a number here: the number of the record in the file", USAGE)
    system = arguments.coordinates or ("han" if arguments.names else None)

    def draw(content: PictureContent) -> str:
        return svg(
            content.subject,
            action=content.overlaid_action,
            player=content.player,
            coordinates=CoordinateSystem(system) if system else None,
            coordinates_of=[PlaceKind(name) for name in arguments.names or ("tiles",)],
            width=arguments.width,
        )

    if arguments.json:
        return write_picture_json(arguments, "svg", draw)
    write_text(draw(read_content_for_people(arguments)), arguments.output)
    return SUCCESS


def _find_drawer(arguments: Namespace) -> Callable[[], int] | None:
    """The function that draws scenes; None for a settlers picture, which needs no game."""
    name: str = arguments.file
    wants_steps = arguments.frames or (arguments.output or "").endswith((".html", ".htm"))
    if name != "-" and (name.endswith(GAME_SUFFIX) or name in import_module("ludograph.games").list_games()):
        return lambda: _game_pictures().render_game(arguments)
    if name != "-":
        raw = parse_path(name).read_bytes()
        if arguments.source is None and import_module("ludograph.cli.saved_records").is_saved_record(raw):
            return lambda: _game_pictures().render_saved_record(raw, arguments)
    if wants_steps:
        return lambda: _game_pictures().render_settlers_record(arguments)
    return None


def _game_pictures() -> Any:
    """The module that runs rules, which settlers pictures do not need."""
    return import_module("ludograph.cli.game_pictures")
