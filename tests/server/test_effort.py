"""What the server does to be quick changes nothing that anybody sees."""

import asyncio
import gc
from collections.abc import Callable

import pytest

from ludograph.games import load
from ludograph.play import Generator
from ludograph.render.scenes import tile_memory
from ludograph.render.scenes.states import scene_of
from ludograph.server import local_hosts
from ludograph.server.bots import BotPool
from ludograph.server.limits import Limits
from ludograph.server.local_hosts import LocalHost, TrustedSource
from ludograph.server.process.garbage import SECONDS, Garbage, search_young_objects_only
from ludograph.server.table_game import GameSetup, GameStep, TableGame


@pytest.mark.parametrize("name", ["connect-four", "chess", "backgammon", "hexil", "two-lagoons"])
def test_remembered_tiles_look_as_if_they_were_drawn_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = load(name).new(seed=1)
    generator = Generator(1)
    states = [state.copy()]
    for number in range(48):
        moves = list(state.legal_moves)
        if not moves:
            break
        state.push(moves[generator.below(len(moves))])
        if number % 6 == 5:  # so that other pieces stand at the same places
            states.append(state.copy())
    remembered = [scene_of(each, 0) for each in (*states, *states)]
    monkeypatch.setattr(tile_memory.TileMemory, "find", lambda self, key: None)
    assert [scene_of(each, 0) for each in (*states, *states)] == remembered


@pytest.mark.parametrize("name", ["chess", "pig"])
def test_everybody_has_the_same_view_of_a_game_without_secrets(name: str) -> None:
    """So the server looks once for all of them."""
    game = TableGame(load(name), GameSetup(2, {}, None, "00" * 32))
    generator = Generator(2)
    for _ in range(20):
        seat = game.standing().asked[0]
        moves = list(game.state().legal_moves)
        game.apply(GameStep("moves", seat, (moves[generator.below(len(moves))].text,)))
        views = [game.state().view(viewer) for viewer in (0, 1, None)]
        for view in views:
            view.pop("you", None)
        assert views[0] == views[1] == views[2]


def test_a_draft_is_seen_by_its_seat_only() -> None:
    game = TableGame(load("chess"), GameSetup(2, {}, None, "00" * 32))
    for viewer in (0, 1, -1):
        game.snapshot(viewer)
    game.apply(GameStep("choices", 0, ("e2.play",)))
    assert set(game.updates()) == {0}


def test_a_game_that_is_often_slow_runs_in_the_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        game = TableGame(load("tic-tac-toe"), GameSetup(2, {}, None, "00" * 32))
        host = LocalHost(game, BotPool(Limits()), TrustedSource("tic-tac-toe", "", ""))
        seconds = [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]
        used: list[bool] = []

        def timed(work: Callable[[], object]) -> tuple[object, float]:
            used.append(is_loop())
            return work(), seconds.pop(0)

        monkeypatch.setattr(local_hosts, "_timed", timed)
        while seconds:
            await host.updates()
        # One quick time in between, and it counts anew; it comes back as soon as it is quick.
        assert used == [True, True, True, True, True, True, False, False, True]

    asyncio.run(check())


def is_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def test_all_objects_are_searched_when_enough_tables_were_closed_and_nobody_waits() -> None:
    garbage = Garbage(0.0)
    for _ in range(25):
        assert not garbage.should_search(100.0, 100, last_move=0.0)
        garbage.note_closed()
    assert garbage.should_search(100.0, 100, last_move=0.0)
    assert not garbage.should_search(100.0, 100, last_move=99.0)
    assert not garbage.should_search(100.0, 1000, last_move=0.0)
    assert garbage.should_search(SECONDS + 100, 1000, last_move=0.0)
    for _ in range(175):
        garbage.note_closed()
    assert garbage.should_search(100.0, 100, last_move=99.0)
    garbage.search(100.0)
    assert not garbage.should_search(100.0, 100, last_move=0.0)


def test_the_server_searches_young_objects_only() -> None:
    before = gc.get_threshold()
    try:
        search_young_objects_only()
        assert gc.get_threshold()[2] > 1_000_000
        start = gc.get_stats()[2]["collections"]
        kept = [[number] for number in range(100_000)]
        assert gc.get_stats()[2]["collections"] == start and len(kept) == 100_000
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
