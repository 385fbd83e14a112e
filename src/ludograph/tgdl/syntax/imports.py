"""Imports: the game's text in, the trees of all files that belong to it out.

No file is opened here: `read` gives the text of a path below the game's folder, or None, or raises
LeavesFolder. A path is taken from the folder of the file that names it, and never leads out of the game's
own.
"""

from posixpath import dirname, join, normpath

from msgspec import Struct, field

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.syntax.parser import parse
from ludograph.tgdl.syntax.parser.unknown_names import UnknownNames
from ludograph.tgdl.syntax.sources import LeavesFolder, Read
from ludograph.tgdl.syntax.tree.declarations import File, Import
from ludograph.tgdl.syntax.tree.expressions import Text

MOST_FILES = 1000
DEEPEST = 50


class LoadedFile(Struct, frozen=True):
    """A file of a game. `prefix` stands before its names in the whole program: "" or that of its import."""

    source: Source
    tree: File
    prefix: str
    unknown: UnknownNames
    """The names that unreadable parts of the file may declare."""


class Loaded(Struct, frozen=True):
    """All files, the game's own first; `order` has those that others need before them."""

    files: tuple[LoadedFile, ...]
    order: tuple[int, ...]
    targets: dict[tuple[int, str], int]
    """Which file an import of a file means, by the text between its quotes."""
    diagnostics: tuple[Diagnostic, ...]


def load(source: Source, read: Read) -> Loaded:
    """The game's file and everything it imports, each file once."""
    loading = _Loading(source, read)
    loading.open("", source, "", 0)
    return Loaded(tuple(loading.files), tuple(loading.order), loading.targets, tuple(loading.diagnostics))


class _Loading(Struct, eq=False):
    """What is loaded so far. Mutable."""

    main: Source
    read: Read
    files: list[LoadedFile] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    targets: dict[tuple[int, str], int] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    opening: list[str] = field(default_factory=list)

    def open(self, path: str, source: Source, prefix: str, depth: int) -> int:
        """Read a file and all that it imports; returns its number."""
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
            self._fault(source, node.file.span, "TG0392", "there is no file without a name")
            return None
        wanted = self._resolve(path, source, node.file)
        if wanted is None:
            return None
        if wanted == self._own_path() or wanted in self.opening:
            self._fault(source, node.file.span, "TG0394", f"'{node.file.value}' is being imported already")
            return None
        if wanted in self.numbers:
            return self.numbers[wanted]
        if len(self.files) >= MOST_FILES or depth >= DEEPEST:
            self._fault(source, node.file.span, "TG0396", "too many imports")
            return None
        try:
            text = self.read(wanted)
        except LeavesFolder:
            message = f"'{node.file.value}' is a link that leaves the game's folder"
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
        """The path below the game's folder; None, and a word about it, if it is not there."""
        text = node.value
        outside = text.startswith(("/", "~")) or "\\" in text or ":" in text or "\0" in text
        found = normpath(join(dirname(path), text))
        if outside or found.startswith("..") or found == ".":
            self._fault(source, node.span, "TG0393", f"'{text}' is not a path inside the game's folder")
            return None
        return found

    def _fault(self, source: Source, span: Span, code: str, message: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, "", source))
