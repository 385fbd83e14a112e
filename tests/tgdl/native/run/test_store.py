"""Cached objects: compiled once for everything that they depend on, and again if any of it changes."""

import ctypes
from dataclasses import dataclass, field

import pytest

from ludograph.tgdl.native.run import store as store_module
from ludograph.tgdl.native.run.machine import link
from ludograph.tgdl.native.run.store import compile_cached, object_key

TEXT = "define i64 @answer() {\n  ret i64 42\n}\n"


@dataclass
class Shelf:
    """A store in memory that counts what it is asked."""

    kept: dict[str, bytes] = field(default_factory=dict)
    forgets: bool = False

    def get(self, key: str) -> bytes | None:
        return None if self.forgets else self.kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.kept[key] = data


class Writer:
    """Writes the text, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> str:
        self.times += 1
        return TEXT


def test_an_object_is_made_once_and_then_comes_from_the_store() -> None:
    shelf, writer = Shelf(), Writer()
    first = compile_cached(writer, ["game", b"options"], shelf)
    second = compile_cached(writer, ["game", b"options"], shelf)
    assert first == second == next(iter(shelf.kept.values()))
    assert writer.times == 1
    assert link(second, ["answer"]).function("answer", ctypes.c_int64)() == 42


def test_a_store_that_forgets_or_none_at_all_means_that_everything_is_made_again() -> None:
    writer = Writer()
    for shelf in (Shelf(forgets=True), None):
        assert compile_cached(writer, ["game"], shelf) == compile_cached(writer, ["game"], shelf)
    assert writer.times == 4


def test_other_parts_and_another_level_make_other_objects() -> None:
    shelf, writer = Shelf(), Writer()
    for parts in (["game"], ["gam", "e"], [b"game"], ["game", ""]):
        compile_cached(writer, parts, shelf)
    compile_cached(writer, ["game"], shelf, level=0)
    assert writer.times == len(shelf.kept) == 5


def test_another_target_makes_other_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, writer = Shelf(), Writer()
    compile_cached(writer, ["game"], shelf)
    monkeypatch.setattr(store_module, "target", lambda: "another processor")
    compile_cached(writer, ["game"], shelf)
    assert writer.times == 2


def test_a_key_tells_parts_apart_however_they_are_cut() -> None:
    lists: list[list[bytes | str]] = [
        [],
        [""],
        ["", ""],
        ["ab"],
        ["a", "b"],
        [b"ab"],
        ["a bytes 1 b"],
        ["\ud800"],
    ]
    keys = [object_key(parts) for parts in lists]
    assert len(set(keys)) == len(lists)
    assert object_key(["a", b"b"]) == object_key(["a", b"b"])
