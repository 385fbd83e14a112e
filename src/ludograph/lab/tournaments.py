"""Tournaments: bots play a game in all combinations, with rotated seats; scores, intervals and ratings."""

from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec import Struct

from ludograph.games import State
from ludograph.lab.matches import LIMIT, play_many
from ludograph.lab.statistics import rate, score_of, wilson_interval


class Standing(Struct, frozen=True):
    """The results of one bot of a tournament. A bot with several seats in a match counts each of them."""

    bot: str
    games: int
    wins: int
    draws: int
    score: float
    """The mean score: one point, shared by those who won or drew together."""
    interval: tuple[float, float]
    """The 95 % Wilson interval of the score."""
    rating: float
    """The Elo rating; the mean of all bots is 0."""


def list_lineups(bots: int, players: int) -> list[tuple[int, ...]]:
    """The bots of each combination, by their numbers; if there are fewer bots than seats, they are repeated.

    >>> list_lineups(3, 2), list_lineups(2, 3)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1, 0)])
    """
    if bots >= players:
        return list(combinations(range(bots), players))
    return [tuple(seat % bots for seat in range(players))]


def count_matches(bots: int, players: int, games: int) -> int:
    """The number of matches if each combination plays so many games."""
    return games * len(list_lineups(bots, players))


def play_tournament(
    start: State,
    bots: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    on_match: Callable[[], object] | None = None,
    complain: Callable[[str], None] = lambda _: None,
) -> list[Standing]:
    """Let each combination of bots play so many games from a state; the standings are in the order of the
    bots.

    A match without a result counts as a draw of all players.
    """
    players = start.players
    lineups = list_lineups(len(bots), players)

    def numbers_of(match: int) -> tuple[int, ...]:
        lineup, turn = lineups[match // games], match % games % players
        return lineup[turn:] + lineup[:turn]

    scores: list[list[float]] = [[] for _ in bots]
    points: dict[tuple[int, int], float] = {}
    total = games * len(lineups)
    matches = play_many(
        start,
        lambda match: [bots[each] for each in numbers_of(match)],
        total,
        seed=seed,
        limit=limit,
        threads=threads,
        complain=complain,
    )
    for match, played in enumerate(matches):
        seats = numbers_of(match)
        result = played.result
        found = [1 / players if result is None else score_of(result, seat) for seat in range(players)]
        for seat, bot in enumerate(seats):
            scores[bot].append(found[seat])
            for other, rival in enumerate(seats):
                if bot != rival:
                    won = (found[seat] > found[other]) + (found[seat] == found[other]) / 2
                    points[bot, rival] = points.get((bot, rival), 0.0) + won
        if on_match is not None:
            on_match()
    ratings = rate(len(bots), points)
    return [_standing(bot, found, rating) for bot, found, rating in zip(bots, scores, ratings, strict=True)]


def _standing(bot: str, scores: Sequence[float], rating: float) -> Standing:
    games = len(scores)
    mean = sum(scores) / games if games else 0.0
    wins = sum(1 for score in scores if score == 1)
    draws = sum(1 for score in scores if 0 < score < 1)
    return Standing(bot, games, wins, draws, mean, wilson_interval(mean, games), rating)
