"""The known numbers of move sequences: few moves in every run, as many as are known in the long one."""

import pytest

from ludograph.play.match import perft
from tests.games.peers.openspiel import PEERS, count_from_start
from tests.games.shipped import chess, load

# The sequences of 1, 2, … moves from the start. Dice and shuffled cards come from seed 1.
PERFT: dict[str, tuple[int, ...]] = {
    "backgammon": (6, 648),
    "breakthrough": (22, 484, 11132),
    "chess": (20, 400),
    "connect-four": (7, 49, 343, 2401),
    "crazy-eights": (44, 636),
    "draughts": (7, 49, 302, 1469),
    "go": (82,),
    "hex": (121, 14520),
    # 54 corners; 72 sides with two ends; then 18 corners with two neighbours and 36 with three are barred.
    "hexil": (54, 2 * 72, 18 * 2 * 51 + 36 * 3 * 50),
    "kalah": (6, 35, 185, 942),
    "liars-dice": (60,),
    "nine-mens-morris": (24, 552),
    "othello": (4, 12, 56, 244, 1396),
    "pig": (6, 41, 276),
    "tic-tac-toe": (9, 72, 504, 3024, 15120),
    "two-lagoons": (5, 50, 170, 867),
}

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROOK_ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
CASTLING = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
QUIET = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


@pytest.mark.parametrize("name", PERFT)
def test_the_start_has_the_known_numbers_of_moves(name: str) -> None:
    state = load(name).new(seed=1)
    assert tuple(perft(state, depth + 1) for depth in range(len(PERFT[name]))) == PERFT[name]


@pytest.mark.parametrize(
    "fen, expected",
    [
        (KIWIPETE, (48, 2039)),
        (ROOK_ENDING, (14, 191)),
        (PROMOTIONS, (6, 264)),
        (CASTLING, (44, 1486)),
        (QUIET, (46,)),
    ],
)
def test_chess_positions_have_the_known_numbers_of_moves(fen: str, expected: tuple[int, ...]) -> None:
    state = chess(fen)
    assert tuple(perft(state, depth + 1) for depth in range(len(expected))) == expected


@pytest.mark.parametrize("name", PEERS)
def test_openspiel_counts_the_same(name: str) -> None:
    depth = 1 if name == "go" else min(3, len(PERFT[name]))
    assert count_from_start(PEERS[name], depth) == PERFT[name][depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, depth, expected",
    [
        ("breakthrough", 4, 256036),
        ("chess", 3, 8902),
        ("chess", 4, 197281),
        ("connect-four", 7, 823536),
        ("draughts", 5, 7361),
        ("draughts", 6, 36768),
        ("draughts", 7, 179740),
        ("nine-mens-morris", 4, 255024),
        ("othello", 6, 8200),
        ("othello", 7, 55092),
        ("tic-tac-toe", 6, 54720),
        ("tic-tac-toe", 7, 148176),
        ("tic-tac-toe", 8, 200448),
        ("tic-tac-toe", 9, 127872),
    ],
)
def test_the_start_has_the_known_numbers_of_moves_further_on(name: str, depth: int, expected: int) -> None:
    assert perft(load(name).new(), depth) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "fen, depth, expected",
    [
        (KIWIPETE, 3, 97862),
        (ROOK_ENDING, 4, 43238),
        (PROMOTIONS, 3, 9467),
        (CASTLING, 3, 62379),
        (QUIET, 3, 89890),
    ],
)
def test_chess_positions_have_the_known_numbers_further_on(fen: str, depth: int, expected: int) -> None:
    assert perft(chess(fen), depth) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, depth", [("breakthrough", 4), ("go", 2), ("kalah", 6), ("nine-mens-morris", 3), ("othello", 6)]
)
def test_openspiel_counts_the_same_further_on(name: str, depth: int) -> None:
    assert perft(load(name).new(), depth) == count_from_start(PEERS[name], depth)
