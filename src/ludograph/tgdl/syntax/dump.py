"""Dumps: tokens and trees as text, for debugging and for golden files.

`dump_tree` writes every field that is not empty. Two sources with the same dump have the same meaning. Spans
are optional.
"""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import LINE_END, Span
from ludograph.tgdl.syntax.lexer import Lexed, TokenKind
from ludograph.tgdl.syntax.tree.declarations import File
from ludograph.tgdl.syntax.tree.expressions import Path, TypeName, Word


def dump_tokens(lexed: Lexed) -> str:
    """A line for each token and comment: position, kind and text."""
    rows = []
    line, line_start = lexed.source.first_line, 0
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        if kind is not TokenKind.BLANK:
            rows.append(f"{line}:{start - line_start + 1} {kind.value} {_shown(piece)}")
        for end in LINE_END.finditer(piece):
            line, line_start = line + 1, start + end.end()
    rows.append(f"{line}:{len(lexed.source.text) - line_start + 1} {TokenKind.END.value}")
    return "\n".join(rows) + "\n"


def _shown(piece: str) -> str:
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in piece)


def dump_tree(tree: File, *, spans: bool = False) -> str:
    """The tree as an outline: a line for each node with its plain fields, and its children below it."""
    rows: list[str] = []
    _dump(tree, "", 0, spans, rows)
    return "\n".join(rows) + "\n"


def _dump(node: object, label: str, depth: int, spans: bool, rows: list[str]) -> None:
    """Write a node and its children, without the fields that are empty, None or False."""
    assert isinstance(node, Struct)
    words = [type(node).__name__]
    below: list[tuple[str, object]] = []
    place = ""
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if isinstance(value, Span):
            place = f" @{value.start}-{value.end}" if spans else ""
        elif isinstance(value, tuple) and not all(_is_inline(item) for item in value):
            below += [(field, item) for item in value]
        elif value is None or value is False or value == ():
            continue
        elif isinstance(value, tuple):
            words.append(f"{field}={','.join(_inline(item) for item in value)}")
        elif _is_inline(value):
            words.append(f"{field}={_inline(value)}")
        else:
            below.append((field, value))
    rows.append(f"{'  ' * depth}{label}{' '.join(words)}{place}")
    for name, value in below:
        if _is_inline(value):
            rows.append(f"{'  ' * (depth + 1)}{name}: {_inline(value)}")
        else:
            _dump(value, f"{name}: ", depth + 1, spans, rows)


def _is_inline(value: object) -> bool:
    return isinstance(value, str | bool | int | float | Enum | Word | Path | TypeName)


def _inline(value: object) -> str:
    """A plain value, written on the line of its node."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return str(int(value)) if value.is_integer() else str(value)
        case str():
            return '"' + _shown(value) + '"'
        case Enum():
            return str(value.value)
        case Word():
            return value.text or "?"
        case Path():
            return value.text or "?"
        case TypeName():
            return type_text(value)
        case _:
            return str(value)


def type_text(type_name: TypeName) -> str:
    """The source of a type: `decimal[player][]`."""
    keys = (
        "" if d.key is None else _inline(d.key if isinstance(d.key, Path) else d.key.value)
        for d in type_name.dimensions
    )
    return type_name.path.text + "".join(f"[{key}]" for key in keys)
