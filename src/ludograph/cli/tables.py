"""Which table a game is played at, and who sits there."""

from argparse import Namespace

from ludograph.cli.game_starts import open_game, start_game
from ludograph.cli.game_texts import read_position
from ludograph.cli.output import USAGE, Complaint
from ludograph.cli.rules_table import RulesTable
from ludograph.cli.table import Table
from ludograph.play import Generator

DEFAULT_SEATS = ("human", "random")

Seats = tuple[str, ...]


def open_table(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    """The table that the arguments want, and who sits there, player 0 first.

    A game that has no library of its own is opened without importing that of Hexil.
    """
    if arguments.game == "hexil":  # its library knows how to sit at a table
        from ludograph.cli.hexil_opening import open_hexil

        return open_hexil(arguments, seed)
    return open_rules(arguments, seed)


def open_rules(arguments: Namespace, seed: int) -> tuple[Table, Seats]:
    game = open_game(arguments.game, arguments.engine)
    wanted = arguments.seats or DEFAULT_SEATS
    position = read_position(arguments)
    if arguments.players is None and position is None and len(wanted) in game.player_counts:
        arguments.players = len(wanted)
    state = start_game(game, arguments, seed=seed, position=position, to_players="human" in wanted)
    seats = filled(wanted, state.players)
    return RulesTable(state, people_of(seats), Generator(seed + 1)), seats


def people_of(seats: Seats) -> tuple[int, ...]:
    return tuple(player for player, seat in enumerate(seats) if seat == "human")


def filled(seats: Seats, players: int) -> Seats:
    """As many seats as there are players: the last kind takes those that were not said."""
    if len(seats) > players:
        raise Complaint(f"there are {len(seats)} seats for {players} players", USAGE)
    return seats + seats[-1:] * (players - len(seats))
