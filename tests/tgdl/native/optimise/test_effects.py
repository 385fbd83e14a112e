"""Effect analysis: whether an action asks for further choices is never predicted wrongly."""

from collections import Counter

import pytest

from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from tests.tgdl.rules import game as game_of

PROGRAM = """
players 2 has seat;
local state seat {{ }}
local state crown {{ }}
group state team {{ }}
goal over {{ require {{ t.c >= 0 }} effect {{ finish {{ t.c, 0 }}; }} }}
global state t {{ decimal c = -1; decimal calls = 0; }}
interactable card stackable {{ }}
interactable man placeable {{ }}
stack pile of card;
stack source of card {{ default {{ push(new card); push(new card); }} }}
tile cell {{ }}
board {{ group grid square 1 by 3 {{ cell; }} }}
setup {{ crown.assign_to(1); move new man to grid[0][0]; }}
action a
{{
  trigger on player choice;
  input decimal n from 0 to 3;
  effect {{ t.c = n; {before} if n > 1 and {guard} {{ input decimal m from 1 to 3; t.c = 10 * n + m; }} }}
}}
{more}
"""
CHANGES = [
    ("source.pop();", "source.length == 1"),
    ("source.discard_to(pile);", "pile.length == 1"),
    ("pile.push(new card);", "pile.length == 1"),
    ("source.draw(player);", "source.length < 2"),
    ("move new man to grid[0][1];", "man.all.length == 2"),
    ("move man.all[0] to grid[0][2];", "grid[0][2].placeables.length == 1"),
    ("grid.remove(grid[0][2]);", "grid.tiles.length == 2"),
    ("grid.remove(grid[0][2]);", "grid[0][2] == none"),
    ("grid.remove(grid[0][2]);", "grid[0][1].next(east) == none"),
    ("unlink grid[0][0] -> grid[0][1];", "grid[0][0].adjacent.length == 0"),
    ("out player + 1;", "players.in.length == 1"),
    ("crown.all[0].transfer_to(player);", "crown[player] != none"),
    ("crown.all[0].transfer_to(player);", "crown.all[0].player == player"),
    ("team.attach(player);", "team.players.length == 1"),
    ("t.calls += 1;", "t.calls == 1"),
    ("n += 2; n -= 2;", "n == 2"),
]
HEARD = "action hear { trigger on t.c change fast; effect { t.calls = 5; move man.all[0] to grid[0][1]; } }"
CALLED = "action hear { trigger on a call before; effect { t.calls = 5; } }"
CASES = [
    *((before, guard, "") for before, guard in CHANGES),
    ("", "t.calls == 5", HEARD),
    ("", "grid[0][1].placeables.length == 1", HEARD),
    ("", "t.calls == 5", CALLED),
]


@pytest.mark.parametrize(("before", "guard", "more"), CASES, ids=[f"{one} {two}" for one, two, _ in CASES])
def test_each_complete_move_is_as_likely_as_any_other(before: str, guard: str, more: str) -> None:
    game = game_of(PROGRAM.format(before=before, guard=guard, more=more))
    state = game.new(seed=0)
    wanted = []
    for move in state.legal_moves:
        after = state.copy()
        after.push(move)
        assert after.result is not None
        wanted.append(after.result.payoffs[0])
    assert len(wanted) in (6, 8)  # 2 is asked for more, and 3 as a rule
    engine = Engine(world_of(state), memory_of(state))
    assert not engine.shape.draws_choices
    drawn = Counter(
        record[3]
        for record in ExecutionContext(engine).games(engine.block(memory_of(state)), 1, 200 * len(wanted))
    )
    assert set(drawn) == set(wanted)
    assert sum((count - 200) ** 2 / 200 for count in drawn.values()) < 30  # of 7 expected


def test_effects_of_one_action_know_what_those_before_them_did() -> None:
    text = PROGRAM.format(before="t.calls = 1;", guard="n > 9", more="")
    last = "}}\n}}".replace("}}", "}")
    extra = "effect { if t.calls == 1 and n > 1 { input decimal k from 1 to 3; t.c = 10 * n + k; } }"
    at = text.index(last, text.index("action a")) + 2
    game = game_of(text[:at] + extra + "\n" + text[at:])
    state = game.new(seed=0)
    assert len(state.legal_moves) == 8
    engine = Engine(world_of(state), memory_of(state))
    drawn = Counter(
        record[3] for record in ExecutionContext(engine).games(engine.block(memory_of(state)), 1, 1600)
    )
    assert sum((count - 200) ** 2 / 200 for count in drawn.values()) < 30
