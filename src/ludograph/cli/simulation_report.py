"""Statistics of random games: payoffs, the lengths of games, decisions and the branching factor.

Most games share a few outcome objects, so the statistics are computed for each object and its count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Any

from ludograph.play import Outcome

UNFINISHED = "unfinished"
QUANTILES = (5, 25, 50, 75, 95)
NORMAL_95 = 1.959964
"""The half-width of a 95 % confidence interval, in standard errors of the mean."""
MAX_SAMPLED_GAMES = 100
SAMPLED_MOVES = 1000
SAMPLED_SHARE = 200
"""The sample of decisions has at most `SAMPLED_MOVES` moves, or one in so many of all moves."""


def describe_outcomes(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The results, payoffs and lengths of games."""
    counts = Counter(map(id, outcomes))
    alike = dict(zip(map(id, outcomes), outcomes, strict=True))
    groups = [(alike[number], count) for number, count in counts.items()]
    results: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    for outcome, count in groups:
        results[UNFINISHED if outcome.result is None else outcome.result.text] += count
        lengths[outcome.moves] += count
    return {
        "playouts": len(outcomes),
        "moves": sum(moves * count for moves, count in lengths.items()),
        "results": dict(sorted(results.items())),
        "unfinished": results[UNFINISHED],
        "payoffs": _describe_payoffs(groups),
        "length": _describe_lengths(lengths),
    }


def _describe_payoffs(groups: Iterable[tuple[Outcome, int]]) -> list[dict[str, Any]]:
    """The mean payoff of each player in the finished games, with its 95 % confidence interval."""
    finished = [(outcome.result.payoffs, count) for outcome, count in groups if outcome.result is not None]
    total = sum(count for _, count in finished)
    if not total:
        return []
    described: list[dict[str, Any]] = []
    for player in range(len(finished[0][0])):
        mean = sum(payoffs[player] * count for payoffs, count in finished) / total
        squares = sum((payoffs[player] - mean) ** 2 * count for payoffs, count in finished)
        error = NORMAL_95 * sqrt(squares / (total - 1) / total) if total > 1 else None
        interval = None if error is None else [mean - error, mean + error]
        described.append({"player": player, "mean": mean, "interval": interval})
    return described


def _describe_lengths(lengths: Counter[int]) -> dict[str, Any] | None:
    """The mean, the extremes and the quantiles of the number of moves; None if there is no game."""
    if not lengths:
        return None
    total = lengths.total()
    return {
        "mean": sum(moves * count for moves, count in lengths.items()) / total,
        "shortest": min(lengths),
        "longest": max(lengths),
        "quantiles": {str(percent): _quantile(lengths, total, percent) for percent in QUANTILES},
    }


def _quantile(lengths: Counter[int], total: int, percent: int) -> int:
    """The smallest length that at least so many per cent of the games do not exceed."""
    covered = 0
    for moves in sorted(lengths):
        covered += lengths[moves]
        if 100 * covered >= percent * total:
            return moves
    return max(lengths)


def sample_decisions(
    count_moves: Callable[[int], tuple[int, ...]], games: int, moves: int
) -> dict[str, Any] | None:
    """Count the legal moves at the decisions of the first games; None if there are no decisions.

    `count_moves` plays a game again and returns the number of legal moves at each decision. The sample is
    bounded, because listing all moves takes longer than drawing one.
    """
    counts: Counter[int] = Counter()
    played = 0
    while played < min(games, MAX_SAMPLED_GAMES) and counts.total() <= max(
        SAMPLED_MOVES, moves // SAMPLED_SHARE
    ):
        counts.update(count_moves(played))
        played += 1
    total = counts.total()
    if not total:
        return None
    return {
        "branching": sum(number * count for number, count in counts.items()) / total,
        "most": max(counts),
        "forced": counts[1] / total,
        "sampled_games": played,
        "sampled_decisions": total,
    }


# Text


def format_statistics(summary: dict[str, Any]) -> list[str]:
    """The statistics in lines for people."""
    games, moves = summary["playouts"], summary["moves"]
    per_game = f", {moves / games:.1f} a game" if games else ""
    lines = [f"{games} game{'' if games == 1 else 's'}, {moves} moves{per_game}"]
    for result, count in summary["results"].items():
        remark = f"   stopped after {summary['limit']:,} moves (--limit)" if result == UNFINISHED else ""
        lines.append(f"  {result:12} {count:8} {100 * count / games:6.1f} %{remark}")
    lines += _format_payoffs(summary)
    length = summary["length"]
    if length is not None:
        quantiles = ", ".join(f"{percent} % {found}" for percent, found in length["quantiles"].items())
        shortest, longest = length["shortest"], length["longest"]
        if shortest == longest:
            lines.append(f"length: {longest} moves in every game")
        else:
            lines.append(f"length: {shortest} to {longest} moves; quantiles {quantiles}")
    if (found := summary["decisions"]) is not None:
        sample = f"{found['sampled_games']} game{'' if found['sampled_games'] == 1 else 's'}"
        lines.append(
            f"decisions: {found['branching']:.1f} legal moves on average (the branching factor), "
            f"at most {found['most']:,}, a single one in {100 * found['forced']:.1f} %"
        )
        whole = found["sampled_games"] == games
        which = "all" if whole else f"a sample: the {found['sampled_decisions']:,} decisions of the first"
        lines.append(f"  of {which} {sample}")
    return lines


def _format_payoffs(summary: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for each in summary["payoffs"]:
        text = f"payoff of player {each['player']}: {_signed(each['mean'])}"
        if each["interval"] is not None:
            text += f" ± {(each['interval'][1] - each['interval'][0]) / 2:.3f}"
        lines.append(text)
    if lines and summary["payoffs"][0]["interval"] is not None:
        only = ", of the finished games" if summary["unfinished"] else ""
        lines[0] += f"   (mean with 95 % confidence interval{only})"
    return lines


def _signed(value: float) -> str:
    text = f"{value:.3f}"
    return text.removeprefix("-") if float(text) == 0 else text


def describe_endless(summary: dict[str, Any]) -> str | None:
    """A remark about games that reached the limit of moves; None if there are none."""
    stopped, games, limit = summary["unfinished"], summary["playouts"], summary["limit"]
    if not stopped:
        return None
    if stopped == games:
        which = "The game" if games == 1 else "Every game"
        return f"{which} reached the limit of {limit:,} moves: perhaps these rules never end a game."
    which = "1 game" if stopped == 1 else f"{stopped:,} games"
    return f"{which} reached the limit of {limit:,} moves: perhaps a game can go on for ever."
