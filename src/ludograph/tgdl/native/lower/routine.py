"""Routines: functions of the engine that can stop, spend fuel, and allocate memory.

Every routine takes the context of the run and the block, and returns a status first: zero, or why it stopped.
A caller that gets a status other than zero stops with the same status.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan

from ludograph.tgdl.native.ir import builder as build
from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import Number, address, const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import binary
from ludograph.tgdl.native.layout.status import BROKEN, FAULT, FINE, GROW
from ludograph.tgdl.native.lower.interrupts import FuelSpending, can_merge_spending, make_interrupt_poll
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.optimise.call_graph import DEEPEST
from ludograph.tgdl.program.types import Basic, Type

EXACT = 2.0**62
"""Smaller decimals can be truncated to a machine integer."""

CTX = ir.Local("ctx", ir.PTR)
BLOCK = ir.Local("block", ir.PTR)


class Routine(build.FunctionBuilder):
    """A function of the engine. Mutable."""

    def __init__(
        self,
        unit: CompilationUnit,
        name: str,
        parameters: Sequence[ir.Local] = (),
        results: Sequence[ir.MachineType] = (),
    ) -> None:
        super().__init__(unit.module, name, (CTX, BLOCK, *parameters), (ir.I32, *results))
        self.unit = unit
        self.plan = unit.plan
        self.world = unit.world
        self._spent = FuelSpending([], 0, 0, const(0))
        self.floor: ir.Local | None = None
        """The arena below this address is not released before the function ends."""

    def emit(self, statement: ir.Statement) -> None:
        self.unit.count_statement()
        super().emit(statement)

    # Stopping

    def stop(self, status: int | ir.Expression) -> None:
        """Return a status; the other results are zero."""
        first = const(status, ir.I32) if isinstance(status, int) else status
        self.give(first, *(const(0, kind) for kind in self.results[1:]))

    def stop_if(self, condition: ir.Expression, status: int | ir.Expression) -> None:
        with self.when(condition, unlikely=True):
            self.stop(status)

    def fault(self, code: str) -> None:
        self.put("fault", const(int(code[2:]), ir.I32))
        self.stop(FAULT)

    def fault_if(self, condition: ir.Expression, code: str) -> None:
        with self.when(condition, unlikely=True):
            self.fault(code)

    def assert_holds(self, condition: ir.Expression, what: str) -> None:
        """An assertion, which only checked code tests."""
        if not self.unit.checked:
            return
        self.unit.assertions.append(f"{self.name}: {what}")
        with self.when(~condition, unlikely=True):
            self.put("failed_check", const(-len(self.unit.assertions)))
            self.stop(BROKEN)

    def run(
        self,
        function: str,
        arguments: Sequence[ir.Expression] = (),
        results: Sequence[ir.MachineType] = (),
        block: ir.Expression = BLOCK,
    ) -> tuple[ir.Local, ...]:
        """Call a routine, and stop if it stopped."""
        status, *rest = self.call(function, (CTX, block, *arguments), (ir.I32, *results))
        self.stop_if(status.ne(0), status)
        return tuple(rest)

    def done(self, *values: ir.Expression) -> None:
        self.give(const(FINE, ir.I32), *values)

    def done_if(self, condition: ir.Expression, *values: ir.Expression) -> None:
        with self.when(condition):
            self.done(*values)

    # Context and header

    def get(self, name: str, kind: ir.MachineType) -> ir.Expression:
        return self.load(CTX, self.plan.context[name], kind)

    def put(self, name: str, value: ir.Expression) -> None:
        self.store(CTX, self.plan.context[name], value)

    def head(self, name: str, kind: ir.MachineType) -> ir.Expression:
        return self.load(BLOCK, self.plan.header[name], kind)

    def set_head(self, name: str, value: ir.Expression) -> None:
        self.store(BLOCK, self.plan.header[name], value)

    def begin_run(self) -> None:
        """Release the arena, and set the fuel of a whole run."""
        self.put("arena", self.get("arena_start", ir.PTR))
        self.refuel()

    def refuel(self) -> None:
        """Set the fuel of a whole run."""
        self.put("fuel", self.get("full_fuel", ir.I64))
        self.put("floor", self.get("full_floor", ir.I64))

    def refuel_from(self, name: str) -> None:
        """Continue with the fuel in a field of the context."""
        self.put("fuel", self.get(name, ir.I64))
        self.put("floor", self.get("full_floor", ir.I64))

    def spend(self, amount: ir.Expression | int) -> None:
        """Spend fuel, and poll for interrupts regularly."""
        row = self._rows[-1]
        if can_merge_spending(row, self._spent, self.plan):
            amount = self.let(self._spent.amount + amount)
            del row[self._spent.start : self._spent.end]
        whole, start = const(amount) if isinstance(amount, int) else amount, len(row)
        left = self.let(self.get("fuel", ir.I64) - whole)
        self.put("fuel", left)
        with self.when(left < self.get("floor", ir.I64), unlikely=True):
            self.run(self.unit.need("pause", lambda: make_interrupt_poll(self.unit.module, self.plan)), ())
        self._spent = FuelSpending(row, start, len(row), whole)

    def enter(self, price: int = 1) -> None:
        """Enter a call: it costs fuel, and the call depth is limited."""
        self.spend(price)
        depth = self.let(self.get("depth", ir.I64) + 1)
        self.put("depth", depth)
        self.fault_if(depth > DEEPEST, "TG0507")

    def exit(self) -> None:
        self.put("depth", self.get("depth", ir.I64) - 1)

    @contextmanager
    def forbidding_chance(self) -> Iterator[None]:
        """A scope in which a choice of chance is a fault."""
        if not self.unit.tracks_purity:
            yield
            return
        self.put("chance_forbidden", self.get("chance_forbidden", ir.I32) + 1)
        yield
        self.put("chance_forbidden", self.get("chance_forbidden", ir.I32) - 1)

    # The arena of temporary lists

    def allocate(self, size: Number) -> ir.Expression:
        """Allocate memory for a temporary list in the arena."""
        length = const(size) if isinstance(size, int) else size
        if isinstance(length, ir.Const):
            length = const((int(length.value) + 7) // 8 * 8)
        else:
            length = self.let((length + 7) & -8)
        return self.allocate_exactly(length)

    def allocate_exactly(self, length: ir.Expression) -> ir.Expression:
        """Allocate memory that ends where the next allocation begins, which may be at any byte."""
        at = self.get("arena", ir.PTR)
        end = self.let(address(at, length))
        self.stop_if(end.ugt(self.get("arena_end", ir.PTR)), GROW)
        self.put("arena", end)
        return at

    @contextmanager
    def arena_scope(self) -> Iterator[None]:
        """A scope whose arena allocations are released at its end."""
        at = self.get("arena", ir.PTR)
        yield
        if not self.is_closed:
            floor = self.floor
            self.put("arena", at if floor is None else select(floor.ugt(at), floor, at))

    # Values

    def none(self, type: Type) -> Value:
        rep = self.plan.rep(type)
        return Value(type, tuple(const(none, kind) for none, kind in zip(rep.none, rep.kinds, strict=True)))

    def is_none(self, value: Value) -> ir.Expression:
        rep = self.plan.rep(value.type)
        if value.certain:
            return const(0, ir.I1)
        if value.type is Basic.NONE:
            return const(1, ir.I1)
        if rep.shape == "number":
            return value.only.is_nan()
        return value.parts[0].eq(int(rep.none[0]))

    def keep(self, value: Value) -> Value:
        """The current value, in locals that are not assigned again."""
        return Value(value.type, tuple(self.let(part) for part in value.parts), value.certain, value.held)

    def number(self, value: ir.Expression | float) -> Value:
        given = const(value, ir.F64) if isinstance(value, int | float) else value
        return Value(Basic.DECIMAL, (given,), certain=True)

    def boolean(self, condition: ir.Expression) -> Value:
        return Value(Basic.BOOL, (widen(condition, ir.I32, signed=False),), certain=True)

    def as_condition(self, value: Value) -> ir.Expression:
        part = value.only
        if isinstance(part, ir.Op) and part.name == "zext" and part.operands[0].kind is ir.I1:
            return part.operands[0]
        return part.ne(0)

    def as_whole(self, value: ir.Expression, kind: ir.MachineType = ir.I64) -> ir.Expression:
        """A decimal truncated to an integer, with saturation."""
        if isinstance(value, ir.Const):
            if isnan(value.value):  # like the machine instruction
                return const(0, kind)
            half = 1 << ir.WHOLE[kind] - 1
            return const(max(-half, min(half - 1, int(value.value))), kind)
        if isinstance(value, ir.Op) and value.name == "sitofp":
            return widen(value.operands[0], kind)
        return ir.Op("fptosi", (value,), kind)

    def wrapped(self, value: ir.Expression, count: int | ir.Expression) -> ir.Expression:
        """A decimal truncated to an integer modulo `count`, exact for any size."""
        if isinstance(value, ir.Const) and isinstance(count, int):
            return const(0 if isnan(value.value) else int(value.value) % count)
        number = self.as_whole(value)
        if not (isinstance(value, ir.Op) and value.name == "sitofp"):
            by = const(float(count), ir.F64) if isinstance(count, int) else self.as_decimal(count)
            number = self.variable(number, "whole")
            with self.when(intrinsic("fabs", value) >= const(EXACT, ir.F64), unlikely=True):
                self.set(number, self.as_whole(binary("frem", value, by)))
        if isinstance(count, int) and count & (count - 1) == 0:
            return self.let(number & const(count - 1))
        ways = const(count) if isinstance(count, int) else count
        left = self.let(ir.Op("srem", (number, ways), ir.I64))
        return self.let(select(left < 0, left + ways, left))

    def as_decimal(self, whole: ir.Expression) -> ir.Expression:
        if isinstance(whole, ir.Const):
            return const(float(whole.value), ir.F64)
        return ir.Op("sitofp", (whole,), ir.F64)


def located(ref: ir.Expression, inside: ir.Expression) -> ir.Expression:
    """The address of a nested list: an offset into the block, or an absolute address.

    It uses integers instead of an offset from a null pointer, which is undefined behaviour in LLVM.
    """
    base = select(inside, ir.Op("ptrtoint", (BLOCK,), ir.I64), const(0))
    return ir.Op("inttoptr", (ref + base,), ir.PTR)
