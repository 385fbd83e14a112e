"""Objects on disk: kept whole or not at all, by us alone, and whatever goes wrong nobody notices."""

import multiprocessing
import os
import stat
import sys
from pathlib import Path

import pytest

from ludograph.games import object_store
from ludograph.games.object_store import HEADER, SUFFIX, ObjectFolder, cache_folder, open_object_store
from ludograph.tgdl.native.run.store import ObjectStore, compile_cached

WRITER = b"the code of today"

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "ludograph" / "objects"


@pytest.fixture
def store(folder: Path) -> ObjectFolder:
    return ObjectFolder(folder, WRITER)


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


# Kept


@pytest.mark.parametrize("data", [b"", b"object", bytes(range(256)) * 5000])
def test_what_is_put_is_got_back_by_any_store_of_the_folder(
    store: ObjectFolder, folder: Path, data: bytes
) -> None:
    store.put("key", data)
    assert store.get("key") == data
    assert ObjectFolder(folder, WRITER).get("key") == data


@pytest.mark.parametrize("key", ["", "../outside", "a/b", "C:\\a", "nul", "x" * 5000, "é\ud800\0"])
def test_a_key_may_be_any_text(store: ObjectFolder, folder: Path, key: str) -> None:
    store.put(key, b"object")
    assert store.get(key) == b"object"
    assert only_file(folder).suffix == SUFFIX


def test_an_unknown_key_has_no_object(store: ObjectFolder, folder: Path) -> None:
    assert store.get("key") is None
    assert not folder.exists()  # looking leaves no trace
    store.put("key", b"object")
    assert store.get("another") is None


def test_a_key_has_the_object_that_was_put_last(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"first")
    store.put("key", b"second")
    assert store.get("key") == b"second"
    assert only_file(folder)


def test_other_code_gets_nothing_of_what_ours_has_made(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    assert ObjectFolder(folder, b"the code of tomorrow").get("key") is None
    assert store.get("key") == b"object"


def test_the_native_engine_finds_its_objects_there_again(folder: Path) -> None:
    stores: list[ObjectStore] = [ObjectFolder(folder, WRITER), ObjectFolder(folder, WRITER)]
    texts = iter(["define i64 @answer() {\n  ret i64 42\n}\n"])  # for one call and no second
    first, second = (compile_cached(lambda: next(texts), ["game"], store) for store in stores)
    assert first == second


# Checked


@pytest.mark.parametrize("place", [*range(HEADER.size), HEADER.size, HEADER.size + 49, HEADER.size + 99])
def test_a_file_with_one_wrong_bit_is_not_trusted_and_made_again(
    store: ObjectFolder, folder: Path, place: int
) -> None:
    store.put("key", b"0123456789" * 10)
    path = only_file(folder)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert store.get("key") is None
    store.put("key", b"0123456789" * 10)
    assert store.get("key") == b"0123456789" * 10


@pytest.mark.parametrize("length", [0, 1, HEADER.size - 1, HEADER.size, HEADER.size + 1, HEADER.size + 99])
def test_a_file_that_was_cut_off_is_not_trusted(store: ObjectFolder, folder: Path, length: int) -> None:
    store.put("key", b"0123456789" * 10)
    path = only_file(folder)
    path.write_bytes(path.read_bytes()[:length])
    assert store.get("key") is None


def test_a_file_that_has_grown_is_not_trusted(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    with only_file(folder).open("ab") as file:
        file.write(b"\0")
    assert store.get("key") is None


def test_the_object_of_another_key_is_not_trusted(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    stolen = only_file(folder).read_bytes()
    store.put("another", b"other object")
    for path in folder.iterdir():
        path.write_bytes(stolen)
    assert [store.get("key"), store.get("another")] == [b"object", None]


def test_a_file_larger_than_all_that_is_kept_is_not_even_read(folder: Path) -> None:
    ObjectFolder(folder, WRITER).put("key", b"x" * 10_000)
    assert ObjectFolder(folder, WRITER, limit_bytes=5_000).get("key") is None


# Private


@on_posix
def test_folder_and_files_are_for_their_owner_alone(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(folder).stat().st_mode) == 0o600


@on_posix
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(store: ObjectFolder, folder: Path, mode: int) -> None:
    store.put("key", b"object")
    folder.chmod(mode)
    assert store.get("key") is None
    store.put("another", b"object")
    assert only_file(folder)  # still the first


@on_posix
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_to_is_refused_and_replaced(
    store: ObjectFolder, folder: Path, mode: int
) -> None:
    store.put("key", b"object")
    only_file(folder).chmod(mode)
    assert store.get("key") is None
    store.put("key", b"object")
    assert store.get("key") == b"object"


@on_posix
def test_what_belongs_to_somebody_else_is_refused(
    store: ObjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("key", b"object")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert store.get("key") is None


def disown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file or folder belong to another user; the superuser does it, others pretend."""
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
        return
    number, look = path.stat().st_ino, os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        if status.st_ino != number:
            return status
        return os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))

    monkeypatch.setattr(os, "fstat", fstat)


@on_posix
def test_a_file_of_another_user_is_refused(
    store: ObjectFolder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("key", b"object")
    disown(only_file(folder), monkeypatch)
    assert store.get("key") is None
    assert store.untrusted_reason() is None
    store.put("another", b"object")
    assert store.get("another") == b"object"


@on_posix
@pytest.mark.parametrize("name", ["objects", "ludograph"])
def test_in_a_folder_of_another_user_nothing_is_read_or_kept(
    store: ObjectFolder, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("key", b"object")
    place = folder if name == "objects" else folder.parent
    disown(place, monkeypatch)
    assert store.get("key") is None
    store.put("another", b"object")
    store.clear()
    assert only_file(folder)  # still the first
    assert store.untrusted_reason() == f"{place} belongs to another user"


@on_posix
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_above_that_others_can_write_to_is_refused(
    store: ObjectFolder, folder: Path, mode: int
) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(mode)
    store.put("key", b"object")
    assert not folder.exists()
    assert store.untrusted_reason() == f"{folder.parent} can be written by other users"


@on_posix
def test_a_link_to_a_folder_of_another_user_is_refused(
    store: ObjectFolder, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.parent.symlink_to(elsewhere)
    store.put("key", b"object")
    assert store.get("key") == b"object"  # so far it is ours
    disown(elsewhere, monkeypatch)
    assert store.get("key") is None
    store.put("another", b"object")
    assert only_file(elsewhere / "objects")


@on_posix
def test_files_that_cannot_be_trusted_are_counted(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    store.put("another", b"object")
    next(folder.iterdir()).chmod(0o660)
    assert (len(store.sizes()), store.ignored()) == (1, 1)


@on_posix
def test_a_folder_that_is_swapped_after_the_check_is_not_used(
    store: ObjectFolder, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("key", b"object")
    look, seen = os.fstat, []

    def swap(descriptor: int) -> os.stat_result:
        seen.append(descriptor)
        if len(seen) == 2:  # the folder itself has just been opened
            folder.rename(tmp_path / "moved")
            folder.mkdir(mode=0o700)
        return look(descriptor)

    monkeypatch.setattr(os, "fstat", swap)
    assert store.get("key") == b"object"
    assert list(folder.iterdir()) == []


@on_posix
def test_a_link_in_place_of_an_object_is_not_followed(
    store: ObjectFolder, folder: Path, tmp_path: Path
) -> None:
    store.put("key", b"object")
    path = only_file(folder)
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert store.get("key") is None
    store.put("key", b"new object")
    assert store.get("key") == b"new object"
    assert elsewhere.read_bytes().endswith(b"object")
    assert not path.is_symlink()


@on_posix
def test_a_link_in_place_of_the_folder_is_refused(store: ObjectFolder, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.parent.mkdir()
    folder.symlink_to(elsewhere)
    store.put("key", b"object")
    assert list(elsewhere.iterdir()) == []


@on_posix
def test_nobody_waits_for_a_pipe_in_place_of_an_object(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    path = only_file(folder)
    path.unlink()
    os.mkfifo(path)
    assert store.get("key") is None


# Limited


def test_what_has_not_been_used_for_longest_goes_first(folder: Path) -> None:
    store = ObjectFolder(folder, WRITER, limit_bytes=4 * HEADER.size + 4000)
    for number in range(4):
        store.put(str(number), b"x" * (1000 - number))
        age_files(folder)
    assert store.get("0") is not None
    age_files(folder)
    store.put("4", b"x" * 900)
    assert [store.get(str(number)) is not None for number in range(5)] == [True, False, True, True, True]


def test_the_folder_never_grows_beyond_its_limit(folder: Path) -> None:
    store = ObjectFolder(folder, WRITER, limit_bytes=10_000)
    for number in range(40):
        store.put(str(number), b"x" * (number * 60))
        age_files(folder)
        assert store.get(str(number)) is not None
        assert sum(store.sizes()) <= 10_000
    assert sum(store.sizes()) > 5_000


def test_an_object_larger_than_the_limit_is_not_kept_and_pushes_nothing_out(folder: Path) -> None:
    store = ObjectFolder(folder, WRITER, limit_bytes=2_000)
    store.put("small", b"x")
    store.put("large", b"x" * 2_000)
    assert [store.get("small"), store.get("large")] == [b"x", None]


def test_what_nobody_will_finish_is_removed_and_what_others_are_writing_is_not(
    store: ObjectFolder, folder: Path
) -> None:
    store.put("key", b"object")
    abandoned, growing, strange = (folder / name for name in ("a.unfinished", "b.unfinished", "notes.txt"))
    for path in (abandoned, growing, strange):
        path.write_bytes(b"x")
    for path in (abandoned, strange):
        os.utime(path, (1, 1))
    store.put("another", b"object")
    assert not abandoned.exists()
    assert growing.exists()
    assert strange.exists()


def test_all_can_be_cleared_and_what_is_not_ours_stays(store: ObjectFolder, folder: Path) -> None:
    for number in range(3):
        store.put(str(number), b"object")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert store.sizes() == (HEADER.size + 6,) * 3
    store.clear()
    assert store.sizes() == ()
    assert only_file(folder).name == "notes.txt"


def test_a_folder_that_is_not_there_is_empty(store: ObjectFolder) -> None:
    store.clear()
    assert store.sizes() == ()


def age_files(folder: Path) -> None:
    """Let an hour pass, since files written in quick succession can bear the same time."""
    for path in folder.iterdir():
        status = path.stat()
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 3600 * 10**9))


# Several at once


def test_processes_that_write_at_once_never_see_half_an_object(folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as processes:
        answers = processes.starmap(write_and_read, [(folder, number) for number in range(2)], chunksize=1)
    assert answers == [[], []]
    assert sorted(path.suffix for path in folder.iterdir()) == [SUFFIX] * 7


def write_and_read(folder: Path, number: int) -> list[str]:
    """Put and get the same few objects as the others; tell what was not whole when it was got."""
    store = ObjectFolder(folder, WRITER)
    wrong = []
    for turn in range(70):
        key, length = str(turn % 7), 50_000 * (turn % 7 + 1)
        store.put(key, bytes([number]) * length)
        found = store.get(key)
        if found not in {bytes([writer]) * length for writer in range(2)}:
            wrong.append(f"turn {turn}: {None if found is None else len(found)}")
    return wrong


# Whatever goes wrong


def fail(*arguments: object, **options: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_folder_that_cannot_be_made_is_not_noticed(
    store: ObjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", fail)
    store.put("key", b"object")
    assert store.get("key") is None


@pytest.mark.parametrize("step", ["fdopen", "mkdir", "open", "replace", "scandir", "stat", "utime"])
def test_a_call_that_fails_is_not_noticed(
    store: ObjectFolder, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    store.put("first", b"object")
    monkeypatch.setattr(os, step, fail)
    store.put("key", b"object")
    assert store.get("first") in {None, b"object"}


def test_a_full_disk_leaves_nothing_half_written(
    store: ObjectFolder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("key", b"object")
    monkeypatch.setattr(os, "replace", fail)
    store.put("key", b"new object")
    assert store.get("key") == b"object"
    assert only_file(folder)


def test_a_file_in_place_of_the_folder_is_not_noticed(store: ObjectFolder, folder: Path) -> None:
    folder.parent.write_bytes(b"a file")
    store.put("key", b"object")
    assert store.get("key") is None


def test_a_folder_in_place_of_an_object_is_not_noticed(store: ObjectFolder, folder: Path) -> None:
    store.put("key", b"object")
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    assert store.get("key") is None
    store.put("key", b"object")
    assert store.get("key") is None


@on_posix
def test_a_folder_without_permission_is_not_noticed(
    store: ObjectFolder, folder: Path, tmp_path: Path
) -> None:
    folder.mkdir(parents=True, mode=0o500)
    store.put("key", b"object")
    assert store.get("key") in {None, b"object"}  # the superuser may


# Where

HOME = {"HOME": "/home/ada"}

PLACES: dict[str, tuple[dict[str, str], str, str | None]] = {
    "Linux": (HOME, "linux", "/home/ada/.cache/ludograph"),
    "Linux, told where": ({**HOME, "XDG_CACHE_HOME": "/var/ada"}, "linux", "/var/ada/ludograph"),
    "a relative place does not count": (
        {**HOME, "XDG_CACHE_HOME": "x"},
        "linux",
        "/home/ada/.cache/ludograph",
    ),
    "an empty place does not count": ({**HOME, "XDG_CACHE_HOME": ""}, "linux", "/home/ada/.cache/ludograph"),
    "macOS": ({**HOME, "XDG_CACHE_HOME": "/var/ada"}, "darwin", "/home/ada/Library/Caches/ludograph"),
    "Windows": ({"LOCALAPPDATA": "/users/ada"}, "win32", "/users/ada/ludograph/cache"),
    "Windows without a place": (HOME, "win32", None),
    "nobody's home": ({}, "linux", None),
    "chosen": ({**HOME, "LUDOGRAPH_CACHE": "/here"}, "linux", "/here"),
    "none wanted": ({**HOME, "LUDOGRAPH_CACHE": ""}, "linux", None),
}


@pytest.mark.parametrize("case", PLACES)
def test_objects_are_kept_where_the_system_keeps_such_things(case: str) -> None:
    environment, platform, place = PLACES[case]
    assert cache_folder(environment, platform) == (None if place is None else Path(place))


def test_the_store_of_the_user_is_in_the_chosen_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))
    monkeypatch.setattr(object_store, "_started_seconds", 1e12)
    store = open_object_store()
    assert store is not None
    store.put("key", b"object")
    assert only_file(tmp_path / "objects")
    again = open_object_store()
    assert again is not None
    assert again.get("key") == b"object"


def test_an_empty_choice_means_that_there_is_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", "")
    assert open_object_store() is None


# Which code


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for package in object_store.CODE_PACKAGES:
        (tmp_path / package / "inner").mkdir(parents=True)
        (tmp_path / package / "inner" / "file.py").write_text("one", encoding="utf-8")
    return tmp_path


LATER = 1e12


def writer_of(package: Path, started_seconds: float = LATER) -> bytes | None:
    object_store._code_digest.cache_clear()
    return object_store._code_digest(package, started_seconds)


def test_the_same_code_is_the_same_writer(package: Path) -> None:
    assert writer_of(package) == writer_of(package) != None  # noqa: E711


def test_changed_code_is_another_writer_even_if_size_and_date_are_the_same(package: Path) -> None:
    before = writer_of(package)
    path = package / "tgdl" / "inner" / "file.py"
    status = path.stat()
    path.write_text("two", encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert writer_of(package) not in {before, None}


def test_another_file_makes_another_writer(package: Path) -> None:
    before = writer_of(package)
    (package / "tgdl" / "more.py").write_text("one", encoding="utf-8")
    assert writer_of(package) not in {before, None}


def test_code_that_has_changed_since_it_was_loaded_has_no_store(package: Path) -> None:
    assert writer_of(package, started_seconds=1.0) is None


def test_code_that_is_in_no_files_has_no_store(package: Path) -> None:
    assert writer_of(package / "archive.zip") is None
    for path in package.rglob("*.py"):
        path.unlink()
    assert writer_of(package) is None
