"""Seconds of the reference engine for a million fuel, for programs that stress one operation each.

    python -m tests.tgdl.reference.prices                 all programs, the dearest first
    python -m tests.tgdl.reference.prices --only equal    programs whose name contains a text

Every program runs an endless loop around one operation until its fuel is used up. A price is right if ten
million fuel take at most about 15 seconds: an operation above 1.5 seconds a million is too cheap. This is a
command and not a test, because its figures depend on the machine.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.world.faults import Fault
from tests.language.script import reference

LIMIT = 1.5
"""The seconds that a million fuel may take."""


@dataclass(frozen=True)
class Stress:
    """A program: its declarations, what runs once before the loop, and the body of the endless loop."""

    name: str
    body: str
    before: str = ""
    declarations: str = ""
    players: str = "2"

    @property
    def text(self) -> str:
        return (
            f"players {self.players};\n"
            'global state t { decimal n = 0; decimal m = 1; bool b = false; string s = "x"; player p = 0;'
            " decimal[] l = {}; decimal[][] ll = {}; string[] ls = {}; object o = none; object[] lo = {};"
            " decimal[player] tp = 0; }\n"
            f"{self.declarations}\n"
            "action go { trigger on player choice; effect { "
            f"{self.before} while true {{ {self.body} }} }} }}\n"
        )


def fill(length: int, target: str = "t.l", value: str = "i") -> str:
    return f"for decimal i from 1 to {length} {target}.add({value});"


def plain() -> Iterator[Stress]:
    yield Stress("empty loop", "t.n = 0;")
    bodies = {
        "assign": "t.n = t.m;",
        "add": "t.n += 1;",
        "local": "x = x + 1;",
        "power": "x = 2 ^ 3;",
        "modulo": "x = 7 % 3;",
        "player": "t.p = player + 1;",
        "if": "if t.n > 0 t.n = 0;",
        "compare": "t.b = t.n < t.m;",
        "equal": "t.b = t.n == t.m;",
        "logic": "t.b = t.b and t.b or not t.b;",
        "round": "x = round(1.5);",
        "none": "t.b = t.o == none;",
        "string equal": 't.b = t.s == "abc";',
        "pass": "pass;",
        "table": "t.tp[player] = 1;",
        "table read": "x = t.tp[player + 1];",
        "table add": "t.tp[player] += 1;",
        "conditional": "x = (1 if t.b else 2);",
        "literal list": "t.l = {};",
        "length": "x = t.l.length;",
        "object": "t.o = x;",
        "is": "t.b = t.o is decimal;",
        "as": "x = t.o as decimal;",
        "max2": "x = max(t.n, t.m);",
        "use turn": "pass player + 1;",
        "players count": "x = players.count;",
        "players next": "t.p = players.next(player);",
        "out": "in player 1;",
    }
    for name, statement in bodies.items():
        for count in (1, 8, 300):
            before = "decimal x = 0;"
            if name == "as":
                before += "t.o = 5;"
            yield Stress(f"{count} × {name}", statement * count, before)
    yield Stress("300 × deep sum", "t.n = " + " + ".join(["t.m"] * 95) + ";")
    yield Stress("deep and", "t.b = " + " and ".join(["true"] * 95) + ";")
    yield Stress("deep attribute or", "t.b = " + " or ".join(["t.b"] * 95) + ";")


def lists() -> Iterator[Stress]:
    for length in (1, 10, 49, 50, 500, 20_000):
        before = fill(length) + " decimal[] k = t.l; decimal x = 0; bool b = false;"
        for name, body in {
            "equal": "t.b = t.l == k;",
            "copy": "t.l = k;",
            "copy to a variable": "k = t.l;",
            "contains": "t.b = t.l.contains(-1);",
            "find": "x = t.l.find(-1);",
            "count value": "x = t.l.count(-1);",
            "sum": "x = t.l.sum();",
            "max": "x = t.l.max();",
            "entry": "t.l[0] = 2;",
            "entry of a variable": "k[0] = 2;",
            "add and pop": "t.l.add(1); t.l.pop();",
            "first": "x = t.l.first;",
            "last": "x = t.l.last;",
            "index": "x = t.l[0];",
            "remove": "t.l.remove(-1);",
            "removeRange": "t.l.removeRange(k); t.l = k;",
            "append": "t.l.append(k); t.l = k;",
            "copy()": "t.l = k.copy();",
            "for": "for decimal e in t.l { break; }",
            "map": "t.l = k.map(e: e);",
            "where": "t.l = k.where(e: e > 0);",
            "all": "b = k.all(e: e > 0);",
            "any": "b = k.any(e: e < 0);",
            "most": "t.l = k.most(e: e);",
            "sorted": "t.l = k.sorted(e: -e);",
            "sum of": "x = k.sum(e: e);",
            "until": "t.l = k.until(e: e < 0);",
            "count of": "x = k.count(e: e > 0);",
            "is list": "t.b = t.o is decimal[];",
            "object of list": "t.o = k;",
            "verb argument": "f(k);",
            "verb result": "k = g();",
        }.items():
            yield Stress(
                f"list of {length}: {name}",
                body,
                before,
                "verb f(decimal[] q) { return; } verb g() { return t.l; }",
            )
        for count in (8, 60):
            yield Stress(f"list of {length}: {count} × equal", "t.b = t.l == k;" * count, before)
            yield Stress(f"list of {length}: {count} × contains", "t.b = t.l.contains(-1);" * count, before)
            yield Stress(f"list of {length}: {count} × copy", "t.l = k;" * count, before)
            yield Stress(f"list of {length}: {count} × sum", "x = t.l.sum();" * count, before)
            yield Stress(f"list of {length}: {count} × entry", "t.l[0] = 1;" * count, before)
            yield Stress(
                f"list of {length}: {count} × for", "for decimal e in t.l { break; }" * count, before
            )
    for outer, inner in ((1, 49), (49, 1), (49, 49), (1000, 1), (300, 49)):
        before = (
            fill(inner)
            + f" for decimal i from 1 to {outer} t.ll.add(t.l); decimal[][] k = t.ll; decimal x = 0;"
        )
        for name, body in {
            "equal": "t.b = t.ll == k;",
            "copy": "t.ll = k;",
            "contains": "t.b = t.ll.contains(t.l);",
            "entry": "t.ll[0] = t.l;",
            "inner entry": "t.ll[0][0] = 1;",
            "object": "t.o = k;",
            "object equal": "t.o = k; t.b = t.o == t.ll;",
            "map": "t.ll = k.map(e: e);",
            "removeRange": "t.ll.removeRange(k); t.ll = k;",
            "sorted": "t.ll = k.sorted(e: e.length);",
        }.items():
            yield Stress(f"lists of {outer} × {inner}: {name}", body, before)
    before = fill(500, "t.lo") + " object[] k = t.lo; bool b = false; decimal x = 0;"
    for name, body in {
        "equal": "t.b = t.lo == k;",
        "contains": 't.b = t.lo.contains("x");',
        "find": 'x = t.lo.find("x");',
        "removeRange": "t.lo.removeRange(k); t.lo = k;",
        "is": "t.b = t.o is object[];",
    }.items():
        yield Stress(f"objects: {name}", body, before)
    text = "ab" * 4_999
    before = (
        f'string a = "{text}"; string c = "{text}"; t.s = "{text}";'
        " for decimal i from 1 to 49 t.ls.add(a); string[] k = t.ls; bool b = false;"
    )
    for name, body in {
        "equal": "t.b = a == c;",
        "list equal": "t.b = t.ls == k;",
        "contains": 't.b = t.ls.contains("y");',
        "contains same": "t.b = t.ls.contains(c);",
        "copy": "t.ls = k;",
        "sorted": "t.ls = k.sorted(e: 1);",
    }.items():
        for count in (1, 60):
            yield Stress(f"long strings: {count} × {name}", body * count, before)


RELINK = "unlink g[2][2] <-> g[2][3]; link g[2][2] <-> g[2][3];"
BOARDS = {
    "square 5": "board { group g square 5 by 5 { sq; } }",
    "square 31": "board { group g square 31 by 31 { sq; } }",
    "square 40": "board { group g square 40 by 40 { sq; } }",
    "hex 20": "board { group g hex row 20 by 20 { sq; } }",
}


def boards() -> Iterator[Stress]:
    tile = "tile sq { decimal v = 0; sq q; bool f = false; } "
    for board, declaration in BOARDS.items():
        before = "decimal x = 0; sq a = g[1][1]; sq z = g[4][4]; bool b = false; tile[] ts = {}; tile k = a;"
        for name, body in {
            "distance": "x = a.distance(z);",
            "between": "ts = a.between(z);",
            "adjacent": "b = a.adjacent.contains(z);",
            "line": "x = a.line(0).length;",
            "lines 3": "x = a.lines(3).length;",
            "region": "x = a.region(e: true).length;",
            "next": "k = a.next(0);",
            "all": "x = sq.all.length;",
            "all where": "x = sq.all.where(e: e.v > 0).length;",
            "row": "x = a.row;",
            "tiles": "x = board.tiles.length;",
            "game position": "t.b = game.position == game.position;",
            "group position": "t.b = g.position == g.position;",
            "attribute": "a.v = 1;",
        }.items():
            for count in (1, 30):
                yield Stress(f"{board}: {count} × {name}", body * count, before, tile + declaration)
        changing = "action wall { trigger on player choice; effect { unlink g[0][0] <-> g[0][1]; } }"
        for name, body in {
            "distance": "x = a.distance(z);",
            "between": "ts = a.between(z);",
            "line": "x = a.line(0).length;",
            "adjacent": "x = a.adjacent.length;",
            "region": "x = a.region(e: true).length;",
            "link": RELINK,
            "neighbours after a link": f"{RELINK} x = a.adjacent.length;",
            "distance after a link": f"{RELINK} x = a.distance(z);",
        }.items():
            yield Stress(f"changing {board}: {name}", body, before, tile + declaration + changing)
    dense = "; ".join(f"t{i} <-> t{j}" for i in range(90) for j in range(i))
    names = ", ".join(f"t{i}" for i in range(90))
    for change in ("", "action wall { trigger on player choice; effect { unlink g.t1 <-> g.t2; } }"):
        declaration = f"tile sq {{ }} board {{ group g adjacency {{ sq {names}; {dense}; }} }} {change}"
        word = "changing " if change else ""
        for name, body in {
            "distance": "x = g.t0.distance(g.t9);",
            "between": "ts = g.t0.between(g.t9);",
            "adjacent": "x = g.t0.adjacent.length;",
            "region": "x = g.t0.region(e: true).length;",
            "lines": "x = g.t0.lines.length;",
        }.items():
            yield Stress(f"{word}dense graph: {name}", body, "decimal x = 0; tile[] ts = {};", declaration)


def things() -> Iterator[Stress]:
    board = "board { group g square 5 by 5 { sq; } }"
    pieces = f"interactable man placeable {{ decimal v = 0; }} tile sq holds man {{ }} {board}"
    before = "man a = new man; move a to g[0][0]; decimal x = 0; man k = a;"
    for name, body in {
        "move": "move a to g[1][1]; move a to g[0][0];",
        "move off": "move a to none; move a to g[0][0];",
        "tile": "t.b = a.tile is none;",
        "holds": "k = g[0][0].man;",
        "placeables": "x = g[0][0].placeables.length;",
        "all": "x = man.all.length;",
        "off": "x = man.off.length;",
        "attribute": "a.v = 1;",
    }.items():
        for count in (1, 30):
            yield Stress(f"pieces: {count} × {name}", body * count, before, pieces)
    many = f"interactable man placeable {{ decimal v = 0; }} tile sq {{ }} {board}"
    before = (
        "for decimal i from 1 to 2000 { man q = new man; move q to g[0][0]; }"
        " man a = man.all[0]; man z = man.all[1999]; decimal x = 0;"
    )
    for name, body in {
        "move": "move a to g[1][1]; move a to g[0][0];",
        "placeables": "x = g[0][0].placeables.length;",
        "all": "x = man.all.length;",
        "off": "x = man.off.length;",
        "contains": "t.b = man.all.contains(z);",
    }.items():
        yield Stress(f"crowd: {name}", body, before, many)
    cards = "interactable card stackable { decimal v = 0; } stack deck of card { } stack pile of card { }"
    for count in (1, 49, 2000):
        before = (
            f"for decimal i from 1 to {count} {{ card c = new card; move c to deck; }}"
            " decimal x = 0; card k = deck.cards[0];"
        )
        for name, body in {
            "move": "move k to pile; move k to deck;",
            "top": "k = deck.top;",
            "cards": "x = deck.cards.length;",
            "length": "x = deck.length;",
            "shuffle": "deck.shuffle();",
            "pop": "k = deck.pop(); move k to deck;",
        }.items():
            yield Stress(f"deck of {count}: {name}", body, before, cards)
    yield Stress("new", "man a = new man;", "", pieces)
    wide = "interactable man placeable { " + " ".join(f"decimal v{i} = {i};" for i in range(200)) + " }"
    yield Stress("new of a wide thing", "man a = new man;", "", wide)
    yield Stress("new of many", "man[] a = new man[100];", "", wide)


def calls() -> Iterator[Stress]:
    yield Stress("verb", "f();", "", "verb f() { return; }")
    yield Stress("30 × verb", "f();" * 30, "", "verb f() { return; }")
    yield Stress(
        "verb with arguments",
        "f(1, 2, 3, 4, 5, 6, 7, 8);",
        "",
        "verb f(" + ", ".join(f"decimal a{i}" for i in range(8)) + ") { return; }",
    )
    yield Stress("action", "h();", "", "action h { effect { t.n = 1; } }")
    yield Stress("recursion", "f(900);", "", "verb f(decimal n) { if n > 0 f(n - 1); return; }")
    for count in (1, 49, 300):
        triggers = " ".join(
            f"action h{i} {{ trigger on t.n change; require {{ false }} effect {{ t.m = 1; }} }}"
            for i in range(count)
        )
        yield Stress(f"{count} triggers that do not start", "t.n += 1;", "", triggers)
    yield Stress("a trigger", "t.n += 1;", "", "action h { trigger on t.n change; effect { t.m = 1; } }")
    yield Stress(
        "a trigger before", "t.n += 1;", "", "action h { trigger on t.n change before; effect { t.m = 1; } }"
    )
    yield Stress("a cancelled effect", "h();", "", "action h { effect { t.m = 1; cancel; } }")
    yield Stress("a try", "x = 1; h();", "decimal x = 0;", "action h { effect { t.m = 1; } }")
    yield Stress(
        "255 players", "t.b = players.all.contains(player 3); t.p = players.next(player);", "", "", "255"
    )
    yield Stress("255 players table", "t.tp[player] += 1;", "", "", "255")
    yield Stress(
        "255 players seat",
        "seat[player + 1].gold += 1;",
        "",
        "local state seat { decimal gold = 0; }",
        "255 has seat",
    )
    yield Stress(
        "30 × seat",
        "seat[player + 1].gold += 1;" * 30,
        "",
        "local state seat { decimal gold = 0; }",
        "255 has seat",
    )
    yield Stress("random", "t.n = random 2;", "", "")


def measure(stress: Stress, fuel: int, *, times: int = 1) -> float | str:
    """Seconds for a million fuel, or why the program does not run: the least of several measurements."""
    program, diagnostics = check_source(Source(stress.text, stress.name))
    if program is None:
        return next(one.message for one in diagnostics if one.severity == "error")
    game = reference(program, fuel)
    found = []
    for _ in range(times):
        seconds = _run(game)
        overhead = _run(reference(program, fuel // 10))
        if isinstance(seconds, str) or isinstance(overhead, str):
            return str(seconds)
        found.append((seconds - overhead) / (fuel - fuel // 10) * 1_000_000)
    return min(found)


def _run(game: Game) -> float | str:
    begun = time.process_time()
    try:
        game.new(seed=1).push("go")
    except Fault as fault:
        return time.process_time() - begun if fault.code == "TG0506" else fault.message
    return "the program ends"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="a part of the names of the programs")
    parser.add_argument("--fuel", type=int, default=100_000)
    arguments = parser.parse_args()
    found = []
    for stress in (*plain(), *lists(), *boards(), *things(), *calls()):
        if arguments.only in stress.name:
            result = measure(stress, arguments.fuel)
            if not isinstance(result, str) and result > LIMIT:
                result = measure(stress, arguments.fuel, times=3)
            found.append((0.0 if isinstance(result, str) else result, stress.name, result))
    for seconds, name, result in sorted(found, reverse=True):
        mark = "too cheap" if seconds > LIMIT else ""
        print(f"{seconds:8.2f}  {name}  {mark}{result if isinstance(result, str) else ''}")


if __name__ == "__main__":
    main()
