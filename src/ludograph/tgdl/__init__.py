"""The game language: one file per stage, read downward.

`lexer` cuts a text into tokens, `parser` makes a tree of them (`tree`, `tree_statements`, `tree_actions`,
`tree_declarations`), `imports` brings the files of a game together, `checker` resolves and types
everything into a `program`, which the `interpreter` plays; `aftermath` leaves out what only follows from
errors of syntax. `formatter` writes a text in the one style, `dump` and `dump_program` show what a stage
has made.
"""

from ludograph.text import Diagnostic, Portable, Source
from ludograph.tgdl import checker, parser
from ludograph.tgdl.aftermath import without_aftermath
from ludograph.tgdl.imports import Read, load
from ludograph.tgdl.program import Program
from ludograph.tgdl.program_dump import dump_program

__all__ = ["CODES", "SourceError", "check_source", "compile_source", "dump_program"]

CODES: dict[str, str] = {**parser.CODES, **checker.CODES}


class SourceError(Portable, ValueError):
    """The text is at fault; every reason is listed, warnings included."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(one.picture() for one in diagnostics if one.severity == "error"))
        self.diagnostics = diagnostics


def _nothing(path: str) -> str | None:
    return None


def check_source(source: Source, read: Read = _nothing) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program, if there is no error, and everything there is to say about the text.

    `read` gives the text of an imported file by its path below the game's folder, or None.
    """
    loaded = load(source, read)
    program, found = checker.check(loaded)
    place = {id(file.source): number for number, file in enumerate(loaded.files)}
    diagnostics = tuple(
        sorted(
            (*loaded.diagnostics, *without_aftermath(loaded, found)),
            key=lambda one: (place[id(one.source)], one.span.start),
        )
    )
    if any(one.severity == "error" for one in diagnostics):
        return None, diagnostics
    return program, diagnostics


def compile_source(source: Source, read: Read = _nothing) -> Program:
    """The program of a text without errors; a SourceError lists them otherwise."""
    program, diagnostics = check_source(source, read)
    if program is None:
        raise SourceError(diagnostics)
    return program
