"""The conformance corpus gives the same on both engines, wherever its scripts lead: every program of it.

Twice: state by state, with everything that may be asked of one, and by the script, which a game on the native
engine plays as its comments say, with the same faults, refusals and words.
"""

from collections.abc import Callable

import pytest

from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import TooLarge
from ludograph.tgdl.program import Program
from ludograph.tgdl.reference.building import DEFAULT_FUEL
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World
from tests.language.runner import Case, cases
from tests.language.script import Play, reference
from tests.tgdl.native.corpus import differences_of

Compiling = Callable[[Game, World], Engine]
Playing = Callable[[Program, int | None], Game]

PLAYED = [case for case in cases() if case.is_played]
SAMPLE = PLAYED[::12]
OBJECTS = [case for case in PLAYED if "object" in case.text]
"""What lists in objects are, only a look at them says: the passes of LLVM have most to go wrong there."""
LISTS_IN_OBJECTS = [case for case in PLAYED if case.path.stem == "object_lists"]
TOO_LARGE = ("lists in lists have a limit too: of all their elements together, and of how deep they lie",)
"""Programs that have more in their lists than a block may hold: a state goes on on the reference engine."""

LESS_FUEL = (
    "every list that is tested for whether it may end is spent for",
    "a value that is given is paid for as a candidate is",
    "so is every element of a list, and the list; and the list to choose from for each of them",
    "a list without a filter of the whole, and a short list to choose from",
    "every action that is looked at for offering spends one",
    "every ten parts of a filter spend one more for each candidate",
)
"""Programs in which only the reference engine runs out of fuel, because it lists more or runs
a tested offer to the end of its transaction (docs/engine.md)."""


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


def sample_memory(game: Game, world: World) -> Memory:
    assert world.start is not None
    try:
        return memory_of(Game(game.program, fuel=game.fuel).new(world.players, 0, dict(world.options)))
    except Fault:
        return world.start


def checked(game: Game, world: World) -> Engine:
    """Code that tests every access to memory."""
    return Engine(world, sample_memory(game, world), checked=True, level=0)


def shipped(game: Game, world: World) -> Engine:
    """Code as users have it: after all passes of LLVM, and with no test that is not needed."""
    return Engine(world, sample_memory(game, world), level=1)


def native(compiler: Compiling) -> Playing:
    """Games whose states run natively from the first move on."""

    def play(program: Program, fuel: int | None) -> Game:
        given = DEFAULT_FUEL if fuel is None else fuel
        return Game(program, fuel=given, compiler=compiler, uses_before_compiling=0)

    return play


def shown_by_scripts(chosen: list[Case], compiler: Compiling = checked) -> list[str]:
    """What differs when the native engine plays what programs say, program by program."""
    found: list[str] = []
    for case in chosen:
        program, _ = case.check()
        assert program is not None
        plays = [Play(case, program, engine) for engine in (reference, native(compiler))]
        expected, shown = ((play.problems(), play.said) for play in plays)
        if expected != shown and case.title not in LESS_FUEL:
            found.append(f"{case.name} ({case.title}): {shown}, not {expected}")
    return found


@pytest.mark.parametrize("part", range(2))
def test_a_sample_of_the_corpus_gives_the_same_on_both_engines(part: int) -> None:
    assert "\n".join(differences(SAMPLE[part::2])) == ""


def test_a_sample_of_the_corpus_is_played_natively_as_it_says() -> None:
    assert "\n".join(shown_by_scripts(PLAYED[6::36])) == ""


@pytest.mark.parametrize("part", range(2))
def test_a_sample_of_the_corpus_is_played_as_it_says_by_the_code_that_users_have(part: int) -> None:
    assert (
        "\n".join(shown_by_scripts([*PLAYED[18::36], *OBJECTS[::4], *LISTS_IN_OBJECTS][part::2], shipped))
        == ""
    )


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_whole_corpus_gives_the_same_on_both_engines(part: int) -> None:
    assert "\n".join(differences(PLAYED[part::4])) == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_whole_corpus_is_played_natively_as_it_says(part: int) -> None:
    assert "\n".join(shown_by_scripts(PLAYED[part::4])) == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_the_whole_corpus_is_played_as_it_says_by_the_code_that_users_have(part: int) -> None:
    assert "\n".join(shown_by_scripts(PLAYED[part::4], shipped)) == ""
