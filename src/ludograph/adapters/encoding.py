"""What all adapters share: a game with its players and options, its actions and its tensors."""

from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from ludograph.adapters.action_ids import ActionTable, build_action_table
from ludograph.adapters.observations import ObservationEncoder
from ludograph.games import Game, NoNativeEngine, State, load
from ludograph.play.choices import CHANCE, Choice

MAX_KEPT = 16
_ENCODED: dict[object, "EncodedGame"] = {}
"""The last games, because the sample of a game takes a second, and environments are made again and again."""


class EncodedGame(Struct, frozen=True):
    """A game with its players and options, numbers for its choices and tensors for its views."""

    game: Game
    players: int
    options: Mapping[str, object]
    actions: ActionTable
    observations: ObservationEncoder

    def new(self, seed: int | None = None) -> State:
        """The start of a game; without a seed, the caller makes the choices of chance."""
        return self.game.new(players=self.players, seed=seed, options=dict(self.options))


def encode_game(
    game: Game | str, players: int | None = None, options: Mapping[str, object] | None = None
) -> EncodedGame:
    """A game, or the name or path of one, made ready for an environment."""
    chosen = dict(options or {})
    rules, start = _begin(game, players, chosen)
    key = (rules.rules, start.players, tuple(sorted(chosen.items())))
    if key not in _ENCODED:
        if len(_ENCODED) >= MAX_KEPT:
            _ENCODED.pop(next(iter(_ENCODED)))
        _ENCODED[key] = EncodedGame(
            rules, start.players, chosen, build_action_table(start), ObservationEncoder(start)
        )
    return _ENCODED[key]


def _begin(game: Game | str, players: int | None, options: dict[str, object]) -> tuple[Game, State]:
    """The rules and a start; on the native engine from the first choice, if it can run the game."""
    if isinstance(game, str):
        with suppress(NoNativeEngine):
            rules = load(game, engine="native")
            return rules, rules.new(players=players, options=options)
        game = load(game)
    return game, game.new(players=players, options=options)


def whose_choice(state: State) -> int | None:
    """The player who makes the next choice, CHANCE, or None if the game is over.

    If several players choose at the same time, the first of them is asked first; nobody sees the answer
    before all have answered.
    """
    under_way = state.under_way()
    if under_way is not None:
        return under_way
    return state.asked[0] if state.asked else None


def legal_actions(encoded: EncodedGame, state: State) -> dict[int, Choice]:
    """The choices of the player who is asked, by the numbers of their actions; empty for chance."""
    chooser = whose_choice(state)
    if chooser is None or chooser == CHANCE:
        return {}
    return encoded.actions.number_candidates(state.question(chooser).candidates)
