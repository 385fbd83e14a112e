"""Small shipped games on both engines through the public API: the same moves, views and results.

`tests/tgdl/native` compares the engines in depth. This file is the part of it that is fast enough for
`python3 dev.py test --quick`.
"""

import pytest

import ludograph

SMALL_GAMES = ("tic-tac-toe", "connect-four", "kalah", "pig", "liars-dice")
MAX_MOVES = 60


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_random_game_is_the_same_on_both_engines(name: str) -> None:
    native = ludograph.load(name, engine="native").new(seed=1)
    reference = ludograph.load(name, engine="reference").new(seed=1)
    generator = ludograph.Generator(1)
    for _ in range(MAX_MOVES):
        assert native.asked == reference.asked
        assert native.result == reference.result
        if reference.is_over:
            break
        assert list(native.legal_moves) == list(reference.legal_moves)
        move = reference.legal_moves[generator.below(len(reference.legal_moves))]
        native.push(move.text)
        reference.push(move.text)
        for player in range(reference.players):
            assert native.view(player) == reference.view(player)


@pytest.mark.parametrize(("name", "depth", "count"), [("tic-tac-toe", 4, 3024), ("connect-four", 4, 2401)])
def test_perft_is_the_same_on_both_engines(name: str, depth: int, count: int) -> None:
    assert ludograph.perft(name, depth, engine="native") == count
    assert ludograph.perft(name, depth, engine="reference") == count
