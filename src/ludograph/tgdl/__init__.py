"""The game language: one file per stage, read downward.

`lexer` cuts a text into tokens, `parser` makes a tree of them (`tree`, `tree_statements`, `tree_actions`,
`tree_declarations`), `imports` brings the files of a game together, `checker` resolves and types
everything into a `program`, which the `interpreter` plays. `frontend` runs these stages. `formatter` writes
a text in the one style, `dump` and `program_dump` show what a stage has made.

The front end is imported when a text is checked for the first time: a game from the cache does not need it.
"""

from ludograph.text import Diagnostic, Source
from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax.sources import Read, SourceError, no_imports

__all__ = ["SourceError", "check_source", "compile_source"]


def check_source(source: Source, read: Read = no_imports) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program, if there is no error, and all diagnostics of the source.

    `read` gives the text of an imported file by its path below the game's folder, or None.
    """
    from ludograph.tgdl.check.frontend import check

    return check(source, read)


def compile_source(source: Source, read: Read = no_imports) -> Program:
    """The program of a text without errors; a SourceError lists them otherwise."""
    program, diagnostics = check_source(source, read)
    if program is None:
        raise SourceError(diagnostics)
    return program
