"""Fuel for the elements of long lists, with the costs of `reference/fuel_costs.py`."""

from ludograph.tgdl.native.ir.nodes import I64, Const, Expression, Local, Op
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.unit import Unit
from ludograph.tgdl.world import fuel


def pay(b: Body, count: Expression) -> None:
    """Spend fuel for `count` elements; a short list costs one comparison."""
    if isinstance(count, Const):
        if int(count.value) >= fuel.GRAIN:
            b.spend(int(count.value) // fuel.GRAIN)
        return
    with b.when(count.uge(fuel.GRAIN), unlikely=True):
        b.run(b.unit.need("pay", lambda: _make_pay(b.unit)), (count,))


def times(b: Body, count: Expression, price: int) -> Expression:
    """The total price of `count` steps."""
    return count if price == 1 else b.let(count * price)


def _make_pay(unit: Unit) -> None:
    count = Local("count", I64)
    b = Body(unit, "pay", (count,))
    b.spend(b.let(Op("udiv", (count, _grain()), I64)))
    b.done()
    b.finish(apart=True)


def _grain() -> Const:
    return Const(fuel.GRAIN, I64)
