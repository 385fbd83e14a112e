"""Starts that are kept: the same games without reading the rules, and nothing old or broken is played."""

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.games import CompiledStart, SourceError, find_source, list_games, open_start, starts
from ludograph.games.engines import native_engine, perft, simulate
from ludograph.games.object_store import ObjectFolder
from ludograph.games.starts import Configuration, find_start, store_start
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.store import ObjectStore
from tests.games.stores import MemoryStore

MAIN = """game "halves";
players 2..3;
option decimal most = 4 from 1 to 9;
import "rules/cells.tgdl";
board { group grid square 2 by 2 { cell; } }
setup { effect { } effect for short { grid[0][0].used = true; } }
goal filled { require { grid.tiles.count(c: c.used) >= most } effect { win player; } }
"""
CELLS = """tile cell { bool used = false; action mark {
  trigger on player choice; require { not used } effect { used = true; pass; } } }
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "cells.tgdl").write_text(CELLS, encoding="utf-8")
    main = tmp_path / "halves.tgdl"
    main.write_text(MAIN, encoding="utf-8")
    return main


PLAIN = Configuration()


def keep(path: Path, store: ObjectStore, configuration: Configuration = PLAIN) -> None:
    text = find_source(path)
    game = Game(compile_source(text.source, text.read))
    state = configuration.new(game)
    sample = memory_of(game.new(players=state.players, options=dict(world_of(state).options), seed=0))
    store_start(text, configuration, state, Engine(world_of(state), sample, store), store)


def find(path: Path, store: ObjectStore, configuration: Configuration = PLAIN) -> CompiledStart | None:
    return find_start(find_source(path), configuration, store)


def test_a_kept_start_plays_the_same_games_without_reading_the_rules(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    keep(path, store)
    text = find_source(path)
    state = PLAIN.new(Game(compile_source(text.source, text.read)))
    expected = (list(simulate(state, 50, seed=3, engine=native_engine(state.game, state))), perft(state, 3))
    monkeypatch.setattr(starts, "compile_source", None)
    start = find(path, store)
    assert start is not None
    assert start.name == "halves"
    assert (list(simulate(start, 50, seed=3)), perft(start, 3)) == expected


def test_nothing_is_found_before_something_was_kept_or_without_a_store(path: Path) -> None:
    assert find(path, MemoryStore()) is None
    assert find_start(find_source(path), PLAIN, None) is None


def test_players_options_and_setup_are_part_of_the_key(path: Path) -> None:
    store = MemoryStore()
    keep(path, store)
    for other in (
        Configuration(3, None, None),
        Configuration(None, {"most": 3.0}, None),
        Configuration(None, None, "short"),
        Configuration(None, {"most": True}, None),
    ):
        assert find(path, store, other) is None
    keep(path, store, Configuration(None, {"most": 3.0}, "short"))
    start = find(path, store, Configuration(None, {"most": 3.0}, "short"))
    assert start is not None
    assert {outcome.moves for outcome in simulate(start, 10)} == {2}
    assert find(path, store) is not None


def test_a_changed_text_or_import_is_another_game(path: Path) -> None:
    store = MemoryStore()
    keep(path, store)
    cells = path.parent / "rules" / "cells.tgdl"
    cells.write_text(CELLS.replace("pass", "draw"), encoding="utf-8")
    assert find(path, store) is None
    cells.unlink()
    assert find(path, store) is None
    cells.write_bytes(b"\xff\xff")
    assert find(path, store) is None
    cells.write_text(CELLS, encoding="utf-8")
    assert find(path, store) is not None
    path.write_text(MAIN + "\n", encoding="utf-8")
    assert find(path, store) is None


def test_rules_that_are_needed_later_are_those_that_were_found(path: Path) -> None:
    store = MemoryStore()
    keep(path, store)
    start = find(path, store)
    (path.parent / "rules" / "cells.tgdl").write_text("nonsense", encoding="utf-8")
    assert start is not None
    assert start.state().game.name == "halves"
    assert start.engine.plan.fixed_size == start.engine.shape.fixed_size


def test_an_object_that_is_gone_or_broken_is_not_played(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "objects"
    store = ObjectFolder(folder, b"code")
    keep(path, store)
    assert find(path, store) is not None
    assert find(path, ObjectFolder(folder, b"newer code")) is None
    for file in sorted(folder.iterdir()):
        whole = file.read_bytes()
        for broken in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
            file.write_bytes(broken)
            assert find(path, store) is None
        keep(path, store)
        assert find(path, store) is not None


def test_a_text_with_errors_is_never_kept(tmp_path: Path) -> None:
    path = tmp_path / "wrong.tgdl"
    path.write_text('game "wrong"; board { }  nonsense', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(SourceError):
            open_start(path)


def test_players_that_do_not_fit_are_refused_each_time(path: Path) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="halves is for 2, 3 players, not 7"):
            open_start(path, players=7)


FAULTY = MAIN.replace(">= most", "/ (4 - grid.tiles.count(c: c.used)) > 5")


def test_a_fault_is_told_in_words(path: Path) -> None:
    path.write_text(FAULTY, encoding="utf-8")
    store = MemoryStore()
    keep(path, store)
    start = find(path, store)
    assert start is not None
    with pytest.raises(Fault, match="division by zero"):
        list(simulate(start, 3))


def _play(path: Path, folder: Path) -> list[int]:
    store = ObjectFolder(folder, b"code")
    found = find(path, store)
    if found is None:
        keep(path, store)
        found = find(path, store)
    assert found is not None
    return [outcome.moves for outcome in simulate(found, 20, seed=1)]


def test_two_processes_may_open_the_same_start_at_once(path: Path, tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.starmap(_play, [(path, tmp_path / "objects")] * 2)
    assert first == second == _play(path, tmp_path / "objects")


def test_the_shelf_opens_by_name() -> None:
    first, second = open_start("tic-tac-toe"), open_start("tic-tac-toe")
    assert "tic-tac-toe" in list_games()
    assert perft(first, 2) == perft(second, 2) == 72


START = find_source("tic-tac-toe")


@pytest.fixture(scope="module")
def kept() -> dict[str, bytes]:
    """What is kept of a game, its machine code included."""
    store = MemoryStore()
    state = PLAIN.new(Game(compile_source(START.source, START.read)))
    store_start(START, PLAIN, state, Engine(world_of(state), memory_of(state), store), store)
    return store.kept


def data_of(kept: dict[str, bytes]) -> list[str]:
    """The keys of what is no machine code."""
    return [key for key, content in kept.items() if b"commit" not in content]


@given(st.data())
def test_damaged_bytes_are_no_start(kept: dict[str, bytes], data: st.DataObject) -> None:
    store = MemoryStore(dict(kept))
    key = data.draw(st.sampled_from(data_of(kept)))
    content = bytearray(kept[key])
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    store.kept[key] = bytes(content[: data.draw(st.integers(0, len(content)))])
    found = find_start(START, PLAIN, store)
    assert found is None or len(found.block) >= found.engine.shape.fixed_size


@given(st.binary(max_size=200))
def test_any_bytes_are_no_start(kept: dict[str, bytes], content: bytes) -> None:
    for key in kept:
        assert find_start(START, PLAIN, MemoryStore({**kept, key: content})) is None


def test_an_object_that_does_not_link_is_compiled_again() -> None:
    store = MemoryStore()
    state = PLAIN.new(Game(compile_source(START.source, START.read)))
    engine = Engine(world_of(state), memory_of(state), store)
    good = store.kept[engine.object_key]
    store.kept[engine.object_key] = b"no object"
    assert Engine.find(world_of(state), memory_of(state), store) is None
    Engine(world_of(state), memory_of(state), store)
    assert store.kept[engine.object_key] == good
