"""Memory for native code: it is zeroed, and freed when nothing refers to it."""

import gc
import weakref

import pytest

from ludograph.tgdl.native.run import buffers
from ludograph.tgdl.native.run.buffers import zeros


def test_bytes_are_zero_and_can_be_written() -> None:
    found = zeros(1000)
    assert found.raw == bytes(1000)
    found[999] = b"x"
    assert found.raw[998:] == b"\0x"


def test_bytes_are_given_back_when_the_last_view_of_them_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[int] = []
    monkeypatch.setattr(buffers, "_free", freed.append)
    found = zeros(1 << 16)
    gone = weakref.ref(found)
    view = memoryview(found)
    del found
    gc.collect()
    assert gone() is not None and not freed
    del view
    gc.collect()
    assert gone() is None and len(freed) == 1


def test_more_bytes_than_there_are_is_no_crash() -> None:
    with pytest.raises(MemoryError):
        zeros(1 << 62)
