"""Matches between bots: one, or many at the same time on threads."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from os import PathLike
from typing import Any

from msgspec import Struct

from ludograph.bots import bot_seed
from ludograph.games import Game, State, load
from ludograph.play import Bot, Clock, Generator, Outcome, Record, Result, play_bots
from ludograph.play.match import first_seed
from ludograph.programs import ProgramBot, make_bot

LIMIT = 10_000


class PlayedMatch(Struct, frozen=True):
    """A match that was played; there is no result if the limit of moves was reached."""

    result: Result | None
    moves: int
    """Moves of players, without chance."""
    record: Record


def play_match(
    game: Game | State | str | PathLike[str],
    bots: Sequence[Bot | str],
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    setup: str | None = None,
    seed: int = 0,
    limit: int = LIMIT,
) -> PlayedMatch:
    """Let bots play a game, the first player first; the last bot also plays for the remaining players.

    A bot is an object with a method `choose`, or a text such as `random`, `mcts:1000` or `mcts:2s`. A state
    is not changed.

    >>> play_match("tic-tac-toe", ["mcts:300", "random"], seed=1).result.text
    'win 0'
    """
    if isinstance(game, State):
        if not (players is None and options is None and setup is None):
            raise TypeError("a state has players, options and setup of its own")
        state = game.copy()
    else:
        rules = game if isinstance(game, Game) else load(game)
        count = len(bots) if players is None and len(bots) in rules.player_counts else players
        state = rules.new(players=count, options=options, setup=setup)
    names = fill_bots(bots, state.players)
    outcome = _play(state, names, seed, limit, time.monotonic)
    return PlayedMatch(outcome.result, outcome.moves, state.record)


def fill_bots(bots: Sequence[Bot | str], players: int) -> list[Bot | str]:
    """As many bots as there are players; the last one is repeated."""
    if not bots:
        raise ValueError("a match needs a bot")
    if len(bots) > players:
        raise ValueError(f"{len(bots)} bots were given for {players} players")
    return [*bots, *[bots[-1]] * (players - len(bots))]


def _play(
    state: State,
    bots: Sequence[Bot | str],
    seed: int,
    limit: int,
    clock: Clock,
    complain: Callable[[str], None] = lambda _: None,
) -> Outcome:
    made = [
        make_bot(bot, Generator(bot_seed(seed, player)), clock, complain) if isinstance(bot, str) else bot
        for player, bot in enumerate(bots)
    ]
    try:
        return play_bots(state, made, chance=Generator(seed), limit=limit)
    finally:
        for bot in made:
            if isinstance(bot, ProgramBot):
                bot.finish(state.payoffs)


class _Stopped(Exception):
    """The caller does not wait for this match any more."""


def play_many(
    start: State,
    seats: Callable[[int], Sequence[str]],
    games: int,
    *,
    seed: int = 0,
    first: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    complain: Callable[[str], None] = lambda _: None,
) -> Iterator[PlayedMatch]:
    """Play many matches from a state; they come in the order of their numbers.

    `seats` gives the bots of a match by its number. The number and the seed determine a match, unless its
    bots have budgets of time. If the caller stops, the running matches end soon. `complain` gets a message
    for each failure of a player that is another program.
    """
    is_stopped = threading.Event()

    def clock() -> float:
        if is_stopped.is_set():
            raise _Stopped
        return time.monotonic()

    def play(number: int) -> PlayedMatch:
        state = start.copy()
        outcome = _play(state, seats(number), first_seed(seed) + number, limit, clock, complain)
        return PlayedMatch(outcome.result, outcome.moves, state.record)

    running: deque[Future[PlayedMatch]] = deque()
    pool = ThreadPoolExecutor(threads)
    number, end = first, first + games
    try:
        while number < end or running:
            while number < end and len(running) < 2 * threads:
                running.append(pool.submit(play, number))
                number += 1
            yield running.popleft().result()
    finally:
        is_stopped.set()
        pool.shutdown(cancel_futures=True)
