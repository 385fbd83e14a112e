"""The typed intermediate representation (IR): functions of statements over machine values.

Expressions have no side effects. Everything with a side effect (a store, a call) is a statement, so the order
of evaluation is explicit. A local may be assigned many times. Control flow is structured: `If`, `Loop` with
`Break` and `Continue` by label, `Switch`. `show` prints a module, `verify` finds malformed functions.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct, field


class MachineType(Enum):
    """The types of machine values."""

    I1 = "i1"
    I8 = "i8"
    I16 = "i16"
    I32 = "i32"
    I64 = "i64"
    I128 = "i128"
    I256 = "i256"
    F64 = "f64"
    PTR = "ptr"

    @property
    def size(self) -> int:
        return SIZES[self]

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


I1, I8, I16, I32, I64, I128, I256, F64, PTR = MachineType
SIZES = {I1: 1, I8: 1, I16: 2, I32: 4, I64: 8, I128: 16, I256: 32, F64: 8, PTR: 8}
WHOLE = {I1: 1, I8: 8, I16: 16, I32: 32, I64: 64, I128: 128, I256: 256}
"""The integer types and their bits."""

ARITHMETIC = frozenset("add sub mul sdiv srem udiv urem and or xor shl lshr ashr".split())
FLOATING = frozenset("fadd fsub fmul fdiv frem".split())
COMPARISONS = frozenset("eq ne slt sle sgt sge ult ule ugt uge".split())
FLOAT_COMPARISONS = frozenset("oeq one une olt ole ogt oge uno ord".split())
CONVERSIONS = frozenset("zext sext trunc sitofp uitofp fptosi bitcast inttoptr ptrtoint".split())
INTRINSICS = {
    "floor": 1, "ceil": 1, "fabs": 1, "pow": 2, "minnum": 2, "maxnum": 2,
    "ctpop": 1, "cttz": 1, "umin": 2, "umax": 2, "smin": 2, "smax": 2,
}  # fmt: skip


class Const(Struct, frozen=True):
    value: int | float
    kind: MachineType


class Local(Struct, frozen=True):
    """A parameter or a variable of a function."""

    name: str
    kind: MachineType


class Data(Struct, frozen=True):
    """The address of constant data."""

    name: str
    kind: MachineType = PTR


class Op(Struct, frozen=True):
    """An operation on values: arithmetic, comparison, conversion, `select`, an intrinsic."""

    name: str
    operands: tuple["Expression", ...]
    kind: MachineType


class Address(Struct, frozen=True):
    """An address plus an offset in bytes."""

    base: "Expression"
    offset: "Expression"
    kind: MachineType = PTR


class Load(Struct, frozen=True):
    address: "Expression"
    kind: MachineType
    constant: bool = False
    """The memory never changes."""


class Lanes(Struct, frozen=True):
    """A vector comparison: one bit for each byte at an address that equals a byte, the first one lowest."""

    address: "Expression"
    count: int
    """8, 16, 32 or 64."""
    byte: "Expression"
    kind: MachineType = I64


Expression = Const | Local | Data | Op | Address | Load | Lanes


class Set(Struct, frozen=True):
    target: Local
    value: Expression


class Store(Struct, frozen=True):
    address: Expression
    value: Expression


class Copy(Struct, frozen=True):
    """Copy bytes; the two regions may overlap."""

    to: Expression
    source: Expression
    length: Expression


class Fill(Struct, frozen=True):
    to: Expression
    byte: int
    length: Expression


class StackSlot(Struct, frozen=True):
    """Allocate bytes on the stack of the function; the local is their address."""

    target: Local
    size: int


class Call(Struct, frozen=True):
    """A call of a function of the module; its results are assigned to locals."""

    targets: tuple[Local, ...]
    function: str
    arguments: tuple[Expression, ...]


class If(Struct, frozen=True):
    condition: Expression
    then: tuple["Statement", ...]
    otherwise: tuple["Statement", ...] = ()
    unlikely: bool = False


class Loop(Struct, frozen=True):
    """Repeat the body until a `Break` with its label."""

    label: str
    body: tuple["Statement", ...]


class Break(Struct, frozen=True):
    label: str


class Continue(Struct, frozen=True):
    label: str


class Switch(Struct, frozen=True):
    value: Expression
    cases: tuple[tuple[int, tuple["Statement", ...]], ...]
    default: tuple["Statement", ...]


class Return(Struct, frozen=True):
    values: tuple[Expression, ...]


Statement = Set | Store | Copy | Fill | StackSlot | Call | If | Loop | Break | Continue | Switch | Return


def each_statement(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements and all nested statements, in source order."""
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        match statement:
            case If(_, then, otherwise):
                waiting += reversed((*then, *otherwise))
            case Loop(_, body):
                waiting += reversed(body)
            case Switch(_, cases, default):
                waiting += reversed((*(each for _, body in cases for each in body), *default))
            case _:
                pass


def is_left(statements: Sequence[Statement], label: str) -> bool:
    """Whether a statement breaks out of the loop of a label."""
    return any(isinstance(each, Break) and each.label == label for each in each_statement(statements))


class Function(Struct, frozen=True):
    """A function with any number of results."""

    name: str
    parameters: tuple[Local, ...]
    results: tuple[MachineType, ...]
    body: tuple[Statement, ...]
    exported: bool = False
    apart: bool = False
    """Rarely called and large: it is never inlined."""
    often: bool = False
    """Hot: called in the loops of other functions. It gets the thorough passes."""
    seldom: bool = False
    """Cold: it runs once per game or move. In a large game its compile time matters more than its speed."""


class Module(Struct):
    """Functions and constant data. Mutable while it is built."""

    functions: dict[str, Function] = field(default_factory=dict)
    data: dict[str, tuple[bytes | str, ...]] = field(default_factory=dict)
    """Parts of constant data: bytes, or the name of other data, whose address is stored there."""

    def add(self, function: Function) -> None:
        assert function.name not in self.functions, function.name
        self.functions[function.name] = function


class Malformed(Exception):
    """The module is malformed: a bug in the code generator."""


# Printing


def show(module: Module) -> str:
    """A module as readable text."""
    lines = [f"data {name}: {size_of(data)} bytes" for name, data in sorted(module.data.items())]
    for function in module.functions.values():
        parameters = ", ".join(f"{each.name}: {each.kind.value}" for each in function.parameters)
        results = ", ".join(kind.value for kind in function.results) or "nothing"
        mark = "export " if function.exported else ""
        lines += ["", f"{mark}function {function.name}({parameters}) gives {results}"]
        lines += _show_all(function.body, 1)
    return "\n".join(lines) + "\n"


def size_of(data: tuple[bytes | str, ...]) -> int:
    """The size of constant data in bytes."""
    return sum(8 if isinstance(part, str) else len(part) for part in data)


def _show_all(statements: tuple[Statement, ...], depth: int) -> Iterator[str]:
    for statement in statements:
        yield from _show_statement(statement, depth)


def _show_statement(statement: Statement, depth: int) -> Iterator[str]:
    tab = "  " * depth
    match statement:
        case Set(target, value):
            yield f"{tab}{target.name} = {text(value)}"
        case Store(address, value):
            yield f"{tab}{value.kind.value}[{text(address)}] = {text(value)}"
        case Copy(to, source, length):
            yield f"{tab}copy {text(length)} bytes from {text(source)} to {text(to)}"
        case Fill(to, byte, length):
            yield f"{tab}fill {text(length)} bytes at {text(to)} with {byte}"
        case StackSlot(target, size):
            yield f"{tab}{target.name} = room of {size} bytes"
        case Call(targets, function, arguments):
            given = ", ".join(target.name for target in targets)
            call = f"{function}({', '.join(text(each) for each in arguments)})"
            yield f"{tab}{given} = {call}" if given else f"{tab}{call}"
        case If(condition, then, otherwise, unlikely):
            yield f"{tab}if {text(condition)}{' (unlikely)' if unlikely else ''}"
            yield from _show_all(then, depth + 1)
            if otherwise:
                yield f"{tab}else"
                yield from _show_all(otherwise, depth + 1)
        case Loop(label, body):
            yield f"{tab}loop {label}"
            yield from _show_all(body, depth + 1)
        case Break(label):
            yield f"{tab}break {label}"
        case Continue(label):
            yield f"{tab}continue {label}"
        case Switch(value, cases, default):
            yield f"{tab}switch {text(value)}"
            for number, body in cases:
                yield f"{tab}  case {number}"
                yield from _show_all(body, depth + 2)
            yield f"{tab}  otherwise"
            yield from _show_all(default, depth + 2)
        case Return(values):
            yield f"{tab}return {', '.join(text(each) for each in values)}".rstrip()


def text(value: Expression) -> str:
    """An expression as readable text."""
    match value:
        case Const(number, kind):
            return f"{number}" if kind in (I32, F64) else f"{number}:{kind.value}"
        case Local(name):
            return name
        case Data(name):
            return f"@{name}"
        case Op(name, operands, kind):
            inner = ", ".join(text(each) for each in operands)
            return f"{name}.{kind.value}({inner})" if name in CONVERSIONS else f"{name}({inner})"
        case Address(base, offset):
            return f"{text(base)} + {text(offset)}"
        case Load(address, kind):
            return f"{kind.value}[{text(address)}]"
        case Lanes(address, count, byte):
            return f"lanes({count} bytes at {text(address)}, {text(byte)})"


# Verifying


def verify(module: Module) -> None:
    """Raise `Malformed` if a function is not well-formed."""
    for function in module.functions.values():
        _Verifier(module, function).run()


class _Verifier:
    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.locals: dict[str, MachineType] = {each.name: each.kind for each in function.parameters}

    def run(self) -> None:
        for statement in each_statement(self.function.body):
            match statement:
                case Set(target) | StackSlot(target):
                    self._declare(target)
                case Call(targets):
                    for target in targets:
                        self._declare(target)
                case _:
                    pass
        ends = self._statements(self.function.body, ())
        if self.function.results and not ends:
            self._fail("control reaches the end without a return")

    def _fail(self, message: str) -> None:
        raise Malformed(f"function {self.function.name}: {message}")

    def _declare(self, target: Local) -> None:
        if self.locals.setdefault(target.name, target.kind) is not target.kind:
            self._fail(f"{target.name} has two types")

    def _statements(self, statements: tuple[Statement, ...], labels: tuple[str, ...]) -> bool:
        """Verify statements; returns whether control never reaches their end."""
        ends = False
        for statement in statements:
            if ends:
                self._fail(f"unreachable statement after a jump: {statement}")
            ends = self._statement(statement, labels)
        return ends

    def _statement(self, statement: Statement, labels: tuple[str, ...]) -> bool:
        match statement:
            case Set(target, value):
                self._want(value, target.kind, f"the value of {target.name}")
            case Store(address, value):
                self._want(address, PTR, "an address")
                self._check(value)
            case Copy(to, source, length):
                self._want(to, PTR, "an address")
                self._want(source, PTR, "an address")
                self._want(length, I64, "a length")
            case Fill(to, _, length):
                self._want(to, PTR, "an address")
                self._want(length, I64, "a length")
            case StackSlot(target, size):
                if target.kind is not PTR or size < 0:
                    self._fail("a stack allocation needs an address and a size")
            case Call():
                self._call(statement)
            case If(condition, then, otherwise):
                self._want(condition, I1, "a condition")
                first, second = self._statements(then, labels), self._statements(otherwise, labels)
                return first and second
            case Loop(label, body):
                if label in labels:
                    self._fail(f"two nested loops have the label {label}")
                self._statements(body, (*labels, label))
                return not is_left(body, label)
            case Break(label) | Continue(label):
                if label not in labels:
                    self._fail(f"there is no enclosing loop {label}")
                return True
            case Switch(value, cases, default):
                self._check(value)
                ends = [self._statements(body, labels) for _, body in cases]
                return self._statements(default, labels) and all(ends)
            case Return(values):
                kinds = tuple(value.kind for value in values)
                if kinds != self.function.results:
                    self._fail(f"returns {kinds}, not {self.function.results}")
                for value in values:
                    self._check(value)
                return True
        return False

    def _call(self, call: Call) -> None:
        known = self.module.functions.get(call.function)
        if known is None:
            self._fail(f"there is no function {call.function}")
            return
        wanted = tuple(each.kind for each in known.parameters)
        given = tuple(each.kind for each in call.arguments)
        if wanted != given:
            self._fail(f"{call.function} takes {wanted}, not {given}")
        if tuple(each.kind for each in call.targets) != known.results:
            self._fail(f"{call.function} returns {known.results}")
        for argument in call.arguments:
            self._check(argument)

    def _want(self, value: Expression, kind: MachineType, what: str) -> None:
        if value.kind is not kind:
            self._fail(f"{what} is {kind.value}, not {value.kind.value}: {text(value)}")
        self._check(value)

    def _check(self, value: Expression) -> None:
        match value:
            case Const(number, kind):
                if (kind is F64) is not isinstance(number, float):
                    self._fail(f"{number!r} is no {kind.value}")
                if kind in WHOLE and not -1 << WHOLE[kind] - 1 <= number < 1 << WHOLE[kind]:
                    self._fail(f"{number!r} has more bits than {kind.value}")
            case Local(name, kind):
                if self.locals.get(name) is not kind:
                    self._fail(f"{name} is never assigned, or has another type")
            case Data(name):
                if name not in self.module.data:
                    self._fail(f"there is no data {name}")
            case Address(base, offset):
                self._want(base, PTR, "an address")
                self._want(offset, I64, "an offset")
            case Load(address):
                self._want(address, PTR, "an address")
            case Lanes(address, count, byte, kind):
                self._want(address, PTR, "an address")
                self._want(byte, I8, "a byte")
                if count not in (8, 16, 32, 64) or kind is not I64:
                    self._fail(f"{text(value)} does not fit")
            case Op(name, operands, kind):
                for operand in operands:
                    self._check(operand)
                if not _fits(name, tuple(operand.kind for operand in operands), kind):
                    self._fail(f"{text(value)} does not fit")


def _fits(name: str, kinds: tuple[MachineType, ...], kind: MachineType) -> bool:
    if name in ARITHMETIC:
        return kinds == (kind, kind) and kind in WHOLE
    if name in FLOATING:
        return kinds == (F64, F64) and kind is F64
    if name in COMPARISONS:
        return kind is I1 and len(kinds) == 2 and kinds[0] is kinds[1] and kinds[0] is not F64
    if name in FLOAT_COMPARISONS:
        return kind is I1 and kinds == (F64, F64)
    if name == "select":
        return len(kinds) == 3 and kinds == (I1, kind, kind)
    if name in INTRINSICS:
        return len(kinds) == INTRINSICS[name] and all(each is kind for each in kinds)
    if len(kinds) != 1:
        return False
    bits, wide = WHOLE.get(kinds[0]), WHOLE.get(kind)
    match name:
        case "zext" | "sext":
            return bits is not None and wide is not None and bits < wide
        case "trunc":
            return bits is not None and wide is not None and bits > wide
        case "sitofp" | "uitofp":
            return bits is not None and kind is F64
        case "fptosi":
            return kinds[0] is F64 and wide is not None
        case "inttoptr":
            return kinds[0] is I64 and kind is PTR
        case "ptrtoint":
            return kinds[0] is PTR and kind is I64
        case "bitcast":
            return {kinds[0], kind} == {F64, I64}
        case _:
            return False


def layout_of(sizes: Mapping[str, int], start: int = 0) -> tuple[dict[str, int], int]:
    """The offsets of named fields, each aligned to its size (up to 8), and the total size."""
    offsets: dict[str, int] = {}
    at = start
    for name, size in sizes.items():
        step = min(8, size & -size) if size else 1
        at = (at + step - 1) // step * step
        offsets[name] = at
        at += size
    return offsets, (at + 7) // 8 * 8


THOROUGH = "thorough"
SELDOM = "seldom"
"""The LLVM attributes of hot functions, which get the thorough passes, and of cold ones."""
