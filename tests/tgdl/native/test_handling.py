"""Long lists cost fuel: the same on both engines, at the same places."""

import pytest

from ludograph.tgdl.interpreter import handling
from tests.language.runner import Case, cases
from tests.tgdl.native.corpus import differences_of

SECTIONS = ("lists/", "tables/", "queries/", "verbs/", "types/", "statements/", "faults/fuel")
WITH_LISTS = [case for case in cases() if case.is_played and case.name.startswith(SECTIONS)]


def _differences(chosen: list[Case]) -> str:
    return "\n".join(f"{case.name}: {one}" for case in chosen for one in differences_of(case))


@pytest.mark.parametrize("case", [case for case in WITH_LISTS if case.name.startswith("faults/fuel")][-7:])
def test_what_long_lists_cost_is_the_same_on_both_engines(case: Case) -> None:
    assert _differences([case]) == ""


def test_every_element_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a grain of one each element costs one: whatever is forgotten shows in what is left."""
    monkeypatch.setattr(handling, "GRAIN", 1)
    assert _differences([case for case in WITH_LISTS if not case.name.startswith("faults")][::9]) == ""


@pytest.mark.slow
def test_every_element_of_the_corpus_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handling, "GRAIN", 1)
    assert _differences([case for case in WITH_LISTS if not case.name.startswith("faults")]) == ""
