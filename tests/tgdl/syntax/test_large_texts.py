"""Large texts: time grows with the text, and what would grow faster has a limit with its own diagnostic."""

from collections.abc import Callable
from functools import partial

import pytest

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source
from ludograph.tgdl.reference.building import build_world
from ludograph.tgdl.syntax.formatter import format_source
from tests.work import calls_of

ACTION = "action a {{ trigger on player choice; effect {{ {} }} }}"

SHAPES: dict[str, Callable[[int], str]] = {
    "tiles": lambda n: "".join(f"tile t{i} {{ decimal x = 0; }}\n" for i in range(n)),
    "members of one enum": lambda n: f"enum e {{ {', '.join(f'm{i}' for i in range(n))} }}",
    "statements in one block": lambda n: ACTION.format("decimal x = 0; " + "x += 1;\n" * n),
    "variables in one block": lambda n: ACTION.format(
        "".join(f"decimal x{i} = 0; x{i} += 1;\n" for i in range(n))
    ),
    "items of a list": lambda n: f"const decimal[] x = {{ {'1, ' * n}1 }};",
    "nodes of a graph": lambda n: (
        "tile t { }\nboard { group g adjacency { " + "".join(f"n{i} -> n{i + 1};\n" for i in range(n)) + "} }"
    ),
    "groups that fill themselves": lambda n: (
        "tile t { }\nboard { "
        + "".join(f"group g{i} hex hexagon 2 {{ default {{ add(t, 0, 0); }} }}\n" for i in range(n // 4))
        + " }"
    ),
    "groups, each with its tile": lambda n: (
        "".join(f"tile t{i} {{ verb f() {{ adjacent.length }} }}\n" for i in range(n // 4))
        + "board { "
        + "".join(f"group g{i} square 2 by 2 {{ t{i}; }}\n" for i in range(n // 4))
        + "tiles { g0[0][0] -> g1[0][0]; } }"
    ),
    "verbs that call the next": lambda n: (
        "".join(f"verb f{i}() {{ f{i + 1}() + 1 }}\n" for i in range(n // 2)) + f"verb f{n // 2}() {{ 1 }}"
    ),
    "names declared again": lambda n: "tile t { }\n" * n,
    "unknown names": lambda n: "setup { " + "".join(f"x{i} = 1;\n" for i in range(n)) + "}",
    "inputs of a verb": lambda n: (
        f"verb f({', '.join(f'decimal a{i}' for i in range(n))}) {{ a0 }}\n"
        f"setup {{ if f({', '.join(f'a{i}: 1' for i in range(n))}) == 1 draw; }}"
    ),
    "triggers on a kind": lambda n: (
        "".join(f"local state s{i} {{ decimal x = 0; }}\n" for i in range(n // 4))
        + "".join(f"action a{i} {{ trigger on state attach; effect {{ pass; }} }}\n" for i in range(n // 4))
    ),
    "directions on many groups": lambda n: (
        "tile t { }\nboard { "
        + "".join(f"group g{i} square 2 by 2 {{ t; }}\n" for i in range(n // 4))
        + " }\nsetup { "
        + "if g0[0][0].next(north) == none draw;\n" * (n // 4)
        + "}"
    ),
    "hints on one line": lambda n: "setup { " + "if true && true draw; " * (n // 2) + "}",
    "braces that are lost": lambda n: "tile t\n  decimal x;\n}\n" * (n // 4),
    "braces that close nothing": lambda n: "}" * n,
    "braces and semicolons": lambda n: "};" * n,
    "imports of what is not there": lambda n: 'import "no.tgdl";' * n,
}


def handle(text: str) -> None:
    """Everything that is done with a text, pictures of its diagnostics included."""
    source = Source(text, "large.tgdl")
    _, found = check_source(source)
    for diagnostic in found[:300]:
        diagnostic.picture()
    format_source(source)


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_text_takes_about_four_times_the_work(shape: str) -> None:
    small, large = (calls_of(partial(handle, SHAPES[shape](size))) for size in (500, 2_000))
    assert large < 4.5 * small + 20_000


def test_options_that_are_made_of_the_next_take_work_by_their_number() -> None:
    def work(count: int) -> int:
        chain = "".join(f"option decimal c{i} = c{i + 1} from 0 to c{i + 1};\n" for i in range(count))
        program, _ = check_source(Source(f"{chain}option decimal c{count} = 3;", "game.tgdl"))
        assert program is not None
        return calls_of(lambda: build_world(program, 2))

    assert work(400) < 5 * work(100)


def test_looking_for_what_was_meant_has_an_end() -> None:
    text = "".join(f"const decimal name{i} = nam{i}e;\n" for i in range(1_000))
    assert calls_of(partial(handle, text)) < 2_100_000


@pytest.mark.parametrize("fault", ["fail;", "x;"])
def test_nothing_is_looked_for_far_away_in_a_text_that_is_all_faults(fault: str) -> None:
    assert calls_of(partial(handle, fault * 2_000)) < 8_000_000


def errors(text: str) -> list[Diagnostic]:
    return [one for one in check_source(Source(text))[1] if one.severity == "error"]


TOO_LARGE = {
    "branches": ACTION.format("decimal x = random 9; if x == 0 pass; " + "else if x == 1 pass; " * 3_000),
    "branches in branches": ACTION.format(
        "decimal x = random 9; "
        + ("if x == 0 pass; " + "else if x == 1 pass; " * 40 + "else { ") * 50
        + "pass;"
        + " }" * 50
    ),
    "turns on turns": "turn m0 { phase p; default { pass player + 1; } }\n"
    + "".join(f"turn m{i} : m{i - 1} {{ }}\n" for i in range(1, 3_000)),
    "constructs on constructs": "tile t0 { }\n"
    + "".join(f"tile t{i} : t{i - 1} {{ }}\n" for i in range(1, 300)),
    "attributes of the derived": "tile t { "
    + "".join(f"decimal x{i} = 0;\n" for i in range(1_000))
    + "}\n"
    + "".join(f"tile t{i} : t {{ }}\n" for i in range(1_000)),
    "tiles of a board": "tile t { }\nboard { group g square 1000 by 1000 { t; } }",
    "tiles of many groups": "tile t { }\nboard { "
    + "".join(f"group g{i} square {{ {'1000 t; ' * 60} }}\n" for i in range(10))
    + "}",
    "members of an enum": f"enum e {{ {', '.join(f'm{i}' for i in range(66_000))} }}",
    "entries of a table": "global state s { decimal[70000] x = 0; }",
}


@pytest.mark.parametrize("shape", TOO_LARGE)
def test_what_is_too_large_is_said_to_be(shape: str) -> None:
    assert "TG0396" in {one.code for one in errors(TOO_LARGE[shape])}


@pytest.mark.parametrize("size", ["100000 by 3", "1025 by 1", "0 by 3", "2.5 by 3", "1000000"])
def test_a_board_has_rows_and_columns_within_reason(size: str) -> None:
    shape = "hex hexagon" if " by " not in size else "square"
    assert [one.code for one in errors(f"tile t {{ }}\nboard {{ group g {shape} {size} {{ t; }} }}")] == [
        "TG0390"
    ]


def test_a_row_without_end_is_not_drawn() -> None:
    text = "tile t { }\nboard { group g square { " + ", ".join(["10000 t"] * 2_000) + "; } }"
    assert [one.code for one in errors(text)] == ["TG0390"]


@pytest.mark.parametrize("head", ["while random 2 == 1", "if random 2 == 1", "for player p{} in players.all"])
def test_what_stands_deep_in_loops_is_followed_once(head: str) -> None:
    def text(depth: int) -> str:
        heads = " ".join(f"{head.format(number)} {{" for number in range(depth))
        return ACTION.format(f"{heads} if random 2 == 0 fail; {'}' * depth} pass;")

    assert "TG0406" in {one.code for one in check_source(Source(text(45)))[1]}
    small, large = (calls_of(partial(check_source, Source(text(depth)))) for depth in (15, 45))
    assert large < 9 * small
