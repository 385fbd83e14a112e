"""The opening: the first villages and roads, judged after all others have placed theirs as they like best."""

from ludograph.bots.settlers.judging import Judge, action_of
from ludograph.play import Move, State

CANDIDATES = 8
"""The number of places that are looked at further."""
OPENING = frozenset({"place_village", "place_road"})


def choose_in_opening(state: State, moves: list[Move], judge: Judge) -> Move:
    """The best placement of a player."""
    ranked = sorted(moves, key=lambda move: -_value_after(state, move, judge.player))
    if not judge.level.looks_ahead_in_opening:
        return ranked[0]

    def after_opening(move: Move) -> float:
        after = state.copy()
        after.push(move)
        while after.asked:
            player = after.asked[0]
            nexts = after.legal_moves_of(player)
            if action_of(nexts[0]) not in OPENING:
                break
            after.push(max(nexts, key=lambda each: _value_after(after, each, player)))
        return judge.chance_of(after)

    return max(ranked[:CANDIDATES], key=after_opening)


def _value_after(state: State, move: Move, player: int) -> float:
    after = state.copy()
    after.push(move)
    return after.value(player) or 0.0
