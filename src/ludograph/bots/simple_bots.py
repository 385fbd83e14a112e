"""Bots without a search: random moves, and the move with the best value after it."""

from ludograph.play import CHANCE, Generator, Move, Seat, State


class RandomBot:
    """Takes each complete move with the same probability. Mutable: its generator advances."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def choose(self, seat: Seat) -> Move:
        moves = seat.legal_moves
        return moves[self._generator.below(len(moves))]


class GreedyBot:
    """Takes the move after which the verb `value` of the rules is greatest. Mutable: its generator advances.

    The end of the game counts more than any value. A move with chance after it is tried with a few outcomes.
    Without a verb `value` all moves that do not end the game are equal; one of the best is drawn.
    """

    SAMPLES = 8
    """The number of tries of a move with chance after it, or in a game with secrets."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def choose(self, seat: Seat) -> Move:
        moves = list(seat.legal_moves)
        if len(moves) == 1:
            return moves[0]
        count = self.SAMPLES if seat.has_secrets else 1
        samples = [seat.resample(self._generator) for _ in range(count)]
        values = [self._value(move, samples, seat.player) for move in moves]
        best = max(values)
        return self._draw([move for move, value in zip(moves, values, strict=True) if value == best])

    def _draw(self, moves: list[Move]) -> Move:
        return moves[self._generator.below(len(moves))]

    def _value(self, move: Move, samples: list[State], player: int) -> tuple[float, float]:
        """The mean payoff of ends of the game after a move, and the mean value of the other positions."""
        payoffs = values = 0.0
        count = 0
        for sample in samples:
            after = sample.copy()
            for choice in move.choices:
                after.choose(choice)
            has_chance = after.asked == (CHANCE,)
            for _ in range(self.SAMPLES if has_chance and len(samples) == 1 else 1):
                state = after.copy() if has_chance else after
                state.sample_chance(self._generator)
                if state.payoffs is not None:
                    payoffs += state.payoffs[player]
                else:
                    values += state.value(player) or 0.0
                count += 1
        return payoffs / count, values / count
