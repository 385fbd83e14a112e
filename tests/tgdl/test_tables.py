"""Each engine has code for every row of the table of operations, and nothing else; what lacks is named."""

from collections.abc import Callable, Iterable, Mapping

import pytest

from ludograph.tgdl.native.lower.board import changing_boards
from ludograph.tgdl.native.lower.values import expressions as native_expressions
from ludograph.tgdl.native.lower.values import lists as native_lists
from ludograph.tgdl.native.lower.values import targets as native_targets
from ludograph.tgdl.program.operation_facts import Argument, Facts, Receiver, Result
from ludograph.tgdl.program.operations import MEMBERS, Operation
from ludograph.tgdl.reference import expressions, lists, queries

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


def node_of(facts: Facts) -> str:
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


def allows(check: Callable[[Facts], bool]) -> list[str]:
    return names(one for one in Operation if not check(one.facts))


def test_the_columns_of_a_row_agree() -> None:
    """What one column states, another must not deny."""
    assert allows(lambda facts: not facts.is_query or not facts.changes) == []
    assert allows(lambda facts: not facts.stores or facts.changes) == []
    assert allows(lambda facts: not facts.may_be_none or facts.result is not Result.NOTHING) == []
    assert allows(lambda facts: not facts.symbol or not facts.members) == []
    assert allows(lambda facts: Argument.CARDS not in facts.arguments or facts.stores) == []


def test_every_member_takes_as_many_arguments_as_its_row_has_types() -> None:
    for operation in Operation:
        facts = operation.facts
        for member in facts.members:
            if member.most is None or facts.is_query:
                continue
            is_open = member.receiver is Receiver.NOTHING and member.most > 1  # `min(a, b, …)`
            assert is_open or member.most == len(facts.arguments), f"{operation.name}: {member.name}"
