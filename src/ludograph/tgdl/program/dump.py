"""Writes a typed program as text, so that a developer can inspect the checker's output."""

from enum import Enum

from msgspec import Struct

from ludograph.play.appearance import Appearance
from ludograph.tgdl.program import Program
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, describe

LEFT_OUT = frozenset({"span", "sources", "file", "loops"})
NO_APPEARANCE = Appearance()


def dump_program(program: Program) -> str:
    """The program as an outline: one line per node with its plain fields; child nodes are indented below."""
    rows: list[str] = []
    worklist: list[tuple[object, str, int]] = [(program, "", 0)]
    while worklist:
        node, label, depth = worklist.pop()
        below = _row(node, label, depth, rows)
        worklist.extend((one, name, depth + 1) for name, one in reversed(below))
    return "\n".join(rows) + "\n"


def _row(node: object, label: str, depth: int, rows: list[str]) -> list[tuple[str, object]]:
    """Write one node and return its child nodes. Fields that are empty, none or false are omitted."""
    indent = "  " * depth
    if _is_inline(node):
        rows.append(f"{indent}{label}{_inline(node)}")
        return []
    if isinstance(node, tuple):
        rows.append(f"{indent}{label}(")
        return [("", one) for one in node]
    assert isinstance(node, Struct)
    words = [type(node).__name__]
    below: list[tuple[str, object]] = []
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if field in LEFT_OUT or _is_empty(type(node).__name__, value):
            continue
        if _is_inline(value):
            words.append(f"{field}={_inline(value)}")
        elif isinstance(value, tuple):
            below += [(f"{field}: ", one) for one in value]
        else:
            below.append((f"{field}: ", value))
    rows.append(f"{indent}{label}{' '.join(words)}")
    return below


def _is_empty(kind: str, value: object) -> bool:
    if kind == "Literal":
        return value is None
    return value is None or value is False or value in ((), frozenset(), NO_APPEARANCE)


def _is_inline(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(_is_inline(one) for one in value)
    return value is None or isinstance(
        value, str | int | float | Enum | ConstructType | EnumType | ListType | TableType
    )


def _inline(value: object) -> str:
    if isinstance(value, Basic | ConstructType | EnumType | ListType | TableType):
        return describe(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(str(one) for one in value)) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(_inline(one) for one in value) + ")"
    if isinstance(value, float):
        return f"{value:g}"
    return repr(value) if isinstance(value, str) and not value.isidentifier() else str(value)
