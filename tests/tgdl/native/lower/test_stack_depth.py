"""The stack of a thread never overflows, at any call depth."""

import signal
import threading

import pytest

from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I32, PTR, If, Local, Module
from ludograph.tgdl.native.ir.verifier import verify
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.stack_depth import LEAST, add_stack_guards
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run import execution as engines
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, TooLarge

DEEP = """
global state t { decimal n = 0; }
verb down(decimal depth) { if depth <= 0 return 0; return over(depth) + 1; }
verb over(decimal depth) { decimal[] own = { depth, 2 * depth }; return down(depth - 1) + own.length - 2; }
action go { trigger on player choice; effect { t.n += down(%s); } }
"""
TIGHT = 2 * LEAST
"""Bytes of stack for code that calls little."""


def game_of(text: str) -> Game:
    return Game(compile_source(Source(text)))


def place_of(game: Game) -> tuple[ExecutionContext, bytes]:
    state = game.new(seed=0)
    engine = Engine(world_of(state), memory_of(state))
    return ExecutionContext(engine, run_with_stack), engine.block(memory_of(state))


def test_calls_that_need_more_stack_than_there_is_get_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "STACKS", (TIGHT, 1 << 26))
    place, start = place_of(game_of(DEEP % 2))
    place.play(start, Generator(1), 2)
    assert place.stack == 0
    game = game_of(DEEP % 490)
    place, start = place_of(game)
    expected = game.new(seed=0)
    random_playout(expected, Generator(1), limit=2)
    assert place.play(start, Generator(1), 2)[0].same_as(memory_of(expected))
    assert place.stack == 1


def test_calls_that_are_too_deep_are_a_fault_and_no_matter_of_the_stack() -> None:
    place, start = place_of(game_of(DEEP % 100_000))
    with pytest.raises(Failure, match="TG0507"):
        place.play(start, Generator(1), 1)


def test_what_no_stack_is_large_enough_for_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "STACKS", (TIGHT,))
    place, start = place_of(game_of(DEEP % 490))
    with pytest.raises(TooLarge, match="of stack"):
        place.play(start, Generator(1), 1)


def test_long_sequences_are_counted_on_a_larger_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "STACKS", (TIGHT, 1 << 26))
    place, start = place_of(
        game_of(
            "global state t { decimal n = 0; } action go { trigger on player choice; effect { t.n = 1; } }"
        )
    )
    assert place.perft(start, 5_000) == 1
    assert place.stack == 1


def test_only_functions_that_lead_to_themselves_look_at_the_stack() -> None:
    game = game_of(DEEP % 1)
    state = game.new(seed=0)
    unit = CompilationUnit(world_of(state), plan_of(world_of(state), memory_of(state)))
    for name, calls in {"a": ("b",), "b": ("c", "d"), "c": ("b",), "d": (), "e": ("e", "a")}.items():
        body = Emitter(unit, name)
        for other in calls:
            body.call(other, (Local("ctx", PTR), Local("block", PTR)), (I32,))
        body.give(const(0, I32))
        body.finish()
    made: Module = add_stack_guards(unit.module, unit.plan)
    verify(made)
    looking = {
        name
        for name, function in made.functions.items()
        if any(isinstance(each, If) for each in function.body)
    }
    assert looking == {"b", "c", "e"}


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="a thread cannot be interrupted here")
def test_work_is_over_when_an_interruption_comes_out() -> None:
    asked, over = threading.Event(), threading.Event()

    def work() -> int:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        asked.wait()
        over.set()
        return 7

    with pytest.raises(KeyboardInterrupt):
        run_with_stack(1 << 20, work, asked.set)
    assert over.is_set()


def test_work_that_was_given_up_never_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    late: list[threading.Thread] = []

    def work() -> int:
        begun.set()
        return 7

    def interrupted(thread: threading.Thread) -> None:
        late.append(thread)
        raise KeyboardInterrupt

    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_with_stack(1 << 20, work, lambda: None)
    start(late[0])
    late[0].join()
    assert not begun.is_set()


def test_work_with_more_stack_gives_what_it_found() -> None:
    stopped: list[bool] = []
    assert run_with_stack(1 << 26, lambda: 7, lambda: stopped.append(True)) == 7
    assert not stopped
