"""Hexil and the second engine agree: the same positions and legal actions all through random games."""

import pytest

from ludograph.hexil import Match
from ludograph.play import Generator
from ludograph.settlers import Action
from tests.games.hexil.second_engine import actions, after, beginning


def lockstep(players: int, seed: int, limit: int, *, every: int = 1) -> int:
    """Play a random game on both sides and give its number of actions; compare lists every so many steps."""
    game = Match.new(players, seed, trades="bank_only")
    moment = beginning(game.position().island, players)
    chance = Generator(seed)
    for number in range(limit):
        assert game.position() == moment.position, f"after {game.action_stack()[-3:]}"
        assert (game.winner() is not None) == moment.is_over
        if moment.is_over:
            return number
        expected = list(actions(moment))
        if number % every == 0:
            listed = [action for action in game.legal_moves if isinstance(action, Action)]
            assert len(listed) == len(expected) == len(set(expected))
            assert set(listed) == set(expected)
        done = game.push(expected[chance.below(len(expected))])
        assert isinstance(done, Action)
        moment = after(moment, done)
        assert game.facts().deck == moment.deck
    return limit


@pytest.mark.parametrize("players, seed", [(2, 1), (3, 2), (4, 3)])
def test_both_engines_go_the_same_way(players: int, seed: int) -> None:
    assert lockstep(players, seed, 150) == 150


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 22))
def test_both_engines_play_whole_games_the_same_way(seed: int) -> None:
    assert lockstep(2 + seed % 3, seed, 5_000, every=3) < 5_000
