"""Queues of actions that wait, the first in order first.

A queue never changes, so that a run can be marked and taken back without a copy of all who wait: putting one
in and taking the first gives another queue, which shares most with the old one (a leftist heap).
"""

from typing import Any, NamedTuple


class QueuedAction(NamedTuple):
    """One who waits, with those who come later."""

    order: tuple[Any, ...]
    """No two are the same."""
    what: Any
    rank: int
    """How many steps it is to the nearest end; the shorter way goes by `right`."""
    left: "QueuedAction | None"
    right: "QueuedAction | None"


class Queue(NamedTuple):
    """All who wait."""

    number: int = 0
    first: QueuedAction | None = None

    def put(self, order: tuple[Any, ...], what: Any) -> "Queue":
        return Queue(self.number + 1, _joined(QueuedAction(order, what, 1, None, None), self.first))

    def take(self) -> tuple[Any, "Queue"]:
        """The first, and the queue without it."""
        first = self.first
        assert first is not None, "only a queue in which somebody waits is taken from"
        return first.what, Queue(self.number - 1, _joined(first.left, first.right))


NOBODY = Queue()


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
