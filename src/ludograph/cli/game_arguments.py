"""What can be typed for games in TGDL: check, fmt, dump, games, perft, simulate, play, replay, cache."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

MOST_PLAYOUTS = 1_000_000_000
DEEPEST = 1000
MOST_MOVES = 10_000_000
MOST_THREADS = 256
DEFAULT_LIMIT = 10_000

# Copies of the table of notations, which takes too long to import for --help; a test compares them.
NOTATIONS = ("han", "hsn", "cgn", "ccn", "sgn")
DIALECTS = ("seed", "2023")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
AddCommand: TypeAlias = Callable[[Commands, str, str, str], argparse.ArgumentParser]


def add_game_commands(commands: Commands, add_command: AddCommand) -> None:
    _add_check(commands, add_command)
    _add_fmt(commands, add_command)
    _add_dump(commands, add_command)
    _add_games(commands, add_command)
    _add_perft(commands, add_command)
    _add_simulate(commands, add_command)
    _add_play(commands, add_command)
    _add_replay(commands, add_command)
    _add_cache(commands, add_command)


def _add_check(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "check",
        "check the text of games: everything that is wrong, and where",
        """examples:
  ludograph check mygame.tgdl
  ludograph check games/*.tgdl --json
  cat mygame.tgdl | ludograph check -

Imports are read from the game's own folder. Exit code 1 if there is an error; warnings and
hints alone are fine.""",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="the files to check; - is standard input")
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _add_fmt(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "fmt",
        "write the text of games in the one style",
        """examples:
  ludograph fmt mygame.tgdl
  ludograph fmt --check games/*.tgdl
  cat mygame.tgdl | ludograph fmt -

Files are rewritten in place; standard input goes to standard output. A file with errors stays
as it is, and the exit code is 1.""",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="the files to write; - is standard input")
    command.add_argument(
        "--check", action="store_true", help="write nothing, list the files that would change"
    )


def _add_dump(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "dump",
        "show what a stage of the language makes of a text",
        """examples:
  ludograph dump --stage tokens mygame.tgdl
  ludograph dump --stage tree tic-tac-toe
  ludograph dump --stage ir tic-tac-toe
  echo 'players 3;' | ludograph dump --stage program -""",
    )
    command.add_argument("file", metavar="GAME", help="a game of the shelf or a file; - is standard input")
    command.add_argument(
        "--stage",
        choices=("tokens", "tree", "program", "ir", "llvm"),
        required=True,
        help="which stage to show; ir and llvm are what the native engine makes of it",
    )


def _add_games(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "games",
        "list the games of the shelf",
        """examples:
  ludograph games
  ludograph games --json""",
    )
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _add_perft(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "perft",
        "count the sequences of so many complete moves",
        """examples:
  ludograph perft tic-tac-toe 5
  ludograph perft chess 3 --json
  ludograph perft chess 2 --position kiwipete.json
  ludograph perft pig 2 --option target=20 --players 3
  ludograph perft crazy-eights 2 --seed 1

A finished game has no further moves; each distinct outcome of chance counts as one.""",
    )
    _add_game(command)
    command.add_argument("depth", metavar="DEPTH", type=_whole(0, DEEPEST), help="how many moves")
    _add_position(command, "begin at a position given as JSON")
    _add_seed(command, "deal and throw by this seed before the first move (default: count every deal)")
    _add_engine(command)
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _add_engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--engine",
        choices=("native", "reference"),
        help="what runs the rules (default: native, where it can and pays)",
    )


def _add_simulate(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "simulate",
        "play random games and sum up how they ended",
        """examples:
  ludograph simulate tic-tac-toe -n 1000
  ludograph simulate pig -n 100 --players 3 --seed 7 --json

The same seed gives the same games on the same engine, with any number of threads; the two engines draw
differently. Ctrl-C stops and sums up what has been played. A game that does not end is given up after
--limit moves and counted as unfinished. Progress is told on standard error; where that is no terminal,
in a line now and then, and with --json not at all.""",
    )
    _add_game(command)
    command.add_argument(
        "-n",
        "--playouts",
        type=_whole(1, MOST_PLAYOUTS),
        default=100,
        metavar="N",
        help="how many games (default: 100)",
    )
    _add_seed(command, "seed of the first game (default: 0)")
    _add_engine(command)
    command.add_argument(
        "--threads",
        type=_whole(1, MOST_THREADS),
        default=1,
        metavar="N",
        help="play so many games at once (native engine; default: 1)",
    )
    command.add_argument(
        "--limit",
        type=_whole(1, MOST_MOVES),
        default=DEFAULT_LIMIT,
        metavar="MOVES",
        help=f"give a game up as unfinished after so many moves (default: {DEFAULT_LIMIT:,})",
    )
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _add_play(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "play",
        "play a game in the terminal",
        """examples:
  ludograph play tic-tac-toe
  ludograph play chess --seats human,human
  ludograph play pig --seats human,random,random --seed 7
  ludograph play mygame.tgdl --seats random --trace
  ludograph play hexil --position settled.hsn

Type the number of a choice, or the text of a move; `help` lists the other words. Seats that are
not named are as the last one. --trace tells only what every human at the table may see; with random
players alone it tells everything.""",
    )
    _add_game(command)
    command.add_argument(
        "--seats",
        type=_seats,
        metavar="SEAT,…",
        help="who plays, human or random, the first player first (default: human,random)",
    )
    _add_position(
        command, "begin at a position in JSON; hexil also at one, or at the end of a game, in any notation"
    )
    _add_seed(command, "seed of the dice and of random players (default: another each time)")
    _add_engine(command)
    command.add_argument("--trace", action="store_true", help="show what each move does, step by step")


def _add_replay(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "replay",
        "play a recorded game again: every action checked, and where and why it breaks",
        """examples:
  ludograph replay game.han
  ludograph replay game.cgn --to 20 --print board
  ludograph replay game.sgn --lenient --print hsn
  ludograph replay moves.han --start start.ccn --json
  ludograph replay saved.txt --game mygame.tgdl

A record is a settlers game in HAN, CGN or SGN, or what `save` writes in `ludograph play`; which, is
guessed. The first action that the rules refuse is shown with its place and the rule. With --lenient
such actions are left out, and the rest is played. Exit code 1 if an action is refused, or if the game
ends otherwise than the record says. A record of `play` that comes out right under changed rules is
fine, and is told so.""",
    )
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the record; - is standard input (default)"
    )
    command.add_argument("--game", metavar="GAME", help="its game (default: the shelf's game of that name)")
    command.add_argument(
        *("--format", "--from"),
        dest="source",
        choices=NOTATIONS,
        help="notation of a settlers game (default: guessed)",
    )
    command.add_argument("--start", metavar="FILE", help="where the game begins, in HSN or CCN")
    command.add_argument(
        "--record", type=_whole(1, MOST_PLAYOUTS), metavar="N", help="only this record of the file"
    )
    command.add_argument(
        "--to", dest="last", type=_whole(0, MOST_PLAYOUTS), metavar="N", help="play N actions only"
    )
    command.add_argument(
        "--print",
        action="append",
        default=[],
        dest="printed",
        choices=("board", "svg", *NOTATIONS),
        help="print the position (hsn, board, svg) or the game so far (repeatable)",
    )
    command.add_argument(
        "--dialect", choices=DIALECTS, default="seed", help="dialect of HAN to print (default: seed)"
    )
    _add_seed(command, "decides what the record leaves to chance, such as R? (default: that is a fault)")
    add_settlers_option(command)
    command.add_argument(
        "--lenient", action="store_true", help="leave out what is refused and go on; read common misspellings"
    )
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _seats(text: str) -> tuple[str, ...]:
    seats = tuple(seat.strip() for seat in text.split(","))
    for seat in seats:
        if seat not in ("human", "random"):
            raise argparse.ArgumentTypeError(f"a seat is human or random, not '{seat}'")
    return seats


def _add_cache(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "cache",
        "show or clear the compiled games that are kept on disk",
        """examples:
  ludograph cache
  ludograph cache --clear
  LUDOGRAPH_CACHE= ludograph simulate pig        compile anew and keep nothing

They are in the user's cache folder, or in the one that LUDOGRAPH_CACHE names. What has not been used
for longest goes when there is no more room.""",
    )
    command.add_argument("--clear", action="store_true", help="remove them all")
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def _add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="a game of the shelf (see `ludograph games`) or a file")
    command.add_argument("--players", type=_whole(1, 1000), metavar="N", help="how many players")
    command.add_argument(
        "--option",
        "--options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game (repeatable)",
    )
    command.add_argument("--setup", metavar="NAME", help="begin with the game's setup of this name")


def _add_position(command: argparse.ArgumentParser, words: str) -> None:
    command.add_argument("--position", metavar="FILE", help=words)


def add_settlers_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option",
        "--options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="how the settlers game differs from the usual one, if the record does not say (repeatable)",
    )


def _add_seed(command: argparse.ArgumentParser, words: str) -> None:
    command.add_argument("--seed", type=_whole(0, 2**64 - 1), metavar="S", help=words)


def _whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers in a range."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 25 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {least} to {most}, found '{text}'"
            )
        return int(text)

    return read
