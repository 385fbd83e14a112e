"""Imports: they load the trees of all files of a game.

This module opens no file. `read` returns the text of a path below the game's folder or None, or it raises
LeavesFolder. A path is relative to the folder of the importing file, must stay in the game's folder, and ends
with `.tgdl`.
"""

from posixpath import dirname, join, normpath

from msgspec import Struct, field

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.syntax.parser import parse
from ludograph.tgdl.syntax.parser.unknown_names import UnknownNames
from ludograph.tgdl.syntax.sources import LeavesFolder, Read
from ludograph.tgdl.syntax.tree.declarations import File, Import
from ludograph.tgdl.syntax.tree.expressions import Text

MAX_FILES = 1000
MAX_IMPORT_DEPTH = 50
SUFFIX = ".tgdl"
"""The end of the name of every imported file: a message cannot show the content of other files."""


class LoadedFile(Struct, frozen=True):
    """A file of a game. `prefix` is put before its names in the program: "" or the name of the import."""

    source: Source
    tree: File
    prefix: str
    unknown: UnknownNames
    """The names that unreadable parts of the file may declare."""


class Loaded(Struct, frozen=True):
    """All files, the main file first. In `order` a file comes after the files that it imports."""

    files: tuple[LoadedFile, ...]
    order: tuple[int, ...]
    targets: dict[tuple[int, str], int]
    """The imported file, by the importing file and the path in its source."""
    diagnostics: tuple[Diagnostic, ...]


def load(source: Source, read: Read) -> Loaded:
    """Load the main file and all imported files, each file once."""
    loading = _Loading(source, read)
    loading.open("", source, "", 0)
    return Loaded(tuple(loading.files), tuple(loading.order), loading.targets, tuple(loading.diagnostics))


class _Loading(Struct, eq=False):
    """The files loaded so far. Mutable."""

    main: Source
    read: Read
    files: list[LoadedFile] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    targets: dict[tuple[int, str], int] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    opening: list[str] = field(default_factory=list)

    def open(self, path: str, source: Source, prefix: str, depth: int) -> int:
        """Parse a file and the files that it imports; returns the number of the file."""
        number = len(self.files)
        parsed = parse(source)
        self.numbers[path] = number
        self.files.append(LoadedFile(source, parsed.tree, prefix, parsed.unknown))
        self.diagnostics += parsed.diagnostics
        self.opening.append(path)
        for node in parsed.tree.declarations:
            if isinstance(node, Import):
                target = self._import(path, source, node, prefix, depth)
                if target is not None:
                    self.targets[number, node.file.value] = target
        self.opening.pop()
        self.order.append(number)
        return number

    def _import(self, path: str, source: Source, node: Import, prefix: str, depth: int) -> int | None:
        if not node.file.value:
            self._fault(source, node.file.span, "TG0392", "the file name of the import is empty")
            return None
        wanted = self._resolve(path, source, node.file)
        if wanted is None:
            return None
        if wanted == self._own_path() or wanted in self.opening:
            self._fault(source, node.file.span, "TG0394", f"circular import of '{node.file.value}'")
            return None
        if wanted in self.numbers:
            return self.numbers[wanted]
        if len(self.files) >= MAX_FILES or depth >= MAX_IMPORT_DEPTH:
            self._fault(source, node.file.span, "TG0396", "too many imports")
            return None
        try:
            text = self.read(wanted)
        except LeavesFolder:
            message = (
                f"'{node.file.value}' is a link to a file outside the game's folder, or to no {SUFFIX} file"
            )
            self._fault(source, node.file.span, "TG0393", message)
            return None
        if text is None:
            self._fault(source, node.file.span, "TG0392", f"there is no file '{node.file.value}'")
            return None
        inner = prefix + (f"{node.name.text}." if node.name is not None else "")
        name = join(dirname(self.main.name), wanted)
        return self.open(wanted, Source(text, name), inner, depth + 1)

    def _own_path(self) -> str:
        return self.main.name.replace("\\", "/").rpartition("/")[2]

    def _resolve(self, path: str, source: Source, node: Text) -> str | None:
        """The path below the game's folder; None, with an error, if it leaves that folder."""
        text = node.value
        outside = text.startswith(("/", "~")) or "\\" in text or ":" in text or "\0" in text
        found = normpath(join(dirname(path), text))
        if outside or found.startswith("..") or found == ".":
            self._fault(source, node.span, "TG0393", f"'{text}' is not a path inside the game's folder")
            return None
        if not found.endswith(SUFFIX):
            message = f"'{text}' is no source of a game: the name of an imported file ends with {SUFFIX}"
            self._fault(source, node.span, "TG0392", message)
            return None
        return found

    def _fault(self, source: Source, span: Span, code: str, message: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, "", source))
