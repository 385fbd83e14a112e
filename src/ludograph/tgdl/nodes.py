"""Nodes: what stands below a node of a tree or of a checked program, and a walk over all of it.

Large games have millions of nodes, so what is below those of a class is found out once, from the types of its
fields: a field that can only hold words, numbers or places is never looked at again.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Literal, get_args, get_origin

from ludograph.text import Span

Below = Callable[[object], tuple[object, ...]]
"""Gives the values of some fields of a node."""

# A walk leaves out where a node stands, its type, and what follows from the nodes around it.
LEFT_OUT = frozenset({"span", "type", "loops"})
PLAIN = frozenset({str, int, float, bool, NoneType, Span})


def walk(node: object) -> Iterator[object]:
    """Every node of a tree, from the top."""
    waiting = [node]
    pop, extend, below = waiting.pop, waiting.extend, BELOW
    while waiting:
        one = pop()
        kind = type(one)
        if kind is tuple:
            extend(one)  # type: ignore[arg-type]
            continue
        parts = below[kind]
        if parts is not None:
            yield one
            extend(parts(one))


def field_names(kind: type, left_out: frozenset[str]) -> tuple[str, ...]:
    """The fields of a data class, without some."""
    assert is_dataclass(kind)
    return tuple(field.name for field in fields(kind) if field.name not in left_out)


def getter(names: tuple[str, ...]) -> Below:
    """The values of these fields of a node, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    (name,) = names
    return lambda node: (getattr(node, name),)


class _Below(dict[type, Below | None]):
    """For every class seen so far what can be below its nodes; None for what is no node. Learns on lookup."""

    def __missing__(self, kind: type) -> Below | None:
        found = None
        if is_dataclass(kind):
            held = [field for field in fields(kind) if field.name not in LEFT_OUT]
            found = getter(tuple(field.name for field in held if not is_plain(field.type)))
        self[kind] = found
        return found


BELOW = _Below()


def is_plain(annotation: object) -> bool:
    """Whether a field of this type holds no node: `str`, `float | None`, `tuple[int, ...]`, an enum.

    >>> is_plain(tuple[str, ...]), is_plain(tuple[object, ...])
    (True, False)
    """
    if annotation in PLAIN or annotation is None or get_origin(annotation) is Literal:
        return True
    if isinstance(annotation, type) and not get_args(annotation):
        return issubclass(annotation, Enum)
    arguments = get_args(annotation)
    return bool(arguments) and all(is_plain(one) for one in arguments if one is not Ellipsis)
