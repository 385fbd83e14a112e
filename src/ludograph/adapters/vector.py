"""Hundreds of games at a time: the actions of all acting players in, arrays of NumPy out.

Native code plays all games in one call, and fills arrays that are made once. A game that has ended is
followed by the next game at once. `GameVector` in `gymnasium` has the interface of a vector environment of
Gymnasium.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from typing import Protocol

from ludograph.adapters.arrays import (
    ACTION,
    BOOL,
    BYTE,
    PLAYER,
    Array,
    place_of,
    zero_row,
    zero_table,
)
from ludograph.adapters.encoding import EncodedGame, encode_game, legal_actions, whose_choice
from ludograph.adapters.stepped_games import SteppedGames, start_stepped_games
from ludograph.games import Game, State, expect_uses
from ludograph.play.choices import CHANCE, Choice
from ludograph.play.generator import Generator

MAX_GAME_CHOICES = 10_000
"""The choices after which a game is truncated."""
MAX_GAMES = 1 << 16
MANY = 1_000_000


class Games(Protocol):
    """Games that fill the arrays of a vector environment."""

    def begin(self, games: Sequence[int], seeds: Sequence[int]) -> None: ...

    def step(self) -> None: ...


class VectorEnvironment:
    """Many games of the same rules, each waiting for an action of one player. Mutable.

    The arrays have one row for each game, and every step overwrites them; copy what has to stay.
    """

    def __init__(
        self,
        game: Game | str,
        count: int,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        choice_limit: int = MAX_GAME_CHOICES,
        threads: int = 1,
    ) -> None:
        """`count` games; a game is truncated after `choice_limit` choices of players.

        With several threads each of them plays a part of the games; the results are the same.
        """
        if not 1 <= count <= MAX_GAMES:
            raise ValueError(f"the number of games is between 1 and {MAX_GAMES:,}, not {count:,}")
        if choice_limit < 1:
            raise ValueError(f"a game has at least 1 choice, not {choice_limit}")
        if not 1 <= threads <= count:
            raise ValueError(f"the number of threads is between 1 and {count:,}, not {threads}")
        self.encoded: EncodedGame = encode_game(game, players, options)
        self.count = count
        self.choice_limit = choice_limit
        actions = self.encoded.actions
        self.observations: Array = zero_table(count, self.encoded.observations.size)
        """The tensor of what the acting player sees."""
        self.masks: Array = zero_table(count, actions.size, BYTE)
        """1 for each legal action of the acting player."""
        self.players: Array = zero_row(count, PLAYER)
        """The acting player; -1 if a game is over before anybody was asked."""
        self.rewards: Array = zero_table(count, self.encoded.players)
        """The payoff of each player if the last action has ended the game, and 0 otherwise."""
        self.terminated: Array = zero_row(count, BOOL)
        """Whether the last action has ended the game; the other arrays show the next game."""
        self.truncated: Array = zero_row(count, BOOL)
        """Whether the game was stopped after `choice_limit` choices."""
        self.illegal: Array = zero_row(count, BOOL)
        """Whether the last action was not legal, which ends the game."""
        self.actions: Array = zero_row(count, ACTION)
        """The last actions."""
        self.least = min(actions.payoffs[0], -1.0)
        """The reward of a player for an action that is not legal."""
        bounds = [count * part // threads for part in range(threads + 1)]
        native = [self._native(first, end) for first, end in pairwise(bounds)]
        parts = [each for each in native if each is not None]
        self.is_native = len(parts) == threads
        """Whether native code plays the games; otherwise Python does, one after the other."""
        self._games: Games = _PythonGames(self)
        if self.is_native:
            self._games = parts[0] if threads == 1 else _Parts(parts, bounds)
        self.reset()

    def reset(self, seed: int | Sequence[int] = 0) -> tuple[Array, Array]:
        """Begin all games anew; returns the observations and the masks.

        Game number n has the seed `seed` + n, or the given ones. The next game in its place has a seed that
        is greater by `count`, so that no two games have the same.
        """
        seeds = [seed + game for game in range(self.count)] if isinstance(seed, int) else list(seed)
        if len(seeds) != self.count:
            raise ValueError(f"there are {self.count} games, but {len(seeds)} seeds")
        for array in (self.rewards, self.terminated, self.truncated, self.illegal):
            array[:] = 0
        self._games.begin(range(self.count), seeds)
        return self.observations, self.masks

    def step(self, actions: Array | Sequence[int]) -> tuple[Array, Array, Array, Array]:
        """Play an action in each game; returns observations, rewards, `terminated` and `truncated`."""
        self.actions[:] = actions
        self._games.step()
        return self.observations, self.rewards, self.terminated, self.truncated

    def _native(self, first: int, end: int) -> SteppedGames | None:
        """Some of the games in native code; None if it cannot play them."""
        encoded = self.encoded
        start = encoded.new()
        expect_uses(start, MANY)
        actions = encoded.actions
        arrays = {
            "actions": self.actions,
            "tensors": self.observations,
            "masks": self.masks,
            "rewards": self.rewards,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "illegal": self.illegal,
            "players": self.players,
        }
        return start_stepped_games(
            start,
            encoded.observations.layout(),
            end - first,
            {name: place_of(array[first:end]) for name, array in arrays.items()},
            {
                "tensor_size": encoded.observations.size,
                "action_count": actions.size,
                "spare": len(actions.actions),
                "stride": self.count,
                "choice_limit": self.choice_limit,
                "least": float(self.least),
            },
            actions.number_candidates,
            actions.find,
            partial(_mark, self.masks[first:end]),
        )


def _mark(masks: Array, game: int, numbers: Sequence[int]) -> None:
    masks[game, list(numbers)] = 1


class _Parts:
    """Parts of the games, each in a thread of its own. Mutable."""

    def __init__(self, parts: Sequence[SteppedGames], bounds: Sequence[int]) -> None:
        self._parts = parts
        self._bounds = bounds
        self._threads = ThreadPoolExecutor(len(parts) - 1)

    def begin(self, games: Sequence[int], seeds: Sequence[int]) -> None:
        for part, (first, end) in zip(self._parts, pairwise(self._bounds), strict=True):
            part.begin(range(end - first), seeds[first:end])

    def step(self) -> None:
        own, *others = self._parts
        running = [self._threads.submit(part.step) for part in others]
        try:
            own.step()
        finally:
            wait(running)
        for each in running:
            each.result()


class _PythonGames:
    """The same games one after the other, for rules that native code cannot step. Mutable."""

    def __init__(self, environment: VectorEnvironment) -> None:
        self._environment = environment
        self._encoded = environment.encoded
        self._seeds = [0] * environment.count
        self._states: list[State] = [self._encoded.new()] * environment.count
        self._chance = [Generator(0)] * environment.count
        self._lengths = [0] * environment.count
        self._choices: list[dict[int, Choice]] = [{}] * environment.count

    def begin(self, games: Sequence[int], seeds: Sequence[int]) -> None:
        for game, seed in zip(games, seeds, strict=True):
            self._begin(game, seed)

    def step(self) -> None:
        for game in range(self._environment.count):
            self._step(game)

    def _begin(self, game: int, seed: int) -> None:
        self._seeds[game], self._lengths[game] = seed, 0
        self._states[game], self._chance[game] = self._encoded.new(seed=seed), Generator(seed)
        self._show(game)

    def _step(self, game: int) -> None:
        shown, state = self._environment, self._states[game]
        shown.rewards[game] = shown.terminated[game] = shown.truncated[game] = shown.illegal[game] = 0
        choice = self._choices[game].get(int(shown.actions[game]))
        if choice is None:
            shown.illegal[game] = shown.terminated[game] = True
            if shown.players[game] >= 0:
                shown.rewards[game, shown.players[game]] = shown.least
        else:
            state.choose(choice)
            self._lengths[game] += 1
            while whose_choice(state) == CHANCE:
                state.sample_chance(self._chance[game])
            if state.payoffs is not None:
                shown.rewards[game] = state.payoffs
                shown.terminated[game] = True
            elif self._lengths[game] >= shown.choice_limit:
                shown.truncated[game] = True
        if shown.terminated[game] or shown.truncated[game]:
            self._begin(game, self._seeds[game] + shown.count)
        else:
            self._show(game)

    def _show(self, game: int) -> None:
        shown, state = self._environment, self._states[game]
        while (chooser := whose_choice(state)) == CHANCE:
            state.sample_chance(self._chance[game])
        shown.players[game] = -1 if chooser is None else chooser
        shown.observations[game] = 0
        shown.masks[game] = 0
        self._choices[game] = legal_actions(self._encoded, state)
        if chooser is not None:
            self._encoded.observations.encode_into(state.view(chooser), shown.observations[game])
            shown.masks[game, list(self._choices[game])] = 1
