"""Plans: which moves of a player lead to the best end of the turn.

A plan is a row of moves of the player up to the end of the turn, or up to chance, whose outcomes are
averaged. The search is a beam: after each move it keeps the most promising states. A state counts as it is
when the player may end the turn there. The search ends early when the judge may judge no more states.
"""

from msgspec import Struct

from ludograph.bots.settlers.judging import Judge, action_of
from ludograph.play import CHANCE, Move, State

NOT_PLANNED = frozenset({"offer", "end"})
"""Offers depend on others, and to end the turn is to stop."""


class TurnPlan(Struct, frozen=True):
    """The best plan that was found: its moves, and the chance to win after the last one."""

    moves: tuple[Move, ...]
    chance: float


class _Node(Struct, frozen=True):
    state: State
    chance: float
    moves: tuple[Move, ...]


def best_plan(state: State, judge: Judge, moves: list[Move] | None = None) -> TurnPlan:
    """The best plan from a state in which the player chooses; it begins with one of `moves`.

    The plan may be to end the turn at once.
    """
    player, level = judge.player, judge.level
    listed = list(state.legal_moves_of(player)) if moves is None else moves
    best: TurnPlan | None = None
    for move in listed:
        if action_of(move) == "end":
            best = TurnPlan((move,), judge.chance_of(state))
    frontier: list[_Node] = []
    seen: set[tuple[float, int]] = set()

    def add(state: State, moves: tuple[Move, ...], into: list[_Node]) -> None:
        nonlocal best
        after = state.copy()
        after.push(moves[-1])
        if not after.asked or after.asked == (CHANCE,) or player != after.asked[0]:
            chance = judge.mean_chance_of(after)
            if best is None or chance > best.chance:
                best = TurnPlan(moves, chance)
            return
        into.append(_Node(after, judge.chance_of(after), moves))

    for move in listed:
        if judge.is_spent and (frontier or best is not None):
            break
        if action_of(move) not in NOT_PLANNED:
            add(state, (move,), frontier)
    for depth in range(level.depth):
        if not frontier:
            break
        frontier.sort(key=lambda node: -node.chance)
        following: list[_Node] = []
        kept = 0
        for node in frontier:
            if kept == level.width or judge.is_spent:
                break
            nexts = node.state.legal_moves_of(player)
            key = node.chance, len(nexts)
            if key in seen:
                continue
            seen.add(key)
            kept += 1
            for move in nexts:
                name = action_of(move)
                if name == "end":
                    if best is None or node.chance > best.chance:
                        best = TurnPlan((*node.moves, move), node.chance)
                elif name != "offer" and depth < level.depth - 1:
                    add(node.state, (*node.moves, move), following)
        frontier = following
    if best is None:  # all plans were cut off
        best = (
            TurnPlan(frontier[0].moves[:1], frontier[0].chance) if frontier else TurnPlan((listed[0],), 0.0)
        )
    return best
