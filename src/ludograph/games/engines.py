"""Selection of the engine that runs a game: the native engine if possible, otherwise the reference engine.

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

from ludograph.games.compiling import CompilerFailure, CompilerThread, compile_and_wait
from ludograph.games.object_store import open_object_store
from ludograph.games.starts import CompiledStart, sample_memory
from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator, Outcome, random_playout
from ludograph.play import perft as perft_by_reference
from ludograph.play.match import first_seed
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.encoding import ForeignText
from ludograph.tgdl.native.layout.sizing import has_capacity, plan_of
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, Outgrown, TooLarge
from ludograph.tgdl.native.run.machine import Unavailable, is_available, missing_reason, unavailable_reason
from ludograph.tgdl.native.run.presentation_code import has_stored_presentation, load_presentation
from ludograph.tgdl.native.run.store import Poll
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World

if TYPE_CHECKING:
    from concurrent.futures import Future

NATIVE: Final = "native"
REFERENCE: Final = "reference"
AUTOMATIC: Final = "auto"
"""The native engine if it is available and as soon as it is faster, otherwise the reference engine."""
ENGINES: Final = (NATIVE, REFERENCE)
LIMIT: Final = 10_000
BATCH_SECONDS: Final = 0.05
"""The time that a thread should play before it returns its games."""

REASONS: Final = (Unsupported, Unavailable, ForeignText, CompilerFailure)
"""The exceptions that mean that the reference engine has to run a game."""

MAX_GROWTH: Final = 4096
"""The largest factor by which the memory for things may grow; a construct then has up to 65,535 things."""

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
    "compile_in_background",
    "compile_world",
    "enlarge_if_possible",
    "find_compiled",
    "missing_reason",
    "native_engine",
    "perft",
    "simulate",
    "unavailable_reason",
    "warn_if_missing",
]


class NoNativeEngine(Exception):
    """The native engine cannot run this game here; the message gives the reason."""


class ReferenceEngineWarning(RuntimeWarning):
    """The reference engine runs a game that the native engine should run; the message gives the reason."""


def warn_if_missing() -> None:
    """Warn the caller's caller if the native engine is missing.

    A library that is installed but broken is reported later, when it is first needed.
    """
    reason = missing_reason()
    if reason is not None:
        _warn(reason)


def _warn(reason: str) -> None:
    message = f"using the reference engine, which is slower: {reason}"
    warnings.warn(message, ReferenceEngineWarning, stacklevel=4)


def _warn_of_reason(reason: Exception) -> None:
    """Warn if the native engine should run a game: its library is broken, or the compiler failed."""
    if isinstance(reason, CompilerFailure) or isinstance(reason.__context__, CompilerFailure):
        _warn(str(reason))
    else:
        _warn_if_broken()


def _warn_if_broken() -> None:
    """Warn once if the library of the native engine is installed but broken."""
    if missing_reason() is None:
        reason = unavailable_reason()
        if reason is not None:
            _warn(reason)


def native_engine(game: Game, state: State, *, growth: int = 1) -> Engine:
    """The native engine for a state's players and options."""
    reason = unavailable_reason()
    if reason is not None:
        raise NoNativeEngine(reason)
    if not state.can_be_restarted():
        raise NoNativeEngine("the game is in the middle of a move")
    world = world_of(state)
    sample = sample_memory(game, world)
    try:
        differs = list(map(len, sample.families)) != list(map(len, memory_of(state).families))
        if differs and not has_capacity(plan_of(world, sample, growth), memory_of(state)):
            sample = memory_of(state)
        store = open_object_store()
        engine = compile_and_wait(lambda poll: Engine(world, sample, store, growth=growth, poll=poll))
        engine.block(memory_of(state))  # may raise ForeignText
        return engine
    except REASONS as error:
        raise NoNativeEngine(str(error)) from None


def compile_world(game: Game, world: World) -> Engine:
    """The native engine of a world."""
    reason = unavailable_reason()
    if reason is not None:
        raise NoNativeEngine(reason)
    try:
        return compile_and_wait(_compilation(game, world))
    except REASONS as error:
        raise NoNativeEngine(str(error)) from None


def _compilation(game: Game, world: World) -> Callable[[Poll], Engine]:
    """Compiles a world, with the code that writes its texts. The sample is found first, in this thread."""
    sample, store = sample_memory(game, world), open_object_store()

    def make(poll: Poll) -> Engine:
        return _with_texts(Engine(world, sample, store, run_with_stack=run_with_stack, poll=poll), poll)

    return make


def _with_texts(engine: Engine, poll: Poll) -> Engine:
    load_presentation(engine, poll)
    return engine


def compile_if_possible(game: Game, world: World) -> Engine | None:
    """The native engine of a world; None if only the reference engine can run it."""
    try:
        return compile_world(game, world)
    except NoNativeEngine as reason:
        _warn_of_reason(reason)
        return None


def enlarge_if_possible(engine: Engine, sample: Memory) -> Engine | None:
    """The engine with memory for more instances; None if only the reference engine can run such a state."""
    try:
        return compile_and_wait(lambda poll: _with_texts(engine.enlarged(sample, poll), poll))
    except REASONS as reason:
        if isinstance(reason, CompilerFailure):
            _warn(str(reason))
        return None


class BackgroundCompiler:
    """A world that is compiled while its game goes on. It implements `PendingEngine` of `game`."""

    def __init__(self, make: Callable[[Poll], Engine]) -> None:
        self._thread = CompilerThread(make)

    @property
    def is_over(self) -> bool:
        return self._thread.is_over

    def wait(self) -> None:
        """Wait until the compiler has ended."""
        self._thread.wait()

    def engine(self) -> Engine | None:
        """The engine, after waiting for it; None, with a warning, if only the reference engine can play."""
        try:
            return self._thread.result()
        except REASONS as reason:
            _warn_of_reason(reason)
            return None


def compile_in_background(
    game: Game, world: World, smaller: Engine | None = None, sample: Memory | None = None
) -> BackgroundCompiler:
    """Begin to compile a world; or an engine like a smaller one, with memory for the instances of a state."""
    if smaller is None or sample is None:
        return BackgroundCompiler(_compilation(game, world))
    return BackgroundCompiler(lambda poll: _with_texts(smaller.enlarged(sample, poll), poll))


def find_compiled(game: Game, world: World) -> Engine | None:
    """The native engine of a world if the cache has it, with the code that writes texts; None otherwise."""
    if not is_available():
        _warn_if_broken()
        return None
    try:
        sample, store = sample_memory(game, world), open_object_store()
        engine = Engine.find(world, sample, store, run_with_stack)
        if engine is None or not has_stored_presentation(engine):
            return None
        return compile_and_wait(lambda poll: _with_texts(engine, poll))
    except REASONS:
        return None


def simulate(
    state: State | CompiledStart,
    playouts: int,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    engine: Engine | str | None = None,
    on_too_large: Callable[[int], object] | None = None,
    first: int = 0,
) -> Iterator[Outcome]:
    """Play random games from a state or a start; the outcomes come in the order of the games.

    `first` is the number of the first game among the games of the seed. The outcomes depend on the seed and
    the engine, never on the number of threads. By default the native engine plays if it can. The reference
    engine replays a game that becomes too large for the native engine, and `on_too_large` is called with its
    number.
    """
    engine = _select_engine(state, engine)
    if not isinstance(engine, Engine):
        start = _state_of(state)
        for number in range(first, first + playouts):
            yield random_playout(start.copy(), Generator(first_seed(seed) + number), limit=limit)
        return
    games = _RandomGames(engine, state, seed, limit)
    done, level, end = first, 0, first + playouts
    while done < end:
        with closing(_play_natively(games, level, (done, end), threads)) as played:
            for outcomes, stopped in played:
                yield from outcomes
                done += len(outcomes)
                if stopped is None:
                    continue
                outcome = games.play_on_other_level(done, level, stopped)
                has_outgrown = outcome is not None and isinstance(stopped, Outgrown)
                if outcome is None:
                    outcome = games.play_by_reference(done)
                    if on_too_large is not None:
                        on_too_large(done)
                done += 1
                yield outcome
                if has_outgrown:
                    level += 1  # other games probably need it too
                    break


def count_moves(
    state: State | CompiledStart, number: int, *, seed: int, limit: int, engine: Engine | str | None
) -> tuple[int, ...]:
    """The number of legal moves at each decision of a random game; empty if the game cannot be played.

    The game is the one that `simulate` plays with these arguments.
    """
    if isinstance(engine, Engine):
        context = ExecutionContext(engine, run_with_stack)
        counts, stopped = context.count_moves(start_block(engine, state), sample_seed(seed, number), limit)
        return counts if stopped is None else ()
    found: list[int] = []
    copy, generator = _state_of(state).copy(), Generator(first_seed(seed) + number)
    while len(found) < limit:
        copy.sample_chance(generator)
        moves = copy.legal_moves
        if not moves:
            break
        found.append(len(moves))
        copy.push(moves[generator.below(len(moves))])
    return tuple(found)


def perft(state: State | CompiledStart, depth: int, *, engine: Engine | str | None = None) -> int:
    """Count the sequences of exactly `depth` complete moves."""
    engine = _select_engine(state, engine)
    if not isinstance(engine, Engine):
        return perft_by_reference(_state_of(state), depth)
    try:
        return _count_natively(engine, state, depth)
    except Outgrown:
        larger = enlarge(engine, state)
        if larger is not None:
            return perft(state, depth, engine=larger)
    except TooLarge:
        pass
    return perft_by_reference(_state_of(state), depth)


def _select_engine(state: State | CompiledStart, engine: Engine | str | None) -> Engine | str | None:
    """The wanted engine; by default the native engine if it can run the game."""
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


def _state_of(state: State | CompiledStart) -> State:
    return state.state() if isinstance(state, CompiledStart) else state


def enlarge(engine: Engine, state: State | CompiledStart) -> Engine | None:
    """The same engine with memory for more things; None if there is none."""
    if engine.growth >= MAX_GROWTH:
        return None
    start = _state_of(state)
    try:
        return native_engine(start.game, start, growth=engine.growth * 8)
    except NoNativeEngine:
        return None


def _count_natively(engine: Engine, state: State | CompiledStart, depth: int) -> int:
    from concurrent.futures import ThreadPoolExecutor

    context = ExecutionContext(engine, run_with_stack)
    start = start_block(engine, state)
    # In a thread of its own, so that this thread can be interrupted.
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(context.perft, start, depth)
        try:
            return counting.result()
        except Failure as failure:
            raise failure.to_exception() from None
        finally:
            context.stop()


def start_block(engine: Engine, state: State | CompiledStart) -> bytes:
    """The start as a block of an engine."""
    if isinstance(state, CompiledStart) and state.engine is engine:
        return state.block
    return engine.block(memory_of(_state_of(state)))


_GameBatch = tuple[list[Outcome], Exception | None]
"""Outcomes of consecutive games, and the exception that stopped the next game, if there is one."""


def _play_batch(context: ExecutionContext, start: bytes, first: int, count: int, limit: int) -> _GameBatch:
    outcomes: list[Outcome] = []
    try:
        outcomes.extend(context.outcomes(start, first, count, limit))
    except (Outgrown, TooLarge, Failure) as reason:
        return outcomes, reason
    return outcomes, None


class _RandomGames:
    """Random games from one start, and the engines that they need. Mutable.

    The number of a game alone determines its outcome, whichever thread plays it: an engine of some level
    plays it natively if any can, otherwise the reference engine. Level 0 is the given engine; each further
    level has eight times the memory for things, so it never needs less memory for the same game.
    """

    def __init__(self, engine: Engine, state: State | CompiledStart, seed: int, limit: int) -> None:
        self.state = state
        self.first = first_seed(seed)
        self.limit = limit
        self._engines: list[Engine | None] = [engine]

    def engine(self, level: int) -> Engine | None:
        """The engine of a level; None if there is none."""
        while len(self._engines) <= level:
            last = self._engines[-1]
            self._engines.append(None if last is None else enlarge(last, self.state))
        return self._engines[level]

    def play_on_other_level(self, number: int, level: int, reason: Exception) -> Outcome | None:
        """Play a game that the engine of a level could not finish on other levels; None if no level can."""
        if isinstance(reason, Failure):
            raise reason.to_exception() from None
        if isinstance(reason, TooLarge) and level == 0:
            return None
        other = 0
        while self.engine(other) is not None:
            ((outcomes, stopped),) = _play_natively(self, other, (number, number + 1), threads=1)
            if stopped is None:
                return outcomes[0]
            if isinstance(stopped, Failure):
                raise stopped.to_exception() from None
            if isinstance(stopped, TooLarge):
                return None
            other += 1
        return None

    def play_by_reference(self, number: int) -> Outcome:
        return random_playout(self._start.copy(), Generator(self.first + number), limit=self.limit)

    @cached_property
    def _start(self) -> State:
        return _state_of(self.state)


def _play_natively(
    games: _RandomGames, level: int, numbers: tuple[int, int], threads: int
) -> PythonGenerator[_GameBatch]:
    """Play a range of games on the engine of a level, in batches. A fault ends the iteration."""
    from concurrent.futures import ThreadPoolExecutor

    engine = games.engine(level)
    assert engine is not None
    number, playouts = numbers
    start = start_block(engine, games.state)
    contexts = [ExecutionContext(engine, run_with_stack) for _ in range(threads)]
    running: deque[Future[list[_GameBatch]]] = deque()
    free = deque(contexts)
    chunk = 1

    def play(context: ExecutionContext, number: int, count: int) -> list[_GameBatch]:
        nonlocal chunk
        start_time = time.monotonic()
        found: list[_GameBatch] = []
        end = number + count
        try:
            while number < end and not (found and isinstance(found[-1][1], Failure)):
                found.append(
                    _play_batch(
                        context, start, _to_signed_64(games.first + number), end - number, games.limit
                    )
                )
                number += len(found[-1][0]) + 1
            return found
        finally:
            free.append(context)
            if time.monotonic() - start_time < BATCH_SECONDS:
                chunk = 2 * count

    pool = ThreadPoolExecutor(threads)
    try:
        while number < playouts or running:
            while number < playouts and len(running) < threads:
                count = min(chunk, playouts - number)
                running.append(pool.submit(play, free.popleft(), number, count))
                number += count
            for batch in running.popleft().result():
                yield batch
                if isinstance(batch[1], Failure):
                    return
    finally:
        for context in contexts:
            context.stop()
        pool.shutdown(cancel_futures=True)


def sample_seed(seed: int, number: int) -> int:
    """The seed of a random game on the native engine; the games of a seed are counted from 0."""
    return _to_signed_64(first_seed(seed) + number)


def _to_signed_64(number: int) -> int:
    """A number as a signed 64-bit integer."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number
