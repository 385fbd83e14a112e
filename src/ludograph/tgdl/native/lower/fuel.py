"""Fuel for the elements of long lists, with the costs of `reference/fuel_costs.py`."""

from ludograph.tgdl.native.ir.nodes import I64, Const, Expression, Local, Op
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.world import fuel


def pay(b: Emitter, count: Expression) -> None:
    """Spend fuel for `count` elements; a short list costs one comparison."""
    if isinstance(count, Const):
        if int(count.value) >= fuel.GRAIN:
            b.spend(int(count.value) // fuel.GRAIN)
        return
    with b.when(count.uge(fuel.GRAIN), unlikely=True):
        b.run(_pay_function(b.unit), (count,))


def times(b: Emitter, count: Expression, price: int) -> Expression:
    """The total price of `count` steps."""
    return count if price == 1 else b.let(count * price)


@routine("pay", (I64,), apart=True)
def _pay_function(b: Emitter, count: Local) -> None:
    b.spend(b.let(Op("udiv", (count, _grain()), I64)))
    b.done()


def _grain() -> Const:
    return Const(fuel.GRAIN, I64)
