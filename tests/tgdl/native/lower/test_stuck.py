"""Long rows of stuck players are resolved as often as on the reference engine."""

import pytest

from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from ludograph.tgdl.world.faults import Fault

PHASES = 90
STEPS = " ".join(f"if phase == p{number} pass to p{number + 1};" for number in range(PHASES - 1))
IN_MANY_PHASES = f"""
players 2;
turn main
{{
  {" ".join(f"phase p{number};" for number in range(PHASES))}
  default {{ {STEPS} if phase == p{PHASES - 1} pass player + 1 to p0; }}
}}
global state t {{ decimal n = 0; }}
action go
{{
  trigger on player choice;
  require {{ player == 1 }}
  effect {{ t.n += 1; if t.n > 2 win player; pass; }}
}}
"""
WITH_CHANCE = """
players 2;
turn main
{
  phase p { effect { if t.n < 150 t.n += 1 + random 2; } }
  default { if t.n < 150 pass to p; else pass player + 1 to p; }
}
global state t { decimal n = 0; }
action go
{
  trigger on player choice;
  require { player == 1 }
  effect { t.n = 1; if random 3 == 0 win player; pass; }
}
"""
HELPED = """
players 2;
global state t { decimal n = 0; }
action go
{
  trigger on player choice;
  require { t.n == 0 or t.n == LAST }
  effect { t.n += 1; if t.n > 5 win player; pass; }
}
action help { trigger on player stuck; effect { t.n += 1; } }
"""


def place_of(game: Game) -> tuple[ExecutionContext, bytes]:
    world = world_of(game.new())
    assert world.start is not None
    engine = Engine(world, memory_of(game.new(seed=1)), checked=True, level=0)
    return ExecutionContext(engine, run_with_stack), engine.block(world.start)


@pytest.mark.parametrize("text", [IN_MANY_PHASES, WITH_CHANCE, HELPED.replace("LAST", "1001")])
def test_a_player_may_be_stuck_many_times_in_a_row(text: str) -> None:
    game = Game(compile_source(Source(text, "game.tgdl")))
    place, start = place_of(game)
    for seed in range(3):
        state = game.new()
        random_playout(state, Generator(seed))
        reached, _ = place.play(start, Generator(seed))
        assert state.result is not None
        assert reached.same_as(memory_of(state))


def test_the_stuck_are_not_told_for_ever() -> None:
    game = Game(compile_source(Source(HELPED.replace("LAST", "1002"), "game.tgdl")))
    place, start = place_of(game)
    with pytest.raises(Fault, match="TG0506"):
        game.new().push("go")
    with pytest.raises(Failure, match="TG0506"):
        place.play(start, Generator(0), 2)
    with pytest.raises(Failure, match="TG0506"):
        place.perft(start, 2)
