"""The course of a game: what a generator deals in one run is what it would have answered choice by choice."""

from typing import Any

import pytest

from ludograph.play import CHANCE, Generator
from ludograph.tgdl import game_course
from ludograph.tgdl.game import Fault, Game, State
from ludograph.tgdl.interpreter.transactions import Ran, execute
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


def one_by_one(rules: Game, seed: int) -> State:
    """A game in which chance is answered from outside, as the generator would."""
    state, generator = rules.new(), Generator(seed)
    while state.choosers == (CHANCE,):
        candidates = state.candidates()
        state.choose(candidates[generator.pick([1] * len(candidates))])
    return state


def test_what_is_dealt_in_one_run_is_what_is_drawn_choice_by_choice() -> None:
    rules = game(DEAL)
    dealt, drawn = rules.new(seed=7), one_by_one(rules, 7)
    assert values(dealt, "t") == values(drawn, "t")
    assert dealt._course.log == drawn._course.log
    assert len(dealt._course.log) == 30
    assert [len(choices) for _, choices in dealt._course.runs] == list(range(31))
    for place in range(30):
        ours, theirs = (each._course.standing_after(place) for each in (dealt, drawn))
        assert ours.is_same_as(theirs)
        assert ours.shown.same_as(theirs.shown)


def test_dealing_takes_one_run_however_much_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[Ran] = []

    def counted(*given: Any, **named: Any) -> Ran:
        runs.append(execute(*given, **named))
        return runs[-1]

    monkeypatch.setattr(game_course, "execute", counted)
    game(DEAL).new(seed=7)
    assert len(runs) == 1


def test_what_was_dealt_is_taken_back_with_the_move_that_it_follows() -> None:
    state = game(DEAL).new(seed=7)
    before = state.to_bytes()
    state.play("go")
    state.undo()
    assert state.to_bytes() == before


def test_chance_in_a_setup_that_goes_on_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_course, "MOST_CHANCE", 29)
    with pytest.raises(Fault, match="in a row") as caught:
        game(DEAL).new(seed=7)
    assert caught.value.code == "TG0506"
    monkeypatch.setattr(game_course, "MOST_CHANCE", 30)
    assert game(DEAL).new(seed=7).choosers == (0,)
