"""An immutable priority queue of actions: a leftist heap.

A savepoint of a run keeps the queue without copying it. `put` and `take` return a new queue that shares most
nodes with the old one.
"""

from typing import Any, NamedTuple


class QueuedAction(NamedTuple):
    """A node of the heap: a queued action with the actions after it."""

    order: tuple[Any, ...]
    """Unique in a queue."""
    what: Any
    rank: int
    """The distance to the nearest leaf; the shorter path goes through `right`."""
    left: "QueuedAction | None"
    right: "QueuedAction | None"


class Queue(NamedTuple):
    """A priority queue."""

    number: int = 0
    first: QueuedAction | None = None

    def put(self, order: tuple[Any, ...], what: Any) -> "Queue":
        return Queue(self.number + 1, _joined(QueuedAction(order, what, 1, None, None), self.first))

    def take(self) -> tuple[Any, "Queue"]:
        """The first action, and the queue without it."""
        first = self.first
        assert first is not None, "the queue is empty"
        return first.what, Queue(self.number - 1, _joined(first.left, first.right))


EMPTY_QUEUE = Queue()


def _joined(one: QueuedAction | None, other: QueuedAction | None) -> QueuedAction | None:
    if one is None or other is None:
        return one or other
    if other.order < one.order:
        one, other = other, one
    near, far = _joined(one.right, other), one.left
    if far is None or (near is not None and near.rank > far.rank):
        near, far = far, near
    rank = 1 if near is None else near.rank + 1
    return QueuedAction(one.order, one.what, rank, far, near)
