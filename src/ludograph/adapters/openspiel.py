"""Games for OpenSpiel: any game in, a Python game of OpenSpiel out, on which its algorithms run.

Each choice is an action. Chance is explicit, with the exact probabilities of the game. Information states are
what a seat may know: its view's record and its own unfinished move.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

import pyspiel

from ludograph.adapters.encoding import EncodedGame, encode_game, legal_actions, whose_choice
from ludograph.games import Game, State
from ludograph.play.choices import CHANCE, Choice

MAX_GAME_LENGTH = 100_000


def openspiel_game(
    game: Game | str, players: int | None = None, options: Mapping[str, object] | None = None
) -> "OpenSpielGame":
    """A game, or the name or path of one, as a game of OpenSpiel.

    The game is registered under its short name, so `pyspiel.load_game` and saved states of OpenSpiel find it
    in this process.
    """
    encoded = encode_game(game, players, options)
    kind = _game_type(encoded)
    if kind.short_name not in pyspiel.registered_names():
        # OpenSpiel keeps the class until the process ends. It crashes then if this is not a class.
        loaded = type(
            "LoadedGame",
            (OpenSpielGame,),
            {"__init__": lambda self, _parameters: OpenSpielGame.__init__(self, encoded)},
        )
        pyspiel.register_game(kind, loaded)
    return OpenSpielGame(encoded)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel, whose rules run in Ludograph."""

    def __init__(self, encoded: EncodedGame) -> None:
        self.encoded = encoded
        super().__init__(_game_type(encoded), _game_info(encoded), {})

    def new_initial_state(self) -> "OpenSpielState":
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "OpenSpielObserver":
        if params:
            raise ValueError(f"the observations have no parameters; got {params}")
        default = pyspiel.IIGObservationType(perfect_recall=False)
        return OpenSpielObserver(self.encoded, iig_obs_type or default)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel. Mutable."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        # OpenSpiel copies and saves the attributes of its states, so there is one, which knows how.
        self._held = _Held(game.encoded, game.encoded.new(), (), ())

    @property
    def encoded(self) -> EncodedGame:
        return self._held.encoded

    @property
    def position(self) -> State:
        """The state of Ludograph."""
        return self._held.state

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The choices of the move under way."""
        return self._held.unfinished

    def current_player(self) -> int:
        chooser = whose_choice(self.position)
        if chooser is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if chooser == CHANCE else chooser

    def _legal_actions(self, player: int) -> list[int]:
        return list(legal_actions(self.encoded, self.position)) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        question = self.position.question(CHANCE)
        return [(index, float(question.probability(index))) for index in range(len(question.candidates))]

    def _apply_action(self, action: int) -> None:
        choice = self._choice(self.current_player(), action)
        self._held.choose(choice)

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            choice = self._choice(player, action)
        except (KeyError, IndexError):
            return self.encoded.actions.describe(action)
        named = choice.text if choice.kind.value in ("action", "chance") else f"{choice.name}: {choice.text}"
        return f"random: {named}" if choice.chooser == CHANCE else named

    def _choice(self, player: int, action: int) -> Choice:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.question(CHANCE).candidates[action]
        return legal_actions(self.encoded, self.position)[action]

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        payoffs = self.position.payoffs
        return [0.0] * self.encoded.players if payoffs is None else list(payoffs)

    def __str__(self) -> str:
        lines = self.position.view(None)["moves"]
        return "\n".join((*lines, *self.unfinished)) or "start"


class OpenSpielObserver:
    """What a player knows, as a tensor and as text. Mutable: `set_from` fills the tensor."""

    def __init__(self, encoded: EncodedGame, kind: Any) -> None:
        self._encoded = encoded
        self._kind = kind
        self.tensor = encoded.observations.encode({"things": {}})
        self.dict = {
            plane.name: self.tensor[plane.start : plane.start + plane.size]
            for plane in encoded.observations.planes
        }

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor.fill(0)
        self._encoded.observations.encode_into(state.position.view(self._reader(player)), self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        reader = self._reader(player)
        own = state.unfinished if state.position.under_way() == reader else ()
        view = state.position.view(reader)
        shown = "; ".join(view["moves"]) if self._kind.perfect_recall else _format_things(view)
        return f"player {player} | {shown}{''.join(f' | {each}' for each in own)}"

    def _reader(self, player: int) -> int | None:
        is_private = self._kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return player if is_private else None


class _Held:
    """Holds a state and the choices that led to it, for copies and for saved states. Mutable."""

    def __init__(
        self, encoded: EncodedGame, state: State, choices: tuple[Choice, ...], unfinished: tuple[str, ...]
    ) -> None:
        self.encoded = encoded
        self.state = state
        self.choices = choices
        self.unfinished = unfinished

    def choose(self, choice: Choice) -> None:
        self.state.choose(choice)
        self.choices = (*self.choices, choice)
        self.unfinished = () if self.state.under_way() is None else (*self.unfinished, choice.text)

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Held":
        return _Held(self.encoded, self.state.copy(), self.choices, self.unfinished)

    def __reduce__(self) -> tuple[Any, ...]:
        encoded = self.encoded
        choices = json.dumps([choice.to_json() for choice in self.choices])
        return _read_held, (encoded.game, encoded.players, dict(encoded.options), choices)


def _read_held(game: Game, players: int, options: dict[str, object], choices: str) -> _Held:
    """A saved state: the choices are made again."""
    encoded = encode_game(game, players, options)
    held = _Held(encoded, encoded.new(), (), ())
    for choice in json.loads(choices):
        held.choose(Choice.from_json(choice))
    return held


def _format_things(view: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name} {', '.join(f'{key}={value}' for key, value in thing.items() if key != 'is')}"
        for name, thing in view["things"].items()
    )


def _game_type(encoded: EncodedGame) -> Any:
    kinds = pyspiel.GameType
    start, table = encoded.new(), encoded.actions
    has_secrets = start.has_secrets()
    utility = kinds.Utility.GENERAL_SUM
    if table.payoff_sum is not None:
        utility = kinds.Utility.ZERO_SUM if table.payoff_sum == 0 else kinds.Utility.CONSTANT_SUM
    return kinds(
        short_name=_short_name(encoded),
        long_name=encoded.game.name,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if table.max_outcomes
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if has_secrets
        else kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=encoded.players,
        min_num_players=encoded.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )


def _short_name(encoded: EncodedGame) -> str:
    """A name that differs for other rules, players or options."""
    configuration = repr((encoded.game.rules, encoded.players, sorted(encoded.options.items())))
    words = "_".join(re.findall("[a-z0-9]+", encoded.game.name.lower())) or "game"
    return f"ludograph_{words}_{crc32(configuration.encode()):08x}"


def _game_info(encoded: EncodedGame) -> Any:
    table = encoded.actions
    low, high = table.payoffs
    is_decided = (low, high) == (-1.0, 1.0) or low == high
    margin = 0.0 if is_decided else high - low  # a sample of games need not contain the extreme payoffs
    return pyspiel.GameInfo(
        num_distinct_actions=table.size,
        max_chance_outcomes=2 * table.max_outcomes,
        num_players=encoded.players,
        min_utility=min(low, -1.0) - margin,
        max_utility=max(high, 1.0) + margin,
        utility_sum=table.payoff_sum,
        max_game_length=MAX_GAME_LENGTH,
    )
