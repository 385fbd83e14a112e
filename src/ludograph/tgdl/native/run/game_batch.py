"""Many games that native code steps together: their memory, and the calls.

The caller gives the arrays that native code fills. Memory that turns out to be too small is enlarged, and the
call goes on with the game where it stopped.
"""

import ctypes
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ludograph.play import Generator
from ludograph.tgdl.native.layout.environments import (
    ANSWER_SIZE,
    ENTRY_SIZE,
    HEADER_AT,
    HEADER_SIZE,
    MOVE_SIZE,
    RECORD_AT,
    RECORD_SIZE,
    Lacking,
    NextStep,
)
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.run.buffers import zeros
from ludograph.tgdl.native.run.environment_code import EnvironmentCode
from ludograph.tgdl.native.run.execution import ExecutionContext, TooLarge
from ludograph.tgdl.native.run.regions import bytes_of

MASK = (1 << 64) - 1
HASH_FACTOR = 0x9E3779B97F4A7C15
MIN_TABLE = 1 << 8
MOVE_CAPACITY = 128
"""With more legal moves, the answers after a first choice are listed again."""
MAX_MEMORY = 1 << 33
"""Bytes of all records together."""
TextKey = tuple[int, int]


class Answer(Struct, frozen=True):
    """A choice that a player may make: its word, and the key of its text (0: there is none)."""

    word: int
    key: TextKey


class GameBatch:
    """The records of many games, and the arrays that show them. Mutable."""

    def __init__(
        self,
        code: EnvironmentCode,
        count: int,
        start: bytes,
        ranges: Sequence[tuple[int, int]],
        arrays: Mapping[str, tuple[int, int]],
        settings: Mapping[str, int | float],
    ) -> None:
        """`arrays`: the address and the size of each array. `settings`: further fields of the header.

        `ranges`: the bytes of a block on which names depend.
        """
        self.code = code
        self.count = count
        self.context = ExecutionContext(code.engine, code.engine.run_with_stack, code=code)
        self._first = start
        """The block before the setup."""
        self._names = list(ranges)
        self._ranges = struct.pack(f"<{2 * len(ranges)}q", *(each for row in ranges for each in row))
        self._arrays = dict(arrays)
        self._header = zeros(HEADER_SIZE)
        self._pending_capacity, self._answer_capacity = 16, 64
        self._block_capacity = max(1024, -(-len(start) * 2 // 64) * 64)
        self._table_size, self._entries = MIN_TABLE, dict[TextKey, int]()
        for name, value in settings.items():
            self._put(name, value)
        self._put("count", count)
        for name, (address, _) in arrays.items():
            self._put(name, address)
        self._put_start(start)
        self._put("first_chooser", -1)
        self._put("ranges", bytes_of(self._ranges)[0])
        self._put("range_count", len(ranges))
        self._records: Any = None
        self._allocate()
        self._rebuild_table()
        self._set_signature(start)

    def _put_start(self, block: bytes) -> None:
        self._start = block
        self._put("start", bytes_of(block)[0])
        self._put("start_size", len(block))

    def _set_signature(self, block: bytes) -> None:
        """Learn keys for blocks with the same names as another block."""
        self._signature = block
        self._put("signature", bytes_of(block)[0])
        is_start = all(block[start:end] == self._first[start:end] for start, end in self._names)
        self._put("has_unique_names", int(is_start))

    def learn_start(self, seed: int) -> None:
        """Begin a game, to take the names after the setup: what it creates has no name before.

        If the setup makes no choice of chance, all games start from a copy of the block after it.
        """
        assert not self._entries
        self._put("count", 1)
        self.begin((0,), (seed,))
        self._put("count", self.count)
        self._set_signature(self.block(0))
        generator = struct.unpack_from("<4Q", self._records, RECORD_AT["rng"])
        is_fixed = generator == Generator(seed).state and not self.field(0, "is_open")
        if is_fixed and self.field(0, "chooser") >= 0:
            self._put_start(self.block(0))
            self._put("first_chooser", self.field(0, "chooser"))
            self._put("first_mask", self.field(0, "mask"))

    def begin(self, games: Sequence[int], seeds: Sequence[int]) -> list[int]:
        """Begin games with seeds; returns the games whose answers have to be numbered."""
        for game, seed in zip(games, seeds, strict=True):
            self._put_field(game, "seed", seed)
            self._put_field(game, "stage", NextStep.BEGIN)
        return self._run(steps=0)

    def step(self) -> list[int]:
        """Play the actions of the array; returns the games whose answers have to be numbered."""
        return self._run(steps=1)

    def _run(self, *, steps: int) -> list[int]:
        context, header = self.context, self._header
        self._put("steps", steps)
        self._put("next", 0)
        self._put("unnumbered", 0)
        while True:
            context.reserve(self._start)
            self._put("lacking", Lacking.NOTHING)
            self._put("prepared", 0)
            # Native code plays in the blocks of the records.
            room = min(self._block_capacity, len(context.blocks[0]))
            context.put("heap_end", "<q", room)
            if context.watch is not None:
                regions = (header, self._records, self._table, self._no_questions)
                texts = (self._start, self._signature, self._ranges)
                context.allow(*map(bytes_of, (*regions, *texts)), *self._arrays.values())
            status = context.call(
                self.code.step,
                ctypes.addressof(context.context),
                ctypes.addressof(context.blocks[1]),
                ctypes.addressof(header),
            )
            if status != GROW:
                break
            self._enlarge(Lacking(self._get("lacking")))
        context.check_status(status)
        if not self._get("unnumbered"):
            return []
        return [game for game in range(self.count) if self.field(game, "is_unnumbered")]

    def _enlarge(self, lacking: Lacking) -> None:
        match lacking:
            case Lacking.NOTHING:
                self.context.grow()
                if self._block_capacity < len(self.context.blocks[0]):  # perhaps a heap was full
                    self._enlarge(Lacking.BLOCK)
            case Lacking.CHANCE:
                raise TooLarge("chance chooses too often in a row")
            case _:
                before = self._records, self.record_size, self._offsets()
                if lacking is Lacking.PENDING:
                    self._pending_capacity *= 2
                elif lacking is Lacking.ANSWERS:
                    self._answer_capacity *= 2
                else:
                    self._block_capacity *= 2
                self._allocate()
                self._move(*before)

    def _allocate(self) -> None:
        self.record_size = sum(self._offsets()[-1])
        if self.record_size * self.count > MAX_MEMORY:
            raise TooLarge(f"the games need more than {MAX_MEMORY} bytes")
        self._records = zeros(self.record_size * self.count)
        self._records_at = ctypes.addressof(self._records)
        self._no_questions = b"\xff" * (8 * self._pending_capacity + 16)
        self._put("records", self._records_at)
        self._put("no_questions", bytes_of(self._no_questions)[0])
        self._put("record_size", self.record_size)
        self._put("pending_capacity", self._pending_capacity)
        self._put("answer_capacity", self._answer_capacity)
        self._put("move_capacity", MOVE_CAPACITY)
        self._put("block_capacity", self._block_capacity)

    def _offsets(self) -> tuple[tuple[int, int], ...]:
        """The offsets and sizes of the parts of a record."""
        answers = RECORD_SIZE + 8 * self._pending_capacity
        moves = answers + ANSWER_SIZE * self._answer_capacity
        blocks = moves + MOVE_SIZE * MOVE_CAPACITY
        size = self._block_capacity
        return (
            (0, RECORD_SIZE),
            (RECORD_SIZE, answers - RECORD_SIZE),
            (answers, moves - answers),
            (moves, blocks - moves),
            (blocks, size),
            (blocks + size, size),
        )

    def _move(self, records: Any, size: int, parts: tuple[tuple[int, int], ...]) -> None:
        """Copy smaller records into the new ones."""
        source = ctypes.addressof(records)
        for game in range(self.count):
            for (old, length), (new, _) in zip(parts, self._offsets(), strict=True):
                to = self._records_at + game * self.record_size + new
                ctypes.memmove(to, source + game * size + old, length)

    # Reading

    def field(self, game: int, name: str) -> int:
        place = game * self.record_size + RECORD_AT[name]
        return int(struct.unpack_from("<q", self._records, place)[0])

    def _put_field(self, game: int, name: str, value: int) -> None:
        place = game * self.record_size + RECORD_AT[name]
        struct.pack_into("<q", self._records, place, (value + (1 << 63) & MASK) - (1 << 63))

    def block(self, game: int) -> bytes:
        """The current block of a game."""
        place, _ = self._offsets()[4 + self.field(game, "current")]
        return self.context.block_at(self._records_at + game * self.record_size + place)

    def pending(self, game: int) -> tuple[int, ...]:
        """The choices of a game since its block."""
        place = game * self.record_size + RECORD_SIZE
        return struct.unpack_from(f"<{self.field(game, 'pending_count')}q", self._records, place)

    def answers(self, game: int) -> list[Answer]:
        """The answers of a game; empty if there are too many moves to list them."""
        place = game * self.record_size + self._offsets()[2][0]
        rows = [
            struct.unpack_from("<4q", self._records, place + ANSWER_SIZE * index)
            for index in range(self.field(game, "answer_count"))
        ]
        return [Answer(word, (first, second)) for word, _, first, second in rows]

    def actions(self, game: int) -> list[int]:
        """The actions of the answers of a game; -1: it has not been numbered."""
        place = game * self.record_size + self._offsets()[2][0]
        return [
            int(struct.unpack_from("<q", self._records, place + ANSWER_SIZE * index + 8)[0])
            for index in range(self.field(game, "answer_count"))
        ]

    def number(self, game: int, words: Sequence[int], actions: Sequence[int]) -> None:
        """Set the answers of a game and their actions."""
        while len(words) > self._answer_capacity:
            self._enlarge(Lacking.ANSWERS)
        place = game * self.record_size + self._offsets()[2][0]
        for index, (word, action) in enumerate(zip(words, actions, strict=True)):
            struct.pack_into("<4q", self._records, place + ANSWER_SIZE * index, word, action, 0, 0)
        self._put_field(game, "answer_count", len(words))
        self._put_field(game, "is_unnumbered", 0)

    # The table

    def learn(self, entries: Mapping[TextKey, int]) -> None:
        """Add the actions of keys to the table; -1: the actions lack the text of the key."""
        new = {key: action for key, action in entries.items() if key[0] and key not in self._entries}
        self._entries |= new
        if 2 * len(self._entries) >= self._table_size:
            while 2 * len(self._entries) >= self._table_size:
                self._table_size *= 2
            self._rebuild_table()
        else:
            for key, action in new.items():
                self._insert(key, action)

    def _rebuild_table(self) -> None:
        self._table = zeros(ENTRY_SIZE * self._table_size)
        self._put("table", ctypes.addressof(self._table))
        self._put("table_mask", self._table_size - 1)
        for key, action in self._entries.items():
            self._insert(key, action)

    def _insert(self, key: TextKey, action: int) -> None:
        first, second = (each & MASK for each in key)
        place = ((first ^ second * HASH_FACTOR & MASK) * HASH_FACTOR & MASK) >> 32 & self._table_size - 1
        while struct.unpack_from("<q", self._table, ENTRY_SIZE * place)[0]:
            place = place + 1 & self._table_size - 1
        struct.pack_into("<qqq", self._table, ENTRY_SIZE * place, *key, action)

    # The header

    def _put(self, name: str, value: int | float) -> None:
        struct.pack_into("<d" if isinstance(value, float) else "<q", self._header, HEADER_AT[name], value)

    def _get(self, name: str) -> int:
        return int(struct.unpack_from("<q", self._header, HEADER_AT[name])[0])
