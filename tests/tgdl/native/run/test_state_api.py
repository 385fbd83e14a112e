"""The public members of a state are the same on both engines, for unusual games."""

import pickle

import pytest

from ludograph.games import load
from ludograph.games.engines import compile_world
from ludograph.play import CHANCE, Choice, Generator, IllegalMove, Move
from ludograph.play.changes import apply_changes
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.sealed_choices import encode_memory
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.calls import MoveRunner
from ludograph.tgdl.native.run.execution import EnginesDisagree
from ludograph.tgdl.native.run.history import NativeHistory
from tests.work import calls_of

OBJECTS = """
global state t { object o; decimal n = 0; }
action pick
{
  trigger on player choice;
  input object o in { 1, true, player 1 };
  input decimal k from 1 to 2;
  effect { t.o = o; t.n = k; pass; }
}
"""
SEALED = """
players 2 has seat;
enum hand { rock, paper }
turn main { phase pick simultaneous asks players.all; }
local state seat { hand last; action show { trigger on player choice; input hand h; effect { last = h; } } }
"""
JUDGED = """
players 2 has seat;
global state table { player judge; }
local state seat
{
  decimal n = 0;
  action hide
  {
    trigger on player choice;
    input decimal peg from 1 to 6 visible to { player, table.judge };
    effect { n += 1; pass; }
  }
}
"""
BREEDING = """
interactable bug placeable { }
tile cell { }
board { group row square 1 by 1 { cell; } }
global state t { decimal die = 0; }
action roll { trigger on player choice; effect { t.die = random 100; pass; } }
action breed
{
  trigger on player choice;
  effect { for decimal i from 1 to 300 move new bug to row[0][0]; pass; }
}
"""
BREEDING_KINDS = """
tile cell { }
interactable bug placeable { bug self; bug[] all; }
interactable moth : bug { }
board { group row square 1 by 1 { cell; } }
action breed
{
  trigger on player choice;
  effect { for decimal i from 1 to 300 { bug b = new bug; b.self = b; b.all.add(b); move b to row[0][0]; } }
}
action change { trigger on player choice; effect { new moth; } }
"""
KEYS = """
players 2 has seat;
global state table { decimal n = 0; }
local state seat
{
  private decimal[] code = { 3, 5 };
  action guess
  {
    trigger on player choice;
    effect { for decimal d in code { input bool b player player + 1; if b table.n += 1; } pass; }
  }
  action keep
  {
    trigger on player choice;
    effect { for decimal d in code { input bool b; if b table.n += 1; } pass; }
  }
}
"""

ENGINES = ["reference", "native"]


def begin(text: str, engine: str, seed: int | None = None) -> State:
    program = compile_source(Source(text, "game.tgdl"))
    if engine == "reference":
        return Game(program).new(seed=seed)
    return Game(program, compiler=compile_world, uses_before_compiling=0).new(seed=seed)


@pytest.mark.parametrize("engine", ENGINES)
def test_values_that_python_takes_for_equal_stay_apart(engine: str) -> None:
    state = begin(OBJECTS, engine)
    moves = list(state.legal_moves)
    assert len(set(moves)) == len(moves) == 6
    for move in moves:
        ways = (Move(move.choices), pickle.loads(pickle.dumps(move)), move.text.replace(": ", ":"))
        for way in (*ways, None):
            trial = state.copy()
            if way is None:
                for choice in move.choices:
                    trial.choose(choice)
            else:
                trial.push(way)
            assert trial.record.moves[0].text == move.text
        again = trial.pop()
        assert again == move and again in trial.legal_moves
        trial.push(again)
        assert trial.record.moves[0].text == move.text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_in_the_middle_of_a_move_is_saved_with_its_choices(engine: str) -> None:
    begun = []
    for place in range(3):
        state = begin(OBJECTS, engine)
        state.choose(state.question().candidates[0])
        state.choose(state.question().candidates[place])
        again = state.game.from_bytes(state.to_bytes())
        assert again == state and again.to_bytes() == state.to_bytes()
        assert state.game.from_json(state.to_json()).to_bytes() == state.to_bytes()
        begun.append(state)
    assert not any(one == other for one in begun for other in begun if one is not other)


def test_choices_from_json_are_taken_whatever_numbers_are_written_like() -> None:
    for engine in ENGINES:
        state = begin(OBJECTS, engine)
        state.choose(state.question().candidates[0])
        state.choose(state.question().candidates[0])
        two = state.question().candidates[1]
        data = {**two.to_json(), "value": 2}
        assert Choice.from_json(data) != two and Choice.from_json(data).is_like(two)
        state.choose(Choice.from_json(data))
        assert state.record.moves[0].text == "pick(o: 1, k: 2)"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_record_for_a_player_does_not_begin_with_sealed_choices(engine: str) -> None:
    state = begin(SEALED, engine)
    state.push("show(h: paper)", 0)
    for again in (state.game.from_bytes(state.to_bytes()), state.game.from_json(state.to_json())):
        assert "paper" in str(again.record.position)
        assert [again.record_for(viewer).position for viewer in (None, 0, 1)] == [None] * 3


@pytest.mark.parametrize("engine", ENGINES)
def test_nobody_is_no_viewer(engine: str) -> None:
    state = begin(JUDGED, engine)
    state.choose(state.question().candidates[0])
    assert state.question().seen_by == frozenset({0})
    state.choose(state.question().candidates[3])
    assert state.record_for(None).moves[0].text == state.record_for(1).moves[0].text == "hide(peg: ?)"
    assert state.view(None)["moves"] == ["0: hide(peg: ?)"]


@pytest.mark.parametrize("engine", ENGINES)
def test_changes_since_a_count_of_choices_survive_moves_that_are_taken_back(engine: str) -> None:
    state = load("tic-tac-toe", engine=engine).new()
    state.push("grid[0][0].mark")
    then, count = state.view(1), state.choice_count()
    state.pop()
    assert apply_changes(then, state.changes(1, since=count)) == state.view(1)
    state.push("grid[1][1].mark")
    assert apply_changes(then, state.changes(1, since=count)) == state.view(1)
    for _ in range(40):
        state.pop()
        state.push("grid[2][2].mark")
    with pytest.raises(ValueError, match="too long ago"):
        state.changes(1, since=count)
    assert state.changes(1, since=state.choice_count()) == {}


@pytest.mark.parametrize("engine", ENGINES)
def test_chance_is_the_same_again_after_a_game_has_outgrown_native_code(engine: str) -> None:
    state = begin(BREEDING, engine, seed=3)
    state.push("roll")
    rolled = state.thing("t")
    state.push("breed")
    state.pop()
    state.pop()
    state.push("roll")
    assert state.thing("t") == rolled


def test_pieces_beyond_the_capacity_of_native_code_are_known_to_their_tile() -> None:
    states = [begin(BREEDING_KINDS, engine) for engine in ENGINES]
    for state in states:
        state.push("breed")
        state.push("change")
    assert states[0].digest() == states[1].digest()
    assert isinstance(states[1]._history, NativeHistory)


def test_a_state_is_encoded_in_linear_time() -> None:
    state = begin(BREEDING_KINDS, "reference")
    works = []
    for _ in range(4):
        state.push("breed")
        memory = memory_of(state)
        plan = plan_of(world_of(state), memory)
        works.append(calls_of(lambda memory=memory, plan=plan: encode_memory(plan, memory, {})))  # type: ignore[misc]
    first, second, _, fourth = works
    assert fourth - second < 2.1 * (second - first)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_chance_gave_before_the_first_move_cannot_be_taken_back(engine: str) -> None:
    state = load("liars-dice", engine=engine).new(2, seed=1)
    before = state.to_bytes()
    with pytest.raises(IllegalMove, match="nothing to undo"):
        state.pop()
    assert state.to_bytes() == before and state.asked != (CHANCE,)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_key_tells_only_who_may_see_it(engine: str) -> None:
    state = begin(KEYS, engine)
    state.choose(state.question().candidates[0])
    assert (state.asked, state.question().key, state.question().candidates[0].key) == ((1,), "?", "?")
    state = begin(KEYS, engine)
    state.choose(state.question().candidates[1])
    assert (state.asked, state.question().key) == ((0,), "3")


@pytest.mark.parametrize("engine", ENGINES)
def test_misuse_is_named(engine: str) -> None:
    state = load("tic-tac-toe", engine=engine).new()
    with pytest.raises(TypeError):
        state.view(1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        state.why_not(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        state.choose(None)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="has no attribute 'colour'"):
        state.thing("grid[0][0]", "colour")
    with pytest.raises(ValueError, match="another game"):
        state.traced_since(load("pig", engine=engine).new())
    assert Move(()) not in state.legal_moves
    assert state.candidate("nonsense") is None
    assert state.count() == 9
    for text in ("[0][0]", "[1][1]", "[0][1]", "[1][2]", "[0][2]"):
        state.push(f"grid{text}.mark")
    assert state.is_over and list(state.children()) == [] and state.count() == 0


def test_engines_that_disagree_say_so_wherever_a_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begin(SEALED, "native")
    state.choose(state.question().candidates[0])
    saved = begin(SEALED, "native").to_bytes()
    with monkeypatch.context() as broken:
        broken.setattr(NativeHistory, "next_words", lambda *_: Refused("TG0501"))
        with pytest.raises(EnginesDisagree):
            state.question()
    with monkeypatch.context() as broken:
        broken.setattr(MoveRunner, "resolve_stuck_players", lambda *_: Refused("TG0501"))
        with pytest.raises(EnginesDisagree):
            state.game.from_bytes(saved)
    with monkeypatch.context() as broken:
        broken.setattr(MoveRunner, "commit", lambda *_: Refused("TG0501"))
        with pytest.raises(EnginesDisagree):
            state.game.new(seed=1)
    dice = load("pig", engine="native").new()
    dice.push(dice.legal_moves[0])
    assert dice.asked == (CHANCE,)
    with monkeypatch.context() as broken:
        broken.setattr(NativeHistory, "after_chance", lambda *_: Refused("TG0501"))
        with pytest.raises(EnginesDisagree):
            dice.sample_chance(Generator(1))
