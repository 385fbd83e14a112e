"""Compilation in another thread, because LLVM cannot be interrupted.

`compile_and_wait` blocks the caller until the code is compiled, but Ctrl-C ends the wait at once. A
`CompilerThread` compiles while the game continues. If the compiler fails, that is a bug of Ludograph, and the
reference engine runs the game. The message of `CompilerFailure` asks the user to report the bug. If
LUDOGRAPH_STRICT is set, the original exception is raised, so that a test fails.
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
"""Reasons to use the reference engine that are not bugs."""
STACK_BYTES = 64 << 20
"""The stack of the thread: LLVM recurses in large functions."""
MAX_MESSAGE_LENGTH = 160


class CompilerFailure(Exception):
    """The compiler failed on a game. The message says that this is a bug of Ludograph."""


class _Abandoned(BaseException):
    """Nobody waits for the result. It is not an `Exception`, so it is not reported as a failure."""


def compile_and_wait(make: Callable[[Poll], Made]) -> Made:
    """Compile in another thread. If the caller is interrupted meanwhile, the thread ends on its own."""
    if threading.current_thread() is not threading.main_thread():
        return _compile(make, _never_stop)  # Ctrl-C interrupts only the main thread
    thread = CompilerThread(make)
    try:
        return thread.result()
    finally:
        thread.abandon()


def _never_stop() -> None:
    """A poll that never ends the compilation."""


class CompilerThread(Generic[Made]):
    """A compilation in its own thread. Mutable."""

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
        """Wait for the compiled code and return it, or raise the exception of the compiler."""
        self._over.wait()
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def abandon(self) -> None:
        """Make the thread end before its next step."""
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
    if len(words) > MAX_MESSAGE_LENGTH:
        words = f"{words[:MAX_MESSAGE_LENGTH]}…"
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
    """At the end of the process, wait for LLVM: it must not run while its library is unloaded."""
    threads = list(_running)
    for thread in threads:
        thread.abandon()
    for thread in threads:
        thread.wait()


def _forget_all() -> None:
    """In a forked process, forbid LLVM: a thread that only the parent process has holds its locks."""
    if _running:
        _running.clear()
        forbid("this process was forked from one that was compiling a game")


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
