"""The source files of a game: the interface for reading imports, and the error with the diagnostics.

Code that plays a checked program imports this module, because it does not need the parser.
"""

from collections.abc import Callable, Sequence
from posixpath import dirname, join

from ludograph.text import Diagnostic, Portable, Source

Read = Callable[[str], str | None]
"""Returns the text of an imported file by its path below the game's folder, or None."""


class SourceError(Portable, ValueError):
    """The source has errors; `diagnostics` lists all errors and warnings."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(one.picture() for one in diagnostics if one.severity == "error"))
        self.diagnostics = diagnostics


class LeavesFolder(Exception):
    """A path in the game's folder is a link that leaves the folder, or a link to no `.tgdl` file."""


def imported_texts(sources: Sequence[Source]) -> dict[str, str]:
    """The imported texts by their paths below the game's folder; the main file is the first source."""
    main, *others = sources
    folder = join(dirname(main.name), "")
    return {other.name.removeprefix(folder): other.text for other in others}


def no_imports(path: str) -> str | None:
    """A `Read` that finds no file."""
    return None
