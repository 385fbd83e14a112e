"""The input of commands: lines of a file or of standard input, and their notation."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from ludograph.cli.output import USAGE, CommandError, parse_path
from ludograph.cli.streams import print_message
from ludograph.notation.guess import guess_notation
from ludograph.notation.imports import ImportFormat, find_import_by_suffix, guess_import
from ludograph.notation.located import find_format
from ludograph.notation.notations import NOTATIONS, Content, Notation, find_by_suffix
from ludograph.notation.results import MAX_CHARACTERS, MAX_LINES, SIZE_CODES
from ludograph.notation.stream import sources
from ludograph.text import BadText, Diagnostic, Source, Span, split_lines

CODES: dict[str, str] = {
    "NT0001": "the bytes are not UTF-8",
    "NT0002": "there is nothing to read",
    **SIZE_CODES,
}

# Enough for a start position and the first actions; blank lines and comments do not count.
LINES_TO_GUESS_FROM = 80


@contextmanager
def open_sources(arguments: Namespace) -> Iterator[tuple[Notation | ImportFormat, Iterator[Source]]]:
    """The notation of the input, and its records as sources, read one by one."""
    if arguments.file == "-":
        if sys.stdin is None:
            raise CommandError("standard input is closed; name a file", USAGE)
        if sys.stdin.isatty():
            print_message("ludograph: reading from the terminal; to read a file, name it")
        yield split_sources(sys.stdin.buffer, "", arguments)
    else:
        with parse_path(arguments.file).open("rb") as file:
            yield split_sources(file, arguments.file, arguments)


def split_sources(
    raw_lines: Iterable[bytes], name: str, arguments: Namespace
) -> tuple[Notation | ImportFormat, Iterator[Source]]:
    """The same for lines that were read already."""
    lines = _decode_lines(raw_lines, name)
    beginning = _read_to_first_text(lines, name)
    if arguments.source is None:
        notation = _guess_from_file(name, _read_content_lines(beginning, lines))
    else:
        notation = find_format(arguments.source)
    if isinstance(notation, ImportFormat):
        records = iter((Source(_join_lines(chain(beginning, lines)), name),))
    else:
        records = sources(chain(beginning, lines), notation, name=name)
    return notation, records if arguments.record is None else _select_record(records, arguments.record)


def _join_lines(lines: Iterable[str]) -> str:
    """The text of a file with one game; of a file that is too large, as much as shows this."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size > MAX_CHARACTERS or len(held) > MAX_LINES + 1:
            break
    return "".join(held)


def _read_to_first_text(lines: Iterator[str], name: str) -> list[str]:
    """The lines up to the first one that is not blank."""
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
            hint="name a file that is not empty, or pipe text in",
            source=source,
        )
    )


def _read_content_lines(beginning: list[str], lines: Iterator[str]) -> str:
    """The first lines that are neither blank nor comments; lines read here are appended to `beginning`."""
    content_lines = [line for line in beginning if _is_content(line)]
    held = sum(len(line) for line in beginning)
    while len(content_lines) < LINES_TO_GUESS_FROM and held <= MAX_CHARACTERS and len(beginning) <= MAX_LINES:
        line = next(lines, None)
        if line is None:
            break
        beginning.append(line)
        held += len(line)
        if _is_content(line):
            content_lines.append(line)
    return "".join(content_lines)


def _is_content(line: str) -> bool:
    return line.lstrip()[:1] not in ("", "#")


def _select_record(records: Iterator[Source], wanted: int) -> Iterator[Source]:
    number = 0
    for number, source in enumerate(records, start=1):
        if number == wanted:
            yield source
            return
    have = "only one record" if number == 1 else f"only {number} records"
    raise CommandError(f"there is no record {wanted}: the file has {have}", USAGE)


def _guess_from_file(name: str, beginning: str) -> Notation | ImportFormat:
    imported = guess_import(beginning) or find_import_by_suffix(name)
    if imported is not None:
        return imported
    named = find_by_suffix(name)
    # The actions of a game may follow the position in a file with the suffix of a position or set-up.
    if named is not None and NOTATIONS[named].content is Content.GAME:
        return named
    notation = guess_notation(beginning) or named
    if notation is None:
        known = ", ".join(each.value for each in (*Notation, *ImportFormat))
        raise CommandError(f"cannot guess the notation; give it with --from or --format ({known})", USAGE)
    return notation


def _decode_lines(raw_lines: Iterable[bytes], name: str) -> Iterator[str]:
    """The lines as text. A byte order mark is kept: the notations report it."""
    number = 1
    for raw in raw_lines:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _encoding_error(
                raw, error.start, Source(raw.decode("utf-8", "replace"), name, number)
            ) from None
        if "\r" in text:
            for line in split_lines(text):
                number += 1
                yield line
        else:
            number += 1
            yield text


def _encoding_error(raw: bytes, start: int, source: Source) -> BadText:
    hint = "save the file as UTF-8"
    if source.first_line == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        hint = f"this looks like UTF-16: {hint}"
    before = len(raw[:start].decode("utf-8"))
    message = f"the byte 0x{raw[start]:02X} is not UTF-8 text"
    return BadText(Diagnostic("NT0001", message, Span(before, before + 1), hint, source))
