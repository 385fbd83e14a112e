"""An immutable priority queue of actions: a pairing heap.

A savepoint of a run keeps the queue without copying it. `put` and `take` return a new queue that shares most
nodes with the old one. `put` takes constant time: an endless loop may queue a million actions before its fuel
runs out.
"""

from typing import Any, NamedTuple


class QueuedAction(NamedTuple):
    """A node of the heap: a queued action, before all actions below it."""

    order: tuple[Any, ...]
    """Unique in a queue."""
    what: Any
    below: "Siblings | None"


class Siblings(NamedTuple):
    """A list of nodes with the same parent, the latest first."""

    first: QueuedAction
    rest: "Siblings | None"


class Queue(NamedTuple):
    """A priority queue."""

    number: int = 0
    first: QueuedAction | None = None

    def put(self, order: tuple[Any, ...], what: Any) -> "Queue":
        node = QueuedAction(order, what, None)
        return Queue(self.number + 1, node if self.first is None else _joined(node, self.first))

    def take(self) -> tuple[Any, "Queue"]:
        """The first action, and the queue without it."""
        first = self.first
        assert first is not None, "the queue is empty"
        return first.what, Queue(self.number - 1, _joined_siblings(first.below))


EMPTY_QUEUE = Queue()


def _joined(one: QueuedAction, other: QueuedAction) -> QueuedAction:
    if other.order < one.order:
        one, other = other, one
    return QueuedAction(one.order, one.what, Siblings(other, one.below))


def _joined_siblings(siblings: Siblings | None) -> QueuedAction | None:
    """One heap of all siblings: first joined in pairs, then one after the other.

    The pairs keep later calls fast: each call halves the number of siblings that it leaves behind.
    """
    pairs = []
    while siblings is not None and siblings.rest is not None:
        pairs.append(_joined(siblings.first, siblings.rest.first))
        siblings = siblings.rest.rest
    found = None if siblings is None else siblings.first
    for pair in reversed(pairs):
        found = pair if found is None else _joined(found, pair)
    return found
