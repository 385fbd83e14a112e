"""What docs/grammar.txt generates, the parser accepts; and the formatter keeps its laws on it."""

import importlib
import random
import re

import pytest

from ludograph.text import Source
from ludograph.tgdl.syntax.dump import dump_tree
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.parser import parse
from tests.tgdl.syntax.grammar_texts import (
    PAGE,
    TERMINALS,
    Call,
    Chain,
    Choice,
    Generator,
    Repeat,
    Rule,
    read_grammar,
)

GRAMMAR = read_grammar(PAGE.read_text(encoding="utf-8"))
# To reach every corner in little time, some texts begin inside.
AROUND = {
    "file": "{}",
    "declaration": "{}",
    "group": "board {{ {} }}",
    "grid_part": "board {{ group ant square {{ {} }} }}",
    "graph_part": "board {{ group ant adjacency {{ {} }} }}",
    "action_part": "action ant {{ {} }}",
    "event": "action ant {{ trigger {} ; }}",
    "input": "action ant {{ {} }}",
    "statement": "action ant {{ effect {{ {} }} }}",
    "for_steps": "action ant {{ effect {{ {} }} }}",
    "expression": "const decimal ant = {} ;",
    "primary": "const decimal ant = {} ;",
    "random": "const decimal ant = {} ;",
}
OUTSIDE_RULES = {
    "appearance": "{}",
    "hint_target": "appearance {{ {} }}",
    "test": "{}",
    "test_part": 'test "one" {{ {} }}',
}
PARSER_FILES = (
    "parser",
    *(
        f"parser.{name}"
        for name in "actions appearance boards constructs expressions links messages parts rule_tests "
        "simple_statements statements triggers types verbs".split()
    ),
)
# Read together with the production around them.
PARTS_OF_OTHERS = frozenset(
    "player_count secrecy base kind traits grid_shape grid_shape_in_front corners_shape extent borders "
    "adjacency grid_part graph_part group_default arrow priority timing modifier candidates seen_by "
    "input_end result_block assign for_each for_range for_steps target chain_in_play link_step conjunction "
    "negation equality comparison sum product power named suffix argument random path".split()
)


# A random text may create instances of the construct that is its board.
NEW_BOARD = re.compile(r"'new (\w+)' is accepted; the usual spelling is '\1'")


def rules_only() -> dict[str, Rule]:
    """The grammar without appearances and tests, which have their own texts."""
    declaration = GRAMMAR["declaration"]
    assert isinstance(declaration, Choice)
    kept = tuple(option for option in declaration.options if not _called(option) & {"appearance", "test"})
    return {**GRAMMAR, "declaration": Choice(kept)}


def texts(grammar: dict[str, Rule], begins: dict[str, str], seed: int, count: int, size: int) -> list[str]:
    generator = Generator(grammar, random.Random(seed))
    return [
        around.format(generator.text(production, size))
        for _ in range(count)
        for production, around in begins.items()
    ]


@pytest.mark.parametrize("seed", range(8))
def test_generated_texts_are_accepted_and_keep_their_meaning_when_formatted(seed: int) -> None:
    for text in (*texts(rules_only(), AROUND, seed, 12, 22), *texts(GRAMMAR, OUTSIDE_RULES, seed, 12, 22)):
        parsed = parse(Source(text))
        found = [one for one in parsed.diagnostics if not NEW_BOARD.match(one.message)]
        assert not found, f"{found[0].picture()}\n{text}"
        formatted = format_source(Source(text)).text
        assert dump_tree(parse(Source(formatted)).tree) == dump_tree(parsed.tree), text
        assert format_source(Source(formatted)).text == formatted, text


def test_every_production_and_every_choice_is_generated() -> None:
    generator = Generator(GRAMMAR, random.Random(0))
    choices = {
        (choice, index)
        for rule in GRAMMAR.values()
        for choice in _choices(rule)
        for index in range(len(choice.options))
    }
    rounds = 0
    while rounds < 1000 and (choices - set(generator.chosen) or set(GRAMMAR) - set(generator.used)):
        rounds += 1
        for production in (*AROUND, *OUTSIDE_RULES):
            generator.text(production, 20)
    assert set(GRAMMAR) - set(generator.used) == set()
    assert choices - set(generator.chosen) == set()


def _choices(rule: Rule) -> list[Choice]:
    match rule:
        case Choice(options):
            return [rule, *(choice for option in options for choice in _choices(option))]
        case Chain(items):
            return [choice for item in items for choice in _choices(item)]
        case Repeat(item):
            return _choices(item)
        case _:
            return []


def _called(rule: Rule) -> set[str]:
    match rule:
        case Call(name):
            return {name}
        case Choice(items) | Chain(items):
            return {name for item in items for name in _called(item)}
        case Repeat(item):
            return _called(item)
        case _:
            return set()


def test_every_name_on_the_page_has_a_production_and_every_production_a_use() -> None:
    called = {name for rule in GRAMMAR.values() for name in _called(rule)}
    assert called - set(GRAMMAR) - set(TERMINALS) == set()
    assert set(GRAMMAR) - called == {"file"}


def test_the_parser_has_a_function_for_every_production() -> None:
    modules = [importlib.import_module(f"ludograph.tgdl.syntax.{name}") for name in PARSER_FILES]
    functions = {name for module in modules for name in vars(module)}
    stems = {re.sub(r"^(parse|maybe|take)_", "", name) for name in functions}
    assert set(GRAMMAR) - stems - PARTS_OF_OTHERS == set()
