"""The short comparisons detect a wrong native engine: each test breaks one part of it."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I64
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.actions import events, offers, transactions, turns
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.things import change_events as watching
from ludograph.tgdl.native.lower.things import creation as making
from ludograph.tgdl.native.lower.values import numbers, statements
from ludograph.tgdl.native.lower.values import targets as places
from ludograph.tgdl.native.run.execution import TooLarge
from ludograph.tgdl.program.operations import Operation
from tests.language.runner import Case
from tests.tgdl.native.corpus import differences_of
from tests.tgdl.native.differential import Report, compare_program
from tests.tgdl.native.programs import random_program
from tests.tgdl.native.test_conformance import PLAYED, SAMPLE

Break = Callable[[pytest.MonkeyPatch], None]


def _less_is_at_most(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(numbers.COMPARISON, Operation.LESS, ("ole", "sle"))


def _minus_is_plus(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(numbers.ARITHMETIC, Operation.SUBTRACT, numbers.ARITHMETIC[Operation.ADD])


def _changes_are_not_told(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(places, "is_watched", lambda b, root: False)


def _waiting_actions_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(transactions, "flush", lambda b: None)
    patch.setattr(turns, "flush", lambda b: None)


def _everything_costs_twice_its_fuel(patch: pytest.MonkeyPatch) -> None:
    told = Emitter.spend

    def spend(self: Emitter, amount: Any) -> None:
        told(self, amount)
        told(self, amount)

    patch.setattr(Emitter, "spend", spend)


def _division_by_zero_is_no_fault(patch: pytest.MonkeyPatch) -> None:
    told = Emitter.fault_if

    def fault_if(self: Emitter, condition: Any, code: str) -> None:
        if code != "TG0502":
            told(self, condition, code)

    patch.setattr(Emitter, "fault_if", fault_if)


def _ranges_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(making, "check_range", lambda *arguments: None)
    patch.setattr(watching, "check_range", lambda *arguments: None)


def _lists_share_their_memory(patch: pytest.MonkeyPatch) -> None:
    for module in (places, statements, watching):
        patch.setattr(module, "detached", lambda b, value: value)


def _requires_behind_inputs_are_not_tested(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(offers, "_must_pass", lambda b, tests, label: None)


def _waiting_actions_run_in_any_order(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events, "_order", lambda b, action, this: const(0, I64))


def _everybody_is_asked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turns, "bit_of", lambda player: const(1, I64))


BROKEN = (
    _less_is_at_most,
    _minus_is_plus,
    _changes_are_not_told,
    _waiting_actions_are_forgotten,
    _everything_costs_twice_its_fuel,
    _division_by_zero_is_no_fault,
    _ranges_are_not_checked,
    _lists_share_their_memory,
    _requires_behind_inputs_are_not_tested,
    _waiting_actions_run_in_any_order,
    _everybody_is_asked,
)
QUICK = (_waiting_actions_are_forgotten, _changes_are_not_told)


def first_difference(programs: int, cases: list[Case] = SAMPLE) -> str:
    """Where the comparisons find the engines to differ."""
    for number in range(programs):
        draws = random.Random(f"short {number}")
        report = compare_program(random_program(draws), draws, games=2, shrinks=False)
        if isinstance(report, Report):
            return str(report)
    for case in cases:
        try:
            found = differences_of(case)
        except (Unsupported, ForeignText, Unrepresentable, TooLarge):
            continue
        if found:
            return f"{case.name}: {found[0]}"
    return ""


@pytest.mark.parametrize("break_it", QUICK, ids=lambda each: each.__name__.strip("_"))
def test_a_broken_engine_is_noticed(break_it: Break, monkeypatch: pytest.MonkeyPatch) -> None:
    break_it(monkeypatch)
    assert first_difference(8)


@pytest.mark.slow
@pytest.mark.parametrize("break_it", BROKEN, ids=lambda each: each.__name__.strip("_"))
def test_each_way_to_break_the_engine_is_noticed(break_it: Break, monkeypatch: pytest.MonkeyPatch) -> None:
    break_it(monkeypatch)
    assert first_difference(40, PLAYED)
