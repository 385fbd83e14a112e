"""A tree search on the native engine: the tree, its iterations, and what they found.

Several searches may run at the same time, each with its own tree and its own execution context.
"""

import ctypes
import struct
from typing import Any

from msgspec import Struct

from ludograph.tgdl.native.layout.interface import SAMPLE
from ludograph.tgdl.native.layout.search_tree import (
    EDGE_AT,
    EDGE_SIZE,
    KEY_FACTOR,
    KEY_SHIFT,
    NODE_AT,
    NODE_SIZE,
    PROVEN,
    STUCK,
    TREE_AT,
    first_node,
    node_size,
)
from ludograph.tgdl.native.layout.status import FAULT, GROW
from ludograph.tgdl.native.run.buffers import zeros
from ludograph.tgdl.native.run.engine import RunWithStack
from ludograph.tgdl.native.run.execution import ExecutionContext, Words
from ludograph.tgdl.native.run.regions import bytes_of
from ludograph.tgdl.native.run.search_code import SearchCode

MIN_MEMORY = 1 << 16


class TreeSettings(Struct, frozen=True):
    """The settings of a search."""

    exploration: float
    playout_limit: int
    memory: int
    """Bytes of the tree; when it is full, the search goes on without new nodes."""
    observer: int = -1
    """The player for whom secrets are drawn anew in each iteration; -1: nothing is drawn anew."""
    playout_choices: int = 1
    """Each move of a play-out is the best of so many random moves."""
    is_flat: bool = False
    """Whether only the moves of the root are compared, each with as many play-outs as the others."""


class TreeEdge(Struct, frozen=True):
    """A move or a choice that a search has tried."""

    words: Words
    visits: int
    total: float
    """The sum of the payoffs of the player who chooses."""
    proven: tuple[float, ...] | None
    """The payoffs after this move if they are certain."""
    child: int
    """The first node after this move; 0: there is none."""


def chance_key(words: Words) -> int:
    """The key of a node after some outcomes of chance, as native code computes it."""
    key, mask = 0, (1 << 64) - 1
    for word in words:
        key = ((key ^ word & mask) * KEY_FACTOR + 1) & mask
        key ^= key >> KEY_SHIFT
    return key - (1 << 64) if key >> 63 else key


class SearchTree:
    """A tree that grows by iterations. Mutable."""

    def __init__(
        self,
        code: SearchCode,
        run_with_stack: RunWithStack | None,
        block: bytes,
        words: Words,
        chooser: int,
        settings: TreeSettings,
        seed: int,
    ) -> None:
        """Search from a block and choices since, for the player who chooses there."""
        self.code = code
        self.block = block
        self.words = words
        self.observer = settings.observer
        self.context = ExecutionContext(code.engine, run_with_stack, code=code)
        self.players = code.engine.shape.players
        size = max(settings.memory, MIN_MEMORY)
        self.memory: Any = zeros(size)
        root = first_node(self.players)
        values: dict[str, int | float] = {
            "top": root + node_size(self.players),
            "capacity": size,
            "exploration": settings.exploration,
            "low": float("inf"),
            "high": float("-inf"),
            "seed": seed,
            "root": root,
            "root_chooser": chooser,
            "playout_limit": settings.playout_limit,
            "playout_choices": settings.playout_choices,
            "is_flat": int(settings.is_flat),
            "observer": settings.observer,
        }
        for name, value in values.items():
            form = "<d" if isinstance(value, float) else "<q"
            struct.pack_into(form, self.memory, TREE_AT[name], value)
        struct.pack_into("<i", self.memory, root + NODE_AT["chooser"], chooser)

    @property
    def iterations(self) -> int:
        return self._header("iterations")

    @property
    def root(self) -> int:
        return self._header("root")

    @property
    def used(self) -> int:
        """The bytes in use."""
        return self._header("top")

    def _header(self, name: str) -> int:
        return int(struct.unpack_from("<q", self.memory, TREE_AT[name])[0])

    def run(self, iterations: int) -> None:
        """Run so many more iterations, or fewer if the payoffs of the root are proven before.

        Raises `Failure` for a fault of the rules, `Stopped`, `Outgrown` and `TooLarge`.
        """
        context, end = self.context, self.iterations + iterations
        packed = struct.pack(f"<{len(self.words)}q", *self.words)
        context.reserve(self.block)
        context.put("in_place", "<i", 1)
        while True:
            context.put("list_mode", "<i", SAMPLE)
            context.allow(bytes_of(self.block), bytes_of(packed), bytes_of(self.memory))
            status = context.call(
                self.code.search,
                ctypes.addressof(context.context),
                ctypes.addressof(context.blocks[1]),
                ctypes.addressof(context.blocks[0]),
                self.block,
                packed,
                len(self.words),
                ctypes.addressof(self.memory),
                end - self.iterations,
            )
            if status == GROW:
                in_place = context.get("in_place", "<i")
                context.grow()
                context.put("in_place", "<i", in_place)
            elif status == FAULT and context.get("in_place", "<i"):
                context.put("in_place", "<i", 0)  # run it again, keeping the base for the report
            else:
                context.check_status(status)
                return

    @property
    def is_half_full(self) -> bool:
        return 2 * self.used > self._header("capacity")

    def find(self, node: int, words: Words, key: int) -> int | None:
        """The node after choices and outcomes of chance; None if the tree does not have it."""
        while words:
            edges = [edge for edge in self.edges(node) if words[: len(edge.words)] == edge.words]
            edge = next((each for each in edges if each.words), None)
            if edge is None:
                return None
            words = words[len(edge.words) :]
            wanted = 0 if words else key
            nodes = [each for each in self.nodes_after(edge) if self._key(each) == wanted]
            if len(nodes) != 1:
                return None
            node = nodes[0]
        return node

    def set_root(self, node: int, block: bytes, words: Words) -> None:
        """Go on from a node of the tree, and from the position that belongs to it."""
        self.block, self.words = block, words
        struct.pack_into("<q", self.memory, TREE_AT["root"], node)

    def _key(self, node: int) -> int:
        return int(struct.unpack_from("<q", self.memory, node + NODE_AT["key"])[0])

    def stop(self) -> None:
        """End a run in another thread."""
        self.context.stop()

    # Reading

    def is_proven(self, node: int) -> bool:
        return bool(self._node(node, "flags") & PROVEN)

    def payoffs(self, node: int) -> tuple[float, ...]:
        """The payoffs of a proven node."""
        return struct.unpack_from(f"<{self.players}d", self.memory, node + NODE_SIZE)

    def chooser(self, node: int) -> int:
        return self._node(node, "chooser")

    def visits(self, node: int) -> int:
        return self._node(node, "visits")

    def nodes_after(self, edge: TreeEdge) -> list[int]:
        """The nodes after a move, one for each sequence of outcomes of chance."""
        found = []
        node = edge.child
        while node:
            found.append(node)
            node = 8 * self._node(node, "next")
        return found

    def edges(self, node: int) -> list[TreeEdge]:
        """The tried moves of a node, in the order in which they were first tried."""
        first, count = 8 * self._node(node, "edges"), self._node(node, "tried")
        return [self._edge(first + EDGE_SIZE * index) for index in range(count)]

    def _edge(self, at: int) -> TreeEdge:
        length, words = self._field(at, "length"), 8 * self._field(at, "words")
        child = 8 * self._field(at, "child")
        is_proven = self._field(at, "flags") & PROVEN
        (total,) = struct.unpack_from("<d", self.memory, at + EDGE_AT["total"])
        return TreeEdge(
            () if length == STUCK else struct.unpack_from(f"<{length}q", self.memory, words),
            self._field(at, "visits"),
            total,
            self.payoffs(child) if is_proven else None,
            child,
        )

    def _field(self, edge: int, name: str) -> int:
        return int(struct.unpack_from("<i", self.memory, edge + EDGE_AT[name])[0])

    def _node(self, node: int, name: str) -> int:
        return int(struct.unpack_from("<i", self.memory, node + NODE_AT[name])[0])
