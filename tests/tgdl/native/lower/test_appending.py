"""A list that is built element by element needs the memory of one list on the native engine."""

import pytest

from ludograph.games.engines import compile_world
from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, TooLarge

LONG = """
global state t { decimal[][] rows; decimal length; decimal sum; }
action build
{
  trigger on player choice;
  effect
  {
    decimal[] l = {};
    for decimal n from 1 to 17000 l.add(n);
    t.length = l.length;
    t.sum = l.sum();
    for decimal n from 1 to 3000 t.rows.add({ n });
    win player;
  }
}
"""
WASTEFUL = """
global state t { decimal[][] rows; decimal n = 0; }
setup { for decimal n from 1 to 2000 t.rows.add({ n }); }
action waste
{
  trigger on player choice;
  effect { for decimal n from 1 to 1500 t.rows[n].add(t.n); t.n += 1; pass; }
}
action rest { trigger on player choice; effect { t.n += 1; pass; } }
"""
"""Each time a list is changed, all lists around it are left behind: more than a block has room for."""
SHARED = """
global state t
{
  decimal[] a;
  decimal[] b;
  decimal[] c;
  object[] o;
  object[] p;
  decimal[][] rows = { { 1 } };
  decimal[][] before;
  decimal[2][] pairs;
  decimal[][2] tables;
  decimal n = 0;
}
verb longer(decimal[] l) { l.add(7); l.add(8); t.n += l.length; return l.sum(); }
action build
{
  trigger on player choice;
  effect
  {
    decimal[] l = { 1, 2 };
    decimal[] same = l;
    l.add(3);
    same.add(4);
    l.add(longer(l));
    decimal[] other = l;
    other.add(5);
    l.add(6);
    t.a = l;
    t.b = same;
    t.c = other;
    object[] o = { 1 };
    object[] p = o;
    o.add(l);
    p.add("text");
    o.add({ o, p });
    t.o = o;
    t.p = p;
    for decimal n from 1 to 9
    {
      t.rows.add({ n, t.n });
      if n == 4 t.before = t.rows;
      t.rows[n].add(n);
      t.pairs[n % 2].add(t.rows.length);
      t.tables.add({ n, 0 });
    }
    t.n += random 3;
    if t.n > 40 win player;
    pass;
  }
}
"""


def test_long_lists_are_built_in_little_room() -> None:
    compare(LONG, checked=False)


def test_lists_that_others_have_too_stay_as_they_are() -> None:
    compare(SHARED, checked=True)


def test_what_leaves_too_much_behind_comes_to_the_same_on_the_reference_engine() -> None:
    program = compile_source(Source(WASTEFUL, "game.tgdl"))
    native = Game(program, compiler=compile_world, uses_before_compiling=0).new()
    reference = Game(program).new()
    for text in ("rest", "waste", "rest"):
        for state in (native, reference):
            state.push(text)
        assert tuple(native.legal_moves) == tuple(reference.legal_moves)
        assert native._history is not None
    assert native == reference
    world = world_of(native)
    assert world.start is not None
    engine = Engine(world, world.start)
    with pytest.raises(TooLarge):
        ExecutionContext(engine).perft(engine.block(memory_of(native)), 2)


def compare(text: str, *, checked: bool) -> None:
    game = Game(compile_source(Source(text, "game.tgdl")))
    state = game.new()
    random_playout(state, Generator(1))
    world = world_of(state)
    assert world.start is not None
    engine = Engine(world, memory_of(game.new(seed=1)), checked=checked)
    reached, _ = ExecutionContext(engine).play(engine.block(world.start), Generator(1))
    assert state.result is not None
    assert reached.same_as(memory_of(state))
