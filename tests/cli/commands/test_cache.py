"""`ludograph cache`: what is kept, where, and how it goes away."""

import json
import sys
from pathlib import Path

import pytest

from ludograph.games.object_store import LIMIT_BYTES, ObjectFolder
from tests.cli.command import call


def fill(folder: Path, count: int) -> int:
    """Put objects there, and give how many bytes they take."""
    store = ObjectFolder(folder / "objects", b"other code")
    for number in range(count):
        store.put(str(number), b"x" * 400_000)
    return sum(store.sizes())


def test_an_empty_cache_is_shown_with_its_folder(tmp_path: Path) -> None:
    result = call("cache", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{tmp_path / 'objects'}: 0 files of compiled games, 0.0 MB of at most 200.0 MB\n"
    assert list(tmp_path.iterdir()) == []


def test_a_full_one_is_shown_with_its_size(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    result = call("cache", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    assert result.out == f"{tmp_path / 'objects'}: 3 files of compiled games, 1.2 MB of at most 200.0 MB\n"


def test_one_file_is_one_file(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    assert ": 1 file of compiled games, " in call("cache", environment={"LUDOGRAPH_CACHE": str(tmp_path)}).out


def test_json_has_folder_number_and_sizes(tmp_path: Path) -> None:
    size = fill(tmp_path, 2)
    result = call("cache", "--json", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    facts = {
        "folder": str(tmp_path / "objects"),
        "files": 2,
        "bytes": size,
        "most": LIMIT_BYTES,
        "ignored": 0,
        "untrusted": None,
    }
    assert json.loads(result.out) == {"cache": facts}


def test_clear_removes_everything(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    result = call("cache", "--clear", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    assert ": 0 files of compiled games, " in result.out
    assert list((tmp_path / "objects").iterdir()) == []


def test_without_a_cache_that_is_said(tmp_path: Path) -> None:
    environment = {"LUDOGRAPH_CACHE": ""}
    result = call("cache", "--clear", environment=environment)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("compiled games are not cached: ")
    assert json.loads(call("cache", "--json", environment=environment).out) == {"cache": None}


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@on_posix
def test_a_folder_that_cannot_be_trusted_is_said(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    tmp_path.chmod(0o777)
    result = call("cache", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        f"compiled games are not cached: {tmp_path} can be written by other users, "
        "so the folder is not trusted\n"
    )


@on_posix
def test_files_that_cannot_be_trusted_are_said(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    next((tmp_path / "objects").iterdir()).chmod(0o666)
    result = call("cache", environment={"LUDOGRAPH_CACHE": str(tmp_path)})
    assert ": 1 file of compiled games, " in result.out
    assert result.out.endswith("\n1 file is ignored, because other users own it or can write to it\n")
