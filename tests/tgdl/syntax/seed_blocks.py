"""Every code block of the language's first description, made complete where it is a fragment.

The value says which hints the parser gives; an empty one means none at all.
"""

BLOCKS: dict[str, tuple[str, str]] = {
    "lists": (
        """verb lists() {
  decimal[] list = { 1, 2, 3 };
  decimal[] empty = {};
  list[list.lenght] = 4;
  list[0] = list[list.lenght];
  list.append(empty);
  list.clear();
  list.removeAt(2);
  list.remove(3);
  list.removeRange(empty);
  return list.contains(3) and list.find(2) == none;
}""",
        "TG0250",
    ),
    "type checking and casting": (
        """verb casts(object thing) {
  if thing is decimal return thing as decimal;
  decimal number = thing as decimal;
  return none;
}""",
        "",
    ),
    "operators": (
        """verb operators(decimal a, decimal c, bool p, bool q) {
  a = a + c; a = a - c; a = a * c; a = a / c; a = a ^ c; a = a % c; a = a mod c;
  p = a < c; p = a > c; p = a <= c; p = a >= c; p = a == c; p = a != c;
  p = p and q; p = p or q; p = p xor q; p = p nand q;
  a = +a; a = -a; p = not q;
  return p;
}""",
        "TG0250",
    ),
    "statements": (
        """verb statements(decimal a) {
  a = 3;
  decimal d;
  decimal e = a;
  pass player + 1;
  new card;
  if a == 1 { } else if a == 2 { } else { }
  while a > 0 { a -= 1; if a == 3 break; continue; }
  return a;
}""",
        "",
    ),
    "an action": (
        """action example
{
  input   { }
  require { }
  trigger { }
  effect  { }
}""",
        "",
    ),
    "allowed": ("action a { effect { seat.play.allowed = false; seat.play(); } }", ""),
    "an input": ("action a { optional auto input seat other { return true; } }", ""),
    "filters in both forms": (
        """action a
{
  input seat first
  {
    return first.points > 3;
  }

  // alternative input filter declaration
  input seat second
  {
    filter seat s
    {
      return true;
    }
  }
}""",
        "",
    ),
    "a filter on higher points": (
        """state player_state
{
  decimal points = 0;

  action on_higher_points
  {
    input player_state other
    {
      return other.points > points;
    }
  }
}""",
        "",
    ),
    "list filters": (
        """state example
{
  decimal points = 0;
}

action list_input
{
  input example[] examples
  {
    filter example ex
    {
      return ex.points < 10 and ex.points > 0;
    }
    filter
    {
      return examples.lenght < 3 and examples.lenght > 0;
    }
  }
}""",
        "TG0250",
    ),
    "input modifiers": (
        """action a
{
  input seat one player;
  input seat two player 0;
  input seat three auto { return true; }
  input seat[] four all;
  optional input seat five;
}
verb v { input decimal six verb; effect { } }""",
        "",
    ),
    "trigger events": (
        """action a
{
  trigger movement man { true }
  trigger seat.play { true }
  trigger change seat.points { true }
  trigger seat.play.first { true }
  trigger on seat.points change { true }
  trigger on action { }
}""",
        "TG0253 TG0253 TG0253 TG0253",
    ),
    "the list of events": (
        """action a
{
  trigger on placeable placement; trigger on placeable removal; trigger on placeable movement;
  trigger on stackable drawn; trigger on stackable discarded; trigger on stackable kept;
  trigger on stack draw card; trigger on stack shuffle; trigger on stack reshuffle;
  trigger on stack put card; trigger on stack discard;
  trigger on turn activation; trigger on turn disactivation; trigger on turn phase change;
  trigger on remove; trigger on attach; trigger on seat attach;
}""",
        "TG0253 TG0253 TG0250",
    ),
    "trigger modifiers": (
        """action a
{
  trigger on seat.points change for A after;
  trigger on seat.points change for A before { }
  trigger on seat.points change fast { }
}""",
        "",
    ),
    "named parts": ("action a { trigger for A {} require for A {} effect for A {} }", ""),
    "a global require over named ones": (
        """action a
{
  require for A {}
  require for A {}
  require for B {}
  require { A and B} // satisfied when both A and B are satisfied
}""",
        "",
    ),
    "an action phase": (
        """action a
{
  phase
  {
    trigger { }
    require { true }
    effect { }
  }
  phase two choice 2 { }
  phase sequence { }
  phase last simultaneos { }
}""",
        "TG0250",
    ),
    "priorities": (
        """action low_prio priority -10 {}
action default_prio {}
action default_prio_spec priority 0 {}
action high_prio priority 10 {}""",
        "",
    ),
    "failures": (
        """action a
{
  effect
  {
    fail "message";
    cancel "message";
    cancel A "message";
    cancel all "message";
  }
}""",
        "",
    ),
    "attributes": (
        """state example
{
  decimal one = 3;
  decimal two = none;
}""",
        "",
    ),
    "scopes": ("local state a { }\ngroup state c { }\nglobal state d { }\nsealed state e { }", ""),
    "interactables": ("interactable a placeable;\ninteractable c placeable, stackable { }", ""),
    "players and winners": (
        """action a { effect { winner player, player + 1; player p = player +- 4; p = player - 5; } }""",
        "TG0250",
    ),
    "turns": (
        """turn simple
{
  default
  {
    pass player + 1;
  }
}

// examples with phases
turn phases
{
  phase A {}
  default
  {
    pass player + 1 to A;
  }
}
action a { effect { use turn phases; } }""",
        "",
    ),
    "default turns": (
        """turn A
{
  phase A1 {}
  phase A2 {}
  default
  {
    if(phase == A1)
    {
      pass player to A2;
    }
    else
    {
      pass player + 1 to A1;
    }
  }
}
turn C
{
  phase A1 {}
  phase A2 {}
  default
  {
    if(player != players.count - 1)
    {
      pass player + 1 to phase; // pass the next player to the same phase
    }
    else
    {
      if(phase == A1)
      {
        pass player 0 to A2; // 0 could be substituted with a global state player attribute
      }
      else
      {
        pass player 0 to A1;
      }
    }
  }
}""",
        "",
    ),
    "a tile and its group": (
        """tile cell
{
  decimal a;
  action c { }
}
verb cast(cell t)
{
  if(t.group is grid)
  {
    grid g = t.group as grid;
  }
  return grid[0][1];
}""",
        "",
    ),
    "a square group in rows": (
        """board
{
  decimal attribute = 3;
  group grid square
  {
    decimal other = 4;
    cell, cell, b
    cell, b
    cell, cell, cell
  }
}""",
        "TG0252",
    ),
    "hex groups": (
        """board
{
  group one hex row
  {
    h,h,h,h,h;
    h,h,b,h,b;
    b,b,h,h,h;
  }
  group two hex col
  {
    h,h,b,h,h;
    h,b,b,h,h;
  }
}""",
        "",
    ),
    "links": (
        """board
{
  group grid hex col
  {
    h,h,h;
    h,h,h;
    h,h,h;

    adjency
    {
      (0,0) -> (2,2); // for one way adjacency
      (0,0) <-> (2,2); // for two way adjacency
      (0,0) 1 <-> 3 (2,2); // specify distance between adjacencies ( default is 1)
      (0,0) x-> (0,1); // one way removal of adjacency
      (0,0) x-x (0,1); // two way removal of adjacency
    }
  }
}""",
        "TG0250",
    ),
    "an adjacency group": ("board\n{\n  group web adjency\n  {\n    id1 -> 3 id2\n  }\n}", "TG0250 TG0252"),
    "border tiles": (
        """board
{
  group first {}
  group second {}
  tiles
  {
    first.a -> second.a
    first.c <-> second.c
  }
}""",
        "TG0252",
    ),
    "movement": ("action a { effect { move man to cell; } }", ""),
    "a goal": (
        """goal over priority 3
{
  input seat s auto;
  require { true }
  trigger { }
  effect { win player; draw player, player + 1; }
}""",
        "",
    ),
    "a setup": (
        "setup { }\nsetup for 5, 6 { input seat[] all_seats all; effect for big { } effect { } }",
        "",
    ),
    "a verb": (
        """verb name
{
  input decimal a verb;
  input board field auto;
  effect { return a; }
  return decimal;
}
action a { effect { name(a: 3, c: 4); } }""",
        "TG0250",
    ),
    "inheritance": (
        """state base { }
state derived : base { override action a { effect { base.a(); } } }
interactable base placeable {}
interactable derived stackable : base {} // derived is both
interactable other stackable, placeable : base {} // placeable is ignored""",
        "",
    ),
    "keywords": (
        """players 2 has seat;
action a { input boardCell cell; effect { cell.player = random 6; player 0 has seat, role; } } \\\\ a comment
// is a comment""",
        "TG0250",
    ),
}
