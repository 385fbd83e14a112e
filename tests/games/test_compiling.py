"""The compiler in other threads: its failures, its end, and games that go on while it runs."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludograph import compile_source, load
from ludograph.games import compiling
from ludograph.games.compiling import CompilerFailure, CompilerThread, compile_and_wait
from ludograph.games.engines import (
    BackgroundCompiler,
    NoNativeEngine,
    ReferenceEngineWarning,
    compile_if_possible,
    unavailable_reason,
)
from ludograph.games.playouts import simulate
from ludograph.play import Generator
from ludograph.tgdl.game.game import USES_BEFORE_COMPILING, Game, State
from ludograph.tgdl.native.lower import lowering
from ludograph.tgdl.native.lower.present import lowering as present
from ludograph.tgdl.native.run import engine as engines_module
from ludograph.tgdl.native.run import machine, store
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World

RULES = """
players 2;
global state s { decimal n = 0; }
action a { trigger on player choice; effect { s.n += 1; pass; } }
goal over { require { s.n >= 6 } effect { draw; } }
"""
UNVERIFIED = """
define internal i32 @f() {
entry:
  br label %next
next:
  %a = phi i32 [ 0, %entry ], [ 1, %entry ]
  ret i32 %a
}
"""


def fails(failure: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise failure

    return fail


STAGES: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "plan": (engines_module, "plan_of", fails(KeyError("plan"))),
    "lowering": (lowering, "lower_all", fails(AssertionError("a wrong\nassumption"))),
    "deep": (lowering, "lower_all", fails(RecursionError("too deep"))),
    "memory": (lowering, "lower_all", fails(MemoryError())),
    "pass": (lowering, "emit", fails(IndexError("a pass"))),
    "text": (lowering, "emit", lambda module: "nonsense"),
    "verification": (lowering, "emit", lambda module: UNVERIFIED),
    "LLVM": (store, "assemble", fails(machine.MachineError("LLVM cannot compile the text"))),
    "linking": (machine, "link", fails(machine.MachineError("LLVM cannot link the object"))),
}
TEXTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "texts": (present, "make_views", fails(AssertionError("no views"))),
}


@pytest.fixture
def new_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path / "cache"))


@pytest.fixture(params=[*STAGES.items()], ids=[*STAGES])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, new_cache: None) -> str:
    """Break one stage of the compiler, as for a user."""
    name, (module, attribute, replacement) = request.param
    monkeypatch.setattr(module, attribute, replacement)
    monkeypatch.delenv("LUDOGRAPH_STRICT")
    return str(name)


def play(state: State, moves: int = 40) -> str:
    generator = Generator(3)
    for _ in range(moves):
        listed = state.legal_moves
        if not listed:
            break
        state.push(listed[generator.below(len(listed))])
    return str(state.record)


def test_the_reference_engine_simulates_if_the_compiler_fails(broken: str) -> None:
    game = compile_source(RULES)
    with pytest.warns(ReferenceEngineWarning, match="a bug of Ludograph: please report it") as found:
        statistics = simulate(game, 3)
    assert statistics.results == {"draw": 3}
    (warning,) = found
    assert "\n" not in str(warning.message)


@pytest.mark.parametrize("waits", [True, False])
def test_no_failure_of_the_compiler_reaches_a_caller_of_push(broken: str, waits: bool) -> None:
    game = compile_source(RULES)
    if waits:
        game = Game(game.program, compiler=compile_if_possible)
    game._uses_before_compiling = 1
    with pytest.warns(ReferenceEngineWarning, match="a bug of Ludograph") as found:
        played = _play_while_compiling(game)
    assert played == play(compile_source(RULES, engine="reference").new(seed=1))
    assert len(found) == 1


def _play_while_compiling(game: Game) -> str:
    """The record of a game in which the compiler ends after the second move."""
    state = game.new(seed=1)
    state.push("a")
    state.push("a")
    for pending in game._pending.values():
        assert isinstance(pending, BackgroundCompiler)
        pending.wait()
    return play(state)


def test_only_who_asks_for_the_native_engine_gets_the_failure(broken: str) -> None:
    with pytest.raises(NoNativeEngine, match=r"the compiler failed .* a bug of Ludograph"):
        compile_source(RULES, engine="native").new(seed=1)


def test_a_failure_of_the_code_that_writes_texts_is_one_of_the_compiler(
    monkeypatch: pytest.MonkeyPatch, new_cache: None
) -> None:
    monkeypatch.setattr(present, "make_views", fails(AssertionError("no views")))
    monkeypatch.delenv("LUDOGRAPH_STRICT")
    game = compile_source(RULES)
    assert simulate(game, 2).results == {"draw": 2}  # it needs no texts
    with pytest.warns(ReferenceEngineWarning, match="AssertionError: no views"):
        assert compile_if_possible(game, game.world()) is None


def test_in_the_tests_of_this_project_a_failure_is_loud(
    monkeypatch: pytest.MonkeyPatch, new_cache: None
) -> None:
    monkeypatch.setattr(lowering, "lower_all", fails(AssertionError("a wrong assumption")))
    with pytest.raises(AssertionError, match="a wrong assumption"):
        simulate(compile_source(RULES), 1)


def test_a_command_says_it_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.tgdl"
    path.write_text(RULES)
    script = (
        "from ludograph.tgdl.native.lower import lowering\n"
        "def fail(*_): raise AssertionError('a wrong assumption')\n"
        "lowering.lower_all = fail\n"
        "from ludograph.cli import main\n"
        f"raise SystemExit(main(['simulate', {str(path)!r}, '-n', '2']))\n"
    )
    environment = {"LUDOGRAPH_CACHE": str(tmp_path / "cache"), "PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert ran.returncode == 0
    assert "reference engine" in ran.stdout
    (line,) = ran.stderr.splitlines()
    assert line == (
        "ludograph: using the reference engine: the compiler failed (AssertionError: a wrong assumption). "
        "This is a bug of Ludograph: please report it with the rules of the game"
    )


# Games that go on


class Pending:
    """An engine that is ready when the test says so. Mutable."""

    def __init__(self, engine: Callable[[], Engine | None]) -> None:
        self.is_over = False
        self._engine = engine

    def engine(self) -> Engine | None:
        assert self.is_over, "somebody waits"
        return self._engine()


class Switching:
    """A game whose compiler ends after so many uses. Mutable."""

    def __init__(self, name: str, uses: int) -> None:
        self.started: list[Pending] = []
        self.left = uses
        program = load(name, engine="reference").program
        self.game = Game(
            program, compiler=fails(AssertionError("waits")), uses_before_compiling=3, starter=self.start
        )

    def start(
        self, game: Game, world: World, smaller: Engine | None = None, sample: Memory | None = None
    ) -> Pending:
        assert smaller is None and sample is None
        self.started.append(Pending(lambda: compile_if_possible(game, world)))
        return self.started[-1]

    def use(self) -> None:
        self.left -= 1
        if self.left <= 0:
            for each in self.started:
                each.is_over = True


@pytest.mark.parametrize("uses", [1, 7, 30])
@pytest.mark.parametrize("name", ["tic-tac-toe", "kalah", "pig"])
def test_a_game_is_the_same_whenever_it_becomes_native(name: str, uses: int) -> None:
    switching, generator = Switching(name, uses), Generator(9)
    states = [switching.game.new(seed=4), load(name, engine="reference").new(seed=4)]
    for _ in range(60):
        switching.use()
        one, other = (list(map(str, state.legal_moves)) for state in states)
        assert one == other
        if not one:
            break
        move = one[generator.below(len(one))]
        for state in states:
            state.push(move)
        assert states[0].view(0) == states[1].view(0)
    assert len(switching.started) == 1
    assert str(states[0].record) == str(states[1].record)
    assert states[0].digest() == states[1].digest()
    assert uses > 7 or states[0]._history is not None


def test_a_played_game_becomes_native_without_waiting(new_cache: None) -> None:
    game = load("tic-tac-toe")
    state = game.new()
    for _ in range(USES_BEFORE_COMPILING + 1):
        assert state.legal_moves
    assert state._history is None  # it is still being compiled, or at least not asked for again
    (pending,) = game._pending.values()
    assert pending.engine() is not None
    assert len(state.legal_moves) == 9
    assert state._history is not None
    assert state._history.runner.engine.presentation is not None  # nobody waits for the texts either


MAKING = """
players 1;
interactable man { }
global state s { decimal n = 0; }
action make
{
  trigger on player choice;
  effect { for decimal i from 1 to 100 { man m = new man; s.n += 1; } }
}
"""


def test_a_game_that_outgrows_its_code_goes_on(new_cache: None) -> None:
    program = compile_source(MAKING).program
    asked: list[bool] = []

    def start(
        game: Game, world: World, smaller: Engine | None = None, sample: Memory | None = None
    ) -> Pending:
        asked.append(smaller is not None)
        if smaller is None or sample is None:
            pending = Pending(lambda: compile_if_possible(game, world))
        else:
            larger = smaller.enlarged(sample)
            pending = Pending(lambda: larger)
        pending.is_over = True
        return pending

    game = Game(program, compiler=compile_if_possible, uses_before_compiling=0, starter=start)
    state = game.new(seed=1)
    for _ in range(4):
        state.push("make")
    assert asked[:2] == [False, True]
    assert state.things("s", "n") == {"s": {"n": 400.0}}
    assert state._history is not None


# Threads


def test_the_result_of_a_thread_is_what_it_made() -> None:
    assert compile_and_wait(lambda poll: 7) == 7
    thread = CompilerThread(lambda poll: 8)
    assert thread.result() == 8
    assert thread.is_over


def test_an_abandoned_thread_ends_at_its_next_step() -> None:
    steps: list[int] = []

    def make(poll: Callable[[], None]) -> None:
        while True:
            steps.append(1)
            poll()

    thread = CompilerThread(make)
    thread.abandon()
    thread.wait()
    assert thread.is_over


def test_a_failure_keeps_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUDOGRAPH_STRICT")
    with pytest.raises(CompilerFailure) as found:
        compile_and_wait(fails(ZeroDivisionError("x" * 1000)))
    assert isinstance(found.value.__cause__, ZeroDivisionError)
    assert len(str(found.value)) < 400


@pytest.fixture
def permitted() -> Iterator[None]:
    yield
    machine._forbidden.clear()


def test_a_process_that_was_forked_while_compiling_uses_no_compiler(permitted: None) -> None:
    compiling._forget_all()
    assert unavailable_reason() is None
    held = CompilerThread(lambda poll: compiling._running)
    held.wait()
    compiling._running.add(held)
    compiling._forget_all()
    assert unavailable_reason() == "this process was forked from one that was compiling a game"
    assert compiling._running == set()


LONG_SCRIPT = """
import sys, threading, time
from ludograph import compile_source
from ludograph.games import compiling
from ludograph.games.engines import compile_in_background, simulate
rules = "players 2; global state s {{ decimal n = 0; }} action a {{ trigger on player choice; effect {{ "
rules += "".join(f"s.n = s.n * 0.5 + {{i}}; " for i in range(1500)) + "draw; }} }}"
game = compile_source(rules)
{work}
"""
BACKGROUND = """
pending = compile_in_background(game, game.world())
time.sleep({seconds})
print("end", flush=True)
"""
FOREGROUND = """
def tell():
    while not compiling._running:
        time.sleep(0.001)
    time.sleep({seconds})
    print("ready", flush=True)
threading.Thread(target=tell, daemon=True).start()
try:
    list(simulate(game.new(), 1))
    time.sleep(600)  # a fast machine has compiled the game when the signal comes
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("seconds", [0, 1.5])
def test_a_process_ends_quietly_while_it_compiles(seconds: float, tmp_path: Path) -> None:
    script = LONG_SCRIPT.format(work=BACKGROUND.format(seconds=seconds))
    environment = {"LUDOGRAPH_CACHE": str(tmp_path), "PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "end\n", "")


@pytest.mark.parametrize("seconds", [0, 1.5])
def test_an_interruption_is_heard_while_the_compiler_runs(seconds: float, tmp_path: Path) -> None:
    script = LONG_SCRIPT.format(work=FOREGROUND.format(seconds=seconds))
    environment = {"LUDOGRAPH_CACHE": str(tmp_path), "PATH": ""}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGINT)
            said, complaint = process.communicate(timeout=120)
        finally:
            process.kill()
    assert (said, complaint, process.returncode) == ("stopped\n", "", 0)
