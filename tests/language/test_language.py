"""Every program of the corpus is understood and played as it says, and every code is among them."""

import pytest

from ludograph.tgdl.checker import CODES
from ludograph.tgdl.interpreter.faults import CODES as FAULTS
from tests.golden_files import Golden
from tests.language.runner import DIAGNOSTICS, Case, cases
from tests.language.script import fault_pictures, play_problems

CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_program_is_understood_and_played_as_it_says(case: Case) -> None:
    assert "\n\n".join(case.problems() + play_problems(case)) == ""


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_program_that_raises_it(code: str, golden: Golden) -> None:
    pictures = [
        f"{case.text}\n\n{case.picture(diagnostic)}\n"
        for case in sorted(CASES, key=lambda case: case.is_played)  # the shortest program is a checked one
        if any(one.kind in DIAGNOSTICS and one.code == code for one in case.expectations)
        for diagnostic in case.check()[1]
        if diagnostic.code == code
    ]
    assert pictures, f"no program of the corpus raises {code}: {CODES[code]}"
    golden(f"tgdl/checker/{code}.txt", f"{code}: {CODES[code]}\n\n{pictures[0]}")


@pytest.mark.parametrize("code", FAULTS)
def test_every_runtime_error_has_a_program_that_raises_it(code: str, golden: Golden) -> None:
    case = next(
        (
            case
            for case in CASES
            if any(one.kind == "fault" and one.code == code for one in case.expectations)
        ),
        None,
    )
    assert case is not None, f"no program of the corpus raises {code}: {FAULTS[code]}"
    picture = fault_pictures(case, code)[0]
    golden(f"tgdl/faults/{code}.txt", f"{code}: {FAULTS[code]}\n\n{case.text}\n\n{picture}\n")


def test_titles_say_what_a_program_shows() -> None:
    assert [case.name for case in CASES if not case.title] == []
