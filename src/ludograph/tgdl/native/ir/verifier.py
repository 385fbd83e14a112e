"""The verifier: it finds malformed functions of the IR."""

from collections.abc import Mapping

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.printer import text


class Malformed(Exception):
    """The module is malformed: a bug in the code generator."""


def verify(module: ir.Module) -> None:
    """Raise `Malformed` if a function is not well-formed."""
    for function in module.functions.values():
        _Verifier(module, function).run()


def verify_last(modules: Mapping[str, ir.Module]) -> None:
    """Verify the last of the modules that the steps of a compilation made.

    Passes keep all functions, so a mistake of an earlier step is in the last module too. To verify every
    module would take half of the time of a compilation. If the last one is malformed, the error names the
    first step that made a malformed module.
    """
    *_, last = modules.values()
    try:
        verify(last)
    except Malformed:
        for step, module in modules.items():
            try:
                verify(module)
            except Malformed as error:
                raise Malformed(f"after {step}: {error}") from None
        raise


class _Verifier:
    def __init__(self, module: ir.Module, function: ir.Function) -> None:
        self.module = module
        self.function = function
        self.locals: dict[str, ir.MachineType] = {each.name: each.kind for each in function.parameters}

    def run(self) -> None:
        for statement in ir.each_statement(self.function.body):
            match statement:
                case ir.Set(target) | ir.StackSlot(target):
                    self._declare(target)
                case ir.Call(targets):
                    for target in targets:
                        self._declare(target)
                case _:
                    pass
        ends = self._statements(self.function.body, ())
        if self.function.results and not ends:
            self._fail("control reaches the end without a return")

    def _fail(self, message: str) -> None:
        raise Malformed(f"function {self.function.name}: {message}")

    def _declare(self, target: ir.Local) -> None:
        if self.locals.setdefault(target.name, target.kind) is not target.kind:
            self._fail(f"{target.name} has two types")

    def _statements(self, statements: tuple[ir.Statement, ...], labels: tuple[str, ...]) -> bool:
        """Verify statements; returns whether control never reaches their end."""
        ends = False
        for statement in statements:
            if ends:
                self._fail(f"unreachable statement after a jump: {statement}")
            ends = self._statement(statement, labels)
        return ends

    def _statement(self, statement: ir.Statement, labels: tuple[str, ...]) -> bool:
        match statement:
            case ir.Set(target, value):
                self._want(value, target.kind, f"the value of {target.name}")
            case ir.Store(address, value):
                self._want(address, ir.PTR, "an address")
                self._check(value)
            case ir.Copy(to, source, length):
                self._want(to, ir.PTR, "an address")
                self._want(source, ir.PTR, "an address")
                self._want(length, ir.I64, "a length")
            case ir.Fill(to, _, length):
                self._want(to, ir.PTR, "an address")
                self._want(length, ir.I64, "a length")
            case ir.StackSlot(target, size):
                if target.kind is not ir.PTR or size < 0:
                    self._fail("a stack allocation needs an address and a size")
            case ir.Call():
                self._call(statement)
            case ir.If(condition, then, otherwise):
                self._want(condition, ir.I1, "a condition")
                first, second = self._statements(then, labels), self._statements(otherwise, labels)
                return first and second
            case ir.Loop(label, body):
                if label in labels:
                    self._fail(f"two nested loops have the label {label}")
                self._statements(body, (*labels, label))
                return not ir.is_left(body, label)
            case ir.Break(label) | ir.Continue(label):
                if label not in labels:
                    self._fail(f"there is no enclosing loop {label}")
                return True
            case ir.Switch(value, cases, default):
                self._check(value)
                ends = [self._statements(body, labels) for _, body in cases]
                return self._statements(default, labels) and all(ends)
            case ir.Return(values):
                kinds = tuple(value.kind for value in values)
                if kinds != self.function.results:
                    self._fail(f"returns {kinds}, not {self.function.results}")
                for value in values:
                    self._check(value)
                return True
        return False

    def _call(self, call: ir.Call) -> None:
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

    def _want(self, value: ir.Expression, kind: ir.MachineType, what: str) -> None:
        if value.kind is not kind:
            self._fail(f"{what} is {kind.value}, not {value.kind.value}: {text(value)}")
        self._check(value)

    def _check(self, value: ir.Expression) -> None:
        match value:
            case ir.Const(number, kind):
                if (kind is ir.F64) is not isinstance(number, float):
                    self._fail(f"{number!r} is no {kind.value}")
                if kind in ir.WHOLE and not -1 << ir.WHOLE[kind] - 1 <= number < 1 << ir.WHOLE[kind]:
                    self._fail(f"{number!r} has more bits than {kind.value}")
            case ir.Local(name, kind):
                if self.locals.get(name) is not kind:
                    self._fail(f"{name} is never assigned, or has another type")
            case ir.Data(name):
                if name not in self.module.data:
                    self._fail(f"there is no data {name}")
            case ir.Address(base, offset):
                self._want(base, ir.PTR, "an address")
                self._want(offset, ir.I64, "an offset")
            case ir.Load(address):
                self._want(address, ir.PTR, "an address")
            case ir.Lanes(address, count, byte, kind):
                self._want(address, ir.PTR, "an address")
                self._want(byte, ir.I8, "a byte")
                if count not in (8, 16, 32, 64) or kind is not ir.I64:
                    self._fail(f"{text(value)} does not fit")
            case ir.Op(name, operands, kind):
                for operand in operands:
                    self._check(operand)
                if not _fits(name, tuple(operand.kind for operand in operands), kind):
                    self._fail(f"{text(value)} does not fit")


def _fits(name: str, kinds: tuple[ir.MachineType, ...], kind: ir.MachineType) -> bool:
    if name in ir.ARITHMETIC:
        return kinds == (kind, kind) and kind in ir.WHOLE
    if name in ir.FLOATING:
        return kinds == (ir.F64, ir.F64) and kind is ir.F64
    if name in ir.COMPARISONS:
        return kind is ir.I1 and len(kinds) == 2 and kinds[0] is kinds[1] and kinds[0] is not ir.F64
    if name in ir.FLOAT_COMPARISONS:
        return kind is ir.I1 and kinds == (ir.F64, ir.F64)
    if name == "select":
        return len(kinds) == 3 and kinds == (ir.I1, kind, kind)
    if name in ir.INTRINSICS:
        return len(kinds) == ir.INTRINSICS[name] and all(each is kind for each in kinds)
    if len(kinds) != 1:
        return False
    bits, wide = ir.WHOLE.get(kinds[0]), ir.WHOLE.get(kind)
    match name:
        case "zext" | "sext":
            return bits is not None and wide is not None and bits < wide
        case "trunc":
            return bits is not None and wide is not None and bits > wide
        case "sitofp" | "uitofp":
            return bits is not None and kind is ir.F64
        case "fptosi":
            return kinds[0] is ir.F64 and wide is not None
        case "fptrunc":
            return kinds[0] is ir.F64 and kind is ir.F32
        case "fpext":
            return kinds[0] is ir.F32 and kind is ir.F64
        case "inttoptr":
            return kinds[0] is ir.I64 and kind is ir.PTR
        case "ptrtoint":
            return kinds[0] is ir.PTR and kind is ir.I64
        case "bitcast":
            return {kinds[0], kind} == {ir.F64, ir.I64}
        case _:
            return False
