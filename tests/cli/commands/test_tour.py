"""`ludograph tour`: what somebody sees first."""

import io
import shlex

import pytest

from ludograph.notation.notations import Notation
from tests.cli.command import EXAMPLES, Terminal, call, text_of

TOUR = call("tour")


def test_the_tour_shows_a_start_in_every_notation() -> None:
    assert (TOUR.code, TOUR.err) == (0, "")
    for notation in Notation:
        assert f"\n{notation.name} (" in TOUR.out
    assert text_of("start.ccn").rstrip() in TOUR.out
    assert "(lost: the number of players (4)" in TOUR.out


def test_the_tour_fits_a_terminal_and_ends_lines_neatly() -> None:
    lines = TOUR.out.splitlines()
    assert max(map(len, lines)) <= 110
    assert [line for line in lines if line != line.rstrip()] == []


def commands() -> list[str]:
    following = TOUR.out[TOUR.out.index("Commands to try next") :]
    return [line.strip() for line in following.splitlines() if line.startswith("  ludograph ")]


@pytest.mark.parametrize("command", commands())
def test_what_it_proposes_works(command: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    typed = command.partition("   ")[0].replace("docs/examples", EXAMPLES.as_posix())
    words = shlex.split(
        typed.replace("-o start.svg", f"-o {tmp_path_factory.mktemp('tour').as_posix()}/start.svg")
    )
    assert call(*words[1:]).code == (1 if "seed.hsn" in typed else 0)


def test_the_tour_runs_on_a_terminal_that_knows_ascii_only() -> None:
    assert call("tour", out=Terminal(io.BytesIO(), encoding="ascii")).code == 0
