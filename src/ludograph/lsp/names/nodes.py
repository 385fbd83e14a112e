"""Nodes of syntax trees by their place: the children of a node in the order of the source, the nodes at an
offset.
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl.syntax.traversal import ChildGetter, child_field_names, getter


@runtime_checkable
class Placed(Protocol):
    """A node: everything in a tree that has a span."""

    @property
    def span(self) -> Span: ...


class _Getters(dict[type, ChildGetter | None]):
    """The child getters by class; unlike those of programs they include the types in the source."""

    def __missing__(self, kind: type) -> ChildGetter | None:
        names = child_field_names(kind)
        found = None if names is None else getter(tuple(name for name in names if name != "span"))
        self[kind] = found
        return found


_GETTERS = _Getters()


def children(node: object) -> Iterator[Placed]:
    """The nodes directly below a node, in the order of its fields."""
    take = _GETTERS[type(node)]
    if take is None:
        return
    waiting: list[object] = list(reversed(take(node)))
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, Struct) and not isinstance(one, Span):
            yield one  # type: ignore[misc]  # every node has a span


def every_node(root: Placed) -> Iterator[Placed]:
    """A node and all nodes below it, parents first."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(children(node))))


def path_at(root: Placed, offset: int) -> list[Placed]:
    """The nodes around an offset, the outermost first. A node includes the offset directly after it.

    Of two nodes that touch at the offset, the path has the one that begins there.
    """
    path = [root]
    while True:
        inside = [one for one in children(path[-1]) if one.span.start <= offset <= one.span.end]
        if not inside:
            return path
        path.append(max(inside, key=lambda one: (one.span.start, -one.span.end)))
