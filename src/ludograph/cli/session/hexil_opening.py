"""Start a terminal game of Hexil, from the start or from a position or record in any notation."""

from argparse import Namespace
from typing import cast

from ludograph.cli.game_opening import parse_options
from ludograph.cli.game_sources import read_position
from ludograph.cli.output import FAILURE, USAGE, CommandError
from ludograph.cli.session.hexil_game import HexilTerminalGame
from ludograph.cli.session.opening import Seats, fill_seats, find_humans, open_tgdl_game
from ludograph.cli.session.terminal_game import TerminalGame
from ludograph.cli.terminal import supports_unicode
from ludograph.hexil import IllegalAction, Options, Unplayable
from ludograph.hexil import Match as Hexil
from ludograph.play import Generator
from ludograph.text import TextError

FOUR = ("human", "random", "random", "random")


def open_hexil(arguments: Namespace, seed: int) -> tuple[TerminalGame, Seats]:
    """Start Hexil, with four players by default.

    The generic terminal game shows what only the rules describe: a named setup, or a position in JSON. It
    also has the bots that search.
    """
    position = read_position(arguments)
    has_bots = any(seat not in ("human", "random") for seat in arguments.seats or ())
    if (
        has_bots
        or arguments.setup is not None
        or (position is not None and position.lstrip().startswith("{"))
    ):
        return open_tgdl_game(arguments, seed)
    game = _new_hexil(arguments, seed, position)
    seats = fill_seats(arguments.seats or FOUR[: game.players], game.players)
    humans, chance = find_humans(seats), Generator(seed + 1)
    return HexilTerminalGame(game, humans, chance, supports_unicode, is_open=arguments.open), seats


def _new_hexil(arguments: Namespace, seed: int, position: str | None) -> Hexil:
    given = parse_options(arguments.option) or {}
    options = cast("Options", {name: _parse_whole(value) for name, value in given.items()})
    engine: str | None = arguments.engine
    try:
        if position is None:
            seats = len(arguments.seats or FOUR)
            return Hexil.new(
                arguments.players or (seats if seats > 1 else len(FOUR)),
                seed,
                engine=engine,
                **options,
            )
        game = Hexil.from_record(position, seed=seed, engine=engine, **options)
    except (TextError, Unplayable, IllegalAction) as error:
        raise CommandError(f"{arguments.position}: {error}", FAILURE) from None
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    if arguments.players not in (None, game.players):
        raise CommandError(f"the position has {game.players} players, not {arguments.players}", USAGE)
    return game


def _parse_whole(value: bool | float | str) -> bool | float | str:
    return int(value) if isinstance(value, float) and value.is_integer() else value
