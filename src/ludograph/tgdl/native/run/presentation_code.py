"""The presentation code of a world: a second module, compiled and linked separately from the rules."""

import ctypes
from collections.abc import Callable
from typing import Any

from ludograph.tgdl.native.lower.present.interface import EXPORTS
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.store import Poll, compile_anew, compile_cached, compiled_key


class PresentationCode:
    """The functions that write texts from blocks of one engine. Never changed."""

    def __init__(self, engine: Engine, poll: Poll | None = None) -> None:
        self.engine = engine
        self._poll = poll
        key = presentation_key(engine)
        made = compile_cached(self._text, key, engine.store, poll=poll)
        try:
            self.machine = machine.link(made, EXPORTS)
        except machine.MachineError:
            if engine.store is None:
                raise
            # The stored object is damaged.
            self.machine = machine.link(compile_anew(self._text, key, engine.store, poll=poll), EXPORTS)
        pointer, whole, word = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        function: Callable[..., Any] = self.machine.function
        self.view = function("view", whole, pointer, pointer, whole, is_short=True)
        self.long_view = function("view", whole, pointer, pointer, whole)
        self.move_texts = function(
            "move_texts", whole, pointer, pointer, pointer, pointer, word, word, is_short=True
        )
        self.opener_texts = function("opener_texts", whole, pointer, pointer, pointer, word, is_short=True)
        self.answer_texts = function("answer_texts", whole, pointer, pointer, pointer, word, is_short=True)
        self.given_names = function("given_names", whole, pointer, pointer, pointer, word, is_short=True)

    def _text(self) -> str:
        """Generate the LLVM text. Only this imports the code generator: stored code does not need it."""
        from ludograph.tgdl.native.lower.present.lowering import lower_presentation

        engine = self.engine
        unit = CompilationUnit(engine.world, engine.plan, poll=self._poll)
        return lower_presentation(unit, verifies=engine.verifies)


def has_stored_presentation(engine: Engine) -> bool:
    """Whether the presentation code of an engine is in its store, so that it need not be compiled."""
    return engine.store is not None and engine.store.get(compiled_key(presentation_key(engine))) is not None


def load_presentation(engine: Engine, poll: Poll | None = None) -> None:
    """Load the presentation code of an engine, or compile it, instead of when the first text is read."""
    engine.presentation = PresentationCode(engine, poll)


def presentation_key(engine: Engine) -> list[str]:
    """All that the presentation code depends on."""
    return ["presentation", *engine.key()]
