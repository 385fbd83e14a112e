"""The IR as readable text."""

from collections.abc import Iterator

from ludograph.tgdl.native.ir import nodes as ir


def show(module: ir.Module) -> str:
    """A module as readable text."""
    lines = [f"data {name}: {ir.size_of(data)} bytes" for name, data in sorted(module.data.items())]
    for function in module.functions.values():
        parameters = ", ".join(f"{each.name}: {each.kind.value}" for each in function.parameters)
        results = ", ".join(kind.value for kind in function.results) or "nothing"
        mark = "export " if function.exported else ""
        lines += ["", f"{mark}function {function.name}({parameters}) gives {results}"]
        lines += _show_all(function.body, 1)
    return "\n".join(lines) + "\n"


def _show_all(statements: tuple[ir.Statement, ...], depth: int) -> Iterator[str]:
    for statement in statements:
        yield from _show_statement(statement, depth)


def _show_statement(statement: ir.Statement, depth: int) -> Iterator[str]:
    tab = "  " * depth
    match statement:
        case ir.Set(target, value):
            yield f"{tab}{target.name} = {text(value)}"
        case ir.Store(address, value):
            yield f"{tab}{value.kind.value}[{text(address)}] = {text(value)}"
        case ir.Copy(to, source, length):
            yield f"{tab}copy {text(length)} bytes from {text(source)} to {text(to)}"
        case ir.Fill(to, byte, length):
            yield f"{tab}fill {text(length)} bytes at {text(to)} with {byte}"
        case ir.StackSlot(target, size):
            yield f"{tab}{target.name} = stack slot of {size} bytes"
        case ir.Call(targets, function, arguments):
            given = ", ".join(target.name for target in targets)
            call = f"{function}({', '.join(text(each) for each in arguments)})"
            yield f"{tab}{given} = {call}" if given else f"{tab}{call}"
        case ir.If(condition, then, otherwise, unlikely):
            yield f"{tab}if {text(condition)}{' (unlikely)' if unlikely else ''}"
            yield from _show_all(then, depth + 1)
            if otherwise:
                yield f"{tab}else"
                yield from _show_all(otherwise, depth + 1)
        case ir.Loop(label, body):
            yield f"{tab}loop {label}"
            yield from _show_all(body, depth + 1)
        case ir.Break(label):
            yield f"{tab}break {label}"
        case ir.Continue(label):
            yield f"{tab}continue {label}"
        case ir.Switch(value, cases, default):
            yield f"{tab}switch {text(value)}"
            for number, body in cases:
                yield f"{tab}  case {number}"
                yield from _show_all(body, depth + 2)
            yield f"{tab}  otherwise"
            yield from _show_all(default, depth + 2)
        case ir.Return(values):
            yield f"{tab}return {', '.join(text(each) for each in values)}".rstrip()


def text(value: ir.Expression) -> str:
    """An expression as readable text."""
    match value:
        case ir.Const(number, kind):
            return f"{number}" if kind in (ir.I32, ir.F64) else f"{number}:{kind.value}"
        case ir.Local(name):
            return name
        case ir.Data(name):
            return f"@{name}"
        case ir.Op(name, operands, kind):
            inner = ", ".join(text(each) for each in operands)
            return f"{name}.{kind.value}({inner})" if name in ir.CONVERSIONS else f"{name}({inner})"
        case ir.Address(base, offset):
            return f"{text(base)} + {text(offset)}"
        case ir.Load(address, kind):
            return f"{kind.value}[{text(address)}]"
        case ir.Lanes(address, count, byte):
            return f"lanes({count} bytes at {text(address)}, {text(byte)})"
