"""The work of the compiler grows as the text does, counted in statements, lines and calls, not in seconds."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ludograph.tgdl.native.ir import llvm
from ludograph.tgdl.native.ir.inlining import ADDED_LINES, Inlining, WrittenFunction, find_inlined
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower import unit as units
from ludograph.tgdl.native.lower.lowering import lower
from tests.tgdl.native.growth import DIMENSIONS, actions, double_calls, triggers, unit_of

SIZES = (20, 40, 80)
SLOPE = 2.5
"""Twice as much text may take so many times the additional work; 4 would be quadratic growth."""
STEP = 0.05
"""The share of the work that may be added once, as where a number of players needs another code."""


def count_calls(work: Callable[[], object]) -> int:
    """The number of calls of Python functions during some work."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        if event == "call":
            count += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", [*DIMENSIONS])
def test_the_work_grows_with_the_text(name: str) -> None:
    statements, calls = [], []
    for size in SIZES:
        unit = unit_of(DIMENSIONS[name](size))
        calls.append(count_calls(lambda unit=unit: lower(unit, verifies=False)))  # type: ignore[misc]
        statements.append(unit.statements)
    for small, middle, large in (statements, calls):
        assert large - middle <= SLOPE * (middle - small) + STEP * middle


def test_verbs_that_call_each_other_twice_do_not_double_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Inlining] = []
    totals: list[int] = []

    def watch(written: list[WrittenFunction]) -> Inlining:
        totals.append(sum(each.lines for each in written))
        found.append(find_inlined(written))
        return found[-1]

    monkeypatch.setattr(llvm, "find_inlined", watch)
    for size in (6, 12, 24):
        lower(unit_of(double_calls(size)), verifies=False)
    for total, inlining in zip(totals, found, strict=True):
        assert inlining.lines <= 1.5 * total + ADDED_LINES


def test_a_text_that_multiplies_is_left_to_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "FREE_STATEMENTS", 3000)
    monkeypatch.setattr(units, "STATEMENTS_PER_LETTER", 0)
    lower(unit_of(actions(1)), verifies=False)
    with pytest.raises(Unsupported, match="compiled code of more than 3,000 statements"):
        lower(unit_of(actions(60)), verifies=False)


def test_code_generation_can_be_ended() -> None:
    class End(Exception):
        pass

    def poll() -> None:
        raise End

    unit = unit_of(triggers(5))
    unit.poll = poll
    with pytest.raises(End):
        lower(unit, verifies=False)
    assert unit.statements < 1000
