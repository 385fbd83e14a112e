"""The source files of a game: how imported ones are read, and the error that lists what is wrong with them.

Code that plays a checked program imports this file; it does not need the parser.
"""

from collections.abc import Callable, Sequence
from posixpath import dirname, join

from ludograph.text import Diagnostic, Portable, Source

Read = Callable[[str], str | None]
"""Gives the text of an imported file by its path below the game's folder, or None."""


class SourceError(Portable, ValueError):
    """The text is at fault; every reason is listed, warnings included."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(one.picture() for one in diagnostics if one.severity == "error"))
        self.diagnostics = diagnostics


class LeavesFolder(Exception):
    """A path that looks as if it stayed in the game's folder leads out of it, by a link."""


def imported_texts(sources: Sequence[Source]) -> dict[str, str]:
    """The texts that a game imports, by their paths below its folder, from all its texts, its own first."""
    main, *others = sources
    folder = join(dirname(main.name), "")
    return {other.name.removeprefix(folder): other.text for other in others}


def no_imports(path: str) -> str | None:
    """A `Read` that finds nothing."""
    return None
