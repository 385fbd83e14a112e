"""Guesses of what is hidden, which remember the public history.

What the bank and the sizes of the hands show is the same after very different rounds. So the bot keeps some
states that look the same to its player, and plays every later move of the history in each of them. Hidden
outcomes of chance, such as a stolen card, are drawn anew. A guess in which a move is not legal was wrong and
is dropped, and a guess in which a known outcome was less likely counts less. If all were wrong, the guesses
are drawn anew from what is visible now.
"""

from collections.abc import Mapping

from ludograph.play import CHANCE, Generator, IllegalMove, Record, Seat, State

MAX_GUESSES = 16
HIDDEN = "?"
"""The text of an outcome that the player may not know."""
MAX_TRIES = 200
"""The moves since the last decision after which the guesses are drawn anew."""


class Guesses:
    """States that look the same to a player, with the history in mind. Mutable."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._moves: tuple[tuple[int, str], ...] = ()
        """The history up to the guesses."""

    def draw(self, seat: Seat, count: int, generator: Generator) -> list[State]:
        """Some states that look the same to the player of a seat, which the caller may change."""
        moves = _moves_of(seat.history)
        if not moves:  # the game begins, or its history is not known
            return [seat.resample(generator) for _ in range(count)]
        weighed = self._go_on(seat, moves, generator)
        if weighed:
            total = sum(weight for _, weight in weighed)
            self._states = [_pick(weighed, total, generator).copy() for _ in range(MAX_GUESSES)]
        else:
            self._states = [seat.resample(generator) for _ in range(MAX_GUESSES)]
        self._moves = moves
        return [self._states[generator.below(MAX_GUESSES)].copy() for _ in range(count)]

    def _go_on(
        self, seat: Seat, moves: tuple[tuple[int, str], ...], generator: Generator
    ) -> list[tuple[State, float]]:
        """The guesses after the moves since then, with their weights; empty: none of them is possible."""
        known = len(self._moves)
        if not self._states or moves[:known] != self._moves or len(moves) - known > MAX_TRIES:
            return []
        seen, found = _shown(seat.view), []
        for state in self._states:
            weight = 1.0
            for player, text in moves[known:]:
                weight *= _play(state, player, text, generator)
                if not weight:
                    break
            if weight and _shown(state.view(seat.player)) == seen:
                found.append((state, weight))
        return found


def _moves_of(history: Record) -> tuple[tuple[int, str], ...]:
    return tuple((move.chooser, move.text) for move in history.moves)


def _shown(view: Mapping[str, object]) -> dict[str, object]:
    """A view without its moves. A guessed state has a shorter history than the real one."""
    return {**view, "moves": None}


def _play(state: State, player: int, text: str, generator: Generator) -> float:
    """Play a move of the history in a guess; returns how likely its outcomes were.

    0: the move is not possible, so the guess was wrong.
    """
    if player != CHANCE:
        try:
            state.push(text, player)
        except IllegalMove:
            return 0.0
        return 1.0
    weight = 1.0
    for outcome in text.partition("(")[2].removesuffix(")").split(", "):
        if state.asked != (CHANCE,):
            return 0.0
        if outcome == HIDDEN:
            state.sample_chance(generator)
            continue
        shares = {choice.text: (choice, share) for choice, share in state.outcomes()}
        if outcome not in shares:
            return 0.0
        choice, share = shares[outcome]
        state.choose(choice)
        weight *= float(share)
    return weight


def _pick(weighed: list[tuple[State, float]], total: float, generator: Generator) -> State:
    left = total * (generator.below(1 << 30) / (1 << 30))
    for state, weight in weighed:
        left -= weight
        if left < 0:
            return state
    return weighed[-1][0]
