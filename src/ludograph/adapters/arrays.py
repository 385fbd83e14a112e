"""Arrays of NumPy: the only module that imports it."""

from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]
FLOAT = numpy.float32
BYTE = numpy.int8
BOOL = numpy.bool_
PLAYER = numpy.int32
ACTION = numpy.int64
INFINITY = numpy.inf


def zero_floats(size: int) -> Array:
    return numpy.zeros(size, FLOAT)


def zero_bytes(size: int) -> Array:
    return numpy.zeros(size, BYTE)


def zero_table(rows: int, columns: int, kind: Any = FLOAT) -> Array:
    return numpy.zeros((rows, columns), kind)


def zero_row(size: int, kind: Any) -> Array:
    return numpy.zeros(size, kind)


def place_of(array: Array) -> tuple[int, int]:
    """The address and the size of the memory of an array."""
    return int(array.ctypes.data), int(array.nbytes)


def rewards_of(rewards: Array, players: Array) -> Array:
    """The reward of one player in each row."""
    chosen: Array = rewards[numpy.arange(len(rewards)), players]
    return chosen
