"""Which engine runs a game: the native one where it can, else the reference.

>>> from ludograph import load
>>> from ludograph.games.engines import simulate
>>> games = simulate(load("tic-tac-toe").new(), 1000, seed=7)
>>> sum(1 for outcome in games if outcome.moves >= 5)
1000
"""

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from collections.abc import Generator as PythonGenerator
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ludograph.games.object_store import open_object_store
from ludograph.games.starts import CompiledStart, sample_of
from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator, Outcome, random_playout
from ludograph.play import perft as perft_by_reference
from ludograph.play import simulate as simulate_by_reference
from ludograph.play.match import first_seed
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.encoding import ForeignText
from ludograph.tgdl.native.layout.sizing import has_room, plan_of
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, Outgrown, TooLarge
from ludograph.tgdl.native.run.machine import Unavailable, is_available, missing_reason, unavailable_reason
from ludograph.tgdl.world.world import World

if TYPE_CHECKING:
    from concurrent.futures import Future

NATIVE: Final = "native"
REFERENCE: Final = "reference"
AUTOMATIC: Final = "auto"
"""The native engine where it can and as soon as that pays, else the reference."""
ENGINES: Final = (NATIVE, REFERENCE)
LIMIT: Final = 10_000
LONG_ENOUGH: Final = 0.05
"""Seconds that a thread should play before it comes back with games."""

MOST_ROOM: Final = 4096
"""So many times families may be enlarged; then there is one of 65,535 things at the most."""

__all__ = [
    "AUTOMATIC",
    "ENGINES",
    "NATIVE",
    "REFERENCE",
    "CompiledStart",
    "Engine",
    "NoNativeEngine",
    "ReferenceEngineWarning",
    "compile_if_possible",
    "compile_world",
    "find_compiled",
    "missing_reason",
    "native_engine",
    "perft",
    "simulate",
    "unavailable_reason",
    "warn_if_missing",
]


class NoNativeEngine(Exception):
    """The native engine cannot run this game here; the message says why."""


class ReferenceEngineWarning(RuntimeWarning):
    """The reference engine plays where the native one was to be expected; the message says why."""


def warn_if_missing() -> None:
    """A warning to whoever called the caller, if there is no native engine here.

    A library that is installed but does not run is noticed later, when it is first needed.
    """
    reason = missing_reason()
    if reason is not None:
        _warn(reason)


def _warn(reason: str) -> None:
    message = f"the reference engine plays, which takes longer: {reason}"
    warnings.warn(message, ReferenceEngineWarning, stacklevel=4)


def _warn_if_broken() -> None:
    """A warning, once, if the library of the native engine is installed but does not run."""
    if missing_reason() is None:
        reason = unavailable_reason()
        if reason is not None:
            _warn(reason)


def native_engine(game: Game, state: State, *, room: int = 1) -> Engine:
    """The native engine for a state's players and options."""
    reason = unavailable_reason()
    if reason is not None:
        raise NoNativeEngine(reason)
    if not state.can_be_restarted():
        raise NoNativeEngine("the game stands in the middle of a move")
    world = world_of(state)
    sample = sample_of(game, world)
    try:
        differs = list(map(len, sample.families)) != list(map(len, memory_of(state).families))
        if differs and not has_room(plan_of(world, sample, room), memory_of(state)):
            sample = memory_of(state)
        engine = Engine(world, sample, open_object_store(), room=room)
        engine.block(memory_of(state))  # may have a foreign text
        return engine
    except (Unsupported, Unavailable, ForeignText) as error:
        raise NoNativeEngine(str(error)) from None


def compile_world(game: Game, world: World) -> Engine:
    """The native engine of a world, for its states."""
    reason = unavailable_reason()
    if reason is not None:
        raise NoNativeEngine(reason)
    try:
        return Engine(world, sample_of(game, world), open_object_store(), run_with_stack=run_with_stack)
    except (Unsupported, Unavailable) as error:
        raise NoNativeEngine(str(error)) from None


def compile_if_possible(game: Game, world: World) -> Engine | None:
    """The native engine of a world; None where the reference engine has to go on."""
    try:
        return compile_world(game, world)
    except NoNativeEngine:
        _warn_if_broken()
        return None


def find_compiled(game: Game, world: World) -> Engine | None:
    """The native engine of a world if it was compiled before; None otherwise."""
    if not is_available():
        _warn_if_broken()
        return None
    try:
        return Engine.find(world, sample_of(game, world), open_object_store(), run_with_stack)
    except (Unsupported, Unavailable):
        return None


def simulate(
    state: State | CompiledStart,
    playouts: int,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    engine: Engine | str | None = None,
    left: Callable[[int], object] | None = None,
) -> Iterator[Outcome]:
    """Play many random games on from a state or a start; each outcome comes in the order of the games.

    What comes out depends on the seed and the engine, never on the number of threads. Without a word on the
    engine the native one plays if it can. A game that grows too large for it is played from its beginning by
    the reference engine, and `left` is told its number; all others stay with the native one.
    """
    engine = _chosen(state, engine)
    if not isinstance(engine, Engine):
        start = _state(state)
        yield from simulate_by_reference(lambda _: start.copy(), playouts, seed=seed, limit=limit)
        return
    games = _Games(engine, state, seed, limit)
    done = level = 0
    while done < playouts:
        with closing(_natively(games, level, (done, playouts), threads)) as played:
            for outcomes, stopped in played:
                yield from outcomes
                done += len(outcomes)
                if stopped is None:
                    continue
                outcome = games.elsewhere(done, level, stopped)
                needs_more_room = outcome is not None and isinstance(stopped, Outgrown)
                if outcome is None:
                    outcome = games.by_reference(done)
                    if left is not None:
                        left(done)
                done += 1
                yield outcome
                if needs_more_room:
                    level += 1  # most likely others need it too
                    break


def perft(state: State | CompiledStart, depth: int, *, engine: Engine | str | None = None) -> int:
    """How many sequences of exactly so many complete moves there are."""
    engine = _chosen(state, engine)
    if not isinstance(engine, Engine):
        return perft_by_reference(_state(state), depth)
    try:
        return _count_natively(engine, state, depth)
    except Outgrown:
        larger = _larger(engine, state)
        if larger is not None:
            return perft(state, depth, engine=larger)
    except TooLarge:
        pass
    return perft_by_reference(_state(state), depth)


def _chosen(state: State | CompiledStart, engine: Engine | str | None) -> Engine | str | None:
    """The engine that was asked for; without a word the native one if there is one."""
    if engine is not None and engine != NATIVE:
        return engine
    if isinstance(state, CompiledStart):
        return state.engine
    try:
        return native_engine(state.game, state)
    except NoNativeEngine as reason:
        if engine == NATIVE:
            raise
        _warn(str(reason))
        return None


def _state(state: State | CompiledStart) -> State:
    return state.state() if isinstance(state, CompiledStart) else state


def _larger(engine: Engine, state: State | CompiledStart) -> Engine | None:
    """The same engine with room for more things; None if there is none."""
    if engine.room >= MOST_ROOM:
        return None
    start = _state(state)
    try:
        return native_engine(start.game, start, room=engine.room * 8)
    except NoNativeEngine:
        return None


def _count_natively(engine: Engine, state: State | CompiledStart, depth: int) -> int:
    from concurrent.futures import ThreadPoolExecutor

    place = ExecutionContext(engine, run_with_stack)
    start = _block(engine, state)
    # In a thread of its own, so that this one hears an interruption.
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(place.perft, start, depth)
        try:
            return counting.result()
        except Failure as failure:
            raise failure.to_exception() from None
        finally:
            place.stop()


def _block(engine: Engine, state: State | CompiledStart) -> bytes:
    if isinstance(state, CompiledStart) and state.engine is engine:
        return state.block
    return engine.block(memory_of(_state(state)))


_Stretch = tuple[list[Outcome], Exception | None]
"""Games one after the other, and why the next has come to no end, if so."""


def _stretch(place: ExecutionContext, start: bytes, first: int, count: int, limit: int) -> _Stretch:
    outcomes: list[Outcome] = []
    try:
        outcomes.extend(place.outcomes(start, first, count, limit))
    except (Outgrown, TooLarge, Failure) as reason:
        return outcomes, reason
    return outcomes, None


class _Games:
    """Random games from one start, and the engines that they need. Mutable.

    Who plays a game, and how, depends on its number alone, not on the games that a thread plays with it:
    natively if an engine with any room for things can, else the reference engine. An engine with more room
    needs more memory for the same game, never less.
    """

    def __init__(self, engine: Engine, state: State | CompiledStart, seed: int, limit: int) -> None:
        self.state = state
        self.first = first_seed(seed)
        self.limit = limit
        self._engines: list[Engine | None] = [engine]

    def engine(self, level: int) -> Engine | None:
        """The engine with eight times the room for things for each level; None if there is none."""
        while len(self._engines) <= level:
            last = self._engines[-1]
            self._engines.append(None if last is None else _larger(last, self.state))
        return self._engines[level]

    def elsewhere(self, number: int, level: int, reason: Exception) -> Outcome | None:
        """A game that the engine of a level could not end, by that of another level; None if none can."""
        if isinstance(reason, Failure):
            raise reason.to_exception() from None
        if isinstance(reason, TooLarge) and level == 0:
            return None
        other = 0
        while self.engine(other) is not None:
            ((outcomes, stopped),) = _natively(self, other, (number, number + 1), threads=1)
            if stopped is None:
                return outcomes[0]
            if isinstance(stopped, Failure):
                raise stopped.to_exception() from None
            if isinstance(stopped, TooLarge):
                return None
            other += 1
        return None

    def by_reference(self, number: int) -> Outcome:
        return random_playout(self._start.copy(), Generator(self.first + number), limit=self.limit)

    @cached_property
    def _start(self) -> State:
        return _state(self.state)


def _natively(games: _Games, level: int, numbers: tuple[int, int], threads: int) -> PythonGenerator[_Stretch]:
    """The games from one number up to another, by the engine of a level. Nothing comes after a fault."""
    from concurrent.futures import ThreadPoolExecutor

    engine = games.engine(level)
    assert engine is not None
    number, playouts = numbers
    start = _block(engine, games.state)
    places = [ExecutionContext(engine, run_with_stack) for _ in range(threads)]
    waiting: deque[Future[list[_Stretch]]] = deque()
    free = deque(places)
    chunk = 1

    def play(place: ExecutionContext, number: int, count: int) -> list[_Stretch]:
        nonlocal chunk
        began = time.monotonic()
        found: list[_Stretch] = []
        end = number + count
        try:
            while number < end and not (found and isinstance(found[-1][1], Failure)):
                found.append(_stretch(place, start, _word(games.first + number), end - number, games.limit))
                number += len(found[-1][0]) + 1
            return found
        finally:
            free.append(place)
            if time.monotonic() - began < LONG_ENOUGH:
                chunk = 2 * count

    pool = ThreadPoolExecutor(threads)
    try:
        while number < playouts or waiting:
            while number < playouts and len(waiting) < threads:
                count = min(chunk, playouts - number)
                waiting.append(pool.submit(play, free.popleft(), number, count))
                number += count
            for stretch in waiting.popleft().result():
                yield stretch
                if isinstance(stretch[1], Failure):
                    return
    finally:
        for place in places:
            place.stop()
        pool.shutdown(cancel_futures=True)


def _word(number: int) -> int:
    """A number as 64 bits with a sign."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number
