"""Games for Gymnasium: one seat of any game against bots.

An observation is a dictionary: the tensor of what the seat knows, and the mask of the legal actions. A move
consists of one or more actions. The reward is the payoff of the seat at the end, and 0 before.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

import gymnasium
import gymnasium.vector
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector.utils import batch_space

from ludograph.adapters.arrays import BYTE, FLOAT, INFINITY, Array, rewards_of, zero_bytes
from ludograph.adapters.encoding import EncodedGame, encode_game, legal_actions, whose_choice
from ludograph.adapters.vector import VectorEnvironment
from ludograph.bots import bot_seed, parse_bot
from ludograph.games import Game
from ludograph.play.choices import CHANCE
from ludograph.play.generator import Generator
from ludograph.play.seats import Bot, play_bot

MAX_GAME_STEPS = 10_000
"""The actions of the seat after which a game is truncated."""

Observation = dict[str, Array]


class GameEnvironment(gymnasium.Env[Any, Any]):
    """An environment of Gymnasium. Mutable.

    `opponents` has one bot for each other seat, as texts such as `random` or `mcts:500`; the last one also
    plays the remaining seats. An illegal action ends the episode with the least payoff, so that a learner
    without masks learns to avoid it; `info["illegal"]` says so.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium reads a plain dict

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        seat: int = 0,
        opponents: Sequence[str] = ("random",),
        render_mode: str | None = None,
    ) -> None:
        self.encoded: EncodedGame = encode_game(game, players, options)
        if not 0 <= seat < self.encoded.players:
            raise ValueError(f"the seat is between 0 and {self.encoded.players - 1}, not {seat}")
        self.seat = seat
        self.render_mode = render_mode
        self._opponents = [parse_bot(text) for text in opponents]
        self._seed = 0
        self._begin(0)
        self.action_space = spaces.Discrete(self.encoded.actions.size)
        self.observation_space = observation_space(self.encoded)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._begin(int(self.np_random.integers(1 << 62)))
        self._play_others()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        choices = legal_actions(self.encoded, self._state)
        choice = choices.get(int(action))
        if choice is None:
            low = min(self.encoded.actions.payoffs[0], -1.0)
            return self._observe(), low, True, False, {**self._info(), "illegal": True}
        self._state.choose(choice)
        self._actions += 1
        self._play_others()
        payoffs = self._state.payoffs
        reward = 0.0 if payoffs is None else payoffs[self.seat]
        is_truncated = payoffs is None and self._actions >= MAX_GAME_STEPS
        return self._observe(), reward, self._state.is_over, is_truncated, self._info()

    def render(self) -> str | None:
        """The moves so far, as the seat knows them."""
        return "\n".join(self._state.view(self.seat)["moves"]) if self.render_mode == "ansi" else None

    def _begin(self, seed: int) -> None:
        self._state = self.encoded.new(seed=seed >> 8)
        self._actions = 0
        self._chance = Generator(seed)
        self._bots: dict[int, Bot] = {}
        others = [player for player in range(self.encoded.players) if player != self.seat]
        for index, player in enumerate(others):
            if self._opponents:
                kind = self._opponents[min(index, len(self._opponents) - 1)]
                self._bots[player] = kind.make(Generator(bot_seed(seed, player)), time.monotonic)

    def _play_others(self) -> None:
        """Let chance and the other players choose until the seat is asked or the game is over."""
        while True:
            chooser = whose_choice(self._state)
            if chooser is None or chooser == self.seat:
                return
            if chooser == CHANCE:
                self._state.sample_chance(self._chance)
            else:
                play_bot(self._state, self._bots[chooser], chooser)

    def _observe(self) -> Observation:
        return observe(self.encoded, self._state, self.seat)

    def _info(self) -> dict[str, Any]:
        mask = action_mask(self.encoded, self._state, self.seat)
        return {"action_mask": mask}


class GameVector(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A vector environment of Gymnasium: each game waits for an action of its acting player. Mutable.

    An action is that of the acting player, and so is the reward. `infos` has the `player` who acts next, the
    one who has `acted`, and the `payoffs` of all players. A game that has ended is followed by the next one
    in the same step. Its last position is not shown. The next step overwrites the observations.
    """

    metadata: dict[str, Any] = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        choice_limit: int = MAX_GAME_STEPS,
    ) -> None:
        self.games = VectorEnvironment(game, num_envs, players, options, choice_limit=choice_limit)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.games.encoded)
        self.single_action_space = action_space(self.games.encoded)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games. Game number n has the seed `seed` + n; without a seed the system draws one."""
        if seed is not None and not isinstance(seed, int) and None not in seed:
            self.games.reset([one for one in seed if one is not None])
        else:
            drawn = int(new_generator(None).integers(1 << 62))
            self.games.reset(seed if isinstance(seed, int) else drawn)
        return self._observations(), self._infos(self.games.players)

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        games = self.games
        acted = games.players.copy()
        games.step(actions)
        rewards = rewards_of(games.rewards, acted)
        terminated, truncated = games.terminated.copy(), games.truncated.copy()
        return self._observations(), rewards, terminated, truncated, self._infos(acted)

    def _observations(self) -> Observation:
        return {"observation": self.games.observations, "action_mask": self.games.masks}

    def _infos(self, acted: Array) -> dict[str, Any]:
        games = self.games
        return {
            "player": games.players.copy(),
            "acted": acted,
            "payoffs": games.rewards.copy(),
            "illegal": games.illegal.copy(),
        }


def observation_space(encoded: EncodedGame) -> spaces.Dict:
    """The space of the observations of a seat."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-INFINITY, INFINITY, (encoded.observations.size,), FLOAT),
            "action_mask": spaces.Box(0, 1, (encoded.actions.size,), BYTE),
        }
    )


def action_space(encoded: EncodedGame) -> spaces.Discrete:
    return spaces.Discrete(encoded.actions.size)


def new_generator(seed: int | None) -> Any:
    """The generator of Gymnasium for a seed; without a seed the system gives one."""
    return seeding.np_random(seed)[0]


def observe(encoded: EncodedGame, state: Any, seat: int) -> Observation:
    """The tensor and the mask of a seat."""
    return {
        "observation": encoded.observations.encode(state.view(seat)),
        "action_mask": action_mask(encoded, state, seat),
    }


def action_mask(encoded: EncodedGame, state: Any, seat: int) -> Array:
    """1 for each legal action of a seat; all 0 while others are asked."""
    mask = zero_bytes(encoded.actions.size)
    if whose_choice(state) == seat:
        for number in legal_actions(encoded, state):
            mask[number] = 1
    return mask
