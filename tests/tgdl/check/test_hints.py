"""Slips that newcomers make: one error each, with the way out in its hint."""

import pytest

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source

STATE = "global state t { decimal n = 0; verb twice() { n * 2 } }"
SEATS = "players 2 has seat; local state seat { decimal n = 0; }"
CARDS = "interactable card stackable { } stack deck of card;"
BOARD = "tile sq { } board { group g square 3 by 3 { sq; } }"
MEN = "interactable man placeable { } tile sq holds man { } board { group g square 3 by 3 { sq; } }"
DAYS = "turn main { phase morning; phase evening; default { pass player + 1; } }"
RIVER = (
    "tile w { } board { group river adjacency { w source, mouth; source -> mouth; } "
    "group sea square 3 by 3 { w; }"
)
GATHER = "global state x { action gather { trigger on player choice; effect { pass; } } }"
SUITS = "enum suit { clubs, hearts } global state t { suit s = suit.clubs; }"
LIST = "global state t { decimal[] l = {}; }"


def found_in(text: str) -> tuple[Diagnostic, ...]:
    return check_source(Source(text, "game.tgdl"))[1]


def action(effect: str, before: str = STATE) -> str:
    return f"{before} action go {{ trigger on player choice; effect {{ {effect} pass; }} }}"


SLIPS = [
    (f"{STATE} goal g {{ require {{ t.n > 0; }} effect {{ win 0; }} }}", "TG0325", "remove the `;`"),
    (f"{STATE} goal g {{ require {{ decimal a = t.n; a > 0; }} }}", "TG0325", "write `return` before it"),
    (action("input decimal k from 0 to 3 { k > 1; } t.n = k;"), "TG0325", "remove the `;`"),
    (
        f"{STATE} action go {{ trigger on t.n change {{ new > 2; }} effect {{ win 0; }} }}",
        "TG0325",
        "`return`",
    ),
    (action("n += 1;"), "TG0301", "did you mean 't.n'?"),
    (action("t.n = twice();"), "TG0301", "did you mean 't.twice'?"),
    (action("n += 1;", SEATS), "TG0301", "did you mean 'seat[player].n'?"),
    (action("player.n += 1;", SEATS), "TG0306", "did you mean 'seat[player].n'?"),
    (action("if t.n = 1 and t.n = 2 t.n = 3;"), "TG0204", "write =="),
    (action("if (t.n = 1) t.n = 3;"), "TG0204", "write =="),
    (action("while t.n = 1 { t.n = 3; }"), "TG0204", "write =="),
    (f"{STATE} goal g {{ require {{ t.n = 1 }} effect {{ win 0; }} }}", "TG0202", "=="),
    ("global state t { decimal[] l = [1, 2]; } setup { if t.l.length > 1 draw; }", "TG0201", "{ 1, 2 }"),
    (action("for decimal i in [1, [2]] t.n = i;"), "TG0201", "{ 1, 2 }"),
    (action("if 0 < t.n < 3 t.n = 1;"), "TG0311", "`a < b and b < c`"),
    ("players 2-4;", "TG0204", "write 2..4"),
    ("players 2 to 4;", "TG0204", "write 2..4"),
    ("tile cell { } board { grid square 3 by 3 { cell; } }", "TG0209", "write group grid square"),
    ("tile cell { } board { group grid hexagon 3 { cell; } }", "TG0219", "write hex hexagon"),
    ("tile cell { } board { group grid around 3 by 3 { cell; } }", "TG0219", "write square around"),
    ("tile cell { } board { group grid square 3x3 { cell; } }", "TG0103", "write 3 by 3"),
    ("tile cell { } board { group grid square 3 x 3 { cell; } }", "TG0204", "write by"),
    ("card stackable { } stack deck of card;", "TG0208", "write interactable card stackable"),
    ("decimal f(decimal n) { return n * 2; } setup { if f(1) == 2 draw; }", "TG0208", "write verb f(…)"),
    ("global state t { bool[] f() { { true } } } setup { if t.f()[0] draw; }", "TG0208", "write verb f(…)"),
    (action("lose player;"), "TG0212", "`out p`"),
    (action("lose t.n;"), "TG0212", "`out p`"),
    (action("place new king on t.n;"), "TG0212", "`move … to …`"),
    ("option decimal n = 3; global state t { decimal[n + 1] l = 1; }", "TG0204", "`const decimal size = …;`"),
    (
        "option decimal n = 3; setup { decimal[2 * n] l = 1; l[0] = n; }",
        "TG0204",
        "`const decimal size = …;`",
    ),
    ("global state t { decimal[players.count] l = 1; }", "TG0305", "write [player], or"),
    ("option decimal size = 3; global state t { decimal[sise] l = size; }", "TG0305", "did you mean 'size'?"),
    (
        f"{STATE} setup {{ decimal[2] l = 1; for decimal x in l t.n = x; }}",
        "TG0310",
        "from 0 to table.length - 1",
    ),
    # What is declared, or belongs to an action, where it cannot stand.
    (action("const decimal z = 5; if z > 3 t.n = z;"), "TG0215", "at the top level of the file"),
    (action("option decimal z = 5; t.n = z;"), "TG0215", "at the top level of the file"),
    (action("enum colour { red, blue } t.n = red;"), "TG0215", "at the top level of the file"),
    (action("setup { t.n = 1; }"), "TG0215", "at the top level of the file"),
    (action("\n  const decimal z = 5;\n  if z > 3 t.n = z;\n"), "TG0215", "at the top level of the file"),
    (
        f"{STATE} action go {{ const decimal z = 5; trigger on player choice; effect {{ t.n = z; pass; }} }}",
        "TG0215",
        "at the top level of the file",
    ),
    (action("trigger on player choice; t.n = 1;"), "TG0209", "in the action itself"),
    (action("require { t.n > 0 } t.n = 1;"), "TG0209", "in the action itself"),
    (action("effect for E { t.n = 2; } t.n = 1;"), "TG0209", "in the action itself"),
    # A string that takes the rest of its line with it.
    (f'{action("").rstrip(" }")} fail "abc; }} }}\nsetup {{ t.n = 1; }}', "TG0102", 'write " at its end'),
    (f'{action("").rstrip(" }")} fail "{{t.n}}; }} }}\nsetup {{ t.n = 1; }}', "TG0102", 'write "'),
    (f'{STATE} setup {{\n  if "a" == "abc {{\n    t.n = 1;\n  }}\n}}', "TG0102", 'write " at its end'),
    # Words of other languages, and what is in the wrong order.
    (action("if t.n > 0 then t.n = 1;"), "TG0204", "remove it"),
    (action("if t.n > 0 then pass;"), "TG0204", "remove it"),
    (action("while t.n > 0 do { t.n -= 1; }"), "TG0204", "remove it"),
    (action("for decimal i in 1 to 3 { t.n += i; }"), "TG0204", "write from … to …"),
    ("verb f(x) { x } setup { if f(x: 1) == 1 draw; }", "TG0213", "for example decimal x"),
    ("verb f(decimal a, decimal b) { a + b } setup { if f(a: 1, c: 2) > 0 draw; }", "TG0319", "mean 'b'?"),
    ("players 3..2;", "TG0335", "write 2..3"),
    # Members that lists and stacks have in other languages, and those of lists on a stack.
    (action("deck.add(new card);", CARDS), "TG0306", "write `push(…)`"),
    (action("deck.append(deck.cards);", CARDS), "TG0306", "write `push(…)`"),
    (action("deck.remove(deck.top);", CARDS), "TG0306", "write `move c to none;`"),
    (action("deck.removeAt(0);", CARDS), "TG0306", "write `move c to none;`"),
    (action("deck.clear();", CARDS), "TG0306", "in ….cards move c to none;`"),
    (action("if deck.peek() != none draw;", CARDS), "TG0306", "write `.top`"),
    (action("if deck.size > 3 draw;", CARDS), "TG0306", "write `.length`"),
    (action("if deck.count() > 3 draw;", CARDS), "TG0322", "`.length` counts all"),
    (action("t.l.push(3);", LIST), "TG0306", "write `.add(…)`"),
    (action("t.l.append(3);", LIST), "TG0310", "write `.add(…)` for one value"),
    (action("t.l.removeRange(3);", LIST), "TG0310", "write `.remove(…)` for one value"),
    (action("if t.l.size > 3 draw;", LIST), "TG0306", "write `.length`"),
    (action("if t.l.count > 3 draw;", LIST), "TG0319", "write `.length`, or `.count(…)`"),
    (action("if t.l.includes(3) draw;", LIST), "TG0306", "write `.contains(…)`"),
    (action("t.l = t.l.filter(x: x > 3);", LIST), "TG0306", "write `.where(x: …)`"),
    ("global state t { decimal[player] l = 0; } setup { t.l.add(1); }", "TG0306", "`table[key] = …`"),
    # Statements of other languages.
    (
        "verb f(decimal n) { if n > 1 { return true; } retrun false; } setup { if f(2) draw; }",
        "TG0212",
        "'return'",
    ),
    (f"{STATE} goal g {{ require {{ if t.n > 3 return true; retrun none; }} }}", "TG0212", "'return'"),
    ("verb f(decimal n) { retrun n + 1; } setup { if f(2) > 3 draw; }", "TG0212", "'return'"),
    (f"{STATE} verb f() {{ retrun t.n; }} setup {{ if f() > 3 draw; }}", "TG0212", "'return'"),
    (action("if t.n > 1 { t.n = 1; } elif true { t.n = 2; }"), "TG0212", "did you mean 'else if'?"),
    (action("if t.n > 1 t.n = 1; elif t.n > 0 t.n = 2; else t.n = 3;"), "TG0212", "did you mean 'else if'?"),
    (action("if t.n > 1 t.n = 1; elsif (t.n > 0) { t.n = 2; } else { t.n = 3; }"), "TG0212", "'else if'?"),
    (action("if t.n > 1 t.n = 1; elseif not (t.n > 0) { t.n = 2; }"), "TG0212", "did you mean 'else if'?"),
    (action("foreach (decimal x in t.l) { t.n += x; }", LIST), "TG0212", "write `for T x in list`"),
    (action("foreach (x in t.l) t.l.add(x);", LIST), "TG0212", "write `for T x in list`"),
    (action("foreach x in t.l { t.l.add(x); }", LIST), "TG0212", "write `for T x in list`"),
    (action("do { t.n += 1; } while (t.n < 3);"), "TG0212", "write `while condition { … }`"),
    (action("do t.n += 1; while t.n < 3;"), "TG0212", "write `while condition { … }`"),
    (action("switch (t.n) { case 1: t.n = 2; break; default: t.n = 3; }"), "TG0212", "`if … else if …`"),
    (action('throw "no";'), "TG0212", 'write `fail "why";`'),
    (action('throw new Error("no");'), "TG0212", 'write `fail "why";`'),
    (action("assert t.n > 3;"), "TG0212", 'write `if not condition fail "why";`'),
    (action("print t.n;"), "TG0212", "the rules print nothing"),
    # Heads in the manner of other languages.
    (action("if 1 in t.l t.l.clear();", LIST), "TG0204", ".contains("),
    (action("if 1 not in t.l { t.l.clear(); }", LIST), "TG0204", ".contains("),
    (action("bool b = 1 in t.l; if b t.l.clear();", LIST), "TG0204", ".contains("),
    ("verb f(decimal[] l) { 1 in l } setup { if f({ }) draw; }", "TG0204", ".contains("),
    (action("if t.n > 1: t.n = 3;"), "TG0204", "one statement, or a block in braces"),
    (action("if t.n > 1:\n t.n = 3;\nelse:\n t.n = 2;\n"), "TG0204", "remove it"),
    (action("if t.n > 1 t.n = 3; else: t.n = 2;"), "TG0204", "remove it"),
    (action("while t.n > 1: t.n -= 1;"), "TG0204", "remove it"),
    (action("for decimal i from 1 to 3: t.n = i;"), "TG0204", "remove it"),
    (action("for decimal i in 0..3 { t.n += i; }"), "TG0204", "write from … to …"),
    (action("for decimal i from 0..3 t.n += i;"), "TG0204", "write to"),
    (action("input decimal k 1..6; t.n = k;"), "TG0204", "write from … to …"),
    (action("input decimal k 1 to 6; t.n = k;"), "TG0204", "write from … to …"),
    (action("input decimal k in 1 to 6; t.n = k;"), "TG0204", "write from … to …"),
    (action("input decimal k in 1..6 { k > 1 } t.n = k;"), "TG0204", "write from … to …"),
    ("action go { trigger on player choice; effect pass; }", "TG0204", "write it in braces: { … }"),
    ("action go { require true; trigger on player choice; effect { pass; } }", "TG0204", "in braces: { … }"),
    # Values in the manner of other languages.
    ("verb f(decimal a, decimal b) { return a = b; } setup { if f(1, 2) draw; }", "TG0204", "`==` compares"),
    (
        action("tile c = g[0,1]; if c == none pass;", BOARD),
        "TG0203",
        "write each index in its own brackets: [0][1]",
    ),
    (action("for tile c in g.tiles if c is none pass;", BOARD), "TG0213", "write == none"),
    (action("for tile c in g.tiles if c is not none pass;", BOARD), "TG0213", "write != none"),
    (action("for tile c in g.tiles if c is not sq pass;", BOARD), "TG0213", "or not (… is T)"),
    (action("deck.push(new card(3));", CARDS), "TG0204", "write new card, or"),
    (action("t.n = random(1, 6);"), "TG0203", "write `random 6 + 1` for 1 to 6"),
    (action("t.n = 2 ** 3;"), "TG0201", "write ^"),
    ("enum suit { a, b } setup { suit s = suit::a; if s == suit.b draw; }", "TG0204", "did you mean '.'?"),
    # Events that are called otherwise; nothing is said of the fields that they may have.
    (
        f"{MEN} action a {{ trigger on man moved {{ to == g[0][0] }} effect {{ move instance to none; }} }}",
        "TG0211",
        "'movement'",
    ),
    (
        f"{MEN} action a {{\ntrigger on man plcment {{ to == none }}\neffect {{ move instance to from; }} }}",
        "TG0211",
        "'placement'",
    ),
    (
        f"{STATE} action a {{\n trigger on t.n changed {{ new > old }}\n effect {{\n t.n = new;\n }}\n}}",
        "TG0211",
        "'change'",
    ),
    # Declarations without their word, or with one of another language.
    (
        "pit { decimal n = 4; } board { group g adjacency { pit a, b; a -> b; } } setup { a.n = 1; }",
        "TG0208",
        "'tile pit'",
    ),
    (
        "pit { decimal n = 4; } board { group g adjacency { a -> b; b -> a; } } setup { a.n = 1; }",
        "TG0208",
        "'tile pit'",
    ),
    (
        "cell; board { group g square 2 by 2 { cell; } } setup { if g[0][0] is cell draw; }",
        "TG0208",
        "'tile cell'",
    ),
    (
        "interactable man placeable; cell holds man { } board { group g square 2 by 2 { cell; } }",
        "TG0208",
        "'tile cell'",
    ),
    ("interactable card stackable; pile of card; setup { pile.push(new card); }", "TG0208", "'stack pile'"),
    ("players 2 has seat; seat { decimal n = 0; } setup { seat[0].n = 1; }", "TG0208", "'local state seat'"),
    ("table { decimal n = 0; } setup { table.n = 1; }", "TG0208", "'global state table'"),
    ("global table { decimal n = 0; } setup { table.n = 1; }", "TG0208", "'state table'"),
    ("man { decimal n = 0; } setup { man m = new man; m.n = 1; }", "TG0208", "'interactable man'"),
    (
        "interactable man { decimal n = 0; } king: man { } setup { man m = new king; m.n = 1; }",
        "TG0208",
        "'interactable king'",
    ),
    (
        "suit { red, black } setup { if random 2 == 1 draw; suit s = red; if s == black draw; }",
        "TG0208",
        "'enum suit'",
    ),
    ("twice(decimal n) { n * 2 } setup { if twice(2) == 4 draw; }", "TG0208", "'verb twice'"),
    ("twice returns decimal { return 2; } setup { if twice() == 4 draw; }", "TG0208", "'verb twice'"),
    ("finish_it { require { true } effect { draw; } }", "TG0208", "'goal finish_it'"),
    ("go { trigger on player choice; effect { pass; } }", "TG0208", "'action go'"),
    ("main { phase day; default { pass player + 1; } }", "TG0208", "'turn main'"),
    ("tile c; { group g square 2 by 2 { c; } } setup { if g[0][0] == none draw; }", "TG0208", "'board {'"),
    ("verb f() { draw; } { f(); }", "TG0208", "'setup {'"),
    ("thing { decimal n = 0; }", "TG0208", "write a keyword before the name"),
    (
        "class Piece { decimal n = 0; } setup { for Piece p in Piece.all p.n = 1; }",
        "TG0208",
        "write the keyword: tile,",
    ),
    ("piece man placeable { } setup { for man m in man.all move m to none; }", "TG0208", "'interactable'"),
    ("field cell { } board { group g square 2 by 2 { cell; } }", "TG0208", "'tile'"),
    ("card ace { decimal n = 0; }", "TG0208", "write interactable … stackable"),
    ("board { group g adjacency { a -> b -> c -> a; } }", "TG0390", "declare one: `tile cell;`"),
    (
        "tile x; tile y; board { group g adjacency { a -> b -> c -> a; } group h square { x, y; } }",
        "TG0390",
        "name its tile: `x a;`",
    ),
    # What the checker knows the way out of.
    (action('string s = "a" + "b"; if s == "ab" t.n = 1;'), "TG0311", "strings cannot be concatenated"),
    (action('if "a" < "b" t.n = 1;'), "TG0311", ""),
    (f"{DAYS} {action('if phsae == morning t.n = 1;')}", "TG0301", "did you mean 'phase'?"),
    (f"{DAYS} {action('if morning == phsae t.n = 1;')}", "TG0301", "did you mean 'phase'?"),
    (f"{RIVER} tiles {{ rievr.source -> sea[0][0]; }} }}", "TG0391", "did you mean 'river'?"),
    (f"{RIVER} tiles {{ sae[0][0] -> river.source; }} }}", "TG0391", "did you mean 'sea'?"),
    (f"{GATHER} setup {{ x.gather.allwoed = false; }}", "TG0306", "did you mean 'allowed'?"),
    (f"{GATHER} setup {{ if x.gather.alowed draw; }}", "TG0306", "did you mean 'allowed'?"),
    (
        f"{STATE} goal g {{ require for few {{ t.n > 1 }} require {{ fwe }} effect {{ draw; }} }}",
        "TG0301",
        "'few'",
    ),
    (action('print("hello");'), "TG0301", "the rules print nothing"),
    (action("if len(t.l) > 3 t.l.clear();", LIST), "TG0301", "write `l.length`"),
    (
        "enum suit { a, b } setup { suit s = random weights { 1, 1 }; if s == a draw; }",
        "TG0310",
        "`decimal[suit] w = 1;`",
    ),
    # Heads of declarations in the manner of other languages, and misspelt words in them.
    ("global state t { decimal points[]; } setup { t.points.add(1); }", "TG0204", "write decimal[] points"),
    (
        "setup { decimal points[3]; points[0] = 1; if points[0] == 1 draw; }",
        "TG0204",
        "write decimal[3] points",
    ),
    ("verb f(decimal l[][]) { l.length } setup { if f({ }) > 0 draw; }", "TG0204", "write decimal[][] l"),
    (
        "verb f(decimal n): decimal { return n; } setup { if f(1) > 1 draw; }",
        "TG0204",
        "'returns'? It is optional",
    ),
    ("verb f() -> decimal[] { return { 1 }; } setup { if f().length > 1 draw; }", "TG0204", "'returns'?"),
    (
        f"{STATE} action go() {{ trigger on player choice; effect {{ t.n = 1; }} }}",
        "TG0204",
        "inputs belong in the braces",
    ),
    (
        f"{STATE} action go(decimal k) {{ trigger on player choice; effect {{ t.n = k; }} }}",
        "TG0204",
        "inputs belong in",
    ),
    (
        "tile w; board { group g 8 by 8 { w; } } setup { if g[0][0] == none draw; }",
        "TG0219",
        "'square 8 by 8'?",
    ),
    ("tile w; board { group g 3 { w; } }", "TG0219", "'square 3'?"),
    (
        "interactable man placeable; tile c hodls man; board { group g square 2 by 2 { c; } }",
        "TG0204",
        "'holds'?",
    ),
    ("action go { trigger on player choice; effect fro a { pass; } }", "TG0204", "did you mean 'for'?"),
    ("turn main { phase a; defualt { pass player + 1; } }", "TG0209", "did you mean 'default'?"),
    (
        "interactable card stackable; stack deck of card { defualt { { } } }",
        "TG0209",
        "did you mean 'default'?",
    ),
    ("tile w; board { group g square 2 by 2 { w; defualt { } } }", "TG0209", "did you mean 'default'?"),
    (f"{RIVER} tiels {{ river.source -> sea[0][0]; }} }}", "TG0209", "did you mean 'tiles'?"),
    (
        "global state s { actoin x choice 1 { trigger on player choice; effect { pass; } } }",
        "TG0209",
        "'action'?",
    ),
    (
        "global state s { actoin x priority 1 { trigger on player choice; effect { pass; } } }",
        "TG0209",
        "'action'?",
    ),
    (
        "interactable card stackable; global state s { stakc deck of card; } setup { s.deck.shuffle(); }",
        "TG0209",
        "'stack'?",
    ),
    # Signs and words that are only a little different.
    (action("if t.n === 1 t.n = 2;"), "TG0201", "write =="),
    (action("if t.n <> 1 t.n = 2;"), "TG0201", "write !="),
    (action("t.n := 3;"), "TG0204", "to assign a value, write ="),
    ("setup { decimal n = 0, m = 1; if n > m draw; }", "TG0204", "write each one separately"),
    ("global state t { decimal n, m; } setup { t.n = t.m; }", "TG0204", "write each one separately"),
    (action("input decimal k from 1 to 3 where k > 1; t.n = k;"), "TG0204", "in braces: { … }"),
    (action("unless t.n > 1 t.n = 1;"), "TG0212", "write `if not (…)`"),
    (action("loop { t.n += 1; }"), "TG0212", "write `while true { … }`"),
    (action("try { t.n = 1; } catch { t.n = 2; }"), "TG0212", "write `if …`"),
    (action("set t.n to 3;"), "TG0212", "write `a = b;`"),
    (action("add 1 to t.n;"), "TG0212", "write `a += 1;`"),
    (action("roll 6;"), "TG0212", "write `decimal d = random 6 + 1;`"),
    (action("skip;"), "TG0301", "write `pass;`"),
    (action("lose;"), "TG0301", "`out p`"),
    ("action go { trigger on player choice; effect: { pass; } }", "TG0204", "remove it"),
    ("enum suit = { a, b } setup { if random 2 == 1 draw; }", "TG0204", "remove it"),
    ("game Nim;", "TG0204", 'write "Nim"'),
    ("import other;", "TG0204", 'write "other.tgdl"'),
    ("enum suit { red; black; }", "TG0204", "write a comma"),
    ("enum suit { red, black; }", "TG0204", "remove it"),
    ("setup() { }", "TG0204", "remove `()`"),
    ("tile sq { } board b square 3 by 3 { sq; }", "TG0219", "group grid square"),
    ("tile sq { } board b adjacency { sq a, c; a <-> c; }", "TG0219", "group … adjacency"),
    ("tile sq { } board b graph { sq a, c; a <-> c; }", "TG0219", "group … adjacency"),
    ("tile sq { } board square 3 by 3;", "TG0219", "group grid square"),
    ("tile sq { } board 3 by 3;", "TG0219", "group grid square"),
    ("tile sq { } board b 3 by 3 { sq; }", "TG0219", "group grid square"),
    ("tile sq { } board { square 3 by 3; }", "TG0209", "write them in a group"),
    ("tile sq { } board { 3 by 3 }", "TG0209", "write them in a group"),
    ("tile sq { } board { adjacency { a -> b; } }", "TG0209", "write them in a group"),
    ("tile sq { } board { sq a; sq b; a - b; }", "TG0209", "write them in a group"),
    ("tile sq { } board { sq a; sq b; a -> b; }", "TG0209", "write them in a group"),
    ("tile sq { } board { group g graph { sq a, c; a <-> c; } }", "TG0219", "did you mean 'adjacency'?"),
    (
        "tile hole { } board { group g adjacency { hohle a { n = 4; } hohle c { n = 3; } a <-> c; } }",
        "TG0301",
        "did you mean 'hole'?",
    ),
    (
        f"{STATE} board {{ group g adjacency {{ t a {{ seeds = 4; }} a -> a; }} }}",
        "TG0301",
        "",
    ),
    ('enum suit { clubs, hearts } global state t { suit s = "clubs"; }', "TG0310", "`suit.clubs`"),
    (action('t.s = "heart";', SUITS), "TG0310", "`suit.hearts`"),
    (action('if t.s == "hearts" t.s = suit.clubs;', SUITS), "TG0312", "`suit.hearts`"),
    (action('if "swords" == t.s t.s = suit.clubs;', SUITS), "TG0312", "`suit.clubs`"),
    (action("seat(player).n += 1;", SEATS), "TG0318", "`seat[player]`"),
    (action("decimal k = seat(player + 1).n;", SEATS), "TG0318", "`seat[…]`"),
    (action("card c = card();", CARDS), "TG0318", "`new card`"),
    (action("t();"), "TG0318", ""),
    (
        f"tile k {{ }} {BOARD[:-1]} group c corners of g {{ k; }} }} setup {{ k x = c[4]; }}",
        "TG0315",
        "write `c.tiles[…]`",
    ),
    ("interactable card stackable { } stack of card hand;", "TG0204", "did you mean 'stack hand of card'?"),
    (
        "interactable card stackable { } local state s { stack of card hand { } }",
        "TG0204",
        "'stack hand of card'?",
    ),
    ("verb f(a: decimal) { a } setup { if f(1) == 1 draw; }", "TG0204", "did you mean 'decimal a'?"),
    ("verb f(decimal b, a: decimal[]) { b } setup { if f(1, { }) == 1 draw; }", "TG0204", "'decimal[] a'?"),
    (
        f"{STATE} action go {{ trigger on player choice; input k: decimal from 1 to 3; effect {{ draw; }} }}",
        "TG0204",
        "did you mean 'decimal k'?",
    ),
    (f"{BOARD} setup {{ sq s = g[1]; if s == none draw; }}", "TG0315", "`group[row][column]`"),
]


@pytest.mark.parametrize("text, code, hint", SLIPS, ids=[text[-60:] for text, _, _ in SLIPS])
def test_a_slip_is_told_once_with_the_way_out(text: str, code: str, hint: str) -> None:
    found = found_in(text)
    assert [(one.severity, one.code) for one in found] == [("error", code)]
    assert hint in found[0].hint


def test_a_foreign_statement_that_reads_like_a_variable_gets_its_hint() -> None:
    found = found_in("setup { player p = player 1; lose p; }")
    assert (found[0].code, found[0].hint[:7]) == ("TG0305", "`out p`")


def test_a_type_may_have_the_name_of_a_foreign_statement() -> None:
    assert (
        found_in("tile place { } setup { for place p in place.all { place q = p; if p == q draw; } }") == ()
    )


def test_a_result_of_a_verb_that_ends_with_a_semicolon_is_told() -> None:
    found = found_in(action("t.double();", "global state t { decimal n = 0; verb double() { n * 2; } }"))
    assert [one.code for one in found] == ["TG0410"]
    assert found[0].hint == "if it is the result, remove the `;` or write `return` before it"


def test_a_comparison_that_is_no_condition_may_be_meant_to_give_a_value() -> None:
    hints = [one.hint for one in found_in(action("t.n == 3;")) if one.code == "TG0410"]
    assert hints == ["`==` compares; to assign a value, write `=`"]


def test_types_and_verbs_may_have_foreign_names() -> None:
    declared = "tile elif { } verb elsif(decimal n) { if n > 3 draw; } "
    body = "decimal n = random 3; if n > 1 draw; elsif(n); elif e; for elif c in elif.all e = c;"
    assert found_in(f"{declared} setup {{ {body} if e == none draw; }}") == ()


@pytest.mark.parametrize("written", ["lib.uint", "lbi.unit", "lbi.uint"])
def test_a_misspelt_type_of_another_file_gets_a_suggestion(written: str) -> None:
    files = {"lib.tgdl": "interactable unit placeable { }"}
    text = f'import "lib.tgdl" as lib; setup {{ {written} u = none; if u == none draw; }}'
    (found,) = check_source(Source(text, "game.tgdl"), files.get)[1]
    assert (found.code, found.hint) == ("TG0305", "did you mean 'lib.unit'?")


@pytest.mark.parametrize("word", ["include", "using", "from", "load"])
def test_files_are_brought_in_by_import(word: str) -> None:
    assert found_in(f'{word} "other.tgdl";')[0].hint == "did you mean 'import'?"
