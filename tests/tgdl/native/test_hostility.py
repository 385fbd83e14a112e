"""Hostile programs do no harm to the native engine; the long form plays hundreds of them."""

import random
from itertools import islice

import pytest

from ludograph.text import Source
from ludograph.tgdl import check_source
from tests.tgdl.native.hostility import corpus, mutants, mutated, trouble

PROGRAM = "global state t { decimal n = 1; } action go { trigger on player choice; effect { t.n = 2; } }"


def test_hostile_programs_do_nothing_to_the_engine() -> None:
    found = trouble(list(islice(mutants(corpus(), seed=2), 4)), seed=2)
    assert not found, "\n\n".join(f"{program}\n→ {what}" for program, what in found.items())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_hostile_programs_do_nothing_to_the_engine(seed: int) -> None:
    found = trouble(list(islice(mutants(corpus(), 1000 + seed), 40)), seed)
    assert not found, "\n\n".join(f"{program}\n→ {what}" for program, what in found.items())


def test_mutants_are_other_programs_that_pass_the_checker() -> None:
    found = list(islice(mutants([PROGRAM], seed=1), 20))
    assert PROGRAM not in found and len(set(found)) > 10
    assert all(check_source(Source(each))[0] is not None for each in found)


def test_every_kind_of_change_is_made() -> None:
    chance = random.Random(1)
    found = [mutated(PROGRAM, chance) for _ in range(300)]
    assert any("9" * 40 in each for each in found)
    assert any(each.count("t.n = 2;") == 2 for each in found)
    assert any("t.n = 2;" not in each and len(each) < len(PROGRAM) - 5 for each in found)


def test_a_process_that_dies_is_noticed_and_the_others_are_played_on() -> None:
    found = trouble([PROGRAM, "no program at all", PROGRAM.replace("2", "3")], seed=1)
    assert list(found) == ["no program at all"]
    assert found["no program at all"].startswith("the process ended with 1")
