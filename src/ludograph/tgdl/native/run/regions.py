"""The table of memory regions that checked code may access."""

import ctypes
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludograph.tgdl.native.layout.interface import ARENA, BLOCK, PLAIN, REGION_SIZE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.run.buffers import zeros

SHADOW_STACK_SIZE = 1 << 28
"""Bytes for the stack slots of checked code, at any call depth; a page takes no memory until it is used."""


def bytes_of(data: Any) -> tuple[int, int]:
    """The address and the size of some bytes."""
    if isinstance(data, bytes):
        return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0, len(data)
    return ctypes.addressof(data), ctypes.sizeof(data)


class MemoryWatch:
    """The memory that checked code may access in an execution context. Mutable."""

    def __init__(self, context: Any, plan: Plan, data: Iterable[tuple[int, int]]) -> None:
        self._context = context
        self._offsets = plan.context
        self._regions = [(start, size, PLAIN) for start, size in data]
        self._stack_slots = zeros(SHADOW_STACK_SIZE)
        self._table: Any = None

    def add_buffers(self, blocks: Sequence[Any], buffers: Mapping[str, Any]) -> None:
        """Allow the memory of the execution context in all runs."""
        self._regions += [(*bytes_of(block), BLOCK) for block in blocks]
        self._regions.append((*bytes_of(self._context), PLAIN))
        for name, buffer in buffers.items():
            self._regions.append((*bytes_of(buffer), ARENA if name == "arena" else PLAIN))

    def allow(self, regions: Iterable[tuple[int, int]]) -> None:
        """Allow further regions (address and size) in the next run."""
        allowed = sorted((*self._regions, *((start, size, PLAIN) for start, size in regions)))
        rows = b"".join(struct.pack("<qqq", start, start + size, kind) for start, size, kind in allowed)
        self._table = ctypes.create_string_buffer(rows, len(rows))
        slots, size = bytes_of(self._stack_slots)
        self._put("regions", ctypes.addressof(self._table))
        self._put("region_count", len(rows) // REGION_SIZE)
        self._put("stack_slots", slots)
        self._put("stack_slots_start", slots)
        self._put("stack_slots_end", slots + size)
        self._put("failed_check", 0)

    @property
    def broken(self) -> int:
        """The number of the assertion that failed; 0: none failed."""
        (found,) = struct.unpack_from("<q", self._context, self._offsets["failed_check"])
        return int(found)

    def _put(self, name: str, value: int) -> None:
        struct.pack_into("<q", self._context, self._offsets[name], value)
