"""What commands read: lines of a file or of standard input, and the notation they are in."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from ludograph.cli.output import USAGE, Complaint, path_of
from ludograph.cli.streams import say
from ludograph.notation.guess import guess_notation
from ludograph.notation.notations import NOTATIONS, Content, Notation, find_by_suffix
from ludograph.notation.results import MAX_CHARACTERS, MAX_LINES, SIZE_CODES
from ludograph.notation.stream import sources
from ludograph.text import BadText, Diagnostic, Source, Span, lines_of

CODES: dict[str, str] = {
    "NT0001": "the bytes are not UTF-8",
    "NT0002": "there is nothing to read",
    **SIZE_CODES,
}

# Enough to see a start position and the first actions after it; blanks and comments do not count.
LINES_TO_GUESS_FROM = 80


@contextmanager
def open_sources(arguments: Namespace) -> Iterator[tuple[Notation, Iterator[Source]]]:
    """The notation of the input, and its records as sources, read one after another."""
    if arguments.file == "-":
        if sys.stdin is None:
            raise Complaint("there is no standard input to read from; name a file", USAGE)
        if sys.stdin.isatty():
            say("ludograph: reading from the terminal; name a file to read that instead")
        yield sources_in(sys.stdin.buffer, "", arguments)
    else:
        with path_of(arguments.file).open("rb") as file:
            yield sources_in(file, arguments.file, arguments)


def sources_in(
    raw_lines: Iterable[bytes], name: str, arguments: Namespace
) -> tuple[Notation, Iterator[Source]]:
    """The same for lines that were read already."""
    lines = _decoded(raw_lines, name)
    beginning = _up_to_text(lines, name)
    if arguments.source is None:
        notation = _guess(name, _take_telling(beginning, lines))
    else:
        notation = Notation(arguments.source)
    records = sources(chain(beginning, lines), notation, name=name)
    return notation, records if arguments.record is None else _only(records, arguments.record)


def _up_to_text(lines: Iterator[str], name: str) -> list[str]:
    """The lines up to the first that is not blank."""
    beginning: list[str] = []
    for line in lines:
        beginning.append(line)
        if line.strip().strip("\ufeff") or len(beginning) > MAX_LINES:
            return beginning
    source = Source("".join(beginning), name)
    raise BadText(
        Diagnostic(
            "NT0002",
            "there is nothing to read",
            Span(0, 1),
            hint="give a file with a text in it, or pipe one in",
            source=source,
        )
    )


def _take_telling(beginning: list[str], lines: Iterator[str]) -> str:
    """The first lines that are more than blanks and comments; what is read for them joins the beginning."""
    telling = [line for line in beginning if _tells(line)]
    held = sum(len(line) for line in beginning)
    while len(telling) < LINES_TO_GUESS_FROM and held <= MAX_CHARACTERS and len(beginning) <= MAX_LINES:
        line = next(lines, None)
        if line is None:
            break
        beginning.append(line)
        held += len(line)
        if _tells(line):
            telling.append(line)
    return "".join(telling)


def _tells(line: str) -> bool:
    return line.lstrip()[:1] not in ("", "#")


def _only(records: Iterator[Source], wanted: int) -> Iterator[Source]:
    number = 0
    for number, source in enumerate(records, start=1):
        if number == wanted:
            yield source
            return
    have = "only one record" if number == 1 else f"only {number} records"
    raise Complaint(f"there is no record {wanted}: the file has {have}", USAGE)


def _guess(name: str, beginning: str) -> Notation:
    named = find_by_suffix(name)
    # A file that is called a position or set-up may go on with actions.
    if named is not None and NOTATIONS[named].content is Content.GAME:
        return named
    notation = guess_notation(beginning) or named
    if notation is None:
        known = ", ".join(each.value for each in Notation)
        message = f"cannot tell which notation this is; say so with --from or --format ({known})"
        raise Complaint(message, USAGE)
    return notation


def _decoded(raw_lines: Iterable[bytes], name: str) -> Iterator[str]:
    """The lines as text. A byte order mark stays: the notations refuse it, or warn of it if lenient."""
    number = 1
    for raw in raw_lines:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _not_utf8(raw, error.start, Source(raw.decode("utf-8", "replace"), name, number)) from None
        if "\r" in text:
            for line in lines_of(text):
                number += 1
                yield line
        else:
            number += 1
            yield text


def _not_utf8(raw: bytes, start: int, source: Source) -> BadText:
    hint = "save the file as UTF-8"
    if source.first_line == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        hint = f"this looks like UTF-16: {hint}"
    before = len(raw[:start].decode("utf-8"))
    message = f"the byte 0x{raw[start]:02X} is not UTF-8 text"
    return BadText(Diagnostic("NT0001", message, Span(before, before + 1), hint, source))
