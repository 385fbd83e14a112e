"""Tables that have the size of an option: numbers for names, and games of several sizes side by side."""

from collections.abc import Mapping
from typing import Any

import pytest

from ludograph.games.engines import compile_world
from ludograph.play import format_record, parse_record, replay
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import BadOption, BadPosition, BadState, Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program.table_sizes import names_of_sizes, with_sizes
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Size, TableType
from ludograph.tgdl.syntax.traversal import walk
from tests.tgdl.rules import game, texts, values

RULES = """
players 2..3;
option decimal n = 3 from 1 to 9;
const decimal all = n * players.count;
global state t { decimal[n] own = 0; decimal[all] wide = 1; decimal[][n] pool = {}; }
verb raised(decimal[n] of, decimal at) { decimal[n] made = of; made[at] += 1; return made; }
action raise
{
  trigger on player choice;
  input decimal i from 0 to n - 1;
  effect { t.own = raised(t.own, i); t.wide[t.wide.length - 1] += i; t.pool.add(t.own); pass; }
}
"""
CONFIGURATIONS = [(2, {"n": 2}), (2, {"n": 4}), (3, {"n": 2})]


def test_numbers_take_the_place_of_names() -> None:
    type = ListType(TableType(Size("n"), TableType(ConstructType("cell"), TableType(Size("m"), Basic.BOOL))))
    sized = with_sizes(type, {"n": 2, "m": 5}.__getitem__)
    assert sized == ListType(TableType(2, TableType(ConstructType("cell"), TableType(5, Basic.BOOL))))
    assert names_of_sizes(type) == ("n", "m")
    assert names_of_sizes(sized) == ()


def test_what_has_no_size_with_a_name_stays_the_same() -> None:
    program = game(RULES).program
    sized = with_sizes(program, lambda _: 3)
    assert sized.enums is program.enums
    assert sized.options is program.options
    assert sized.rules == program.rules
    assert sized.verbs[0] is not program.verbs[0]
    assert not any(isinstance(node, Size) for node in walk(sized))


def test_what_stands_in_several_places_still_does() -> None:
    type = TableType(Size("n"), Basic.BOOL)
    first, second = with_sizes((ListType(type), type), lambda _: 3)
    assert isinstance(first, ListType)
    assert first.element is second


@pytest.mark.parametrize("is_native", [False, True])
def test_one_game_has_tables_of_every_size(*, is_native: bool) -> None:
    program = compile_source(Source(RULES, "test"))
    rules = Game(program, compiler=compile_world if is_native else None, uses_before_compiling=0)
    states = [rules.new(players=players, options=options) for players, options in CONFIGURATIONS]
    for state in states:
        last = texts(state)[-1]
        state.push(last)
        state.push(texts(state)[0])
    assert [values(state, "t") for state in states] == [
        {"own": [1, 1], "wide": [1, 1, 1, 2], "pool": [[0, 1], [1, 1]]},
        {"own": [1, 0, 0, 1], "wide": [1] * 7 + [4], "pool": [[0, 0, 0, 1], [1, 0, 0, 1]]},
        {"own": [1, 1], "wide": [1] * 5 + [2], "pool": [[0, 1], [1, 1]]},
    ]
    for state in states:
        assert rules.from_bytes(state.to_bytes()) == state
        assert rules.from_json(state.to_json()) == state
        assert replay(rules, parse_record(format_record(state.record))).state == state
    assert (rules._runner(world_of(states[0])) is not None) is is_native


def test_the_state_of_one_size_is_none_of_another() -> None:
    rules = game(RULES)
    data: Any = rules.new(options={"n": 4}).to_json()
    with pytest.raises(BadPosition, match="n"):
        rules.new(options={"n": 2}, position=data)
    with pytest.raises(BadPosition, match="own"):
        rules.from_json({**data, "options": {"n": 2}})
    small, large = (rules.new(options={"n": n}).to_bytes() for n in (2, 4))
    with pytest.raises(BadState):
        rules.from_bytes(small[: len(small) // 2] + large[len(large) // 2 :])


@pytest.mark.parametrize(
    ("options", "message", "place"),
    [
        ({"n": 2.5}, "a table has a whole number of entries, at least 1, but 'n' is 2.5", "decimal[n]"),
        ({"m": -1}, "a table has a whole number of entries, at least 1, but 'm' is -1", "bool[m]"),
        ({"m": 65536}, "a table has at most 65,535 entries, but 'm' is 65536", "bool[m]"),
        ({"n": 40_000}, "a table has at most 1,000,000 entries in all its dimensions", "decimal[n][30]"),
    ],
)
def test_a_size_that_cannot_be_is_refused_where_it_stands(
    options: Mapping[str, float], message: str, place: str
) -> None:
    text = """
option decimal n = 3;
option decimal m = 2;
global state t { decimal[n] a = 1; decimal[n][30] b = 1; }
setup { bool[m] c = true; if c[0] t.b[0][0] = 3; }
"""
    with pytest.raises(BadOption, match=message) as refused:
        game(text).new(options=options)
    span = refused.value.site.span
    assert text[span.start : span.end] == place


def test_long_chains_of_constants_are_read_at_once() -> None:
    chain = "".join(f"const decimal c{at + 1} = c{at} + c{at};\n" for at in range(2000))
    last = "const decimal size = c2000 - c2000 + 3; global state t { decimal[size] l = { 1, 2, 3 }; }"
    text = f"const decimal c0 = 0;\n{chain}{last}"
    assert values(game(text).new(), "t") == {"l": [1, 2, 3]}
