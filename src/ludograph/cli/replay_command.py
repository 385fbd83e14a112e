"""`ludograph replay`: a recorded game played again, to see that it comes out as it did.

Two kinds of records are told apart by their text: settlers games in a notation, and what `save` writes in
`ludograph play`, whose moves begin with the number of a player and a colon.
"""

import re
import sys
from argparse import Namespace
from typing import Any

from ludograph.cli.engine_choice import say_if_missing
from ludograph.cli.game_starts import open_game, playing
from ludograph.cli.game_texts import read_bytes
from ludograph.cli.output import FAULTY, FINE, USAGE, Complaint, write_json
from ludograph.cli.replay_settlers import replay_settlers
from ludograph.cli.streams import in_one_line, say, show
from ludograph.games import list_games
from ludograph.play import BadRecord, Record, parse_record, replay
from ludograph.tgdl.game.game import Fault, Game

# A header line, a comment, or nothing.
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
            raise Complaint(f"{name} is for settlers games in HAN, CGN or SGN", USAGE)
    return _replay_play(raw, arguments)


def _read(name: str) -> bytes:
    if name != "-":
        return read_bytes(name)
    if sys.stdin is None:
        raise Complaint("there is no standard input to read from; name a file", USAGE)
    if sys.stdin.isatty():
        say("ludograph: reading from the terminal; name a file to read that instead")
    return read_bytes(name)


def _is_saved_play(raw: bytes) -> bool:
    """Whether the first line that is more than a header is a move, or headers tell of rules."""
    lines = raw.decode("utf-8-sig", "replace").splitlines()
    at = next((place for place, line in enumerate(lines) if not _BEFORE_MOVES.fullmatch(line)), len(lines))
    if any(_RULES_HEADER.match(line) for line in lines[:at]):
        return True
    return at < len(lines) and _MOVE.match(lines[at]) is not None


def _replay_play(raw: bytes, arguments: Namespace) -> int:
    record = _parse(raw, arguments.file if arguments.file != "-" else "standard input")
    say_if_missing(None)
    game = open_game(arguments.game or _shelf_name(record.game))
    with playing(game.name):
        try:
            again = replay(game, record)
        except Fault as fault:
            if fault.code != "TG0518":
                raise
            raise _unplayable(fault.message) from None
        except ValueError as error:
            raise _unplayable(str(error)) from None
    reached = again.state.result
    told: dict[str, Any] = {
        "game": game.name,
        "rules_changed": again.rules_changed,
        "moves": len(record.moves),
        "broken_at": None if again.broken_at is None else again.broken_at + 1,
        "reason": again.reason,
        "result": None if reached is None else reached.text,
        "recorded_result": record.result,
    }
    if arguments.json:
        write_json(told)
    else:
        _print(game, record, told)
    is_same = again.broken_at is None and told["result"] == record.result
    return FINE if is_same else FAULTY


def _unplayable(reason: str) -> Complaint:
    """Players, options or a setup that the rules do not have."""
    return Complaint(f"the record cannot be played under these rules: {in_one_line(reason)}", FAULTY)


def _print(game: Game, record: Record, told: dict[str, Any]) -> None:
    if told["rules_changed"]:
        before = in_one_line(record.rules[:12])
        show(f"the rules have changed: recorded under {before}, these are {game.rules[:12]}")
    if told["broken_at"] is not None:
        show(f"the record breaks here: {in_one_line(str(told['reason']))}")
        return
    result = told["result"] or "unfinished"
    show(f"{in_one_line(game.name)}: {told['moves']} move{'' if told['moves'] == 1 else 's'}, {result}")
    if told["result"] != record.result:
        show(f"the record says: {in_one_line(record.result or 'unfinished')}")


def _parse(raw: bytes, name: str) -> Record:
    try:
        return parse_record(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Complaint(f"{name} is not UTF-8 text", FAULTY) from None
    except BadRecord as error:
        raise Complaint(f"{name}: {error}", FAULTY) from None


def _shelf_name(name: str) -> str:
    """The shelf's name of a game that a record names; a game of one's own is given with --game."""
    for known in sorted(list_games(), key=lambda each: each != name.lower().replace(" ", "-")):
        if open_game(known).name == name:
            return known
    raise Complaint(f"the shelf has no game '{in_one_line(name)}'; give its file with --game", FAULTY)
