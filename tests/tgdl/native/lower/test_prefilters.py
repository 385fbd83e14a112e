"""Loops over all tiles skip the tiles without effect, without any other change."""

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
enum color {{ red, green, blue }}
global state t {{ decimal sum = 0; decimal moves = 0; color last = none; bool marked = true; }}
tile cell
{{
  color paint = none;
  bool open = true;
  decimal n = 1;
  verb near(color c) {{ adjacent.any(a: a.paint == c) }}
  action put
  {{
    trigger on player choice;
    require {{ open }}
    input color c;
    input cell other {{ {filter} }}
    effect
    {{
      this.player = player;
      paint = c;
      open = c == blue;
      t.last = c;
      {loop}
      t.moves += 1;
      if t.moves == 12 finish {{ t.sum, t.moves }};
      pass;
    }}
  }}
}}
board {{ group grid square 9 by 9 {{ cell; }} }}
"""
FILTERS = {
    "attribute": "other.player == none and other.near(c)",
    "variable": "other.paint == c or other == this",
    "both": "other.open and other.player != player and other.n > 0 and other.near(t.last)",
}
LOOPS = {
    "all of them": "for cell k in cell.all if k.player == player and k.near(c) { k.n += 1; t.sum += k.n; }",
    "left early": "for cell k in cell.all if k.player != none { t.sum += k.row; if k.paint == c break; }",
    "what is looked at changes": (
        "for cell k in cell.all if k.open { t.sum += 1; for cell m in k.adjacent m.open = not m.near(c); }"
    ),
    "a variable changes": (
        "color w = c; for cell k in cell.all if k.paint == w { t.sum += 1; if k.near(blue) w = blue; }"
    ),
    "its own variable changes": "for cell k in cell.all if k.paint == c { k = this; t.sum += k.n; }",
    "queries": (
        "t.sum += cell.all.count(k: k.paint == c and k.near(c)) + cell.all.where(k: not k.open).sum(k: k.n);"
        "if cell.all.any(k: k.player == player and k.n > 2) t.sum += cell.all.first(k: k.paint == c).row;"
    ),
}


@pytest.mark.parametrize(
    ("filter", "loops"),
    [
        ("attribute", ("all of them", "queries")),
        ("variable", ("left early", "what is looked at changes")),
        ("both", ("a variable changes", "its own variable changes")),
    ],
)
def test_games_are_the_same(filter: str, loops: tuple[str, ...]) -> None:
    game = game_of(PROGRAM.format(filter=FILTERS[filter], loop=" ".join(LOOPS[name] for name in loops)))
    state = game.new(seed=0)
    world = world_of(state)
    assert world.start is not None
    engine = Engine(world, memory_of(state), checked=True, level=0)
    for seed in range(4):
        expected = game.new()
        outcome = random_playout(expected, Generator(seed))
        reached, moves = ExecutionContext(engine).play(engine.block(world.start), Generator(seed))
        assert moves == outcome.moves
        assert reached.same_as(memory_of(expected))


@pytest.mark.parametrize(
    ("name", "is_sifted"),
    [
        ("all of them", True),
        ("left early", True),
        ("what is looked at changes", False),
        ("a variable changes", False),
    ],
)
def test_only_what_stays_is_looked_at_beforehand(name: str, *, is_sifted: bool) -> None:
    game = game_of(PROGRAM.format(filter="true", loop=LOOPS[name]))
    shown = show(native_module(game, game.world()))
    loop = shown[shown.index("function perform.0.put") :].split("\n\n")[0]
    assert ("sifted_" in loop) is is_sifted
