"""Recipes: actions read once from their texts, to be carried out on the native engine many times.

A recipe is the phrases of an action's moves and what chance gives in them. The rules check every one of them
anew each time; where they say no, the long way is gone, which knows why.
"""

from typing import Any

from msgspec import Struct, field

from ludograph.games import Change, CompiledMove, State, compile_move, compiled_moves
from ludograph.hexil.deals import Deal
from ludograph.hexil.layout import Layout
from ludograph.hexil.moves import Step, filled, lot, steps_of
from ludograph.settlers import BANK, Action, BuyCard, Resource, Roll, Steal, Trade

MOST_KEPT = 50_000
_KINDS = list(Resource)


class Recipe(Struct, frozen=True):
    """How an action is carried out."""

    action: Action | Deal
    phrase: CompiledMove
    player: int | None
    """Whose move it is, counted from 0; None: of the player whose turn it is."""
    further: tuple[tuple[CompiledMove, int | None], ...]
    """More moves, and whose they are."""
    done: Action | Deal | None
    """The action with what chance gives; None if that is drawn."""
    draws: str | None
    """What is drawn, in the rules' words; None for numbers."""
    pays: tuple[int, int] | None
    """Of a trade for several cards of the bank: the kind, by its place, and how many the rules must take."""
    is_talk: bool
    """It is said in the turn of the player whose turn it is, by whomever."""
    is_plain: bool
    """It is one move of the player whose turn it is, in which chance draws nothing."""
    entries: dict[int, Any] = field(default_factory=dict)
    """What the log says when a player has done it, in one move: the same each time."""


class Recipes:
    """The recipes of one world, by the text of the action. Mutable."""

    def __init__(self) -> None:
        self.by_text: dict[str, Recipe | None] = {}
        self._by_action: dict[Action, Recipe | None] = {}
        self.scripts: dict[str, bytes] = {}
        """What texts say, as parts of a script."""

    def learn(self, text: str, action: Action, state: State, layout: Layout) -> Recipe | None:
        """Make a recipe; None if there is none, which is kept too."""
        if len(self.by_text) >= MOST_KEPT:
            self.by_text.clear()
        found = self.by_text[text] = _recipe(action, state, layout)
        return found

    def of_action(self, action: Action | Deal, state: State, layout: Layout) -> Recipe | None:
        """The recipe of an action, or of what somebody says; None if there is none."""
        if isinstance(action, Deal):
            return _recipe(action, state, layout)  # seldom the same again
        try:
            return self._by_action[action]
        except KeyError:
            if len(self._by_action) >= MOST_KEPT:
                self._by_action.clear()
            found = self._by_action[action] = _recipe(action, state, layout)
            return found


def recipes_of(state: State) -> Recipes | None:
    """The recipes of a state's world; None while it runs on the reference engine."""
    phrases = compiled_moves(state)
    if phrases is None:
        return None
    found = phrases.extras.setdefault("recipes", Recipes())
    assert isinstance(found, Recipes)
    return found


def _recipe(action: Action | Deal, state: State, layout: Layout) -> Recipe | None:
    pays: tuple[int, int] | None = None
    change: Change | None = None
    if isinstance(action, Trade) and action.partner == BANK:
        given = [(kind, count) for kind, count in action.give.items() if count]
        taken = [kind for kind, count in action.take.items() for _ in range(count)]
        if len(given) != 1 or not taken:
            return None
        steps: tuple[Step, ...] = tuple(lot(given[0][0], kind) for kind in taken)
        if len(taken) == 1:
            change = Change("seat", "hand", _KINDS.index(given[0][0]), -given[0][1])
        else:
            pays = (_KINDS.index(given[0][0]), given[0][1])
    else:
        steps = steps_of(action, layout)
    moves: list[tuple[CompiledMove, int | None]] = []
    for step in steps:
        phrase = compile_move(state, step.text, step.chance, change)
        if phrase is None:
            return None
        moves.append((phrase, None if step.player is None else step.player - 1))
    chance = [text for step in steps for text in step.chance]
    is_drawn = bool(chance) and None in chance
    done = None if is_drawn else filled(action, [text for text in chance if text is not None])
    if is_drawn and len(moves) > 1:
        return None
    (phrase, player), *further = moves
    is_talk = isinstance(action, Deal)
    is_plain = not (further or is_talk or is_drawn) and player is None
    return Recipe(action, phrase, player, tuple(further), done, _drawn(action), pays, is_talk, is_plain)


def _drawn(action: Action | Deal) -> str | None:
    match action:
        case Steal():
            return "resource"
        case BuyCard():
            return "card"
        case Roll() | _:
            return None
