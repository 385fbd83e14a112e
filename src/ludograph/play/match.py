"""Matches: play a game with bots or at random, count moves (perft), simulate games, replay records."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ludograph.play.choices import CHANCE
from ludograph.play.game import Game, IllegalMove, RulesWrong, State
from ludograph.play.generator import MASK, Generator, split_mix
from ludograph.play.record import BadRecord, Record
from ludograph.play.results import Result
from ludograph.play.seats import Bot, play_bot


class Outcome(Struct, frozen=True):
    """The outcome of a match; there is no result if the limit of moves was reached."""

    result: Result | None
    moves: int
    """Moves of players, without chance."""


class Statistics(Struct, frozen=True):
    """Statistics of many playouts."""

    playouts: int
    moves: int
    results: Mapping[str, int]
    payoffs: tuple[float, ...]
    """The sum for each player."""
    shortest: int
    longest: int


class Replay(Struct, frozen=True):
    """A replayed record: the final state, whether the rules have changed, and where the record breaks."""

    state: State
    rules_changed: bool
    broken_at: int | None
    reason: str = ""


def play_bots(state: State, bots: Sequence[Bot], *, chance: Generator, limit: int = 100_000) -> Outcome:
    """Let bots, one for each player, play a state to its end or to the limit of moves."""
    count = 0
    while count < limit:
        state.sample_chance(chance)
        if not state.asked:
            break
        player = state.asked[0]
        play_bot(state, bots[player], player)
        count += 1
    return Outcome(state.result, count)


def random_playout(state: State, generator: Generator, *, limit: int = 100_000) -> Outcome:
    """Play a state at random; each complete move of the first chooser has the same probability."""
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
    """Count the sequences of exactly `depth` complete moves; a finished game has none.

    Each distinct outcome of chance counts as one, and is not a move.
    """
    total = 0
    # Not recursive, because a game may have thousands of moves.
    stack = [(depth, iter((state,)))]
    while stack:
        moves_left, states = stack[-1]
        after = next(states, None)
        if after is None:
            stack.pop()
        elif after.asked == (CHANCE,):
            stack.append((moves_left, iter(after.children())))
        elif moves_left == 0:
            total += 1
        elif moves_left == 1:
            total += after.count()
        elif after.asked:
            stack.append((moves_left - 1, iter(after.children())))
    return total


def first_seed(seed: int) -> int:
    """The seed of the first of many games; the seeds of the others follow one by one.

    >>> first_seed(1) == 1 << 32, first_seed(1 << 32 | 1) == first_seed(1)
    (True, False)
    """
    high = seed >> 32
    return (seed << 32 ^ (split_mix(high, 1)[0] if high else 0)) & MASK


def simulate(
    start: Callable[[int], State], playouts: int, *, seed: int = 0, limit: int = 100_000
) -> Iterator[Outcome]:
    """Play random games, each from `start(number)`; each outcome is yielded as soon as its game is over.

    Every game has its own generator, so that each can be played again alone.
    """
    for number in range(playouts):
        yield random_playout(start(number), Generator(first_seed(seed) + number), limit=limit)


def summarize(outcomes: Iterable[Outcome]) -> Statistics:
    """Statistics of outcomes."""
    results: Counter[str] = Counter()
    totals: list[float] = []
    # Many games may share one outcome object; each is evaluated once.
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


def replay(game: Game, record: Record, watch: Callable[[State], None] | None = None) -> Replay:
    """Replay a record up to its end, or up to the first move that is not legal.

    If the record has no moves of chance, its seed decides them. A record of a newer language is a BadRecord,
    because its meaning is unknown here. `watch` is called with the state at the start and after each move.
    """
    if record.language > game.language:
        languages = (
            f"the record has language {record.language}, and these rules have language {game.language}"
        )
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
    if watch is not None:
        watch(state)
    for number, move in enumerate(record.moves):
        choosers = state.asked
        try:
            state.push(move.text, move.chooser)
        except IllegalMove as error:
            reason = f"move {number + 1} ({move.text}): {error}"
            if move.chooser not in choosers:
                asked = ", ".join(_name(chooser) for chooser in choosers) or "nobody"
                reason = f"move {number + 1}: {_name(move.chooser)} has no choice now, but {asked}"
            return Replay(state, changed, number, reason)
        except RulesWrong as error:
            message = str(error).partition("\n")[0]
            return Replay(state, changed, number, f"move {number + 1} ({move.text}): {message}")
        if watch is not None:
            watch(state)
    return Replay(state, changed, None)


def _name(chooser: int) -> str:
    return "chance" if chooser == CHANCE else f"player {chooser}"
