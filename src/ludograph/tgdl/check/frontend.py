"""The front end of the compiler: from a source to a checked program and its diagnostics.

`ludograph.tgdl` imports this module when it checks a source. The parser and the checker take a large part of
the start-up time of a command, and a game from the cache needs neither.
"""

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check as checker
from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax import parser
from ludograph.tgdl.syntax.imports import Loaded, load
from ludograph.tgdl.syntax.sources import Read

CODES: dict[str, str] = {**parser.CODES, **checker.CODES}


def check(source: Source, read: Read) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The checked program, None if there are errors, and all diagnostics in the order of the source."""
    loaded = load(source, read)
    program, found = checker.check(loaded)
    diagnostics = in_order(loaded, found)
    if any(one.severity == "error" for one in diagnostics):
        return None, diagnostics
    return program, diagnostics


def in_order(loaded: Loaded, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The diagnostics of the parser and those of the checker, by file and offset."""
    place = {id(file.source): number for number, file in enumerate(loaded.files)}
    every = (*loaded.diagnostics, *found)
    return tuple(sorted(every, key=lambda one: (place[id(one.source)], one.span.start)))
