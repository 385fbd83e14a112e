"""The native engine plays like the reference engine: the same draws lead to the same moves and end."""

import pytest

import ludograph
from ludograph.games.engines import native_engine, perft, simulate
from ludograph.play import Generator, random_playout
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from ludograph.tgdl.world.memory import RESULT


@pytest.mark.parametrize("name", ludograph.list_games())
def test_random_games_are_the_same(name: str) -> None:
    game = ludograph.load(name)
    options = {"trades": "bank_only"} if name == "hexil" else None
    world = world_of(game.new(options=options))
    assert world.start is not None
    sample = game.new(options=options, seed=1)._snapshot.memory
    engine = Engine(world, sample, checked=True)
    place = ExecutionContext(engine)
    for seed in range(1 if name == "hexil" else 3):
        state = game.new(options=options)
        outcome = random_playout(state, Generator(seed))
        reached, moves = place.play(engine.block(world.start), Generator(seed))
        assert moves == outcome.moves
        expected = state._snapshot.memory
        assert reached.cells[RESULT] == expected.cells[RESULT]
        assert reached.same_as(expected)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic-tac-toe", (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
        ("chess", (20, 400, 8902)),
        ("draughts", (7, 49, 302, 1469, 7361)),
        ("othello", (4, 12, 56, 244, 1396)),
        ("pig", (6, 41, 276)),
        ("backgammon", (200,)),
    ],
)
def test_sequences_are_counted_as_everybody_counts_them(name: str, counts: tuple[int, ...]) -> None:
    state = ludograph.load(name).new()
    engine = native_engine(state.game, state)
    assert tuple(perft(state, depth, engine=engine) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(
    ("name", "share", "moves"),
    [
        ("tic-tac-toe", 0.6485, 7.63),
        ("connect-four", 0.5573, 21.3),
        ("breakthrough", 0.509, 64.2),
        ("hex", 0.523, 107.5),
        ("othello", 0.475, 60.0),
        ("draughts", 0.492, 70.6),
    ],
)
def test_moves_are_drawn_uniformly(name: str, share: float, moves: float) -> None:
    """The share of the first player and the length of games are those of other engines."""
    outcomes = list(simulate(ludograph.load(name).new(), 10_000, seed=5))
    payoffs = [outcome.result.payoffs[0] for outcome in outcomes if outcome.result is not None]
    rivals = [outcome.result.payoffs[1] for outcome in outcomes if outcome.result is not None]
    points = [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in zip(payoffs, rivals, strict=True)]
    assert len(points) == len(outcomes)
    assert abs(sum(points) / len(points) - share) < 0.02
    assert abs(sum(outcome.moves for outcome in outcomes) / len(outcomes) - moves) < moves / 50
