"""Machine code from LLVM text: a call returns what the text computes, and an invalid text is reported."""

import ctypes
import gc
import re
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ludograph.tgdl.native.ir.nodes import LONG
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.machine import (
    MachineError,
    assemble,
    is_available,
    link,
    target,
    unavailable_reason,
)

FIBONACCI = """
@first = internal constant [2 x i64] [i64 0, i64 1]

define internal i64 @number(i64 %n) noinline {
  %is_first = icmp slt i64 %n, 2
  br i1 %is_first, label %told, label %sum
told:
  %place = getelementptr i64, ptr @first, i64 %n
  %value = load i64, ptr %place
  ret i64 %value
sum:
  %one_less = sub i64 %n, 1
  %two_less = sub i64 %n, 2
  %a = call i64 @number(i64 %one_less)
  %b = call i64 @number(i64 %two_less)
  %result = add i64 %a, %b
  ret i64 %result
}

define i64 @fibonacci(i64 %n) {
  %result = call i64 @number(i64 %n)
  ret i64 %result
}
"""

# Waits until both its callers have come, which they can only if neither holds Python's lock.
MEETING = """
define i64 @meet(ptr %arrived, i64 %limit) {
  %before = atomicrmw add ptr %arrived, i64 1 seq_cst
  br label %wait
wait:
  %round = phi i64 [ 0, %0 ], [ %next, %again ]
  %now = load atomic i64, ptr %arrived seq_cst, align 8
  %both = icmp sge i64 %now, 2
  br i1 %both, label %met, label %again
again:
  %next = add i64 %round, 1
  %too_long = icmp sge i64 %next, %limit
  br i1 %too_long, label %alone, label %wait
met:
  ret i64 1
alone:
  ret i64 0
}
"""

FILL = """
declare ptr @memset(ptr, i32, i64)

define void @fill(ptr %block, i32 %byte, i64 %size) {
  %done = call ptr @memset(ptr %block, i32 %byte, i64 %size)
  ret void
}
"""


# Reads a field twice, which only thorough passes notice, and adds nothing, which others notice too.
TWICE = """
define i64 @sum(ptr %block) nounwind {
  %first = load i64, ptr %block
  %same = add i64 %first, 0
  %is_none = icmp slt i64 %same, 0
  br i1 %is_none, label %none, label %some
none:
  ret i64 0
some:
  %second = load i64, ptr %block
  %result = add i64 %same, %second
  ret i64 %result
}
"""


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("attribute", ["noinline", 'noinline "thorough"', 'noinline "seldom"'])
def test_a_function_gives_what_its_text_says_whatever_the_passes(attribute: str, level: int) -> None:
    made = assemble(FIBONACCI.replace("noinline", attribute), level=level)
    fibonacci = link(made, ["fibonacci"]).function("fibonacci", ctypes.c_int64, ctypes.c_int64)
    assert [fibonacci(n) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_a_function_gets_the_passes_that_it_is_marked_for() -> None:
    marks = ('"thorough"', "", '"seldom"')
    made = [assemble(TWICE.replace("nounwind", f"nounwind {mark}")) for mark in marks]
    assert len(set(made)) == len(marks)


def test_the_same_text_gives_the_same_object() -> None:
    assert assemble(FIBONACCI) == assemble(FIBONACCI)


def test_functions_of_the_process_can_be_called() -> None:
    fill = link(assemble(FILL), ["fill"]).function(
        "fill", None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
    )
    block = ctypes.create_string_buffer(b"abcdef", 6)
    assert fill(ctypes.addressof(block), ord("x"), 4) is None
    assert block.raw == b"xxxxef"


def test_a_function_outlives_its_machine() -> None:
    fibonacci = link(assemble(FIBONACCI), ["fibonacci"]).function("fibonacci", ctypes.c_int64, ctypes.c_int64)
    gc.collect()
    others = [link(assemble(FILL), ["fill"]) for _ in range(20)]  # what was freed would be used again
    assert fibonacci(15) == 610
    assert len(others) == 20


def test_code_is_unloaded_with_its_last_function() -> None:
    fibonacci = link(assemble(FIBONACCI), ["fibonacci"]).function("fibonacci", ctypes.c_int64, ctypes.c_int64)
    library = weakref.ref(vars(fibonacci)["library"])
    assert library() is not None
    del fibonacci
    assert library() is None


def test_an_object_can_carry_data_to_be_read_from_outside() -> None:
    machine = link(assemble('@about = constant [5 x i8] c"a\\00b\\FFc"\n'), ["about"])
    assert ctypes.string_at(machine.address("about"), 5) == b"a\0b\xffc"


def test_a_name_that_was_not_exported_is_no_function() -> None:
    machine = link(assemble(FIBONACCI), ["fibonacci"])
    with pytest.raises(AssertionError, match="number was not among the exports fibonacci"):
        machine.function("number", ctypes.c_int64, ctypes.c_int64)


def test_two_threads_are_in_machine_code_at_once() -> None:
    meet = link(assemble(MEETING), ["meet"]).function("meet", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    arrived = ctypes.c_int64(0)
    with ThreadPoolExecutor(2) as threads:
        calls = [threads.submit(meet, ctypes.addressof(arrived), 1 << 36) for _ in range(2)]
        assert [call.result() for call in calls] == [1, 1]


def test_several_threads_compile_and_link_at_once() -> None:
    start = threading.Barrier(4)

    def build(number: int) -> list[int]:
        start.wait()
        text = f"define i64 @answer() {{\n  ret i64 {number}\n}}\n{FIBONACCI}"
        answers = []
        for _ in range(10):
            machine = link(assemble(text), ["answer"])
            answers.append(machine.function("answer", ctypes.c_int64)())
        return answers

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(build, range(4))) == [[number] * 10 for number in range(4)]


def test_a_text_that_cannot_be_read_is_shown_where_it_breaks() -> None:
    broken = FIBONACCI.replace("sub i64 %n, 2", "sub i64 %n, %lost")
    with pytest.raises(MachineError) as refusal:
        assemble(broken)
    message = str(refusal.value)
    assert "use of undefined value '%lost'" in message
    line = broken.splitlines().index("  %two_less = sub i64 %n, %lost") + 1
    assert f">{line:6}   %two_less = sub i64 %n, %lost" in message
    assert f" {line - 1:6}   %one_less = sub i64 %n, 1" in message


def test_a_text_that_makes_no_sense_is_shown_where_it_does_not() -> None:
    broken = FIBONACCI.replace("sub i64 %n, 2", "sub i64 %result, 2")
    with pytest.raises(MachineError) as refusal:
        assemble(broken)
    message = str(refusal.value)
    assert "does not dominate all uses" in message
    assert re.search(r"^> +\d+   %two_less = sub i64 %result, 2$", message, re.MULTILINE)


@pytest.mark.parametrize("operand", ["nonsense", "%result"])
def test_a_failed_text_leaves_nothing_behind(operand: str) -> None:
    for _ in range(3):
        with pytest.raises(MachineError) as refusal:
            assemble(FIBONACCI.replace("sub i64 %n, 2", f"sub i64 {operand}, 2"))
        refusal.value.__context__ = refusal.value  # a ring, so that the collector decides what goes first
        del refusal
        gc.collect()
    assert assemble(FIBONACCI)


def test_what_is_no_object_cannot_be_linked() -> None:
    with pytest.raises(MachineError, match="cannot link"):
        link(b"no object", ["fibonacci"])


def test_a_function_that_the_object_lacks_cannot_be_linked() -> None:
    with pytest.raises(MachineError, match="missing"):
        link(assemble(FIBONACCI), ["missing"])


def test_a_call_to_nothing_cannot_be_linked() -> None:
    text = (
        "declare void @no_such_function()\ndefine void @f() {\n  call void @no_such_function()\n  ret void\n}"
    )
    with pytest.raises(MachineError, match="cannot link"):
        link(assemble(text), ["f"])


def test_the_target_names_versions_and_processor() -> None:
    assert re.match(r"llvmlite 0\.50\.\d+, LLVM 22\.\d+\.\d+, [\w.-]+, [\w.-]+, (small|usual), ", target())
    assert target() == target()


def test_machine_code_is_available_where_the_project_is_installed() -> None:
    assert is_available()
    assert unavailable_reason() is None


MISSING = {
    "not installed": (
        "import sys; sys.modules['llvmlite'] = None",
        "llvmlite 0.50 cannot be imported (import of llvmlite halted; None in sys.modules)",
    ),
    "a library that does not load": (
        "import ctypes; ctypes.CDLL = lambda path: (_ for _ in ()).throw(OSError('wrong kind'))",
        "llvmlite 0.50 cannot be imported (Could not find/load shared object file",
    ),
    "another version": (
        "import llvmlite; llvmlite.__version__ = '0.43.1'",
        "llvmlite 0.50 is needed, and 0.43.1 is installed",
    ),
}


@pytest.mark.parametrize("case", MISSING)
def test_without_its_library_the_module_says_so_and_why(case: str) -> None:
    lack, reason = MISSING[case]
    program = f"""
{lack}
from ludograph.tgdl.native.run import machine
assert not machine.is_available()
print(machine.unavailable_reason())
try:
    machine.assemble("")
except machine.Unavailable as error:
    assert str(error) == machine.unavailable_reason()
else:
    raise SystemExit("there is no machine")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(reason)


SLOTS = """
define i64 @{name}(i64 %n) {mark} {{
  %slot = alloca i64
  store i64 %n, ptr %slot
  %value = load i64, ptr %slot
  ret i64 %value
}}
"""


@pytest.mark.parametrize("is_huge", [False, True])
def test_slots_of_a_very_long_function_stay_slots(is_huge: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SLOTS.format(name="short", mark="") + SLOTS.format(name="long", mark=f'"{LONG}"')
    optimise = machine._optimise
    optimised: list[str] = []

    def watch(module: Any, *given: Any, **named: Any) -> None:
        optimise(module, *given, **named)
        optimised.extend(str(module).split("\ndefine ")[1:])

    monkeypatch.setattr(machine, "_optimise", watch)
    monkeypatch.setattr(machine, "HUGE", 1 if is_huge else machine.HUGE)
    assert link(assemble(text), ["long"]).function("long", ctypes.c_int64, ctypes.c_int64)(7) == 7
    assert ["alloca" in each for each in optimised] == [False, True]
