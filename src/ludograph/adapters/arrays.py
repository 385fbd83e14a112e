"""Arrays of NumPy: the only module that imports it."""

from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]
FLOAT = numpy.float32
BYTE = numpy.int8
INFINITY = numpy.inf


def zero_floats(size: int) -> Array:
    return numpy.zeros(size, FLOAT)


def zero_bytes(size: int) -> Array:
    return numpy.zeros(size, BYTE)
