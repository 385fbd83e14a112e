"""Which engine runs a game, and that nobody notices which."""

import pytest

from ludograph.games.engines import compile_world, simulate
from ludograph.play import Generator
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import Fault, Game

RISKY = """
global state t { decimal n = 1; }
setup { t.n = 1 / (1 - random 2); }
action go { trigger on player choice; effect { t.n += 1; if t.n > 3 win player; pass; } }
"""
"""A game whose setup fails when chance gives 1, as it does first for a seed of 0."""


def test_a_setup_that_fails_by_chance_fails_only_in_the_games_where_it_does() -> None:
    game = Game(compile_source(Source(RISKY, "risky.tgdl")), compiler=compile_world, uses_before_compiling=0)
    fails = {seed: Generator(seed).below(2) == 1 for seed in range(4)}
    assert fails == {0: True, 1: True, 2: False, 3: True}
    for seed, does_fail in fails.items():
        if does_fail:
            with pytest.raises(Fault, match="zero"):
                game.new(seed=seed)
            continue
        state = game.new(seed=seed)
        assert [move.text for move in state.moves()] == ["go"]
        assert [outcome.moves for outcome in simulate(state, 2)] == [3, 3]
