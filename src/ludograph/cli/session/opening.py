"""Start the terminal game that the arguments describe, and fill its seats."""

import time
from argparse import Namespace

from ludograph.cli.game_opening import open_game, start_game
from ludograph.cli.game_sources import read_position
from ludograph.cli.output import USAGE, CommandError
from ludograph.cli.session.terminal_game import TerminalGame
from ludograph.cli.session.tgdl_game import TgdlTerminalGame
from ludograph.cli.streams import print_message
from ludograph.play import Bot, Generator

DEFAULT_SEATS = ("human", "random")

Seats = tuple[str, ...]


def open_terminal_game(arguments: Namespace, seed: int) -> tuple[TerminalGame, Seats]:
    """Start the terminal game that the arguments describe; return it with its seats, player 0 first.

    Other games are started without importing the library of Hexil.
    """
    if arguments.game == "hexil":
        from ludograph.cli.session.hexil_opening import open_hexil

        return open_hexil(arguments, seed)
    return open_tgdl_game(arguments, seed)


def open_tgdl_game(arguments: Namespace, seed: int) -> tuple[TerminalGame, Seats]:
    game = open_game(arguments.game, arguments.engine)
    wanted = arguments.seats or DEFAULT_SEATS
    position = read_position(arguments)
    if arguments.players is None and position is None and len(wanted) in game.player_counts:
        arguments.players = len(wanted)
    state = start_game(game, arguments, seed=seed, position=position, to_players="human" in wanted)
    seats = fill_seats(wanted, state.players)
    game_at_terminal = TgdlTerminalGame(
        state, find_humans(seats), make_bots(seats, seed + 1), is_open=arguments.open
    )
    return game_at_terminal, seats


def make_bots(seats: Seats, seed: int) -> dict[int, Bot]:
    """The bots of the seats that no human has. Random players share one generator."""
    if "human" in seats and len(set(seats)) == 1:
        return {}
    from ludograph.bots import bot_seed
    from ludograph.programs import make_bot

    shared = Generator(seed)
    return {
        player: make_bot(
            seat,
            shared if seat == "random" else Generator(bot_seed(seed, player)),
            time.monotonic,
            lambda text: print_message(f"ludograph: {text}"),
        )
        for player, seat in enumerate(seats)
        if seat != "human"
    }


def find_humans(seats: Seats) -> tuple[int, ...]:
    return tuple(player for player, seat in enumerate(seats) if seat == "human")


def fill_seats(seats: Seats, players: int) -> Seats:
    """As many seats as there are players; the last seat also fills the remaining ones."""
    if len(seats) > players:
        raise CommandError(f"{len(seats)} seats were given for {players} players", USAGE)
    return seats + seats[-1:] * (players - len(seats))
