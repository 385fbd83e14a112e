"""Balance of a game by self-play: who wins, how long it takes, what players may choose, and who leads when.

A large number of games gives the results by seat and the lengths. A sample of them is replayed move by move:
the moves that were offered and chosen, and the leader at some moments. The leader is the player with the
greatest `value`; a game without that verb is continued by random play-outs from these moments.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from ludograph.games import State
from ludograph.games.engines import REFERENCE, Engine, NoNativeEngine, native_engine, simulate
from ludograph.games.observed_games import Playouts
from ludograph.lab.matches import LIMIT, fill_bots, play_many
from ludograph.lab.statistics import score_of, wilson_interval
from ludograph.play import CHANCE, Choice, Generator, Kind, Move, Outcome, Record, Result

MOMENTS = (0.25, 0.5, 0.75)
"""The shares of a game after which the leader is asked for."""
LOOKS = 10
"""The number of equally distant moments at which a change of the leader is noticed."""
PLAYOUTS = 24
"""The number of random play-outs that estimate who leads in a game without a verb `value`."""
MAX_VALUES = 60
"""An input with more different values than this is counted as a whole."""
SAMPLED_GAMES = 100
SAMPLED_DECISIONS = 3000
"""The sample ends with the game in which it has so many decisions."""


class SeatBalance(Struct, frozen=True):
    """The results of a seat in the finished games. A draw counts as its share of one point."""

    player: int
    wins: int
    draws: int
    score: float
    interval: tuple[float, float]


class ChoiceBalance(Struct, frozen=True):
    """How often an action, or a value of one of its inputs, was offered, chosen and part of a win."""

    action: str
    input: str
    """Empty for the action itself."""
    value: str
    offered: int
    """The decisions of the sample in which it was legal."""
    chosen: int
    won: float
    """The score of those who chose it, on average over their choices; 0 if nobody did."""


class LeaderBalance(Struct, frozen=True):
    """How the leader at a moment of the game did in the end."""

    moment: float
    games: int
    """The games in which one player was ahead at this moment."""
    score: float
    interval: tuple[float, float]


class Balance(Struct, frozen=True):
    """The statistics of many games."""

    games: int
    unfinished: int
    draws: int
    seats: tuple[SeatBalance, ...]
    lengths: tuple[int, ...]
    """The number of moves of each game, in ascending order."""
    sampled_games: int
    decisions: int
    branching: float
    """The legal moves at a decision, on average."""
    forced: float
    """The share of decisions with a single legal move."""
    lead_changes: float
    """Changes of the leader in a game, on average."""
    leaders: tuple[LeaderBalance, ...]
    choices: tuple[ChoiceBalance, ...]

    @property
    def mean_length(self) -> float:
        return sum(self.lengths) / len(self.lengths) if self.lengths else 0.0

    def quantile(self, share: float) -> int:
        """The smallest length that at least this share of the games does not exceed; 0 without games."""
        if not self.lengths:
            return 0
        place = min(len(self.lengths) - 1, max(0, -int(-share * len(self.lengths) // 1) - 1))
        return self.lengths[place]


def measure_balance(
    start: State,
    games: int,
    *,
    bots: Sequence[str] = ("random",),
    seed: int = 0,
    limit: int = LIMIT,
    sampled_games: int = SAMPLED_GAMES,
    sampled_decisions: int = SAMPLED_DECISIONS,
    on_game: Callable[[], None] = lambda: None,
) -> Balance:
    """Play games between bots from a state and describe them; `on_game` is called after each."""
    outcomes: list[Outcome] = []
    engine: Engine | None = None
    with suppress(NoNativeEngine):
        engine = native_engine(start.game, start)
    sample = _Sample(start, Playouts(engine, limit=limit))
    if set(bots) == {"random"}:
        for outcome in simulate(start, games, seed=seed, limit=limit, engine=engine or REFERENCE):
            outcomes.append(outcome)
            on_game()
        generator = Generator(seed)
        while sample.games < min(games, sampled_games) and sample.decisions < sampled_decisions:
            sample.play(generator, limit)
    else:
        names = [str(bot) for bot in fill_bots(bots, start.players)]
        for match in play_many(start, lambda _: names, games, seed=seed, limit=limit):
            outcomes.append(Outcome(match.result, match.moves))
            if sample.games < sampled_games and sample.decisions < sampled_decisions:
                sample.add(match.record)
            on_game()
    return _describe(start.players, outcomes, sample)


def _describe(players: int, outcomes: Sequence[Outcome], sample: "_Sample") -> Balance:
    results = [outcome.result for outcome in outcomes if outcome.result is not None]
    decisions = max(1, sample.decisions)
    return Balance(
        games=len(outcomes),
        unfinished=len(outcomes) - len(results),
        draws=sum(1 for result in results if not result.winners),
        seats=tuple(_describe_seat(player, results) for player in range(players)),
        lengths=tuple(sorted(outcome.moves for outcome in outcomes)),
        sampled_games=sample.games,
        decisions=sample.decisions,
        branching=sample.offers / decisions,
        forced=sample.forced / decisions,
        lead_changes=sample.lead_changes / max(1, sample.games),
        leaders=tuple(sample.leaders()),
        choices=tuple(sample.choices()),
    )


def _describe_seat(player: int, results: Sequence[Result]) -> SeatBalance:
    scores = [score_of(result, player) for result in results]
    score = sum(scores) / len(scores) if scores else 0.0
    return SeatBalance(
        player,
        wins=sum(1 for result in results if player in result.winners),
        draws=sum(1 for result in results if not result.winners and player in result.drawn),
        score=score,
        interval=wilson_interval(score, len(scores)),
    )


class _Key(NamedTuple):
    """An action, or a value of one of its inputs."""

    action: str
    input: str = ""
    value: str = ""


_Chosen = tuple[int, _Key]
"""A chooser, and a part of the move that was chosen."""


class _Sample:
    """Games that are replayed move by move. Mutable."""

    def __init__(self, start: State, playouts: Playouts) -> None:
        self.start = start
        self.playouts = playouts
        self.games = self.decisions = self.offers = self.forced = self.lead_changes = 0
        self._offered: Counter[_Key] = Counter()
        self._chosen: Counter[_Key] = Counter()
        self._scores: defaultdict[_Key, float] = defaultdict(float)
        self._leader_scores: dict[float, list[float]] = {moment: [] for moment in MOMENTS}

    def add(self, record: Record) -> None:
        """Replay a game and count its offers, choices and leaders."""
        state = self.start.copy()
        earlier: list[State] = []
        chosen: list[_Chosen] = []
        for move in record.moves:
            earlier.append(state.copy())
            chooser = CHANCE if move.chooser is None else move.chooser
            if chooser != CHANCE:
                chosen += self._decide(state.legal_moves_of(chooser), move.text, chooser)
            state.push(move.text, move.chooser)
        self._finish(state.result, earlier, chosen)

    def play(self, generator: Generator, limit: int) -> None:
        """Play a random game and count the same."""
        state = self.start.copy()
        earlier: list[State] = []
        chosen: list[_Chosen] = []
        while len(earlier) < limit:
            state.sample_chance(generator)
            moves = state.legal_moves
            if not moves:
                break
            earlier.append(state.copy())
            move = moves[generator.below(len(moves))]
            chosen += self._decide(moves, move.text, move.chooser)
            state.push(move)
        self._finish(state.result, earlier, chosen)

    def _decide(self, moves: Sequence[Move], text: str, chooser: int) -> list[_Chosen]:
        """Count the moves of a decision; returns what the chosen move consists of."""
        self.decisions += 1
        self.offers += len(moves)
        self.forced += len(moves) == 1
        keys: set[_Key] = set()
        made: set[_Key] = set()
        for move in moves:
            own = _keys_of(move)
            keys.update(own)
            if move.text == text:
                made.update(own)
        self._offered.update(keys)
        self._chosen.update(made)
        return [(chooser, key) for key in made]

    def _finish(self, result: Result | None, earlier: Sequence[State], chosen: Sequence[_Chosen]) -> None:
        """Count the changes of the leader; the scores of leaders and choices, if the game has a result."""
        self.games += 1
        length = len(earlier)
        leader: int | None = None
        for look in range(1, LOOKS):
            ahead = self._find_leader(earlier, length * look // LOOKS)
            if ahead is not None:
                self.lead_changes += leader not in (None, ahead)
                leader = ahead
        if result is None:
            return
        for chooser, key in chosen:
            self._scores[key] += score_of(result, chooser)
        for moment in MOMENTS:
            ahead = self._find_leader(earlier, int(length * moment))
            if ahead is not None:
                self._leader_scores[moment].append(score_of(result, ahead))

    def _find_leader(self, states: Sequence[State], number: int) -> int | None:
        return find_leader(states[number], self.playouts, number) if 0 < number < len(states) else None

    def leaders(self) -> Iterator[LeaderBalance]:
        for moment, scores in self._leader_scores.items():
            mean = sum(scores) / len(scores) if scores else 0.0
            yield LeaderBalance(moment, len(scores), mean, wilson_interval(mean, len(scores)))

    def choices(self) -> Iterator[ChoiceBalance]:
        """The actions in the order of their offers, each followed by the values of its inputs."""
        values = Counter((key.action, key.input) for key in self._offered if key.input)
        shown = [key for key in self._offered if not key.input or values[key.action, key.input] <= MAX_VALUES]
        actions = {key.action: self._offered[key] for key in shown if not key.input}
        shown.sort(key=lambda key: (-actions[key.action], key.action, key.input, -self._offered[key], key))
        for key in shown:
            chosen = self._chosen[key]
            won = self._scores[key] / chosen if chosen else 0.0
            yield ChoiceBalance(*key, offered=self._offered[key], chosen=chosen, won=won)


def _keys_of(move: Move) -> tuple[_Key, ...]:
    """The action of a move and the values of its inputs."""
    first, *rest = move.choices
    action = first.name if first.kind is Kind.ACTION else f"({first.name})"
    inputs = move.choices if first.kind is not Kind.ACTION else rest
    return (_Key(action), *(_Key(action, each.name, each.text) for each in inputs if _is_value(each)))


def _is_value(choice: Choice) -> bool:
    return choice.kind in (Kind.INPUT, Kind.PICK, Kind.ADD, Kind.EFFECT) and choice.text != ""


def find_leader(state: State, playouts: Playouts, seed: int = 0) -> int | None:
    """The player who is ahead: by the verb `value`, otherwise by random play-outs; None if several are."""
    if state.result is not None:
        return None
    values = [state.value(player) for player in range(state.players)]
    if all(value is None for value in values):
        values = _expected_scores(state, playouts, seed)
    known = [0.0 if value is None else value for value in values]
    best = max(known)
    leaders = [player for player, value in enumerate(known) if value == best]
    return leaders[0] if len(leaders) == 1 else None


def _expected_scores(state: State, playouts: Playouts, seed: int) -> list[float | None]:
    if not state.can_be_restarted():
        return [None] * state.players
    results = [outcome.result for outcome in playouts.outcomes(state, PLAYOUTS, seed)]
    finished = [result for result in results if result is not None]
    return [sum(score_of(result, player) for result in finished) for player in range(state.players)]


class Skill(Struct, frozen=True):
    """How a bot did against the same bot with half of its budget: near one half, luck decides."""

    stronger: str
    weaker: str
    games: int
    score: float
    """Of the stronger bot, per seat that it had; with more than two players, one of them is the stronger."""
    interval: tuple[float, float]
    fair: float
    """The score if both were equal: one part of the players."""


def measure_skill(
    start: State,
    games: int,
    *,
    iterations: int = 200,
    seed: int = 0,
    limit: int = LIMIT,
    on_game: Callable[[], None] = lambda: None,
) -> Skill:
    """Let a tree search play against searches with half of its iterations, in each seat equally often."""
    stronger, weaker = f"mcts:{iterations}", f"mcts:{max(1, iterations // 2)}"
    players = start.players

    def seats(number: int) -> list[str]:
        return [stronger if player == number % players else weaker for player in range(players)]

    scores: list[float] = []
    for number, match in enumerate(play_many(start, seats, games, seed=seed, limit=limit)):
        on_game()
        if match.result is not None:
            scores.append(score_of(match.result, number % players))
    score = sum(scores) / len(scores) if scores else 0.0
    interval = wilson_interval(score, len(scores))
    return Skill(stronger, weaker, len(scores), score, interval, 1 / players)
