"""`ludograph replay`: replay a recorded game and compare the result.

The text shows which kind of record it is: a settlers game in a notation, or a file that `save` in `ludograph
play` wrote, whose moves begin with the number of a player and a colon.
"""

import sys
from argparse import Namespace
from typing import Any

from ludograph.cli.commands.replay_settlers import replay_settlers
from ludograph.cli.engine_selection import report_missing_engine
from ludograph.cli.game_opening import open_game, report_rule_faults
from ludograph.cli.game_sources import read_bytes
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.saved_records import find_shipped_name, is_saved_record, parse_saved_record
from ludograph.cli.streams import escape_line, print_message, print_text
from ludograph.play import Record, replay
from ludograph.play.luck import LuckReport, read_luck, verify_luck
from ludograph.tgdl.game.game import Fault, Game


def run(arguments: Namespace) -> int:
    raw = _read(arguments.file)
    if arguments.game is None and (arguments.source is not None or not is_saved_record(raw)):
        if arguments.verify_luck:
            raise CommandError("--verify-luck is for records of the server", USAGE)
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


def _replay_play(raw: bytes, arguments: Namespace) -> int:
    record = parse_saved_record(raw, arguments.file if arguments.file != "-" else "standard input")
    report_missing_engine(None)
    game = open_game(arguments.game or find_shipped_name(record.game))
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
    luck = _verify_luck(raw, game, record) if arguments.verify_luck else None
    if luck is not None:
        summary["luck"] = {"verified": not luck.problem, "problem": luck.problem, "draws": luck.draws}
    if arguments.json:
        write_json(summary)
    else:
        _print(game, record, summary)
        if luck is not None:
            _print_luck(luck)
    if luck is not None and luck.problem:
        return FAILURE
    is_same = again.broken_at is None and summary["result"] == record.result
    return SUCCESS if is_same else FAILURE


def _verify_luck(raw: bytes, game: Game, record: Record) -> LuckReport:
    try:
        return verify_luck(game, record, read_luck(raw.decode("utf-8", "replace")))
    except ValueError as error:
        raise CommandError(escape_line(str(error)), FAILURE) from None


def _print_luck(luck: LuckReport) -> None:
    if luck.problem:
        print_text(f"the luck is not what the secret decides: {escape_line(luck.problem)}")
        return
    undone = f", and {luck.undone} more were undone" if luck.undone else ""
    print_text(f"the luck is verified: {luck.draws} draw{'' if luck.draws == 1 else 's'}{undone}")


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
