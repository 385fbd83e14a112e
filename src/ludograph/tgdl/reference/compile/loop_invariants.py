"""Loop invariants of queries: a part that does not depend on the element is evaluated once.

In `grid.tiles.where(s: abs(s.row - tile.row) == 2)` the row of the piece's own tile is the same for all 64
squares. Such a part gets a slot of the frame, and the first element that needs it evaluates it. A query has
no side effects, so the value cannot change in between. Its fuel cost is still paid for every element, except
for positions, which are paid once.
"""

from collections.abc import Iterator
from typing import Any, Final, cast

from msgspec import Struct, field

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import charges_fuel_once, walk
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.values import is_compound
from ludograph.tgdl.world.world import Closure, Frame

LOOKING = (
    p.Ambient
    | p.Apply
    | p.AsType
    | p.AttributeOf
    | p.IsType
    | p.Literal
    | p.Logic
    | p.NamedTile
    | p.Setting
    | p.Singleton
    | p.This
) | p.Variable
WITHOUT_CODE = Span | ConstructType | EnumType | ListType | TableType
UNKNOWN: Final = object()


class QueryInvariants(Struct):
    """A query during compilation. Mutable: it collects the slots of its invariants."""

    element: int
    """The slot of the element."""
    kept: list[int] = field(default_factory=list)


def readable(node: Any, bound: set[int]) -> Iterator[p.Expression]:
    """The largest subexpressions of a condition that only read: inputs, attributes, entries, lengths, pieces.

    A subexpression that depends on the element of a query (its slot is bound) has no value outside of it.
    """
    if isinstance(node, tuple):
        for each in node:
            yield from readable(each, bound)
        return
    if not isinstance(node, Struct) or isinstance(node, WITHOUT_CODE):
        return
    is_reading = isinstance(node, p.Variable | p.AttributeOf) or (
        isinstance(node, p.Apply) and node.operation.facts.is_shown
    )
    if is_reading and all(
        isinstance(inner, LOOKING | WITHOUT_CODE)
        and not (isinstance(inner, p.Variable) and inner.slot in bound)
        and not (isinstance(inner, p.Apply) and inner.operation.facts.takes_chance)
        for inner in walk(node)
    ):
        yield cast(p.Expression, node)
        return
    for name in node.__struct_fields__:
        yield from readable(getattr(node, name), bound)


def home_of(node: p.Expression, loops: list[QueryInvariants]) -> QueryInvariants | None:
    """The outermost query in which a node is invariant; None if there is none."""
    if not isinstance(node, p.Apply | p.AttributeOf) or not loops:
        return None
    steps = 0
    slots: set[int] = set()
    for inner in walk(node):
        if isinstance(inner, WITHOUT_CODE):
            continue
        if not isinstance(inner, LOOKING) or (
            isinstance(inner, p.Apply) and inner.operation.facts.takes_chance
        ):
            return None
        # Worth a slot even alone; anything else is when it takes three steps.
        steps += 3 if isinstance(inner, p.Apply) and inner.operation.facts.fuel == "size" else 1
        if isinstance(inner, p.Variable):
            slots.add(inner.slot)
    if steps < 3:
        return None
    home: QueryInvariants | None = None
    for loop in reversed(loops):
        if loop.element in slots:
            break
        home = loop
    return home


def keep(code: Closure, slot: int, node: p.Expression, site: Site) -> Closure:
    """A closure that evaluates a node once per query and stores the value in a slot."""
    if _may_cost(node):
        return _keep_with_price(code, slot, site)

    def kept(run: Run, frame: Frame) -> object:
        value = frame[slot]
        if value is UNKNOWN:
            value = frame[slot] = code(run, frame)
        return value

    return kept


def _may_cost(node: p.Expression) -> bool:
    return any(
        (isinstance(inner, p.Apply) and _costs(inner))
        or (isinstance(inner, p.AsType | p.IsType) and is_compound(inner.target.type))
        or (isinstance(inner, p.IsType) and inner.target.type is Basic.PLAYER)
        for inner in walk(node)
    )


def _costs(node: p.Apply) -> bool:
    match node.operation.facts.fuel:
        case "nothing":
            return False
        case "compared":
            return any(is_compound(operand.type) for operand in node.operands)
        case "searched" | "size":
            return not charges_fuel_once(node)


def _keep_with_price(code: Closure, slot: int, site: Site) -> Closure:
    def kept(run: Run, frame: Frame) -> object:
        known: Any = frame[slot]
        if known is UNKNOWN:
            before, once = run.fuel, run.spent_once
            value = code(run, frame)
            frame[slot] = (value, before - run.fuel - (run.spent_once - once))
            return value
        run.spend(known[1], site)
        return known[0]

    return kept
