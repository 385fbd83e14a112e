"""Names of things where the corpus cannot say it: random games, records for players, changes and choices."""

from ludograph.games import engines
from ludograph.play import Choice, format_record, parse_record, replay
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game

DRAW = """
enum kind { guard, priest }
interactable card stackable interchangeable named kind { kind kind; }
stack deck of card
{
  default { return { new card { kind = guard; }, new card { kind = guard; }, new card { kind = guard; },
    new card { kind = priest; } }; }
}
action take
{
  trigger on player choice;
  input card c in deck;
  effect { if c.kind == priest win 0; else win 1; }
}
"""

HANDS = """
players 2 has seat;
enum kind { guard, priest }
interactable card stackable named kind { kind kind; }
stack waste of card;
local state seat
{
  private stack hand of card
  {
    default { return { new card { kind = guard; }, new card { kind = priest; } }; }
  }
  hidden stack kept of card;
  action play { trigger on player choice; input card c in hand; effect { move c to waste; pass; } }
  action keep { trigger on player choice; input card c in hand; effect { move c to kept; pass; } }
}
"""


def game(text: str) -> Game:
    return Game(compile_source(Source(text, "game.tgdl")))


def test_random_games_choose_each_offered_candidate_with_the_same_probability() -> None:
    outcomes = list(engines.simulate(game(DRAW).new(), 2000, seed=1))
    wins = sum(outcome.result is not None and outcome.result.text == "win 0" for outcome in outcomes)
    assert 900 < wins < 1100


def test_a_record_for_a_player_names_only_what_the_player_may_see() -> None:
    state = game(HANDS).new()
    state.push("keep(c: guard)")
    state.push("play(c: priest)")
    texts = [[move.text for move in state.record_for(viewer).moves] for viewer in (0, 1, None)]
    assert texts == [
        ["keep(c: guard)", "play(c: priest)"],
        ["keep(c: card#1)", "play(c: priest)"],
        ["keep(c: card#1)", "play(c: priest)"],
    ]
    assert [move.text for move in state.record.moves] == ["keep(c: guard)", "play(c: priest)"]


def test_changes_of_a_view_name_only_what_the_player_may_see() -> None:
    state = game(HANDS).new()
    before = state.copy()
    state.push("keep(c: guard)")
    assert "guard" not in str(state.changes(1, since=before))
    assert "guard" in str(state.changes(0, since=before))


def test_records_with_names_replay_exactly() -> None:
    rules = game(HANDS)
    state = rules.new()
    for text in ("play(c: guard)", "keep(c: card#4)", "play(c: priest)"):
        state.push(text)
    replayed = replay(rules, parse_record(format_record(state.record)))
    assert replayed.state == state
    assert replayed.broken_at is None


def test_a_choice_of_another_thing_that_is_alike_means_the_offered_one() -> None:
    state = game(DRAW).new()
    (take,) = state.candidates()
    state.choose(take)
    first = state.candidates()[0]
    assert first.text == "guard"
    assert state.candidate("card#3") == first
    assert isinstance(first, Choice)
