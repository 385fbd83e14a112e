"""Many games in checked code: native code accesses only the memory that it was given."""

import numpy
import pytest

from ludograph.adapters.arrays import Array, place_of
from ludograph.adapters.observations import ObservationEncoder
from ludograph.games.starts import sample_memory
from ludograph.tgdl.native.lower.present.interface import signature_columns
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.environment_code import EnvironmentCode
from ludograph.tgdl.native.run.execution import Broken
from ludograph.tgdl.native.run.game_batch import GameBatch
from tests.tgdl.rules import draft

ACTIONS = 200
COUNT = 3


def batch_of(name: str, *, missing_rows: int = 0) -> tuple[GameBatch, dict[str, Array]]:
    """Games of checked code with their arrays."""
    state = draft(name).new()
    world = state._world
    assert world.start is not None
    engine = Engine(world, sample_memory(draft(name), world), checked=True)
    encoder = ObservationEncoder(state)
    rows = COUNT - missing_rows
    arrays: dict[str, Array] = {
        "actions": numpy.zeros(COUNT, numpy.int64),
        "tensors": numpy.zeros((rows, encoder.size), numpy.float32),
        "masks": numpy.zeros((COUNT, ACTIONS), numpy.int8),
        "rewards": numpy.zeros((COUNT, world.players), numpy.float32),
        "terminated": numpy.zeros(COUNT, numpy.bool_),
        "truncated": numpy.zeros(COUNT, numpy.bool_),
        "illegal": numpy.zeros(COUNT, numpy.bool_),
        "players": numpy.zeros(COUNT, numpy.int32),
    }
    settings = {
        "tensor_size": encoder.size,
        "action_count": ACTIONS,
        "spare": ACTIONS,
        "stride": COUNT,
        "choice_limit": 30,
        "least": -1.0,
    }
    batch = GameBatch(
        EnvironmentCode(engine, encoder.layout()),
        COUNT,
        engine.block(world.start.copy()),
        signature_columns(engine.plan),
        {name: place_of(array) for name, array in arrays.items()},
        settings,
    )
    return batch, arrays


def number(batch: GameBatch, games: list[int]) -> None:
    """Give each key the next action, and leave the game to native code from then on."""
    for game in games:
        answers = batch.answers(game)
        for answer in answers:
            batch.learn({answer.key: len(batch._entries)})
        batch.number(game, [each.word for each in answers], [batch._entries[each.key] for each in answers])


@pytest.mark.parametrize("name", ["tictactoe", "liarsdice"])
def test_stepping_accesses_only_its_own_memory(name: str) -> None:
    batch, arrays = batch_of(name)
    batch.learn_start(0)
    number(batch, batch.begin(range(COUNT), [4, 5, 6]))
    ended = 0
    for _ in range(40):
        for game in range(COUNT):
            answers = batch.answers(game)
            assert answers
            arrays["actions"][game] = batch.actions(game)[0]
        number(batch, batch.step())
        ended += int(arrays["terminated"].sum() + arrays["truncated"].sum())
        assert not arrays["illegal"].any()
    assert ended >= COUNT


def test_an_array_that_is_too_short_is_detected() -> None:
    batch, _ = batch_of("tictactoe", missing_rows=1)
    with pytest.raises(Broken):
        batch.begin(range(COUNT), [1, 2, 3])
