"""Independent programs agree: the same legal moves at every step of random games, and the same results."""

import pytest

from ludograph.play import CHANCE
from ludograph.play.generator import Generator
from ludograph.play.match import perft
from tests.games.peers import rivals
from tests.games.peers.rival_chance import TABLES
from tests.games.peers.rival_lagoons import TWO_LAGOONS
from tests.games.shipped import load

RIVALS = {
    "breakthrough": rivals.BREAKTHROUGH,
    "go": rivals.GO,
    "hex": rivals.HEX,
    "kalah": rivals.KALAH,
    "nine-mens-morris": rivals.MORRIS,
    "othello": rivals.OTHELLO,
    "two-lagoons": TWO_LAGOONS,
}


def play_beside_rival(name: str, seed: int) -> None:
    rival = RIVALS[name]
    state, position = load(name).new(), rival.start
    generator = Generator(seed)
    while state.asked:
        moves = {move.text: move for move in state.legal_moves}
        others = rival.moves(position)
        assert sorted(moves) == sorted(others)
        text = list(moves)[generator.below(len(moves))]
        state.push(moves[text])
        position = others[text]
    assert not rival.moves(position)
    assert state.result is not None
    assert state.result.text == rival.result(position)


def play_beside_table(name: str, players: int, seed: int) -> None:
    state, table = load(name).new(players=players), TABLES[name](players)
    generator = Generator(seed)
    while table.result() is None:
        outcomes = table.outcomes()
        if outcomes:
            assert state.asked == (CHANCE,)
            candidates = state.candidates()
            assert {each.text for each in candidates} == outcomes
            choice = candidates[generator.below(len(candidates))]
            state.choose(choice)
            table.happen(choice.text)
            continue
        assert state.asked == (table.chooser,)
        moves = state.legal_moves
        assert {each.text for each in moves} == table.moves()
        move = moves[generator.below(len(moves))]
        state.push(move)
        table.play(move.text)
    assert state.result is not None
    assert state.result.text == table.result()


@pytest.mark.parametrize(
    "name, depth",
    [("breakthrough", 3), ("kalah", 5), ("nine-mens-morris", 2), ("othello", 4), ("two-lagoons", 4)],
)
def test_an_independent_program_counts_the_same(name: str, depth: int) -> None:
    rival = RIVALS[name]
    assert perft(load(name).new(), depth) == rivals.count(rival, rival.start, depth)


@pytest.mark.parametrize("name", RIVALS)
def test_an_independent_program_agrees_throughout_a_random_game(name: str) -> None:
    play_beside_rival(name, seed=7)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("name", TABLES)
def test_an_independent_program_agrees_under_the_same_luck(name: str, players: int) -> None:
    play_beside_table(name, players, seed=players)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIVALS)
def test_an_independent_program_agrees_throughout_many_games(name: str) -> None:
    for seed in range(100):
        play_beside_rival(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_an_independent_program_agrees_under_much_luck(name: str) -> None:
    for seed in range(300):
        play_beside_table(name, 2 + seed % 4, seed)
