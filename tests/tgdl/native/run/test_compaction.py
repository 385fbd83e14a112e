"""The heap of a block is compacted: long games that change their lists stay small and mean the same."""

import pytest

from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from ludograph.tgdl.world.world import World

LISTS = """
players 2 has seat;
interactable card stackable { decimal[] marks = {}; }
stack deck of card { default { return { new card, new card, new card, new card }; } }
local state seat { stack hand of card; decimal[] kept = {}; }
global state t
{
  decimal[][] rows = { { 1 }, {}, {} };
  decimal[3][] few = { {}, { 2 }, {} };
  object thing = 1;
  object[] things = {};
  string[] words = { "a" };
}
action change
{
  trigger on player choice;
  input decimal n from 0 to 2;
  effect
  {
    t.rows[n].add(n);
    if t.rows[n].length > 9 t.rows[n].clear();
    t.few[n] = t.rows[n];
    t.things = { n, t.words, t.rows, t.thing };
    if t.things.length > 3 t.thing = t.rows; else t.thing = n;
    if n == 2 t.thing = t.things.where(x: not x is object[]);
    seat[player].kept.add(n);
    if seat[player].kept.length > 20 seat[player].kept = { n };
    pass;
  }
}
action take
{
  trigger on player choice;
  require { deck.length > 0 }
  effect { card c = deck.pop(); c.marks.add(c.marks.length); seat[player].hand.push(c); pass; }
}
action discard
{
  trigger on player choice;
  require { seat[player].hand.length > 0 }
  effect { card c = seat[player].hand.pop(); deck.push(c); pass; }
}
"""
BOARD = """
tile cell { decimal[] marks = {}; }
board { group grid square 2 by 2 { cell; } }
global state t { decimal[][] rows = {}; decimal size = 2; }
action grow
{
  trigger on player choice;
  require { t.size < 5 }
  effect { grid.add(cell, 0, t.size); t.size += 1; pass; }
}
action join { trigger on player choice; effect { link grid[0][0] -> grid[1][1]; pass; } }
action cut { trigger on player choice; effect { unlink grid[0][0] -> grid[1][1]; pass; } }
action mark
{
  trigger on player choice;
  input cell c;
  effect
  {
    c.marks.add(t.size);
    t.rows = { c.marks, { t.size } };
    if c.marks.length > 30 c.marks.clear();
    pass;
  }
}
"""
MOVES = 300


def checked(game: Game, world: World) -> Engine:
    """Code that tests every access to memory."""
    return Engine(world, memory_of(game.new(seed=0)), checked=True, level=0)


@pytest.mark.parametrize("rules", [LISTS, BOARD], ids=["lists", "board"])
def test_a_long_game_on_compacted_blocks_means_the_same(rules: str) -> None:
    game = Game(compile_source(Source(rules, "test.tgdl")))
    state = game.new()
    engine = checked(game, world_of(state))
    start = engine.block(memory_of(state))
    outcome = random_playout(state, Generator(5), limit=MOVES)
    reached, moves = ExecutionContext(engine).play(start, Generator(5), MOVES)
    assert moves == outcome.moves == MOVES
    assert reached.same_as(memory_of(state))


@pytest.mark.parametrize("rules", [LISTS, BOARD], ids=["lists", "board"])
def test_random_games_need_no_more_room_the_longer_they_last(rules: str) -> None:
    game = Game(compile_source(Source(rules, "test.tgdl")))
    state = game.new(seed=3)
    engine = checked(game, world_of(state))
    place = ExecutionContext(engine)
    size = place.size
    (outcome,) = place.outcomes(engine.block(memory_of(state)), 1, 1, 10 * MOVES)
    assert (outcome.moves, outcome.result) == (10 * MOVES, None)
    assert place.size == size
