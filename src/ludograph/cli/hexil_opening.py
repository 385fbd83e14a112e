"""A table for Hexil: for four, if nothing else is said, at a position or a record in any notation."""

from argparse import Namespace
from typing import cast

from ludograph.cli.game_starts import parse_options
from ludograph.cli.game_texts import read_position
from ludograph.cli.hexil_table import HexilTable
from ludograph.cli.output import FAULTY, USAGE, Complaint
from ludograph.cli.table import Table
from ludograph.cli.tables import Seats, filled, open_rules, people_of
from ludograph.cli.terminal import speaks_unicode
from ludograph.hexil import IllegalAction, Options, Unplayable
from ludograph.hexil import Match as Hexil
from ludograph.play import Generator
from ludograph.text import TextError

FOUR = ("human", "random", "random", "random")


def open_hexil(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    """For four, if nothing else is said; what only the rules know of, their own table shows."""
    position = read_position(arguments)
    if arguments.setup is not None or (position is not None and position.lstrip().startswith("{")):
        return open_rules(arguments, seed)
    game = _new_hexil(arguments, seed, position)
    seats = filled(arguments.seats or FOUR[: game.players], game.players)
    return HexilTable(game, people_of(seats), Generator(seed + 1), speaks_unicode), seats


def _new_hexil(arguments: Namespace, seed: int, position: str | None) -> Hexil:
    given = parse_options(arguments.option) or {}
    options = cast("Options", {name: _whole(value) for name, value in given.items()})
    engine: str | None = arguments.engine
    try:
        if position is None:
            said = len(arguments.seats or FOUR)
            return Hexil.new(
                arguments.players or (said if said > 1 else len(FOUR)), seed, engine=engine, **options
            )
        game = Hexil.from_record(position, seed=seed, engine=engine, **options)
    except (TextError, Unplayable, IllegalAction) as error:
        raise Complaint(f"{arguments.position}: {error}", FAULTY) from None
    except ValueError as error:
        raise Complaint(str(error), USAGE) from None
    if arguments.players not in (None, game.players):
        raise Complaint(f"the position is of {game.players} players, not {arguments.players}", USAGE)
    return game


def _whole(value: bool | float | str) -> bool | float | str:
    return int(value) if isinstance(value, float) and value.is_integer() else value
