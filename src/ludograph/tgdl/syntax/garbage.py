"""No garbage collection while a large tree grows.

The collector would walk the growing tree again and again, which is half the time of a stage. The stages make
no cycles, so there is nothing to collect.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the collector still; it stays off if it was off before."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
