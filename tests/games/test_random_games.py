"""A random game that is played again is the game that `simulate` played; its record replays."""

import pytest

from ludograph.games import list_games, load
from ludograph.games.engines import REFERENCE, Engine, count_moves, native_engine, simulate
from ludograph.games.random_games import RandomGame
from ludograph.games.starts import sample_memory
from ludograph.play import format_record, parse_record, replay
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.execution import ExecutionContext
from tests.large_games import SOMETIMES_LARGE
from tests.tgdl.rules import game as game_of

LIMIT = 25


@pytest.mark.parametrize("name", list_games())
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_game_is_played_again_as_simulate_played_it(name: str, engine: str) -> None:
    game = load(name)
    start = game.new()
    chosen: Engine | str = native_engine(game, start) if engine == "native" else REFERENCE
    (outcome,) = simulate(start, 1, seed=3, first=2, limit=LIMIT, engine=chosen)
    again = RandomGame(start, 2, seed=3, limit=LIMIT, engine=chosen)
    for _ in again.steps():
        pass
    moves = again.record.moves
    played = sum(move.chooser >= 0 for move in moves)
    # Native code does not log the choices of a transaction that the limit has cut.
    assert played == outcome.moves or (engine == "native" and played >= outcome.moves - 4)
    if outcome.moves < LIMIT:
        assert outcome.result is not None
        assert again.result == outcome.result.text
    replayed = replay(game, parse_record(format_record(again.record)))
    assert (replayed.broken_at, replayed.reason) == (None, "")
    counts = count_moves(start, 2, seed=3, limit=LIMIT, engine=chosen)
    assert len(counts) == outcome.moves
    assert min(counts) > 0
    assert counts[0] == _first_count(again)


def _first_count(again: RandomGame) -> int:
    """The number of legal moves at the first decision of a game."""
    state = again.state.copy()
    for move in again.record.moves:
        if move.chooser >= 0:
            break
        state.push(move.text, move.chooser)
    return len(state.legal_moves)


def test_a_long_game_fits_into_the_log() -> None:
    rules = "players 2; action go { trigger on player choice; effect { pass; } }"
    game = game_of(rules)
    again = RandomGame(game.new(), 0, seed=0, limit=6000, engine=native_engine(game, game.new()))
    assert sum(1 for _ in again.steps()) == 6000


def test_lists_are_played_again() -> None:
    game = game_of(SOMETIMES_LARGE)
    start = game.new()
    again = RandomGame(start, 1, seed=0, limit=5, engine=native_engine(game, start))
    for _ in again.steps():
        pass
    assert replay(game, again.record).broken_at is None


def test_checked_code_logs_the_same_games() -> None:
    game = load("crazy-eights")
    state = game.new()
    world = world_of(state)
    engines = [Engine(world, sample_memory(game, world), checked=checked) for checked in (False, True)]
    logs = []
    for engine in engines:
        context, block = ExecutionContext(engine), engine.block(memory_of(state))
        logs.append((context.log_game(block, 5, LIMIT), context.count_moves(block, 5, LIMIT)))
    assert logs[0] == logs[1]
    (words, stopped), (counts, _) = logs[0]
    assert stopped is None
    assert len(words) == LIMIT + 1 == len(counts) + 1  # the deal comes first
