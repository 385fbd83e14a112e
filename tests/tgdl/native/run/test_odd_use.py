"""Odd but legal use of states on the native engine: nothing may crash, hang, or differ from the reference.

Moves that were listed elsewhere, phrases without what they need, scripts of another world, too little memory.
"""

from typing import Any

import pytest

from ludograph.games import Script, load
from ludograph.games.engines import compile_world
from ludograph.play import IllegalMove, Move
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import reference_bridge
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import (
    compile_move,
    compiled_moves,
    expect_uses,
    memory_of,
    number_in,
    play_compiled,
    replay_script,
)
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.native.run import call_buffers, execution
from ludograph.tgdl.native.run.buffers import zeros
from ludograph.tgdl.native.run.execution import TooLarge
from ludograph.tgdl.native.run.history import NativeHistory

CHANGING = """
players 2;
global state t { decimal n = 0; decimal[][2] pool; decimal[2] taken = 0; bool flip = false; }
setup { decimal[2] x = 0; for decimal i from 1 to 3 { x[0] = i; t.pool.add(x); } }
turn main { phase go; default { pass player + 1; } }
action first { trigger on player choice; effect { t.n += 1; } }
action take { trigger on player choice; input decimal[2] row in t.pool; effect { t.taken = row; pass; } }
action cut
{
  trigger on player choice;
  require { t.pool.length > 1 }
  effect { t.pool.remove(t.pool[0]); pass; }
}
action other
{
  trigger on player choice;
  effect
  {
    t.flip = not t.flip;
    if t.flip { input decimal u from 1 to 3; t.n += 10 * u; }
    else { input decimal v from 1 to 3; t.n += 100 * v; }
    pass;
  }
}
action late { trigger on player choice; effect { t.n += random 6; input player q; t.n += 1000 * q; pass; } }
"""
GROWING = """
players 1;
global state t { decimal n = 0; decimal[] l; }
turn main { phase go; default { pass player + 1; } }
action small { trigger on player choice; effect { t.n += 1; t.l.add(t.n); pass; } }
action big { trigger on player choice; effect { for decimal i from 1 to 10000 { t.l.add(i); } pass; } }
"""


def _both(text: str) -> tuple[State, State]:
    """A game on the reference engine and on the native one."""
    program = compile_source(Source(text, "game.tgdl"))
    native = Game(program, compiler=compile_world, uses_before_compiling=0)
    return Game(program).new(), native.new()


def _played(state: State, move: Move) -> tuple[Any, ...]:
    """What comes of a move on a copy: where it leads, or why not."""
    trial = state.copy()
    try:
        trial.push(move)
    except IllegalMove as error:
        return ("refused", str(error))
    return trial.digest(), trial.record.moves[-1]


# Moves that were listed elsewhere


@pytest.mark.parametrize(
    "between", [("cut",), ("other(u: 2)",), ("cut", "cut"), ("first",), ("other(u: 1)", "cut")]
)
def test_a_move_that_was_listed_before_means_what_it_says(between: tuple[str, ...]) -> None:
    reference, native = _both(CHANGING)
    listed = [(one, other) for one, other in zip(reference.legal_moves, native.legal_moves, strict=True)]
    for text in between:
        reference.push(text)
        native.push(text)
    for one, other in listed:
        assert _played(native, other) == _played(reference, one)


def test_a_move_within_a_move_is_none_between_moves() -> None:
    answers = []
    for state in _both(CHANGING):
        before = state.copy()
        state.push("late")
        state.choose(state.candidates()[3])
        moves = state.legal_moves
        assert [move.text for move in moves] == ["(q: 0)", "(q: 1)"]
        answers.append([_played(before, move) for move in moves])
    assert answers[0] == answers[1]
    assert {answer[0] for answer in answers[0]} == {"refused"}


# Phrases and scripts


def _settlers() -> State:
    state = load("hexil", engine="native").new(2, options={"beginners": True})
    expect_uses(state, 1000)
    while state.phase() != "roll":
        state.push(state.legal_moves[0])
    assert compiled_moves(state) is not None
    return state


def test_a_phrase_that_draws_is_not_said_without_a_generator() -> None:
    state = _settlers()
    before = state.digest()
    compiled = compile_move(state, "roll", (None, None))
    assert compiled is not None and compiled.draws
    for _ in range(2):
        assert (
            play_compiled(state, compiled) is None and play_compiled(state, compiled, state.active()) is None
        )
        assert state.digest() == before
        node = play_compiled(state.copy(), compiled, None, (1, 2, 3, 4))  # leaves a generator behind
        assert node is not None and len(node.move_words) > node.own_count


@pytest.mark.parametrize("player", [-2, -1, 2, 512, 1 << 20])
def test_a_compiled_move_needs_an_existing_player(player: int) -> None:
    state = _settlers()
    compiled = compile_move(state, "roll", ("0", "1"))
    assert compiled is not None
    assert play_compiled(state, compiled, player) is None
    assert play_compiled(state, compiled, state.active()) is not None


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_is_no_number_of_a_thing_that_there_is_not(seat: int) -> None:
    state = _settlers()
    assert number_in(state, "seat", 1, "hand", 0) is not None
    assert number_in(state, "seat", seat, "hand", 0) is None


def test_a_script_is_played_only_in_the_world_that_compiled_it() -> None:
    state, other = _settlers(), load("pig", engine="native").new()
    assert other.legal_moves
    compiled = compile_move(state, "roll", ("0", "1"))
    assert compiled is not None
    script = Script(compiled.compiler, compiled.script(None))
    assert replay_script(state, script) == (1, None)
    assert replay_script(other, script) is None


# Too little memory


@pytest.mark.parametrize("after", range(0, 16, 3))
def test_what_there_is_no_memory_for_is_played_by_the_reference(
    monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    reference, native = _both(GROWING)
    for state in (reference, native):
        for _ in range(3):
            state.push("small")
    left = [after]

    def scarce(length: int) -> Any:
        if left[0] == 0:
            raise MemoryError(f"there are no {length} bytes")
        left[0] -= 1
        return zeros(length)

    with monkeypatch.context() as short:
        short.setattr(execution, "zeros", scarce)
        trial = native.copy()
        trial.push("big")
        assert memory_of(trial).cells and len(trial.thing("t")["l"]) == 10_003  # type: ignore[arg-type]
    assert left == [0]
    for _ in range(3):
        for state in (reference, native):
            state.push("small")
        assert native.digest() == reference.digest()
    native.push("big")
    reference.push("big")
    assert native.digest() == reference.digest()


def test_a_state_beyond_all_bounds_is_played_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "MAX_SIZE", 1 << 20)
    reference, native = _both(GROWING)
    for state in (reference, native):
        for _ in range(3):
            state.push("big")
        state.push("small")
    assert native.digest() == reference.digest()
    assert [move.text for move in native.legal_moves] == [move.text for move in reference.legal_moves]


def test_where_no_thread_can_be_had_the_reference_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, native = _both(GROWING)
    native.push("small")
    line = native._native_history()
    assert line is not None

    def refuse(*_: object) -> int:
        raise TooLarge("no thread can be started")

    monkeypatch.setattr(line.runner.engine, "run_with_stack", refuse)
    reference.push("small")
    for state in (reference, native):
        state.push("big")
        state.push("big")
    assert native.digest() == reference.digest()
    assert len(native.legal_moves) == len(reference.legal_moves)


# Copies


def test_no_question_about_a_native_state_plays_its_moves_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, state = _both(CHANGING)
    for number in range(100):
        moves = state.legal_moves
        move = moves[number % len(moves)].text
        for each in (reference, state):
            each.push(move)

    def follow(course: ReferenceHistory, node: NativeHistory) -> None:
        raise AssertionError("the reference engine plays the moves again")

    monkeypatch.setattr(reference_bridge, "replay_node", follow)
    for twin in (state, state.copy(), state.game.from_bytes(state.to_bytes())):
        twin.pop() if twin is state else None
        reference.pop() if twin is state else None
        assert twin.question() == reference.question() or twin is not state
        assert [move.text for move in twin.legal_moves]
        assert twin.view(0)["things"] and twin.view_json(None) and twin.to_json() and twin.to_bytes()
        twin.choose(twin.question().candidates[0])
    reference.choose(reference.question().candidates[0])
    assert state.view(1) == reference.view(1)
    assert state.record.moves[:50] == reference.record.moves[:50]


def test_what_interrupts_a_course_that_follows_leaves_everything_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, state = _both(GROWING)
    first = state.copy()
    for _ in range(40):
        state.push("small")
    twin, left = state.copy(), [20]
    catch_up = reference_bridge.replay_node

    def follow(course: ReferenceHistory, node: NativeHistory) -> None:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        catch_up(course, node)

    with monkeypatch.context() as interrupted:
        interrupted.setattr(reference_bridge, "replay_node", follow)
        with pytest.raises(KeyboardInterrupt):
            state.traced_since(first)
    for each in (state, twin):
        assert (
            len(each.traced_since(first)) == 40
            and len(each.record.moves) == 40
            and each.thing("t")["n"] == 40
        )
        each.pop()
        assert len(each.record.moves) == 39 and each.thing("t")["n"] == 39


def test_call_buffers_are_discarded_after_an_interrupted_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, native = _both(GROWING)
    for state in (reference, native):
        state.push("small")
    prepare = call_buffers.CallBuffers.prepare

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(call_buffers.CallBuffers, "prepare", interrupt)
        with pytest.raises(KeyboardInterrupt):
            native.copy().push("big")
    assert call_buffers.CallBuffers.prepare is prepare
    for text in ("small", "big", "small"):
        for state in (reference, native):
            state.push(text)
        assert native.digest() == reference.digest()


def test_moves_that_are_kept_can_be_played_again_natively_on_the_same_way() -> None:
    state = load("chess", engine="native").new()
    expect_uses(state, 1000)
    kept, trial = [], state.copy()
    for number in range(8):
        moves = trial.legal_moves
        kept.append(moves[number % len(moves)])
        trial.push(kept[-1])
    other = state.copy()
    for number in range(8):
        moves = other.legal_moves
        other.push(moves[-1 - number % len(moves)])
    again = state.copy()
    for move in kept:
        again.push(move)
        assert again._history is not None, "the native engine has played it"
    assert again.digest() == trial.digest()


def test_a_move_from_elsewhere_is_played_natively_where_its_text_is_a_phrase() -> None:
    state = load("tic-tac-toe", engine="native").new()
    first, *others = state.legal_moves
    state.push(first)
    answer = state.legal_moves[0]
    state.push(answer)
    state.push(others[3])
    assert state._history is not None, "the native engine has played it"
    with pytest.raises(IllegalMove):
        state.push(others[4])  # it was player 0's
    assert [move.text for move in state.record.moves] == [first.text, answer.text, others[3].text]
