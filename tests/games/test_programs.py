"""Programs that are kept: the same game without reading its text, and never that of another text."""

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.msgpack import decode, encode

from ludograph.games import SourceError, find_source, list_games, programs
from ludograph.games.programs import FORMAT, read_program
from ludograph.tgdl.check.rules_hash import rules_hash
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.program import Literal, Program
from ludograph.tgdl.world.analysis import walk
from tests.games.stores import MemoryStore

MAIN = """game "halves";
players 2;
import "rules/cells.tgdl";
board { group grid square 2 by 2 { cell; } }
goal filled { require { grid.tiles.count(c: c.used) >= 3 } effect { win player; } }
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


def refuse_to_read(*_: object) -> None:
    raise AssertionError("the text was read again")


def test_a_kept_program_plays_the_same_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    first = Game(read_program(find_source(path), store)).new(seed=1)
    monkeypatch.setattr(programs, "compile_source", refuse_to_read)
    again = Game(read_program(find_source(path), store)).new(seed=1)
    for state in (first, again):
        state.push(state.legal_moves[1])
    assert [str(move) for move in again.legal_moves] == [str(move) for move in first.legal_moves]
    assert (again.to_json(), again.digest()) == (first.to_json(), first.digest())


def test_a_changed_import_is_read_anew(path: Path) -> None:
    store = MemoryStore()
    before = read_program(find_source(path), store)
    imported = path.parent / "rules" / "cells.tgdl"
    imported.write_text(CELLS.replace("used = true", "used = not used"), encoding="utf-8")
    assert read_program(find_source(path), store).rules != before.rules


def test_a_text_with_errors_is_not_kept(path: Path) -> None:
    store = MemoryStore()
    path.write_text(MAIN.replace("filled", ""), encoding="utf-8")
    with pytest.raises(SourceError):
        read_program(find_source(path), store)
    assert not store.kept


def test_a_program_comes_back_as_it_was_checked() -> None:
    for name in list_games():
        store, text = MemoryStore(), find_source(name)
        checked, kept = read_program(text, store), read_program(text, store)
        assert kept is not checked
        assert kept == checked
        assert rules_hash(kept) == checked.rules
        assert kept_types(kept) == kept_types(checked)  # 1 and 1.0 are equal, and not the same


def kept_types(program: Program) -> list[type]:
    return [type(node.value) for node in walk(program) if isinstance(node, Literal)]


def kept_program(store: MemoryStore) -> str:
    """The key of the program, which is what was kept last."""
    return list(store.kept)[-1]


def test_a_program_in_another_format_is_read_anew(path: Path) -> None:
    store = MemoryStore()
    program = read_program(find_source(path), store)
    key = kept_program(store)
    store.kept[key] = encode([FORMAT + 1, *decode(store.kept[key])[1:]])
    assert read_program(find_source(path), store) == program


def test_the_program_of_another_text_is_read_anew(path: Path) -> None:
    store, other = MemoryStore(), MemoryStore()
    program = read_program(find_source(path), store)
    read_program(find_source("tic-tac-toe"), other)
    store.kept[kept_program(store)] = other.kept[kept_program(other)]
    assert read_program(find_source(path), store) == program


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_pickles_are_never_loaded(path: Path, tmp_path: Path) -> None:
    store = MemoryStore()
    program = read_program(find_source(path), store)
    for key in store.kept:
        store.kept[key] = pickle.dumps(Bomb(tmp_path / "exploded"))
    assert read_program(find_source(path), store) == program
    assert not (tmp_path / "exploded").exists()


def test_nothing_in_the_project_reads_pickles() -> None:
    source = Path(programs.__file__).parent.parent
    texts = {path: path.read_text(encoding="utf-8") for path in source.rglob("*.py")}
    assert [
        path.name for path, text in texts.items() if re.search(r"import (pickle|marshal|shelve)", text)
    ] == []


TIC_TAC_TOE = find_source("tic-tac-toe")


@given(st.data())
def test_damaged_bytes_are_read_anew(data: st.DataObject) -> None:
    store = MemoryStore()
    program = read_program(TIC_TAC_TOE, store)
    key = data.draw(st.sampled_from(list(store.kept)))
    content = bytearray(store.kept[key])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    store.kept[key] = bytes(content) if data.draw(st.booleans()) else bytes(content[:cut])
    found = read_program(TIC_TAC_TOE, store)  # well-formed by chance or read anew, and never an exception
    assert found.sources == program.sources


@given(st.binary(max_size=200))
def test_any_bytes_in_place_of_a_program_are_read_anew(content: bytes) -> None:
    store = MemoryStore()
    program = read_program(TIC_TAC_TOE, store)
    for key in store.kept:
        store.kept[key] = content
    assert read_program(TIC_TAC_TOE, store) == program


def test_a_tree_too_deep_for_the_decoder_is_read_anew(path: Path) -> None:
    store = MemoryStore()
    program = read_program(find_source(path), store)
    store.kept[kept_program(store)] = b"\x92" * 1_000_000
    assert read_program(find_source(path), store) == program
