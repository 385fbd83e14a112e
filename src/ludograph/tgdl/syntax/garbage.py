"""Switch off garbage collection while a stage builds a large tree.

The collector would visit the growing tree again and again, which takes half the time of a stage. The stages
create no reference cycles, so there is nothing to collect.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Switch off the garbage collector, and switch it on again if it was on before."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
