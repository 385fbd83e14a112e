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
    now = [judge.chance_of(sample) for sample in samples]
    for move in moves:
        if action_of(move) != "offer":
            continue
        gain, likely, example = 0.0, 0, None
        for sample, before in zip(samples, now, strict=True):
            after = _best_deal(sample, move, judge)
            if after is not None:
                gain += judge.chance_of(after) - before
                likely += 1
                example = example or after
        if example is not None and 2 * likely >= len(samples):
            found.append((gain / likely, move, example))
    found.sort(key=lambda each: -each[0])
    best, best_chance = None, plan.chance + MIN_GAIN
    for _, move, after in found[:MAX_PLANNED]:
        chance = best_plan(after, judge).chance
        if chance > best_chance:
            best, best_chance = move, chance
    return best


def _best_deal(sample: State, offer: Move, judge: Judge) -> State | None:
    """The state after the first rival accepts who gains by it; None if nobody does."""
    offered = sample.copy()
    offered.push(offer.text, judge.player)
    for rival in offered.asked:
        answers = offered.legal_moves_of(rival)
        accepting = next((move for move in answers if action_of(move) == "accept"), None)
        if accepting is None:
            continue
        after = offered.copy()
        after.push(accepting, rival)
        if judge.chance_of(after, rival) > judge.chance_of(sample, rival):
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
