"""The memory that checked code may use, in a table for its tests."""

import ctypes
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludograph.tgdl.native.layout.interface import ARENA, BLOCK, PLAIN, REGION_SIZE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.run.buffers import zeros

MOST_ROOMS = 1 << 28
"""Bytes for the rooms on the stack of all functions that run, however deep; only what is used is taken."""


def bytes_of(data: Any) -> tuple[int, int]:
    """Where some bytes lie, and how many."""
    if isinstance(data, bytes):
        return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0, len(data)
    return ctypes.addressof(data), ctypes.sizeof(data)


class MemoryWatch:
    """What checked code may use while it works in a place. Mutable."""

    def __init__(self, context: Any, plan: Plan, data: Iterable[tuple[int, int]]) -> None:
        self._context = context
        self._offsets = plan.context
        self._regions = [(start, size, PLAIN) for start, size in data]
        self._rooms = zeros(MOST_ROOMS)
        self._table: Any = None

    def know(self, blocks: Sequence[Any], buffers: Mapping[str, Any]) -> None:
        """The memory of the place."""
        self._regions += [(*bytes_of(block), BLOCK) for block in blocks]
        self._regions.append((*bytes_of(self._context), PLAIN))
        for name, buffer in buffers.items():
            self._regions.append((*bytes_of(buffer), ARENA if name == "arena" else PLAIN))

    def admit(self, guests: Iterable[tuple[int, int]]) -> None:
        """Before a run: these may be used in it as well."""
        regions = sorted((*self._regions, *((start, size, PLAIN) for start, size in guests)))
        rows = b"".join(struct.pack("<qqq", start, start + size, kind) for start, size, kind in regions)
        self._table = ctypes.create_string_buffer(rows, len(rows))
        rooms, size = bytes_of(self._rooms)
        self._put("regions", ctypes.addressof(self._table))
        self._put("region_count", len(rows) // REGION_SIZE)
        self._put("rooms", rooms)
        self._put("rooms_start", rooms)
        self._put("rooms_end", rooms + size)
        self._put("broken", 0)

    @property
    def broken(self) -> int:
        """The number of what was found not to be so; 0 if all is well."""
        (found,) = struct.unpack_from("<q", self._context, self._offsets["broken"])
        return int(found)

    def _put(self, name: str, value: int) -> None:
        struct.pack_into("<q", self._context, self._offsets[name], value)
