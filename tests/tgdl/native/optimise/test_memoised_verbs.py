"""A verb with the same result for every offer is evaluated once, without any other effect."""

import re

import pytest

from ludograph.games.native_code import native_module
from ludograph.play import Generator, random_playout
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir.printer import show
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from tests.tgdl.rules import game as game_of

PROGRAM = """
players 2;
global state t {{ decimal[] kept = {{ 3, 1 }}; decimal moves = 0; }}
verb sums(player p)
{{
  decimal[] found = {{}};
  for decimal k in t.kept found.add(k + (p as decimal));
  return found;
}}
verb high() {{ t.kept.max() }}
verb twice(decimal[] l) {{ l.map(k: k * 2) }}
tile cell
{{
  decimal n = 0;
  action put
  {{
    trigger on player choice;
    require {{ n < high() + 1 }}
    input decimal x from 0 to 5 {{ {filter} }}
    effect
    {{
      n += x;
      t.kept.add((n + x) % 4);
      t.moves += 1;
      if t.moves == 8 finish {{ t.kept.sum(), sums(player).length }};
      pass;
    }}
  }}
}}
board {{ group grid square 2 by 3 {{ cell; }} }}
"""
FILTERS = {
    "read": "decimal[] s = sums(player); return twice(s).contains(x) or s[0] == x or n == x;",
    "changed": "decimal[] s = sums(player); s.add(n); s[0] = x; return s.sum() % 3 != 1;",
    "late": "if n == 1 return true; return sums(player).where(k: twice(sums(0)).any(m: m > k)).length > x;",
}


@pytest.mark.parametrize("name", FILTERS)
def test_games_are_the_same(name: str) -> None:
    game = game_of(PROGRAM.format(filter=FILTERS[name]))
    state = game.new(seed=0)
    world = world_of(state)
    assert world.start is not None
    engine = Engine(world, memory_of(state))
    for seed in range(20):
        expected = game.new()
        outcome = random_playout(expected, Generator(seed))
        reached, moves = ExecutionContext(engine).play(engine.block(world.start), Generator(seed))
        assert moves == outcome.moves
        assert reached.same_as(memory_of(expected))


def test_what_a_test_changes_is_not_shared() -> None:
    cells = {}
    for name, text in FILTERS.items():
        game = game_of(PROGRAM.format(filter=text))
        state = game.new(seed=0)
        shown = show(native_module(game, world_of(state)))
        listing = shown[shown.index("function leading.choice") :].split("\n\n")[0]
        cells[name] = len(set(re.findall(r"known_\d+", listing)))
    assert cells == {"read": 2, "changed": 1, "late": 2}  # one is for `high`
