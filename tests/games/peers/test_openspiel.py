"""OpenSpiel agrees: the same legal moves at every step of random games, and the same results."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.games.peers.openspiel import PEERS, SAME, compare
from tests.games.peers.openspiel_chance import (
    compare_backgammon,
    compare_crazy_eights,
    compare_liars_dice,
    compare_pig,
)

WITH_CHANCE: dict[str, Callable[[int], str]] = {
    "backgammon": compare_backgammon,
    "crazy-eights": compare_crazy_eights,
    "liars-dice": compare_liars_dice,
    "pig": compare_pig,
}

# The seeds of the short form; most games of chess take longer than these.
SEEDS: dict[str, Sequence[int]] = {
    "tic-tac-toe": range(20),
    "connect-four": range(10),
    "breakthrough": range(2),
    "hex": range(1),
    "othello": range(2),
    "draughts": range(3),
    "chess": (12, 49),
    "go": range(1),
    "kalah": range(10),
    "nine-mens-morris": range(2),
    "crazy-eights": range(4),
    "liars-dice": range(15),
    "pig": range(5),
}

# How many games the long form plays.
LONG = dict.fromkeys(SEEDS, 100) | {
    "tic-tac-toe": 1000,
    "connect-four": 500,
    "kalah": 300,
    "liars-dice": 1000,
    "pig": 300,
    "backgammon": 30,
    "chess": 30,
}


def play(name: str, seed: int) -> str:
    return WITH_CHANCE[name](seed) if name in WITH_CHANCE else compare(name, PEERS[name], seed)


@pytest.mark.parametrize("name", SEEDS)
def test_random_games_go_the_same_way_there(name: str) -> None:
    found = Counter(play(name, seed) for seed in SEEDS[name])
    assert found[SAME] > 0


def test_a_game_of_backgammon_goes_the_same_way_there() -> None:
    assert compare_backgammon(seed=1, every=6) == SAME


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_many_random_games_go_the_same_way_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Counter(play(name, seed) for seed in range(LONG[name]))
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {', '.join(f'{number} × {what}' for what, number in found.items())}\n")
    assert 5 * found[SAME] >= LONG[name]
