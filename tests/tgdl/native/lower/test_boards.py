"""Boards that change in play: after random changes both engines have the same board and the same queries."""

import pytest

from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure

LOOK = """
global state seen
{
  tile[] near; tile[] ahead; tile[] middle; tile[] around; tile[] everything; tile[][] runs; tile[][] pairs;
  tile[] ends; tile[] beside; tile[] cells; tile[] others; tile step; tile first;
  decimal far; decimal row; decimal column; position mark; position part; group home;
}

action rest { trigger on player choice; effect { pass; } }

verb any_tile() { known.tiles[random known.tiles.length] }

action look
{
  trigger on player choice;
  effect
  {
    tile a = any_tile();
    tile c = any_tile();
    decimal d = random 4;
    seen.near = a.adjacent;
    seen.step = a.next(d - 1);
    seen.ahead = a.line(d - 1);
    seen.runs = RUNS;
    seen.pairs = a.lines(d);
    seen.middle = a.between(c);
    seen.far = a.distance(c);
    seen.around = a.region(t: t != c);
    seen.everything = board.tiles;
    PLACES
    seen.row = a.row;
    seen.column = a.column;
    seen.home = a.group;
    seen.mark = game.position;
    seen.part = g.position;
    seen.others = tile.all;
    seen.first = FIRST;
    pass;
  }
}

action forget
{
  trigger on player choice;
  effect
  {
    tile a = any_tile();
    if a.group != none { g.remove(a); known.lost.add(a); }
    pass;
  }
}
action back
{
  trigger on player choice;
  effect
  {
    if g[0][1] == none and known.lost.length > 0 g.add(known.lost.pop(), 0, 1);
    pass;
  }
}
action cut
{
  trigger on player choice;
  effect { tile a = any_tile(); tile c = any_tile(); unlink a -> c; pass; }
}
action join
{
  trigger on player choice;
  effect { tile a = any_tile(); tile c = any_tile(); link a 1.5 <-> 3 c; pass; }
}
action sink { trigger on player choice; input group x in { GROUPS }; effect { board.remove(x); pass; } }
action rise { trigger on player choice; input group x in { GROUPS }; effect { board.add(x); pass; } }
action grow
{
  trigger on player choice;
  input group x in { GROWS };
  effect
  {
    decimal r = (random 5) - 2;
    decimal c = (random 4) - 1;
    if x[r][c] == none { tile t = new cell; known.tiles.add(t); x.add(t, r, c); }
    pass;
  }
}
setup { for tile t in board.tiles known.tiles.add(t); }
"""
KNOWN = "global state known { tile[] tiles; tile[] lost; }\n"
BOARDS = {
    "squares": """
      tile cell { }
      board
      {
        group g square 2 by 3 names a1 { cell; adjacency { (0, 0) -> 5 (1, 2); } }
        group h square around { cell, b, cell; }
        tiles { g[0][0] <-> h[0][0]; }
      }""",
    "hexes": """
      tile cell { }
      tile town { }
      tile road : town { }
      board
      {
        group g hex row { cell, cell; cell; }
        group h corners of g { town; }
        group i sides of g { road; }
      }""",
    "columns": """
      tile cell { }
      board { group g hex col { cell, b, cell; cell, cell; } group i sides of g { cell; } }""",
    "rhombus": """
      tile cell { }
      board { group g hex rhombus 2 by 3 { cell; } group h corners of g { cell; } }""",
    "fences": """
      tile cell { }
      tile post { }
      board
      {
        group g square 2 by 2 { cell; }
        group h corners of g { post; }
        group i sides of g { post; }
      }""",
    "graphs": """
      tile cell { }
      tile pit { }
      board
      {
        group g adjacency { cell k, l, m, n, o; k <-> l <-> m; m -> n <-> o -> k; l <-> o; }
        group h adjacency { pit u, v; u <-> v; }
        tiles { g.k <-> h.u; }
      }""",
}
GROUPS = {"squares": "g, h", "hexes": "g, h, i", "columns": "g, i", "rhombus": "g, h", "fences": "g, h, i"}
FIRST = {"squares": "g.a1", "graphs": "l"}


def program_of(name: str) -> Game:
    board, groups = BOARDS[name], GROUPS.get(name, "g, h")
    text = board + "\n" + KNOWN + LOOK
    grows = "g, h" if name in ("squares", "graphs") else "g"
    for word, meaning in (("GROUPS", groups), ("GROWS", grows), ("FIRST", FIRST.get(name, "g[0][1]"))):
        text = text.replace(word, meaning)
    corners, sides = "corners of" in board, "sides of" in board
    places = ("seen.ends = a.corners; " * corners, "seen.beside = a.sides; " * sides)
    text = text.replace("PLACES", "".join(places) + "seen.cells = a.cells; " * (corners or sides))
    text = text.replace("RUNS", "a.lines" if name == "graphs" else "a.lines(3)")
    return checked(text)


TABLES = """
action rest { trigger on player choice; effect { pass; } }
tile cell { decimal[pit] far = 2; }
tile pit : cell { }
board { group g square { cell, pit, b; } }
players 2;
global state t
{
  decimal[cell] worth = 4;
  decimal[pit] deep = 1;
  decimal[tile] any_of;
  decimal[player][pit] both = 3;
  decimal[][pit] rows;
  decimal[cell] copied = 6;
  decimal[cell][] lists;
  decimal total; decimal sum; tile found; pit lucky; bool same; decimal n = 0;
}
action grow
{
  trigger on player choice;
  effect
  {
    decimal r = random 4;
    decimal c = random 4;
    if g[r][c] == none { if random 2 == 1 g.add(cell, r, c); else g.add(pit, r, c); }
    pass;
  }
}
action mark
{
  trigger on player choice;
  effect
  {
    cell c = cell.all[random cell.all.length];
    t.worth[c] = random 6;
    if c is pit { t.deep[c as pit] += 2; t.both[player][c as pit] = t.n; }
    t.any_of[c] = t.n;
    t.n += 1;
    t.total = t.worth.length + 100 * t.deep.length + 10000 * t.any_of.length;
    t.sum = t.worth.sum() + t.deep.max();
    t.found = t.worth.find(3);
    t.found = t.deep.find(3);
    t.lucky = random weights t.deep;
    t.same = t.both[0] == t.both[1];
    pass;
  }
}
action hold
{
  trigger on player choice;
  effect
  {
    decimal[cell] worth = t.worth;
    decimal[][pit] rows = { t.deep, 5 };
    object held = t.worth;
    cell c = new cell;
    decimal[player][pit] both = t.both;
    pit p = new pit;
    if random 2 == 1 worth[p] = 8;
    rows[0][p] = t.n;
    t.rows.add(rows[random 2]);
    t.lists = worth_of(worth, c);
    if random 2 == 1 t.copied = worth; else t.copied = held as decimal[cell];
    t.both = both;
    t.sum = t.rows.map(row: row.length).sum() + worth.count(4);
    pass;
  }
}
verb worth_of(decimal[cell] worth, cell c)
{
  decimal[cell][] lists = t.lists;
  cell other = new cell;
  lists[other].add(worth.length);
  lists[c].add(worth.count(none));
  return lists;
}
"""


def checked(text: str) -> Game:
    program, found = check_source(Source(text, "game.tgdl"))
    assert program is not None, [one.picture() for one in found if one.severity == "error"]
    return Game(program)


@pytest.mark.parametrize("name", BOARDS)
def test_changed_boards_are_the_same(name: str) -> None:
    compare(program_of(name))


def test_tables_by_tiles_grow_alike() -> None:
    compare(checked(TABLES))


def compare(game: Game) -> None:
    """Play at random on both engines, up to several lengths."""
    world = world_of(game.new())
    assert world.start is not None
    engine = Engine(world, game.new(seed=1)._snapshot.memory, checked=True, level=0)
    place, start = ExecutionContext(engine), engine.block(world.start)
    finished = 0
    for seed in range(2):
        for limit in (*range(5, 10), *range(20, 25), 40):
            state = game.new()
            try:
                random_playout(state, Generator(seed), limit=limit)
            except Fault as fault:
                with pytest.raises(Failure, match=fault.code):
                    place.play(start, Generator(seed), limit)
                break
            reached, _ = place.play(start, Generator(seed), limit)
            expected = state._snapshot.memory
            if state._snapshot.choices:
                continue  # the limit ended it in the midst of a move
            assert reached.same_as(expected)
            assert engine.memory(engine.block(expected)).same_as(expected)
            finished += 1
    assert finished
