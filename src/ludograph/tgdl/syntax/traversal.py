"""Traversal of syntax trees and checked programs: the children of a node, and a walk over all nodes.

Large games have millions of nodes. So the fields that may contain children are computed once for each class,
from their types. A walk skips the fields that contain only strings, numbers or spans.
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
    """The base class of the nodes of checked programs and of types; it defines their encoding.

    A node is encoded as an array of its class name and its fields.
    """


ChildGetter = Callable[[object], tuple[object, ...]]
"""Returns the children of a node: the values of some of its fields."""

# Fields that a walk skips: positions, types, values derived from the surrounding nodes, and the words of
# conditions, which only a refusal reads, and the appearance and the tests of a program, which no rule reads.
SKIPPED_FIELDS = frozenset({"span", "type", "loops", "refusal", "appearance", "tests"})
PLAIN = frozenset({str, int, float, bool, NoneType, Span})


def walk(node: object) -> Iterator[object]:
    """All nodes of a tree. A parent comes before its children; siblings come in reverse order."""
    worklist = [node]
    pop, extend, children = worklist.pop, worklist.extend, CHILDREN
    while worklist:
        one = pop()
        kind = type(one)
        if kind is tuple:
            extend(one)  # type: ignore[arg-type]
            continue
        parts = children[kind]
        if parts is not None:
            yield one
            extend(parts(one))


def field_names(kind: type, left_out: frozenset[str]) -> tuple[str, ...]:
    """The fields of a node class, without those in `left_out`."""
    assert issubclass(kind, Struct), kind
    return tuple(name for name in kind.__struct_fields__ if name not in left_out)


def child_field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a node class that may contain nodes or types; None for other classes."""
    if not issubclass(kind, Struct):
        return None
    types = kind.__annotations__
    return tuple(name for name in kind.__struct_fields__ if not is_plain(types[name]))


def getter(names: tuple[str, ...]) -> ChildGetter:
    """A function that returns the values of these fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    (name,) = names
    return lambda node: (getattr(node, name),)


class _ChildGetters(dict[type, ChildGetter | None]):
    """The child getters by class, None for other classes than nodes. Filled on the first look-up."""

    def __missing__(self, kind: type) -> ChildGetter | None:
        names = child_field_names(kind)
        found = None
        if names is not None:
            found = getter(tuple(name for name in names if name not in SKIPPED_FIELDS))
        self[kind] = found
        return found


CHILDREN = _ChildGetters()


def is_plain(annotation: object) -> bool:
    """Whether a field of this type contains no node: `str`, `float | None`, `tuple[int, ...]`, an enum.

    >>> is_plain(tuple[str, ...]), is_plain(tuple[object, ...])
    (True, False)
    """
    if annotation in PLAIN or annotation is None or get_origin(annotation) is Literal:
        return True
    if isinstance(annotation, type) and not get_args(annotation):
        return issubclass(annotation, Enum)
    arguments = get_args(annotation)
    return bool(arguments) and all(is_plain(one) for one in arguments if one is not Ellipsis)
