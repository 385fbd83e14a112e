"""Each engine has code for every row of the tables of operations and events; a failure names what lacks."""

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import unwrap
from types import CodeType

import pytest

from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.lower import event_sources as native_sources
from ludograph.tgdl.native.lower.board import changing_boards
from ludograph.tgdl.native.lower.lowering import module_of
from ludograph.tgdl.native.lower.values import expressions as native_expressions
from ludograph.tgdl.native.lower.values import lists as native_lists
from ludograph.tgdl.native.lower.values import targets as native_targets
from ludograph.tgdl.program.events import KINDS, TARGET_WORDS, Event
from ludograph.tgdl.program.operation_facts import OperationFacts, Receiver
from ludograph.tgdl.program.operations import MEMBERS, Operation
from ludograph.tgdl.reference import event_sources as reference_sources
from ludograph.tgdl.reference.compile import expressions, lists, queries
from ludograph.tgdl.syntax import tree
from tests.tgdl.syntax.grammar_texts import PAGE

APPLIED, QUERIES, MUTATIONS = "Apply", "Query", "Mutate"

ENGINES: dict[str, Mapping[str, Mapping[Operation, object]]] = {
    "reference": {
        APPLIED: expressions.COMPILERS,
        QUERIES: queries.COMPILERS,
        MUTATIONS: lists.MUTATIONS,
    },
    "native": {
        APPLIED: native_expressions.LOWERINGS,
        QUERIES: native_lists.QUERIES,
        MUTATIONS: native_targets.MUTATIONS,
    },
}
"""The code of each engine, by the node of the program that names the operation."""


def node_of(facts: OperationFacts) -> str:
    """The node of the program that names such an operation."""
    return QUERIES if facts.is_query else MUTATIONS if facts.changes_list else APPLIED


def names(operations: Iterable[Operation]) -> list[str]:
    return sorted(operation.name for operation in operations)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_has_code_for_every_operation(engine: str) -> None:
    lacking = [one for one in Operation if one not in ENGINES[engine][node_of(one.facts)]]
    assert names(lacking) == [], f"the {engine} engine lacks {', '.join(names(lacking))}"


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_has_code_that_no_program_can_reach(engine: str) -> None:
    for node, table in ENGINES[engine].items():
        assert names(one for one in table if node_of(one.facts) != node) == []


def test_native_code_reads_fixed_and_changing_boards_alike() -> None:
    assert names(changing_boards.ON_FIXED_BOARDS) == names(changing_boards.ON_CHANGING_BOARDS)


def test_a_spelling_has_one_meaning_for_a_number_of_arguments() -> None:
    for receiver, members in MEMBERS.items():
        for name, forms in members.items():
            written = [(form.is_query, form.least, form.most) for form in forms]
            assert len(set(written)) == len(written), f"{name} of {receiver.value}"


def allows(check: Callable[[OperationFacts], bool]) -> list[str]:
    return names(one for one in Operation if not check(one.facts))


def test_the_columns_of_a_row_agree() -> None:
    """What one column states, another must not deny."""
    assert allows(lambda facts: not facts.is_query or not facts.changes) == []
    assert allows(lambda facts: not facts.stores or facts.changes) == []
    assert allows(lambda facts: not facts.may_be_none or facts.result != "nothing") == []
    assert allows(lambda facts: not facts.symbol or not facts.members) == []
    assert allows(lambda facts: "cards" not in facts.arguments or facts.stores) == []


def test_every_member_takes_as_many_arguments_as_its_row_has_types() -> None:
    for operation in Operation:
        facts = operation.facts
        for member in facts.members:
            if member.most is None or facts.is_query:
                continue
            is_open = member.receiver is Receiver.NOTHING and member.most > 1  # `min(a, b, …)`
            assert is_open or member.most == len(facts.arguments), f"{operation.name}: {member.name}"


# Events


SOURCES: dict[str, Mapping[Event, Callable[..., object]]] = {
    "reference": reference_sources.SOURCES,
    "native": native_sources.SOURCES,
}
"""The functions of each engine that raise events."""


@pytest.mark.parametrize("engine", SOURCES)
def test_each_engine_raises_every_event(engine: str) -> None:
    lacking = [event.name for event in Event if event not in SOURCES[engine]]
    assert lacking == [], f"the {engine} engine never raises {', '.join(lacking)}"


@pytest.mark.parametrize("engine", SOURCES)
def test_each_source_names_the_event_that_it_raises(engine: str) -> None:
    silent = [
        f"{source.__qualname__} does not raise {event.name}"
        for event, source in SOURCES[engine].items()
        if event.name not in names_in(unwrap(source).__code__)
    ]
    assert silent == []


def names_in(code: CodeType) -> set[str]:
    """The names that a function uses, those of the functions inside it included."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return {*code.co_names, *(name for each in inner for name in names_in(each))}


def test_native_code_refuses_a_trigger_whose_event_it_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    program, _ = check_source(Source(GAME))
    assert program is not None
    world = world_of(Game(program).new())
    assert world.start is not None
    module_of(world, world.start)
    monkeypatch.delitem(native_sources.SOURCES, Event.CHANGE)
    with pytest.raises(AssertionError, match="native code never raises CHANGE"):
        module_of(world, world.start)


GAME = """
global state count
{
  decimal n = 0;
  action step { trigger on player choice; effect { n += 1; pass; } }
  action note { trigger on count.n change; effect { if n > 3 win player; } }
}
"""


def test_the_parser_reads_every_event() -> None:
    kinds = {event.kind for event in Event}
    written = {kind.value for kind in tree.EventKind}
    assert kinds - written == set(), "without a word in `EventKind`"
    assert written - kinds == set(), "without a row in `Event`"


def test_the_grammar_has_every_event() -> None:
    production = re.search(r"^event_kind = (.*?) \.$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert production is not None
    written = {" ".join(re.findall(r'"([^"]+)"', words)) for words in production[1].split("|")}
    assert written == {event.kind for event in Event}


def test_each_word_for_a_target_means_a_target_once() -> None:
    for word, targets in TARGET_WORDS.items():
        kinds = [kind for target in targets for kind in KINDS[target]]
        assert len(set(kinds)) == len(kinds), word
