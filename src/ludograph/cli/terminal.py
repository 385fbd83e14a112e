"""The terminal: colour if it has any, plain text otherwise. The only file that knows rich.

rich finds out what the terminal can show (and honours NO_COLOR); a pipe or a file gets the
picture without any control characters.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.style import Style as RichStyle
from rich.text import Text

from ludograph.cli.streams import say
from ludograph.render import Style, TerminalPicture
from ludograph.render.colour import sixteen


def speaks_unicode() -> bool:
    """Whether standard output can show the characters of the pictures."""
    try:
        "─│⬡●▲⌂".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def print_picture(picture: TerminalPicture) -> None:
    """Print a picture to standard output."""
    if sys.stdout is not None and sys.stdout.isatty():
        _say_if_too_narrow(picture)
    if not _wants_colour():
        print(picture.plain(), end="")
        return
    # Whether to use colour is decided; rich still finds out how many the terminal has.
    console = Console(force_terminal=True, highlight=False, soft_wrap=True)
    has_few = console.color_system in ("standard", "windows")
    for row in picture.rows:
        line = Text(end="")
        for run in row:
            line.append(run.text, _few_colours(run.style) if has_few else _rich_style(run.style))
        line.rstrip()
        console.print(line)


def _say_if_too_narrow(picture: TerminalPicture) -> None:
    needed, columns = max(map(len, picture.plain().splitlines()), default=0), get_terminal_size().columns
    if needed > columns:
        say(f"note: the picture is {needed} columns wide, this terminal has {columns}")


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, if that is a terminal; each call of what comes out moves it on by one."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())


def _rich_style(style: Style) -> RichStyle:
    return RichStyle(color=style.colour, bgcolor=style.background, bold=style.bold or None)


def _few_colours(style: Style) -> RichStyle:
    colour = sixteen(style.colour, style.background) if style.colour else None
    background = sixteen(style.background) if style.background else None
    return RichStyle(
        color=colour or style.colour, bgcolor=background or style.background, bold=style.bold or None
    )
