"""Files of a game: a path or a name of the shelf in, its text and a reader for its imports out.

Imports stay in the folder of the game, also where a link would lead out of it. Texts are UTF-8, and a byte
order mark at the beginning is no part of them. Of a file that is too long no more is read than shows that.
"""

from collections.abc import Callable
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct

from ludograph.games.catalog import SUFFIX, list_games, shelf_file
from ludograph.text import Diagnostic, Portable, Source, Span
from ludograph.tgdl import SourceError
from ludograph.tgdl.syntax.sources import LeavesFolder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

CODES: dict[str, str] = {"TG0001": "the bytes are not UTF-8", "TG0002": "a file that is too long"}
MOST_BYTES = 64_000_000


class UnknownGame(Portable, LookupError):
    """There is no game of this name on the shelf, and no such file."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(f"there is no game '{name}'; {hint}")
        self.name = name


class TooLong(Exception):
    """There is more to read than any text of ours has."""

    def __init__(self) -> None:
        super().__init__(f"a file has at most {MOST_BYTES:,} bytes, and this one has more")


class GameText(Struct, frozen=True):
    """The text of a game, and `read`, which gives the text of a file below its folder, or None."""

    source: Source
    read: Callable[[str], str | None]


def find_text(name_or_path: str | PathLike[str]) -> GameText:
    """The text that a name or path means, with a way to the files it imports."""
    if not isinstance(name_or_path, str):
        return open_text(Path(fspath(name_or_path)))
    if name_or_path in list_games():
        return open_shipped(shelf_file(name_or_path))
    path = Path(name_or_path)
    if _is_path(name_or_path) or path.is_file():
        return open_text(path)
    raise UnknownGame(name_or_path, _hint(name_or_path))


def open_text(file: Path) -> GameText:
    """Read a game's file; an OSError if it cannot be read, a SourceError if it is no text."""
    with file.open("rb") as opened:
        return GameText(read_source(opened, str(file)), reader_below(file.parent))


def open_shipped(file: "Traversable") -> GameText:
    """Read a file of the package, which is called by its name alone and imports nothing."""
    return GameText(decode_text(file.read_bytes(), file.name), lambda _: None)


def read_source(opened: BinaryIO, name: str) -> Source:
    """The text of an open file; a SourceError if it is none, or too long."""
    try:
        data = read_limited(opened)
    except TooLong as error:
        hint = "is it the right file?"
        diagnostic = Diagnostic("TG0002", str(error), Span(0, 0), hint, Source("", name))
        raise SourceError((diagnostic,)) from None
    return decode_text(data, name)


def read_limited(opened: BinaryIO) -> bytes:
    """All bytes of an open file; TooLong if there are too many, or if they never end."""
    data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise TooLong
    return data


def reader_below(folder: Path) -> Callable[[str], str | None]:
    """A reader of the files below a folder; what is not there is None, what leads out of it LeavesFolder."""

    def read(path: str) -> str | None:
        try:
            file = (folder / path).resolve()
            if not file.is_relative_to(folder.resolve()):
                raise LeavesFolder(path)
            if not file.is_file():
                return None
            with file.open("rb") as opened:
                return read_source(opened, str(folder / path)).text
        except SourceError:
            raise
        except (OSError, ValueError, RuntimeError):  # the last for a link that leads to itself
            return None

    return read


def decode_text(data: bytes, name: str) -> Source:
    """Bytes as a source; a SourceError shows the first that is not UTF-8."""
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
    return f"the shelf has {', '.join(names)}" if names else "the shelf is empty"
