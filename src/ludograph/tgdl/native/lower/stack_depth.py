"""Stack guards: a run stops before it overflows the stack of its thread.

An exported function gets the size of the stack from its caller. The stack use of functions that are not
recursive is estimated and reserved; a recursive function checks the stack pointer first. A run that stops for
lack of stack is run again in a thread with a larger stack, which the creator of the execution context
provides, because this package starts no threads.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import address, const
from ludograph.tgdl.native.ir.cycles import find_cycles
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.routine import CTX

BYTES_OF_LOCAL = 16
BYTES_OF_CALL = 256
LEAST = 1 << 15
"""A reserve for library functions, such as `pow`."""
HERE = ir.Local("stack.here", ir.PTR)


def add_stack_guards(module: ir.Module, plan: Plan) -> ir.Module:
    """Add stack guards to the functions of a module."""
    calls = {name: set(_calls(function.body)) for name, function in module.functions.items()}
    cycles = list(find_cycles(calls))
    need = LEAST + 2 * _longest(module, calls, cycles)
    recursive = {name for cycle in cycles for name in cycle if len(cycle) > 1 or name in calls[name]}
    made = ir.Module({}, dict(module.data))
    for function in module.functions.values():
        begin: tuple[ir.Statement, ...] = ()
        if function.exported and function.results[:1] == (ir.I32,):
            begin = tuple(_begin(function, plan, need))
        elif function.name in recursive:
            assert function.results[:1] == (ir.I32,), f"{function.name} returns no status"
            begin = tuple(_check_stack(function, plan))
        made.add(replace(function, body=(*begin, *function.body)))
    return made


def _field(plan: Plan, name: str) -> ir.Expression:
    return address(CTX, plan.context[name])


def _stop(function: ir.Function, plan: Plan) -> tuple[ir.Statement, ...]:
    rest = (const(0, kind) for kind in function.results[1:])
    return (
        ir.Store(_field(plan, "stack_overflow"), const(1, ir.I32)),
        ir.Return((const(GROW, ir.I32), *rest)),
    )


def _begin(function: ir.Function, plan: Plan, need: int) -> Iterator[ir.Statement]:
    """In an exported function: set the limit of the stack pointer."""
    yield ir.StackSlot(HERE, 8)
    available = ir.Local("stack.available", ir.I64)
    yield ir.Set(available, ir.Load(_field(plan, "stack_size"), ir.I64))
    (yield ir.If(available < need, _stop(function, plan), (), True))
    (yield ir.Store(_field(plan, "stack_end"), ir.Address(HERE, const(need) - available)))


def _check_stack(function: ir.Function, plan: Plan) -> Iterator[ir.Statement]:
    yield ir.StackSlot(HERE, 8)
    (yield ir.If(HERE.ult(ir.Load(_field(plan, "stack_end"), ir.PTR)), _stop(function, plan), (), True))


# Stack use of functions


def _calls(statements: tuple[ir.Statement, ...]) -> Iterator[str]:
    for statement in ir.each_statement(statements):
        if isinstance(statement, ir.Call):
            yield statement.function


def _frame(function: ir.Function) -> int:
    """An estimate of the largest stack frame of a function in bytes."""
    locals_ = {each.name for each in function.parameters}
    slots = 0
    for statement in ir.each_statement(function.body):
        match statement:
            case ir.Set(target):
                locals_.add(target.name)
            case ir.Call(targets):
                locals_ |= {each.name for each in targets}
            case ir.StackSlot(_, size):
                slots += size + 16
            case _:
                pass
    return BYTES_OF_CALL + slots + BYTES_OF_LOCAL * len(locals_)


def _longest(module: ir.Module, calls: Mapping[str, set[str]], cycles: Sequence[tuple[str, ...]]) -> int:
    """The bytes of the longest path through the call graph, with each cycle of calls once."""
    known: dict[str, int] = {}
    for cycle in cycles:  # callees first
        own = max(_frame(module.functions[name]) for name in cycle)
        further = (known[other] for name in cycle for other in calls[name] if other in known)
        known |= dict.fromkeys(cycle, own + max(further, default=0))
    return max(known.values())
