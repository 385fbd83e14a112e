"""Which engine runs a game, and that nobody notices which."""

from collections.abc import Callable
from typing import Any

import pytest

from ludograph import load
from ludograph.games import engines
from ludograph.games.engines import compile_world, native_engine, perft, simulate
from ludograph.games.native_code import native_module
from ludograph.play import Generator, Outcome
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import USES_BEFORE_COMPILING, Fault, Game, State
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.run import engine as native
from ludograph.tgdl.native.run import execution
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Outgrown
from ludograph.tgdl.native.run.store import compile_cached
from tests.games.stores import MemoryStore
from tests.large_games import SOMETIMES_LARGE

RISKY = """
global state t { decimal n = 1; }
setup { t.n = 1 / (1 - random 2); }
action go { trigger on player choice; effect { t.n += 1; if t.n > 3 win player; pass; } }
"""
"""A game whose setup fails when chance gives 1, as it does first for a seed of 0."""
GROWING = """
interactable stone placeable { decimal weight = 1; }
tile cell { }
board { group grid square 2 by 2 { cell; } }
action drop
{
  trigger on player choice;
  input decimal n from 1 to 3;
  effect { move new stone { weight = n; } to grid[0][0]; pass; }
}
"""
"""A game that soon has more things than the native engine made room for."""


SOMETIMES_MANY = """
interactable stone { decimal[70] weights; }
global state t { stone[] stones = {}; decimal n = 0; }
action gather
{
  trigger on player choice;
  require { t.n == 0 }
  effect { t.stones = new stone[100]; win player; }
}
action wait { trigger on player choice; require { t.n == 0 } effect { t.n += 1; pass; } }
action hesitate sequence
{
  trigger on player choice;
  require { t.n > 0 }
  input decimal way from 1 to 6;
  effect for A { t.n += way; if way == 1 cancel A; }
  effect for B { if t.n > 3 win player; pass; }
}
"""
"""A game makes many things, or copies its state for `cancel`; with room for many things a copy is large."""
NOTES = """
global state t { string note = "calm"; string[] heard = {}; decimal heat = 0; }
action stir { trigger on player choice; effect { t.heat += 1; pass; } }
action watch { trigger on t.heat change; effect { if attribute != t.note t.heard.add(attribute); } }
"""
"""A game that has a text beside those that are written in it: the name of an attribute."""
MEMORIES = """
global state t { string note = "calm"; decimal heat = 0; position[] seen = {}; }
action stir { trigger on player choice; effect { t.heat += 1; t.seen.add(game.position); pass; } }
"""
"""A game in whose positions a text counts."""
WAYS_TO_PLAY = [(threads, seconds) for threads in (1, 2, 3) for seconds in (0.0, 1000.0)]
"""Numbers of threads, and how long each of them plays before it comes back with games."""


def test_a_setup_that_fails_by_chance_fails_only_in_the_games_where_it_does() -> None:
    game = Game(compile_source(Source(RISKY, "risky.tgdl")), compiler=compile_world, uses_before_compiling=0)
    fails = {seed: Generator(seed).below(2) == 1 for seed in range(4)}
    assert fails == {0: True, 1: True, 2: False, 3: True}
    for seed, does_fail in fails.items():
        if does_fail:
            with pytest.raises(Fault, match="zero"):
                game.new(seed=seed)
            continue
        state = game.new(seed=seed)
        assert [move.text for move in state.legal_moves] == ["go"]
        assert [outcome.moves for outcome in simulate(state, 2)] == [3, 3]


def test_states_of_a_loaded_game_go_over_to_the_native_engine() -> None:
    state = load("tic-tac-toe").new()
    texts = [move.text for move in state.legal_moves]
    assert not is_native(state)
    for _ in range(USES_BEFORE_COMPILING):
        assert state.legal_moves
    assert is_native(state)
    assert [move.text for move in state.legal_moves] == texts
    assert not is_native(load("tic-tac-toe", engine="reference").new())


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "pig"])
def test_games_are_played_natively_move_by_move(name: str) -> None:
    state = load(name, engine="native").new(seed=3)
    for number in range(5):
        moves = state.legal_moves
        state.push(moves[number % len(moves)])
        assert is_native(state)


def test_a_state_that_outgrows_the_native_engine_goes_on_with_more_room() -> None:
    program = compile_source(Source(GROWING, "growing.tgdl"))
    games = (Game(program), Game(program, compiler=compile_world, uses_before_compiling=0))
    reference, native = (game.new(seed=1) for game in games)
    made_natively = 0
    for number in range(120):
        text = f"drop(n: {number % 3 + 1})"
        for state in (reference, native):
            state.push(text)
        made_natively += is_native(native)
        assert tuple(native.legal_moves) == tuple(reference.legal_moves)
    assert made_natively > 110
    assert native == reference
    assert native.record == reference.record


def test_many_games_begin_from_states_with_more_things_than_the_start() -> None:
    game = Game(compile_source(Source(GROWING, "growing.tgdl")))
    state = game.new(seed=1)
    for number in range(70):
        state.push(f"drop(n: {number % 3 + 1})")
    engine = native_engine(game, state)
    assert perft(state, 2, engine=engine) == perft(state, 2, engine="reference")
    found = [list(simulate(state, 3, seed=4, limit=5, engine=each)) for each in (engine, "reference")]
    assert found[0] == found[1]


@pytest.mark.filterwarnings("ignore::ludograph.games.engines.ReferenceEngineWarning")
@pytest.mark.parametrize(("text", "plays_natively"), [(NOTES, True), (MEMORIES, False)])
def test_texts_that_the_rules_do_not_have_mean_the_same_in_new_and_in_kept_code(
    text: str, plays_natively: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compile_source(Source(text, "notes.tgdl"))
    store = MemoryStore()
    monkeypatch.setattr(engines, "open_object_store", lambda: store)
    played = []
    for compiler in (None, compile_world, compile_world):
        game = Game(program, compiler=compiler, uses_before_compiling=0)
        position: Any = game.new().to_json()
        position["instances"]["t"]["note"] = "foreign"
        state = game.new(position=position)
        for _ in range(2):
            state.push("stir")
        assert is_native(state) == (plays_natively and compiler is not None)
        played.append((state.to_json(), [*simulate(state, 2, seed=3, limit=3)], perft(state, 3)))
    assert len(store.kept) == 2  # the rules, and the code that writes texts
    assert played[0] == played[1] == played[2]


def start_of(text: str) -> State:
    return Game(compile_source(Source(text, "game.tgdl"))).new()


def test_only_games_that_are_too_large_are_left_to_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = start_of(SOMETIMES_LARGE)
    natively = list(simulate(state, 40, seed=5))
    by_reference = list(simulate(state, 40, seed=5, engine="reference"))
    monkeypatch.setattr(execution, "MAX_SIZE", execution.MIN_SIZE)
    ways: list[list[int]] = []
    for threads, seconds in WAYS_TO_PLAY:
        monkeypatch.setattr(engines, "BATCH_SECONDS", seconds)
        left: list[int] = []
        found = list(simulate(state, 40, seed=5, threads=threads, on_too_large=left.append))
        assert 5 < len(left) < 35
        assert left == sorted(set(left))
        assert found == [(by_reference if number in left else natively)[number] for number in range(40)]
        ways.append(left)
    assert ways == ways[:1] * len(ways)


@pytest.mark.parametrize(
    ("text", "needs_both"),
    [
        (SOMETIMES_MANY, False),
        (SOMETIMES_MANY.replace("stone[100]; win player;", "stone[100]; t.n += 1; pass;"), True),
    ],
    ids=["many things or a copy", "sometimes both"],
)
def test_a_game_stays_native_though_others_need_more_room(
    text: str, needs_both: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = start_of(text)
    expected = list(simulate(state, 40, seed=5))
    monkeypatch.setattr(execution, "MAX_SIZE", execution.MIN_SIZE)
    engine = native_engine(state.game, state)
    many = [number for number in range(40) if outgrows(engine, state, (5 << 32) + number)]
    assert 5 < len(many) < 35
    for threads, seconds in WAYS_TO_PLAY:
        monkeypatch.setattr(engines, "BATCH_SECONDS", seconds)
        left: list[int] = []
        assert list(simulate(state, 40, seed=5, threads=threads, on_too_large=left.append)) == expected
        assert left == (many if needs_both else [])


def outgrows(engine: Engine, state: State, seed: int) -> bool:
    try:
        list(ExecutionContext(engine).outcomes(engine.block(memory_of(state)), seed, 1))
    except Outgrown:
        return True
    return False


def test_games_before_a_fault_come_out_however_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    state = start_of(SOMETIMES_LARGE.replace("win cells[0].column", "win 1 / (cells[0].column - 4) * 0"))
    monkeypatch.setattr(execution, "MAX_SIZE", execution.MIN_SIZE)
    ways: list[tuple[list[int], list[Outcome]]] = []
    for threads, seconds in WAYS_TO_PLAY:
        monkeypatch.setattr(engines, "BATCH_SECONDS", seconds)
        left: list[int] = []
        found: list[Outcome] = []
        with pytest.raises(Fault, match="zero"):
            found.extend(simulate(state, 1000, seed=4, threads=threads, on_too_large=left.append))
        ways.append((left, found))
    assert ways == ways[:1] * len(ways)
    assert ways[0][0]
    assert len(ways[0][1]) > len(ways[0][0])


def is_native(state: State) -> bool:
    return state._history is not None


def test_what_is_shown_is_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def compile_seen(text: Callable[[], str], *arguments: Any, **others: Any) -> bytes:
        seen.append(text())
        return compile_cached(lambda: seen[0], *arguments, **others)

    monkeypatch.setattr(native, "compile_cached", compile_seen)
    game = load("pig")
    compile_world(game, game.world())
    assert seen == [emit(native_module(game, game.world()))]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_seeds_count_with_all_their_bits(engine: str) -> None:
    state = load("pig").new()
    seeds = (3, 1 << 32 | 3, 1 << 63 | 3)
    lengths = {
        tuple(outcome.moves for outcome in simulate(state, 5, seed=seed, engine=engine)) for seed in seeds
    }
    assert len(lengths) == len(seeds)
