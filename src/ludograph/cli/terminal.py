"""The terminal: colour if it supports it, plain text otherwise. The only module that imports rich.

rich detects the colours of the terminal and respects NO_COLOR. A pipe or a file gets the picture without
control characters. rich is imported when something is coloured or a bar is drawn.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from ludograph.cli.streams import escape_controls, escape_line, print_message
from ludograph.render.colour import closest_terminal_colour
from ludograph.render.terminal_drawing.grid import Style, TerminalPicture

if TYPE_CHECKING:
    from rich.style import Style as RichStyle

MAX_LINE_WIDTH = 100
MIN_LINE_WIDTH = 40
FIRST_LINE_SECONDS = 20.0
LINE_SECONDS = 30.0
"""Between two lines of progress. Short runs on a slow machine print none."""


def supports_unicode() -> bool:
    """Whether standard output can encode the characters of the pictures."""
    try:
        "─│⬡●▲⌂".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def text_width() -> int:
    """How many columns a line of text may have: those of the terminal, or `MAX_LINE_WIDTH` elsewhere."""
    return max(MIN_LINE_WIDTH, _format_columns()) if is_terminal() else MAX_LINE_WIDTH


def wrap_line(text: str) -> str:
    """A line of text, broken after commas where it is too long; further lines are indented."""
    width = text_width()
    if len(text) <= width:
        return text
    lines = [""]
    pieces = text.split(", ")
    for place, word in enumerate(pieces):
        piece = word if place == len(pieces) - 1 else f"{word}, "
        if lines[-1].strip() and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("   ")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def print_picture(picture: TerminalPicture) -> None:
    """Print a picture to standard output."""
    if sys.stdout is not None and sys.stdout.isatty():
        _warn_if_too_narrow(picture)
    if not _uses_colour():
        print(escape_controls(picture.plain()), end="")
        return
    from rich.console import Console
    from rich.text import Text

    # The use of colour is decided; rich still detects the number of colours.
    console = Console(force_terminal=True, highlight=False, soft_wrap=True)
    has_few = console.color_system in ("standard", "windows")
    for row in picture.rows:
        line = Text(end="")
        for run in row:
            line.append(
                escape_line(run.text), _standard_style(run.style) if has_few else _rich_style(run.style)
            )
        line.rstrip()
        console.print(line)


def _warn_if_too_narrow(picture: TerminalPicture) -> None:
    needed, columns = max(map(len, picture.plain().splitlines()), default=0), _format_columns()
    if needed > columns:
        print_message(f"note: the picture is {needed} columns wide, this terminal has {columns}")


@contextmanager
def progress_bar(total: int, *, in_lines: bool = True) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error if that is a terminal; each call of the result advances it by one.

    Otherwise a long run prints a line from time to time, unless `in_lines` is false.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        with _progress_lines(total) if in_lines else nullcontext(lambda: None) as step:
            yield step
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)


@contextmanager
def _progress_lines(total: int) -> Iterator[Callable[[], None]]:
    count, start_time, is_over = 0, time.monotonic(), threading.Event()

    def step() -> None:
        nonlocal count
        count += 1

    def report() -> None:
        pause = FIRST_LINE_SECONDS
        while not is_over.wait(pause):
            print_message(
                f"ludograph: {count} of {total} games after {time.monotonic() - start_time:.0f} seconds"
            )
            pause = LINE_SECONDS

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield step
    finally:
        is_over.set()
        reporter.join()


def _uses_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())


def _format_columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _rich_style(style: Style) -> "RichStyle":
    from rich.style import Style as RichStyle

    return RichStyle(color=style.colour, bgcolor=style.background, bold=style.bold or None)


def _standard_style(style: Style) -> "RichStyle":
    from rich.style import Style as RichStyle

    colour = closest_terminal_colour(style.colour, style.background) if style.colour else None
    background = closest_terminal_colour(style.background) if style.background else None
    return RichStyle(
        color=colour or style.colour, bgcolor=background or style.background, bold=style.bold or None
    )
