"""Checked code: every memory access is tested before it happens, for tests and fuzzers.

An access must be inside an allowed region: a block up to its heap top, the allocated part of the arena, the
context, the buffers of the execution context, constant data, or a stack slot of an active function. Regions
are in a table sorted by address; stack slots are registered while their function runs. The first access
outside stops the run with a status of its own, and the context records the check that failed.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import FunctionBuilder, address, const, select
from ludograph.tgdl.native.ir.printer import text
from ludograph.tgdl.native.layout.interface import ARENA, BLOCK, REGION_SIZE, TABLE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import BROKEN
from ludograph.tgdl.native.lower.routine import CTX

SLOT_RECORD_SIZE = 16
"""Bytes of an entry for a stack slot: start and end."""
DATA = "checked.data"
"""The addresses of all constant data, for the table of regions."""
MAX_ACCESS_SIZE = 1 << 40
DIVISIONS = frozenset({"sdiv", "srem", "udiv", "urem"})
SHIFTS = frozenset({"shl", "lshr", "ashr"})


class Checked(Struct, frozen=True):
    """A module with memory checks, and the description of each check by number."""

    module: ir.Module
    sites: tuple[str, ...]
    sizes: tuple[int, ...]
    """The sizes of the constant data, in the order of the table of their addresses."""


def add_memory_checks(module: ir.Module, plan: Plan) -> Checked:
    """Add a check before each memory access of a module."""
    sizes = {name: ir.size_of(data) for name, data in module.data.items()}
    names = tuple(sorted(sizes))
    made = ir.Module({}, dict(module.data))
    made.data[DATA] = names or (bytes(8),)
    sites: list[str] = []
    without = {name for name, each in module.functions.items() if each.parameters[:1] != (CTX,)}
    for function in module.functions.values():
        made.add(_Checker(function, plan, sizes, sites, module.functions, without).run())
    _make_check(made, plan)
    _make_table(made, plan)
    return Checked(made, tuple(sites), tuple(sizes[name] for name in names))


def _has_status(function: ir.Function) -> bool:
    """Whether a function returns a status first."""
    return function.results[:1] == (ir.I32,) and [each.name for each in function.parameters[:2]] == [
        "ctx",
        "block",
    ]


class _Checker(Struct):
    """Adds checks to one function. Mutable."""

    function: ir.Function
    plan: Plan
    sizes: Mapping[str, int]
    sites: list[str]
    functions: Mapping[str, ir.Function]
    without: set[str]
    """Functions without the context as a parameter: it is added."""
    count: int = 0
    rows: list[list[ir.Statement]] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)

    def run(self) -> ir.Function:
        function = self.function
        self.slots = {
            each.target.name: each.size
            for each in ir.each_statement(function.body)
            if isinstance(each, ir.StackSlot)
        }
        begin = [*self._enter()] if self.slots else []
        body = (*begin, *self._statements(function.body))
        if not function.results and self.slots:
            body = (*body, *self._exit())
        parameters = function.parameters
        if function.name in self.without:
            parameters = (CTX, *parameters)
        return replace(function, parameters=parameters, body=body, often=False)

    # Stack slots

    def _enter(self) -> Iterator[ir.Statement]:
        mark = ir.Local("checked.slots", ir.PTR)
        yield ir.Set(mark, self._context("stack_slots", ir.PTR))
        for place, (name, size) in enumerate(self.slots.items()):
            start, at = ir.Local(name, ir.PTR), address(mark, SLOT_RECORD_SIZE * place)
            yield ir.Store(at, start)
            yield ir.Store(address(at, 8), address(start, size))
        end = address(mark, SLOT_RECORD_SIZE * len(self.slots))
        yield ir.Store(address(CTX, self.plan.context["stack_slots"]), end)
        full = address(end, 64 * SLOT_RECORD_SIZE).ugt(self._context("stack_slots_end", ir.PTR))
        yield ir.If(full, tuple(self._stop("too many stack slots")), (), True)

    def _exit(self) -> Iterator[ir.Statement]:
        if self.slots:
            yield ir.Store(address(CTX, self.plan.context["stack_slots"]), ir.Local("checked.slots", ir.PTR))

    def _context(self, name: str, kind: ir.MachineType) -> ir.Expression:
        return ir.Load(address(CTX, self.plan.context[name]), kind)

    # Statements

    def _emit(self, statement: ir.Statement) -> None:
        self.rows[-1].append(statement)

    def _statements(self, statements: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        self.rows.append([])
        for statement in statements:
            self._statement(statement)
        return tuple(self.rows.pop())

    def _statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Set(target, value):
                self._emit(ir.Set(target, self._value(value)))
            case ir.Store(to, value):
                given = self._value(value)
                at = self._place(to, const(value.kind.size), "writes", statement)
                self._emit(ir.Store(at, given))
            case ir.Copy(to, source, length):
                amount = self._kept(self._value(length))
                into = self._place(to, amount, "writes", statement)
                self._emit(ir.Copy(into, self._place(source, amount, "reads", statement), amount))
            case ir.Fill(to, byte, length):
                amount = self._kept(self._value(length))
                self._emit(ir.Fill(self._place(to, amount, "writes", statement), byte, amount))
            case ir.Call(targets, name, arguments):
                given_all = tuple(self._value(each) for each in arguments)
                self._emit(ir.Call(targets, name, (CTX, *given_all) if name in self.without else given_all))
                if not _has_status(self.functions[name]):
                    broken = self._context("failed_check", ir.I64).ne(0)
                    self._emit(ir.If(broken, tuple(self._leave()), (), True))
            case ir.If(condition, then, otherwise, unlikely):
                test = self._value(condition)
                self._emit(ir.If(test, self._statements(then), self._statements(otherwise), unlikely))
            case ir.Loop(label, body):
                self._emit(ir.Loop(label, self._statements(body)))
            case ir.Switch(value, cases, default):
                chosen = self._value(value)
                rows = tuple((number, self._statements(body)) for number, body in cases)
                self._emit(ir.Switch(chosen, rows, self._statements(default)))
            case ir.Return(values):
                given_all = tuple(self._kept(self._value(each)) for each in values)
                for each in self._exit():
                    self._emit(each)
                self._emit(ir.Return(given_all))
            case _:
                self._emit(statement)

    def _stop(self, what: str) -> Iterator[ir.Statement]:
        """Record a failed check, and return."""
        yield ir.Store(address(CTX, self.plan.context["failed_check"]), self._site(what))
        yield from self._leave()

    def _leave(self) -> Iterator[ir.Statement]:
        yield from self._exit()
        values = [const(0, kind) for kind in self.function.results]
        if _has_status(self.function):
            values[0] = const(BROKEN, ir.I32)
        yield ir.Return(tuple(values))

    def _site(self, what: str) -> ir.Const:
        self.sites.append(f"{self.function.name} {what}")
        return const(len(self.sites))

    # Expressions

    def _fresh(self, kind: ir.MachineType) -> ir.Local:
        self.count += 1
        return ir.Local(f"checked.{self.count}", kind)

    def _kept(self, value: ir.Expression) -> ir.Expression:
        if isinstance(value, ir.Const | ir.Local):
            return value
        local = self._fresh(value.kind)
        self._emit(ir.Set(local, value))
        return local

    def _value(self, value: ir.Expression) -> ir.Expression:
        """The same value, with a check before each of its loads."""
        match value:
            case ir.Load(at, kind, constant):
                place = self._place(at, const(kind.size), "reads", value)
                return self._kept(ir.Load(place, kind, constant))
            case ir.Lanes(at, count, byte):
                place = self._place(at, const(count), "reads", value)
                return self._kept(ir.Lanes(place, count, self._value(byte)))
            case ir.Address(base, offset):
                return ir.Address(self._value(base), self._value(offset))
            case ir.Op(name, operands, kind):
                given = tuple(self._value(each) for each in operands)
                if name in DIVISIONS and not isinstance(given[1], ir.Const):
                    self._require(given[1].ne(0), f"divides by zero: {text(value)}")
                if name in SHIFTS and not isinstance(given[1], ir.Const):
                    inside = given[1].ult(ir.WHOLE[kind])
                    self._require(inside, f"shifts too far: {text(value)}")
                return ir.Op(name, given, kind)
            case _:
                return value

    def _require(self, condition: ir.Expression, what: str) -> None:
        self._emit(ir.If(~condition, tuple(self._stop(what)), (), True))

    def _place(
        self, at: ir.Expression, size: ir.Expression, does: str, what: ir.Statement | ir.Expression
    ) -> ir.Expression:
        """The address of an access of `size` bytes, with a check."""
        place = self._value(at)
        if isinstance(size, ir.Const) and self._is_provably_inside(place, int(size.value)):
            return place
        place = self._kept(place)
        about = text(what) if isinstance(what, ir.Load | ir.Lanes) else text(at)
        site = self._site(f"{does} outside: {about}")
        fine = self._fresh(ir.I32)
        self._emit(ir.Call((fine,), "checked.access", (CTX, place, size, site)))
        self._emit(ir.If(fine.eq(0), tuple(self._leave()), (), True))
        return place

    def _is_provably_inside(self, place: ir.Expression, size: int) -> bool:
        """Whether an access is provably inside the context, a stack slot, constant data or a block."""
        offset = 0
        while isinstance(place, ir.Address):
            if not isinstance(place.offset, ir.Const):
                return False
            offset += int(place.offset.value)
            place = place.base
        match place:
            case ir.Local("ctx"):
                limit = self.plan.context_size
            case ir.Local("block"):
                limit = self.plan.fixed_size
            case ir.Local(name):
                limit = self.slots.get(name, 0)
            case ir.Data(name):
                limit = self.sizes[name]
            case _:
                return False
        return offset >= 0 and offset + size <= limit


# The check itself


def _make_table(module: ir.Module, plan: Plan) -> None:
    c = FunctionBuilder(module, TABLE, (CTX,))
    c.store(CTX, plan.context["regions"], ir.Data(DATA))
    c.finish(exported=True)


def _make_check(module: ir.Module, plan: Plan) -> None:
    """Emit the function that tests an access; it records a failed check."""
    at, size, site = ir.Local("at", ir.PTR), ir.Local("size", ir.I64), ir.Local("site", ir.I64)
    c = FunctionBuilder(module, "checked.access", (CTX, at, size, site), (ir.I32,))

    def context(name: str, kind: ir.MachineType) -> ir.Expression:
        return c.load(CTX, plan.context[name], kind)

    end = c.let(address(at, size))
    with c.when(size.ult(MAX_ACCESS_SIZE) & end.uge(at)):
        with c.when(size.eq(0)):
            c.give(const(1, ir.I32))
        _search_regions(c, plan, at, end)
        start = context("stack_slots_start", ir.PTR)
        slot = c.variable(context("stack_slots", ir.PTR), "slot")
        with c.loop("slots") as label:
            c.leave_if(slot.ule(start), label)
            c.set(slot, address(slot, -SLOT_RECORD_SIZE))
            inside = at.uge(c.load(slot, 0, ir.PTR)) & end.ule(c.load(slot, 8, ir.PTR))
            with c.when(inside):
                c.give(const(1, ir.I32))
    with c.when(context("failed_check", ir.I64).eq(0)):
        c.store(CTX, plan.context["failed_check"], site)
    c.give(const(0, ir.I32))
    c.finish(apart=True)


def _search_regions(c: FunctionBuilder, plan: Plan, at: ir.Expression, end: ir.Expression) -> None:
    """Return 1 if the last region that starts at or before the address contains the access."""
    table = c.load(CTX, plan.context["regions"], ir.PTR)
    low = c.variable(const(0), "low")
    high = c.variable(c.load(CTX, plan.context["region_count"], ir.I64), "high")
    with c.loop("search") as label:
        c.leave_if(low >= high, label)
        middle = c.let((low + high) >> 1)
        start = c.load(table, c.let(middle * REGION_SIZE), ir.PTR)
        with c.when(start.ule(at)):
            c.set(low, middle + 1)
        with c.otherwise():
            c.set(high, middle)
    with c.when(low > 0):
        entry = c.let(address(table, (low - 1) * REGION_SIZE))
        start, kind = c.load(entry, 0, ir.PTR), c.load(entry, 16, ir.I64)
        limit = c.variable(c.load(entry, 8, ir.PTR), "limit")
        with c.when(kind.eq(BLOCK) & at.ne(start)):
            # A copy to the start of a block replaces the whole block, including its heap top.
            top = c.load(start, plan.header["heap_top"], ir.I64)
            used = c.let(address(start, select(top.ult(plan.fixed_size), const(plan.fixed_size), top)))
            c.set(limit, select(used.ult(limit), used, limit))
        with c.when(kind.eq(ARENA)):
            c.set(limit, c.load(CTX, plan.context["arena"], ir.PTR))
        with c.when(end.ule(limit)):
            c.give(const(1, ir.I32))
