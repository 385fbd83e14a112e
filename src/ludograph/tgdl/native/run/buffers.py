"""Memory for the places that native code works in."""

import ctypes
import weakref
from typing import Any

_calloc = ctypes.pythonapi.PyMem_RawCalloc
_calloc.restype, _calloc.argtypes = ctypes.c_void_p, (ctypes.c_size_t, ctypes.c_size_t)
_free = ctypes.pythonapi.PyMem_RawFree
_free.restype, _free.argtypes = None, (ctypes.c_void_p,)


def zeros(length: int) -> Any:
    """So many bytes, all zero; unlike those of ctypes they take no room until they are used."""
    start = _calloc(length, 1)
    if not start:
        raise MemoryError(f"there are no {length} bytes")
    found = (ctypes.c_char * length).from_address(start)
    weakref.finalize(found, _free, start).atexit = False  # a thread may still run then
    return found
