"""`ludograph replay`: a recorded game played again, to see that it still comes out as it did."""

from argparse import Namespace
from typing import Any

from ludograph.cli.game_texts import open_game, playing
from ludograph.cli.report import FAULTY, FINE, Complaint, path_of, write_json
from ludograph.games import list_games
from ludograph.play import BadRecord, Record, parse_record, replay
from ludograph.tgdl.game import Game


def run(arguments: Namespace) -> int:
    record = _read_record(arguments.file)
    game = open_game(arguments.game or _shelf_name(record.game))
    with playing(game.name):
        try:
            again = replay(game, record)
        except ValueError as error:
            raise Complaint(f"the record cannot be played under these rules: {error}", FAULTY) from None
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


def _print(game: Game, record: Record, told: dict[str, Any]) -> None:
    if told["rules_changed"]:
        print(f"the rules have changed: recorded under {record.rules[:12]}, these are {game.rules[:12]}")
    if told["broken_at"] is not None:
        print(f"the record breaks here: {told['reason']}")
        return
    result = told["result"] or "unfinished"
    print(f"{game.name}: {told['moves']} move{'' if told['moves'] == 1 else 's'}, {result}")
    if told["result"] != record.result:
        print(f"the record says: {record.result or 'unfinished'}")


def _read_record(name: str) -> Record:
    try:
        return parse_record(path_of(name).read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Complaint(f"{name} is not UTF-8 text", FAULTY) from None
    except BadRecord as error:
        raise Complaint(f"{name}: {error}", FAULTY) from None


def _shelf_name(name: str) -> str:
    """The shelf's name of a game that a record names; a game of one's own is given with --game."""
    for known in sorted(list_games(), key=lambda each: each != name.lower().replace(" ", "-")):
        if open_game(known).name == name:
            return known
    raise Complaint(f"the shelf has no game '{name}'; give its file with --game", FAULTY)
