"""The reference history: a generator draws the same in one run as choice by choice."""

from typing import Any

import pytest

from ludograph.play import CHANCE, Generator
from ludograph.tgdl.game import reference_history
from ludograph.tgdl.game.game import Fault, Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.reference.transactions import TransactionOutcome, execute, list_on
from ludograph.tgdl.world.memory import OVER, STAGE
from tests.tgdl.rules import game, values

DEAL = """
global state t { decimal[] drawn; decimal sum = 0; }
setup
{
  while t.drawn.length < 30 {
    decimal n = random 6 + t.drawn.length;
    t.drawn.append({ n });
    t.sum += n;
  }
}
action go { trigger on player choice; effect { t.sum += random 6; pass; } }
"""


TESTED = """
global state t { decimal sum = 0; decimal seen = 0; }
verb long_look() { decimal found = 0; for decimal i from 1 to 40 found += i; return found; }
action go {
  trigger on player choice;
  require { return long_look() > 0; }
  effect { for decimal i from 1 to 20 { t.sum += random 6; t.seen += long_look(); } pass; }
}
"""


def one_by_one(rules: Game, seed: int) -> State:
    """A game in which chance is answered from outside, as the generator would."""
    state = rules.new()
    answer(state, Generator(seed))
    return state


def answer(state: State, generator: Generator) -> None:
    while state.asked == (CHANCE,):
        candidates = state.candidates()
        state.choose(candidates[generator.pick([1] * len(candidates))])


def test_what_is_dealt_in_one_run_is_what_is_drawn_choice_by_choice() -> None:
    rules = game(DEAL)
    dealt, drawn = rules.new(seed=7), one_by_one(rules, 7)
    assert values(dealt, "t") == values(drawn, "t")
    assert dealt._reference_history.log == drawn._reference_history.log
    assert len(dealt._reference_history.log) == 30
    assert [len(choices) for _, choices in dealt._reference_history.runs] == list(range(31))
    for place in range(30):
        ours, theirs = (each._reference_history.snapshot_after(place) for each in (dealt, drawn))
        assert ours.is_same_as(theirs)
        assert ours.shown.same_as(theirs.shown)


def test_dealing_takes_one_run_however_much_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[TransactionOutcome] = []

    def counted(*given: Any, **named: Any) -> TransactionOutcome:
        runs.append(execute(*given, **named))
        return runs[-1]

    monkeypatch.setattr(reference_history, "execute", counted)
    game(DEAL).new(seed=7)
    assert len(runs) == 1


def test_what_was_dealt_is_taken_back_with_the_move_that_it_follows() -> None:
    state = game(DEAL).new(seed=7)
    before = state.to_bytes()
    state.push("go")
    state.pop()
    assert state.to_bytes() == before


def test_chance_in_a_setup_that_goes_on_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_history, "MAX_CHANCE", 29)
    with pytest.raises(Fault, match="in a row") as caught:
        game(DEAL).new(seed=7)
    assert caught.value.code == "TG0506"
    monkeypatch.setattr(reference_history, "MAX_CHANCE", 30)
    assert game(DEAL).new(seed=7).asked == (0,)


def test_a_generator_that_is_lent_answers_in_one_run_as_choice_by_choice() -> None:
    rules = game(TESTED)
    dealt, drawn, generator = rules.new(), rules.new(), Generator(3)
    dealt.push("go")
    drawn.push("go")
    dealt.sample_chance(generator)
    answer(drawn, Generator(3))
    assert dealt == drawn
    assert dealt._reference_history.log == drawn._reference_history.log
    assert (len(dealt._reference_history.log), dealt.asked, dealt._reference_history.generator) == (
        21,
        (1,),
        None,
    )
    before = rules.new().to_bytes()
    dealt.pop()
    assert dealt.to_bytes() == before
    assert dealt._reference_history.generator is None


def test_dealing_costs_what_choices_one_by_one_cost() -> None:
    """Whether the fuel is enough does not depend on who answers chance: not on one unit of it."""
    found = set()
    for fuel in range(880, 1000, 3):
        ends = []
        for sample in (State.sample_chance, answer):
            state = game(TESTED, fuel=fuel).new()
            try:
                state.push("go")
                sample(state, Generator(3))
                ends.append("fine")
            except Fault as fault:
                ends.append(fault.code)
        assert ends[0] == ends[1]
        found.add(ends[0])
    assert found == {"fine", "TG0506"}


def test_a_fault_in_what_is_dealt_changes_nothing() -> None:
    rules = game("""
    global state t { decimal n = 0; }
    action go { trigger on player choice; effect { t.n = random 2; t.n = 1 / (t.n - t.n); pass; } }
    """)
    state = rules.new()
    state.push("go")
    before = state.to_bytes()
    with pytest.raises(Fault):
        state.sample_chance(Generator(1))
    assert state.to_bytes() == before
    assert len(state._reference_history.log) == 1


def test_chance_that_goes_on_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_history, "MAX_CHANCE", 100)
    rules = """
    global state t { decimal n = 0; }
    turn main { phase a { effect { t.n = random 2; pass; } } default { pass player + 1; } }
    action go { trigger on player choice; effect { pass; } }
    """
    with pytest.raises(Fault) as caught:
        game(rules, fuel=5_000_000).new(seed=1)
    assert caught.value.code == "TG0506"


def test_a_game_that_stuck_players_ended_has_no_moves_to_list() -> None:
    state = game("action skip { trigger on player stuck; effect { draw; } }").new()
    memory = memory_of(state)
    assert memory.cells[STAGE] == OVER
    list_on(world_of(state), memory, ())
