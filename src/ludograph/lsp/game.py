"""An analysed game: what the checker knows about a document and the files that it imports.

All features of the editor read it. Nothing in it changes; a keystroke makes a new one.
"""

from functools import cached_property

from ludograph.lsp.names.nodes import Placed, path_at
from ludograph.lsp.names.references import ReferenceTable
from ludograph.lsp.names.resolving import build_references
from ludograph.lsp.positions import PositionIndex
from ludograph.text import Diagnostic, Source
from ludograph.tgdl.check import CheckedTrees, analyse
from ludograph.tgdl.check.frontend import in_order
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.imports import Loaded, load
from ludograph.tgdl.syntax.sources import Read, no_imports

MAX_LENGTH = 2_000_000
"""A longer text is not analysed: no keystroke could be answered in time."""


class AnalysedGame:
    """A main file with its imports. The main file has the number 0; files have the names of their sources."""

    def __init__(self, analysis: CheckedTrees) -> None:
        self.analysis = analysis
        self.files = analysis.loaded.files
        self.numbers = {file.source.name: number for number, file in enumerate(self.files)}
        self._indexes: dict[int, PositionIndex] = {}

    @property
    def symbols(self) -> SymbolTable:
        return self.analysis.symbols

    @property
    def source(self) -> Source:
        return self.files[0].source

    @property
    def tree(self) -> tree.File:
        return self.files[0].tree

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def references(self) -> ReferenceTable:
        return build_references(self.analysis)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Those of the parser and the checker, in the order of the source."""
        return in_order(self.analysis.loaded, self.analysis.diagnostics)

    @property
    def has_errors(self) -> bool:
        return any(one.severity == "error" for one in self.diagnostics)

    def index(self, file: int = 0) -> PositionIndex:
        if file not in self._indexes:
            self._indexes[file] = PositionIndex(self.files[file].source.text)
        return self._indexes[file]

    def path_at(self, offset: int, file: int = 0) -> list[Placed]:
        """The nodes around an offset, the outermost first."""
        return path_at(self.files[file].tree, offset)


def load_game(text: str, name: str = "game.tgdl", read: Read = no_imports) -> Loaded:
    """The trees of a document and its imports. A text that is too long counts as an empty one."""
    return load(Source(text if len(text) <= MAX_LENGTH else "", name), read)


def check_game(loaded: Loaded) -> AnalysedGame:
    """Check the trees of a game."""
    return AnalysedGame(analyse(loaded))


def analyse_game(text: str, name: str = "game.tgdl", read: Read = no_imports) -> AnalysedGame:
    """Analyse a document: any text gives an analysis."""
    return check_game(load_game(text, name, read))
