"""Games of other programs, which can be read but not written.

An import is a record like any other: `located` reads it, conversions and replays use it. The table has a row
for each program, as the table of notations has one for each notation.
"""

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from msgspec import Struct

from ludograph.notation.han.recognise import BLANKS_AND_COMMENTS
from ludograph.notation.imports import catanatron, catanlog, jsettlers
from ludograph.notation.imports.imported import Imported
from ludograph.text import Cursor, Source

CODES: dict[str, str] = {
    "NT0701": "text follows the end of an imported game",
    "NT0702": "a resource, card, direction or type of tile is unknown",
    "NT0703": "an action is unknown",
    "NT0704": "a line at the beginning of a log is missing or malformed",
    "NT0705": "a log has something that the settlers game of the base rules lacks",
    "NT0706": "a message of a log has a wrong or missing parameter",
    "NT1701": "a player is not in the game, or is listed twice",
    "NT1702": "a tile is defined twice",
    "NT1703": "a tile, corner or side is not on the island",
    "NT1704": "two dice cannot have this sum",
}


class ImportFormat(Enum):
    """The programs whose games can be imported; the values are their names on the command line."""

    CATANATRON = "catanatron"
    CATANLOG = "catanlog"
    JSETTLERS = "jsettlers"


class ReadImport(Protocol):
    """Parses a source with one game."""

    def __call__(self, source: Source, *, lenient: bool = False) -> Imported: ...


class ImportRow(Struct, frozen=True):
    """Everything that other code must know about one format."""

    title: str
    suffixes: tuple[str, ...]
    begins_at: Callable[[Cursor], bool]
    """Whether a game in this format starts at the cursor."""
    read: ReadImport


IMPORTS: dict[ImportFormat, ImportRow] = {
    ImportFormat.CATANATRON: ImportRow(
        "JSON of the program catanatron", (), catanatron.begins_at, catanatron.read
    ),
    ImportFormat.CATANLOG: ImportRow(
        "logs of the program catanlog", (".catan",), catanlog.begins_at, catanlog.read
    ),
    ImportFormat.JSETTLERS: ImportRow(
        "game event logs of the program JSettlers", (".soclog",), jsettlers.begins_at, jsettlers.read
    ),
}


def maybe_import_format(name: str) -> ImportFormat | None:
    """The format with a name; None if there is none.

    >>> maybe_import_format("catanlog"), maybe_import_format("han")
    (<ImportFormat.CATANLOG: 'catanlog'>, None)
    """
    return next((each for each in ImportFormat if each.value == name), None)


def find_import_by_suffix(file_name: str) -> ImportFormat | None:
    """The format of a file by the suffix of its name; None if no program has it.

    >>> find_import_by_suffix("games/last.soclog")
    <ImportFormat.JSETTLERS: 'jsettlers'>
    """
    name = file_name.lower()
    return next((each for each, row in IMPORTS.items() if name.endswith(row.suffixes)), None)


def guess_import(beginning: str) -> ImportFormat | None:
    """The format of a text with this beginning; None if no importer recognises it.

    >>> guess_import("catanlog v0.10.0")
    <ImportFormat.CATANLOG: 'catanlog'>
    """
    cursor = Cursor(Source(beginning))
    cursor.maybe_match(BLANKS_AND_COMMENTS)
    return next((each for each, row in IMPORTS.items() if row.begins_at(cursor)), None)
