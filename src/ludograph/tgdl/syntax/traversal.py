"""Nodes: what stands below a node of a tree or of a checked program, and a walk over all of it.

Large games have millions of nodes, so what is below those of a class is found out once, from the types of its
fields: a field that can only hold words, numbers or places is never looked at again.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Literal, get_args, get_origin

from msgspec import Struct

from ludograph.text import Span


class ProgramNode(
    Struct, frozen=True, array_like=True, tag=True, tag_field="node", forbid_unknown_fields=True
):
    """What the nodes of checked programs and types have in common: how they are written as data.

    A node is an array of the name of its class and its fields. They have no fields in common.
    """


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
    """The fields of a class of nodes, without some."""
    assert issubclass(kind, Struct), kind
    return tuple(name for name in kind.__struct_fields__ if name not in left_out)


def names_below(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of nodes that may hold nodes or types; None for a class of anything else."""
    if not issubclass(kind, Struct):
        return None
    types = kind.__annotations__
    return tuple(name for name in kind.__struct_fields__ if not is_plain(types[name]))


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
        names = names_below(kind)
        found = None
        if names is not None:
            found = getter(tuple(name for name in names if name not in LEFT_OUT))
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
