"""Matches: a game played by choosers, at random, counted (perft), many times (simulate), or replayed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ludograph.play.choices import CHANCE, Move
from ludograph.play.game import Game, IllegalMove, RulesWrong, State
from ludograph.play.generator import MASK, Generator, split_mix
from ludograph.play.record import BadRecord, Record
from ludograph.play.results import Result

Chooser = Callable[[State, int], Move]
"""Picks one of the state's moves for a player; reads the state only through its view and its moves."""


class Outcome(Struct, frozen=True):
    """How a match went; no result means that the limit of moves cut it short."""

    result: Result | None
    moves: int
    """Players' moves, chance not counted."""


class Statistics(Struct, frozen=True):
    """Many playouts in numbers."""

    playouts: int
    moves: int
    results: Mapping[str, int]
    payoffs: tuple[float, ...]
    """The sum for each player."""
    shortest: int
    longest: int


class Replay(Struct, frozen=True):
    """A record played again: the state it reaches, whether the rules are others, where it breaks."""

    state: State
    rules_changed: bool
    broken_at: int | None
    reason: str = ""


def random_chooser(generator: Generator) -> Chooser:
    """A chooser that takes each complete move with the same probability."""

    def choose(state: State, player: int) -> Move:
        moves = state.legal_moves_of(player)
        return moves[generator.below(len(moves))]

    return choose


def play_match(
    state: State, choosers: Sequence[Chooser], *, chance: Generator, limit: int = 100_000
) -> Outcome:
    """Let choosers, one for each player, play a state to its end or for so many moves."""
    count = 0
    while count < limit:
        state.sample_chance(chance)
        if not state.asked:
            break
        player = state.asked[0]
        state.push(choosers[player](state, player))
        count += 1
    return Outcome(state.result, count)


def random_playout(state: State, generator: Generator, *, limit: int = 100_000) -> Outcome:
    """Play a state on at random, each complete move of the first asked with the same probability."""
    count = 0
    while count < limit:
        state.sample_chance(generator)
        if not state.asked:
            break
        moves = state.legal_moves
        state.push(moves[generator.below(len(moves))])
        count += 1
    return Outcome(state.result, count)


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly so many complete moves there are; a finished game has none.

    Each distinct outcome of chance counts as one, and is no move of its own.
    """
    total = 0
    # Not by calls within calls: a game may be thousands of moves long.
    waiting = [(depth, iter((state,)))]
    while waiting:
        left, states = waiting[-1]
        after = next(states, None)
        if after is None:
            waiting.pop()
        elif after.asked == (CHANCE,):
            waiting.append((left, iter(after.children())))
        elif left == 0:
            total += 1
        elif left == 1:
            total += after.count()
        elif after.asked:
            waiting.append((left - 1, iter(after.children())))
    return total


def first_seed(seed: int) -> int:
    """The seed of the first of many games; the others follow it one by one.

    >>> first_seed(1) == 1 << 32, first_seed(1 << 32 | 1) == first_seed(1)
    (True, False)
    """
    high = seed >> 32
    return (seed << 32 ^ (split_mix(high, 1)[0] if high else 0)) & MASK


def simulate(
    start: Callable[[int], State], playouts: int, *, seed: int = 0, limit: int = 100_000
) -> Iterator[Outcome]:
    """Play many random games, each from `start(number)`; each outcome comes as soon as its game is over.

    Every game has a generator of its own, so that one of them can be played again alone.
    """
    for number in range(playouts):
        yield random_playout(start(number), Generator(first_seed(seed) + number), limit=limit)


def summarize(outcomes: Iterable[Outcome]) -> Statistics:
    """Outcomes in numbers."""
    results: Counter[str] = Counter()
    totals: list[float] = []
    # Many games may share one outcome: each is looked at once.
    alike: dict[int, Outcome] = {}
    counts: dict[int, int] = {}
    for outcome in outcomes:
        number = id(outcome)
        if number in counts:
            counts[number] += 1
        else:
            alike[number], counts[number] = outcome, 1
    for number, outcome in alike.items():
        count = counts[number]
        results["unfinished" if outcome.result is None else outcome.result.text] += count
        if outcome.result is not None:
            totals = totals or [0.0] * len(outcome.result.payoffs)
            for player, payoff in enumerate(outcome.result.payoffs):
                totals[player] += count * payoff
    lengths = [outcome.moves for outcome in alike.values()]
    return Statistics(
        sum(counts.values()),
        sum(count * alike[number].moves for number, count in counts.items()),
        dict(sorted(results.items())),
        tuple(totals),
        min(lengths, default=0),
        max(lengths, default=0),
    )


def replay(game: Game, record: Record) -> Replay:
    """Play a record again; it breaks at the first move that is not legal, or not at all.

    Where the record has no moves of chance, its seed says what they are. Of a newer language nobody knows
    here what its record means, so that is a BadRecord.
    """
    if record.language > game.language:
        languages = f"it is of language {record.language}, and these rules of language {game.language}"
        raise BadRecord(f"{languages}; a newer Ludograph may replay it")
    says_chance = any(move.chooser == CHANCE for move in record.moves)
    state = game.new(
        players=record.players,
        seed=None if says_chance else record.seed,
        options=dict(record.options),
        setup=record.setup,
        position=record.position,
    )
    changed = game.rules != record.rules
    for number, move in enumerate(record.moves):
        choosers = state.asked
        try:
            state.push(move.text, move.chooser)
        except IllegalMove as error:
            reason = f"move {number + 1} ({move.text}): {error}"
            if move.chooser not in choosers:
                asked = ", ".join(_name(chooser) for chooser in choosers) or "nobody"
                reason = f"move {number + 1}: {_name(move.chooser)} is not asked, but {asked}"
            return Replay(state, changed, number, reason)
        except RulesWrong as error:
            told = str(error).partition("\n")[0]
            return Replay(state, changed, number, f"move {number + 1} ({move.text}): {told}")
    return Replay(state, changed, None)


def _name(chooser: int) -> str:
    return "chance" if chooser == CHANCE else f"player {chooser}"
