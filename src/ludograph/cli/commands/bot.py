"""`ludograph bot`: play a seat for another program, in JSON lines over standard input and output."""

import sys
from argparse import Namespace

import msgspec

from ludograph.bots import parse_bot
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError
from ludograph.cli.streams import print_message
from ludograph.games import Game, UnknownGame, list_games, load
from ludograph.programs.host import BotHost, encode_line


def run(arguments: Namespace) -> int:
    game = None
    if arguments.game is not None:
        try:
            game = load(arguments.game)
        except (OSError, UnknownGame) as error:
            raise CommandError(f"{arguments.game}: {error}", USAGE) from None
    host = BotHost(parse_bot(arguments.bot), lambda title: game or _find_shipped(title), arguments.seed or 0)
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            answers, goes_on = host.answer(line)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            print_message(f"ludograph: line {number} is not a message of the protocol: {error}")
            return FAILURE
        for answer in answers:
            sys.stdout.buffer.write(encode_line(answer))
        sys.stdout.buffer.flush()
        if not goes_on:
            break
    return SUCCESS


def _find_shipped(title: str) -> Game | None:
    """The shipped game with a title."""
    from ludograph.games.catalog import read_headline

    name = next((name for name in list_games() if read_headline(name)[0] == title), None)
    return None if name is None else load(name)
