"""The game language: the source of a game in, a program and diagnostics out; engines run the program.

The stages, in order: `syntax` reads and formats source. `program` defines the data of a checked game. `flow`
analyses which secrets may reach a value. `check` resolves names and types and makes the program. `world` adds
the number of players and the options. `reference` and `native` are the two engines, and `game` offers games
and states over either of them.

The checker is imported when a source is checked for the first time: a game from the cache does not need it.
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
