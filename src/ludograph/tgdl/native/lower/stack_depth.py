"""Stack guards: a run stops before it overflows the stack of its thread.

An exported function gets the size of the stack from its caller. The stack use of functions that are not
recursive is estimated and reserved; a recursive function checks the stack pointer first. A run that stops for
lack of stack is run again in a thread with a larger stack, which the creator of the execution context
provides, because this package starts no threads.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import address, const
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
    loops = _loops(calls)
    need = LEAST + 2 * _longest(module, calls, loops)
    recursive = {name for name in calls if len(loops[name]) > 1 or name in calls[name]}
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
    room = ir.Local("stack.room", ir.I64)
    yield ir.Set(room, ir.Load(_field(plan, "stack_size"), ir.I64))
    (yield ir.If(room < need, _stop(function, plan), (), True))
    (yield ir.Store(_field(plan, "stack_end"), ir.Address(HERE, const(need) - room)))


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
    rooms = 0
    for statement in ir.each_statement(function.body):
        match statement:
            case ir.Set(target):
                locals_.add(target.name)
            case ir.Call(targets):
                locals_ |= {each.name for each in targets}
            case ir.StackSlot(_, size):
                rooms += size + 16
            case _:
                pass
    return BYTES_OF_CALL + rooms + BYTES_OF_LOCAL * len(locals_)


def _longest(module: ir.Module, calls: Mapping[str, set[str]], loops: Mapping[str, frozenset[str]]) -> int:
    """The bytes of the longest path through the call graph, with each strongly connected component once."""
    known: dict[frozenset[str], int] = {}
    for loop in _callees_first(calls, loops):
        own = max(_frame(module.functions[name]) for name in loop)
        further = [known[loops[other]] for name in loop for other in calls[name] if other not in loop]
        known[loop] = own + max(further, default=0)
    return max(known.values())


def _callees_first(
    calls: Mapping[str, set[str]], loops: Mapping[str, frozenset[str]]
) -> Iterator[frozenset[str]]:
    done: set[frozenset[str]] = set()
    for first in calls:
        waiting = [loops[first]]
        while waiting:
            loop = waiting[-1]
            missing = {loops[other] for name in loop for other in calls[name]} - done - {loop}
            if missing:
                waiting.append(missing.pop())
                continue
            waiting.pop()
            if loop not in done:
                done.add(loop)
                yield loop


def _loops(calls: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    """For each function those that lead to it and that it leads to, itself included (after Tarjan)."""
    found: dict[str, frozenset[str]] = {}
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    for first in calls:
        if first in number:
            continue
        work = [(first, iter(sorted(calls[first])))]
        number[first] = lowest[first] = len(number)
        path.append(first)
        while work:
            name, others = work[-1]
            other = next(others, None)
            if other is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[name])
                if lowest[name] == number[name]:
                    at = path.index(name)
                    loop = frozenset(path[at:])
                    del path[at:]
                    found |= dict.fromkeys(loop, loop)
            elif other not in number:
                number[other] = lowest[other] = len(number)
                path.append(other)
                work.append((other, iter(sorted(calls[other]))))
            elif other not in found:
                lowest[name] = min(lowest[name], number[other])
    return found
