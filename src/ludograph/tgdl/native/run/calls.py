"""Calls of native code for single moves, with little overhead in Python.

Each concurrent call uses its own call buffers, which are pooled: an execution context with prepared
arguments. Facts about a block are read from its header, without decoding the rest.
"""

import ctypes
import struct
from collections.abc import Iterator
from functools import partial
from typing import Any

from ludograph.play import Result
from ludograph.tgdl.native.layout.status import (
    CANCELLED,
    FAILED,
    FAULT,
    FINE,
    GROW,
    NEED,
    NOTHING,
    STOPPED,
    Refused,
)
from ludograph.tgdl.native.run.call_buffers import BufferPool, CallBuffers
from ludograph.tgdl.native.run.compiled_moves import MoveCompiler
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import Outgrown, Stopped, TooLarge
from ludograph.tgdl.native.run.presenter import Presenter
from ludograph.tgdl.world.memory import CHOOSING

Words = tuple[int, ...]
Chance = tuple[int, int, int, int]
"""The state of the generator that answers chance."""

_GENERATOR = struct.Struct("<4Q")
_NUMBER = struct.Struct("<d")
_COUNT = struct.Struct("<i")
_WORD = struct.Struct("<q")


ALL_MOVES = 1 << 62
REFUSALS = frozenset({FAILED, CANCELLED, NOTHING})
"""Statuses of a move that is not legal."""
UNFINISHED = frozenset({GROW, STOPPED})
"""Statuses of a call that has to be repeated."""

Committed = tuple[bytes | None, int, int | None, Words | None, Chance | None]
"""The result of a move.

The block after the transaction (None: it is not complete), the choosers after it as bits, the chooser within
the transaction, all choices since the base if chance added some or the transaction is not complete, and the
state of the generator.
"""


class MoveRows:
    """Complete moves in the form in which native code lists them. Never changed.

    A row is unpacked when it is read: usually only one move of a list is played.
    """

    __slots__ = ("data", "index", "start")

    def __init__(self, data: bytes, index: bytes, start: int) -> None:
        self.data = data
        """For each move, the number of choices in the low half of a word, and then the choices."""
        self.index = index
        """The address of each row when it was listed."""
        self.start = start
        """The address of the first row."""

    def __len__(self) -> int:
        return len(self.index) // 8

    def __getitem__(self, number: int) -> Words:
        """All choices of a move since the base."""
        at = int.from_bytes(self.index[8 * number : 8 * number + 8], "little") - self.start
        (length,) = _COUNT.unpack_from(self.data, at)
        return struct.unpack_from(f"<{length}q", self.data, at + 8)

    def find(self, words: Words) -> int | None:
        """The number of the move with these choices."""
        packed = struct.pack(f"<{len(words)}q", *words)
        at = self.data.find(packed, 8)
        while at >= 0:
            if _COUNT.unpack_from(self.data, at - 8)[0] == len(words):
                place = self.index.find((at - 8 + self.start).to_bytes(8, "little"))
                if place >= 0 and place % 8 == 0:
                    return place // 8
            at = self.data.find(packed, at + 1)
        return None

    def first_words(self) -> list[int]:
        """The different first choices of the moves."""
        words, start = memoryview(self.data).cast("q"), self.start - 8
        addresses = memoryview(self.index).cast("q")
        return list(dict.fromkeys([words[address - start >> 3] for address in addresses]))

    def __iter__(self) -> Iterator[Words]:
        return map(self.__getitem__, range(len(self)))


class MoveRunner:
    """Single moves of one engine. Several threads may use it at the same time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        plan = engine.plan
        self.plan = plan
        self.move_compiler = MoveCompiler(engine)
        self.pool = BufferPool(engine)
        self._commit, self._list = engine.short_commit, engine.short_list_from
        self._is_checked = engine.checked
        self.outcome_at = plan.context["outcome_size"]
        assert plan.context["outcome_mask"] == self.outcome_at + 24, "one struct reads all four fields"
        self._outcome = struct.Struct(f"<3q{plan.seats.size // 8}Q")
        self._generator_at = plan.context["rng"]
        self._count_at, self._end_at = plan.context["move_count"], plan.context["moves"]
        self.active_at = plan.header["active"]
        """The offset of the active player in a block, in one byte: there are fewer than 256 players."""
        self._heap_top = struct.Struct(f"<{plan.header['heap_top']}xq")
        self._phase = struct.Struct(f"<{plan.header['phase']}xi")
        self._stage = struct.Struct(f"<{plan.header['stage']}xi")
        self._sealed = struct.Struct(f"<{plan.header['sealed'] + 4}xi")
        phases = plan.world.phases
        self._sealing_phases = frozenset(at for at, each in enumerate(phases) if each.phase.simultaneous)
        self.is_open = not (plan.world.has_secrets or self._sealing_phases)
        """Whether every choice is visible to everybody."""
        self._ended = struct.Struct(f"<{plan.header['ended']}xi")
        self._winners = struct.Struct(f"<{plan.header['winners']}x{plan.seats.size}s")
        self._payoffs = struct.Struct(f"<{plan.payoffs}x{plan.world.players}d")
        self._number_columns: dict[tuple[str, str, int], tuple[int, int] | None] = {}
        self._players_of_masks: dict[tuple[int, int], tuple[int, ...]] = {}
        self.starts: dict[tuple[str | None, bool], Any] = {}
        """The starts of games, by setup and by whether chance is drawn."""
        self.presenter = Presenter(engine, self.pool)
        """Writes texts, questions and views."""

    # Facts in a block

    def active(self, block: bytes) -> int:
        return block[self.active_at]

    def phase(self, block: bytes) -> int:
        """The number of the phase; -1 if there is none."""
        return int(self._phase.unpack_from(block)[0])

    def is_choosing(self, block: bytes) -> bool:
        """Whether players choose actions: no transaction is open."""
        return bool(self._stage.unpack_from(block)[0] == CHOOSING)

    def can_seal(self, block: bytes) -> bool:
        """Whether the next choice may be sealed by a simultaneous phase."""
        return (
            bool(self._sealing_phases)
            and self.is_choosing(block)
            and self.phase(block) in self._sealing_phases
        )

    def has_sealed(self, block: bytes) -> bool:
        """Whether there are sealed choices."""
        return bool(self._sealing_phases) and self._sealed.unpack_from(block)[0] > 0

    def result(self, block: bytes) -> Result | None:
        (ended,) = self._ended.unpack_from(block)
        if not ended:
            return None
        (winners,) = self._winners.unpack_from(block)
        return self.engine.result(ended, winners, self._payoffs.unpack_from(block))

    def players_of_mask(self, mask: int, active: int) -> tuple[int, ...]:
        """Players given as bits, the active one first."""
        found = self._players_of_masks.get((mask, active))
        if found is None:
            count = self.plan.world.players
            order = [(active + step) % count for step in range(count)]
            found = tuple(player for player in order if mask >> player & 1)
            self._players_of_masks[mask, active] = found
        return found

    def number(self, block: bytes, construct: str, ordinal: int, attribute: str, key: int) -> float | None:
        """A number in a table of an instance; None if there is no such instance."""
        name = (construct, attribute, key)
        if name not in self._number_columns:
            self._number_columns[name] = self.move_compiler.find_number_column(construct, attribute, key)
        column = self._number_columns[name]
        if column is None:
            return None
        first, step = column
        (count,) = _COUNT.unpack_from(block, self.plan.family(construct).count_at)
        if not 0 <= ordinal < count:
            return None
        return float(_NUMBER.unpack_from(block, first + ordinal * step)[0])

    # Calls

    def commit(
        self, block: bytes, words: bytes, request: int, chance: Chance | None
    ) -> Committed | Refused | None:
        """Make a move; the refusal if it is not legal, or None if there is no memory for it."""
        buffers = self.pool.take()
        if buffers is None:
            return None
        try:
            if len(block) > buffers.size and not buffers.reserve(block):
                return None
            status: int | None = None
            if not self._is_checked:  # most calls end here; the general method costs more time
                if chance is not None:
                    _GENERATOR.pack_into(buffers.context, self._generator_at, *chance)
                status = self._commit(buffers.context_at, buffers.work_at, block, words, request)
            if status is None or status in UNFINISHED:
                prepare = None if chance is None else partial(self._put_generator, chance)
                arguments = block, words, request
                status = buffers.run(self._commit, self.engine.commit, arguments, prepare, status)
            if status not in (FINE, NEED):
                return self._refusal(buffers, status)
            size, total, chooser, *mask = self._outcome.unpack_from(buffers.context, self.outcome_at)
            choices = None
            if (status == NEED and not size) or (chance is not None and total > request >> 28 & 0x3FFF):
                choices = struct.unpack_from(f"<{total}q", buffers.chosen)
            if chance is not None:
                chance = _GENERATOR.unpack_from(buffers.context, self._generator_at)
            after = buffers.work[:size] if size else None
            return after, _joined(mask), chooser if status == NEED else None, choices, chance
        except TooLarge:  # there is no thread for an interruptible call
            return None
        finally:
            self.pool.give_back(buffers)

    def _put_generator(self, chance: Chance, buffers: CallBuffers) -> None:
        _GENERATOR.pack_into(buffers.context, self._generator_at, *chance)

    def _refusal(self, buffers: CallBuffers, status: int) -> Refused | None:
        """Why a call failed; None if there is no memory for it."""
        if status == FAULT:
            return buffers.refusal()
        return Refused(None) if status in REFUSALS else None

    def resolve_stuck_players(self, block: bytes) -> Committed | Refused | None:
        """Resolve the stuck players of a loaded state that is between transactions."""
        buffers = self.pool.take()
        if buffers is None:
            return None
        try:
            if not buffers.reserve(block):
                return None
            status = buffers.run(self.engine.resolve_stuck_from, self.engine.resolve_stuck_from, (block,))
            if status not in (FINE, NEED):
                return self._refusal(buffers, status)
            size, _, chooser, *mask = self._outcome.unpack_from(buffers.context, self.outcome_at)
            return buffers.work[:size], _joined(mask), chooser if status == NEED else None, None, None
        except TooLarge:
            return None
        finally:
            self.pool.give_back(buffers)

    def replay(self, block: bytes, script: bytes) -> tuple[int, bytes | None]:
        """Make all moves of a script: the number of legal moves at its beginning, and the block after all.

        The block is None if a move was not legal, or if the last one is not complete.
        """
        buffers = self.pool.take()
        if buffers is None:
            return 0, None

        def load(buffers: CallBuffers) -> None:
            ctypes.memmove(buffers.execution.blocks[2], block, len(block))

        try:
            if not buffers.reserve(block):
                return 0, None
            function = self.engine.replay
            status = buffers.run(function, function, (script, len(script), buffers.counters), load)
            moves, is_incomplete = buffers.counters
            if status != FINE or is_incomplete:
                return moves, None
            after: Any = buffers.execution.blocks[2]
            (size,) = self._heap_top.unpack_from(after)
            return moves, after[:size]
        except TooLarge:
            return 0, None
        finally:
            self.pool.give_back(buffers)

    def moves(
        self, block: bytes, words: Words, player: int, mode: int, limit: int | None = None
    ) -> MoveRows | Refused | None:
        """The choices since the base of every complete move of a player.

        Returns the fault if listing causes one, and None if there is no memory for it. With a limit, listing
        ends after so many moves of an open transaction.
        """
        buffers = self.pool.take()
        if buffers is None:
            return None
        try:
            if len(block) > buffers.size and not buffers.reserve(block):
                return None
            packed = struct.pack(f"<{len(words)}q", *words) if words else b""
            count, most = len(words), ALL_MOVES if limit is None else limit
            status: int | None = None
            if not self._is_checked:
                at, work = buffers.context_at, buffers.work_at
                status = self._list(at, work, block, packed, count, player, mode, most)
            if status is None or status in UNFINISHED:
                arguments = block, packed, count, player, mode, most
                status = buffers.run(self._list, self.engine.list_from, arguments, None, status)
            if status == FAULT:
                return buffers.refusal()
            if status != FINE:
                return None
            context, start = buffers.context, buffers.moves_at
            (found,), (end,) = (
                _WORD.unpack_from(context, self._count_at),
                _WORD.unpack_from(context, self._end_at),
            )
            return MoveRows(buffers.moves[: end - start], buffers.index[: 8 * found], start)
        except TooLarge:
            return None
        finally:
            self.pool.give_back(buffers)

    def candidates(self, block: bytes, words: Words) -> Words | None:
        """The candidates of the open question; None if native code cannot list them."""
        buffers = self.pool.take()
        if buffers is None:
            return None
        found: list[Words | None] = []

        def list_candidates() -> int:
            try:
                found.append(buffers.execution.candidates(block, words))
            except (Outgrown, TooLarge):
                buffers.is_unusable = True
                found.append(None)
            except Stopped:
                pass
            return 0

        try:
            list_candidates()
            if not found:
                buffers.run_interruptibly(list_candidates)
            return found[0]
        except TooLarge:
            return None
        finally:
            if not buffers.is_unusable:
                buffers.prepare()  # the execution context may have grown
            self.pool.give_back(buffers)


def _joined(words: list[int]) -> int:
    """A set of players as one number, the lowest word first."""
    if len(words) == 1:
        return words[0]
    return sum(word << 64 * place for place, word in enumerate(words))
