"""Records that `save` in `ludograph play` wrote: recognise and parse them, and find their game."""

from ludograph.cli.game_opening import open_game
from ludograph.cli.output import FAILURE, CommandError
from ludograph.cli.streams import escape_line
from ludograph.games import list_games
from ludograph.play import BadRecord, Record, parse_record
from ludograph.play.record import is_record


def is_saved_record(raw: bytes) -> bool:
    """Whether the first line after the headers is a move, or a header names the rules."""
    return is_record(raw.decode("utf-8-sig", "replace"))


def parse_saved_record(raw: bytes, name: str) -> Record:
    try:
        return parse_record(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CommandError(f"{name} is not UTF-8 text", FAILURE) from None
    except BadRecord as error:
        raise CommandError(f"{name}: {error}", FAILURE) from None


def find_shipped_name(name: str) -> str:
    """The name of the shipped game that a record names; other games are given with --game."""
    for known in sorted(list_games(), key=lambda each: each != name.lower().replace(" ", "-")):
        if open_game(known).name == name:
            return known
    raise CommandError(f"there is no shipped game '{escape_line(name)}'; give its file with --game", FAILURE)
