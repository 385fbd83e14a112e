"""Long lists and long strings cost fuel: the same on both engines, at the same points."""

import pytest

from ludograph.tgdl.world import fuel
from tests.language.runner import Case, cases
from tests.tgdl.native.corpus import differences_of

PLAYED = [case for case in cases() if case.is_played]
OF_FUEL = [case for case in PLAYED if case.name.startswith("faults/fuel")]
OTHERS = [case for case in PLAYED if not case.name.startswith("faults/")]
"""Cases with little fuel need what things cost as a rule."""


def _differences(chosen: list[Case]) -> str:
    return "\n".join(f"{case.name}: {one}" for case in chosen for one in differences_of(case))


@pytest.mark.parametrize("case", OF_FUEL)
def test_what_things_cost_is_the_same_on_both_engines(case: Case) -> None:
    assert _differences([case]) == ""


def test_everything_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a grain of one each element and node costs one: whatever is forgotten shows in what is left."""
    monkeypatch.setattr(fuel, "GRAIN", 1)
    assert _differences(OTHERS[::24]) == ""


@pytest.mark.slow
def test_everything_in_the_corpus_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuel, "GRAIN", 1)
    assert _differences(OTHERS) == ""
