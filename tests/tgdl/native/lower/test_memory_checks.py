"""Checked code detects every access outside its regions before it happens."""

import ctypes
from collections.abc import Callable

import pytest

from ludograph.play import Generator
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir.builder import FunctionBuilder, address, const
from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.ir.nodes import I8, I64, PTR, Lanes, Local, binary
from ludograph.tgdl.native.ir.verifier import verify
from ludograph.tgdl.native.layout import sizing
from ludograph.tgdl.native.layout.interface import TABLE
from ludograph.tgdl.native.layout.status import BROKEN, FINE
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.memory_checks import add_memory_checks
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import Broken, ExecutionContext
from ludograph.tgdl.native.run.regions import MemoryWatch, bytes_of

GAME = Game(
    compile_source(
        Source(
            "interactable coin { decimal worth = 1; } global state t { decimal[] l = { 1, 2, 3 }; coin c; }"
            "setup { t.c = new coin; }"
            "action go { trigger on player choice; effect { t.l[0] += t.c.worth; } }"
        )
    )
)
WORLD = world_of(GAME.new())
SAMPLE = memory_of(GAME.new(seed=1))
BYTES = 40
"""Bytes of the guest that the code is given."""

Write = Callable[[Emitter, Local, Local], None]


def run(write: Write, offset: int = 0) -> tuple[int, str]:
    """Run a function of one's own, checked: its status, and what was noticed."""
    unit = CompilationUnit(WORLD, sizing.plan_of(WORLD, SAMPLE), checked=True)
    guest, by = Local("guest", PTR), Local("by", I64)
    body = Emitter(unit, "try", (guest, by))
    write(body, guest, by)
    body.done()
    body.finish(exported=True)
    unit.make_all()
    tested = add_memory_checks(unit.module, unit.plan)
    verify(tested.module)
    code = machine.link(machine.assemble(emit(tested.module)), ("try", TABLE))
    context = ctypes.create_string_buffer(unit.plan.context_size)
    code.function(TABLE, None, ctypes.c_void_p)(ctypes.addressof(context))
    table = ctypes.c_int64.from_buffer(context, unit.plan.context["regions"]).value
    starts = [ctypes.c_int64.from_address(table + 8 * place).value for place in range(len(tested.sizes))]
    blocks = [ctypes.create_string_buffer(WORLD_BLOCK, len(WORLD_BLOCK) + 64)]
    arena = ctypes.create_string_buffer(256)
    for name, value in (("arena", 128), ("arena_end", 256)):
        ctypes.c_int64.from_buffer(context, unit.plan.context[name]).value = ctypes.addressof(arena) + value
    watch = MemoryWatch(context, unit.plan, zip(starts, tested.sizes, strict=True))
    watch.add_buffers(blocks, {"arena": arena})
    data = ctypes.create_string_buffer(BYTES)
    watch.allow([bytes_of(data)])
    pointer = ctypes.c_void_p
    function = code.function("try", ctypes.c_int32, pointer, pointer, pointer, ctypes.c_int64)
    status = function(*map(ctypes.addressof, (context, blocks[0], data)), offset)
    if watch.broken < 0:
        return status, unit.assertions[-watch.broken - 1]
    return status, tested.sites[watch.broken - 1] if watch.broken else ""


ENGINE = Engine(WORLD, SAMPLE, checked=True)
WORLD_BLOCK = ENGINE.block(SAMPLE)
TOP = len(WORLD_BLOCK)
FIXED = ENGINE.plan.fixed_size


def read(b: Emitter, guest: Local, by: Local) -> None:
    b.load(guest, by, I64)


def write(b: Emitter, guest: Local, by: Local) -> None:
    b.store(guest, by, const(1, I64))


def copy(b: Emitter, guest: Local, by: Local) -> None:
    b.copy(guest, b.let(address(guest, 8)), by)


def fill(b: Emitter, guest: Local, by: Local) -> None:
    b.fill(guest, 0, by)


def read_lanes(b: Emitter, guest: Local, by: Local) -> None:
    b.let(Lanes(address(guest, by), 16, const(0, I8)))


def read_data(b: Emitter, guest: Local, by: Local) -> None:
    b.load(b.unit.data(b"0123456789"), by, I8)


def read_room(b: Emitter, guest: Local, by: Local) -> None:
    b.load(b.stack_slot(16), by, I64)


def read_block(b: Emitter, guest: Local, by: Local) -> None:
    b.load(BLOCK, by, I64)


def read_arena(b: Emitter, guest: Local, by: Local) -> None:
    b.load(b.get("arena", PTR), by, I64)


@pytest.mark.parametrize(
    ("action", "inside", "outside"),
    [
        (read, (0, 32), (33, 40, -1, 1 << 62, -(1 << 63))),
        (read_lanes, (0, 24), (25, 40, -1, 1 << 62)),
        (write, (0, 32), (33, 40, -1, 1 << 62)),
        (copy, (0, 32), (33, -1, 1 << 62)),
        (fill, (0, 40), (41, -1)),
        (read_data, (0, 9), (10, -1)),
        (read_room, (0, 8), (9, -1, 1 << 40)),
        (read_block, (0, FIXED, TOP - 8), (TOP - 7, -1)),
        (read_arena, (-128, -8), (-7, 0, -129)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_an_access_outside_is_noticed(
    action: Write, inside: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    for offset in inside:
        assert run(action, offset) == (FINE, "")
    for offset in outside:
        status, told = run(action, offset)
        assert status == BROKEN
        assert told.startswith("try ") and "outside" in told


def test_a_division_by_zero_and_a_shift_too_far_are_noticed() -> None:
    def divide(b: Emitter, guest: Local, by: Local) -> None:
        b.store(guest, 0, binary("srem", const(7), by))

    def shift(b: Emitter, guest: Local, by: Local) -> None:
        b.store(guest, 0, binary("shl", const(7), by))

    assert run(divide, 2) == (FINE, "")
    assert run(divide, 0) == (BROKEN, "try divides by zero: srem(7:i64, by)")
    assert run(shift, 63) == (FINE, "")
    assert run(shift, 64) == (BROKEN, "try shifts too far: shl(7:i64, by)")


def test_a_function_without_a_status_stops_its_caller_too() -> None:
    def call(b: Emitter, guest: Local, by: Local) -> None:
        at = Local("at", PTR)
        inner = FunctionBuilder(b.unit.module, "inner", (at,), (I64,))
        inner.give(inner.load(at, 0, I64))
        inner.finish()
        b.call("inner", (b.let(address(guest, by)),), (I64,))
        b.store(guest, 0, const(1))

    assert run(call, 8) == (FINE, "")
    assert run(call, 64) == (BROKEN, "inner reads outside: i64[at]")


def test_a_room_of_a_function_that_returned_is_outside() -> None:
    def call(b: Emitter, guest: Local, by: Local) -> None:
        inner = Emitter(b.unit, "inner", (), (PTR,))
        inner.done(inner.stack_slot(16))
        inner.finish()
        (slot,) = b.run("inner", (), (PTR,))
        b.load(slot, 0, I64)

    assert run(call)[0] == BROKEN


def test_a_number_that_no_thing_has_is_noticed() -> None:
    def look(b: Emitter, guest: Local, by: Local) -> None:
        column = b.plan.column("coin", 0)
        b.read_column(column, b.let(binary("and", by, -1)))

    assert run(look, 0) == (FINE, "")
    for number in (1, 2, -1, 1 << 31):
        status, told = run(look, number)
        assert (status, told) == (BROKEN, "try: there is such a coin")


def test_what_is_noticed_in_play_becomes_an_exception() -> None:
    place = ExecutionContext(ENGINE)
    assert place.play(WORLD_BLOCK, Generator(0), 2)[1] == 2
    spoilt = bytearray(WORLD_BLOCK)
    spoilt[ENGINE.plan.column("t", 1).offset] = 99
    with pytest.raises(Broken, match=r"perform\.0\.go: there is such a coin"):
        place.play(bytes(spoilt), Generator(0), 2)
