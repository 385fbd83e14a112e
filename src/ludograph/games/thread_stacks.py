"""Run work on a stack that is larger than the default stack of a thread."""

import threading
from collections.abc import Callable
from contextlib import suppress

from ludograph.tgdl.native.run.execution import TooLarge

SPARE = 1 << 20
"""Bytes of stack for Python itself."""

_sizing = threading.Lock()
"""The stack size of new threads is a global setting of Python."""


def run_with_stack(
    size: int, work: Callable[[], int], stop: Callable[[], None], *others: Callable[[], int]
) -> int:
    """Run work in a thread with a stack of this size; `stop` ends it early if the calling thread is
    interrupted. `others` run at the same time, each in a thread of its own.

    When this function returns or raises, all work has ended and its data can be used again.
    """
    tasks: list[_Task] = []
    try:
        for each in (work, *others):
            task = _Task(each)
            tasks.append(task)
            try:
                start_thread(size, task.run)
            except RuntimeError as reason:  # such a thread cannot be started here
                raise TooLarge(str(reason)) from None
        for task in tasks:
            task.over.wait()
    except BaseException:
        stop()
        for task in tasks:
            task.cancel()
        raise
    return tasks[0].found[0]


def start_thread(size: int, work: Callable[[], None]) -> threading.Thread:
    """Start a thread with a stack of this size, which does not keep the process alive.

    A RuntimeError if such a thread cannot be started.
    """
    thread = threading.Thread(target=work, daemon=True)
    with _sizing:
        before = threading.stack_size(size + SPARE)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


class _Task:
    """Work for another thread, which may be cancelled before it has started. Mutable."""

    def __init__(self, work: Callable[[], int]) -> None:
        self.work = work
        self.found: list[int] = []
        self.over = threading.Event()
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._has_started = False

    def run(self) -> None:
        with self._lock:
            if self._is_cancelled:
                return
            self._has_started = True
        try:
            self.found.append(self.work())
        finally:
            self.over.set()

    def cancel(self) -> None:
        """Wait for the end of work that has started; work that has not started never starts."""
        with self._lock:
            self._is_cancelled = True
        while self._has_started and not self.over.is_set():
            with suppress(KeyboardInterrupt):  # it is stopping already
                self.over.wait()
