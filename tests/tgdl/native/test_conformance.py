"""The conformance corpus gives the same on both engines, wherever its scripts lead."""

import pytest

from ludograph.tgdl.native.engine import TooLarge
from ludograph.tgdl.native.images import Unrepresentable
from ludograph.tgdl.native.unit import Unsupported
from tests.language.runner import Case, cases
from tests.tgdl.native.corpus import differences_of

PLAYED = [case for case in cases() if case.is_played and case.check()[0] is not None]
SAMPLE = PLAYED[::12]
MOST_UNSUPPORTED = 2
"""Programs of the corpus that the reference engine still runs alone: those of more than 60 players."""


def differences(chosen: list[Case]) -> tuple[list[str], int]:
    """Where the engines differ, program by program, and how many programs are not compiled yet."""
    found: list[str] = []
    unsupported = 0
    for case in chosen:
        try:
            found += [f"{case.name} ({case.title}): {one}" for one in differences_of(case)]
        except (Unsupported, Unrepresentable, TooLarge):
            unsupported += 1
    return found, unsupported


@pytest.mark.parametrize("part", range(2))
def test_a_sample_of_the_corpus_gives_the_same_on_both_engines(part: int) -> None:
    assert "\n".join(differences(SAMPLE[part::2])[0]) == ""


@pytest.mark.slow
def test_the_whole_corpus_gives_the_same_on_both_engines() -> None:
    found, unsupported = differences(PLAYED)
    assert "\n".join(found) == ""
    assert unsupported <= MOST_UNSUPPORTED
