"""Prefilters: loops over all tiles of a construct skip the tiles for which the first condition is false.

Bitboards evaluate that condition for all tiles at once (`bitboards.py`). The remaining tiles are tested as
written, so a prefilter may keep too many tiles, but it never skips a tile with an effect: a fault or a
change. Skipped tiles cost the same fuel as others.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Op
from ludograph.tgdl.native.layout.representations import WORD
from ludograph.tgdl.native.lower.board.bitboards import MAX_TILES, Bitboard, BitboardEvaluator, combine_words
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import times
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program.events import QUEUED
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, ListType, Type
from ludograph.tgdl.world.analysis import walk, walk_with_calls

MIN_TILES = 16
"""The minimum number of tiles for a prefilter."""
MAX_NODES = 2000
"""A loop whose body and verbs have more nodes gets no prefilter: the test takes too long."""


def prefilter_of_query(b: Emitter, source: p.Expression, slot: int, body: p.Expression) -> Bitboard | None:
    """The tiles of a query for which its body may be true; None: all."""
    if not isinstance(source, p.Apply) or source.operation is not Operation.INSTANCES:
        return None
    return _prefilter(b, source.type, slot, body)


def prefilter_of_filter(b: Emitter, type: Type, slot: int, body: p.Expression) -> Bitboard | None:
    """The tiles of a construct that may pass a filter."""
    return _prefilter(b, ListType(type), slot, body)


def prefilter_of_loop(
    b: Emitter, source: p.Expression, slot: int, body: Sequence[p.Statement]
) -> Bitboard | None:
    """The tiles for which a loop may have an effect; None: all."""
    match source, body:
        case p.Apply(Operation.INSTANCES), (p.If(condition, then, ()),):
            return None if _may_change(b, condition, then) else _prefilter(b, source.type, slot, condition)
        case _:
            return None


def _may_change(b: Emitter, condition: p.Expression, then: tuple[p.Statement, ...]) -> bool:
    """Whether the body of a loop may change a value that its condition reads."""
    seen = {_attribute(b, node) for node in walk(condition) if isinstance(node, p.AttributeOf)}
    variables = {node.slot for node in walk(condition) if isinstance(node, p.Variable)}
    starts_others = any(event in QUEUED for event, _ in b.world.listeners)
    nodes = walk_with_calls(b.world.program, then)
    for node in islice(nodes, MAX_NODES):
        match node:
            case p.Assign(place) | p.Mutate(place):
                root = place.root
                if starts_others or (
                    isinstance(root, p.AttributeOf) and _attribute(b, root) in {*seen, None}
                ):
                    return True
                if isinstance(root, p.Variable) and root.slot in variables:
                    return True
            case p.CallAction() | p.Move() | p.Link() | p.Attach() | p.New():
                return True
            case _:
                pass
    return next(nodes, None) is not None


def _attribute(b: Emitter, node: p.AttributeOf) -> tuple[str, int] | None:
    """The key of an attribute, shared by all constructs of a family; None: any attribute."""
    match node.target.type:
        case ConstructType(name) if name in b.world.kind:
            return b.plan.family(name).name, node.slot
        case _:
            return None


def _prefilter(b: Emitter, type: Type, slot: int, condition: p.Expression) -> Bitboard | None:
    if not isinstance(type, ListType) or not isinstance(type.element, ConstructType) or b.plan.changes:
        return None
    families = b.plan.families_of(type.element.name)
    if len(families) != 1 or b.world.start is None:
        return None
    family = families[0]
    is_fixed = family.kind is p.ConstructKind.TILE and not family.grows and not family.is_mixed
    if not is_fixed or not MIN_TILES <= family.capacity <= MAX_TILES:
        return None
    members = tuple(b.plan.members(b.world.start, family))
    evaluator = BitboardEvaluator(
        b, family, lambda each: isinstance(each, p.Variable) and each.slot == slot, members
    )
    first = condition
    while not evaluator.is_possible(first):
        if not isinstance(first, p.Logic) or first.operator != "and":
            return None
        first = first.left
    found = evaluator.evaluate(first)
    if found is None:
        return None
    words = found.holds if found.faults is None else combine_words("or", found.holds, found.faults)
    return tuple(b.let(word) for word in words)


@contextmanager
def each_filtered(b: Emitter, words: Bitboard, type: Type, price: int = 0) -> Iterator[tuple[Value, str]]:
    """A loop over the tiles of a prefilter, with its label. Statements pay for each tile."""
    word = b.variable(words[0], "sifted")
    base = b.variable(const(0), "base")
    paid = b.variable(const(0), "paid")
    count = const(b.plan.families_of(_name(type))[0].capacity)
    with b.loop() as label:
        with b.when(word.eq(0)):
            with b.when(base.eq(WORD * (len(words) - 1))):
                if price:
                    b.spend(times(b, b.let(count - paid), price))
                b.leave(label)
            if len(words) > 1:
                b.set(base, base + WORD)
                following = words[-1]
                for place in range(len(words) - 2, 0, -1):
                    following = select(base.eq(WORD * place), words[place], following)
                b.set(word, following)
                b.again(label)
        number = b.let(base + Op("cttz", (word,), I64))
        b.set(word, word & (word - 1))
        if price:
            after = b.let(number + 1)
            b.spend(times(b, b.let(after - paid), price))
            b.set(paid, after)
        yield Value(type, (b.let(widen(number, I32)),), certain=True), label


def _name(type: Any) -> str:
    assert isinstance(type, ConstructType)
    return type.name
