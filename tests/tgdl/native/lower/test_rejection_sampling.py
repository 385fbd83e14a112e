"""Rejection sampling: which moves it can sample, and that each move has the same probability."""

from collections import Counter

import pytest

from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.driver import random_games as playing
from ludograph.tgdl.native.lower.driver.rejection_sampling import candidate_ranges
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.optimise.length_bounds import most_elements
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from tests.tgdl.rules import game as game_of

VERB = """
const decimal[][] rows = {{ {{ 1 }}, {{ 1, 2, 3 }} }};
global state t {{ decimal n = 0; decimal[] kept = {{ 1, 2 }}; }}
verb pair(decimal a) {{ return {{ a, a + 1 }}; }}
verb forever(decimal a) {{ if a == 0 return {{ a }}; return forever(a - 1); }}
verb found() {{ {body} }}
action go {{ trigger on player choice; input decimal n in found(); effect {{ t.n = n; pass; }} }}
"""
BOUNDS: list[tuple[str, int | None]] = [
    ("return { 1, 2, 3 };", 3),
    ("return { 1, 2, 3 }.where(x: x > t.n).map(x: x + 1);", 3),
    ("if t.n > 0 return { 1 }; return { 1, 2 };", 2),
    ("decimal[] l = {}; l.add(1); if t.n > 0 l.add(2); else l.add(3); return l;", 3),
    ("decimal[] l = {}; for decimal x in { 1, 2 } { if t.n > x l.add(x); } return l;", 2),
    ("decimal[] l = {}; for decimal x in { 1, 2 } for decimal y from 1 to 3 l.add(x * y); return l;", 6),
    ("decimal[] l = { 9 }; for decimal y from 1 to 3 l.append(pair(y)); return l;", 7),
    ("decimal[] l = { 1, 2 }; l.remove(1); return l.copy();", 2),
    ("return rows[t.n];", 3),
    ("return pair(4).where(x: x > 4);", 2),
    ("return t.kept;", None),
    ("return forever(2);", None),
    ("decimal[] l = { 1 }; for decimal y from 1 to 3 l.append(l); return l;", None),
    ("decimal[] l = { 1 }; l[t.n] = 4; return l;", None),
    ("decimal[] l = { 1 }; l = t.kept; return l;", None),
    ("decimal[] l = {}; while l.length < t.n l.add(1); return l;", None),
    ("decimal[] l = {}; for decimal y from 1 to t.n l.add(1); return l;", None),
    ("decimal[] l = {}; for decimal y in t.kept l.add(1); return l;", None),
    ("decimal[] l = {}; for decimal y in { 1, 2 } { decimal[] m = l; m.add(1); l = m; } return l;", None),
]


@pytest.mark.parametrize(("body", "most"), BOUNDS, ids=[body for body, _ in BOUNDS])
def test_how_long_a_list_is_at_the_most(body: str, most: int | None) -> None:
    state = game_of(VERB.format(body=body)).new(seed=0)
    (source,) = (known.source for known in world_of(state).program.actions[0].inputs)
    assert source is not None
    assert most_elements(world_of(state), source) == most


HAND = """
game "One move";
players 2;
global state table { bool closed = false; }
interactable card placeable
{
  decimal worth = 0;
  verb ways()
  {
    decimal[] found = {};
    for decimal k in { 1, 2, 3, 4 } if k <= worth found.add(k);
    return found;
  }
  action spend
  {
    trigger on player choice;
    require { not table.closed }
    require for never { worth > 9 }
    input decimal k in ways() { worth != 2 or k != 1 }
    effect
    {
      if worth == 4 and k > 2 fail "too dear";
      finish { 10 * worth + k, 0 };
    }
  }
  action keep
  {
    trigger on player choice;
    require { worth > 2 }
    effect { finish { 100 + worth, 0 }; }
  }
}
action wait { trigger on player choice; effect { finish { 200, 0 }; } }
tile cell holds card { }
board { group grid square 2 by 8 { cell; } }
setup
{
  for decimal k from 0 to 5 move new card { worth = k; player = 0; } to grid[0][k];
  for decimal k from 0 to 5 move new card { worth = k; player = 1; } to grid[1][k];
  new card { worth = 4; player = 0; };
}
"""


def drawn(game: Game, games: int) -> Counter[float]:
    """How often each way to end a game was drawn."""
    state = game.new(seed=0)
    engine = Engine(world_of(state), memory_of(state))
    return Counter(
        record[3] for record in ExecutionContext(engine).games(engine.block(memory_of(state)), 1, games)
    )


def test_each_complete_move_is_as_likely_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(HAND)
    state = game.new(seed=0)
    assert candidate_ranges(CompilationUnit(world_of(state), plan_of(world_of(state), memory_of(state))))
    wanted: Counter[float] = Counter()
    for move in state.legal_moves:
        after = state.copy()
        after.push(move)
        assert after.result is not None
        wanted[after.result.payoffs[0]] += 1
    assert max(wanted.values()) == 1
    for tickets in (playing.MAX_REJECTED, 2):  # with few of them all are listed now and then
        monkeypatch.setattr(playing, "MAX_REJECTED", tickets)
        found = drawn(game, 400 * len(wanted))
        assert set(found) == set(wanted)
        squares = sum((count - 400) ** 2 / 400 for count in found.values())
        assert squares < 3 * len(wanted)  # about six deviations above what is expected


def test_where_nothing_can_be_guessed_all_is_listed() -> None:
    closed = HAND.replace("bool closed = false", "bool closed = true").replace("worth > 2", "worth > 4")
    assert set(drawn(game_of(closed), 60)) == {105, 200}


def test_a_fault_in_what_is_guessed_is_found_by_listing() -> None:
    game = game_of(HAND.replace("if k <= worth", "if k / (worth - 5) <= worth"))
    with pytest.raises(Failure) as caught:
        drawn(game, 3000)
    assert caught.value.code == "TG0502"
