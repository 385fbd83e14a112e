"""How good a state is for a player: the chance to win, by the values of all players.

A decision may judge a limited number of states, so that the time of a decision has a limit without a clock. A
caller with a clock may set a deadline too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp

from ludograph.bots.settlers.levels import Level
from ludograph.play import CHANCE, Generator, Move, State


class Judge:
    """Judges states for one player, in one decision.

    Mutable: it counts the states, and its generator advances if the level makes mistakes.
    """

    def __init__(
        self, player: int, level: Level, generator: Generator, is_late: Callable[[], bool] = lambda: False
    ) -> None:
        """`is_late`: whether a deadline has passed; it is asked before each judgement of a plan."""
        self.player = player
        self.level = level
        self._generator = generator
        self._is_late = is_late
        self._judged = 0.0
        self._limit: float = level.max_judged

    @property
    def is_spent(self) -> bool:
        """Whether the decision has to be made with what is known now."""
        return self._judged >= self._limit or self._is_late()

    @contextmanager
    def limited_to(self, share: float) -> Iterator[None]:
        """A part of the decision that may use a share of the states that are left."""
        before = self._limit
        self._limit = min(before, self._judged + share * max(0.0, before - self._judged))
        yield
        self._limit = before

    def chance_of(self, state: State, player: int | None = None) -> float:
        """The chance to win of a player (default: the own one) before the next choice.

        A lead of 1 in the value means odds of e to 1. A level that does not see its rivals compares its own
        value only.
        """
        player = self.player if player is None else player
        self._judged += 1
        payoffs = state.payoffs
        if payoffs is not None:
            return 1.0 if payoffs[player] > 0 else 0.0
        own = state.value(player) or 0.0
        if self.level.noise:
            own += self.level.noise * (self._generator.below(1 << 20) / (1 << 20) - 0.5)
        if not self.level.sees_rivals:
            return 1 / (1 + exp(10.0 - 0.5 * own))
        others = sum(
            exp(min(50.0, (state.value(rival) or 0.0) - own))
            for rival in range(state.players)
            if rival != player
        )
        return 1 / (1 + others)

    def value_after(self, state: State, move: Move, player: int) -> float:
        """How well one player stands after a move; it counts as a part of a judged state."""
        self._judged += 1 / state.players
        after = state.copy()
        after.push(move)
        return after.value(player) or 0.0

    def mean_chance_of(self, state: State) -> float:
        """The same; if chance chooses now, the mean over its outcomes."""
        if state.asked != (CHANCE,):
            return self.chance_of(state)
        mean = 0.0
        for choice, probability in state.outcomes():
            after = state.copy()
            after.choose(choice)
            mean += float(probability) * self.mean_chance_of(after)
        return mean

    def chance_after(self, state: State, move: Move) -> float:
        """The mean chance to win after a move."""
        after = state.copy()
        after.push(move)
        return self.mean_chance_of(after)


def action_of(move: Move) -> str:
    """The name of the action that a move begins with; its text is written faster than its choices."""
    return move.text.partition("(")[0].rpartition(".")[2]
