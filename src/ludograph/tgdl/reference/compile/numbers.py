"""Numbers, comparison and logic, compiled. Decimals are doubles that are never infinite."""

import math
import operator
from collections.abc import Callable
from typing import Any, TypeGuard

from ludograph.tgdl.program import Apply, Literal
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.reference.compile.compiler import Compiler, OperationCompiler
from ludograph.tgdl.reference.fuel_costs import equality
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import completer
from ludograph.tgdl.world.values import MAX_NUMBER, is_compound
from ludograph.tgdl.world.world import Closure, Frame

_ARITHMETIC: dict[Operation, Callable[[Any, Any], Any]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
    Operation.DIVIDE: operator.truediv,
    Operation.POWER: math.pow,
    Operation.MODULO: operator.mod,
}
_COMPARISON: dict[Operation, Callable[[Any, Any], Any]] = {
    Operation.LESS: operator.lt,
    Operation.GREATER: operator.gt,
    Operation.LESS_OR_EQUAL: operator.le,
    Operation.GREATER_OR_EQUAL: operator.ge,
}
_UNARY: dict[Operation, Callable[[Any], Any]] = {
    Operation.NEGATE: operator.neg,
    Operation.FLOOR: math.floor,
    Operation.CEIL: math.ceil,
    Operation.ABS: abs,
    Operation.ROUND: lambda value: math.floor(value + 0.5),
}


def _arithmetic(c: Compiler, node: Apply) -> Closure:
    left, right = c.expression(node.operands[0]), c.expression(node.operands[1])
    return combine(c, node.operation, left, right, node)


def combine(c: Compiler, operation: Operation, left: Closure, right: Closure, node: Any) -> Closure:
    """Two numbers into one; none, zero as divisor and overflow are faults."""
    site, nones = c.site(node.span), c.nones(node)
    work = _ARITHMETIC[operation]
    if operation in (Operation.ADD, Operation.SUBTRACT):
        return _add(c, left, right, node, -1.0 if operation is Operation.SUBTRACT else 1.0)

    def code(run: Run, frame: Frame) -> float:
        first = left(run, frame)
        second = right(run, frame)
        try:
            result: float = work(first, second) + 0.0  # minus zero becomes zero
        except TypeError:
            place = 0 if first is None else 1
            message = f"an operand of the arithmetic is none{nones[place][0]}"
            raise run.new_fault("TG0501", message, site, nones[place][1]) from None
        except ZeroDivisionError:
            raise run.new_fault("TG0502", "division by zero", site) from None
        except (OverflowError, ValueError):
            raise run.new_fault(
                "TG0503", "the result is not a number that a decimal can hold", site
            ) from None
        if not -MAX_NUMBER <= result <= MAX_NUMBER:
            run.fault("TG0503", "the result is not a number that a decimal can hold", site)
        return result

    return code


def _add(c: Compiler, left: Closure, right: Closure, node: Any, sign: float) -> Closure:
    """Sums and differences are the most common of all."""
    site, nones = c.site(node.span), c.nones(node)

    def finish(run: Run, first: Any, second: Any) -> float:
        if first is None or second is None:
            place = 0 if first is None else 1
            message = f"an operand of the arithmetic is none{nones[place][0]}"
            run.fault("TG0501", message, site, nones[place][1])
        run.fault("TG0503", "the result is not a number that a decimal can hold", site)

    def add(run: Run, frame: Frame) -> float:
        first = left(run, frame)
        second = right(run, frame)
        try:
            result: float = first + second
        except TypeError:
            return finish(run, first, second)
        return result if result - result == 0.0 else finish(run, first, second)

    def subtract(run: Run, frame: Frame) -> float:
        first = left(run, frame)
        second = right(run, frame)
        try:
            result: float = first - second
        except TypeError:
            return finish(run, first, second)
        return result if result - result == 0.0 else finish(run, first, second)

    return add if sign > 0 else subtract


def _comparison(c: Compiler, node: Apply) -> Closure:
    left, right = c.expression(node.operands[0]), c.expression(node.operands[1])
    site, nones = c.site(node.span), c.nones(node)
    work = _COMPARISON[node.operation]
    if isinstance(node.operands[1], Literal) and node.operands[1].value is not None:
        known = right(None, [])  # a literal reads neither

        def with_known(run: Run, frame: Frame) -> Any:
            first = left(run, frame)
            if first is None:
                message = f"none cannot be compared{nones[0][0]}"
                run.fault("TG0501", message, site, nones[0][1])
            return work(first, known)

        return with_known

    def code(run: Run, frame: Frame) -> Any:
        first = left(run, frame)
        second = right(run, frame)
        try:
            return work(first, second)
        except TypeError:
            place = 0 if first is None else 1
            message = f"none cannot be compared{nones[place][0]}"
            raise run.new_fault("TG0501", message, site, nones[place][1]) from None

    return code


def _unary(c: Compiler, node: Apply) -> Closure:
    value = c.expression(node.operands[0])
    site, nones = c.site(node.span), c.nones(node)
    work = _UNARY[node.operation]

    def code(run: Run, frame: Frame) -> float:
        try:
            return float(work(value(run, frame))) + 0.0
        except TypeError:
            raise run.new_fault(
                "TG0501", f"a number must not be none{nones[0][0]}", site, nones[0][1]
            ) from None

    return code


def _equal(c: Compiler, node: Apply) -> Closure:
    first, second = node.operands
    left, right = c.expression(first), c.expression(second)
    if is_compound(first.type) or is_compound(second.type):
        equal = equality(first.type, second.type, c.site(node.span))
        complete = completer(c.world, first.type)
        if complete is not None:

            def compare(run: Run, frame: Frame) -> bool:
                value, other = left(run, frame), right(run, frame)
                return equal(run, complete(run, value), other)

            return compare
        return lambda run, frame: equal(run, left(run, frame), right(run, frame))
    if isinstance(second, Literal) and second.value is not None:
        known = right(None, [])  # a literal reads neither
        return lambda run, frame: left(run, frame) == known

    def code(run: Run, frame: Frame) -> bool:
        value = left(run, frame)
        return bool(value == right(run, frame)) and value is not None

    return code


def _is_none(c: Compiler, node: Apply) -> Closure:
    value = c.expression(node.operands[0])
    return lambda run, frame: value(run, frame) is None


def _xor(c: Compiler, node: Apply) -> Closure:
    left, right = c.boolean(node.operands[0]), c.boolean(node.operands[1])
    return lambda run, frame: left(run, frame) is not right(run, frame)


def _not(c: Compiler, node: Apply) -> Closure:
    inner = node.operands[0]
    if isinstance(inner, Apply) and inner.operation is Operation.IS_NONE:
        value = c.expression(inner.operands[0])
        return lambda run, frame: value(run, frame) is not None
    boolean = c.boolean(inner)
    return lambda run, frame: not boolean(run, frame)


def _as_number(c: Compiler, node: Apply) -> Closure:
    value = c.expression(node.operands[0])
    site, nones = c.site(node.span), c.nones(node)

    def code(run: Run, frame: Frame) -> float:
        player = value(run, frame)
        if player is None:
            run.fault("TG0501", f"a player must not be none{nones[0][0]}", site, nones[0][1])
        return float(player)

    return code


def _as_player(c: Compiler, node: Apply) -> Closure:
    inner = node.operands[0]
    count = c.world.players
    site, nones = c.site(node.span), c.nones(node)
    # `player + n` is by far the most common: no detour over doubles. A large sum would be rounded there.
    if isinstance(inner, Apply) and inner.operation is Operation.ADD:
        first, second = inner.operands
        if isinstance(first, Apply) and first.operation is Operation.AS_NUMBER:
            if isinstance(second, Literal) and _is_small_step(second.value):
                player = c.expression(first.operands[0])
                step, nones = int(second.value), c.nones(first)

                def next_player(run: Run, frame: Frame) -> int:
                    who = player(run, frame)
                    if who is None:
                        message = f"a player must not be none{nones[0][0]}"
                        run.fault("TG0501", message, site, nones[0][1])
                    return int((who + step) % count)

                return next_player
    value = c.expression(inner)

    def code(run: Run, frame: Frame) -> int | None:
        number = value(run, frame)
        return None if number is None else int(number) % count

    return code


def _is_small_step(value: Any) -> TypeGuard[float]:
    """Whether the sum of a player and a number is exact, also without the fraction of the number."""
    return isinstance(value, int | float) and 0 <= value < 2**32


def _extreme(c: Compiler, node: Apply) -> Closure:
    values = [c.expression(operand) for operand in node.operands]
    site, nones = c.site(node.span), c.nones(node)
    work: Callable[[list[Any]], Any] = min if node.operation is Operation.LEAST else max

    def code(run: Run, frame: Frame) -> Any:
        found = [value(run, frame) for value in values]
        try:
            return work(found)
        except TypeError:
            words, also = nones[found.index(None)]
            raise run.new_fault("TG0501", f"a number must not be none{words}", site, also) from None

    return code


COMPILERS: dict[Operation, OperationCompiler] = {
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(_COMPARISON, _comparison),
    **dict.fromkeys(_UNARY, _unary),
    Operation.EQUAL: _equal,
    Operation.IS_NONE: _is_none,
    Operation.NOT: _not,
    Operation.XOR: _xor,
    Operation.AS_NUMBER: _as_number,
    Operation.AS_PLAYER: _as_player,
    Operation.LEAST: _extreme,
    Operation.GREATEST: _extreme,
}
