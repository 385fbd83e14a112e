"""Statistics of matches: scores, Wilson intervals and ratings."""

from collections.abc import Mapping
from math import log10, sqrt

from ludograph.play import Result

NORMAL_95 = 1.959964
"""The half-width of a 95 % confidence interval, in standard errors."""
ROUNDS = 200
PRIOR = 0.5
"""Each pair counts as if it had also played so many draws, so that every rating is finite."""


def score_of(result: Result, player: int) -> float:
    """The score of a player: one point, shared by those who won or drew together."""
    foremost = result.winners or result.drawn
    return 1 / len(foremost) if player in foremost else 0.0


def wilson_interval(score: float, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a score between 0 and 1.

    >>> [round(bound, 3) for bound in wilson_interval(0.5, 100)]
    [0.404, 0.596]
    >>> wilson_interval(0.0, 0)
    (0.0, 1.0)
    """
    if not games:
        return 0.0, 1.0
    z = NORMAL_95 * NORMAL_95
    centre = score + z / (2 * games)
    half = NORMAL_95 * sqrt(max(score * (1 - score), 0.0) / games + z / (4 * games * games))
    low, high = (centre - half) / (1 + z / games), (centre + half) / (1 + z / games)
    return max(0.0, low), min(1.0, max(high, score))


def rate(players: int, points: Mapping[tuple[int, int], float]) -> list[float]:
    """Elo ratings with the mean 0, from the points of each player against each other (Bradley and Terry).

    >>> [round(rating) for rating in rate(2, {(0, 1): 75, (1, 0): 25})]
    [94, -94]
    """
    strengths = [1.0] * players
    pairs = [(one, other) for one in range(players) for other in range(players) if one != other]
    won = {pair: points.get(pair, 0.0) + PRIOR for pair in pairs}
    for _ in range(ROUNDS):
        updated = []
        for one in range(players):
            others = [other for other in range(players) if other != one]
            wins = sum(won[one, other] for other in others)
            met = sum(
                (won[one, other] + won[other, one]) / (strengths[one] + strengths[other]) for other in others
            )
            updated.append(wins / met if met else 1.0)
        mean = sum(updated) / players
        strengths = [each / mean for each in updated]
    ratings = [400 * log10(strength) for strength in strengths]
    middle = sum(ratings) / players
    return [rating - middle for rating in ratings]
