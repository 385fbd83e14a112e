"""Small programs of the conformance corpus, played at random on both engines: the same moves and states."""

import pytest

from ludograph.play import Generator, random_playout
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from ludograph.tgdl.world.memory import RESULT
from tests.language.runner import FOLDER, Case, cases_of

PROGRAMS = {
    "stacks/running": (1, 24, 37, 52, 65, 95, 117, 155, 175, 226),
    "stacks/pile_laws": (1, 18, 40, 52, 61),
    "stacks/details": (12, 50, 83),
    "movement/running": (1, 29, 41, 51),
    "states/details": (7,),
    "states/thing_laws": (14,),
    "lists/lists": (150,),
    "tables/tables": (20, 39),
    "statements/details": (21,),
    "statements/flow": (64,),
    "statements/order_laws": (1, 12, 19, 32, 40),
    "verbs/calls": (1,),
    "inputs/asking_laws": (86,),
    "inputs/running": (108,),
    "turns/stuck_laws": (237,),
}
"""Files of the corpus, and the lines that programs begin on."""
CASES = [
    case
    for name, lines in PROGRAMS.items()
    for case in cases_of(FOLDER / f"{name}.tgdl")
    if case.line in lines
]
LIMIT = 30


def test_all_programs_are_there() -> None:
    assert len(CASES) == sum(map(len, PROGRAMS.values()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_random_plays_are_the_same(case: Case) -> None:
    program, _ = case.check()
    assert program is not None
    game = Game(program)
    world = world_of(game.new())
    assert world.start is not None
    sample = game.new(seed=1)._snapshot.memory
    engine = Engine(world, sample, checked=True, level=0)
    place, start = ExecutionContext(engine), engine.block(world.start)
    for seed in range(2):
        state = game.new()
        try:
            outcome = random_playout(state, Generator(seed), limit=LIMIT)
        except Fault as fault:
            with pytest.raises(Failure, match=fault.code):
                place.play(start, Generator(seed), LIMIT)
            continue
        reached, moves = place.play(start, Generator(seed), LIMIT)
        assert moves == outcome.moves
        expected = state._snapshot.memory
        assert reached.cells[RESULT] == expected.cells[RESULT]
        assert reached.same_as(expected)
