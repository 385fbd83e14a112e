"""Work on stacks larger than those that threads have by themselves."""

import threading
from collections.abc import Callable
from contextlib import suppress

from ludograph.tgdl.native.run.execution import TooLarge

SPARE = 1 << 20
"""Bytes of stack for Python itself."""

_sizing = threading.Lock()
"""The size of the stacks of new threads is one number for all of Python."""


def run_with_stack(size: int, work: Callable[[], int], stop: Callable[[], None]) -> int:
    """Do some work in a thread with so much stack; `stop` ends it early, if this thread is interrupted.

    However it ends, the work is over then: nobody else uses what it works in.
    """
    task = _Task(work)
    thread = threading.Thread(target=task.run, daemon=True)
    try:
        with _sizing:
            before = threading.stack_size(size + SPARE)
            try:
                thread.start()
            except RuntimeError as reason:  # no such thread can be started here
                raise TooLarge(str(reason)) from None
            finally:
                threading.stack_size(before)
        task.over.wait()
    except BaseException:
        stop()
        task.give_up()
        raise
    return task.found[0]


class _Task:
    """Some work for another thread, which may be given up before it has begun. Mutable."""

    def __init__(self, work: Callable[[], int]) -> None:
        self.work = work
        self.found: list[int] = []
        self.over = threading.Event()
        self._deciding = threading.Lock()
        self._is_given_up = False
        self._has_begun = False

    def run(self) -> None:
        with self._deciding:
            if self._is_given_up:
                return
            self._has_begun = True
        try:
            self.found.append(self.work())
        finally:
            self.over.set()

    def give_up(self) -> None:
        """Wait for the end of what has begun; what has not will never begin."""
        with self._deciding:
            self._is_given_up = True
        while self._has_begun and not self.over.is_set():
            with suppress(KeyboardInterrupt):  # it is on its way to the end already
                self.over.wait()
