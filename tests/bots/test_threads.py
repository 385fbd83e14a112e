"""Searches on several trees at the same time, with a bounded memory, and stopped by Ctrl-C."""

import signal
import threading
import time

import pytest

from ludograph.bots import parse_bot
from ludograph.games import load
from ludograph.play import Generator, SearchSettings, Seat
from ludograph.play.merged_search import MergedSearch
from ludograph.tgdl.game.native_search import NativeSearch

ENGINES = ("native", "reference")
THREE = SearchSettings(threads=3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["tic-tac-toe", "pig"])
def test_the_size_of_the_steps_does_not_change_a_search_on_threads(name: str, engine: str) -> None:
    state = load(name, engine=engine).new()
    found = []
    for steps in ([91], [1, 40, 0, 50]):
        search = state.start_search(0, THREE, 7)
        for count in steps:
            search.run(count)
        assert search.iterations == 91
        found.append(search.moves())
    assert found[0] == found[1] and sum(move.visits for move in found[0]) == 91


def test_the_trees_of_a_search_are_different_and_are_added_up() -> None:
    state = load("connect-four", engine="native").new()
    search = state.start_search(0, THREE, 1)
    search.run(600)
    assert isinstance(search, MergedSearch)
    parts = [{move.text: move.visits for move in each.moves()} for each in search.searches]
    assert parts[0] != parts[1] and parts[1] != parts[2]
    for move in search.moves():
        assert move.visits == sum(part.get(move.text, 0) for part in parts)


def test_the_first_decided_tree_decides_however_large_the_steps_are() -> None:
    state = load("tic-tac-toe", engine="native").new()
    for move in ("grid[0][0].mark", "grid[1][1].mark", "grid[0][1].mark"):
        state.push(move)
    found = []
    for step in (5000, 1):
        search = state.start_search(1, THREE, 1)
        while not search.is_decided:
            search.run(step)
        found.append(search.moves())
    assert found[0] == found[1] and found[0][0].text == "grid[0][2].mark"


def test_all_trees_together_have_the_memory_of_the_settings() -> None:
    state = load("connect-four", engine="native").new()
    search = state.start_search(0, SearchSettings(threads=4, memory=1 << 20), 1)
    search.run(40_000)
    assert isinstance(search, MergedSearch) and search.iterations == 40_000
    trees = [each.tree for each in search.searches if isinstance(each, NativeSearch)]
    assert len(trees) == 4 and sum(len(tree.memory) for tree in trees) == 1 << 20
    assert all(tree.is_half_full for tree in trees)


def test_the_trees_are_kept_from_move_to_move() -> None:
    state = load("connect-four", engine="native").new()
    bot = parse_bot("mcts:600:threads=2").make(Generator(1), time.monotonic)
    state.push(bot.choose(Seat(state, 0)))
    state.push(state.legal_moves[0])
    first = state.start_search(0, SearchSettings(threads=2), 1)
    bot.choose(Seat(state, 0))
    kept = bot._search  # type: ignore[attr-defined]
    assert isinstance(kept, MergedSearch) and isinstance(first, MergedSearch)
    assert sum(move.visits for move in kept.moves()) > 600 and first.iterations == 0


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="a thread cannot be interrupted here")
def test_ctrl_c_ends_all_threads_of_a_search() -> None:
    state = load("connect-four", engine="native").new()
    search = state.start_search(0, THREE, 1)
    search.run(3)
    before = set(threading.enumerate())
    timer = threading.Timer(0.1, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.run(1_000_000_000)
    timer.join()
    assert set(threading.enumerate()) - {timer} <= before  # the work has ended when the interruption arrives


@pytest.mark.parametrize(
    ("text", "threads", "canonical"),
    [
        ("mcts:2s:threads=2", 2, "mcts:2s:threads=2"),
        ("flat:500 : threads = 3", 3, "flat:500:threads=3"),
        ("mcts:threads=2", 2, "mcts:1s:threads=2"),
        ("mcts:2s:threads=1", 1, "mcts:2s"),
    ],
)
def test_the_number_of_threads_follows_the_budget(text: str, threads: int, canonical: str) -> None:
    assert (parse_bot(text).threads, parse_bot(text).text) == (threads, canonical)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcts:2s:", "only a number of threads may follow the budget, such as mcts:2s:threads=2, not ''"),
        ("mcts:2s:thread=2", "only a number of threads may follow .*, not 'thread=2'"),
        ("mcts:2s:threads=x", "only a number of threads may follow"),
        ("mcts:2s:threads=0", "the number of threads is between 1 and 64, not 0"),
        ("flat:10:threads=65", "the number of threads is between 1 and 64, not 65"),
        ("mcts:2s:threads=2:threads=2", "only a number of threads may follow"),
    ],
)
def test_a_wrong_number_of_threads_is_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_bot(text)


def test_settings_without_a_meaning_are_explained() -> None:
    state = load("tic-tac-toe").new()
    with pytest.raises(ValueError, match="the number of threads is between 1 and 64, not 0"):
        state.start_search(0, SearchSettings(threads=0))
    with pytest.raises(ValueError, match="at least one choice for each move, not 0"):
        state.start_search(0, SearchSettings(playout_choices=0))
