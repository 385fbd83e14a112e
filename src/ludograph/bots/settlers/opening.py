"""The opening: the first villages and roads, judged after all others have placed theirs as they like best."""

from ludograph.bots.settlers.judging import Judge, action_of
from ludograph.play import Move, State

CANDIDATES = 8
"""The number of places that are looked at further."""
OPENING = frozenset({"place_village", "place_road"})


def choose_in_opening(state: State, moves: list[Move], judge: Judge) -> Move:
    """The best placement of a player."""
    ranked = sorted(moves, key=lambda move: -judge.value_after(state, move, judge.player))
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
            after.push(max(nexts, key=lambda each: judge.value_after(after, each, player)))
        return judge.chance_of(after)

    best, best_chance = ranked[0], -1.0
    for move in ranked[:CANDIDATES]:
        if judge.is_spent:
            break
        chance = after_opening(move)
        if chance > best_chance:
            best, best_chance = move, chance
    return best
