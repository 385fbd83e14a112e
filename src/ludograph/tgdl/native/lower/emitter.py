"""Emitters: routines that run code of the author, with values in registers, lists and columns."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import Number, address, const, select, widen
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.routine import BLOCK, Routine, located
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.stored import from_stored, offset_of, to_stored
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import never_none, walk


def has_lists(type: Type) -> bool:
    """Whether a value of a type may lead to lists in the heap."""
    if isinstance(type, TableType):
        return has_lists(type.value)
    return isinstance(type, ListType) or type is Basic.OBJECT


Lowering = Callable[["Emitter", p.Apply], Value]
"""Lowers one operation of the library."""


class Emitter(Routine):
    """A routine that runs code of the author. Mutable."""

    def __init__(
        self,
        unit: CompilationUnit,
        name: str,
        parameters: Sequence[ir.Local] = (),
        results: Sequence[ir.MachineType] = (),
    ) -> None:
        super().__init__(unit, name, parameters, results)
        self.slots: dict[int, list[tuple[Type, tuple[ir.Local, ...]]]] = {}
        """The locals of variables, by slot."""
        self.frame: ir.Expression | None = None
        self.framed: dict[int, tuple[int, Type]] = {}
        """The slots in the frame of an action: their offsets and types."""
        self.this: Value | None = None
        self.player: ir.Expression = const(-1, ir.I32)
        self.loops: list[tuple[str, str]] = []
        """The labels that `continue` and `break` leave, for each loop of the author, the innermost last."""
        self.on_return: Callable[[Value | None], None] | None = None
        self.named: dict[str, list[p.Block]] | None = None
        """The named requires of the action; None in a trigger, where a name refers to a trigger."""
        self.fired: Mapping[str, ir.Expression] = {}
        """In a trigger over names: whether each named trigger has fired."""
        self.known: dict[int, tuple[ir.Local, ir.Local, ir.Expression | None]] = {}
        """Loop-invariant expressions of a query: the value, whether its fuel is paid, and its price.

        Without a price, the expression is evaluated when it is paid for.
        """
        self.caches_invariants = True
        """Whether queries evaluate loop-invariant expressions once, as on the reference engine."""
        self.non_null_slots: set[int] = set()
        """The slots of variables that are never none (nullability analysis)."""
        self.volatile: set[int] = set()
        """Expressions whose lists and tables may change between evaluation and use."""
        self.shared: dict[Any, Any] = {}
        """The caches of verbs whose result is constant during this function."""

    # Memory

    def read(self, base: ir.Expression, offset: Number, type: Type, *, constant: bool = False) -> Value:
        """Read a value inside a list or table."""
        rep = self.plan.rep(type)
        match rep.shape:
            case "list":
                ref = self.load(base, offset, ir.I64, constant=constant)
                length = self.load(base, offset_of(offset) + 8, ir.I64, constant=constant)
                inside = ref.ult(1 << 32) & ref.ne(0)
                return self.keep(Value(type, (located(ref, inside), length)))
            case "table":
                return Value(type, (self.let(address(base, offset)),), certain=True)
            case "object":
                at = self.let(address(base, offset))
                return Value(type, tuple(self.load(at, by, ir.I64, constant=constant) for by in (0, 8, 16)))
            case _:
                assert rep.stored is not None
                raw = ir.Load(address(base, offset), rep.stored, constant)
                return self.keep(Value(type, (from_stored(raw, rep),)))

    def write(self, base: ir.Expression, offset: Number, value: Value, *, to_block: bool) -> None:
        """Write a value inside a list or table; a value in the block gets copies of its lists in the heap."""
        rep = self.plan.rep(value.type)
        match rep.shape:
            case "list":
                at, length = value.parts
                if to_block:
                    at = self.keep_list(value)
                elif not value.certain:  # a list in memory is never none
                    at = self.let(select(at.eq(0), self.unit.data(), at))
                self.store(base, offset, at)
                self.store(base, offset_of(offset) + 8, length)
            case "table":
                self.write_table(base, offset, value, to_block=to_block)
            case "object":
                assert self.unit.keep_object is not None
                held = self.unit.keep_object(self, value) if to_block else value
                at = self.let(address(base, offset))
                for by, part in zip((0, 8, 16), held.parts, strict=True):
                    self.store(at, by, part)
            case _:
                assert rep.stored is not None
                self.store(base, offset, to_stored(value.only, rep))

    def write_table(self, base: ir.Expression, offset: Number, value: Value, *, to_block: bool) -> None:
        assert isinstance(value.type, TableType)
        rep = self.plan.rep(value.type)
        to = self.let(address(base, offset))
        if not value.certain:  # a table in memory is never none
            with self.when(value.only.eq(0), unlikely=True):
                size = self.plan.rep(value.type.value).size
                with self.count(rep.count) as (at, _):
                    by = self.let(at * size)
                    self.write(to, by, self.none(value.type.value), to_block=to_block)
            with self.otherwise():
                certain = Value(value.type, value.parts, certain=True)
                self.write_table(base, offset, certain, to_block=to_block)
            return
        if not to_block or not has_lists(value.type.value):
            self.copy(to, value.only, rep.size)
            return
        item = self.plan.rep(value.type.value)
        with self.count(rep.count) as (at, _):
            by = at * item.size
            self.write(to, by, self.read(value.only, by, value.type.value), to_block=True)

    def keep_list(self, value: Value) -> ir.Expression:
        """Copy a list into the heap of the block; returns its offset."""
        assert isinstance(value.type, ListType)
        item = self.plan.rep(value.type.element)
        at, length = value.parts
        offset = self.claim(length * item.size)
        to = self.let(address(BLOCK, offset))
        if not has_lists(value.type.element):
            self.copy(to, at, self.let(length * item.size))
            return offset
        with self.count(length) as (place, _):
            by = self.let(place * item.size)
            self.write(to, by, self.read(at, by, value.type.element), to_block=True)
        return offset

    def claim(self, size: ir.Expression) -> ir.Expression:
        """Allocate memory in the heap of the block; returns its offset."""
        top = self.head("heap_top", ir.I64)
        wanted = self.let((size + 15) & -16)
        end = self.let(top + wanted)
        self.stop_if(end.ugt(self.get("heap_end", ir.I64)), GROW)
        self.set_head("heap_top", end)
        return top

    # Columns

    def place_in(self, column: Column, number: ir.Expression) -> ir.Expression:
        """The address of the value of an instance in a column."""
        if self.unit.checked:
            family = self.plan.family_with(column)
            count = self.load(BLOCK, family.count_at, ir.I32)
            self.assert_holds(widen(number, ir.I32).ult(count), f"there is such a {family.name}")
        if isinstance(number, ir.Const):
            return address(BLOCK, column.offset + int(number.value) * column.stride)
        by = widen(number, ir.I64) * column.stride
        return address(address(BLOCK, by), column.offset)

    def read_column(self, column: Column, number: ir.Expression, type: Type | None = None) -> Value:
        at = self.place_in(column, number)
        kind = type if type is not None else column.type
        if column.rep.shape == "list":
            offset = self.load(at, 0, ir.I32)
            length = self.load(at, 4, ir.I32)
            start = address(BLOCK, widen(offset, ir.I64, signed=False))
            value = Value(kind or ListType(Basic.OBJECT), (start, widen(length, ir.I64)), certain=True)
            return self.keep(value)
        if column.rep.shape == "table":
            return Value(kind or Basic.OBJECT, (self.let(at),), certain=True)
        if column.rep.shape == "object":
            return self.read(at, 0, Basic.OBJECT)
        assert column.rep.stored is not None
        raw = from_stored(ir.Load(at, column.rep.stored), column.rep)
        return self.keep(Value(kind or Basic.OBJECT, (raw,)))

    def write_column(self, column: Column, number: ir.Expression, value: Value) -> None:
        at = self.place_in(column, number)
        if column.rep.shape == "list":
            self.assign_list(at, value)
            return
        if column.rep.shape == "table":
            self.write_table(at, 0, value, to_block=True)
            return
        if column.rep.shape == "object":
            self.write(at, 0, value, to_block=True)
            return
        assert column.rep.stored is not None
        self.store(at, 0, to_stored(value.only, column.rep))

    def assign_list(self, at: ir.Expression, value: Value) -> None:
        """Assign a list to an attribute: into its own memory, if that is large enough."""
        assert isinstance(value.type, ListType)
        item = self.plan.rep(value.type.element)
        start, length = value.parts
        place = self.let(at)
        if has_lists(value.type.element):
            offset = self.keep_list(value)
            self.store(place, 0, widen(offset, ir.I32))
            self.store(place, 4, widen(length, ir.I32))
            self.store(place, 8, widen(length, ir.I32))
            return
        capacity = widen(self.load(place, 8, ir.I32), ir.I64)
        size = self.let(length * item.size)
        with self.when(length > capacity):
            more = self.let(length + (ir.Op("ashr", (length, const(1)), ir.I64) + 4))
            offset = self.claim(self.let(more * item.size))
            self.copy(self.let(address(BLOCK, offset)), start, size)
            self.store(place, 0, widen(offset, ir.I32))
            self.store(place, 8, widen(more, ir.I32))
        with self.otherwise():
            own = widen(self.load(place, 0, ir.I32), ir.I64, signed=False)
            self.copy(self.let(address(BLOCK, own)), start, size)
        self.store(place, 4, widen(length, ir.I32))

    # The author's expressions

    def expression(self, node: p.Expression) -> Value:
        assert self.unit.lower is not None
        return self.unit.lower(self, node)

    def value(self, node: p.Expression) -> Value:
        """An expression that must not be none."""
        found = self.expression(node)
        if found.certain or never_none(node):
            return found
        self.fault_if(self.is_none(found), "TG0501")
        return Value(found.type, found.parts, True, found.held)

    def condition(self, node: p.Expression) -> ir.Expression:
        """A boolean expression as a condition."""
        return self.as_condition(self.value(node))

    def statements(self, statements: Sequence[p.Statement]) -> None:
        assert self.unit.lower_statements is not None
        self.unit.lower_statements(self, statements)

    def block(self, block: p.Block, type: Type) -> Value:
        """Run a block that returns a value."""
        match block.statements:
            case (p.Return(node),) if node is not None:
                return self.coerce(self.expression(node), type)
        result = self.holder(type)
        label = self.name_for("block")
        before, self.on_return = self.on_return, None

        def give(value: Value | None) -> None:
            if value is not None:
                self.assign(result, value)
            self.leave(label)

        self.on_return = give
        self._rows.append([])
        self.statements(block.statements)
        if not self.is_closed:
            self.leave(label)
        body = self._rows.pop()
        self.on_return = before
        self.emit(ir.Loop(label, tuple(body)))
        return result

    def passes(self, block: p.Block) -> ir.Expression:
        """Whether a block (a filter, a require) is true; none is false."""
        value = self.block(block, Basic.BOOL)
        return value.only.eq(1)

    def as_list(self, value: Value) -> Value:
        """A list, or a table as a list of its entries; none has no entries."""
        if not isinstance(value.type, TableType):
            return value
        count = self.entries(value.type)
        if not value.certain:
            count = self.let(select(self.is_none(value), const(0), count))
        return Value(ListType(value.type.value), (value.only, count), value.certain, value.held)

    def entries(self, type: TableType) -> ir.Expression:
        """The number of entries of a table."""
        if self.plan.is_growing(type) and isinstance(type.key, ConstructType):
            assert self.unit.count_keys is not None
            return self.unit.count_keys(self, type.key.name)
        return const(self.plan.rep(type).count)

    # Frames

    def variable_of(self, slot: int, type: Type) -> Value:
        if slot in self.framed:
            offset, held = self.framed[slot]
            assert self.frame is not None
            found = self.read_frame(offset, held)
            return found if held == type else self.coerce(found, type)
        locals_ = self._locals(slot, type)
        return Value(type, tuple(locals_), certain=slot in self.non_null_slots)

    def new_slot(self) -> int:
        """A slot that the program does not use."""
        self._count += 1
        return 1_000_000 + self._count

    def _locals(self, slot: int, type: Type) -> tuple[ir.Local, ...]:
        rep = self.plan.rep(type)
        for known, locals_ in self.slots.setdefault(slot, []):
            if known == type:
                return locals_
        locals_ = tuple(
            ir.Local(f"s{slot}_{len(self.slots[slot])}_{n}", kind) for n, kind in enumerate(rep.kinds)
        )
        self.slots[slot].append((type, locals_))
        return locals_

    def read_frame(self, offset: int, type: Type) -> Value:
        assert self.frame is not None
        rep = self.plan.rep(type)
        parts: list[ir.Expression] = []
        for kind in rep.kinds:
            parts.append(self.load(self.frame, offset, kind))
            offset += kind.size if kind is ir.I128 else 8
        return Value(type, tuple(parts))

    def set_variable(self, slot: int, value: Value) -> None:
        if slot in self.framed:
            offset, held = self.framed[slot]
            assert self.frame is not None
            for part in self.coerce(value, held).parts:
                self.store(self.frame, offset, part)
                offset += part.kind.size if part.kind is ir.I128 else 8
            return
        for local, part in zip(self._locals(slot, value.type), value.parts, strict=True):
            self.set(local, part)

    def bind(self, slot: int, value: Value, scope: Any) -> None:
        """Assign a variable, with the type that the nodes of its scope use."""
        for node in walk(scope):
            if isinstance(node, p.Variable) and node.slot == slot:
                value = self.coerce(value, node.type)
                break
        self.set_variable(slot, value)

    def holder(self, type: Type, hint: str = "given") -> Value:
        """Locals for a value that branches assign; it is none at first."""
        return Value(type, tuple(self.variable(part, hint) for part in self.none(type).parts))

    def assign(self, holder: Value, value: Value) -> None:
        """Assign the locals of a holder, with its type."""
        for local, part in zip(holder.parts, self.coerce(value, holder.type).parts, strict=True):
            assert isinstance(local, ir.Local)
            self.set(local, part)

    # Conversions

    def coerce(self, value: Value, type: Type) -> Value:
        """Convert a value to an expected type."""
        if value.type == type or type is Basic.NOTHING:
            return value
        if value.type is Basic.NONE:
            return self.none(type)
        if Basic.OBJECT in (value.type, type):
            assert self.unit.convert is not None
            return self.unit.convert(self, value, type)
        match value.type, type:
            case ConstructType(), ConstructType():
                return self.as_thing(value, type)
            case (ListType(a), ListType(b)) if self.plan.rep(a) == self.plan.rep(b):
                return Value(type, value.parts, value.certain, value.held)
            case (ListType(), ListType(b)) | (TableType(), ListType(b)):
                return self._coerce_items(value, type, b)
            case (TableType(), TableType(_, b)):
                found = self._coerce_items(value, type, b)
                return Value(type, found.parts[:1], certain=value.certain)
            case (TableType(_, a), TableType(_, b)) if self.plan.rep(a) == self.plan.rep(b):
                return Value(type, value.parts, value.certain, value.held)
            case _:
                raise AssertionError(f"{value.type} as {type}")

    def _coerce_items(self, value: Value, type: Type, wanted: Type) -> Value:
        """Convert a list or table to another element representation; none stays none."""
        items = self.as_list(value)
        assert isinstance(items.type, ListType)
        inner = items.type.element
        old, new = self.plan.rep(inner).size, self.plan.rep(wanted).size
        start, length = items.parts
        if isinstance(type, TableType):  # including the entries for later tiles
            length = const(self.plan.rep(type).count)
            if not value.certain:
                length = self.let(select(self.is_none(value), const(0), length))
        buffer = self.allocate(self.let(length * new))
        with self.count(length) as (at, _):
            item = self.read(start, self.let(at * old), inner)
            self.write(buffer, self.let(at * new), self.coerce(item, wanted), to_block=False)
        if not value.certain:
            buffer = self.let(select(start.eq(0), const(0, ir.PTR), buffer))
        return Value(type, (buffer, length), value.certain)

    def as_thing(self, value: Value, type: ConstructType) -> Value:
        """Convert an instance to a wider or narrower type; the type test has been done."""
        mine, wanted = self.plan.rep(value.type), self.plan.rep(type)
        if mine.shape == wanted.shape:
            return Value(type, value.parts, value.certain)
        if wanted.shape == "wide":
            assert isinstance(value.type, ConstructType)
            family = self.plan.family(value.type.name)
            tagged = widen(value.only, ir.I64) | (family.index << 32)
            if not value.certain:
                tagged = select(value.only < 0, const(-1), tagged)
            return Value(type, (self.let(tagged),), value.certain)
        number = widen(value.only, ir.I32)
        return Value(type, (number,), value.certain)

    def family_of(self, value: Value) -> Family:
        assert isinstance(value.type, ConstructType)
        return self.plan.family(value.type.name)

    def finish(
        self, *, exported: bool = False, apart: bool = False, often: bool = False, seldom: bool = False
    ) -> ir.Function:
        """The function; variables that the author reads before they are set are none."""
        first: list[Any] = []
        for known in self.slots.values():
            for type, locals_ in known:
                for local, none in zip(locals_, self.none(type).parts, strict=True):
                    first.append(ir.Set(local, none))
        self._rows[0][:0] = first
        return super().finish(exported=exported, apart=apart, often=often, seldom=seldom)


def routine(
    name: str,
    parameters: Sequence[ir.MachineType | Type] = (),
    *,
    gives: Sequence[ir.MachineType] = (),
    exported: bool = False,
    apart: bool = False,
    often: bool = False,
    seldom: bool = False,
) -> Callable[[Callable[..., None]], Callable[[CompilationUnit], str]]:
    """Decorate a function that emits the body of a routine.

    The function gets the body and the parameters. The result takes a unit and returns the name of the
    routine, which is emitted when it is first needed.
    """

    def decorate(emit: Callable[..., None]) -> Callable[[CompilationUnit], str]:
        names = emit.__code__.co_varnames[1 : 1 + len(parameters)]

        def make(unit: CompilationUnit) -> None:
            kinds = [
                each if isinstance(each, ir.MachineType) else unit.plan.rep(each).kinds[0]
                for each in parameters
            ]
            locals_ = [ir.Local(*each) for each in zip(names, kinds, strict=True)]
            b = Emitter(unit, name, locals_, gives)
            emit(b, *locals_)
            b.finish(exported=exported, apart=apart, often=often, seldom=seldom)

        @wraps(emit)
        def need(unit: CompilationUnit) -> str:
            return unit.need(name, lambda: make(unit))

        return need

    return decorate
