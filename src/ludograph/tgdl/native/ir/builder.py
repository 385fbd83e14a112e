"""Building IR functions, statement by statement."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ludograph.tgdl.native.ir.nodes import (
    F64,
    I1,
    I64,
    NESTING,
    PTR,
    WHOLE,
    Address,
    Break,
    Call,
    Const,
    Continue,
    Copy,
    Expression,
    Fill,
    Function,
    If,
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
    is_left,
    wrapped,
)

Number = int | Expression


def const(value: int | float, kind: MachineType = I64) -> Const:
    return Const(float(value) if kind is F64 else int(value), kind)


def select(condition: Expression, yes: Expression, no: Expression) -> Expression:
    return Op("select", (condition, yes, no), yes.kind)


def widen(value: Expression, kind: MachineType, *, signed: bool = True) -> Expression:
    """An integer converted to another width."""
    if value.kind is kind:
        return value
    if isinstance(value, Const):
        number = int(value.value)
        return const(wrapped(number, kind) if WHOLE[value.kind] > WHOLE[kind] else number, kind)
    if WHOLE[value.kind] > WHOLE[kind]:
        return Op("trunc", (value,), kind)
    return Op("sext" if signed and value.kind is not I1 else "zext", (value,), kind)


def address(base: Expression, offset: Number) -> Expression:
    by = const(offset) if isinstance(offset, int) else widen(offset, I64)
    if isinstance(by, Const) and by.value == 0:
        return base
    return Address(base, by)


def intrinsic(name: str, *operands: Expression) -> Expression:
    return Op(name, operands, operands[0].kind)


class FunctionBuilder:
    """A function being built. Mutable."""

    def __init__(
        self, module: Module, name: str, parameters: Sequence[Local], results: Sequence[MachineType] = ()
    ) -> None:
        self.module = module
        self.name = name
        self.parameters = tuple(parameters)
        self.results = tuple(results)
        self._rows: list[list[Statement]] = [[]]
        self._count = 0

    # Values

    def name_for(self, hint: str) -> str:
        self._count += 1
        return f"{hint}_{self._count}"

    def let(self, value: Expression, hint: str = "t") -> Expression:
        """The current value of an expression, in a local that is not assigned again."""
        if isinstance(value, Const):
            return value
        return self.variable(value, hint)

    def variable(self, value: Expression, hint: str = "v") -> Local:
        """A local that may be assigned again."""
        local = Local(self.name_for(hint), value.kind)
        self.emit(Set(local, value))
        return local

    def stack_slot(self, size: int, hint: str = "slot") -> Local:
        """Bytes on the stack of the function."""
        local = Local(self.name_for(hint), PTR)
        self.emit(StackSlot(local, size))
        return local

    def load(
        self, base: Expression, offset: Number, kind: MachineType, *, constant: bool = False
    ) -> Expression:
        return self.let(Load(address(base, offset), kind, constant))

    def load_word(self, base: Expression, index: Expression, kind: MachineType = I64) -> Expression:
        """An element of an array of words."""
        return self.load(base, self.let(index * 8), kind)

    # Statements

    def emit(self, statement: Statement) -> None:
        self._rows[-1].append(statement)

    @property
    def is_closed(self) -> bool:
        """Whether control never reaches this point."""
        row = self._rows[-1]
        return bool(row) and _ends(row[-1])

    def set(self, target: Local, value: Expression) -> None:
        self.emit(Set(target, value))

    def store(self, base: Expression, offset: Number, value: Expression) -> None:
        self.emit(Store(address(base, offset), value))

    def copy(self, to: Expression, source: Expression, length: Number) -> None:
        self.emit(Copy(to, source, const(length) if isinstance(length, int) else length))

    def fill(self, to: Expression, byte: int, length: Number) -> None:
        self.emit(Fill(to, byte, const(length) if isinstance(length, int) else length))

    def call(
        self, function: str, arguments: Sequence[Expression], results: Sequence[MachineType] = ()
    ) -> tuple[Local, ...]:
        targets = tuple(Local(self.name_for("r"), kind) for kind in results)
        self.emit(Call(targets, function, tuple(arguments)))
        return targets

    def give(self, *values: Expression) -> None:
        self.emit(Return(values))

    def leave(self, label: str) -> None:
        self.emit(Break(label))

    def leave_if(self, condition: Expression, label: str) -> None:
        with self.when(condition):
            self.leave(label)

    def again(self, label: str) -> None:
        self.emit(Continue(label))

    @contextmanager
    def when(self, condition: Expression, *, unlikely: bool = False) -> Iterator[None]:
        self._rows.append([])
        yield
        then = tuple(self._rows.pop())
        self.emit(If(condition, then, (), unlikely))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The else branch, directly after `when`."""
        last = self._rows[-1].pop()
        assert isinstance(last, If) and not last.otherwise
        self._rows.append([])
        yield
        other = tuple(self._rows.pop())
        self.emit(If(last.condition, last.then, other, last.unlikely))

    @contextmanager
    def loop(self, hint: str = "each") -> Iterator[str]:
        label = self.name_for(hint)
        self._rows.append([])
        yield label
        self.emit(Loop(label, tuple(self._rows.pop())))

    @contextmanager
    def count(
        self, length: Expression | int, hint: str = "i", first: Expression | None = None
    ) -> Iterator[tuple[Local, str]]:
        """A loop over 0 … length - 1, or from another first number, in the type of the length."""
        end = const(length) if isinstance(length, int) else length
        before = const(-1, end.kind) if first is None else first - 1
        at = self.variable(before, hint)
        with self.loop() as label:
            self.set(at, at + 1)
            self.leave_if(at >= end, label)
            yield at, label

    def exists(self, length: Expression, test: Callable[[Local], Expression]) -> Local:
        """Whether a test is true for one of 0 … length - 1."""
        found = self.variable(const(0, I1), "exists")
        with self.count(length) as (at, label):
            with self.when(test(at)):
                self.set(found, const(1, I1))
                self.leave(label)
        return found

    def switch(
        self,
        value: Expression,
        cases: Sequence[tuple[int, Sequence[Statement]]],
        default: Sequence[Statement],
    ) -> None:
        self.emit(Switch(value, tuple((number, tuple(body)) for number, body in cases), tuple(default)))

    @contextmanager
    def apart(self) -> Iterator[list[Statement]]:
        """Collect statements without emitting them."""
        row: list[Statement] = []
        self._rows.append(row)
        yield row
        self._rows.pop()

    def finish(
        self, *, exported: bool = False, apart: bool = False, often: bool = False, seldom: bool = False
    ) -> Function:
        assert len(self._rows) == 1
        function = Function(
            self.name, self.parameters, self.results, _pruned(self._rows[0]), exported, apart, often, seldom
        )
        self.module.add(function)
        return function


JUMPS = frozenset((Return, Break, Continue))


def _ends(statement: Statement) -> bool:
    match statement:
        case Return() | Break() | Continue():
            return True
        case If(_, then, otherwise):
            return bool(then and otherwise and _ends(then[-1]) and _ends(otherwise[-1]))
        case Switch(_, cases, default):
            return bool(default and _ends(default[-1])) and all(body and _ends(body[-1]) for _, body in cases)
        case _:
            return False


def _pruned(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Remove unreachable statements, after a jump or under a constant condition."""
    found: list[Statement] = []
    for statement in statements:
        kind = type(statement)
        if kind not in NESTING:
            found.append(statement)
            if kind in JUMPS:
                break
            continue
        match statement:
            case If(Const(value), then, otherwise):
                found += _pruned(then if value else otherwise)
                if found and _never_ends(found[-1]):
                    break
                continue
            case If(condition, then, otherwise, unlikely):
                statement = If(condition, _pruned(then), _pruned(otherwise), unlikely)
            case Loop(label, body):
                statement = Loop(label, _pruned(body))
            case Switch(value, cases, default):
                statement = Switch(value, tuple((n, _pruned(body)) for n, body in cases), _pruned(default))
            case _:
                pass
        found.append(statement)
        if _never_ends(statement):
            break
    return tuple(found)


def _never_ends(statement: Statement) -> bool:
    """Whether control never reaches the next statement."""
    return _ends(statement) or (isinstance(statement, Loop) and not is_left(statement.body, statement.label))
