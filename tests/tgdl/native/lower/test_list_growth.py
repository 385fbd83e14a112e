"""Adding to a list in place changes no other list."""

import pytest

from ludograph import compile_source

TWO_LISTS = """
game "Two lists";
players 1;
tile sq { }
board { group grid square 1 by 6 { sq; } }
action go
{
  trigger on player choice;
  effect
  {
    sq[] one = {};
    one.add(grid[0][0]);
    sq[] other = one;
    other.add(grid[0][1]);
    one.add(grid[0][2]);
    one.add(grid[0][3]);
    if other.any(q: q == grid[0][1]) and one.any(q: q == grid[0][2]) and one.length == 3 win player;
    draw;
  }
}
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_lists_with_the_same_beginning_grow_apart(engine: str) -> None:
    state = compile_source(TWO_LISTS, engine=engine).new()
    state.push(state.legal_moves[0])
    assert state.result is not None and state.result.winners == (0,)
