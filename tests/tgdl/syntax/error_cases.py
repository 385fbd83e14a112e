"""For every code of lexer and parser one small text that gets it, and longer texts to recover in."""

LONG_NAME = "a" * 201
DEEP = "(" * 300 + "1" + ")" * 300

CASES: dict[str, str] = {
    "TG0101": "const decimal n = 3 $ ;",
    "TG0102": 'game "Chess;\nplayers 2;',
    "TG0103": "const decimal n = 3rd;",
    "TG0104": "/* a game */\nplayers 2;",
    "TG0105": 'game "a\\qb";',
    "TG0106": "game 'Chess';",
    "TG0107": "const decimal n = " + "1" * 41 + ";",
    "TG0108": 'game "' + "a" * 10_000 + '";',
    "TG0109": f"tile {LONG_NAME} {{ }}",
    "TG0110": 'game "a\x07b";',
    "TG0111": "tile _cell { }",
    "TG0201": "const decimal n = 3 + ;",
    "TG0202": "tile cell\n{\n  decimal a = 1\n  decimal c = 2;\n}",
    "TG0203": "tile cell\n{\n  action mark\n  {\n    effect { pass; }\n\ntile other { }",
    "TG0204": "action a { effect { move this there; } }",
    "TG0205": "tile cell { }\n}\ntile other { }",
    "TG0206": "stack draw of card;",
    "TG0207": "tile { }",
    "TG0208": "tiel cell { }",
    "TG0209": "action a\n{\n  requir { true }\n}",
    "TG0210": f"const decimal n = {DEEP};",
    "TG0211": "action a { trigger on player choise; }",
    "TG0212": "action a { effect { whlie true { break; } } }",
    "TG0213": "tile cell { verb f(decimal a, ) { 1 } }",
    "TG0214": "action a { auto input seat s player 1; }",
    "TG0215": "decimal points = 3;\nphase build;",
    "TG0216": 'action a { effect { fail "you need {cost +} more"; } }',
    "TG0217": "action a { effect { " + "x = ;\n" * 120 + "} }",
    "TG0218": "action a { effect { f() = 3; } }",
    "TG0219": "interactable man plceable { }\nboard { group grid sqare 3 by 3 { man; } }",
    "TG0220": "verb f { input decimal a verb; returns decimal; }",
    "TG0221": "action a { effect { n++; } }",
    "TG0250": "function f(boardCell t) { t.adjacent.lenght > 3 && !t.open() }",
    "TG0251": "tile cell { };",
    "TG0252": "board { group web adjency { a1 -> 3 a2 } }",
    "TG0253": "action a { trigger change seat.points; }",
}

RECOVERY: dict[str, str] = {
    "a_missing_brace": """\
state seat
{
  decimal points = 0;

  action score
  {
    trigger on player choice;
    effect
    {
      if points > 3
      {
        points += 1;
      pass;
    }
  }
}

tile cell { }
""",
    "several_mistakes": """\
game "Broken"
players 2..4 has seat;

tile cell
{
  decimal = 3;
  acton mark
  {
    triger on player choice;
    require this.player == none }
    effect
    {
      this.player = player
      if lines(3.any(l: l.all(c: c.player == player)) win player;
      retrun x + 1;
      else pass;
      x = 3 +;
      mvoe man to cell;
      fail no reason;
      y = (1 + 2;
    }
  }
}

board { group grid square arund 3 by 3 { cell; } }

setup
{
  for seat s on seat.all s.points = 0;
}
""",
    "reserved_words": """\
tile cell
{
  decimal draw = 0;
  verb move(cell pass) { draw = 3; }
  action use { input bool out; effect { win = true; x = if + 1; } }
}
""",
    "brackets": """\
action a
{
  effect
  {
    f(1, 2;
    g[3;
    list = { 1, 2;
    h(1, );
    x = { 1, };
    new card { rank = 3 };
  }
}
""",
    "wrong_places": """\
group grid square { cell; }
effect { pass; }
action a
{
  decimal x = 3;
  phase one { input bool sure; }
  effect { pass; }
  action b { }
}
turn main { effect { } phase build { pass; } }
verb f { require { true } effect { } effect { } }
setup { effect { } pass; }
private action c { }
local global state s { }
""",
    "words_that_begin_nothing": "local {\nhidden 3;\ntile t { visible x { } private { } }\nsealed",
    "strange_text": '\ufeffgame \x00"x";\r\n\ud800 tile ✗✗✗ a { }\r\n@@@',
}
