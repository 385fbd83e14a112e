"""Queues of actions that wait."""

from random import Random

from ludograph.tgdl.reference.queues import EMPTY_QUEUE, Queue


def drained(queue: Queue) -> list[object]:
    found = []
    while queue.number:
        what, queue = queue.take()
        found.append(what)
    return found


def test_who_waits_comes_in_order() -> None:
    numbers = list(range(500))
    Random(1).shuffle(numbers)
    queue = EMPTY_QUEUE
    for number in numbers:
        queue = queue.put((number,), number)
    assert drained(queue) == list(range(500))


def test_a_queue_stays_as_it_was_marked() -> None:
    marked = EMPTY_QUEUE.put((2,), "late").put((1,), "early")
    _, rest = marked.take()
    rest.put((0,), "first")
    assert (drained(marked), drained(rest)) == (["early", "late"], ["late"])


def test_a_long_queue_is_no_deep_one() -> None:
    queue = EMPTY_QUEUE
    for number in range(100_000):
        queue = queue.put((number,), number)
    assert queue.take()[0] == 0
