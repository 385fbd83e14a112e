"""The typed intermediate representation (IR): functions of statements over machine values.

Expressions have no side effects. Everything with a side effect (a store, a call) is a statement, so the order
of evaluation is explicit. A local may be assigned many times. Control flow is structured: `If`, `Loop` with
`Break` and `Continue` by label, `Switch`. `show` prints a module, `verify` finds malformed functions.
"""

import operator
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

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
    F32 = "f32"
    F64 = "f64"
    PTR = "ptr"

    @property
    def size(self) -> int:
        return SIZES[self]

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


I1, I8, I16, I32, I64, I128, I256, F32, F64, PTR = MachineType
SIZES = {I1: 1, I8: 1, I16: 2, I32: 4, I64: 8, I128: 16, I256: 32, F32: 4, F64: 8, PTR: 8}
WHOLE = {I1: 1, I8: 8, I16: 16, I32: 32, I64: 64, I128: 128, I256: 256}
"""The integer types and their bits."""

ARITHMETIC = frozenset("add sub mul sdiv srem udiv urem and or xor shl lshr ashr".split())
FLOATING = frozenset("fadd fsub fmul fdiv frem".split())
COMPARISONS = frozenset("eq ne slt sle sgt sge ult ule ugt uge".split())
FLOAT_COMPARISONS = frozenset("oeq one une olt ole ogt oge uno ord".split())
CONVERSIONS = frozenset(
    "zext sext trunc sitofp uitofp fptosi fptrunc fpext bitcast inttoptr ptrtoint".split()
)
INTRINSICS = {
    "floor": 1, "ceil": 1, "fabs": 1, "sqrt": 1, "log": 1, "exp": 1, "pow": 2, "minnum": 2, "maxnum": 2,
    "ctpop": 1, "cttz": 1, "umin": 2, "umax": 2, "smin": 2, "smax": 2,
}  # fmt: skip


class _Operators(Struct, frozen=True):
    """The operators of expressions, with constant folding. A number gets the type of the other operand.

    `<` and its kin compare signed numbers or decimals; `>>` shifts zeros in. `==` compares the expressions
    themselves, and `eq` is the operation.
    """

    def __add__(self: Any, other: "Operand") -> "Expression":
        return binary("add", self, other)

    def __sub__(self: Any, other: "Operand") -> "Expression":
        return binary("sub", self, other)

    def __mul__(self: Any, other: "Operand") -> "Expression":
        return binary("mul", self, other)

    def __truediv__(self: Any, other: "Operand") -> "Expression":
        return binary("div", self, other)

    def __and__(self: Any, other: "Operand") -> "Expression":
        return binary("and", self, other)

    def __or__(self: Any, other: "Operand") -> "Expression":
        return binary("or", self, other)

    def __xor__(self: Any, other: "Operand") -> "Expression":
        return binary("xor", self, other)

    def __lshift__(self: Any, other: "Operand") -> "Expression":
        return binary("shl", self, other)

    def __rshift__(self: Any, other: "Operand") -> "Expression":
        return binary("lshr", self, other)

    def __invert__(self: Any) -> "Expression":
        return negate(self)

    def __lt__(self: Any, other: "Operand") -> "Expression":
        return compare("slt", self, other)

    def __le__(self: Any, other: "Operand") -> "Expression":
        return compare("sle", self, other)

    def __gt__(self: Any, other: "Operand") -> "Expression":
        return compare("sgt", self, other)

    def __ge__(self: Any, other: "Operand") -> "Expression":
        return compare("sge", self, other)

    def eq(self: Any, other: "Operand") -> "Expression":
        return compare("eq", self, other)

    def ne(self: Any, other: "Operand") -> "Expression":
        return compare("ne", self, other)

    def ult(self: Any, other: "Operand") -> "Expression":
        return compare("ult", self, other)

    def ule(self: Any, other: "Operand") -> "Expression":
        return compare("ule", self, other)

    def ugt(self: Any, other: "Operand") -> "Expression":
        return compare("ugt", self, other)

    def uge(self: Any, other: "Operand") -> "Expression":
        return compare("uge", self, other)

    def is_nan(self: Any) -> "Expression":
        return compare("uno", self, self)


class Const(_Operators, frozen=True):
    value: int | float
    kind: MachineType


class Local(_Operators, frozen=True):
    """A parameter or a variable of a function."""

    name: str
    kind: MachineType


class Data(_Operators, frozen=True):
    """The address of constant data."""

    name: str
    kind: MachineType = PTR


class Op(_Operators, frozen=True):
    """An operation on values: arithmetic, comparison, conversion, `select`, an intrinsic."""

    name: str
    operands: tuple["Expression", ...]
    kind: MachineType


class Address(_Operators, frozen=True):
    """An address plus an offset in bytes."""

    base: "Expression"
    offset: "Expression"
    kind: MachineType = PTR


class Load(_Operators, frozen=True):
    address: "Expression"
    kind: MachineType
    constant: bool = False
    """The memory never changes."""


class Lanes(_Operators, frozen=True):
    """A vector comparison: one bit for each byte at an address that equals a byte, the first one lowest."""

    address: "Expression"
    count: int
    """8, 16, 32 or 64."""
    byte: "Expression"
    kind: MachineType = I64


Expression = Const | Local | Data | Op | Address | Load | Lanes
Operand = Expression | float


FOLDED = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
FLOAT_COMPARISON = {"slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge", "eq": "oeq", "ne": "une"}


def _typed(number: "Operand", kind: MachineType) -> Expression:
    """An operand: a number becomes a constant of a type."""
    if isinstance(number, int | float):
        return Const(float(number) if kind is F64 else int(number), kind)
    return number


def binary(name: str, left: Expression, right: "Operand") -> Expression:
    """A binary operation on two values of one type, with constant folding."""
    other = _typed(right, left.kind)
    if left.kind is F64:
        return Op(name if name in FLOATING else f"f{name}", (left, other), F64)
    if left.kind is I1 and name in ("and", "or"):
        for known, rest in ((left, other), (other, left)):
            if isinstance(known, Const):
                return rest if bool(known.value) is (name == "and") else known
    if isinstance(left, Const) and isinstance(other, Const) and left.kind is I64 and name in FOLDED:
        return Const(wrapped(FOLDED[name](int(left.value), int(other.value)), I64), I64)
    if isinstance(other, Const):
        if name in ("add", "sub", "or", "shl") and other.value == 0:
            return left
        if name == "mul" and other.value == 1:
            return left
    return Op(name, (left, other), left.kind)


def wrapped(number: int, kind: MachineType) -> int:
    """A number wrapped to the range of a signed integer type."""
    half = 1 << WHOLE[kind] - 1
    return (number + half) % (2 * half) - half


def compare(name: str, left: Expression, right: "Operand") -> Expression:
    if left.kind is F64:
        name = FLOAT_COMPARISON.get(name, name)
    return Op(name, (left, _typed(right, left.kind)), I1)


def negate(value: Expression) -> Expression:
    if isinstance(value, Const):
        return Const(0 if value.value else 1, I1)
    return Op("xor", (value, Const(1, I1)), I1)


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
NESTING = frozenset((If, Loop, Switch))
"""The statements that contain others."""


def each_statement(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements and all nested statements, in source order."""
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        yield statement
        if type(statement) not in NESTING:
            continue  # most statements; a `match` tests each class in turn
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


def size_of(data: tuple[bytes | str, ...]) -> int:
    """The size of constant data in bytes."""
    return sum(8 if isinstance(part, str) else len(part) for part in data)


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
LONG = "long"
"""The LLVM attributes of hot, cold and very long functions. Only hot functions get all passes."""
