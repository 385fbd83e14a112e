"""Inlining adds a limited number of lines to a module, whatever calls whatever."""

from collections.abc import Mapping

from ludograph.tgdl.native.ir.cycles import find_cycles
from ludograph.tgdl.native.ir.inlining import (
    ADDED_LINES,
    INLINE_LINES,
    MAX_INLINED_LENGTH,
    WrittenFunction,
    find_inlined,
)
from ludograph.tgdl.native.ir.nodes import Function


def written(name: str, lines: int, calls: Mapping[str, int], *, exported: bool = False) -> WrittenFunction:
    return WrittenFunction(Function(name, (), (), (), exported), lines, calls)


def doubling(depth: int) -> list[WrittenFunction]:
    """Functions that each call the next one twice, and the exported function that calls the first."""
    rows = [written(f"v{at}", 10, {f"v{at + 1}": 2}) for at in range(depth)]
    return [*rows, written(f"v{depth}", 10, {}), written("door", 10, {"v0": 1}, exported=True)]


def test_a_chain_of_double_calls_grows_only_to_the_limit() -> None:
    for depth in (2, 10, 20, 100):
        module = doubling(depth)
        total = sum(each.lines for each in module)
        assert find_inlined(module).lines <= total + ADDED_LINES + total // 2
    assert find_inlined(doubling(2)).inlined == {"v0", "v1", "v2"}
    assert len(find_inlined(doubling(100)).inlined) < 100


def test_an_inlined_function_has_a_limited_length_with_all_that_it_contains() -> None:
    found = find_inlined(doubling(20))
    assert max(found.lengths[name] for name in found.inlined) <= MAX_INLINED_LENGTH


def test_the_length_counts_what_is_inlined() -> None:
    found = find_inlined(doubling(2))
    assert found.lengths == {"v2": 10, "v1": 30, "v0": 70, "door": 80}
    assert found.lines == 80


def test_recursive_and_long_functions_are_not_inlined() -> None:
    module = [
        written("self", 10, {"self": 1}),
        written("here", 10, {"there": 1}),
        written("there", 10, {"here": 1}),
        written("long", INLINE_LINES, {}),
        written("door", 10, {"self": 1, "here": 1, "long": 1}, exported=True),
    ]
    assert find_inlined(module).inlined == frozenset()


def test_cycles_are_found_callees_first() -> None:
    calls = {"a": ["b", "c"], "b": ["c"], "c": ["b", "d"], "d": ["d"], "e": []}
    found = [frozenset(cycle) for cycle in find_cycles(calls)]
    assert found == [{"d"}, {"b", "c"}, {"a"}, {"e"}]
