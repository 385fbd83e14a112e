"""Source files of games: read a game by name or path, with a reader for its imports.

Imports stay in the folder of the game, even through links. Sources are UTF-8; a byte order mark at the start
is ignored. Reading a file that is too long stops at the limit.
"""

from collections.abc import Callable
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct

from ludograph.games.catalog import SUFFIX, list_games, shipped_file
from ludograph.text import Diagnostic, Portable, Source, Span
from ludograph.tgdl import SourceError
from ludograph.tgdl.syntax.sources import LeavesFolder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

CODES: dict[str, str] = {"TG0001": "the bytes are not UTF-8", "TG0002": "a file that is too long"}
MAX_BYTES = 64_000_000


class UnknownGame(Portable, LookupError):
    """There is no shipped game of this name, and no such file."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(f"there is no game '{name}'; {hint}")
        self.name = name


class TooLong(Exception):
    """The input is longer than the limit."""

    def __init__(self) -> None:
        super().__init__(f"the file is longer than {MAX_BYTES:,} bytes")


class GameSource(Struct, frozen=True):
    """The source of a game, and `read`, which returns the text of a file below its folder, or None."""

    source: Source
    read: Callable[[str], str | None]


def find_source(name_or_path: str | PathLike[str]) -> GameSource:
    """The source of a game by name or path, with a reader for its imports."""
    if not isinstance(name_or_path, str):
        return open_source_file(Path(fspath(name_or_path)))
    if name_or_path in list_games():
        return read_shipped(shipped_file(name_or_path))
    path = Path(name_or_path)
    if _is_path(name_or_path) or path.is_file():
        return open_source_file(path)
    raise UnknownGame(name_or_path, _hint(name_or_path))


def open_source_file(file: Path) -> GameSource:
    """Read the file of a game; an OSError if it cannot be read, a SourceError if it is not text."""
    with file.open("rb") as opened:
        return GameSource(read_source(opened, str(file)), reader_below(file.parent))


def read_shipped(file: "Traversable") -> GameSource:
    """Read a file of the package; its name is its file name, and it imports nothing."""
    return GameSource(decode_source(file.read_bytes(), file.name), lambda _: None)


def read_source(opened: BinaryIO, name: str) -> Source:
    """The source in an open file; a SourceError if it is not text, or too long."""
    try:
        data = read_limited(opened)
    except TooLong as error:
        hint = "is it the right file?"
        diagnostic = Diagnostic("TG0002", str(error), Span(0, 0), hint, Source("", name))
        raise SourceError((diagnostic,)) from None
    return decode_source(data, name)


def read_limited(opened: BinaryIO) -> bytes:
    """All bytes of an open file; TooLong if there are too many, or if the file is endless."""
    data = opened.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TooLong
    return data


def reader_below(folder: Path) -> Callable[[str], str | None]:
    """A reader of sources below a folder: None for a missing file.

    It raises LeavesFolder for a link that leads out of the folder, or to a file that is not `.tgdl`.
    """

    def read(path: str) -> str | None:
        try:
            file = (folder / path).resolve()
            if not file.is_relative_to(folder.resolve()) or not file.name.endswith(SUFFIX):
                raise LeavesFolder(path)
            if not file.is_file():
                return None
            with file.open("rb") as opened:
                return read_source(opened, str(folder / path)).text
        except SourceError:
            raise
        except (OSError, ValueError, RuntimeError):  # RuntimeError for a circular link
            return None

    return read


def decode_source(data: bytes, name: str) -> Source:
    """Decode bytes as a source; a SourceError shows the first byte that is not UTF-8."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return Source(data.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        start = len(data[: error.start].decode("utf-8"))
        hint = "save the file as UTF-8"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            hint = f"this looks like UTF-16: {hint}"
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8 text"
        source = Source(data.decode("utf-8", "replace"), name)
        raise SourceError((Diagnostic("TG0001", message, Span(start, start + 1), hint, source),)) from None


def _is_path(name: str) -> bool:
    return name.endswith(SUFFIX) or "/" in name or "\\" in name


def _hint(name: str) -> str:
    names = list_games()
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"the shipped games are {', '.join(names)}" if names else "there are no shipped games"
