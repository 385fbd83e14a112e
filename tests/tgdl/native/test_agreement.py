"""The native engine plays as the reference does: the same moves by the same draws, to the same end."""

import pytest

import ludograph
from ludograph.play import Generator, random_playout
from ludograph.tgdl.memory import RESULT
from ludograph.tgdl.native.engine import Engine

GAMES = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "hex",
    "othello",
    "draughts",
    "kalah",
    "pig",
    "backgammon",
    "liars-dice",
    "nine-mens-morris",
    "hexil",
]


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_the_same(name: str) -> None:
    game = ludograph.load(name)
    options = {"trades": "bank_only"} if name == "hexil" else None
    world = game.new(options=options).world
    assert world.start is not None
    sample = game.new(options=options, seed=1)._standing.memory
    engine = Engine(world, sample)
    for seed in range(1 if name == "hexil" else 3):
        state = game.new(options=options)
        outcome = random_playout(state, Generator(seed))
        engine.load(world.start)
        engine.seed(Generator(seed))
        assert engine.playout() == outcome.moves
        reached, expected = engine.base(), state._standing.memory
        assert reached.cells[RESULT] == expected.cells[RESULT]
        assert reached.same_as(expected)
