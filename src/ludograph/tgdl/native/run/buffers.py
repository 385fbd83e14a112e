"""Memory for execution contexts."""

import ctypes
import weakref
from typing import Any

_calloc = ctypes.pythonapi.PyMem_RawCalloc
_calloc.restype, _calloc.argtypes = ctypes.c_void_p, (ctypes.c_size_t, ctypes.c_size_t)
_free = ctypes.pythonapi.PyMem_RawFree
_free.restype, _free.argtypes = None, (ctypes.c_void_p,)


def zeros(length: int) -> Any:
    """Allocate zeroed bytes; unlike those of ctypes, a page takes no memory until it is used."""
    start = _calloc(length, 1)
    if not start:
        raise MemoryError(f"cannot allocate {length} bytes")
    found = (ctypes.c_char * length).from_address(start)
    weakref.finalize(found, _free, start).atexit = False  # a thread may still be running at exit
    return found
