"""Games for PettingZoo: any game in, an environment for several agents (AEC) out.

The agents are `player_0`, `player_1` and so on. Each makes one choice at a time; a move consists of one or
more. Rewards are the payoffs at the end of the game.
"""

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv

from ludograph.adapters.encoding import EncodedGame, encode_game, legal_actions, whose_choice
from ludograph.adapters.gymnasium import action_space, new_generator, observation_space, observe
from ludograph.games import Game
from ludograph.play.choices import CHANCE
from ludograph.play.generator import Generator

MAX_GAME_STEPS = 100_000
"""The choices after which a game is truncated."""


class GameAgents(AECEnv[str, Any, int]):  # type: ignore[misc]
    """An environment of PettingZoo. Mutable.

    An illegal action ends the game: its agent gets the least payoff, and the others get 0.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        *,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.encoded: EncodedGame = encode_game(game, players, options)
        self.metadata = {**type(self).metadata, "name": self.encoded.game.name}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(self.encoded.players)]
        self._random = new_generator(0)
        self._state = self.encoded.new(seed=0)
        # One space for each agent, always the same object, because learners seed them.
        self.observation_spaces = {agent: observation_space(self.encoded) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.encoded) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = new_generator(seed)
        start = int(self._random.integers(1 << 62))
        self._state = self.encoded.new(seed=start >> 8)
        self._chance = Generator(start)
        self._choices = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> Any:
        return observe(self.encoded, self._state, self.possible_agents.index(agent))

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        choice = legal_actions(self.encoded, self._state).get(int(action))
        if choice is None:
            self.rewards[agent] = min(self.encoded.actions.payoffs[0], -1.0)
            self.infos[agent] = {"illegal": True}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._state.choose(choice)
            self._choices += 1
            self._go_on()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The moves so far, as everybody knows them."""
        return "\n".join(self._state.view(None)["moves"]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _go_on(self) -> None:
        """Let chance choose until a player is asked or the game is over."""
        while (chooser := whose_choice(self._state)) == CHANCE:
            self._state.sample_chance(self._chance)
        if chooser is not None:
            self.agent_selection = self.possible_agents[chooser]
            if self._choices >= MAX_GAME_STEPS:
                self.truncations = dict.fromkeys(self.agents, True)
            return
        if self._choices == 0:
            self.agent_selection = self.possible_agents[0]
        payoffs = self._state.payoffs
        assert payoffs is not None, "nobody is asked, so the game is over"
        self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
