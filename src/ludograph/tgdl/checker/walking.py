"""A walk over every node below one, of a tree or of a checked program."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass


def walk(node: object) -> Iterator[object]:
    """Every node of a tree, from the top."""
    names: dict[type, tuple[str, ...] | None] = {}
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(one)
            continue
        kind = type(one)
        if kind not in names:
            names[kind] = field_names(kind, LEFT_OUT) if is_dataclass(kind) else None
        found = names[kind]
        if found is not None:
            yield one
            waiting.extend([getattr(one, name) for name in found])


LEFT_OUT = frozenset({"span", "type"})


def field_names(kind: type, left_out: frozenset[str]) -> tuple[str, ...]:
    """The fields of a data class, without some."""
    assert is_dataclass(kind)
    return tuple(field.name for field in fields(kind) if field.name not in left_out)
