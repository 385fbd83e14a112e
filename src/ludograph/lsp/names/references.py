"""References: the table of which declaration each word of a game refers to, as data. `resolving` fills it."""

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from ludograph.lsp.names.declarations import DeclaredName
from ludograph.text import Span
from ludograph.tgdl.program.operations import Operation

DeclarationKey = tuple[int, int]
"""A declaration: its file and the offset of its name."""


class Reference(Struct, frozen=True):
    """A word that refers to a declaration, or is the name in it."""

    file: int
    span: Span
    target: DeclarationKey
    is_write: bool = False
    is_declaration: bool = False


class LibraryUse(Struct, frozen=True):
    """A word that means a member or function of the library."""

    file: int
    span: Span
    operation: Operation
    name: str


class ReferenceTable(Struct, frozen=True):
    """All references of a game. `families` joins a member with the members that override it."""

    declarations: dict[DeclarationKey, DeclaredName]
    references: tuple[tuple[Reference, ...], ...]
    """By file, in the order of the source."""
    library: dict[DeclarationKey, LibraryUse]
    families: dict[DeclarationKey, DeclarationKey]

    def at(self, file: int, offset: int) -> Reference | None:
        """The reference of the word at an offset, or directly before it."""
        if not 0 <= file < len(self.references):
            return None
        of_file = self.references[file]
        place = bisect_right(of_file, offset, key=lambda one: one.span.start) - 1
        for one in of_file[max(place - 1, 0) : place + 1][::-1]:
            if one.span.start <= offset <= one.span.end:
                return one
        return None

    def family(self, key: DeclarationKey) -> DeclarationKey:
        while key in self.families:
            key = self.families[key]
        return key

    def of(self, key: DeclarationKey) -> Iterator[Reference]:
        """All words that refer to a declaration or to one that overrides it, by file and offset."""
        wanted = self.family(key)
        for of_file in self.references:
            for one in of_file:
                if self.family(one.target) == wanted:
                    yield one

    def library_at(self, file: int, offset: int) -> LibraryUse | None:
        for use in self.library.values():
            if use.file == file and use.span.start <= offset <= use.span.end:
                return use
        return None
