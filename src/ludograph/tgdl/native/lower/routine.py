"""Routines: the functions of the engine, each with what it takes to stop, to pay, and to make room.

Every function takes the context of the run and the block, and gives a status first: zero, or why it stopped.
A caller that gets another status than zero stops as well, with the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan

from ludograph.tgdl.native.ir.builder import (
    Code,
    Number,
    address,
    binary,
    compare,
    const,
    intrinsic,
    negate,
    select,
    widen,
)
from ludograph.tgdl.native.ir.nodes import (
    F64,
    I1,
    I32,
    I64,
    PTR,
    WHOLE,
    Const,
    Expression,
    Local,
    MachineType,
    Op,
)
from ludograph.tgdl.native.layout.status import BROKEN, FAULT, FINE, GROW
from ludograph.tgdl.native.lower.interrupts import Spent, is_spent_at_once, make_pause
from ludograph.tgdl.native.lower.unit import Unit, Value
from ludograph.tgdl.native.optimise.call_graph import DEEPEST
from ludograph.tgdl.program.types import Basic, Type

EXACT = 2.0**62
"""Numbers that are not so large are whole numbers of the machine when they are cut."""

CTX = Local("ctx", PTR)
BLOCK = Local("block", PTR)


class Routine(Code):
    """A function of the engine. Mutable."""

    def __init__(
        self,
        unit: Unit,
        name: str,
        parameters: Sequence[Local] = (),
        results: Sequence[MachineType] = (),
    ) -> None:
        super().__init__(unit.module, name, (CTX, BLOCK, *parameters), (I32, *results))
        self.unit = unit
        self.plan = unit.plan
        self.world = unit.world
        self._spent = Spent([], 0, 0, const(0))
        self.floor: Local | None = None
        """What lies below it in the arena stays until the function ends."""

    # Stopping

    def stop(self, status: int | Expression) -> None:
        """Return with a status, the other results empty."""
        first = const(status, I32) if isinstance(status, int) else status
        self.give(first, *(const(0, kind) for kind in self.results[1:]))

    def fault(self, code: str) -> None:
        self.put("fault", const(int(code[2:]), I32))
        self.stop(FAULT)

    def fault_if(self, condition: Expression, code: str) -> None:
        with self.when(condition, unlikely=True):
            self.fault(code)

    def believe(self, condition: Expression, what: str) -> None:
        """What must hold here: checked code tests it."""
        if not self.unit.checked:
            return
        self.unit.beliefs.append(f"{self.name}: {what}")
        with self.when(negate(condition), unlikely=True):
            self.put("broken", const(-len(self.unit.beliefs)))
            self.stop(BROKEN)

    def run(
        self, function: str, arguments: Sequence[Expression], results: Sequence[MachineType] = ()
    ) -> tuple[Local, ...]:
        """Call a function of the engine, and stop if it stopped."""
        status, *rest = self.call(function, (CTX, BLOCK, *arguments), (I32, *results))
        with self.when(compare("ne", status, 0), unlikely=True):
            self.stop(status)
        return tuple(rest)

    def done(self, *values: Expression) -> None:
        self.give(const(FINE, I32), *values)

    # Context and header

    def get(self, name: str, kind: MachineType) -> Expression:
        return self.load(CTX, self.plan.context[name], kind)

    def put(self, name: str, value: Expression) -> None:
        self.store(CTX, self.plan.context[name], value)

    def head(self, name: str, kind: MachineType) -> Expression:
        return self.load(BLOCK, self.plan.header[name], kind)

    def set_head(self, name: str, value: Expression) -> None:
        self.store(BLOCK, self.plan.header[name], value)

    def refuel(self) -> None:
        """All the fuel of a run."""
        self.put("fuel", self.get("full_fuel", I64))
        self.put("floor", self.get("full_floor", I64))

    def spend(self, amount: Expression | int) -> None:
        """Use up fuel; now and then look whether there is some left, and whether somebody wants an end."""
        row = self._rows[-1]
        if is_spent_at_once(row, self._spent, self.plan):
            amount = self.let(binary("add", self._spent.amount, amount))
            del row[self._spent.start : self._spent.end]
        whole, start = const(amount) if isinstance(amount, int) else amount, len(row)
        left = self.let(binary("sub", self.get("fuel", I64), whole))
        self.put("fuel", left)
        with self.when(compare("slt", left, self.get("floor", I64)), unlikely=True):
            self.run(self.unit.need("pause", lambda: make_pause(self.unit.module, self.plan)), ())
        self._spent = Spent(row, start, len(row), whole)

    def enter(self, price: int = 1) -> None:
        """A call: it costs fuel, and calls may not be nested too deeply."""
        self.spend(price)
        depth = self.let(binary("add", self.get("depth", I64), 1))
        self.put("depth", depth)
        self.fault_if(compare("sgt", depth, DEEPEST), "TG0507")

    def exit(self) -> None:
        self.put("depth", binary("sub", self.get("depth", I64), 1))

    @contextmanager
    def looking(self) -> Iterator[None]:
        """While chance may not be asked."""
        if not self.unit.tracks_purity:
            yield
            return
        self.put("pure", binary("add", self.get("pure", I32), 1))
        yield
        self.put("pure", binary("sub", self.get("pure", I32), 1))

    # The arena of temporary lists

    def allocate(self, size: Number) -> Expression:
        """Room for a temporary list."""
        length = const(size) if isinstance(size, int) else size
        if isinstance(length, Const):
            length = const((int(length.value) + 7) // 8 * 8)
        else:
            length = self.let(Op("and", (binary("add", length, 7), const(-8)), I64))
        at = self.get("arena", PTR)
        end = self.let(address(at, length))
        with self.when(compare("ugt", end, self.get("arena_end", PTR)), unlikely=True):
            self.stop(GROW)
        self.put("arena", end)
        return at

    @contextmanager
    def passing(self) -> Iterator[None]:
        """What is allocated inside is given up at the end."""
        at = self.get("arena", PTR)
        yield
        if not self.is_closed:
            floor = self.floor
            self.put("arena", at if floor is None else select(compare("ugt", floor, at), floor, at))

    # Values

    def none(self, type: Type) -> Value:
        rep = self.plan.rep(type)
        return Value(type, tuple(const(none, kind) for none, kind in zip(rep.none, rep.kinds, strict=True)))

    def is_none(self, value: Value) -> Expression:
        rep = self.plan.rep(value.type)
        if value.certain:
            return const(0, I1)
        if value.type is Basic.NONE:
            return const(1, I1)
        if rep.shape == "number":
            return Op("uno", (value.only, value.only), I1)
        return compare("eq", value.parts[0], int(rep.none[0]))

    def keep(self, value: Value) -> Value:
        """A value that stays as it is now."""
        return Value(value.type, tuple(self.let(part) for part in value.parts), value.certain, value.held)

    def number(self, value: Expression | float) -> Value:
        given = const(value, F64) if isinstance(value, int | float) else value
        return Value(Basic.DECIMAL, (given,), certain=True)

    def truth(self, condition: Expression) -> Value:
        return Value(Basic.BOOL, (widen(condition, I32, signed=False),), certain=True)

    def as_condition(self, value: Value) -> Expression:
        part = value.only
        if isinstance(part, Op) and part.name == "zext" and part.operands[0].kind is I1:
            return part.operands[0]
        return compare("ne", part, 0)

    def as_whole(self, value: Expression, kind: MachineType = I64) -> Expression:
        """A decimal cut to a whole number; one too large becomes the largest."""
        if isinstance(value, Const):
            if isnan(value.value):  # as the machine does it
                return const(0, kind)
            half = 1 << WHOLE[kind] - 1
            return const(max(-half, min(half - 1, int(value.value))), kind)
        if isinstance(value, Op) and value.name == "sitofp":
            return widen(value.operands[0], kind)
        return Op("fptosi", (value,), kind)

    def wrapped(self, value: Expression, count: int | Expression) -> Expression:
        """A decimal cut to a whole number, as one of so many from 0 on; exact however large it is."""
        if isinstance(value, Const) and isinstance(count, int):
            return const(0 if isnan(value.value) else int(value.value) % count)
        number = self.as_whole(value)
        if not (isinstance(value, Op) and value.name == "sitofp"):
            by = const(float(count), F64) if isinstance(count, int) else self.as_decimal(count)
            number = self.variable(number, "whole")
            with self.when(Op("oge", (intrinsic("fabs", value), const(EXACT, F64)), I1), unlikely=True):
                self.set(number, self.as_whole(binary("frem", value, by)))
        if isinstance(count, int) and count & (count - 1) == 0:
            return self.let(Op("and", (number, const(count - 1)), I64))
        ways = const(count) if isinstance(count, int) else count
        left = self.let(Op("srem", (number, ways), I64))
        return self.let(select(compare("slt", left, 0), binary("add", left, ways), left))

    def as_decimal(self, whole: Expression) -> Expression:
        if isinstance(whole, Const):
            return const(float(whole.value), F64)
        return Op("sitofp", (whole,), F64)


def located(ref: Expression, inside: Expression) -> Expression:
    """Where a list inside of others is: at a place in the block, or at an address of its own.

    By numbers, not from a null pointer: LLVM may take for granted that nobody reads beside one.
    """
    base = select(inside, Op("ptrtoint", (BLOCK,), I64), const(0))
    return Op("inttoptr", (binary("add", ref, base),), PTR)
