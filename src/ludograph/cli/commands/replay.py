"""`ludograph replay`: replay a recorded game and compare the result.

The text shows which kind of record it is: a settlers game in a notation, or a file that `save` in `ludograph
play` wrote, whose moves begin with the number of a player and a colon.
"""

import re
import sys
from argparse import Namespace
from typing import Any

from ludograph.cli.commands.replay_settlers import replay_settlers
from ludograph.cli.engine_selection import report_missing_engine
from ludograph.cli.game_opening import open_game, report_rule_faults
from ludograph.cli.game_sources import read_bytes
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.streams import escape_line, print_message, print_text
from ludograph.games import list_games
from ludograph.play import BadRecord, Record, parse_record, replay
from ludograph.tgdl.game.game import Fault, Game

# A header line, a comment, or an empty line.
_BEFORE_MOVES = re.compile(r'\s*(?:#.*|\[\w+ ".*"\])?\s*')
_MOVE = re.compile(r"\s*(?:\*|[0-9]+)\s*:")
_RULES_HEADER = re.compile(r'\s*\[Rules "')


def run(arguments: Namespace) -> int:
    raw = _read(arguments.file)
    if arguments.game is None and (arguments.source is not None or not _is_saved_play(raw)):
        return replay_settlers(raw, arguments)
    for name, value in (
        ("--to", arguments.last),
        ("--print", arguments.printed),
        ("--start", arguments.start),
    ):
        if value not in (None, []):
            raise CommandError(f"{name} is for settlers games in HAN, CGN or SGN", USAGE)
    return _replay_play(raw, arguments)


def _read(name: str) -> bytes:
    if name != "-":
        return read_bytes(name)
    if sys.stdin is None:
        raise CommandError("standard input is closed; name a file", USAGE)
    if sys.stdin.isatty():
        print_message("ludograph: reading from the terminal; to read a file, name it")
    return read_bytes(name)


def _is_saved_play(raw: bytes) -> bool:
    """Whether the first line after the headers is a move, or a header names the rules."""
    lines = raw.decode("utf-8-sig", "replace").splitlines()
    at = next((place for place, line in enumerate(lines) if not _BEFORE_MOVES.fullmatch(line)), len(lines))
    if any(_RULES_HEADER.match(line) for line in lines[:at]):
        return True
    return at < len(lines) and _MOVE.match(lines[at]) is not None


def _replay_play(raw: bytes, arguments: Namespace) -> int:
    record = _parse(raw, arguments.file if arguments.file != "-" else "standard input")
    report_missing_engine(None)
    game = open_game(arguments.game or _find_shipped_name(record.game))
    with report_rule_faults(game.name):
        try:
            again = replay(game, record)
            if again.broken_at is None:
                len(again.state.legal_moves)  # the rules may fail when the next moves are listed
        except Fault as fault:
            if fault.code != "TG0518":
                raise
            raise _rules_mismatch(fault.message) from None
        except ValueError as error:
            raise _rules_mismatch(str(error)) from None
    reached = again.state.result
    summary: dict[str, Any] = {
        "game": game.name,
        "rules_changed": again.rules_changed,
        "moves": len(record.moves),
        "broken_at": None if again.broken_at is None else again.broken_at + 1,
        "reason": again.reason,
        "result": None if reached is None else reached.text,
        "recorded_result": record.result,
    }
    if arguments.json:
        write_json(summary)
    else:
        _print(game, record, summary)
    is_same = again.broken_at is None and summary["result"] == record.result
    return SUCCESS if is_same else FAILURE


def _rules_mismatch(reason: str) -> CommandError:
    """The rules do not have the players, options or setup of the record."""
    return CommandError(f"the record cannot be played under these rules: {escape_line(reason)}", FAILURE)


def _print(game: Game, record: Record, summary: dict[str, Any]) -> None:
    if summary["rules_changed"]:
        before = escape_line(record.rules[:12])
        print_text(f"the rules have changed: recorded under {before}, these are {game.rules[:12]}")
    if summary["broken_at"] is not None:
        print_text(f"the record cannot be replayed: {escape_line(str(summary['reason']))}")
        return
    result = summary["result"] or "unfinished"
    print_text(
        f"{escape_line(game.name)}: {summary['moves']} move{'' if summary['moves'] == 1 else 's'}, {result}"
    )
    if summary["result"] != record.result:
        print_text(f"the recorded result is: {escape_line(record.result or 'unfinished')}")


def _parse(raw: bytes, name: str) -> Record:
    try:
        return parse_record(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not UTF-8 text", FAILURE) from None
    except BadRecord as error:
        raise CommandError(f"{name}: {error}", FAILURE) from None


def _find_shipped_name(name: str) -> str:
    """The name of the shipped game that a record names; other games are given with --game."""
    for known in sorted(list_games(), key=lambda each: each != name.lower().replace(" ", "-")):
        if open_game(known).name == name:
            return known
    raise CommandError(f"there is no shipped game '{escape_line(name)}'; give its file with --game", FAILURE)
