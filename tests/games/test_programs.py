"""Programs that are kept: the same game without reading its text, and never that of another text."""

from pathlib import Path

import pytest

from ludograph.games import SourceError, find_text, programs
from ludograph.games.programs import LONG_TEXT, read_program
from ludograph.tgdl.game import Game
from tests.games.stores import Shelf

MAIN = """game "halves";
players 2;
import "rules/cells.tgdl";
board { group grid square 2 by 2 { cell; } }
goal filled { require { grid.tiles.count(c: c.used) >= 3 } effect { win player; } }
"""
CELLS = """tile cell { bool used = false; action mark {
  trigger on player choice; require { not used } effect { used = true; pass; } } }
"""
LONG = "// " + "x" * LONG_TEXT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "cells.tgdl").write_text(CELLS, encoding="utf-8")
    main = tmp_path / "halves.tgdl"
    main.write_text(MAIN + LONG, encoding="utf-8")
    return main


def refuse_to_read(*_: object) -> None:
    raise AssertionError("the text was read again")


def test_a_kept_program_plays_the_same_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Shelf()
    first = Game(read_program(find_text(path), store)).new(seed=1)
    monkeypatch.setattr(programs, "compile_source", refuse_to_read)
    again = Game(read_program(find_text(path), store)).new(seed=1)
    for state in (first, again):
        state.push(state.legal_moves[1])
    assert [str(move) for move in again.legal_moves] == [str(move) for move in first.legal_moves]
    assert (again.to_json(), again.digest()) == (first.to_json(), first.digest())


def test_a_changed_import_is_read_anew(path: Path) -> None:
    store = Shelf()
    before = read_program(find_text(path), store)
    imported = path.parent / "rules" / "cells.tgdl"
    imported.write_text(CELLS.replace("used = true", "used = not used"), encoding="utf-8")
    assert read_program(find_text(path), store).rules != before.rules


def test_a_text_with_errors_is_not_kept(path: Path) -> None:
    store = Shelf()
    path.write_text(MAIN.replace("filled", "") + LONG, encoding="utf-8")
    with pytest.raises(SourceError):
        read_program(find_text(path), store)
    assert not store.kept


def test_short_texts_are_not_kept(path: Path) -> None:
    store = Shelf()
    path.write_text(MAIN, encoding="utf-8")
    read_program(find_text(path), store)
    assert not store.kept
