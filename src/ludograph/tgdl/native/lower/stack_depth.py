"""Room on the stack of the machine: a run that finds too little stops before it is used up.

Whatever is called from outside is told how many bytes of stack there are. What the functions need that do not
lead to themselves is estimated, and kept free; each of the others looks, before anything else, how far the
stack has grown. A run that stops for want of stack is run again by a thread that has more of it: whoever
makes a place brings the way to do so, since this room starts no threads.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ludograph.tgdl.native.ir.builder import address, binary, compare, const
from ludograph.tgdl.native.ir.nodes import (
    I32,
    I64,
    PTR,
    Address,
    Call,
    Expression,
    Function,
    If,
    Load,
    Local,
    Module,
    Return,
    Room,
    Set,
    Statement,
    Store,
    each_statement,
)
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.routine import CTX

BYTES_OF_LOCAL = 16
BYTES_OF_CALL = 256
LEAST = 1 << 15
"""For functions of the system, such as the power of a number."""
HERE = Local("stack.here", PTR)


def with_stack_guards(module: Module, plan: Plan) -> Module:
    """A module that never uses up the stack."""
    calls = {name: set(_calls(function.body)) for name, function in module.functions.items()}
    loops = _loops(calls)
    need = LEAST + 2 * _longest(module, calls, loops)
    recursive = {name for name in calls if len(loops[name]) > 1 or name in calls[name]}
    made = Module({}, dict(module.data))
    for function in module.functions.values():
        begin: tuple[Statement, ...] = ()
        if function.exported and function.results[:1] == (I32,):
            begin = tuple(_begin(function, plan, need))
        elif function.name in recursive:
            assert function.results[:1] == (I32,), f"{function.name} cannot tell that it stopped"
            begin = tuple(_look(function, plan))
        made.add(replace(function, body=(*begin, *function.body)))
    return made


def _field(plan: Plan, name: str) -> Expression:
    return address(CTX, plan.context[name])


def _stop(function: Function, plan: Plan) -> tuple[Statement, ...]:
    rest = (const(0, kind) for kind in function.results[1:])
    return (Store(_field(plan, "shallow"), const(1, I32)), Return((const(GROW, I32), *rest)))


def _begin(function: Function, plan: Plan, need: int) -> Iterator[Statement]:
    """Called from outside: how far the stack may grow."""
    yield Room(HERE, 8)
    room = Local("stack.room", I64)
    yield Set(room, Load(_field(plan, "stack_room"), I64))
    yield If(compare("slt", room, need), _stop(function, plan), (), True)
    yield Store(_field(plan, "stack_end"), Address(HERE, binary("sub", const(need), room)))


def _look(function: Function, plan: Plan) -> Iterator[Statement]:
    yield Room(HERE, 8)
    yield If(compare("ult", HERE, Load(_field(plan, "stack_end"), PTR)), _stop(function, plan), (), True)


# What the functions need


def _calls(statements: tuple[Statement, ...]) -> Iterator[str]:
    for statement in each_statement(statements):
        if isinstance(statement, Call):
            yield statement.function


def _frame(function: Function) -> int:
    """About the most bytes that one call of a function takes."""
    locals_ = {each.name for each in function.parameters}
    rooms = 0
    for statement in each_statement(function.body):
        match statement:
            case Set(target):
                locals_.add(target.name)
            case Call(targets):
                locals_ |= {each.name for each in targets}
            case Room(_, size):
                rooms += size + 16
            case _:
                pass
    return BYTES_OF_CALL + rooms + BYTES_OF_LOCAL * len(locals_)


def _longest(module: Module, calls: Mapping[str, set[str]], loops: Mapping[str, frozenset[str]]) -> int:
    """The bytes of the longest way through the functions, each loop of calls being gone through once."""
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
