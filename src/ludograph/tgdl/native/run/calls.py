"""Committer: single moves on the native engine, called from Python as cheaply as it goes.

Every thread that calls at the same time gets a desk of its own, a place with everything prepared for a call.
What stands in a block is read from its header, without decoding the rest.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ludograph.play import Result
from ludograph.tgdl.native.layout.interface import STACKS
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
from ludograph.tgdl.native.run.compiled_moves import MoveCompiler
from ludograph.tgdl.native.run.engine import Engine, ExecutionContext, Outgrown, Stopped, TooLarge
from ludograph.tgdl.native.run.presenter import Presenter
from ludograph.tgdl.native.run.regions import bytes_of
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
PATIENCE = 1 << 16
"""So much fuel a call may use that no other thread of Python and no interruption comes between."""

Committed = tuple[bytes | None, int, int | None, Words | None, Chance | None]
"""What came of a move.

The block that the transaction left (None: it is under way), who is asked then as bits, who is asked within a
transaction, all choices since the base where chance has added some or the transaction goes on, and the
generator.
"""


class MoveRows:
    """Complete moves as native code lists them. Never changed.

    They are looked at one by one, so that a list of which only one is played costs little.
    """

    __slots__ = ("data", "index", "start")

    def __init__(self, data: bytes, index: bytes, start: int) -> None:
        self.data = data
        """For each move how many choices it has, in 32 bits of 64, and the choices."""
        self.index = index
        """Where each of them was when it was listed,"""
        self.start = start
        """and where the first was."""

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
        """The first choices of the moves, each once."""
        places = struct.unpack(f"<{len(self.index) // 8}q", self.index)
        first, start = _WORD.unpack_from, self.start - 8
        return list(dict.fromkeys(first(self.data, place - start)[0] for place in places))

    def __iter__(self) -> Iterator[Words]:
        return map(self.__getitem__, range(len(self)))


class _CallBuffers:
    """A place, ready for calls. Mutable."""

    __slots__ = (
        "chosen",
        "context",
        "context_at",
        "done",
        "index",
        "is_spent",
        "moves",
        "moves_at",
        "place",
        "prepared",
        "room",
        "work",
        "work_at",
    )

    def __init__(self, engine: Engine) -> None:
        self.place = ExecutionContext(engine, patience=None if engine.deepen is None else PATIENCE)
        self.done = (ctypes.c_int64 * 2)()
        self.is_spent = False
        """Whether a run here was too large, and may have left anything behind, or room is just being made."""
        self.prepare()

    def prepare(self) -> None:
        place = self.place
        self.context = place.context
        self.context_at = ctypes.addressof(place.context)
        self.work_at = ctypes.addressof(place.blocks[1])
        self.work: Any = place.blocks[1]
        self.chosen = place.buffers["chosen"]
        self.moves, self.index = place.buffers["moves"], place.buffers["index"]
        self.moves_at = ctypes.addressof(self.moves)
        self.room = len(place.blocks[0])
        context, work = ctypes.byref(self.context), ctypes.byref(self.work)
        self.prepared = context, work, self.room, self.context, self.work

    def grow(self) -> bool:
        """More room; False if there is none."""
        self.is_spent = True  # until all is prepared, whatever may interrupt this
        try:
            self.place.grow()
        except (Outgrown, TooLarge):
            return False
        self.prepare()
        self.is_spent = False
        return True

    def can_hold(self, block: bytes) -> bool:
        """Make room for a block; False if there is none."""
        if len(block) <= self.room:
            return True
        self.is_spent = True
        try:
            self.place.hold(block)
        except TooLarge:
            return False
        self.prepare()
        self.is_spent = False
        return True

    def load(self, block: bytes, words: Words) -> ExecutionContext:
        """Make a block the base, and choices those since."""
        self.is_spent = True
        self.place.load(block, words)
        if self.place.context is not self.context:
            self.prepare()
        self.is_spent = False
        return self.place

    def patiently(self, work: Callable[[], int]) -> int:
        """Run what takes long where other threads run meanwhile, and where an interruption ends it."""
        place, deepen = self.place, self.place.engine.deepen
        assert deepen is not None
        place.put("enough", "<q", 0)
        try:
            return deepen(STACKS[0], work, place.stop)
        finally:
            place.put("enough", "<q", place.enough)

    def admit(self, *guests: bytes) -> None:
        """Let checked code read these in the run that follows."""
        self.place.admit(*(bytes_of(guest) for guest in guests))


class MoveRunner:
    """Single moves of one engine. May be used by many threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        plan = engine.plan
        self.plan = plan
        self.phrases = MoveCompiler(engine)
        self.free: list[_CallBuffers] = []
        """Desks at which nobody works."""
        self._commit = engine.short_commit
        self._is_checked = engine.checked
        self.settled_at = plan.context["settled_size"]
        assert plan.context["settled_mask"] == self.settled_at + 24, "they are read in one go"
        self._settled = struct.Struct(f"<3q{plan.seats.size // 8}Q")
        self._generator_at = plan.context["rng"]
        self._count_at, self._end_at = plan.context["move_count"], plan.context["moves"]
        self.active_at = plan.header["active"]
        """Where a block holds the active player, in one byte: there are fewer than 256."""
        self._heap_top = struct.Struct(f"<{plan.header['heap_top']}xq")
        self._phase = struct.Struct(f"<{plan.header['phase']}xi")
        self._stage = struct.Struct(f"<{plan.header['stage']}xi")
        self._sealed = struct.Struct(f"<{plan.header['sealed'] + 4}xi")
        scenes = plan.world.scenes
        self._sealing = frozenset(at for at, scene in enumerate(scenes) if scene.phase.simultaneous)
        self.is_open = not (plan.world.has_secrets or self._sealing)
        """Whether nothing that is chosen is ever hidden from anybody."""
        self._ended = struct.Struct(f"<{plan.header['ended']}xi")
        self._winners = struct.Struct(f"<{plan.header['winners']}x{plan.seats.size}s")
        self._payoffs = struct.Struct(f"<{plan.payoffs}x{plan.world.players}d")
        self._watched: dict[tuple[str, str, int], tuple[int, int] | None] = {}
        self._asked: dict[tuple[int, int], tuple[int, ...]] = {}
        self.starts: dict[tuple[str | None, bool], Any] = {}
        """By the setup, and whether chance is drawn: where games begin."""
        self.presenter = Presenter(engine, self._take_desk, self._put_back)
        """Writes texts, questions and views."""

    # What stands in a block

    def active(self, block: bytes) -> int:
        return block[self.active_at]

    def phase(self, block: bytes) -> int:
        """The number of the phase; -1 if there is none."""
        return int(self._phase.unpack_from(block)[0])

    def is_choosing(self, block: bytes) -> bool:
        """Whether players are asked for actions, between transactions."""
        return bool(self._stage.unpack_from(block)[0] == CHOOSING)

    def can_seal(self, block: bytes) -> bool:
        """Whether a simultaneous phase may keep what is chosen now hidden."""
        return bool(self._sealing) and self.is_choosing(block) and self.phase(block) in self._sealing

    def has_sealed(self, block: bytes) -> bool:
        """Whether a simultaneous phase keeps choices hidden."""
        return bool(self._sealing) and self._sealed.unpack_from(block)[0] > 0

    def result(self, block: bytes) -> Result | None:
        (ended,) = self._ended.unpack_from(block)
        if not ended:
            return None
        (winners,) = self._winners.unpack_from(block)
        return self.engine.result(ended, winners, self._payoffs.unpack_from(block))

    def asked(self, mask: int, active: int) -> tuple[int, ...]:
        """Players given as bits, the active one first."""
        found = self._asked.get((mask, active))
        if found is None:
            count = self.plan.world.players
            order = [(active + step) % count for step in range(count)]
            found = self._asked[mask, active] = tuple(player for player in order if mask >> player & 1)
        return found

    def number(self, block: bytes, construct: str, ordinal: int, attribute: str, key: int) -> float | None:
        """A number in a table of a thing; None if it is no such thing."""
        name = (construct, attribute, key)
        if name not in self._watched:
            self._watched[name] = self.phrases.watch(construct, attribute, key)
        watched = self._watched[name]
        if watched is None:
            return None
        first, step = watched
        (count,) = _COUNT.unpack_from(block, self.plan.family(construct).count_at)
        if not 0 <= ordinal < count:
            return None
        return float(_NUMBER.unpack_from(block, first + ordinal * step)[0])

    # Calls

    def commit(
        self, block: bytes, words: bytes, request: int, chance: Chance | None
    ) -> Committed | Refused | None:
        """Make a move; why the rules refuse it, or None if there is no room for it here."""
        desk = self._take_desk()
        if desk is None:
            return None
        try:
            if not desk.can_hold(block):
                return None
            while True:
                if self._is_checked:
                    desk.admit(block, words)
                if chance is not None:
                    _GENERATOR.pack_into(desk.context, self._generator_at, *chance)
                status = self._commit(desk.context_at, desk.work_at, block, words, request)
                if status == STOPPED:
                    if chance is not None:
                        _GENERATOR.pack_into(desk.context, self._generator_at, *chance)
                    status = desk.patiently(
                        partial(self.engine.commit, desk.context_at, desk.work_at, block, words, request)
                    )
                if self._is_checked:
                    desk.place.check_beliefs()
                if status in (FINE, NEED):
                    break
                if status == FAULT:
                    return Refused(f"TG{desk.place.get('fault', '<i'):04}")
                if status in REFUSALS:
                    return Refused(None)
                if status != GROW or not desk.grow():
                    return None
            size, total, chooser, *asked = self._settled.unpack_from(desk.context, self.settled_at)
            choices = None
            if (status == NEED and not size) or (chance is not None and total > request >> 28 & 0x3FFF):
                choices = struct.unpack_from(f"<{total}q", desk.chosen)
            if chance is not None:
                chance = _GENERATOR.unpack_from(desk.context, self._generator_at)
            block_now = desk.work[:size] if size else None
            return block_now, _joined(asked), chooser if status == NEED else None, choices, chance
        except TooLarge:  # there is no thread to be patient in
            return None
        finally:
            self._put_back(desk)

    def settle(self, block: bytes) -> Committed | Refused | None:
        """Tell everybody who is stuck in a state between transactions, which a saved game brings."""
        desk = self._take_desk()
        if desk is None:
            return None
        try:
            if not desk.can_hold(block):
                return None
            while True:
                if self._is_checked:
                    desk.admit(block)
                call = partial(self.engine.settle_from, desk.context_at, desk.work_at, block)
                status = call()
                if status == STOPPED:
                    status = desk.patiently(call)
                if self._is_checked:
                    desk.place.check_beliefs()
                if status in (FINE, NEED):
                    break
                if status == FAULT:
                    return Refused(f"TG{desk.place.get('fault', '<i'):04}")
                if status != GROW or not desk.grow():
                    return None
            size, _, chooser, *asked = self._settled.unpack_from(desk.context, self.settled_at)
            return desk.work[:size], _joined(asked), chooser if status == NEED else None, None, None
        except TooLarge:
            return None
        finally:
            self._put_back(desk)

    def replay(self, block: bytes, script: bytes) -> tuple[int, bytes | None]:
        """Make all moves of a script: how many could be made, and what they leave.

        None if that was not all, or if the last one is still under way.
        """
        desk = self._take_desk()
        if desk is None:
            return 0, None
        try:
            while True:
                if not desk.can_hold(block):
                    return 0, None
                place, done = desk.place, desk.done
                place.admit(bytes_of(script), bytes_of(done))
                ctypes.memmove(place.blocks[2], block, len(block))
                again = partial(
                    self.engine.replay,
                    desk.context_at,
                    desk.work_at,
                    script,
                    len(script),
                    ctypes.addressof(done),
                )
                status = again()
                if status == STOPPED:
                    ctypes.memmove(place.blocks[2], block, len(block))
                    status = desk.patiently(again)
                place.check_beliefs()
                if status != GROW or not desk.grow():
                    break
            moves, under_way = done
            if status != FINE or under_way:
                return moves, None
            kept: Any = place.blocks[2]
            (size,) = self._heap_top.unpack_from(kept)
            return moves, kept[:size]
        except TooLarge:
            return 0, None
        finally:
            self._put_back(desk)

    def moves(
        self, block: bytes, words: Words, player: int, way: int, limit: int | None = None
    ) -> MoveRows | Refused | None:
        """The choices since the base of every complete move of a player.

        The fault that listing comes to, if it does; None if there is no room for it here.

        With a limit the search ends when it has found so many moves of a transaction that is under way.
        """
        desk = self._take_desk()
        if desk is None:
            return None
        try:
            if not desk.can_hold(block):
                return None
            packed = struct.pack(f"<{len(words)}q", *words) if words else b""
            most = ALL_MOVES if limit is None else limit
            while True:
                place = desk.place
                if self._is_checked:
                    desk.admit(block, packed)
                asked = desk.context_at, desk.work_at, block, packed, len(words), player, way, most
                status = self.engine.short_list_from(*asked)
                if status == STOPPED:
                    status = desk.patiently(partial(self.engine.list_from, *asked))
                if self._is_checked:
                    place.check_beliefs()
                if status != GROW or not desk.grow():
                    break
            if status == FAULT:
                return Refused(f"TG{place.get('fault', '<i'):04}")
            if status != FINE:
                return None
            context, moves = desk.context, desk.moves
            (count,), (end,) = (
                _WORD.unpack_from(context, self._count_at),
                _WORD.unpack_from(context, self._end_at),
            )
            start = desk.moves_at
            return MoveRows(moves[: end - start], desk.index[: 8 * count], start)
        except TooLarge:
            return None
        finally:
            self._put_back(desk)

    def candidates(self, block: bytes, words: Words) -> Words | None:
        """The candidates of the open question; None if that cannot be told here."""
        desk = self._take_desk()
        if desk is None:
            return None
        found: list[Words | None] = []

        def ask() -> int:
            try:
                found.append(desk.place.candidates(block, words))
            except (Outgrown, TooLarge):
                desk.is_spent = True
                found.append(None)
            except Stopped:
                pass
            return 0

        try:
            ask()
            if not found:
                desk.patiently(ask)
            return found[0]
        except TooLarge:
            return None
        finally:
            if not desk.is_spent:
                desk.prepare()  # the place may have grown
            self._put_back(desk)

    def _take_desk(self) -> _CallBuffers | None:
        """A desk for whoever calls; None if there is no memory for another one."""
        try:
            return self.free.pop()
        except IndexError:  # as many threads are here as there are desks
            pass
        try:
            return _CallBuffers(self.engine)
        except MemoryError:
            return None

    def _put_back(self, desk: _CallBuffers) -> None:
        # Where it was stopped, everything stops.
        if not (desk.is_spent or desk.place.is_stopped) and desk.place.is_whole:
            self.free.append(desk)


def _joined(words: list[int]) -> int:
    """A set of players as one number, the lowest word first."""
    if len(words) == 1:
        return words[0]
    return sum(word << 64 * place for place, word in enumerate(words))
