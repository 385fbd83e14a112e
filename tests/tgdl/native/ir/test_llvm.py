"""LLVM text: locals mean the same as SSA values and as slots, and functions have their attributes."""

import ctypes

import pytest
from msgspec.structs import replace

from ludograph.tgdl.native.ir import llvm
from ludograph.tgdl.native.ir.builder import FunctionBuilder, const
from ludograph.tgdl.native.ir.inlining import INLINE_LINES, LARGE
from ludograph.tgdl.native.ir.llvm import MAX_OPTIMISED_LENGTH, RETURNS_PER_EXIT, emit
from ludograph.tgdl.native.ir.nodes import (
    I1,
    I64,
    LONG,
    SELDOM,
    THOROUGH,
    Local,
    Module,
    Set,
    binary,
    compare,
)
from ludograph.tgdl.native.ir.verifier import verify
from ludograph.tgdl.native.run.machine import assemble, link

GIVEN = Local("given", I64)


def run(module: Module, name: str, given: int) -> int:
    verify(module)
    answer: int = link(assemble(emit(module)), [name]).function(name, ctypes.c_int64, ctypes.c_int64)(given)
    return answer


def test_a_local_that_is_set_once_keeps_what_a_slot_held_then() -> None:
    module = Module()
    code = FunctionBuilder(module, "before", [GIVEN], [I64])
    changing = code.variable(GIVEN)
    kept = code.let(changing)
    code.set(changing, binary("add", changing, 10))
    code.give(binary("mul", kept, changing))
    code.finish(exported=True)
    assert run(module, "before", 5) == 75


def test_a_local_that_is_set_in_one_branch_can_be_read_after_it() -> None:
    module = Module()
    code = FunctionBuilder(module, "branch", [GIVEN], [I64])
    found = Local("found", I64)
    is_large = code.let(compare("sgt", GIVEN, 5))
    with code.when(is_large):
        code.emit(Set(found, binary("add", GIVEN, 1)))
    with code.when(is_large):
        code.give(found)
    code.give(const(0))
    code.finish(exported=True)
    assert (run(module, "branch", 6), run(module, "branch", 5)) == (7, 0)


def test_a_local_that_is_set_once_in_a_loop_has_there_what_it_had_a_round_ago() -> None:
    module = Module()
    code = FunctionBuilder(module, "rounds", [GIVEN], [I64])
    sum_, last, is_later = code.variable(const(0)), Local("last", I64), code.variable(const(0, I1))
    with code.count(GIVEN) as (number, _):
        with code.when(is_later):
            code.set(sum_, binary("add", sum_, last))
        code.emit(Set(last, binary("mul", number, 10)))
        code.set(is_later, const(1, I1))
    code.give(sum_)
    code.finish(exported=True)
    assert run(module, "rounds", 4) == 0 + 10 + 20


def test_what_lies_in_a_slot_after_branches_is_what_the_way_taken_has_put_there() -> None:
    module = Module()
    code = FunctionBuilder(module, "ways", [GIVEN], [I64])
    found, other = code.variable(const(1)), code.variable(const(2))
    with code.when(compare("sgt", GIVEN, 5)):
        code.set(found, const(10))
    with code.otherwise():
        with code.when(compare("slt", GIVEN, 0)):
            code.give(found)
        code.set(other, const(20))
    with code.apart() as first:
        code.set(found, binary("add", found, 100))
    with code.apart() as second:
        code.set(other, binary("add", other, 200))
    code.switch(GIVEN, [(3, first), (4, second)], [])
    code.give(binary("add", binary("mul", found, 1000), other))
    code.finish(exported=True)
    assert [run(module, "ways", given) for given in (6, 5, 4, 3, -1)] == [10_002, 1020, 1220, 101_020, 1]


def test_what_was_worked_out_on_one_way_is_not_used_on_another() -> None:
    module = Module()
    code = FunctionBuilder(module, "ways", [GIVEN], [I64])
    twice = binary("mul", GIVEN, 2)
    result = code.variable(const(0))
    with code.when(compare("sgt", GIVEN, 5)):
        code.set(result, twice)
    with code.count(2):
        code.set(result, binary("add", result, twice))
    code.give(binary("sub", result, twice))
    code.finish(exported=True)
    assert [run(module, "ways", given) for given in (6, 5)] == [24, 10]
    assert emit(module).count("mul") == 3


def test_what_was_worked_out_before_is_used_again() -> None:
    module = Module()
    code = FunctionBuilder(module, "again", [GIVEN], [I64])
    same = code.variable(GIVEN)
    first = code.let(binary("mul", same, 3))
    with code.when(compare("sgt", first, 5)):
        code.give(binary("mul", same, 3))
    code.set(same, binary("add", same, 1))
    code.give(binary("mul", same, 3))
    code.finish(exported=True)
    assert [run(module, "again", given) for given in (2, 1)] == [6, 6]
    assert emit(module).count("mul") == 2


def make(module: Module, name: str, called: str = "", count: int = 1, *, exported: bool = False) -> None:
    """A function that adds so many ones, and then calls another."""
    code = FunctionBuilder(module, name, [GIVEN], [I64])
    at = code.variable(GIVEN)
    for _ in range(count):
        code.set(at, binary("add", at, 1))
    with code.when(compare("slt", at, 0)):
        code.give(*(code.call(called, [at], [I64]) if called else [at]))
    code.give(at)
    code.finish(exported=exported)


def defined(module: Module) -> dict[str, bool]:
    """The functions of the text, and whether they are put in place of their calls."""
    lines = [line for line in emit(module).splitlines() if line.startswith("define")]
    return {line.partition("@")[2].partition("(")[0]: "alwaysinline" in line for line in lines}


def test_small_functions_are_put_in_place_of_their_calls() -> None:
    module = Module()
    make(module, "small")
    make(module, "large", "small", INLINE_LINES)
    make(module, "self", "self")
    make(module, "pair", "small")
    for name in ("large", "self", "pair"):
        make(module, f"for_{name}", name, exported=True)
    exported = dict.fromkeys(("for_large", "for_self", "for_pair"), False)
    assert defined(module) == {"small": True, "large": False, "self": False, "pair": True, **exported}


@pytest.mark.parametrize("is_large", [True, False])
def test_what_runs_often_or_seldom_is_marked(is_large: bool) -> None:
    module = Module()
    for name in ("often", "seldom"):
        make(module, name, count=INLINE_LINES)
        make(module, f"for_{name}", name, exported=True)
    if is_large:
        for number in range(LARGE // MAX_OPTIMISED_LENGTH + 1):
            make(module, f"other_{number}", count=MAX_OPTIMISED_LENGTH // 2 - 20, exported=True)
    module.functions["often"] = replace(module.functions["often"], often=True)
    module.functions["seldom"] = replace(module.functions["seldom"], seldom=True)
    lines = [line for line in emit(module).splitlines() if line.startswith("define")]
    assert [f'"{THOROUGH}"' in line for line in lines[:4]] == [True, False, False, False]
    assert [f'"{SELDOM}"' in line for line in lines[:4]] == [False, False, is_large, False]
    assert not any(f'"{LONG}"' in line for line in lines)


def test_few_contents_of_slots_are_compared_where_branches_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {f"x{number}": f"%v.{number}" for number in range(5)}
    other = {**known, "x4": "%v.9", "more": "%v.8"}
    assert llvm._common_slots([known, other]) == {f"x{number}": f"%v.{number}" for number in range(4)}
    monkeypatch.setattr(llvm, "MAX_KNOWN_SLOTS", 2)
    assert llvm._common_slots([known, other]) == {"x2": "%v.2", "x3": "%v.3"}
    assert llvm._common_slots([]) == {}


def test_a_very_long_function_gets_no_passes_whatever_runs_it() -> None:
    module = Module()
    make(module, "long", count=MAX_OPTIMISED_LENGTH)
    make(module, "door", "long", exported=True)
    module.functions["long"] = replace(module.functions["long"], often=True)
    first, second = (line for line in emit(module).splitlines() if line.startswith("define"))
    assert f'"{LONG}"' in first
    assert f'"{THOROUGH}"' not in first
    assert f'"{LONG}"' not in second


def test_returns_share_blocks_but_not_too_many_one_block() -> None:
    module = Module()
    code = FunctionBuilder(module, "many", [GIVEN], [I64])
    for number in range(2 * RETURNS_PER_EXIT + 1):
        with code.when(compare("eq", GIVEN, number)):
            code.give(const(number * 7))
    code.give(const(-1))
    code.finish(exported=True)
    text = emit(module)
    assert text.count(" = phi ") == 3
    assert max(line.count("[") for line in text.splitlines()) == RETURNS_PER_EXIT
    last = 2 * RETURNS_PER_EXIT
    assert [run(module, "many", given) for given in (0, 5, last, last + 1)] == [0, 35, 7 * last, -1]


def test_what_nobody_can_call_is_not_written() -> None:
    module = Module()
    make(module, "used")
    make(module, "unused", "used")
    make(module, "door", "used", exported=True)
    assert list(defined(module)) == ["used", "door"]


def test_constant_data_comes_after_the_data_that_it_refers_to() -> None:
    f = FunctionBuilder(module := Module(), "f", (), (I64,))
    f.give(const(7))
    f.finish(exported=True)
    module.data["a"] = ("c", b"\1", "b")
    module.data["b"] = (b"\2",)
    module.data["c"] = ("b", b"\3")
    text = emit(module)
    assert [text.index(f"@{name} =") for name in "bca"] == sorted(text.index(f"@{name} =") for name in "abc")
    assert assemble(text)
