"""`ludograph play`: play a game in the terminal."""

import secrets
from argparse import Namespace

from ludograph.cli.engine_selection import printing_engine_warnings, report_missing_engine
from ludograph.cli.fault_reports import fault_error, print_fault, repeat_command
from ludograph.cli.output import SUCCESS, USAGE, CommandError
from ludograph.cli.session.opening import find_humans, open_terminal_game
from ludograph.cli.session.play_session import PlaySession
from ludograph.cli.session.terminal_game import name_player
from ludograph.cli.streams import escape_line, print_text
from ludograph.cli.terminal import wrap_line
from ludograph.play.seats import CANNOT_PLAY
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.world.faults import Fault


def run(arguments: Namespace) -> int:
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    report_missing_engine(arguments.engine)
    with without_garbage_collection():  # everything that is read and compiled here stays
        game, seats = open_terminal_game(arguments, seed)
    humans = find_humans(seats)
    named = ", ".join(f"{name_player(game, player)} {seat}" for player, seat in enumerate(seats))
    print_text(wrap_line(f"{escape_line(game.title)}, seed {seed}: {named}"))
    if game.greeting:
        print_text(game.greeting)
    try:
        with printing_engine_warnings():
            PlaySession(game, humans, trace=arguments.trace).play()
    except CANNOT_PLAY as error:
        raise CommandError(str(error), USAGE) from None
    except Fault as fault:
        print_fault(fault, to_players=bool(humans))
        words = ["--seats", ",".join(seats), "--seed", str(seed)]
        raise fault_error(
            game.title,
            fault,
            arguments,
            where=f"this is the game of seed {seed}",
            command=repeat_command("play", arguments, *words),
            record=game.record_fault,
            details={"seed": seed},
        ) from None
    return SUCCESS
