"""Random games sample exactly the moves that the reference engine offers, each with the same probability."""

from collections import Counter

import pytest

from ludograph.games.engines import native_engine
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.driver.candidate_index import rows_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from tests.tgdl.rules import game as game_of

PROGRAM = """
game "One move";
enum color {{ red, green, blue }}
tile cell
{{
  bool wet = false;
  color paint = red;
  decimal worth = 0;
  verb rich() {{ worth > 3 }}
  action take
  {{
    trigger on player choice;
    require {{ {condition} }}
    effect {{ finish {{ {name}, 0 }}; }}
  }}
}}
board {{ group grid {board} {{ cell; }} }}
setup
{{
  for cell c in grid.tiles
  {{
    decimal k = grid.tiles.find(c);
    c.worth = k % 5;
    c.wet = k % 3 == 0;
    if k % 4 == 1 c.paint = green;
    if k % 4 == 2 c.paint = blue;
    if k % 7 == 2 c.player = 0;
    if k % 7 == 5 c.player = 1;
  }}
}}
"""
NAME = "grid.tiles.find(this)"
CONDITIONS = [
    "this.player == none",
    "this.player == player",
    "this.player != player",
    "wet",
    "not wet and paint == green",
    "paint != red or wet",
    "this.player == none and (next(2) == none or next(2).player != none)",
    "next(1) != none and next(1).wet",
    "next(0) == none or (next(0).paint == blue and not next(0).wet)",
    "wet nand paint == red",
    "wet and rich()",
    "worth == 2 and paint == green",
]
BOARDS = ["square around 3 by 5", "square sides 8 by 8", "square around 9 by 9", "hex rhombus 6 by 5"]


def legal(state: State) -> set[float]:
    """What the first player may take, by the number that the game then ends with."""
    found = set()
    for move in state.legal_moves:
        after = state.copy()
        after.push(move)
        assert after.result is not None
        found.add(after.result.payoffs[0])
    return found


def drawn(game: Game, state: State, games: int) -> Counter[float]:
    engine = native_engine(game, state)
    place = ExecutionContext(engine)
    return Counter(record[3] for record in place.games(engine.block(memory_of(state)), 1, games))


SMALL = [(condition, BOARDS[number % len(BOARDS)]) for number, condition in enumerate(CONDITIONS)]


@pytest.mark.parametrize(("condition", "board"), [*SMALL, *((CONDITIONS[6], board) for board in BOARDS[:2])])
def test_every_offer_is_drawn_and_nothing_else(condition: str, board: str) -> None:
    game = game_of(PROGRAM.format(condition=condition, board=board, name=NAME))
    state = game.new(seed=0)
    wanted = legal(state)
    found = drawn(game, state, 60 * len(wanted) + 20)
    assert set(found) == wanted
    # About seven deviations above the mean; what is drawn twice as often as it should be is above that.
    assert max(found.values()) < 2 * sum(found.values()) / len(wanted)


def test_conditions_on_columns_need_no_test_of_one_thing() -> None:
    exact = {}
    for condition in CONDITIONS:
        game = game_of(PROGRAM.format(condition=condition, board=BOARDS[0], name=NAME))
        state = game.new(seed=0)
        rows = rows_of(CompilationUnit(world_of(state), plan_of(world_of(state), memory_of(state))))
        exact[condition] = all(row.is_exact for row in rows)
    assert [condition for condition, is_exact in exact.items() if not is_exact] == CONDITIONS[-2:]


FLOOD = """
tile cell
{
  bool wet = false;
  action take
  {
    trigger on player choice;
    require { not wet or next(south).wet }
    effect { for cell c in grid.tiles c.wet = true; pass; }
  }
}
board { group grid square sides 3 by 5 { cell; } }
"""
LATE = """
tile cell
{
  bool wet = false;
  action take
  {
    trigger on player choice;
    require { not wet }
    effect { wet = true; if next(south).wet pass; pass; }
  }
}
board { group grid square sides 4 by 2 { cell; } }
"""


@pytest.mark.parametrize("text", [FLOOD, LATE], ids=["in a test", "in a move"])
def test_a_fault_is_told_from_where_the_move_began_whatever_is_drawn(text: str) -> None:
    game = game_of(text)
    state = game.new(seed=0)
    engine = native_engine(game, state)
    for seed in range(5):
        with pytest.raises(Failure) as caught:
            list(ExecutionContext(engine).games(engine.block(memory_of(state)), seed, 1))
        assert caught.value.code == "TG0501"
        assert "'next(south)' is none" in str(caught.value.to_exception())
