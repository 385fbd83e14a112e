"""Find the weights of the verb `value` of Hexil by self-play.

    python -m benchmarks.settlers_weights --games 400 --jobs 2 --seed 1 --fit
    python -m benchmarks.settlers_weights --duel OLD.tgdl --games 40

Settlers bots play games of two, three and four players. At the start of every turn the program notes the
features of all players (the verb `features` of the rules). Then it fits the weights by maximum likelihood:
the chance of each player to win is proportional to e to the power of the value. Each weight has a prior,
the weight of now. `--fit` prints the two lists for `hexil.tgdl`; `--keep 0.4` mixes them with 40 % of the
weights of now. Repeat with the new weights, and stop when a duel between the old rules and the new ones shows
no difference. `settlers_weights.log` is what was found.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import ludograph
from ludograph.bots import bot_seed
from ludograph.bots.settlers import Level, SettlersBot
from ludograph.games import Game, State
from ludograph.lab.statistics import wilson_interval
from ludograph.play import Generator, Move, Seat, play_bot

RULES = Path(ludograph.__file__).parent / "games" / "hexil.tgdl"
LISTS = re.compile(r"const decimal\[\] (early|late)_weights = \{([^}]*)\};")
PLAYER_COUNTS = (4, 4, 2, 4, 3)
"""The numbers of players of one game after another."""
SPARRING = Level(4, 3, 1, sees_rivals=False, looks_ahead_in_opening=False, makes_offers=False, noise=0.3)
MAX_MOVES = 3000
STEPS = 250
BLOCKED, EXCESS = 7, 13
"""Two features by their places: what the robber blocks, and the cards above the limit."""
BLOCKED_WEIGHT = 1.0
"""It is not fitted: the robber stands where the leader produces, so being robbed looks good in the data."""


def read_weights(source: str) -> np.ndarray[Any, Any]:
    """The weights in the source of the rules: a row for the start of a game, and one for its end."""
    found = {name: [float(each) for each in numbers.split(",")] for name, numbers in LISTS.findall(source)}
    return np.array([found["early"], found["late"]])


def rules_that_show_features() -> Game:
    source = RULES.read_text(encoding="utf-8")
    return ludograph.compile_source(
        source.replace("  verb features()", "  public verb features()"), engine="native"
    )


# Games


def play(number: int, seed: int) -> list[dict[str, Any]]:
    """Play one game; returns what was noted at the start of each turn."""
    game = _showing_game()
    players = PLAYER_COUNTS[number % len(PLAYER_COUNTS)]
    state = game.new(players=players, options={"trades": "bank_only"} if number % 2 else None)
    chance = Generator(seed << 20 | number)
    bots = [
        SettlersBot(SPARRING, Generator(bot_seed(seed << 20 | number, player))) for player in range(players)
    ]
    rows: list[dict[str, Any]] = []
    turns, moves = 0, 0
    while moves < MAX_MOVES:
        state.sample_chance(chance)
        if not state.asked:
            break
        player = state.asked[0]
        if state.phase() == "roll":
            view = state.view(player)["things"]
            turn = view["table"]["turns"]
            if turn != turns:
                turns = turn
                seats = [view[f"seat#{each + 1}"] for each in range(players)]
                rows.append(
                    {
                        "late": max(seat["shown()"] for seat in seats) / 10,
                        "features": [seat["features()"] for seat in seats],
                    }
                )
        for choice in bots[player].choose(_OpenSeat(state, player)).choices:
            state.choose(choice)
        moves += 1
    result = state.result
    if result is None:
        return []
    return [{**row, "winner": result.winners[0], "game": number} for row in rows]


class _OpenSeat(Seat):
    """A seat that sees everything: drawing what is hidden takes most of the time of a quick bot."""

    __slots__ = ()

    def resample(self, generator: Generator) -> State:
        return self._state.copy()  # type: ignore[return-value]


_GAMES: dict[str, Game] = {}


def _showing_game() -> Game:
    if "game" not in _GAMES:
        _GAMES["game"] = rules_that_show_features()
    return _GAMES["game"]


# Fitting


def fit(
    rows: Sequence[dict[str, Any]], prior: np.ndarray[Any, Any], strength: float
) -> tuple[np.ndarray[Any, Any], float, float]:
    """The weights, and the mean loss of the prior and of these weights, in games that were left out."""
    tests = [row for row in rows if row["game"] % 10 == 9]
    training = [row for row in rows if row["game"] % 10 != 9]
    scale = np.std([each for row in rows for each in row["features"]], axis=0) + 1e-6
    start = prior * scale
    weights = start.copy()
    momentum, square = np.zeros_like(weights), np.zeros_like(weights)
    groups = [_arrays(training, players, scale) for players in (2, 3, 4)]
    count = len(training)
    for step in range(1, STEPS + 1):
        gradient = strength * (weights - start)
        for group in groups:
            if group is not None:
                gradient += _gradient(weights, *group) / count
        momentum = 0.9 * momentum + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.05 * (1 - step / (STEPS + 1))
        weights = weights - rate * (momentum / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        # Every feature is good for a player, except to hold more cards than the limit.
        weights = np.maximum(weights, 0) * (np.arange(weights.shape[1]) != EXCESS) + np.minimum(
            weights, 0
        ) * (np.arange(weights.shape[1]) == EXCESS)
        weights[:, BLOCKED] = BLOCKED_WEIGHT * scale[BLOCKED]
    test_groups = [_arrays(tests, players, scale) for players in (2, 3, 4)]
    return weights / scale, _loss(start, test_groups), _loss(weights, test_groups)


Group = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]


def _arrays(rows: Sequence[dict[str, Any]], players: int, scale: np.ndarray[Any, Any]) -> Group | None:
    chosen = [row for row in rows if len(row["features"]) == players]
    if not chosen:
        return None
    features = np.array([row["features"] for row in chosen]) / scale
    late = np.minimum(1, np.array([row["late"] for row in chosen]))
    return features, np.stack([1 - late, late], axis=1), np.array([row["winner"] for row in chosen])


def _chances(weights: np.ndarray[Any, Any], features: Any, shares: Any) -> np.ndarray[Any, Any]:
    values = np.einsum("npf,tf,nt->np", features, weights, shares, optimize=True)
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    found: np.ndarray[Any, Any] = powers / powers.sum(axis=1, keepdims=True)
    return found


def _gradient(weights: np.ndarray[Any, Any], features: Any, shares: Any, winners: Any) -> Any:
    errors = _chances(weights, features, shares)
    errors[np.arange(len(winners)), winners] -= 1
    return np.einsum("np,npf,nt->tf", errors, features, shares, optimize=True)


def _loss(weights: np.ndarray[Any, Any], groups: Sequence[Group | None]) -> float:
    losses: list[float] = []
    for group in groups:
        if group is not None:
            features, shares, winners = group
            chances = _chances(weights, features, shares)
            losses += list(-np.log(chances[np.arange(len(winners)), winners] + 1e-9))
    return float(np.mean(losses)) if losses else 0.0


def format_weights(weights: np.ndarray[Any, Any]) -> str:
    """The two lists as they stand in the rules."""
    lines = []
    for name, row in zip(("early", "late"), weights, strict=True):
        lines.append(f"const decimal[] {name}_weights = {{ {', '.join(f'{each:.4g}' for each in row)} }};")
    return "\n".join(lines)


# Duels


class _OtherRules(Seat):
    """A seat that looks ahead with other rules, whose states are the same."""

    __slots__ = ("_rules",)

    def __init__(self, state: State, player: int, rules: Game) -> None:
        super().__init__(state, player)
        self._rules = rules

    def resample(self, generator: Generator) -> State:
        return self._rules.from_json(super().resample(generator).to_json())  # type: ignore[attr-defined]


class Duellist:
    """A settlers bot that values states by other rules."""

    def __init__(self, level: str, rules: Path, generator: Generator) -> None:
        self._bot = SettlersBot(level, generator)
        self._rules = ludograph.compile_source(rules.read_text(encoding="utf-8"))

    def choose(self, seat: Seat) -> Move:
        return self._bot.choose(_OtherRules(seat._state, seat.player, self._rules))  # type: ignore[arg-type]


def duel(number: int, seed: int, other: Path, level: str, players: int) -> bool | None:
    """Whether the rules of now win against the other ones, which have half of the seats."""
    state = ludograph.load("hexil").new(players=players)
    chance = Generator(seed << 20 | number)
    bots: list[Any] = []
    for player in range(players):
        generator = Generator(bot_seed(seed << 20 | number, player))
        if (player + number) % 2:
            bots.append(Duellist(level, other, generator))
        else:
            bots.append(SettlersBot(level, generator))
    for _ in range(MAX_MOVES):
        state.sample_chance(chance)
        if not state.asked:
            break
        play_bot(state, bots[state.asked[0]], state.asked[0])
    result = state.result
    return None if result is None else (result.winners[0] + number) % 2 == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="a file that keeps what was noted; new games are added")
    parser.add_argument("--fit", action="store_true", help="fit the weights and print them")
    parser.add_argument("--strength", type=float, default=0.01, help="of the prior (default 0.01)")
    parser.add_argument("--keep", type=float, default=0.0, help="the share of the weights of now (default 0)")
    parser.add_argument("--duel", type=Path, metavar="RULES", help="play against other rules instead")
    parser.add_argument("--level", default="hard", help="of the bots in a duel")
    parser.add_argument("--players", type=int, default=4, help="in a duel")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        numbers = range(options.games)
        if options.duel is not None:
            task = partial(
                duel,
                seed=options.seed,
                other=options.duel,
                level=options.level,
                players=options.players,
            )
            results = [won for won in pool.map(task, numbers) if won is not None]
            mean = sum(results) / len(results)
            low, high = wilson_interval(mean, len(results))
            print(f"won {sum(results)} of {len(results)}: {mean:.1%} ({low:.1%} to {high:.1%})")
            return 0
        rows = list(_known_rows(options.data))
        first = max((row["game"] for row in rows), default=-1) + 1
        for noted in pool.map(partial(play, seed=options.seed), range(first, first + options.games)):
            rows += noted
            if options.data is not None and noted:
                with options.data.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps(row) + "\n" for row in noted)
    print(f"{len({row['game'] for row in rows})} games, {len(rows)} turns")
    if options.fit:
        prior = read_weights(RULES.read_text(encoding="utf-8"))
        weights, before, after = fit(rows, prior, options.strength)
        print(f"loss in the games that were left out: {before:.4f} before, {after:.4f} after")
        print(format_weights(options.keep * prior + (1 - options.keep) * weights))
    return 0


def _known_rows(path: Path | None) -> Iterator[dict[str, Any]]:
    if path is not None and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


if __name__ == "__main__":
    raise SystemExit(main())
