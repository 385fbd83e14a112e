"""Actions and events on the native engine: programs of the conformance corpus play as on the reference."""

from pathlib import Path

import pytest

from ludograph.play import Generator, random_playout
from ludograph.play.match import settle_chance
from ludograph.tgdl.game import Fault, Game
from ludograph.tgdl.interpreter.transactions import settle
from ludograph.tgdl.native.engine import Engine
from ludograph.tgdl.native.unit import Unsupported
from tests.language.runner import FOLDER, Case, cases

FOLDERS = ("actions", "goals", "phases", "triggers", "turns")
MOVES = 6
SHARE = 16
"""One program of so many is played in the short form."""


def _programs(folder: Path) -> list[Case]:
    return [case for case in cases(folder) if not any(one.kind == "error" for one in case.expectations)]


PROGRAMS = [case for name in FOLDERS for case in _programs(FOLDER / name)]


def _plays_alike(case: Case, seeds: int) -> None:
    program, _ = case.check()
    assert program is not None
    try:
        game = Game(program)
        world = game.new().world
    except Fault:
        pytest.skip("it has no first state")
    assert world.start is not None
    try:
        engine = Engine(world, game.new()._standing.memory)
    except Unsupported as reason:
        pytest.skip(f"not compiled yet: {reason}")
    for seed in range(seeds):
        engine.load(world.start)
        engine.seed(Generator(seed))
        generator = Generator(seed)
        state = game.new()
        try:
            outcome = random_playout(state, generator, limit=MOVES)
            settle_chance(state, generator)
        except Fault as fault:
            with pytest.raises(RuntimeError, match=f"fault {int(fault.code[2:])}"):
                engine.playout(MOVES)
            continue
        assert engine.playout(MOVES) == outcome.moves
        # The reference tells stuck players so at once, the playout when it goes on.
        assert settle(world, engine.base()).same_as(state._standing.memory)


@pytest.mark.parametrize("case", PROGRAMS[::SHARE], ids=lambda case: case.name)
def test_programs_play_alike(case: Case) -> None:
    _plays_alike(case, 2)


@pytest.mark.slow
@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case.name)
def test_all_programs_play_alike(case: Case) -> None:
    _plays_alike(case, 5)
