"""Strength of the general bots: matches against OpenSpiel's MCTS bot in C++, and against random play.

    python -m benchmarks.bots --strength                      # every row, with its number of games
    python -m benchmarks.bots --strength equal-time --games hex --matches 20 --seed 1

Seats are changed after each game. Game number n of a row has the seed `--seed` + n, so a row with simulations
gives the same games again. Time is CPU time of this process, so that other programs do not count. OpenSpiel's
bot takes a number of simulations: for each move it gets as many as fit into the time by its last move.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

import ludograph
from ludograph.bots import parse_bot
from ludograph.bots.budgets import SearchBudget
from ludograph.bots.search_bots import SearchBot
from ludograph.lab.statistics import score_of, wilson_interval
from ludograph.play import Bot, Generator, Move, SearchSettings, Seat, play_bot, play_bots
from tests.games.peers.openspiel import PEERS, Peer

PROGRESS_SECONDS = 20


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """Matches of one kind in one game, and what is required of them."""

    kind: str
    game: str
    matches: int
    must: str
    ours: SearchBudget
    theirs: SearchBudget | None
    """None: a player who takes random moves."""
    is_met: Callable[["Score"], bool]


@dataclass(frozen=True, slots=True)
class Score:
    """The result of a row: a draw is half a win."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def mean(self) -> float:
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.mean, self.games)


def _at_least(share: float) -> Callable[[Score], bool]:
    return lambda score: score.mean >= share


ROWS: tuple[StrengthRow, ...] = (
    *(
        StrengthRow(
            *("equal-simulations", game, 200, "interval reaches 50 %"),
            *(SearchBudget(1000), SearchBudget(1000)),
            lambda score: score.interval[1] >= 0.5,
        )
        for game in ("connect-four", "breakthrough")
    ),
    *(
        StrengthRow(
            *("equal-time", game, 100, "at least 65 %"),
            *(SearchBudget(seconds=0.1), SearchBudget(seconds=0.1)),
            _at_least(0.65),
        )
        for game in ("connect-four", "breakthrough", "othello", "hex")
    ),
    StrengthRow(
        *("half-the-simulations", "tic-tac-toe", 200, "no game lost"),
        *(SearchBudget(5000), SearchBudget(10_000)),
        lambda score: score.losses == 0,
    ),
    StrengthRow(
        "against-random",
        "connect-four",
        100,
        "all won",
        SearchBudget(300),
        None,
        lambda score: score.mean == 1,
    ),
    *(
        StrengthRow("against-random", game, 200, "at least 75 %", SearchBudget(1000), None, _at_least(0.75))
        for game in ("crazy-eights", "liars-dice")
    ),
)
KINDS = tuple(dict.fromkeys(row.kind for row in ROWS))


def print_strength(kinds: Sequence[str], games: Sequence[str], matches: int | None, seed: int) -> None:
    """Play the rows of some kinds and games (none given: all), and print their scores."""
    for row in ROWS:
        if (kinds and row.kind not in kinds) or (games and row.game not in games):
            continue
        score = play_row(row, matches or row.matches, seed)
        low, high = score.interval
        share = f"{100 * score.mean:5.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        counts = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
        missed = "" if row.is_met(score) else "   <-- MISSED"
        print(f"{row.kind:21} {row.game:13} {share:24} {counts}; must: {row.must}{missed}", flush=True)


def play_row(row: StrengthRow, matches: int, seed: int) -> Score:
    """Play the matches of a row; the score is ours. The progress goes to the standard error output."""
    play = _play_random_player if row.theirs is None else _play_openspiel
    scores: list[float] = []
    begun = last = time.monotonic()
    for number in range(matches):
        scores.append(play(row, number % 2, seed + number))
        now = time.monotonic()
        if now - last >= PROGRESS_SECONDS:
            last = now
            minutes = (now - begun) / len(scores) * (matches - len(scores)) / 60
            points = f"{sum(scores):g} points in {len(scores)} of {matches} games"
            print(f"{row.kind} {row.game}: {points}, {minutes:.0f} minutes left", file=sys.stderr, flush=True)
    return Score(*(sum(each == wanted for each in scores) for wanted in (1.0, 0.5, 0.0)))


def _our_bot(row: StrengthRow, seed: int) -> Bot:
    return SearchBot(row.ours, SearchSettings(), Generator(seed), time.process_time)


def _play_random_player(row: StrengthRow, seat: int, seed: int) -> float:
    state = ludograph.load(row.game, engine="native").new(2, seed)
    ours, other = _our_bot(row, seed), parse_bot("random").make(Generator(seed + 1), time.process_time)
    play_bots(state, [ours, other] if seat == 0 else [other, ours], chance=Generator(seed), limit=10_000)
    return _score(state, seat)


def _score(state: Any, seat: int) -> float:
    return 0.5 if state.result is None else score_of(state.result, seat)


class OpenSpielBot:
    """OpenSpiel's bot as a player of our game: it plays on its own state of the game. Mutable."""

    def __init__(self, peer: Peer, budget: SearchBudget, seed: int) -> None:
        self._peer = peer
        self._game = pyspiel.load_game(peer.game)
        self._budget = budget
        self._seed = seed
        self._simulations = budget.iterations or 200
        self.theirs = self._game.new_initial_state()

    def follow(self, text: str) -> None:
        """Make a move of ours on its state."""
        for action in self._peer.moves(self.theirs)[text]:
            self.theirs.apply_action(action)

    def choose(self, seat: Seat) -> Move:
        self._seed += 1
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
        simulations = self._simulations
        bot = pyspiel.MCTSBot(self._game, evaluator, 2.0, simulations, 1000, True, self._seed, False)
        begun = time.process_time()
        action = bot.step(self.theirs)
        used = max(time.process_time() - begun, 1e-6)
        if self._budget.seconds is not None:
            self._simulations = max(16, min(4 * simulations, int(simulations * self._budget.seconds / used)))
        text = next(text for text, found in self._peer.moves(self.theirs).items() if found[0] == action)
        return next(move for move in seat.legal_moves if move.text == text)


def _play_openspiel(row: StrengthRow, seat: int, seed: int) -> float:
    assert row.theirs is not None
    state = ludograph.load(row.game, engine="native").new()
    ours, other = _our_bot(row, seed), OpenSpielBot(PEERS[row.game], row.theirs, seed << 16)
    while not state.is_over:
        player = state.asked[0]
        other.follow(play_bot(state, ours if player == seat else other, player).text)
    return _score(state, seat)
