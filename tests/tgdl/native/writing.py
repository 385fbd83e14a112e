"""Writes random programs that are mostly well typed: a stage of things of all kinds, and rules that use them.

The stage is nearly the same in every program, so that expressions and statements of every type have something
to speak of; what is declared, asked, tested, done and heard is drawn from tables of patterns. In a pattern
`$decimal` is an expression of that type, `$man:bool` the body of a query over men, `$(a|b)` one of several
words.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

DEEPEST = 3
TYPES = ("decimal", "bool", "player", "color", "string", "cell", "man", "decimal[]", "man[]", "color[]")
HOLE = re.compile(r"\$\(([^()]*)\)|\$(\w+(?:\[\])?)(?::(\w+))?")

SIMPLE: dict[str, tuple[str, ...]] = {
    "decimal": ("0", "1", "2", "3", "0.5", "t.n", "t.m", "seat[player].gold", "SIZE", "t.l.length"),
    "bool": ("true", "false", "t.b", "(t.n > 1)", "(t.who == player)"),
    "player": ("player", "player", "t.who", "players.active", "0", "(player + 1)"),
    "color": ("red", "green", "blue", "t.c"),
    "string": ('"a"', '"b"', "t.s"),
    "cell": ("grid[0][1]", "t.here", "grid[1][0]", "cell.all.first", "grid.tiles.last"),
    "man": ("t.hero", "man.all.first", "man.all.last"),
    "cell[]": ("cell.all", "grid.tiles"),
    "man[]": ("man.all", "t.men"),
    "color[]": ("color.all", "t.cs", "{ red, blue }"),
    "player[]": ("players.all", "players.in"),
    "decimal[]": ("t.l", "{ 1, 2 }", "t.l", "seat[player].notes"),
}
DEEP: dict[str, tuple[str, ...]] = {
    "decimal": (
        "($decimal $(+|-|*|+|-) $decimal)",
        "($decimal $(/|%) $(2|3))",
        "($decimal $(/|%) $decimal)",
        "$(floor|abs|ceil|round)($decimal)",
        "$(min|max)($decimal, $decimal)",
        "$decimal[].$(sum|max|min)()",
        "$decimal[].$(length|first|last)",
        "$decimal[][$(0|1|2)]",
        "$decimal[][$decimal]",
        "t.table[$color]",
        "t.scores[$player]",
        "t.square[$(0|1)][$(0|1|2)]",
        "$man[].$(sum|min|max)($man:decimal)",
        "$cell[].count($cell:bool)",
        "$man.power",
        "$man.age()",
        "$cell.$(row|column|weight|weight)",
        "$cell.distance($cell)",
        "half($decimal)",
        "($player as decimal)",
        "deck.length",
        "$decimal[].find($decimal)",
    ),
    "bool": (
        "($bool $(and|or|xor) $bool)",
        "not $bool",
        "($decimal $(<|>|<=|>=|==|!=) $decimal)",
        "($player $(==|!=) $player)",
        "($color $(==|!=|<) $color)",
        "($cell == $cell)",
        "($man != $man)",
        "($string == $string)",
        "($decimal[] $(==|!=) $decimal[])",
        "($man[] == $man[])",
        "($(t.who|t.m|t.here|t.hero|t.c) == none)",
        "($man.tile != none)",
        "$decimal[].contains($decimal)",
        "$man[].$(any|all)($man:bool)",
        "$cell[].$(any|all)($cell:bool)",
        "$player[].any($player:bool)",
        "($man is knight)",
        "(t.p == game.position)",
    ),
    "player": (
        "($player $(+|-) $decimal)",
        "$man.player",
        "$player[].first($player:bool)",
        "players.next($player)",
    ),
    "color": ("$man.tint", "$color[].$(first|last)", "t.tints[$player]", "$color[].max()"),
    "cell": (
        "$man.tile",
        "$cell.next($(north|east|south|west))",
        "$cell[].first($cell:bool)",
        "grid[$(0|1)][$decimal]",
    ),
    "man": ("$man[].first($man:bool)", "$man[].$(first|last)", "($man as knight)"),
    "decimal[]": (
        "$decimal[].where($decimal:bool)",
        "$man[].map($man:decimal)",
        "$cell[].map($cell:decimal)",
        "{ $decimal, $decimal }",
    ),
    "cell[]": (
        "$cell[].where($cell:bool)",
        "$cell.adjacent",
        "$cell.line(east)",
        "$cell.region($cell:bool)",
    ),
    "man[]": ("$man[].where($man:bool)",),
    "color[]": ("$man[].map($man:color)",),
}

ASSIGNMENTS = (
    "t.n $(=|+=|-=|*=) $decimal;",
    "t.m = $decimal;",
    "t.b = $bool;",
    "t.c = $color;",
    "t.s = $string;",
    "t.who = $player;",
    "t.here = $cell;",
    "t.hero = $man;",
    "t.l = $decimal[];",
    "t.l[$(0|1|4)] $(=|+=) $decimal;",
    "t.table[$color] $(=|+=) $decimal;",
    "t.square[$(0|1)][$(0|2)] = $decimal;",
    "t.scores[$player] $(=|+=) $decimal;",
    "t.tints[$player] = $color;",
    "t.men = $man[];",
    "t.cs = $color[];",
    "t.nested[$(0|1|2)] = $decimal[];",
    "t.l = t.nested.$(first|last);",
    "t.p = $(game.position|grid.position|t.p);",
    "$man.power $(=|+=) $decimal;",
    "$man.tint = $color;",
    "$cell.weight = $decimal;",
    "seat[$player].gold $(=|-=) $decimal;",
)
CHANGES = (
    "t.l.add($decimal);",
    "t.l.remove($decimal);",
    "t.l.removeAt($(0|1));",
    "t.l.append($decimal[]);",
    "t.l.clear();",
    "t.n = t.l.pop();",
    "t.l.shuffle();",
    "t.men.add($man);",
    "t.men.remove($man);",
    "t.nested.add($decimal[]);",
    "t.nested[$(0|1)].add($decimal);",
    "t.lists[$color].add($decimal);",
    "seat[$player].notes.add($decimal);",
)
MOVES = (
    "move $man to $cell;",
    "move $man to none;",
    "move new $(man|knight) to $cell;",
    "move new man { power = $decimal; player = $player; } to $cell;",
    "if $cell.placeables.length == 0 move new knight to grid[0][0];",
)
CARDS = (
    "waste.push(deck.pop());",
    "deck.discard_to(waste);",
    "deck.shuffle();",
    "deck.reshuffle(waste);",
    "seat[$player].hand.push(deck.draw($player));",
    "waste.push(seat[player].hand.pop());",
    "for card c in waste.pop(2) deck.push_back(c);",
    "deck.push_back(waste.pop_back());",
    "if waste.top != none t.n = waste.top.rank;",
    "t.m = waste.sum(c: c.rank);",
    "t.n = random 3;",
)
ENDINGS = (
    'if $bool fail "no {$decimal}";',
    "if $bool cancel;",
    "if $bool cancel all;",
    "if $bool win $player;",
    "if $bool out $player;",
    "if $bool draw;",
    "pass $player;",
    "pass;",
    "$(a1|a2).allowed = $bool;",
    "spread($decimal);",
    "bonus(by: $decimal);",
    "bell();",
)
EVENTS = (
    "state change",
    "state change fast",
    "action",
    "action call before",
    "t.n change",
    "t.n change fast",
    "t.n change before",
    "t.l change",
    "t.table change fast",
    "man movement",
    "man placement before",
    "placeable removal",
    "man.power change",
    "stack put",
    "deck draw fast",
    "card drawn",
    "seat.gold change",
    "a1 call",
    "a2 call before",
    "game start",
    "game end",
    "player stuck",
    "phase active",
)
STAGE = """\
enum color { red, green, blue }
const decimal SIZE = $(2|3);
tile cell$(| holds man) { decimal weight = $(0|1|2.5); }
board { group grid square $(|around )2 by $(2|SIZE) { cell; } }
interactable man placeable { decimal power = 1; color tint = red; verb age() { power + 1 } }
interactable knight : man { override verb age() { base.age() * 2 } decimal speed = 2; }
interactable card stackable { decimal rank = 1; }
stack waste of card;
stack deck of card { default { for decimal r from 1 to 4 deck.push(new card { rank = r; }); } }
global state t
{
  decimal n = $(0|1|2)$(||| from -50 to 50); decimal m;
  bool b = false; color c = green; string s = "a"; player who; cell here; man hero; position p;
  decimal[] l = { 1, 2, 3 }; decimal[][] nested = {}; man[] men = {}; color[] cs = {};
  decimal[color] table = 0; decimal[player] scores = 0; color[player] tints = red;
  decimal[2][3] square = 0; decimal[color][] lists;
}
local state seat { decimal gold = 3; decimal[] notes = {}; $(|private |hidden )stack hand of card; }"""
TURNS = (
    "",
    "",
    "turn main { phase one; phase two { effect { t.m = 1; } } default { pass player + 1 to $(one|two); } }",
    "turn main { phase one; phase two; default { if phase == one pass to two; else pass player + 1; } }",
    "turn main { phase one asks players.all; phase two; default { pass player + 1 to $(one|two); } }",
    "turn main { phase one simultaneous asks players.all; phase two; default { pass to $(one|two); } }",
)


@dataclass
class Writer:
    """A program that is being generated. Mutable."""

    draws: random.Random
    variables: list[tuple[str, str]] = field(default_factory=list)
    """The names and types in scope."""
    count: int = 0
    depth: int = 0

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def fill(self, pattern: str) -> str:
        """A pattern with something in its holes."""

        def put(found: re.Match[str]) -> str:
            words, type, result = found.groups()
            if words is not None:
                return self.draws.choice(str(words).split("|"))
            return self.of(type) if result is None else self.query(type, result)

        return HOLE.sub(put, pattern)

    def one_of(self, patterns: tuple[str, ...]) -> str:
        return self.fill(self.draws.choice(patterns))

    def of(self, type: str) -> str:
        """An expression of a type."""
        known = [name for name, held in self.variables if held == type]
        if known and self.draws.random() < 0.35:
            return self.draws.choice(known)
        patterns = SIMPLE[type]
        if self.depth < DEEPEST and self.draws.random() < 0.8:
            patterns = DEEP.get(type, patterns)
        self.depth += 1
        found = self.one_of(patterns)
        self.depth -= 1
        return found

    def query(self, element: str, result: str) -> str:
        """`x: …`, a body for each element."""
        name = self.name("q")
        return f"{name}: {self.knowing(name, element, lambda: self.of(result))}"

    def knowing(self, name: str, type: str, write: Callable[[], str]) -> str:
        """A scope in which a variable is visible."""
        self.variables.append((name, type))
        found = write()
        self.variables = [each for each in self.variables if each[0] != name]
        return found

    # Statements

    def block(self, most: int) -> str:
        known = len(self.variables)
        rows = [self.statement(most) for _ in range(self.draws.randint(1, 3))]
        del self.variables[known:]
        return f"{{ {' '.join(rows)} }}"

    def statement(self, most: int) -> str:
        if most <= 0:
            return self.one_of(self.draws.choice((ASSIGNMENTS, CHANGES)))
        match self.draws.randrange(15):
            case 0 | 1 | 2:
                return self.one_of(CHANGES)
            case 3 | 4:
                return self.one_of(MOVES)
            case 5:
                return self.one_of(CARDS)
            case 6:
                return self.one_of(ENDINGS)
            case 7:
                type, name = self.draws.choice(TYPES), self.name("v")
                found = f"{type} {name} = {self.of(type)};"
                self.variables.append((name, type))
                return found
            case 8:
                return f"if {self.of('bool')} {self.block(most - 1)}"
            case 9:
                return f"if {self.of('bool')} {self.block(most - 1)} else {self.block(most - 1)}"
            case 10:
                return self.loop(most)
            case 11:
                declared, name, type = self.input()
                self.variables.append((name, type))
                return declared
            case _:
                return self.one_of(ASSIGNMENTS)

    def loop(self, most: int) -> str:
        name = self.name("i")
        if self.draws.random() < 0.3:
            head = self.fill(f"for decimal {name} from $(0|1) to $(1|2|t.l.length)")
            type = "decimal"
        else:
            type = self.draws.choice(("decimal", "man", "cell"))
            head = f"for {type} {name} in {self.of(f'{type}[]')}"
        leave = self.fill("if $bool $(break|continue); ") if self.draws.random() < 0.3 else ""
        body = self.knowing(name, type, lambda: self.block(most - 1))
        return f"{head} {{ {leave}{body[2:]}"

    # Declarations

    def input(self) -> tuple[str, str, str]:
        """An input, its name and its type."""
        name = self.name("x")
        type = self.draws.choice(("decimal", "decimal", "bool", "player", "color", "cell", "man", "man[]"))
        is_list = type.endswith("[]")
        head = self.fill("$(|all )" if is_list else "$(||||optional |auto )")
        tail = ""
        if type == "decimal":
            tail = self.fill(
                self.draws.choice((" from 1 to 3", " from 0 to t.l.length", " in { 1, 2, 5 }", " in t.l"))
            )
        elif is_list and not head:
            tail = self.fill("$( from 1 to 2| from 0 to 1| from 2 to 2 sequence)")
        if not head and self.draws.random() < 0.1:
            tail += self.fill(" player $(player + 1|0)")
        filter_ = ";"
        if self.draws.random() < 0.4 and not (is_list and head):
            condition = self.knowing(name, type, lambda: self.of("bool"))
            filter_ = f" {{ filter {{ {condition} }} }}" if is_list else f" {{ {condition} }}"
        return f"{head}input {type} {name}{tail}{filter_}", name, type

    def action(self, name: str, trigger: str, *, passes: bool) -> str:
        known = len(self.variables)
        word = self.fill("$(|||| priority 2| sequence| choice 1| simultaneous)")
        rows = [f"trigger on {trigger};"] if trigger else []
        if not trigger or self.draws.random() < 0.15:
            rows.append(self.fill("trigger { $bool }"))
        for _ in range(self.draws.choice((0, 0, 1, 1, 2))):
            declared, given, type = self.input()
            rows.append(declared)
            self.variables.append((given, type))
        if self.draws.random() < 0.4:
            rows.append(self.fill("require { $bool }"))
        over_names = self.draws.random() < 0.15 and word in ("", " priority 2")
        is_named = word in (" sequence", " choice 1", " simultaneous") or over_names
        parts = [" for A", " for B"] if is_named else [""]
        if over_names:
            rows.append("effect { B and A }")
        elif is_named and self.draws.random() < 0.5:
            parts.insert(self.draws.randrange(3), "")
        for part in parts:
            tail = " pass; }" if passes and self.draws.random() < 0.8 else " }"
            rows.append(f"effect{part} {self.block(2)[:-2]}{tail}")
        if self.draws.random() < 0.1:
            test = self.fill("$(require|trigger) { $bool }")
            rows.append(f"phase later {{ {test} effect {self.block(1)} }}")
        del self.variables[known:]
        return f"action {name}{word} {{ {' '.join(rows)} }}"


def write_program(draws: random.Random) -> str:
    """A program on the usual stage."""
    w = Writer(draws)
    rows = [w.fill("players $(2|2|3|2..3) has seat;"), *w.fill(STAGE).splitlines(), w.one_of(TURNS)]
    half = w.knowing("h", "decimal", lambda: w.of("decimal")).replace("half", "floor")
    rows.append(f"verb half(decimal h) returns decimal {{ {half} }}")
    rows.append(f"verb spread(decimal k) {{ {w.knowing('k', 'decimal', lambda: w.statement(0))} }}")
    rows.append(f"action bell {{ effect {w.block(1)} }}")
    by = w.knowing("by", "decimal", lambda: w.block(1))
    rows.append(f"action bonus {{ input decimal by from 1 to 9; effect {by} }}")
    knight = w.fill("$(|move new knight { player = 1; } to grid[1][1];)")
    first = w.one_of(draws.choice((ASSIGNMENTS, CHANGES, MOVES)))
    shuffle = draws.choice(("", "deck.shuffle();"))
    rows.append(f"setup {{ move new man to grid[0][0]; {knight} {first} {shuffle} }}")
    rows.append(w.action("a1", "player choice", passes=True))
    rows.append(w.action("a2", w.fill("player $(choice|choice|offturn|aside)"), passes=True))
    if draws.random() < 0.5:
        head = draws.choice(("tile cell", "interactable man", "local state seat"))
        own = w.action("own", draws.choice(("player choice", "player choice", "")), passes=True)
        rows = [f"{row[: row.rindex('}')]} {own} }}" if row.startswith(head) else row for row in rows]
    for number in range(draws.choice((0, 1, 1, 2))):
        rows.append(w.action(f"h{number}", draws.choice(EVENTS), passes=False))
    for number in range(draws.choice((0, 0, 1, 2))):
        rows.append(w.action(f"c{number}", "", passes=False))
    if draws.random() < 0.4:
        rows.append(w.fill("goal done { $(require|trigger) { $bool } effect { win player; } }"))
    return "\n".join(rows)
