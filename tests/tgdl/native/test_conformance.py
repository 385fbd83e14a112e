"""The conformance corpus gives the same on both engines, wherever its scripts lead: every program of it.

Twice: state by state, with everything that may be asked of one, and by the script, which a game on the native
engine plays as its comments say, with the same faults, refusals and words.
"""

import pytest

from ludograph.tgdl.game import Game
from ludograph.tgdl.interpreter.building import DEFAULT_FUEL
from ludograph.tgdl.interpreter.faults import Fault
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.native.engine import Engine, TooLarge
from ludograph.tgdl.program import Program
from tests.language.runner import Case, cases
from tests.language.script import Play, reference
from tests.tgdl.native.corpus import differences_of

PLAYED = [case for case in cases() if case.is_played and case.check()[0] is not None]
SAMPLE = PLAYED[::12]
TOO_LARGE = ("lists in lists have a limit too: of all their elements together, and of how deep they lie",)
"""Programs that have more in their lists than a block may hold: a state goes on on the reference engine."""


def differences(chosen: list[Case]) -> list[str]:
    """Where the engines differ, program by program."""
    found: list[str] = []
    for case in chosen:
        try:
            found += [f"{case.name} ({case.title}): {one}" for one in differences_of(case)]
        except TooLarge:
            if case.title not in TOO_LARGE:
                raise
    return found


def checked(game: Game, world: World) -> Engine:
    """Code that tests every access to memory."""
    assert world.start is not None
    try:
        sample = Game(game.program, fuel=game.fuel).new(world.players, 0, dict(world.options)).memory
    except Fault:
        sample = world.start
    return Engine(world, sample, checked=True, level=0)


def native(program: Program, fuel: int | None) -> Game:
    """A game whose states run natively from the first move on."""
    given = DEFAULT_FUEL if fuel is None else fuel
    return Game(program, fuel=given, compiler=checked, uses_before_compiling=0)


def shown_by_scripts(chosen: list[Case]) -> list[str]:
    """What differs when the native engine plays what programs say, program by program."""
    found: list[str] = []
    for case in chosen:
        program, _ = case.check()
        assert program is not None
        plays = [Play(case, program, engine) for engine in (reference, native)]
        expected, shown = ((play.problems(), play.said) for play in plays)
        if expected != shown:
            found.append(f"{case.name} ({case.title}): {shown}, not {expected}")
    return found


@pytest.mark.parametrize("part", range(2))
def test_a_sample_of_the_corpus_gives_the_same_on_both_engines(part: int) -> None:
    assert "\n".join(differences(SAMPLE[part::2])) == ""


def test_a_sample_of_the_corpus_is_played_natively_as_it_says() -> None:
    assert "\n".join(shown_by_scripts(PLAYED[6::24])) == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_whole_corpus_gives_the_same_on_both_engines(part: int) -> None:
    assert "\n".join(differences(PLAYED[part::4])) == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_whole_corpus_is_played_natively_as_it_says(part: int) -> None:
    assert "\n".join(shown_by_scripts(PLAYED[part::4])) == ""
