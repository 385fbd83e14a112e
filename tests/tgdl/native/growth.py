"""Hostile texts for the compiler: each makes one dimension of a program as large as a number says.

    .venv/bin/python -m tests.tgdl.native.growth [dimension …] [--sizes 50 100 200]

The command compiles the texts and shows the bytes of each text, the processor time of every stage, the lines
for LLVM and the memory of the process. Time and memory should grow as the text does.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable

from ludograph.games.starts import sample_memory
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.lowering import lower
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run.machine import assemble

HEAD = "players 2;\nglobal state s { decimal n = 0; decimal m = 0; }\n"
BOARD = "players 2;\ntile cell { decimal n = 0; }\nboard { group grid square 2 by 2 { cell; } }\n"


def _action(body: str, name: str = "a", more: str = "") -> str:
    return f"action {name} {{ trigger on player choice; {more} effect {{ {body} pass; }} }}\n"


def _each(count: int, text: Callable[[int], str]) -> str:
    return "".join(map(text, range(count)))


def double_calls(size: int) -> str:
    verbs = _each(size, lambda i: f"verb v{i}(decimal x) {{ return v{i + 1}(x) + v{i + 1}(x + 1); }}\n")
    return HEAD + verbs + f"verb v{size}(decimal x) {{ return x; }}\n" + _action("s.n = v0(1);")


def call_chain(size: int) -> str:
    verbs = _each(size, lambda i: f"verb v{i}(decimal x) {{ return v{i + 1}(x) + 1; }}\n")
    last = f"verb v{size}(decimal x) {{ return x; }}\n"
    return HEAD + verbs + last + _each(size, lambda i: _action(f"s.n = v{i}(1);", f"a{i}"))


def actions(size: int) -> str:
    return HEAD + _each(size, lambda i: _action(f"s.n += {i};", f"a{i}", f"require {{ s.n != {i} }}"))


def assignments(size: int) -> str:
    return HEAD + _action(_each(size, lambda i: f"s.n = s.n * 2 + s.m - {i};\n"))


def triggers(size: int) -> str:
    listening = _each(
        size,
        lambda i: (
            f"action t{i} {{ trigger on s.n change {{ return s.n == {i}; }} effect {{ s.m += 1; }} }}\n"
        ),
    )
    return HEAD + _action(_each(5 * size, lambda i: f"s.n = {i};\n")) + listening


def increments(size: int) -> str:
    """Many assignments that listeners hear: each keeps the values before and after in variables."""
    listening = _each(size, lambda i: f"action t{i} {{ trigger on s.n change; effect {{ s.m += 1; }} }}\n")
    return HEAD + _action(_each(5 * size, lambda i: f"s.n += {i}; ")) + listening


def trigger_chain(size: int) -> str:
    state = "global state s { " + _each(size + 1, lambda i: f"decimal n{i} = 0; ") + "}\n"
    chain = _each(
        size, lambda i: f"action t{i} {{ trigger on s.n{i} change; effect {{ s.n{i + 1} += 1; }} }}\n"
    )
    return "players 2;\n" + state + _action("s.n0 += 1;") + chain


def variables(size: int) -> str:
    rows = _each(size, lambda i: f"decimal x{i + 1} = x{i} + s.m; ")
    return HEAD + _action(f"decimal x0 = s.n; {rows} s.n = x{size};")


def returns(size: int) -> str:
    rows = _each(size, lambda i: f"if x == {i} return {i * 7}; ")
    return HEAD + f"verb f(decimal x) {{ {rows} return 0; }}\n" + _action("s.n = f(s.m);")


def attributes(size: int) -> str:
    state = "global state s { " + _each(size, lambda i: f"decimal n{i} = {i}; ") + "}\n"
    return "players 2;\n" + state + _action(_each(size, lambda i: f"s.n{i} += 1; "))


def verbs(size: int) -> str:
    rows = _each(
        size, lambda i: f"verb v{i}(decimal x) {{ decimal y = x * {i}; if y > 5 return y; return s.n; }}\n"
    )
    return HEAD + rows + _action(_each(size, lambda i: f"s.n = v{i}(s.n); "))


def states(size: int) -> str:
    rows = _each(size, lambda i: f"global state s{i} {{ decimal n = 0; decimal[] l; }}\n")
    return "players 2;\n" + rows + _action(_each(size, lambda i: f"s{i}.n += 1; "))


def phases(size: int) -> str:
    turn = "turn main { " + _each(size, lambda i: f"phase p{i} {{ }} ") + "}\n"
    rows = _each(
        size,
        lambda i: f"action a{i} {{ trigger on player choice in p{i}; effect {{ s.n += 1; pass; }} }}\n",
    )
    return HEAD + turn + rows


def goals(size: int) -> str:
    rows = _each(size, lambda i: f"goal g{i} {{ require {{ s.n > {i + 100} }} effect {{ draw; }} }}\n")
    return HEAD + _action("s.n += 1;") + rows


def loops(size: int) -> str:
    return HEAD + _action(_each(size, lambda i: f"while s.n < {i} {{ s.n += 1; }} "))


def queries(size: int) -> str:
    rows = _each(size, lambda i: f"if cell.all.any(c: c.n > {i}) s.n += 1; ")
    return BOARD + "global state s { decimal n = 0; }\n" + _action(rows)


def overrides(size: int) -> str:
    rows = _each(size, lambda i: f"tile t{i} : cell {{ override verb f() {{ return {i}; }} }}\n")
    board = BOARD.replace("decimal n = 0;", "decimal n = 0; verb f() { return 0; }")
    return board + rows + "global state s { decimal n = 0; }\n" + _action("s.n = cell.all.sum(x: x.f());")


def tables(size: int) -> str:
    """A table with many entries, and tables of tables. The text grows by its digits only."""
    state = f"global state s {{ decimal n = 0; decimal[{size}] t = 0; bool[{size}][3] u; }}\n"
    key = f"input decimal k from 0 to {size - 1};"
    sums = "s.n = s.t.sum(); if s.t.any(x: x > 9) s.n += 1; "
    return "players 2;\n" + state + _action(f"s.t[k] += 1; s.u[k][1] = true; {sums}", more=key)


def members(size: int) -> str:
    """An enum with many members, which are the keys of tables."""
    enum = "enum kind { " + ", ".join(f"k{i}" for i in range(size)) + " }\n"
    state = "global state s { decimal n = 0; decimal[kind] t = 0; decimal[kind][player] u = 1; }\n"
    body = "s.t[k] += 1; s.u[k][player] += 2; for kind x in kind.all s.n += s.t[x]; "
    return "players 2;\n" + enum + state + _action(body, more="input kind k;")


def players(size: int) -> str:
    """Many players, each with a state, a hand and a table of players."""
    seat = "decimal n = 0; bool[player] met = false; private stack hand of card; "
    action = "input player p { p != player } effect { n += 1; met[p] = true; hand.push(new card); pass; }"
    body = f"{seat} action a {{ trigger on player choice; {action} }}"
    winners = "seat.all.most(s: s.n).map(s: s.player)"
    goal = f"goal g {{ require {{ seat.all.any(s: s.n > 5) }} effect {{ win {winners}; }} }}"
    head = f"players {size} has seat;\ninteractable card stackable {{ }}\n"
    return f"{head}local state seat {{ {body} }}\n{goal}\n"


def _board_game(shape: str, size: int, more: str) -> str:
    return (
        "players 2;\ninteractable man placeable { }\ntile cell holds man { decimal n = 0; }\n"
        f"board {{ group g {shape} {size} by 4 {{ cell; }} }}\n"
        "action put { trigger on player choice; input cell c { c.man == none } "
        f"effect {{ move new man to c; c.n = c.adjacent.count(d: d.man != none); {more} pass; }} }}\n"
    )


def squares(size: int) -> str:
    """A large board of squares, its neighbours, lines and regions."""
    rows = (
        "if c.lines(3).any(l: l.all(d: d.man != none)) win player; c.n += c.region(d: d.man == none).length;"
    )
    return _board_game("square around", size, rows)


def wide_squares(size: int) -> str:
    """The same with wide rows, so that most lines have four directions."""
    return squares(size).replace("by 4", "by 20")


def board_queries(size: int) -> str:
    """Many expressions that read the same large tables of a board."""
    rows = _each(size, lambda i: f"c.n += c.lines(3).length + c.adjacent.length + c.distance(g[0][{i % 9}]);")
    return _board_game("square around", 9, rows).replace("by 4", "by 9")


def hexes(size: int) -> str:
    return _board_game("hex row", size, "for cell d in c.line(east) d.n += 1; c.n += c.line(0).length;")


def changing_board(size: int) -> str:
    """A board that play may change, so that its tables are in the state."""
    return _board_game("square", size, f"if c.n > 3 g.add(cell, {size}, 0); c.n += c.distance(g[0][0]);")


DIMENSIONS: dict[str, Callable[[int], str]] = {
    each.__name__: each
    for each in (
        double_calls, call_chain, actions, assignments, triggers, increments, trigger_chain, variables,
        returns, attributes, verbs, states, phases, goals, loops, queries, overrides,
        tables, members, players, squares, wide_squares, board_queries, hexes, changing_board,
    )
}  # fmt: skip


def unit_of(text: str) -> CompilationUnit:
    """The compilation unit of a text, before it is lowered."""
    program, diagnostics = check_source(Source(text))
    assert program is not None, [each.message for each in diagnostics[:3]]
    game = Game(program)
    world = game.world()
    return CompilationUnit(world, plan_of(world, sample_memory(game, world)))


def _measure(name: str, size: int) -> None:
    text = DIMENSIONS[name](size)
    times = [time.process_time()]
    unit = unit_of(text)
    times.append(time.process_time())
    lowered = lower(unit, verifies=False).text
    times.append(time.process_time())
    assemble(lowered)
    times.append(time.process_time())
    spent = "  ".join(
        f"{stage} {end - start:6.2f} s"
        for stage, start, end in zip(("check", "lower", "LLVM"), times, times[1:], strict=False)
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    lines = lowered.count("\n")
    print(f"{name:14} {size:5} {len(text):8,} bytes  {spent}  {lines:8,} lines  {memory:5} MB", flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Hostile texts for the compiler.")
    parser.add_argument("dimensions", nargs="*", default=[*DIMENSIONS])
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 100, 200])
    given = parser.parse_args(arguments)
    for name in given.dimensions:
        for size in given.sizes:
            _measure(name, size)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
