"""What is compiled together for one world, and the bodies of its functions.

Every function takes the context of the run and the block, and gives a status first: zero, or why it stopped.
A caller that gets another status than zero stops as well, with the same.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isnan
from typing import Any, Final

from ludograph.tgdl.interpreter.analysis import walk, walk_program
from ludograph.tgdl.interpreter.compiler import never_none
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.library import Operation
from ludograph.tgdl.native.code import (
    Code,
    Number,
    address,
    binary,
    both,
    compare,
    const,
    negate,
    select,
    widen,
)
from ludograph.tgdl.native.ir import (
    F64,
    I1,
    I32,
    I64,
    I128,
    PTR,
    WHOLE,
    Const,
    Data,
    Expression,
    Function,
    Kind,
    Load,
    Local,
    Loop,
    Module,
    Op,
    Set,
)
from ludograph.tgdl.native.nesting import DEEPEST, find_flat_verbs, may_replay, may_wait
from ludograph.tgdl.native.pausing import (
    FAULT_STATUS,
    STOPPED_STATUS,
    Spent,
    is_spent_at_once,
    make_pause,
)
from ludograph.tgdl.native.plan import Column, Family, Plan
from ludograph.tgdl.native.stored import from_stored, offset_of, to_stored
from ludograph.tgdl.program import (
    Apply,
    Block,
    Input,
    Literal,
    Return,
    Statement,
    Variable,
)
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.types import Basic, ConstructType, ListType, TableType, Type

# Why a function stopped.
FINE: Final = 0
FAILED: Final = 1
CANCELLED: Final = 2
NEED: Final = 3
FAULT: Final = FAULT_STATUS
GROW: Final = 5
"""A block, an arena or a buffer is too small: the run begins again with more room."""
NOTHING: Final = 6
"""An input has no candidates."""
STOPPED: Final = STOPPED_STATUS
BROKEN: Final = 8
"""Checked code found that it was about to do what must never happen."""


class Unsupported(Exception):
    """A world that is too large for native code (what of it, is told); the reference engine runs the game."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the language in registers."""

    type: Type
    parts: tuple[Expression, ...]
    certain: bool = False
    """It is not none."""
    held: Any = None
    """For a list or table that was read where it is kept: the attribute that keeps it."""

    @property
    def only(self) -> Expression:
        assert len(self.parts) == 1, self
        return self.parts[0]


@dataclass(frozen=True, slots=True)
class Start:
    """A way to carry out an action: there is a function for each that is used."""

    action: int
    part: str | None = None
    """The named effects that are started; None: those without a name."""
    stage: int | None = None
    """The phase of the action that is started; None: the action."""
    given: tuple[int, ...] = ()
    """The inputs, by their place, that the caller gives."""
    fields: tuple[tuple[int, Type], ...] = ()
    """Slots that hold fields of the event, and their types."""
    seals: bool = False
    """It is only chosen with its inputs, and kept until all others have chosen."""
    is_settled: bool = False
    """All inputs are given, and nothing is tested again."""


@dataclass(slots=True)
class Unit:
    """One world being compiled. Mutable."""

    world: World
    plan: Plan
    checked: bool = False
    """The code tests what it takes for granted."""
    beliefs: list[str] = field(default_factory=list)
    """What it tests, by its number."""
    module: Module = field(default_factory=Module)
    strings: dict[str, int] = field(default_factory=dict)
    _making: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _data: dict[tuple[bytes | str, ...], str] = field(default_factory=dict)
    lower: Callable[["Body", Node], Value] | None = None
    """Lowers an expression; set before anything is made."""
    lower_statements: Callable[["Body", Sequence[Statement]], None] | None = None
    convert: Callable[["Body", Value, Type], Value] | None = None
    """Makes objects of values, and values of objects; set before anything is made."""
    keep_object: Callable[["Body", Value], Value] | None = None
    """Puts the lists of an object into the block; set before anything is made."""
    count_keys: Callable[["Body", str], Expression] | None = None
    """How many tiles of a construct there are; set before anything is made."""
    performer: Callable[["Unit", Start], str] | None = None
    """Gives the function that carries out an action; set before anything is made."""
    starts: dict[Start, str] = field(default_factory=dict)
    _names: dict[Any, str] = field(default_factory=dict)
    inputs: list[Input] = field(default_factory=list)
    foreseen: dict[int, Any] = field(default_factory=dict)
    """What is known of actions before they run, by their index."""
    tracks_purity: bool = False
    flat_verbs: frozenset[int] = frozenset()
    """Verbs that neither lead to themselves nor belong to those that do: calls of them are never deep."""
    waits: bool = False
    """Actions may wait for the end of the effect that triggered them."""
    replays: bool = False
    """Effects may be carried out again, with the choices that were made the first time."""

    def __post_init__(self) -> None:
        # Known before anything is lowered, so that code from the store needs no lowering at all.
        for node in walk_program(self.world.program):
            match node:
                case Apply(Operation.TOP):
                    self.tracks_purity = True
                case Literal(str() as text):
                    self.string(text)
                case Input():
                    self.inputs.append(node)
                case _:
                    pass
        for value in (*self.world.options.values(), *self.world.constants.values()):
            self._learn_strings(value)
        self.waits = may_wait(self.world)
        self.flat_verbs = find_flat_verbs(self.world)
        self.replays = may_replay(self.world)

    def _learn_strings(self, value: Any) -> None:
        if isinstance(value, str):
            self.string(value)
        elif isinstance(value, tuple):
            for item in value:
                self._learn_strings(item)

    def perform(self, start: Start) -> str:
        """The function that carries out an action in some way."""
        assert self.performer is not None
        return self.performer(self, start)

    def need(self, name: str, make: Callable[[], None]) -> str:
        """The name of a function, which is made later if it is not yet known."""
        if name not in self._known:
            self._known.add(name)
            self._making.append((name, make))
        return name

    def name_of(self, hint: str, key: Any) -> str:
        """A name for a function that a key stands for: the same for the same key."""
        if key not in self._names:
            plain = "".join(each if each.isalnum() and each.isascii() else "_" for each in hint)
            self._names[key] = f"{plain}.{len(self._names)}"
        return self._names[key]

    def make_all(self) -> None:
        while self._making:
            name, make = self._making.pop()
            if name not in self.module.functions:
                make()

    def data(self, *content: bytes | str, hint: str = "data") -> Data:
        """Constant data: bytes, and names of other data; equal contents are kept once."""
        row = tuple(content) if any(content) else (bytes(8),)
        found = self._data.get(row)
        if found is None:
            found = self._data[row] = f"{hint}.{len(self._data)}"
            self.module.data[found] = row
        return Data(found)

    def string(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def number_of_input(self, known: Input) -> int:
        """The number of an input, by which a question names it."""
        return next(number for number, other in enumerate(self.inputs) if other is known)


CTX = Local("ctx", PTR)
BLOCK = Local("block", PTR)


class Body(Code):
    """The body of a function of the engine. Mutable."""

    def __init__(
        self,
        unit: Unit,
        name: str,
        parameters: Sequence[Local] = (),
        results: Sequence[Kind] = (),
    ) -> None:
        super().__init__(unit.module, name, (CTX, BLOCK, *parameters), (I32, *results))
        self.unit = unit
        self.plan = unit.plan
        self.world = unit.world
        self.slots: dict[int, list[tuple[Type, tuple[Local, ...]]]] = {}
        """Variables of the frame, by slot."""
        self.frame: Expression | None = None
        self.framed: dict[int, tuple[int, Type]] = {}
        """Slots that lie in the frame of an action: their offsets and types."""
        self.this: Value | None = None
        self.player: Expression = const(-1, I32)
        self.loops: list[tuple[str, str]] = []
        """For each of the author's loops, the innermost last: what `continue` and `break` leave."""
        self.on_return: Callable[[Value | None], None] | None = None
        self.named: dict[str, list[Block]] | None = None
        """The requires of the action that have a name; None in a trigger, where a name is a trigger's."""
        self.known: dict[int, tuple[Value, Expression, Local]] = {}
        """What a query has no part in: its value, what that costs, and whether it is paid for."""
        self.keeps = True
        """Queries work out once what is the same for all elements, as the reference does it here."""
        self._spent = Spent([], 0, 0, const(0))
        self.sure_slots: set[int] = set()
        """Variables that are not none as long as they are used."""
        self.unsettled: set[int] = set()
        """Expressions whose lists and tables may change before they are used."""
        self.shared: dict[Any, Any] = {}
        """Cells of verbs that give the same throughout this function."""
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
        self, function: str, arguments: Sequence[Expression], results: Sequence[Kind] = ()
    ) -> tuple[Local, ...]:
        """Call a function of the engine, and stop if it stopped."""
        status, *rest = self.call(function, (CTX, BLOCK, *arguments), (I32, *results))
        with self.when(compare("ne", status, 0), unlikely=True):
            self.stop(status)
        return tuple(rest)

    def done(self, *values: Expression) -> None:
        self.give(const(FINE, I32), *values)

    # Context and header

    def get(self, name: str, kind: Kind) -> Expression:
        return self.load(CTX, self.plan.context[name], kind)

    def put(self, name: str, value: Expression) -> None:
        self.store(CTX, self.plan.context[name], value)

    def head(self, name: str, kind: Kind) -> Expression:
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

    def as_whole(self, value: Expression, kind: Kind = I64) -> Expression:
        """A decimal cut to a whole number; one too large becomes the largest."""
        if isinstance(value, Const):
            if isnan(value.value):  # as the machine does it
                return const(0, kind)
            half = 1 << WHOLE[kind] - 1
            return const(max(-half, min(half - 1, int(value.value))), kind)
        if isinstance(value, Op) and value.name == "sitofp":
            return widen(value.operands[0], kind)
        return Op("fptosi", (value,), kind)

    def as_decimal(self, whole: Expression) -> Expression:
        if isinstance(whole, Const):
            return const(float(whole.value), F64)
        return Op("sitofp", (whole,), F64)

    # Memory

    def read(self, base: Expression, offset: Number, type: Type, *, constant: bool = False) -> Value:
        """A value inside a list or table."""
        rep = self.plan.rep(type)
        match rep.shape:
            case "list":
                ref = self.load(base, offset, I64, constant=constant)
                length = self.load(base, binary("add", offset_of(offset), 8), I64, constant=constant)
                inside = compare("ult", ref, 1 << 32)
                base_of = select(both(inside, compare("ne", ref, 0)), BLOCK, const(0, PTR))
                return self.keep(Value(type, (address(base_of, ref), length)))
            case "table":
                return Value(type, (self.let(address(base, offset)),), certain=True)
            case "object":
                at = self.let(address(base, offset))
                return Value(type, tuple(self.load(at, by, I64, constant=constant) for by in (0, 8, 16)))
            case _:
                assert rep.stored is not None
                raw = Load(address(base, offset), rep.stored, constant)
                return self.keep(Value(type, (from_stored(raw, rep),)))

    def write(self, base: Expression, offset: Number, value: Value, *, to_block: bool) -> None:
        """Put a value inside a list or table; what goes to the block takes its lists along."""
        rep = self.plan.rep(value.type)
        match rep.shape:
            case "list":
                at, length = value.parts
                if to_block:
                    at = self.keep_list(value)
                elif not value.certain:  # a list in memory is never none
                    at = self.let(select(compare("eq", at, 0), self.unit.data(), at))
                self.store(base, offset, at)
                self.store(base, binary("add", offset_of(offset), 8), length)
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

    def write_table(self, base: Expression, offset: Number, value: Value, *, to_block: bool) -> None:
        assert isinstance(value.type, TableType)
        rep = self.plan.rep(value.type)
        to = self.let(address(base, offset))
        if not value.certain:  # a table in memory is never none
            with self.when(compare("eq", value.only, 0), unlikely=True):
                size = self.plan.rep(value.type.value).size
                with self.count(rep.count) as (at, _):
                    by = self.let(binary("mul", at, size))
                    self.write(to, by, self.none(value.type.value), to_block=to_block)
            with self.otherwise():
                certain = Value(value.type, value.parts, certain=True)
                self.write_table(base, offset, certain, to_block=to_block)
            return
        if not to_block or not self.has_lists(value.type.value):
            self.copy(to, value.only, rep.size)
            return
        item = self.plan.rep(value.type.value)
        with self.count(rep.count) as (at, _):
            by = binary("mul", at, item.size)
            self.write(to, by, self.read(value.only, by, value.type.value), to_block=True)

    def has_lists(self, type: Type) -> bool:
        match type:
            case ListType() | Basic.OBJECT:
                return True
            case TableType(_, inner):
                return self.has_lists(inner)
            case _:
                return False

    def keep_list(self, value: Value) -> Expression:
        """Copy a list into the heap of the block; gives its offset."""
        assert isinstance(value.type, ListType)
        item = self.plan.rep(value.type.element)
        at, length = value.parts
        offset = self.claim(binary("mul", length, item.size))
        to = self.let(address(BLOCK, offset))
        if not self.has_lists(value.type.element):
            self.copy(to, at, self.let(binary("mul", length, item.size)))
            return offset
        with self.count(length) as (place, _):
            by = self.let(binary("mul", place, item.size))
            self.write(to, by, self.read(at, by, value.type.element), to_block=True)
        return offset

    def claim(self, size: Expression) -> Expression:
        """Room in the heap of the block; gives its offset."""
        top = self.head("heap_top", I64)
        wanted = self.let(Op("and", (binary("add", size, 15), const(-16)), I64))
        end = self.let(binary("add", top, wanted))
        with self.when(compare("ugt", end, self.get("heap_end", I64)), unlikely=True):
            self.stop(GROW)
        self.set_head("heap_top", end)
        return top

    # Columns

    def place_in(self, column: Column, number: Expression) -> Expression:
        """The address of a thing's value in a column."""
        if self.unit.checked:
            family = self.plan.family_with(column)
            count = self.load(BLOCK, family.count_at, I32)
            self.believe(compare("ult", widen(number, I32), count), f"there is such a {family.name}")
        if isinstance(number, Const):
            return address(BLOCK, column.offset + int(number.value) * column.stride)
        by = binary("mul", widen(number, I64), column.stride)
        return address(address(BLOCK, by), column.offset)

    def read_column(self, column: Column, number: Expression, type: Type | None = None) -> Value:
        at = self.place_in(column, number)
        kind = type if type is not None else column.type
        if column.rep.shape == "list":
            offset = self.load(at, 0, I32)
            length = self.load(at, 4, I32)
            start = address(BLOCK, widen(offset, I64, signed=False))
            value = Value(kind or ListType(Basic.OBJECT), (start, widen(length, I64)), certain=True)
            return self.keep(value)
        if column.rep.shape == "table":
            return Value(kind or Basic.OBJECT, (self.let(at),), certain=True)
        if column.rep.shape == "object":
            return self.read(at, 0, Basic.OBJECT)
        assert column.rep.stored is not None
        raw = from_stored(Load(at, column.rep.stored), column.rep)
        return self.keep(Value(kind or Basic.OBJECT, (raw,)))

    def write_column(self, column: Column, number: Expression, value: Value) -> None:
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

    def assign_list(self, at: Expression, value: Value) -> None:
        """Put a list where an attribute keeps it: into its own room, if there is enough."""
        assert isinstance(value.type, ListType)
        item = self.plan.rep(value.type.element)
        start, length = value.parts
        place = self.let(at)
        if self.has_lists(value.type.element):
            offset = self.keep_list(value)
            self.store(place, 0, widen(offset, I32))
            self.store(place, 4, widen(length, I32))
            self.store(place, 8, widen(length, I32))
            return
        room = widen(self.load(place, 8, I32), I64)
        size = self.let(binary("mul", length, item.size))
        with self.when(compare("sgt", length, room)):
            more = self.let(binary("add", length, binary("add", Op("ashr", (length, const(1)), I64), 4)))
            offset = self.claim(self.let(binary("mul", more, item.size)))
            self.copy(self.let(address(BLOCK, offset)), start, size)
            self.store(place, 0, widen(offset, I32))
            self.store(place, 8, widen(more, I32))
        with self.otherwise():
            own = widen(self.load(place, 0, I32), I64, signed=False)
            self.copy(self.let(address(BLOCK, own)), start, size)
        self.store(place, 4, widen(length, I32))

    # The author's expressions

    def expression(self, node: Node) -> Value:
        assert self.unit.lower is not None
        return self.unit.lower(self, node)

    def value(self, node: Node) -> Value:
        """An expression that must not give none."""
        found = self.expression(node)
        if found.certain or never_none(node):
            return found
        self.fault_if(self.is_none(found), "TG0501")
        return Value(found.type, found.parts, True, found.held)

    def condition(self, node: Node) -> Expression:
        """An expression that is true or false."""
        return self.as_condition(self.value(node))

    def statements(self, statements: Sequence[Statement]) -> None:
        assert self.unit.lower_statements is not None
        self.unit.lower_statements(self, statements)

    def block(self, block: Block, type: Type) -> Value:
        """A block that gives a value."""
        match block.statements:
            case (Return(node),) if node is not None:
                return self.coerce(self.expression(node), type)
        results = [self.variable(part, "given") for part in self.none(type).parts]
        label = self.name_for("block")
        before, self.on_return = self.on_return, None

        def give(value: Value | None) -> None:
            if value is not None:
                for local, part in zip(results, self.coerce(value, type).parts, strict=True):
                    self.set(local, part)
            self.leave(label)

        self.on_return = give
        self._rows.append([])
        self.statements(block.statements)
        if not self.is_closed:
            self.leave(label)
        body = self._rows.pop()
        self.on_return = before
        self.emit(Loop(label, tuple(body)))
        return Value(type, tuple(results))

    def passes(self, block: Block) -> Expression:
        """Whether a block (a filter, a require) holds; none does not."""
        value = self.block(block, Basic.BOOL)
        return compare("eq", value.only, 1)

    def as_list(self, value: Value) -> Value:
        """A list, or a table as a list of its entries."""
        if isinstance(value.type, TableType):
            count: Expression = const(self.plan.rep(value.type).count)
            if self.plan.is_growing(value.type) and isinstance(value.type.key, ConstructType):
                assert self.unit.count_keys is not None
                count = self.unit.count_keys(self, value.type.key.name)
            return Value(ListType(value.type.value), (value.only, count), True, value.held)
        return value

    # Frames

    def variable_of(self, slot: int, type: Type) -> Value:
        if slot in self.framed:
            offset, held = self.framed[slot]
            assert self.frame is not None
            found = self.read_frame(offset, held)
            return found if held == type else self.coerce(found, type)
        locals_ = self._locals(slot, type)
        return Value(type, tuple(locals_), certain=slot in self.sure_slots)

    def new_slot(self) -> int:
        """A slot that the program does not use."""
        self._count += 1
        return 1_000_000 + self._count

    def _locals(self, slot: int, type: Type) -> tuple[Local, ...]:
        rep = self.plan.rep(type)
        for known, locals_ in self.slots.setdefault(slot, []):
            if known == type:
                return locals_
        locals_ = tuple(
            Local(f"s{slot}_{len(self.slots[slot])}_{n}", kind) for n, kind in enumerate(rep.kinds)
        )
        self.slots[slot].append((type, locals_))
        return locals_

    def read_frame(self, offset: int, type: Type) -> Value:
        assert self.frame is not None
        rep = self.plan.rep(type)
        parts: list[Expression] = []
        for kind in rep.kinds:
            parts.append(self.load(self.frame, offset, kind))
            offset += kind.size if kind is I128 else 8
        return Value(type, tuple(parts))

    def set_variable(self, slot: int, value: Value) -> None:
        if slot in self.framed:
            offset, held = self.framed[slot]
            assert self.frame is not None
            for part in self.coerce(value, held).parts:
                self.store(self.frame, offset, part)
                offset += part.kind.size if part.kind is I128 else 8
            return
        for local, part in zip(self._locals(slot, value.type), value.parts, strict=True):
            self.set(local, part)

    def bind(self, slot: int, value: Value, scope: Any) -> None:
        """Give a variable its value, as the type that the nodes of its scope read it as."""
        for node in walk(scope):
            if isinstance(node, Variable) and node.slot == slot:
                value = self.coerce(value, node.type)
                break
        self.set_variable(slot, value)

    # Conversions

    def coerce(self, value: Value, type: Type) -> Value:
        """A value where another type is expected."""
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
            case (TableType(_, a), ListType(b)) if self.plan.rep(a) == self.plan.rep(b):
                return Value(type, (value.only, const(self.plan.rep(value.type).count)), certain=True)
            case (TableType(_, a), TableType(_, b)) if self.plan.rep(a) == self.plan.rep(b):
                return Value(type, value.parts, value.certain, value.held)
            case _:
                raise AssertionError(f"{value.type} as {type}")

    def _coerce_items(self, value: Value, type: Type, wanted: Type) -> Value:
        """A list or table whose elements are held in another way; none stays none."""
        items = self.as_list(value)
        assert isinstance(items.type, ListType)
        inner = items.type.element
        old, new = self.plan.rep(inner).size, self.plan.rep(wanted).size
        start, length = items.parts
        if isinstance(type, TableType):  # with the room that it has for more
            length = const(self.plan.rep(type).count)
        room = self.allocate(self.let(binary("mul", length, new)))
        with self.count(length) as (at, _):
            item = self.read(start, self.let(binary("mul", at, old)), inner)
            self.write(room, self.let(binary("mul", at, new)), self.coerce(item, wanted), to_block=False)
        if not value.certain:
            room = self.let(select(compare("eq", start, 0), const(0, PTR), room))
        return Value(type, (room, length), value.certain)

    def as_thing(self, value: Value, type: ConstructType) -> Value:
        """A thing as one of a wider or narrower type; what it is has been tested."""
        mine, wanted = self.plan.rep(value.type), self.plan.rep(type)
        if mine.shape == wanted.shape:
            return Value(type, value.parts, value.certain)
        if wanted.shape == "wide":
            assert isinstance(value.type, ConstructType)
            family = self.plan.family(value.type.name)
            tagged = binary("or", widen(value.only, I64), family.index << 32)
            if not value.certain:
                tagged = select(compare("slt", value.only, 0), const(-1), tagged)
            return Value(type, (self.let(tagged),), value.certain)
        number = widen(value.only, I32)
        return Value(type, (number,), value.certain)

    def family_of(self, value: Value) -> Family:
        assert isinstance(value.type, ConstructType)
        return self.plan.family(value.type.name)

    def finish(
        self, *, exported: bool = False, apart: bool = False, often: bool = False, seldom: bool = False
    ) -> Function:
        """The function; variables that the author reads before they are set are none."""
        first: list[Any] = []
        for known in self.slots.values():
            for type, locals_ in known:
                for local, none in zip(locals_, self.none(type).parts, strict=True):
                    first.append(Set(local, none))
        self._rows[0][:0] = first
        return super().finish(exported=exported, apart=apart, often=often, seldom=seldom)
