"""The workspace: open documents over the files of a folder, and the analysis of the game of each document.

Paths use slashes. `read` and `list_files` are the only ways to files, so that a server can refuse them: a
page in the browser has open documents only.
"""

from collections.abc import Callable, Iterator, Sequence
from posixpath import basename, dirname, join, normpath

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame, check_game, load_game
from ludograph.tgdl.syntax.imports import Loaded
from ludograph.tgdl.syntax.sources import LeavesFolder

ReadFile = Callable[[str, str], str | None]
"""Returns the text of a file by a folder and the path below it, or None.

It raises LeavesFolder for a link that leaves the folder.
"""

ListFiles = Callable[[str], Sequence[str]]
"""Returns the paths of the `.tgdl` files in a folder and below it."""

MAX_DOCUMENTS = 500
MAX_LISTED_FILES = 200
MAX_CACHED_GAMES = 8


class Document(Struct, frozen=True):
    """An open document."""

    path: str
    text: str
    version: int


class _Cached(Struct):
    loaded: Loaded
    texts: dict[tuple[str, str], str | None]
    """Every file that the parser asked for, by folder and path below it, with the text that it got."""
    game: AnalysedGame | None = None


class TooManyDocuments(Exception):
    """A client opened more documents than a server keeps."""


class Workspace:
    """Open documents, and cached analyses. Mutable."""

    def __init__(
        self, read: ReadFile = lambda folder, path: None, list_files: ListFiles = lambda folder: ()
    ) -> None:
        self.documents: dict[str, Document] = {}
        self._read = read
        self._list_files = list_files
        self._cache: dict[str, _Cached] = {}

    def put(self, path: str, text: str, version: int) -> None:
        """Open a document, or give an open one a new text."""
        if path not in self.documents and len(self.documents) >= MAX_DOCUMENTS:
            raise TooManyDocuments(f"more than {MAX_DOCUMENTS} open documents")
        self.documents[path] = Document(path, text, version)

    def close(self, path: str) -> None:
        self.documents.pop(path, None)
        self._cache.pop(path, None)

    def text(self, path: str) -> str | None:
        """The text of an open document or of a file; None if there is none, or if it leads out of its
        folder.
        """
        return self._text_below(dirname(path), basename(path))

    def _text_below(self, folder: str, path: str) -> str | None:
        document = self.documents.get(normpath(join(folder, path)))
        if document is not None:
            return document.text
        try:
            return self._read(folder, path)
        except LeavesFolder:
            return None

    def game(self, path: str) -> AnalysedGame:
        """The analysis of a document as the main file of a game; cached until one of its files changes."""
        cached = self._parsed(path)
        if cached.game is None:
            cached.game = check_game(cached.loaded)
        return cached.game

    def parse(self, path: str) -> None:
        """Do the first part of the work of `game`, so that a caller can turn to something else in between."""
        self._parsed(path)

    def _parsed(self, path: str) -> _Cached:
        cached = self._cache.pop(path, None)
        if cached is None or any(self._text_below(*one) != text for one, text in cached.texts.items()):
            cached = self._load(path, self.text(path) or "")
        self._cache[path] = cached  # the last entry is the latest one
        while len(self._cache) > MAX_CACHED_GAMES:
            self._cache.pop(next(iter(self._cache)))
        return cached

    def edited(self, path: str, text: str) -> AnalysedGame:
        """The analysis of a document with another text; nothing is kept."""
        return check_game(self._load(path, text).loaded)

    def _load(self, path: str, text: str) -> _Cached:
        folder = dirname(path)
        texts: dict[tuple[str, str], str | None] = {(folder, basename(path)): self.text(path)}

        def read(wanted: str) -> str | None:
            texts[folder, wanted] = self._text_below(folder, wanted)
            if normpath(join(folder, wanted)) in self.documents:
                return texts[folder, wanted]
            return self._read(folder, wanted)

        return _Cached(load_game(text, path, read), texts)

    # Several games

    def root_of(self, path: str) -> str:
        """The open document whose game imports a document; the document itself if there is none."""
        for other in self.documents:
            if other != path and path in self.game(other).numbers:
                return other
        return path

    def games_with(self, path: str) -> Iterator[AnalysedGame]:
        """The game of a document, and all games of the workspace that import it."""
        yield self.game(path)
        for other in self.paths(path):
            text = self.text(other) if other != path else None
            if text is not None and "import" in text:
                game = self.game(other)
                if path in game.numbers:
                    yield game

    def paths(self, path: str) -> list[str]:
        """The open documents, and the files beside and below a document."""
        listed = list(self._list_files(dirname(path)))[:MAX_LISTED_FILES]
        return list(dict.fromkeys((*self.documents, *listed)))
