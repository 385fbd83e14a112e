"""Games that are too large for the native engine."""

SOMETIMES_LARGE = """
players 2;
global state table { decimal[][] rows = {}; }
tile cell { }
board { group row square 1 by 6 { cell; } }
action claim
{
  trigger on player choice;
  input cell[] cells from 1 to 2 { filter cell c { c.player == none } }
  effect
  {
    for cell c in cells c.player = player;
    if cells.length == 1 and cells[0].column == 2
    {
      decimal[] long = {};
      for decimal i from 1 to 100 long.add(i);
      for decimal i from 1 to 100 table.rows.add(long);
      table.rows = {};
    }
    if row.tiles.count(c: c.player == none) == 0 win cells[0].column;
    pass;
  }
}
"""
"""A game with combinatorial moves, which the engines draw differently; only some plays need much memory."""
