"""Trades between players, judged by what they do to the chances of both sides."""

from ludograph.bots.settlers.judging import Judge, action_of
from ludograph.bots.settlers.planning import TurnPlan, best_plan
from ludograph.play import Move, State

MIN_GAIN = 0.002
"""A trade must raise the own chance to win by so much."""
MAX_PLANNED = 4
"""The number of offers that are planned to the end of the turn."""


def choose_offer(samples: list[State], moves: list[Move], judge: Judge, plan: TurnPlan) -> Move | None:
    """The offer that is better than a plan without it and that somebody is likely to accept; or None."""
    found: list[tuple[float, Move, State]] = []
    now = [_Before(sample, judge) for sample in samples]
    with judge.limited_to(0.6):
        for move in moves:
            if action_of(move) != "offer":
                continue
            if judge.is_spent:
                break
            gain, likely, example = 0.0, 0, None
            for before in now:
                after = _best_deal(before, move, judge)
                if after is not None:
                    gain += judge.chance_of(after) - before.chance_of(judge.player)
                    likely += 1
                    example = example or after
            if example is not None and 2 * likely >= len(samples):
                found.append((gain / likely, move, example))
    found.sort(key=lambda each: -each[0])
    best, best_chance = None, plan.chance + MIN_GAIN
    for place, (_, move, after) in enumerate(found[:MAX_PLANNED]):
        if judge.is_spent:
            break
        with judge.limited_to(1 / (MAX_PLANNED - place)):
            chance = best_plan(after, judge).chance
        if chance > best_chance:
            best, best_chance = move, chance
    return best


class _Before:
    """A state before an offer, with the chances of the players. Mutable: each is judged once."""

    def __init__(self, state: State, judge: Judge) -> None:
        self.state = state
        self._judge = judge
        self._chances: dict[int, float] = {}

    def chance_of(self, player: int) -> float:
        if player not in self._chances:
            self._chances[player] = self._judge.chance_of(self.state, player)
        return self._chances[player]


def _best_deal(before: _Before, offer: Move, judge: Judge) -> State | None:
    """The state after the first rival accepts who gains by it; None if nobody does."""
    offered = before.state.copy()
    offered.push(offer.text, judge.player)
    for rival in offered.asked:
        answers = offered.legal_moves_of(rival)
        accepting = next((move for move in answers if action_of(move) == "accept"), None)
        if accepting is None:
            continue
        after = offered.copy()
        after.push(accepting, rival)
        if judge.chance_of(after, rival) > before.chance_of(rival):
            return after
    return None


def choose_answer(samples: list[State], moves: list[Move], judge: Judge) -> Move:
    """The answer to an offer, or to an offer in answer to the own one."""
    best, best_chance = moves[0], -1.0
    for move in moves:
        name = action_of(move)
        chance = 0.0
        for sample in samples:
            after = sample.copy()
            after.push(move.text, judge.player)
            if name == "counter":
                chance += _chance_of_counter(sample, after, judge)
            elif name == "agree":
                chance += best_plan(after, judge).chance if judge.level.width else judge.chance_of(after)
            else:
                chance += judge.chance_of(after)
        chance /= len(samples)
        if name in ("refuse", "decline"):
            chance += MIN_GAIN / 2
        if chance > best_chance:
            best, best_chance = move, chance
    return best


def _chance_of_counter(sample: State, after: State, judge: Judge) -> float:
    """The own chance after a counter-offer: as if it is accepted, if the other side gains by it."""
    host = after.asked[0]
    agreeing = next((move for move in after.legal_moves_of(host) if action_of(move) == "agree"), None)
    if agreeing is not None:
        agreed = after.copy()
        agreed.push(agreeing, host)
        if judge.chance_of(agreed, host) > judge.chance_of(sample, host):
            return judge.chance_of(agreed)
    return judge.chance_of(after)
