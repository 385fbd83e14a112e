"""The module of presentation code of a world: lowered, compiled and linked beside the code of its rules."""

import ctypes
from collections.abc import Callable
from typing import Any

from ludograph.tgdl.native import machine
from ludograph.tgdl.native.emit import emit
from ludograph.tgdl.native.engine import PASSES, Engine, prepare
from ludograph.tgdl.native.ir import verify
from ludograph.tgdl.native.present.moves import make_moves
from ludograph.tgdl.native.present.views import make_views
from ludograph.tgdl.native.store import compile_cached
from ludograph.tgdl.native.unit import Unit

EXPORTS = ("view", "move_texts", "opener_texts", "answer_texts")


class PresentationCode:
    """Functions that write texts from blocks of one engine. Never changed."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        made = compile_cached(self._text, ["presentation", *engine.key()], engine.store)
        self.machine = machine.link(made, EXPORTS)
        pointer, whole, word = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        function: Callable[..., Any] = self.machine.function
        self.view = function("view", whole, pointer, pointer, whole, is_short=True)
        self.long_view = function("view", whole, pointer, pointer, whole)
        self.move_texts = function(
            "move_texts", whole, pointer, pointer, pointer, pointer, word, word, is_short=True
        )
        self.opener_texts = function("opener_texts", whole, pointer, pointer, pointer, word, is_short=True)
        self.answer_texts = function("answer_texts", whole, pointer, pointer, pointer, word, is_short=True)

    def _text(self) -> str:
        engine = self.engine
        unit = Unit(engine.world, engine.plan)
        prepare(unit)
        make_views(unit)
        make_moves(unit)
        unit.make_all()
        module = unit.module
        for change in PASSES:
            module = change(module, unit.plan)
            if engine.verifies:
                verify(module)
        return emit(module)
