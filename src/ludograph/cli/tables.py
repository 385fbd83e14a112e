"""Which table a game is played at, and who sits there."""

from argparse import Namespace
from collections.abc import Callable
from typing import cast

from ludograph.cli.game_texts import open_game, parse_options, read_position, start_game
from ludograph.cli.hexil_table import HexilTable
from ludograph.cli.report import FAULTY, USAGE, Complaint
from ludograph.cli.rules_table import RulesTable
from ludograph.cli.table import Table
from ludograph.cli.terminal import speaks_unicode
from ludograph.hexil import IllegalAction, Match, Options, Unplayable
from ludograph.play import Generator
from ludograph.text import TextError

DEFAULT_SEATS = ("human", "random")
FOUR = ("human", "random", "random", "random")

Seats = tuple[str, ...]


def open_table(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    """The table that the arguments want, and who sits there, player 0 first."""
    return OWN_TABLES.get(arguments.game, _open_rules)(arguments, seed)


def _open_rules(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    game = open_game(arguments.game, arguments.engine)
    wanted = arguments.seats or DEFAULT_SEATS
    position = read_position(arguments)
    if arguments.players is None and position is None and len(wanted) in game.player_counts:
        arguments.players = len(wanted)
    state = start_game(game, arguments, seed=seed, position=position, to_players="human" in wanted)
    seats = _filled(wanted, state.world.players)
    return RulesTable(state, people_of(seats), Generator(seed + 1)), seats


def _open_hexil(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    """For four, if nothing else is said; what only the rules know of, their own table shows."""
    position = read_position(arguments)
    if arguments.setup is not None or (position is not None and position.lstrip().startswith("{")):
        return _open_rules(arguments, seed)
    game = _new_hexil(arguments, seed, position)
    seats = _filled(arguments.seats or FOUR[: game.players], game.players)
    return HexilTable(game, people_of(seats), Generator(seed + 1), speaks_unicode), seats


OWN_TABLES: dict[str, Callable[[Namespace, int], tuple[Table, Seats]]] = {"hexil": _open_hexil}
"""Games of the shelf whose library knows how to sit at a table."""


def _new_hexil(arguments: Namespace, seed: int, position: str | None) -> Match:
    given = parse_options(arguments.option) or {}
    options = cast("Options", {name: _whole(value) for name, value in given.items()})
    engine: str | None = arguments.engine
    try:
        if position is None:
            said = len(arguments.seats or FOUR)
            return Match.new(
                arguments.players or (said if said > 1 else len(FOUR)), seed, engine=engine, **options
            )
        game = Match.from_record(position, seed=seed, engine=engine, **options)
    except (TextError, Unplayable, IllegalAction) as error:
        raise Complaint(f"{arguments.position}: {error}", FAULTY) from None
    except ValueError as error:
        raise Complaint(str(error), USAGE) from None
    if arguments.players not in (None, game.players):
        raise Complaint(f"the position is of {game.players} players, not {arguments.players}", USAGE)
    return game


def _whole(value: bool | float | str) -> bool | float | str:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def people_of(seats: Seats) -> tuple[int, ...]:
    return tuple(player for player, seat in enumerate(seats) if seat == "human")


def _filled(seats: Seats, players: int) -> Seats:
    """As many seats as there are players: the last kind takes those that were not said."""
    if len(seats) > players:
        raise Complaint(f"there are {len(seats)} seats for {players} players", USAGE)
    return seats + seats[-1:] * (players - len(seats))
