"""Writing text from native code: constants, numbers, and entries of tables are appended to one buffer.

Native code cannot write a fraction in the shortest decimal form, or a string of a loaded position. It records
an insertion instead (offset, kind, and two words), and Python writes the text there.
"""

import struct
from collections.abc import Sequence

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address, const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I8, I32, I64, PTR, Data, Expression, Local, Op
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import INSERTION_SIZE, Insert
from ludograph.tgdl.native.lower.unit import CompilationUnit

MAX_PLAIN = 1e16
"""Smaller whole numbers are written without an exponent, as in `world/values.py`."""


class Strings(Struct, frozen=True):
    """A table of strings in constant data."""

    content: Data
    rows: Data
    """The offset and the length of each string, 32 bits each."""


def make_strings(unit: CompilationUnit, texts: Sequence[bytes], hint: str) -> Strings:
    content = b"".join(texts)
    rows, at = b"", 0
    for each in texts:
        rows += struct.pack("<ii", at, len(each))
        at += len(each)
    return Strings(unit.data(content, hint=f"{hint}.texts"), unit.data(rows, hint=f"{hint}.rows"))


def put(b: Emitter, text: str | bytes) -> None:
    """Write a constant text."""
    content = text.encode() if isinstance(text, str) else text
    if content:
        put_bytes(b, b.unit.data(content, hint="text"), const(len(content)))


def put_bytes(b: Emitter, start: Expression, length: Expression) -> None:
    at = b.get("text", PTR)
    end = b.let(address(at, length))
    b.stop_if(end.ugt(b.get("text_end", PTR)), GROW)
    b.copy(at, start, length)
    b.put("text", end)


def put_entry(b: Emitter, table: Strings, number: Expression) -> None:
    """Write an entry of a table of strings."""
    arguments = table.content, table.rows, widen(number, I64)
    b.run(_entry_function(b.unit), arguments)


@routine("text.entry", (PTR, PTR, I64))
def _entry_function(b: Emitter, content: Local, rows: Local, number: Local) -> None:
    row = b.let(address(rows, number * 8))
    start = widen(b.load(row, 0, I32, constant=True), I64)
    length = b.let(widen(b.load(row, 4, I32, constant=True), I64))
    put_bytes(b, b.let(address(content, start)), length)
    b.done()


def remove_trailing_comma(b: Emitter) -> None:
    """Remove the last character, if it is a comma."""
    last = b.let(address(b.get("text", PTR), -1))
    with b.when(b.load(last, 0, I8).eq(ord(","))):
        b.put("text", last)


# Numbers


def put_whole(b: Emitter, number: Expression) -> None:
    """Write a whole number."""
    b.run(_whole_function(b.unit), (widen(number, I64),))


@routine("text.whole", (I64,))
def _whole_function(b: Emitter, number: Local) -> None:
    digits = b.stack_slot(24, "digits")
    at = b.variable(const(24), "at")
    is_negative = b.let(number < 0)
    rest = b.variable(select(is_negative, const(0) - number, number), "rest")
    with b.loop("digit") as label:
        b.set(at, at - 1)
        digit = b.let(Op("urem", (rest, const(10)), I64))
        b.store(digits, at, widen(digit + ord("0"), I8))
        b.set(rest, Op("udiv", (rest, const(10)), I64))
        b.leave_if(rest.eq(0), label)
    with b.when(is_negative):
        b.set(at, at - 1)
        b.store(digits, at, const(ord("-"), I8))
    put_bytes(b, b.let(address(digits, at)), b.let(const(24) - at))
    b.done()


def put_hexadecimal(b: Emitter, word: Expression) -> None:
    """Write a word as sixteen hexadecimal digits."""
    b.run(_hexadecimal_function(b.unit), (word,))


@routine("text.hexadecimal", (I64,))
def _hexadecimal_function(b: Emitter, word: Local) -> None:
    digits = b.stack_slot(16, "digits")
    letters = b.unit.data(b"0123456789abcdef", hint="hexadecimal")
    with b.count(16) as (at, _):
        shift = b.let(const(60) - at * 4)
        digit = (word >> shift) & 15
        b.store(digits, at, b.load(letters, b.let(digit), I8, constant=True))
    put_bytes(b, digits, const(16))
    b.done()


def put_decimal(b: Emitter, number: Expression) -> None:
    """Write a decimal that is not none; Python writes it if it is not whole."""
    b.run(_decimal_function(b.unit), (number,))


@routine("text.decimal", (F64,))
def _decimal_function(b: Emitter, number: Local) -> None:
    is_small = intrinsic("fabs", number) < const(MAX_PLAIN, F64)
    whole = b.let(b.as_whole(number))
    with b.when(is_small & b.as_decimal(whole).eq(number)):
        put_whole(b, whole)
        b.done()
    insert(b, Insert.NUMBER, Op("bitcast", (number,), I64))
    b.done()


def insert(b: Emitter, what: Insert, low: Expression, high: Expression | None = None) -> None:
    """Record an insertion, which Python writes at this point."""
    arguments = const(int(what)), low, const(0) if high is None else high
    b.run(_insert_function(b.unit), arguments)


@routine("text.insert", (I64, I64, I64), apart=True)
def _insert_function(b: Emitter, what: Local, low: Local, high: Local) -> None:
    at = b.get("insertion", PTR)
    end = b.let(address(at, INSERTION_SIZE))
    b.stop_if(end.ugt(b.get("insertion_end", PTR)), GROW)
    written = b.get("text", I64) - b.get("text_start", I64)
    for place, word in enumerate((b.let(written), what, low, high)):
        b.store(at, 8 * place, word)
    b.put("insertion", end)
    b.done()
