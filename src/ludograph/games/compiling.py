"""Compiling in another thread: LLVM cannot be interrupted, and a player does not wait for it.

`compile_and_wait` lets the caller wait, but hears Ctrl-C at once. A `CompilerThread` compiles while the game
goes on. Any failure of the compiler is a mistake of ours, which does not stop a game: the reference engine
runs it, and the message of `CompilerFailure` asks for a report. If LUDOGRAPH_STRICT is set, the failure
itself is raised, so that the tests notice it.
"""

import atexit
import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ludograph.games.thread_stacks import start_thread
from ludograph.tgdl.native.layout.encoding import ForeignText
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.machine import Unavailable, forbid
from ludograph.tgdl.native.run.store import Poll

Made = TypeVar("Made")

EXPECTED = (Unsupported, Unavailable, ForeignText)
"""The reasons to use the reference engine that are no mistakes."""
STACK_BYTES = 64 << 20
"""The stack of the thread: LLVM recurses in large functions."""
MESSAGE_LETTERS = 160


class CompilerFailure(Exception):
    """The compiler failed on a game. The message says that this is a mistake of Ludograph."""


class _Abandoned(BaseException):
    """Nobody waits for the result. It is no `Exception`, so that it is not taken for a failure."""


def compile_and_wait(make: Callable[[Poll], Made]) -> Made:
    """Compile in another thread. If the caller is interrupted meanwhile, the thread ends on its own."""
    if threading.current_thread() is not threading.main_thread():
        return _compile(make, _go_on)  # only the main thread is interrupted
    thread = CompilerThread(make)
    try:
        return thread.result()
    finally:
        thread.abandon()


def _go_on() -> None:
    """A poll that never ends the work."""


class CompilerThread(Generic[Made]):
    """Something that a thread of its own compiles. Mutable."""

    def __init__(self, make: Callable[[Poll], Made]) -> None:
        self._make = make
        self._found: list[Made] = []
        self._failure: Exception | None = None
        self._over = threading.Event()
        self._is_abandoned = False
        _running.add(self)
        try:
            start_thread(STACK_BYTES, self._run)
        except RuntimeError as reason:
            self._end(Unavailable(str(reason)))

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def result(self) -> Made:
        """What was compiled, after waiting for it; raises what the compiler raised."""
        self._over.wait()
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def abandon(self) -> None:
        """End the thread before its next step, if it has not ended."""
        self._is_abandoned = True

    def _poll(self) -> None:
        if self._is_abandoned:
            raise _Abandoned

    def _run(self) -> None:
        try:
            self._found.append(_compile(self._make, self._poll))
            self._end(None)
        except _Abandoned:
            self._end(Unavailable("the compiler was stopped"))
        except Exception as failure:  # raised again in the thread that asks for the result
            self._end(failure)

    def _end(self, failure: Exception | None) -> None:
        self._failure = failure
        _running.discard(self)
        self._over.set()

    def wait(self) -> None:
        self._over.wait()


def _compile(make: Callable[[Poll], Made], poll: Poll) -> Made:
    try:
        return make(poll)
    except EXPECTED:
        raise
    except Exception as failure:
        if os.environ.get("LUDOGRAPH_STRICT"):
            raise
        raise CompilerFailure(_describe(failure)) from failure


def _describe(failure: Exception) -> str:
    """One line for the user."""
    words = " ".join(f"{type(failure).__name__}: {failure}".split())
    if len(words) > MESSAGE_LETTERS:
        words = f"{words[:MESSAGE_LETTERS]}…"
    return (
        f"the compiler failed ({words}). "
        "This is a bug of Ludograph: please report it with the rules of the game"
    )


_running: set[CompilerThread[Any]] = set()
"""The threads that have not ended."""


def is_compiling() -> bool:
    """Whether a thread compiles now. The normal end of the process waits for it."""
    return bool(_running)


def _stop_all() -> None:
    """At the end of the process: LLVM must not run while its library is unloaded, so its step ends first."""
    threads = list(_running)
    for thread in threads:
        thread.abandon()
    for thread in threads:
        thread.wait()


def _forget_all() -> None:
    """In a forked process: its copy of LLVM is locked for ever by a thread that it does not have."""
    if _running:
        _running.clear()
        forbid("this process was forked from one that was compiling a game")


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
