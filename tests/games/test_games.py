"""Loading games: names, paths, imports, and the errors for unknown games."""

from pathlib import Path

import pytest

import ludograph
from ludograph.games import UnknownGame, find_source, list_games, load
from ludograph.tgdl import SourceError

NIM = """game "Nim";
const decimal start = 3;
global state table { decimal left = start; }
action take {
  input decimal n from 1 to min(2, table.left);
  trigger on player choice;
  effect { table.left = table.left - n; if table.left == 0 { win player; } pass; }
}
"""


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    path = tmp_path / "nim.tgdl"
    path.write_text(NIM, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", list_games())
def test_every_game_of_the_shelf_can_be_started(name: str) -> None:
    game = load(name)
    assert game.name
    for players in game.player_counts:
        assert game.new(players=players, seed=1).asked


def test_names_are_those_of_the_files() -> None:
    folder = Path(ludograph.__file__).parent / "games"
    assert list_games() == tuple(sorted(path.stem for path in folder.glob("*.tgdl")))


def test_a_game_is_loaded_from_a_path_or_its_text(nim: Path) -> None:
    assert load(nim).name == load(str(nim)).name == "Nim"


def test_a_file_in_the_working_folder_needs_no_slash(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nim.rename(nim.with_suffix(""))
    monkeypatch.chdir(nim.parent)
    assert load("nim").name == "Nim"


def test_the_front_door_leads_to_the_shelf(nim: Path) -> None:
    assert ludograph.load(nim).name == "Nim"
    assert ludograph.list_games() == list_games()


def test_an_unknown_name_is_said() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'zzz'; the shipped games are "):
        load("zzz")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.tgdl")
    with pytest.raises(FileNotFoundError):
        load("none.tgdl")


def test_a_byte_order_mark_is_no_part_of_the_text(nim: Path) -> None:
    nim.write_bytes(b"\xef\xbb\xbf" + NIM.encode())
    assert find_source(nim).source.text == NIM


@pytest.mark.parametrize(("data", "hint"), [(b"game \xff", "save"), (b"\xff\xfeg\0", "UTF-16")])
def test_bytes_that_are_no_text_are_shown(nim: Path, data: bytes, hint: str) -> None:
    nim.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        load(nim)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "TG0001"
    assert hint in diagnostic.hint


def test_everything_wrong_with_a_text_is_listed(nim: Path) -> None:
    nim.write_text(NIM.replace("win player", "win plyer").replace("= start", "= strt"), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        load(nim)
    assert len([one for one in caught.value.diagnostics if one.severity == "error"]) == 2


def test_imports_are_found_below_the_folder(nim: Path) -> None:
    (nim.parent / "parts").mkdir()
    (nim.parent / "parts" / "start.tgdl").write_text("const decimal start = 5;\n", encoding="utf-8")
    text = NIM.replace("const decimal start = 3;", 'import "parts/start.tgdl";')
    nim.write_text(text, encoding="utf-8")
    assert "5" in str(load(nim).new().to_json()["instances"])


@pytest.mark.parametrize("path", ["../start.tgdl", "link.tgdl", "missing.tgdl", "inner", "a\\0b"])
def test_imports_never_leave_the_folder(nim: Path, path: str) -> None:
    (nim.parent / "start.tgdl").write_text("const decimal start = 5;\n", encoding="utf-8")
    inner = nim.parent / "inner"
    inner.mkdir()
    (inner / "link.tgdl").symlink_to(nim.parent / "start.tgdl")
    (inner / "inner").mkdir()
    game = inner / "game.tgdl"
    game.write_text(NIM.replace("const decimal start = 3;", f'import "{path}";'), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        load(game)
    assert caught.value.diagnostics[0].code in {"TG0392", "TG0393", "TG0105"}


def test_an_import_that_is_no_text_is_shown(nim: Path) -> None:
    (nim.parent / "start.tgdl").write_bytes(b"\xff")
    nim.write_text(NIM.replace("const decimal start = 3;", 'import "start.tgdl";'), encoding="utf-8")
    with pytest.raises(SourceError, match=r"start\.tgdl:1:1"):
        load(nim)
