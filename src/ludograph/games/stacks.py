"""Work on stacks larger than those that threads have by themselves."""

import threading
from collections.abc import Callable

from ludograph.tgdl.native.engine import TooLarge

SPARE = 1 << 20
"""Bytes of stack for Python itself."""

_sizing = threading.Lock()
"""The size of the stacks of new threads is one number for all of Python."""


def run_with_stack(size: int, work: Callable[[], int], stop: Callable[[], None]) -> int:
    """Do some work in a thread with so much stack; `stop` ends it early, if this thread is interrupted."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    with _sizing:
        before = threading.stack_size(size + SPARE)
        try:
            thread.start()
        except RuntimeError as reason:  # no such thread can be started here
            raise TooLarge(str(reason)) from None
        finally:
            threading.stack_size(before)
    try:
        thread.join()
    except BaseException:
        stop()
        thread.join()
        raise
    return found[0]
