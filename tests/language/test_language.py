"""Runs every program of the corpus, and checks that every diagnostic code occurs."""

import functools

import pytest

from ludograph.tgdl.check import CODES
from ludograph.tgdl.world.faults import CODES as FAULTS
from tests.golden_files import Golden
from tests.language.runner import DIAGNOSTICS, FOLDER, Case, cases
from tests.language.script import Play, fault_pictures, reference

CASES = list(cases())
SECTIONS = sorted({case.path.parent.relative_to(FOLDER).as_posix() for case in CASES})


@functools.cache
def run(case: Case) -> tuple[list[str], list[str]]:
    """The differences from the expectations, and all messages."""
    program, found = case.check()
    problems, said = case.problems_of(program, found), case.said(found)
    if program is not None and case.is_played:
        play = Play(case, program, reference)
        problems += play.problems()
        said += play.said
    return problems, said


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_program_is_understood_and_played_as_it_says(case: Case) -> None:
    assert "\n\n".join(run(case)[0]) == ""


@pytest.mark.parametrize("section", SECTIONS)
def test_what_people_are_told_about_the_programs_of_a_section(section: str, golden: Golden) -> None:
    told = [
        "\n\n".join([f"## {case.title}", *run(case)[1]])
        for case in CASES
        if case.path.parent == FOLDER / section and run(case)[1]
    ]
    if told:
        golden(f"tgdl/said/{section}.txt", "\n\n".join(told) + "\n")


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
