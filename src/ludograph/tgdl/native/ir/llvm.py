"""Emitting a module as LLVM text.

A local with a single assignment that dominates all its uses becomes an SSA value; any other becomes a stack
slot, which LLVM promotes to registers. Common subexpressions are emitted once. Unlikely branches have branch
weights, so that the common path falls through.

Functions have attributes: small ones are always inlined, and hot ones get the thorough passes. In a large
module fewer functions are inlined, and functions that run once per game or move get hardly any passes,
because compiling would take too long. A very long function gets none: the time of some passes grows faster
than the function.
"""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice

from ludograph.tgdl.native.ir.inlining import Inlining, WrittenFunction, find_inlined
from ludograph.tgdl.native.ir.nodes import (
    ARITHMETIC,
    COMPARISONS,
    CONVERSIONS,
    F32,
    F64,
    FLOAT_COMPARISONS,
    FLOATING,
    I1,
    INTRINSICS,
    LONG,
    PTR,
    SELDOM,
    THOROUGH,
    Address,
    Break,
    Call,
    Const,
    Continue,
    Copy,
    Data,
    Expression,
    Fill,
    Function,
    If,
    Lanes,
    Load,
    Local,
    Loop,
    MachineType,
    Module,
    Op,
    Return,
    Set,
    StackSlot,
    Statement,
    Store,
    Switch,
    each_statement,
)

PREAMBLE = """\
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
MAX_OPTIMISED_LENGTH = 8_000
"""A function that has more lines after inlining gets no passes of its own."""

MAX_KNOWN_SLOTS = 200
"""The number of slots whose contents are known after branches meet; each branch compares all of them."""

ENTRY, EXIT = "entry", "exit"
RETURNS_PER_EXIT = 200
"""The number of returns that share an exit block; LLVM takes the square of it to allocate registers."""

SHARED = ("%p.ctx", "%p.block")
"""The context and the block: parameters of almost all functions, whose fields are accessed very often."""

PLAIN = re.compile(r"[-\w$.]+", re.ASCII)
"""A name that needs no quotes in LLVM text."""

TAIL = '!0 = !{!"branch_weights", i32 1, i32 2000}\n!1 = !{}\n'


def emit(module: Module) -> str:
    """The LLVM text of a module."""
    parts = [PREAMBLE]
    for name, data in _referenced_first(module.data):
        types = ", ".join("ptr" if isinstance(part, str) else f"[{len(part)} x i8]" for part in data)
        values = ", ".join(f"ptr {_global(part)}" if isinstance(part, str) else _bytes(part) for part in data)
        parts.append(f"{_global(name)} = internal constant <{{ {types} }}> <{{ {values} }}>, align 16\n")
    intrinsics: set[tuple[str, MachineType]] = set()
    writers = _emit_functions(module, intrinsics)
    inlining = find_inlined(
        [WrittenFunction(writer.function, len(writer.lines), writer.calls) for writer in writers]
    )
    for writer in writers:
        parts.append(writer.text(_attributes(writer.function, inlining)))
    for name, kind in sorted(intrinsics, key=lambda each: (each[0], each[1].value)):
        parts.append(_declaration(name, kind))
    parts.append(TAIL)
    return "\n".join(parts)


Parts = tuple[bytes | str, ...]


def _referenced_first(data: Mapping[str, Parts]) -> Iterator[tuple[str, Parts]]:
    """The constant data by name, but each after the data that it refers to.

    For each reference to data further down, LLVM's parser makes the whole constant again.
    """
    waiting = sorted(data, reverse=True)
    opened: set[str] = set()
    done: set[str] = set()
    while waiting:
        name = waiting[-1]
        if name not in opened:
            opened.add(name)
            references = (part for part in data[name] if isinstance(part, str))
            waiting += (each for each in references if each in data and each not in opened)
            continue
        waiting.pop()
        if name not in done:
            done.add(name)
            yield name, data[name]


def _bytes(data: bytes) -> str:
    escaped = "\\" + data.hex("\\") if data else ""
    return f'[{len(data)} x i8] c"{escaped}"'


@cache
def _global(name: str) -> str:
    """The name of a function or of data; LLVM needs quotes around non-ASCII letters."""
    if PLAIN.fullmatch(name):
        return f"@{name}"
    quoted = "".join(
        one if PLAIN.match(one) else "".join(f"\\{byte:02X}" for byte in one.encode()) for one in name
    )
    return f'@"{quoted}"'


FLOATS = {F32: "float", F64: "double"}


def _llvm(kind: MachineType) -> str:
    return FLOATS.get(kind, kind.value)


def _intrinsic(name: str, kind: MachineType) -> str:
    return f"llvm.{name}.{kind.value}"


def _declaration(name: str, kind: MachineType) -> str:
    type = _llvm(kind)
    if name == "fptosi":
        return f"declare {type} @llvm.fptosi.sat.{kind.value}.f64(double)"
    extra = ", i1" if name == "cttz" else ""
    parameters = ", ".join([type] * INTRINSICS[name]) + extra
    return f"declare {type} @{_intrinsic(name, kind)}({parameters})"


def _results(kinds: tuple[MachineType, ...]) -> str:
    if not kinds:
        return "void"
    return _llvm(kinds[0]) if len(kinds) == 1 else f"{{ {', '.join(_llvm(kind) for kind in kinds)} }}"


def _emit_functions(module: Module, intrinsics: set[tuple[str, MachineType]]) -> list["_Writer"]:
    """Emit the exported functions and all functions that they reach, in the order of the module."""
    found: dict[str, _Writer] = {}
    waiting = [function.name for function in module.functions.values() if function.exported]
    while waiting:
        name = waiting.pop()
        if name not in found:
            writer = found[name] = _Writer(module.functions[name], intrinsics)
            writer.run()
            waiting += writer.calls
    return [found[name] for name in module.functions if name in found]


def _attributes(function: Function, inlining: Inlining) -> str:
    """The LLVM attributes of a function."""
    found = ["nounwind"]
    if function.name in inlining.inlined:
        found.append("alwaysinline")
    if function.apart:
        found.append("noinline cold")
    if inlining.lengths[function.name] > MAX_OPTIMISED_LENGTH:
        found.append(f'"{LONG}"')
    elif function.seldom and inlining.is_large:
        found.append(f'"{SELDOM}"')
    elif function.often:
        found.append(f'"{THOROUGH}"')
    return " ".join(found)


class _Writer:
    """Emits one function. Mutable."""

    def __init__(self, function: Function, intrinsics: set[tuple[str, MachineType]]) -> None:
        self.function = function
        self.intrinsics = intrinsics
        self.calls: Counter[str] = Counter()
        """The called functions, and the number of call sites of each."""
        self.lines: list[str] = []
        self.kinds: dict[str, MachineType] = {}
        self.stack_sizes: dict[str, int] = {}
        self.assignments: Counter[str] = Counter()
        """The number of assignments of each local."""
        self.values: dict[str, str] = {}
        """The SSA values of locals without a slot, at this point."""
        self.out_of_scope: set[str] = set()
        """Locals with a single assignment that does not dominate all their uses."""
        self.computed: dict[str, str] = {}
        """Available expressions: right-hand sides that were computed from SSA values, and their names."""
        self.slots: dict[str, str] = {}
        """The known contents of slots, at this point."""
        self.slots_at_breaks: dict[str, list[dict[str, str]]] = {}
        """The known contents of slots at each break, by the label of the end of the loop."""
        self.continued: set[str] = set()
        """The labels of loops with a `Continue`."""
        self.fields: dict[tuple[str, int], str] = {}
        """The addresses of fields of the context and the block, computed in the entry block."""
        self.block = ENTRY
        """The label of the current basic block."""
        self.returns = 0
        """The number of return statements; several of them share one exit block."""
        self.returned: list[list[tuple[str, list[str]]]] = []
        """The returned values of each exit block, by the label of the predecessor."""
        self.shared_stops: dict[tuple[Statement, ...], str] = {}
        """Statement sequences that set a fault and return, which are emitted once, and their labels."""
        self.count = 0

    def run(self) -> None:
        """Emit the lines."""
        function = self.function
        for each in function.parameters:
            self.kinds[each.name] = each.kind
            self.assignments[each.name] = 1
        self._collect(function.body)
        self._write_body()
        while self.out_of_scope:
            # All of them get slots before the body is written again: writing it once for each takes too long.
            for name in self.out_of_scope:
                self.assignments[name] += 1
            self._write_body()

    def text(self, attributes: str) -> str:
        """The text of the function."""
        function = self.function
        parameters = ", ".join(
            f"{'ptr noalias' if each.name in ('ctx', 'block') else _llvm(each.kind)} %p.{each.name}"
            for each in function.parameters
        )
        head = "define" if function.exported else "define internal"
        first = f"{head} {_results(function.results)} {_global(function.name)}({parameters}) {attributes} {{"
        return "\n".join((first, *self.lines, "}\n"))

    def _write_body(self) -> None:
        function, assignments = self.function, self.assignments
        self.lines = [f"{ENTRY}:"]
        self.block = ENTRY
        self.values, self.computed, self.slots, self.fields, self.shared_stops = {}, {}, {}, {}, {}
        self.returned = []
        self.out_of_scope = set()
        self.calls.clear()
        self.count = 0
        for name, kind in self.kinds.items():
            if assignments[name] > 1:
                self._write(f"%{name} = alloca {_llvm(kind)}")
        for name, size in self.stack_sizes.items():
            self._write(f"%slot.{name} = alloca [{size} x i8], align 16")
            self._assign(Local(name, PTR), f"%slot.{name}")
        for each in function.parameters:
            self._assign(each, f"%p.{each.name}")
        begin = len(self.lines)
        if not self._statements(function.body, {}):
            self._write("unreachable" if function.results else "ret void")
        for way, label in self.shared_stops.items():
            self._label(label)
            self._statements(way, {})
        for number, paths in enumerate(self.returned):
            self._write_exit(number, paths)
        self.lines[begin:begin] = (
            f"  {name} = getelementptr i8, ptr {base}, i64 {offset}"
            for (base, offset), name in self.fields.items()
        )

    def _collect(self, statements: tuple[Statement, ...]) -> None:
        for statement in each_statement(statements):
            match statement:
                case Set(target):
                    self._note(target)
                case StackSlot(target, size):
                    self._note(target)
                    self.stack_sizes[target.name] = size
                case Call(targets):
                    for target in targets:
                        self._note(target)
                case Return():
                    self.returns += 1
                case Continue(label):
                    self.continued.add(label)
                case _:
                    pass

    def _note(self, target: Local) -> None:
        self.kinds[target.name] = target.kind
        self.assignments[target.name] += 1

    def _assign(self, target: Local, value: str) -> None:
        """Assign a value to a local."""
        if self.assignments[target.name] == 1:
            self.values[target.name] = value
        else:
            self._write(f"store {_llvm(target.kind)} {value}, ptr %{target.name}")
            self.slots[target.name] = value

    def _name(self, hint: str = "v") -> str:
        self.count += 1
        return f"{hint}.{self.count}"

    def _write(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _label(self, label: str) -> None:
        self.block = label
        self.lines.append(f"{label}:")

    # Statements

    def _statements(self, statements: Iterable[Statement], loops: dict[str, tuple[str, str]]) -> bool:
        known, computed = len(self.values), len(self.computed)
        ends = any(self._statement(statement, loops) for statement in statements)
        while len(self.values) > known:  # SSA values are visible only in their own block
            self.values.popitem()
        while len(self.computed) > computed:
            self.computed.popitem()
        return ends

    def _statement(self, statement: Statement, loops: dict[str, tuple[str, str]]) -> bool:
        match statement:
            case Set(target, value):
                self._assign(target, self._value(value))
            case Store(address, value):
                given, to = self._typed(value), self._value(address)
                self._write(f"store {given}, ptr {to}, align 1")
            case Copy(to, source, length):
                there, here, size = (self._value(each) for each in (to, source, length))
                self._write(f"call void @llvm.memmove.p0.p0.i64(ptr {there}, ptr {here}, i64 {size}, i1 0)")
            case Fill(to, byte, length):
                at, size = self._value(to), self._value(length)
                self._write(f"call void @llvm.memset.p0.i64(ptr {at}, i8 {byte}, i64 {size}, i1 0)")
            case StackSlot():
                pass
            case Call(targets, function, arguments):
                self._call(targets, function, arguments)
            case If(condition, then, otherwise, unlikely):
                return self._if(condition, then, otherwise, loops, unlikely=unlikely)
            case Loop(label, body):
                self._loop(label, body, loops)
            case Break(label):
                self._leave(loops[label][1])
                self._write(f"br label %{loops[label][1]}")
                return True
            case Continue(label):
                self._write(f"br label %{loops[label][0]}")
                return True
            case Switch(value, cases, default):
                return self._switch(value, cases, default, loops)
            case Return(values):
                self._return(values)
                return True
        return False

    def _loop(self, label: str, body: tuple[Statement, ...], loops: dict[str, tuple[str, str]]) -> None:
        head, end = self._name("loop"), self._name("end")
        self._write(f"br label %{head}")
        self._label(head)
        if label in self.continued or not (body and isinstance(body[-1], Break | Return)):
            self.slots = {}  # an iteration may change them
        self.slots_at_breaks[end] = []
        if not self._statements(body, {**loops, label: (head, end)}):
            self._write(f"br label %{head}")
        self._label(end)
        self.slots = _common_slots(self.slots_at_breaks.pop(end))

    def _leave(self, end: str) -> None:
        """Record the known contents of slots at a break."""
        self.slots_at_breaks[end].append(dict(self.slots))

    def _if(
        self,
        condition: Expression,
        then: tuple[Statement, ...],
        otherwise: tuple[Statement, ...],
        loops: dict[str, tuple[str, str]],
        *,
        unlikely: bool,
    ) -> bool:
        test = self._value(condition)
        mark = ", !prof !0" if unlikely else ""
        if not otherwise:
            away = self._jump_target(then, loops)
            if away is not None:
                end = self._name("end")
                self._write(f"br i1 {test}, label %{away}, label %{end}{mark}")
                self._label(end)
                return False
        yes, no, end = self._name("yes"), self._name("no"), self._name("end")
        self._write(f"br i1 {test}, label %{yes}, label %{no if otherwise else end}{mark}")
        before = self.slots
        self._label(yes)
        self.slots = dict(before)
        first = self._statements(then, loops)
        if not first:
            self._write(f"br label %{end}")
        paths = [] if first else [self.slots]
        self.slots = before
        second = False
        if otherwise:
            self._label(no)
            second = self._statements(otherwise, loops)
            if not second:
                self._write(f"br label %{end}")
        if first and second:
            return True
        self._label(end)
        if not second:
            paths.append(self.slots)
        self.slots = _common_slots(paths)
        return False

    def _jump_target(
        self, statements: tuple[Statement, ...], loops: dict[str, tuple[str, str]]
    ) -> str | None:
        """The label to branch to instead of some statements, if they are only a jump."""
        match statements:
            case (Break(label),):
                self._leave(loops[label][1])
                return loops[label][1]
            case (Continue(label),):
                return loops[label][0]
            case (Return(values),) if (
                values and self.returns > 1 and all(map(self._needs_no_instruction, values))
            ):
                return self._exit_with([self._value(value) for value in values])
            case (Store(Address(Local("ctx"), Const()), Const()), Return(values)) if all(
                isinstance(value, Const) for value in values
            ):
                if statements not in self.shared_stops:
                    self.shared_stops[statements] = self._name("stop")
                return self.shared_stops[statements]
            case _:
                return None

    def _needs_no_instruction(self, value: Expression) -> bool:
        """Whether a value needs no instruction."""
        match value:
            case Const():
                return True
            case Local(name):
                return name in self.values
            case _:
                return False

    def _switch(
        self,
        value: Expression,
        cases: tuple[tuple[int, tuple[Statement, ...]], ...],
        default: tuple[Statement, ...],
        loops: dict[str, tuple[str, str]],
    ) -> bool:
        given = self._typed(value)
        names = [self._name("case") for _ in cases]
        other, end = self._name("other"), self._name("end")
        type = _llvm(value.kind)
        table = " ".join(
            f"{type} {number}, label %{name}" for (number, _), name in zip(cases, names, strict=True)
        )
        self._write(f"switch {given}, label %{other} [ {table} ]")
        before, paths = self.slots, []
        for name, body in [*zip(names, (body for _, body in cases), strict=True), (other, default)]:
            self._label(name)
            self.slots = dict(before)
            if not self._statements(body, loops):
                self._write(f"br label %{end}")
                paths.append(self.slots)
        if not paths:
            return True
        self._label(end)
        self.slots = _common_slots(paths)
        return False

    def _return(self, values: tuple[Expression, ...]) -> None:
        if not values:
            self._write("ret void")
            return
        given = [self._value(value) for value in values]
        if self.returns > 1:
            self._write(f"br label %{self._exit_with(given)}")
        else:
            self._write_return(given)

    def _exit_with(self, values: list[str]) -> str:
        """The label of the exit block that returns some values for the current block."""
        if not self.returned or len(self.returned[-1]) >= RETURNS_PER_EXIT:
            self.returned.append([])
        self.returned[-1].append((self.block, values))
        return _exit_label(len(self.returned) - 1)

    def _write_exit(self, number: int, paths: list[tuple[str, list[str]]]) -> None:
        """Emit an exit block, which several returns share."""
        self._label(_exit_label(number))
        met = []
        for place, kind in enumerate(self.function.results):
            values = ", ".join([f"[ {given[place]}, %{label} ]" for label, given in paths])
            met.append(self._new(f"phi {_llvm(kind)} {values}"))
        self._write_return(met)

    def _write_return(self, values: list[str]) -> None:
        """Emit a return of some values."""
        kinds = self.function.results
        if len(values) == 1:
            self._write(f"ret {_llvm(kinds[0])} {values[0]}")
            return
        type = _results(kinds)
        row = "poison"
        for place, (kind, value) in enumerate(zip(kinds, values, strict=True)):
            row = self._new(f"insertvalue {type} {row}, {_llvm(kind)} {value}, {place}")
        self._write(f"ret {type} {row}")

    def _call(self, targets: tuple[Local, ...], function: str, arguments: tuple[Expression, ...]) -> None:
        self.calls[function] += 1
        given = ", ".join([self._typed(each) for each in arguments])
        type = _results(tuple(target.kind for target in targets))
        if not targets:
            self._write(f"call void {_global(function)}({given})")
            return
        name = self._name()
        self._write(f"%{name} = call {type} {_global(function)}({given})")
        if len(targets) == 1:
            self._assign(targets[0], f"%{name}")
            return
        for place, target in enumerate(targets):
            part = self._name()
            self._write(f"%{part} = extractvalue {type} %{name}, {place}")
            self._assign(target, f"%{part}")

    # Expressions

    def _typed(self, value: Expression) -> str:
        return f"{_llvm(value.kind)} {self._value(value)}"

    def _value(self, value: Expression) -> str:
        match value:
            case Const(number, kind):
                return _constant(number, kind)
            case Local(name, kind):
                if self.assignments[name] > 1:
                    if name not in self.slots:
                        self.slots[name] = self._new(f"load {_llvm(kind)}, ptr %{name}")
                    return self.slots[name]
                if name not in self.values:
                    self.out_of_scope.add(name)
                    return "poison"
                return self.values[name]
            case Data(name):
                return _global(name)
            case Address(Local(name), Const(offset)) if self.values.get(name) in SHARED:
                key = (self.values[name], int(offset))
                if key not in self.fields:
                    self.fields[key] = f"%{name}.{offset}"
                return self.fields[key]
            case Address(base, offset):
                at, by = self._value(base), self._value(offset)
                return self._reuse(f"getelementptr i8, ptr {at}, i64 {by}")
            case Load(address, kind, constant):
                if constant:
                    return self._reuse(
                        f"load {_llvm(kind)}, ptr {self._value(address)}, align 1, !invariant.load !1"
                    )
                return self._new(f"load {_llvm(kind)}, ptr {self._value(address)}, align 1")
            case Lanes():
                return self._lanes(value)
            case Op():
                return self._operation(value)

    def _lanes(self, value: Lanes) -> str:
        count = value.count
        row = f"<{count} x i8>"
        at, byte = self._value(value.address), self._value(value.byte)
        bytes_ = self._new(f"load {row}, ptr {at}, align 1")
        first = self._new(f"insertelement {row} poison, i8 {byte}, i64 0")
        all_ = self._new(f"shufflevector {row} {first}, {row} poison, <{count} x i32> zeroinitializer")
        same = self._new(f"icmp eq {row} {bytes_}, {all_}")
        bits = self._new(f"bitcast <{count} x i1> {same} to i{count}")
        return bits if count == 64 else self._new(f"zext i{count} {bits} to i64")

    def _new(self, right: str) -> str:
        name = self._name()
        self._write(f"%{name} = {right}")
        return f"%{name}"

    def _reuse(self, right: str) -> str:
        """The name of an expression without side effects; an available one is reused."""
        if right not in self.computed:
            self.computed[right] = self._new(right)
        return self.computed[right]

    def _operation(self, value: Op) -> str:
        name, operands, kind = value.name, value.operands, value.kind
        given = [self._value(each) for each in operands]
        type = _llvm(operands[0].kind)
        if name in ARITHMETIC or name in FLOATING:
            return self._reuse(f"{name} {type} {given[0]}, {given[1]}")
        if name in COMPARISONS:
            return self._reuse(f"icmp {name} {type} {given[0]}, {given[1]}")
        if name in FLOAT_COMPARISONS:
            return self._reuse(f"fcmp {name} {type} {given[0]}, {given[1]}")
        if name == "fptosi":  # saturating: out-of-range numbers become the nearest integer
            self.intrinsics.add((name, kind))
            return self._reuse(f"call {_llvm(kind)} @llvm.fptosi.sat.{kind.value}.f64(double {given[0]})")
        if name in CONVERSIONS:
            return self._reuse(f"{name} {type} {given[0]} to {_llvm(kind)}")
        if name == "select":
            other = _llvm(kind)
            return self._reuse(f"select i1 {given[0]}, {other} {given[1]}, {other} {given[2]}")
        self.intrinsics.add((name, kind))
        extra = ", i1 0" if name == "cttz" else ""
        arguments = ", ".join(f"{type} {each}" for each in given) + extra
        return self._reuse(f"call {type} @{_intrinsic(name, kind)}({arguments})")


def _exit_label(number: int) -> str:
    return f"{EXIT}.{number}" if number else EXIT


def _common_slots(paths: list[dict[str, str]]) -> dict[str, str]:
    """The contents of slots that are the same on all paths: of the latest, if there are too many."""
    common, *others = paths or [{}]
    for way in others:
        common = {name: value for name, value in common.items() if way.get(name) == value}
    excess = len(common) - MAX_KNOWN_SLOTS
    return dict(islice(common.items(), excess, None)) if excess > 0 else common


def _constant(number: int | float, kind: MachineType) -> str:
    if kind is F64:
        return "0x" + struct.pack(">d", number).hex().upper()
    if kind is PTR:
        return "null" if number == 0 else f"inttoptr (i64 {number} to ptr)"
    if kind is I1:
        return "1" if number else "0"
    return str(number)
