"""Long lists and long strings cost fuel: the same on both engines, at the same points."""

import pytest

from ludograph.tgdl.world import fuel
from tests.language.runner import Case, cases
from tests.tgdl.native.corpus import differences_of

PLAYED = [case for case in cases() if case.is_played]
OF_FUEL = [case for case in PLAYED if case.name.startswith("faults/fuel")]
LONG = (
    "distances on a board of a thousand tiles cost as on small ones, on a larger one five for every tile",
    "lines, and what is between tiles, spend for the tiles; distances on small boards only a little",
    "a card that comes to a large stack or leaves it spends one for every fifty others there",
    "a change of the board spends five for every tile, and one for every link that was changed",
    "what is the same for all elements of a query is paid for with each of them",
)
"""Programs with large boards, stacks and lists, which take long on both engines."""
OTHERS = [case for case in PLAYED if not case.name.startswith("faults/")]
"""Cases with little fuel need what things cost as a rule."""


def _differences(chosen: list[Case]) -> str:
    return "\n".join(f"{case.name}: {one}" for case in chosen for one in differences_of(case))


@pytest.mark.parametrize(
    "case", [case for case in OF_FUEL if case.title not in LONG], ids=lambda case: case.name
)
def test_what_things_cost_is_the_same_on_both_engines(case: Case) -> None:
    assert _differences([case]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in OF_FUEL if case.title in LONG], ids=lambda case: case.name)
def test_what_large_things_cost_is_the_same_on_both_engines(case: Case) -> None:
    assert _differences([case]) == ""


def test_all_long_programs_are_there() -> None:
    assert {case.title for case in OF_FUEL} >= set(LONG)


def test_everything_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a grain of one each element and node costs one: whatever is forgotten shows in what is left."""
    monkeypatch.setattr(fuel, "GRAIN", 1)
    assert _differences(OTHERS[::72]) == ""


@pytest.mark.slow
def test_everything_in_the_corpus_is_paid_for_on_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuel, "GRAIN", 1)
    assert _differences(OTHERS) == ""
