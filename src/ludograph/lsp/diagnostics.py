"""Diagnostics of a document as an editor shows them: one range each, related places, and tags."""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.text import Diagnostic, Span
from ludograph.text.diagnostic import Severity

UNNECESSARY = frozenset({"TG0401", "TG0402", "TG0403", "TG0404", "TG0412", "TG0421", "TG0422"})
"""Diagnostics of text that an editor shows faded."""

MAX_DIAGNOSTICS = 500


class EditorDiagnostic(Struct, frozen=True):
    """A diagnostic of a file; the notes are in the same file."""

    file: int
    code: str
    message: str
    span: Span
    severity: Severity
    hint: str
    notes: tuple[tuple[Span, str], ...]
    is_unnecessary: bool

    @property
    def text(self) -> str:
        """The message, and the hint on a line of its own."""
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


def diagnostics_of(game: AnalysedGame) -> dict[int, list[EditorDiagnostic]]:
    """The diagnostics of a game by file; a file without any has an empty list."""
    found: dict[int, list[EditorDiagnostic]] = {file: [] for file in range(len(game.files))}
    numbers = {id(file.source): number for number, file in enumerate(game.files)}
    for one in game.diagnostics:
        file = numbers.get(id(one.source), 0)
        if len(found[file]) < MAX_DIAGNOSTICS:
            found[file].append(_shown(game, file, one))
    return found


def diagnostics_at(game: AnalysedGame, span: Span, file: int = 0) -> Iterator[EditorDiagnostic]:
    """The diagnostics that touch a range of a file."""
    for one in diagnostics_of(game)[file]:
        if one.span.start <= span.end and span.start <= one.span.end:
            yield one


def _shown(game: AnalysedGame, file: int, one: Diagnostic) -> EditorDiagnostic:
    length = len(game.files[file].source.text)
    start = min(one.span.start, length)
    span = Span(start, min(max(one.span.end, start + 1), length))
    return EditorDiagnostic(
        file, one.code, one.message, span, one.severity, one.hint, one.notes, one.code in UNNECESSARY
    )
