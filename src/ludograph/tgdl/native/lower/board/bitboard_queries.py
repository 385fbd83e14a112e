"""Bitboard queries: `any`, `all` and `count` over fixed sets of tiles (lines through a tile, all of a
group)."""

import struct
from collections.abc import Sequence

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, Const, Data, Expression
from ludograph.tgdl.native.lower.board.bitboards import (
    Bitboard,
    BitboardEvaluator,
    combine_words,
    count_bits,
    has_bitboards,
    words_of,
)
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, ListType
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.memory import Instance


def lower_query(b: Emitter, node: p.Query) -> Value | None:
    """`any`, `all` or `count` over fixed rows of tiles; None if it has to be looked at tile by tile."""
    if node.operation not in QUERIES or node.body is None:
        return None
    match node.source, node.body:
        case p.Apply(Operation.LINES), p.Query(Operation.ANY | Operation.ALL, p.Variable(slot)) if (
            slot == node.slot
        ):
            return _lines(b, node, node.body)
        case p.Apply(Operation.TILES, (p.Singleton(),)), _:
            return _all_tiles(b, node)
        case _:
            return None


QUERIES = frozenset({Operation.ANY, Operation.ALL, Operation.COUNT})


def _conditions_for(b: Emitter, node: p.Query) -> BitboardEvaluator | None:
    type = node.source.type
    assert isinstance(type, ListType)
    if not isinstance(type.element, ConstructType) or len(b.plan.families_of(type.element.name)) != 1:
        return None
    family = b.plan.family(type.element.name)
    if not has_bitboards(b, family):
        return None
    return BitboardEvaluator(b, family, lambda each: isinstance(each, p.Variable) and each.slot == node.slot)


def _tiles_where(evaluator: BitboardEvaluator, node: p.Query) -> Bitboard | None:
    """The tiles for which the body of a query is true; None if it may raise a fault."""
    assert node.body is not None
    if not evaluator.is_possible(node.body):
        return None
    found = evaluator.evaluate(node.body)
    return None if found is None or found.faults is not None else found.holds


def _all_tiles(b: Emitter, node: p.Query) -> Value | None:
    assert isinstance(node.source, p.Apply) and isinstance(node.source.operands[0], p.Singleton)
    evaluator = _conditions_for(b, node)
    if evaluator is None:
        return None
    tiles = b.world.topology.tiles
    name = node.source.operands[0].construct
    members = tiles[name] if name in tiles else tuple(tile for each in tiles.values() for tile in each)
    if len(set(members)) != len(members) or not all(tile in evaluator.place for tile in members):
        return None
    holds = _tiles_where(evaluator, node)
    if holds is None:
        return None
    if name not in tiles:
        pay(b, const(len(members)))  # a list of all groups is a copy
    b.spend(len(members) * price(node.body))
    wanted = words_of([tile in set(members) for tile in evaluator.tiles])
    inside = tuple(b.let(word) for word in combine_words("and", holds, wanted))
    if node.operation is Operation.COUNT:
        return b.number(b.let(b.as_decimal(count_bits(inside))))
    return b.boolean(b.let(_some(inside) if node.operation is Operation.ANY else _same(inside, wanted)))


def _some(words: Bitboard) -> Expression:
    found = words[0]
    for word in words[1:]:
        found = found | word
    return found.ne(0)


def _same(words: Bitboard, others: Bitboard) -> Expression:
    found: Expression = const(0)
    for word in combine_words("xor", words, others):
        found = word | found if isinstance(found, Const) else found | word
    return found.eq(0)


def _lines(b: Emitter, node: p.Query, inner: p.Query) -> Value | None:
    """Whether some or all of the lines through a tile have some or all of their tiles in a bitboard."""
    assert isinstance(node.source, p.Apply)
    evaluator = _conditions_for(b, inner)
    length = _length(node.source)
    if evaluator is None or length is None or node.operation is Operation.COUNT or inner.body is None:
        return None
    if any(isinstance(each, p.Variable) and each.slot == node.slot for each in walk(inner.body)):
        return None
    rows = [b.world.topology.runs(tile, length) for tile in evaluator.tiles]
    if not all(
        len(set(line)) == length and set(line) <= set(evaluator.place) for row in rows for line in row
    ):
        return None
    if not evaluator.is_possible(inner.body):
        return None
    tile = b.value(node.source.operands[0])
    if b.family_of(tile) is not evaluator.family:
        return None
    holds = _tiles_where(evaluator, inner)
    if holds is None:
        return None
    starts, masks = _tables(b, evaluator, rows)
    at = b.let(widen(tile.only, I64) * 8)
    start = b.let(address(masks, widen(b.load(starts, at, I32, constant=True), I64)))
    lines = b.load(starts, b.let(at + 4), I32, constant=True)
    count = b.let(widen(lines, I64))
    pay(b, b.let(count * (length + 1)))
    b.spend(times(b, count, price(node.body)))
    wants_some = node.operation is Operation.ANY
    result = b.variable(const(0 if wants_some else 1, I1), "lines")
    seen = b.variable(const(0), "seen")
    with b.count(count) as (line, label):
        b.set(seen, seen + length * price(inner.body))
        place = b.let(line * (8 * len(holds)))
        wanted = tuple(
            b.load(start, _plus(b, place, 8 * number), I64, constant=True) for number in range(len(holds))
        )
        inside = combine_words("and", holds, wanted)
        test = _some(inside) if inner.operation is Operation.ANY else _same(inside, wanted)
        with b.when(test if wants_some else ~test):
            b.set(result, const(1 if wants_some else 0, I1))
            b.leave(label)
    b.spend(seen)
    return b.boolean(result)


def _plus(b: Emitter, place: Expression, by: int) -> Expression:
    return place if by == 0 else b.let(place + by)


def _length(lines: p.Apply) -> int | None:
    match lines.operands:
        case (_, p.Literal(float() | int() as number)) if number >= 1:
            return int(number)
        case _:
            return None


def _tables(
    b: Emitter, evaluator: BitboardEvaluator, rows: Sequence[Sequence[Sequence[Instance]]]
) -> tuple[Data, Data]:
    """The offset and the number of the lines of each tile; and the bitboards of the lines."""
    starts, masks = b"", b""
    for row in rows:
        starts += struct.pack("<ii", len(masks), len(row))
        for line in row:
            for word in words_of([tile in set(line) for tile in evaluator.tiles]):
                assert isinstance(word, Const)
                masks += struct.pack("<q", int(word.value))
    return b.unit.data(starts, hint="starts"), b.unit.data(masks, hint="masks")
