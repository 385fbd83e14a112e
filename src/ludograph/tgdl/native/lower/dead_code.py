"""Dead-code elimination over a whole module.

A scope that may leave lists in the arena saves the arena pointer and restores it at the end. In a function
that never allocates in the arena, nor calls one that does, the restore is dead code.

Functions that only the setup calls run once per game, so they are marked as cold.
"""

from msgspec.structs import replace

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import address
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.lower.routine import CTX

SETUP = "setup"


def remove_dead_code(module: ir.Module, plan: Plan) -> ir.Module:
    """Remove dead arena restores, and mark the functions of the setup as cold."""
    field = address(CTX, plan.context["arena"])
    calls: dict[str, set[str]] = {}
    marked: set[str] = set()
    busy: set[str] = set()
    for function in module.functions.values():
        calls[function.name], marks = _look(function, field)
        if marks is None:
            busy.add(function.name)
        elif marks:
            marked.add(function.name)
    waiting = list(busy)
    callers: dict[str, set[str]] = {}
    for name, called in calls.items():
        for other in called:
            callers.setdefault(other, set()).add(name)
    while waiting:
        new = callers.get(waiting.pop(), set()) - busy
        busy |= new
        waiting += new
    seldom = _only_in_setup(module, calls)
    made = ir.Module({}, module.data)
    for function in module.functions.values():
        if function.name in marked and function.name not in busy:
            function = replace(function, body=_without(function.body, field))
        if function.name in seldom:
            function = replace(function, often=False, seldom=True)
        made.add(function)
    return made


def _only_in_setup(module: ir.Module, calls: dict[str, set[str]]) -> set[str]:
    """The functions that only the setup reaches."""
    found = {name for name, function in module.functions.items() if function.exported}
    waiting = list(found)
    while waiting:
        new = calls[waiting.pop()] - found - {SETUP}
        found |= new
        waiting += new
    return set(calls) - found


def _look(function: ir.Function, field: ir.Expression) -> tuple[set[str], bool | None]:
    """What a function calls, and whether it goes back in the arena; None: it does something else there."""
    calls: set[str] = set()
    marks: set[ir.Expression] = set()
    sets: dict[ir.Local, int] = {}
    stored: list[ir.Expression] = []
    for statement in ir.each_statement(function.body):
        match statement:
            case ir.Set(target, value):
                sets[target] = sets.get(target, 0) + 1
                if isinstance(value, ir.Load) and value.address == field:
                    marks.add(target)
            case ir.Store(address, value):
                if address == field:
                    stored.append(value)
            case ir.Call(_, name):
                calls.add(name)
            case _:
                pass
    goes_back = all(value in marks and sets[value] == 1 for value in stored if isinstance(value, ir.Local))
    if not goes_back or not all(isinstance(value, ir.Local) for value in stored):
        return calls, None
    return calls, bool(stored)


def _without(statements: tuple[ir.Statement, ...], field: ir.Expression) -> tuple[ir.Statement, ...]:
    found: list[ir.Statement] = []
    for statement in statements:
        match statement:
            case ir.Store(address, _) if address == field:
                continue
            case ir.If(condition, then, otherwise, unlikely):
                found.append(ir.If(condition, _without(then, field), _without(otherwise, field), unlikely))
            case ir.Loop(label, body):
                found.append(ir.Loop(label, _without(body, field)))
            case ir.Switch(value, cases, default):
                rows = tuple((number, _without(body, field)) for number, body in cases)
                found.append(ir.Switch(value, rows, _without(default, field)))
            case _:
                found.append(statement)
    return tuple(found)
