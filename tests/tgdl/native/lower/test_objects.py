"""Values of the type `object`: stored, compared, chosen, sealed and hashed as on the reference engine."""

from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext

TEXT = """
enum side { left, right }
interactable man placeable { }
interactable card stackable { object mark; }
tile cell { object[] notes; }
board { group g square 1 by 3 { cell; } }
stack deck of card { default { return new card[3]; } }
players 2 has seat;
local state seat
{
  object secret;
  object[side] two;
  action guess
  {
    trigger on player choice;
    input object o in t.few;
    effect { secret = o; two[right] = two[left]; two[left] = { o, two[right] }; }
  }
}
turn main { phase pick simultaneous asks players.all; phase act; }
global state t
{
  object[] stock;
  object held; object[] few;
  object[][] deep;
  decimal changes = 0;
  decimal found = 0;
  decimal same = 0;
  object last_old;
  untracked position p;
}
action note { trigger on t.held change; effect { t.changes += 1; t.last_old = old; } }
action take
{
  trigger on player choice;
  effect
  {
    object o = t.stock[random t.stock.length];
    object q = t.stock[random t.stock.length];
    if o == q t.same += 1;
    t.found += t.stock.count(o);
    t.held = { o, q };
    t.held = { o, q };
    t.deep.add({ o, t.held });
    if t.deep.length > 3 t.deep.removeAt(0);
    g.tiles.first.notes = { q, t.deep.last };
    deck.cards.first.mark = t.held;
    if t.held is object[] t.found += 100;
    if o is decimal[] t.found += (o as decimal[]).length;
    if o is decimal t.found += o as decimal;
    if o is man t.same += 10;
    if o is side and (o as side) == right t.same += 1000;
    t.p = game.position;
    pass player to pick;
  }
}
setup
{
  man m = new man;
  move m to g[0][1];
  t.few = { 5, true, "1", m, { 4, none }, game.position };
  t.stock = { 1, true, player 1, right, "1", game.position, m, g[0][0], {}, { 0, none }, { 1, 2 }, none };
  t.stock.add(deck);
  t.stock.add(g);
}
"""


def test_objects_are_the_same_on_both_engines() -> None:
    program, found = check_source(Source(TEXT, "game.tgdl"))
    assert program is not None, [one.picture() for one in found]
    game = Game(program)
    world = world_of(game.new())
    assert world.start is not None
    engine = Engine(world, game.new(seed=1)._snapshot.memory, checked=True, level=0)
    place, start = ExecutionContext(engine), engine.block(world.start)
    for seed in range(3):
        for limit in (1, 2, 7, 8, 30):
            state = game.new()
            random_playout(state, Generator(seed), limit=limit)
            reached, _ = place.play(start, Generator(seed), limit)
            expected = state._snapshot.memory
            if not state._snapshot.choices:  # else the limit ended it in the midst of a move
                assert reached.same_as(expected)
            assert engine.memory(engine.block(expected)).same_as(expected)
