"""Action plans: actions compiled once from their texts, to be executed on the native engine many times.

A plan has the compiled moves of an action and the outcomes of chance in them. The rules check every move
again each time. If they refuse one, the action is executed without a plan, which finds the reason.
"""

from typing import Any

from msgspec import Struct, field

from ludograph.games import Change, CompiledMove, State, compile_move, compiled_moves
from ludograph.hexil.deals import Deal
from ludograph.hexil.layout import Layout
from ludograph.hexil.moves import MAX_CARDS, Step, bank_trade_step, count_cards, fill_chance, list_steps
from ludograph.settlers import BANK, Action, BuyCard, Resource, Roll, Steal, Trade

MAX_KEPT = 50_000
_KINDS = list(Resource)


class ActionPlan(Struct, frozen=True):
    """How an action is executed on the native engine."""

    action: Action | Deal
    move: CompiledMove
    player: int | None
    """The player who makes the move, counted from 0; None: the player whose turn it is."""
    further_moves: tuple[tuple[CompiledMove, int | None], ...]
    """Further moves, and their players."""
    outcome: Action | Deal | None
    """The action with the outcomes of chance; None if they are drawn."""
    drawn_kind: str | None
    """The kind of thing that chance draws, as the rules name it: a resource or a card; None for numbers."""
    payment: tuple[int, int] | None
    """For a trade of several cards with the bank: the index of the kind paid, and the number the rules must
    take.
    """
    is_deal: bool
    """Whether it is a deal, which any player may make in the turn of the current player."""
    is_single_move: bool
    """Whether it is one move of the current player without chance."""
    log_entries: dict[int, Any] = field(default_factory=dict)
    """The log entry for each player, if the action is one move: the entry is always the same."""


class ActionPlans:
    """The action plans of one world, by the text of the action. Mutable."""

    def __init__(self) -> None:
        self.by_text: dict[str, ActionPlan | None] = {}
        self._by_action: dict[Action, ActionPlan | None] = {}
        self.scripts: dict[str, bytes] = {}
        """By text: the part of a script."""

    def compile(self, text: str, action: Action, state: State, layout: Layout) -> ActionPlan | None:
        """Compile and store the plan of an action; None if there is none, which is stored too."""
        if len(self.by_text) >= MAX_KEPT:
            self.by_text.clear()
        found = self.by_text[text] = _make_plan(action, state, layout)
        return found

    def find(self, action: Action | Deal, state: State, layout: Layout) -> ActionPlan | None:
        """The plan of an action or a deal; None if there is none."""
        if isinstance(action, Deal):
            return _make_plan(action, state, layout)  # deals rarely repeat
        try:
            return self._by_action[action]
        except KeyError:
            if len(self._by_action) >= MAX_KEPT:
                self._by_action.clear()
            found = self._by_action[action] = _make_plan(action, state, layout)
            return found


def find_plans(state: State) -> ActionPlans | None:
    """The action plans of a state's world; None while the reference engine runs it."""
    compiled = compiled_moves(state)
    if compiled is None:
        return None
    found = compiled.extras.setdefault("plans", ActionPlans())
    assert isinstance(found, ActionPlans)
    return found


def _make_plan(action: Action | Deal, state: State, layout: Layout) -> ActionPlan | None:
    payment: tuple[int, int] | None = None
    change: Change | None = None
    if count_cards(action) > MAX_CARDS:
        return None
    if isinstance(action, Trade) and action.partner == BANK:
        given = [(kind, count) for kind, count in action.give.items() if count]
        taken = [kind for kind, count in action.take.items() for _ in range(count)]
        if len(given) != 1 or not taken:
            return None
        steps: tuple[Step, ...] = tuple(bank_trade_step(given[0][0], kind) for kind in taken)
        if len(taken) == 1:
            change = Change("seat", "hand", _KINDS.index(given[0][0]), -given[0][1])
        else:
            payment = (_KINDS.index(given[0][0]), given[0][1])
    else:
        steps = list_steps(action, layout)
    moves: list[tuple[CompiledMove, int | None]] = []
    for step in steps:
        move = compile_move(state, step.text, step.chance, change)
        if move is None:
            return None
        moves.append((move, None if step.player is None else step.player - 1))
    chance = [text for step in steps for text in step.chance]
    is_drawn = bool(chance) and None in chance
    outcome = None if is_drawn else fill_chance(action, [text for text in chance if text is not None])
    if is_drawn and len(moves) > 1:
        return None
    (move, player), *further_moves = moves
    is_deal = isinstance(action, Deal)
    is_single_move = not (further_moves or is_deal or is_drawn) and player is None
    return ActionPlan(
        action,
        move,
        player,
        tuple(further_moves),
        outcome,
        _find_drawn_kind(action),
        payment,
        is_deal,
        is_single_move,
    )


def _find_drawn_kind(action: Action | Deal) -> str | None:
    match action:
        case Steal():
            return "resource"
        case BuyCard():
            return "card"
        case Roll() | _:
            return None
