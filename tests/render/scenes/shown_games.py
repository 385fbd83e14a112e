"""A position of every shipped game for its picture: the moves are given, or drawn from a seed."""

from dataclasses import dataclass, field
from functools import cache

from ludograph.play.generator import Generator
from ludograph.tgdl.game.game import State
from tests.games.shipped import load


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """How a position is reached, and who looks at it (None: everybody)."""

    moves: int
    seed: int = 1
    players: int = 2
    seat: int | None = None
    script: tuple[str, ...] = ()
    options: dict[str, bool | float | str] = field(default_factory=dict)


SPANISH = ("e2.play(to: e4)", "e7.play(to: e5)", "g1.play(to: f3)", "b8.play(to: c6)", "f1.play(to: b5)")

POSITIONS = {
    "backgammon": ShownPosition(14, seed=5),
    "breakthrough": ShownPosition(24),
    "chess": ShownPosition(0, script=SPANISH),
    "connect-four": ShownPosition(14, seed=3),
    "crazy-eights": ShownPosition(9, seed=15, players=3, seat=0),
    "draughts": ShownPosition(22),
    "go": ShownPosition(26),
    "hex": ShownPosition(30),
    "hexil": ShownPosition(60, seed=10, players=4, seat=0, options={"beginners": True}),
    "kalah": ShownPosition(9),
    "liars-dice": ShownPosition(3, players=3, seat=0),
    "nine-mens-morris": ShownPosition(15),
    "othello": ShownPosition(18),
    "pig": ShownPosition(13, players=3),
    "tic-tac-toe": ShownPosition(5),
    "two-lagoons": ShownPosition(9),
}


@cache
def shown_state(name: str) -> State:
    """The position of a game for its picture. Do not change it."""
    position = POSITIONS[name]
    state = load(name).new(players=position.players, seed=position.seed, options=position.options)
    for move in position.script:
        state.push(move)
    generator = Generator(position.seed)
    for _ in range(position.moves):
        moves = state.legal_moves
        state.push(moves[generator.below(len(moves))])
    return state
