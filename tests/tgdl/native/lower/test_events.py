"""Actions and events on the native engine: programs of the corpus play as on the reference engine."""

from pathlib import Path

import pytest

from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from ludograph.tgdl.program import Program
from tests.language.runner import FOLDER, Case, cases

FOLDERS = ("actions", "goals", "phases", "triggers", "turns")
MOVES = 6
SHARE = 32
"""One program of so many is played in the short form."""


def _programs(folder: Path) -> list[Case]:
    return [case for case in cases(folder) if not any(one.kind == "error" for one in case.expectations)]


PROGRAMS = [case for name in FOLDERS for case in _programs(FOLDER / name)]


WATCHED = """
players 2;
global state t { decimal n = 0 from 0 to 3; decimal[] l = {}; decimal heard = 0; }
action go { trigger on player choice; input decimal x from 0 to 4; effect { t.n = x; pass; } }
action hear { trigger on t.l change; effect { t.heard += old.length; } }
action add { trigger on player choice; effect { t.l.add(twice()); if t.l.length > 9 fail "{t.l[9]}"; pass; } }
verb twice() { t.l.add(7); return 3; }
"""
BEGINNING = """
players 2;
global state t { decimal n = 0; }
interactable man placeable { decimal k = t.n from 0 to 2; }
tile cell holds man;
board { group grid square 2 by 2 { cell; } }
action go { trigger on player choice; effect { t.n += 1; man m = new man { k = 1; }; pass; } }
"""


def _plays_alike(case: Case, seeds: int) -> None:
    program, _ = case.check()
    assert program is not None
    _program_plays_alike(program, seeds)


def _program_plays_alike(program: Program, seeds: int) -> None:
    try:
        game = Game(program)
        world = world_of(game.new())
    except Fault:
        return  # it has no first state
    assert world.start is not None
    try:
        engine = Engine(world, game.new()._snapshot.memory, level=0)
    except Unsupported:
        return  # the reference engine plays it, until its parts are compiled
    place, start = ExecutionContext(engine), engine.block(world.start)
    for seed in range(seeds):
        generator = Generator(seed)
        state = game.new()
        try:
            outcome = random_playout(state, generator, limit=MOVES)
        except Fault as fault:
            with pytest.raises(Failure, match=fault.code):
                place.play(start, Generator(seed), MOVES)
            continue
        reached, moves = place.play(start, Generator(seed), MOVES)
        assert moves == outcome.moves
        assert reached.same_as(state._snapshot.memory)


@pytest.mark.parametrize("text", [WATCHED, BEGINNING], ids=["written", "new"])
def test_ranges_hold_for_all_that_an_attribute_gets(text: str) -> None:
    program, _ = check_source(Source(text, "game.tgdl"))
    assert program is not None
    _program_plays_alike(program, 6)


@pytest.mark.parametrize("case", PROGRAMS[::SHARE], ids=lambda case: case.name)
def test_programs_play_alike(case: Case) -> None:
    _plays_alike(case, 2)


@pytest.mark.slow
@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case.name)
def test_all_programs_play_alike(case: Case) -> None:
    _plays_alike(case, 5)
