"""Playthroughs: for every shipped game one game from start to end, as people read it.

Each line has who is asked, out of how many complete moves (or outcomes of chance), and what was chosen. The
position is shown at the start, now and then, and at the end; with secrets, as each player sees it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from ludograph.cli.board.position_text import format_position
from ludograph.play import CHANCE
from ludograph.play.generator import Generator
from ludograph.tgdl.game.game import State
from tests.games.shipped import GAMES_FOLDER, load
from tests.golden_files import Golden

# A pawn takes in passing, takes again and becomes a queen. Then both castle, and the kings step to and fro
# until the position has been there three times.
CHESS = """
e2.play(to: e4)  a7.play(to: a6)
e4.play(to: e5)  d7.play(to: d5)
e5.play(to: d6)  b8.play(to: c6)
d6.play(to: c7)  c8.play(to: d7)
c7.play(to: d8, promotion: queen)  a8.play(to: d8)
g1.play(to: f3)  g8.play(to: f6)
f1.play(to: e2)  g7.play(to: g6)
e1.castle(side: 2)  f8.play(to: g7)
d2.play(to: d4)  e8.castle(side: 2)
g1.play(to: h1)  g8.play(to: h8)
h1.play(to: g1)  h8.play(to: g8)
g1.play(to: h1)  g8.play(to: h8)
h1.play(to: g1)  h8.play(to: g8)
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is played: by these moves, or at random from this seed; a picture every so many moves."""

    pictures: int
    seed: int = 1
    players: int = 2
    script: str = ""
    has_secrets: bool = False
    options: dict[str, bool | float | str] = field(default_factory=dict)


PLANS = {
    "backgammon": Plan(40, seed=5),
    "breakthrough": Plan(20),
    "chess": Plan(9, script=CHESS),
    "connect-four": Plan(10),
    "crazy-eights": Plan(15, seed=15, players=3, has_secrets=True),
    "draughts": Plan(25),
    "go": Plan(30),
    "hex": Plan(40),
    # At random ten points take a thousand moves.
    "hexil": Plan(120, seed=10, players=3, has_secrets=True, options={"points": 5, "beginners": True}),
    "kalah": Plan(12),
    "liars-dice": Plan(20, seed=6, players=3, has_secrets=True),
    "nine-mens-morris": Plan(18),
    "othello": Plan(20),
    "pig": Plan(40),
    "tic-tac-toe": Plan(3),
    "two-lagoons": Plan(20, seed=7),
}


def playthrough(name: str, plan: Plan) -> str:
    return "".join(f"{line}\n" for line in lines(name, plan))


def lines(name: str, plan: Plan) -> Iterator[str]:
    game = load(name)
    state = game.new(players=plan.players, options=plan.options)
    generator = Generator(plan.seed)
    script = [move.strip() for move in plan.script.replace("  ", "\n").splitlines() if move.strip()]
    how = "a game of its own" if script else f"at random, seed {plan.seed}"
    yield f"{game.name}, {plan.players} players, {how}"
    number = 0
    while state.asked:
        if luck := list(settled(state, generator)):
            (_, most), said = luck[0], ", ".join(text for text, _ in luck)
            yield f"chance, {most} outcomes{' first' if len(luck) > 1 else ''}: {said}"
            continue
        if number % plan.pictures == 0:
            yield from ("", *pictures(state, plan))
        moves = state.legal_moves
        move = script[number] if script else moves[generator.below(len(moves))].text
        number += 1
        word = "move" if len(moves) == 1 else "moves"
        yield f"{number}. player {state.asked[0]}, {len(moves)} {word}: {move}"
        state.push(move)
    assert state.result is not None
    yield from ("", *pictures(state, plan))
    payoffs = ", ".join(f"{payoff:g}" for payoff in state.result.payoffs)
    yield f"{state.result.text} (payoffs {payoffs}) after {number} moves"


def settled(state: State, generator: Generator) -> Iterator[tuple[str, int]]:
    """Let chance decide all that it is asked; each outcome, and out of how many."""
    while state.asked == (CHANCE,):
        candidates = state.candidates()
        choice = candidates[generator.below(len(candidates))]
        state.choose(choice)
        yield choice.text, len(candidates)


def pictures(state: State, plan: Plan) -> Iterator[str]:
    for player in range(plan.players) if plan.has_secrets else (0,):
        if plan.has_secrets:
            yield f"as player {player} sees it:"
        yield from (*format_position(state, player).splitlines(), "")


def test_no_game_of_the_shelf_lacks_a_playthrough() -> None:
    assert sorted(PLANS) == sorted(path.stem for path in GAMES_FOLDER.glob("*.tgdl"))


@pytest.mark.parametrize("name", PLANS)
def test_a_game_goes_as_it_always_went(name: str, golden: Golden) -> None:
    golden(f"games/{name}.txt", playthrough(name, PLANS[name]))
