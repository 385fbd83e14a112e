"""Games of catanatron: random players that avoid the moves which catanatron allows and the rules do not."""

import json
import random

from catanatron import Color, Game, RandomPlayer
from catanatron.json import GameEncoder
from catanatron.models.enums import ActionType

_PLAYS = {
    ActionType.PLAY_KNIGHT_CARD,
    ActionType.PLAY_YEAR_OF_PLENTY,
    ActionType.PLAY_MONOPOLY,
    ActionType.PLAY_ROAD_BUILDING,
}


class CarefulPlayer(RandomPlayer):  # type: ignore[misc]  # catanatron has no types
    """Never plays a card in the turn in which it was bought, and takes two cards for a year of plenty."""

    def decide(self, game: Game, playable_actions: list[object]) -> object:
        bought = False
        for done in reversed(game.state.actions):
            if done.action_type == ActionType.END_TURN:
                break
            bought = bought or done.action_type == ActionType.BUY_DEVELOPMENT_CARD
        allowed = [action for action in playable_actions if not _is_wrong(action, bought)]
        return super().decide(game, allowed or playable_actions)


def _is_wrong(action: object, bought: bool) -> bool:
    kind, value = action.action_type, action.value  # type: ignore[attr-defined]
    if kind == ActionType.PLAY_YEAR_OF_PLENTY and len(value) < 2:
        return True
    return bought and kind in _PLAYS


def play_game(seed: int, players: int = 3) -> str:
    """The JSON of a whole game."""
    random.seed(seed)
    game = Game([CarefulPlayer(color) for color in list(Color)[:players]], seed=seed)
    game.play()
    return json.dumps(game, cls=GameEncoder)
