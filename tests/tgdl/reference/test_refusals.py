"""Refusals as Python objects, and traces; `tests/language/moves` tests the reasons themselves."""

import re

import pytest
from msgspec.structs import replace

from ludograph import Refusal, compile_source
from ludograph.play import Choice, IllegalMove, Kind, replay
from ludograph.play.record import RecordedMove
from tests.tgdl.rules import SEALED_BIDS, draft, game


@pytest.mark.parametrize(
    "text", ["", "nonsense", "grid[0][0].mark(x: 1)", "grid[9][9].mark", "((", "random(3)"]
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove):
        draft("tictactoe").new().push(text)


def test_push_raises_the_refusal_with_its_condition_values_and_place() -> None:
    rules = """
    global state t { decimal n = 3; }
    action go { trigger on player choice; require { t.n > 5 } effect { pass; } }
    action no { trigger on player choice; effect { pass; } }
    """
    state = game(rules).new()
    refusal = state.why_not("go")
    assert refusal is not None
    assert (refusal.condition, dict(refusal.seen)) == ("t.n > 5", {"t.n": "3"})
    assert refusal.diagnostic is not None and "t.n > 5" in refusal.diagnostic.picture()
    with pytest.raises(IllegalMove, match=re.escape(refusal.message)):
        state.push("go")


WORDS = """
enum good { brick, ore }
global state bank { decimal[good] stock = { 1, 0 }; }
verb has(good g) { bank.stock[g] > 0 }
action take
{
  trigger on player choice;
  input good g;
  require { has(g) } else "the bank has no {g} left";
  effect { bank.stock[g] -= 1; pass; }
}
action wait { trigger on player choice; effect { pass; } }
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_refusal_has_words_an_explanation_and_a_place_of_their_own(engine: str) -> None:
    state = compile_source(WORDS, name="bank.tgdl", engine=engine).new()
    with pytest.raises(IllegalMove) as caught:
        state.push("take(g: ore)")
    assert str(caught.value) == "the bank has no ore left"
    refusal = caught.value.refusal
    assert isinstance(refusal, Refusal)
    assert (refusal.words, str(refusal), refusal.condition) == (str(caught.value), refusal.words, "has(g)")
    assert refusal.explanation == "this is required: bank.stock[g] > 0, in has(g) (bank.stock[g] is 0)"
    assert refusal.diagnostic is not None and refusal.diagnostic.place() == "bank.tgdl:9:3"
    assert "this part fails" in refusal.diagnostic.picture()


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_single_choice_without_a_legal_continuation_is_refused_with_the_reason(engine: str) -> None:
    state = compile_source(WORDS, engine=engine).new()
    state.choose(Choice(0, Kind.ACTION, "take", (0, -1, 0), "take"))
    with pytest.raises(IllegalMove, match="the bank has no ore left"):
        state.choose(Choice(0, Kind.INPUT, "g", 1, "ore"))


def test_a_record_that_cannot_be_replayed_gives_the_words() -> None:
    game = compile_source(WORDS)
    state = game.new()
    state.push("wait")
    record = replace(state.record, moves=(RecordedMove(0, "take(g: ore)"),))
    assert replay(game, record).reason == "move 1 (take(g: ore)): the bank has no ore left"


def test_words_and_explanations_cost_no_fuel_and_change_nothing() -> None:
    state = compile_source(WORDS).new()
    before = state.to_bytes()
    for _ in range(3):
        assert str(state.why_not("take(g: ore)")) == "the bank has no ore left"
    assert state.to_bytes() == before


SECRETS = """
players 2 has seat;
interactable card stackable { decimal n; }
hidden stack deck of card { default { return { new card { n = 7; } }; } }
local state seat { private stack hand of card; private decimal secret = 0; decimal shown = 0; }
action take
{
  trigger on player choice;
  effect
  {
    seat[player].hand.push(deck.pop());
    seat[player].secret = 5;
    seat[player].shown = 6;
    pass;
  }
}
"""


def test_a_trace_for_readers_tells_only_what_all_of_them_may_see() -> None:
    state = game(SECRETS).new()
    everything = state.trace("take")
    assert "secret: 0 → 5" in everything and "pop card#1" in everything
    own = state.trace("take", (0,))
    assert "secret: 0 → 5" in own and "pop ? from deck" in own and "push card#1" in own
    for readers in ((1,), (0, 1)):
        others = state.trace("take", readers)
        assert "secret" not in others and "card#1" not in others and "shown: 0 → 6" in others


def test_a_trace_does_not_tell_what_a_simultaneous_phase_keeps() -> None:
    state = game(SEALED_BIDS).new()
    assert state.trace("bet(n: 2)", (1,)) == "?"
    assert "n: 2" in state.trace("bet(n: 2)", (0,))


def test_a_trace_tells_no_change_that_changes_nothing() -> None:
    rules = """
    global state t { decimal n = 1; decimal[3] row = 0; player who; }
    action go { trigger on player choice; effect { t.n = 1; t.row[1] = 0; t.who = none; t.row[2] = 4; } }
    """
    lines = game(rules).new().trace("go").splitlines()
    assert [line for line in lines if "→" in line] == ["    t.row: {0, 0, 0} → {0, 0, 4}"]
