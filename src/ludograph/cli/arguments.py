"""The arguments of the command line: commands, options and their help."""

import argparse
import sys
from collections.abc import Callable, Sequence

from ludograph import __version__
from ludograph.cli.game_arguments import (
    DIALECTS,
    IMPORTS,
    NOTATIONS,
    Commands,
    add_game_commands,
    add_json_option,
    add_scene_options,
    add_settlers_option,
)

MAX_WIDTH = 100_000


_DESCRIPTION = """Read, check, convert and draw settlers positions and games in five notations:
HAN (actions), HSN (positions), CGN and SGN (records), CCN (set-ups). Check, format, play and
analyse games that are written in TGDL."""

_EXAMPLES = """examples:
  ludograph show start.hsn                       draw a position in the terminal
  ludograph convert --to sgn game.cgn            convert a game; losses are listed on stderr
  cat start.ccn | ludograph convert --from ccn --to hsn
  ludograph validate game.han --json             report errors and findings as JSON
  ludograph render start.hsn -o start.svg --coordinates han
  ludograph play tic-tac-toe                     play in the terminal
  ludograph check mygame.tgdl                    check the source of a game

Commands for notations read a file. Without a file, or with -, they read standard input. The
notation is guessed from the file name and the first lines unless an option gives it. GAME is the
name of a shipped game (see `ludograph games`) or a path. Exit codes: 0 success, 1 findings or
invalid input, 2 usage error."""


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace | None:
    """The arguments, or None if there is no command; then the help is printed."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return None
    return arguments


class _CommandHelp(argparse.RawDescriptionHelpFormatter):
    """The help of all commands; the column of their names is wide enough for the longest one."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = len("    tournament")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ludograph",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=_CommandHelp,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ludograph {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_convert(commands)
    _add_validate(commands)
    _add_render(commands)
    _add_show(commands)
    _add_command(
        commands,
        "tour",
        "show a start position in all notations, and commands to try next",
        """examples:
  ludograph tour
  ludograph tour | less""",
    )
    add_game_commands(commands, _add_command)
    return parser


def _add_command(commands: Commands, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_input(
    command: argparse.ArgumentParser, *flags: str, record: Callable[[str], int | str] | None = None
) -> None:
    command.add_argument(
        "file", nargs="?", default="-", help="the file to read; - is standard input (default)"
    )
    command.add_argument(
        *flags,
        dest="source",
        choices=(*NOTATIONS, *IMPORTS),
        help="notation of the input, or the program that wrote it (default: guessed)",
    )
    command.add_argument(
        "--record",
        type=record or _parse_record_number,
        metavar="N" if record is None else "N or FILE",
        help="read only this record of the file; the first is 1"
        + ("" if record is None else ". After a game: the file with the record"),
    )
    command.add_argument("--lenient", action="store_true", help="accept common misspellings with a warning")
    add_json_option(command)


def _parse_record_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError("records are counted 1, 2, 3, …")
    return int(text)


def _parse_width(text: str) -> float:
    try:
        width = float(text)
    except ValueError:
        width = 0
    if not 1 <= width <= MAX_WIDTH:
        raise argparse.ArgumentTypeError(f"a picture is 1 to {MAX_WIDTH} pixels wide")
    return width


def _add_convert(commands: Commands) -> None:
    command = _add_command(
        commands,
        "convert",
        "convert a file into another notation",
        """examples:
  ludograph convert game.cgn --to han
  ludograph convert --from ccn --to hsn < start.ccn
  ludograph convert game.han --to han --dialect 2023
  ludograph convert game.sgn --to cgn --option points=12
  ludograph convert game.json --from catanatron --to han

The text is written to standard output. Losses, assumptions and missing data are reported on
standard error. An output file is written only if every record can be converted. Whole games are
played by the rules, which supply what a notation leaves out. If an action is not legal, nothing is
written; with --lenient the action is left out.""",
    )
    _add_input(command, "--from", "--format")
    command.add_argument(
        "--to", dest="target", choices=NOTATIONS, required=True, help="notation of the output"
    )
    command.add_argument(
        "--dialect", choices=DIALECTS, default="seed", help="dialect of HAN to write (default: seed)"
    )
    command.add_argument(
        "--without-rules",
        action="store_true",
        help="do not play the game: much faster, but more data is missing",
    )
    add_settlers_option(command)
    command.add_argument("-o", "--output", metavar="FILE", help="write to this file")


def _add_validate(commands: Commands) -> None:
    command = _add_command(
        commands,
        "validate",
        "check that a file parses and its position is possible",
        """examples:
  ludograph validate position.hsn
  ludograph validate start.ccn --strict
  ludograph validate games.sgn --json
  cat game.cgn | ludograph validate --format cgn --lenient

Every record of the file is checked. The exit code is 1 if there are errors or findings.""",
    )
    _add_input(command, "--format", "--from")
    command.add_argument(
        "--strict",
        action="store_true",
        help="also check which numbers are neighbours (6 and 8, equal numbers)",
    )


def _add_pictures(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--coordinates",
        choices=("han", "cgn", "ccn", "sgn"),
        help="print the names of the tiles in this coordinate system",
    )


def _add_render(commands: Commands) -> None:
    command = _add_command(
        commands,
        "render",
        "draw a game, a record or a settlers position as SVG, or a record as a page",
        """examples:
  ludograph render chess -o chess.svg --moves "e2.play(to: e4); e7.play(to: e5)"
  ludograph render crazy-eights --players 3 --seat 0 --seed 7 -o hand.svg
  ludograph render saved.txt -o game.html
  ludograph render mygame.tgdl --record saved.txt --frames -o step.svg
  ludograph render start.hsn -o start.svg
  ludograph render --coordinates cgn game.cgn > start.svg
  ludograph render games.han --record 2 --width 600 -o second.svg
  echo 'Pv(d4n)' | ludograph render -o village.svg
  ludograph render game.han -o game.html

The input is a game, a record that `save` in `ludograph play` wrote, or a settlers position or game in
a notation. A game is drawn as a spectator sees it, or as --seat does. A name that ends in .html gets
one page that steps through the record and needs no server. The picture of a settlers record shows
the start position with the pieces of the set-up, and the first action after it.""",
    )
    _add_input(command, "--format", "--from", record=_parse_record)
    _add_pictures(command)
    command.add_argument(
        "--names",
        action="append",
        choices=("tiles", "corners", "sides"),
        help="which places to name (repeatable; the default system is HAN)",
    )
    command.add_argument(
        "--width", type=_parse_width, metavar="PIXELS", help=f"width of the picture, 1 to {MAX_WIDTH}"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    add_scene_options(command)


def _parse_record(text: str) -> int | str:
    """The number of a record in a file, or the name of a file."""
    return _parse_record_number(text) if text.isascii() and text.isdigit() else text


def _add_show(commands: Commands) -> None:
    command = _add_command(
        commands,
        "show",
        "draw a position in the terminal",
        """examples:
  ludograph show start.hsn
  ludograph show game.han --coordinates han
  ludograph convert --from ccn --to hsn < start.ccn | ludograph show

A terminal that supports colour gets colour; set NO_COLOR to switch it off.""",
    )
    _add_input(command, "--format", "--from")
    _add_pictures(command)
    command.add_argument("--ascii", action="store_true", help="use ASCII characters only")
