"""Compaction of the heap of a block, when much of it is garbage.

A list that outgrows its memory is allocated again; a list of lists is allocated again at every change. The
garbage stays in the heap until the transaction ends. Then there are no pointers into the heap except in
columns, and all live lists are moved together.
"""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.plan import Column
from ludograph.tgdl.native.layout.representations import OBJECT_SIZE, Tag
from ludograph.tgdl.native.lower.emitter import Emitter, has_lists, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type

GARBAGE_LIMIT = 4096
"""Bytes of garbage that are always accepted, in addition to as many as are live."""


def compact_if_needed(b: Emitter) -> None:
    """At the end of a transaction, compact the block if it has enough garbage."""
    columns = [column for family in b.plan.families for column in family.columns.values()]
    if not b.plan.edits and not any(map(_leads_to_lists, columns)):
        return
    used = b.head("heap_top", I64) - b.plan.fixed_size
    limit = widen(b.head("compacted", I32), I64) * 2 + GARBAGE_LIMIT
    # Sealed choices are untyped words, so their references to lists cannot be updated.
    nothing_sealed = b.load(BLOCK, b.plan.header["sealed"] + 4, I32).eq(0)
    with b.when((used > limit) & nothing_sealed, unlikely=True):
        b.run(_compact_function(b.unit))


def _leads_to_lists(column: Column) -> bool:
    return column.rep.shape == "list" or (column.type is not None and has_lists(column.type))


@routine("compact", apart=True)
def _compact_function(b: Emitter) -> None:
    start = b.plan.fixed_size
    size = b.let(b.head("heap_top", I64) - start)
    with b.arena_scope():
        copy = b.allocate(size)
        b.copy(copy, b.let(address(BLOCK, start)), size)
        old = b.let(address(copy, -start))  # the origin of the offsets in the block
        b.set_head("heap_top", const(start))
        for name, type in (("placed", ConstructType("tile")), ("links", Basic.DECIMAL)):
            if name in b.plan.edits:
                place = b.let(address(BLOCK, b.plan.edits[name]))
                _move(b, old, place, ListType(type), inside=False)
        for family in b.plan.families:
            count = b.let(widen(b.load(BLOCK, family.count_at, I32), I64))
            for column in family.columns.values():
                if _leads_to_lists(column):
                    assert column.type is not None
                    with b.count(count) as (number, _):
                        by = b.let(number * column.stride)
                        place = b.let(address(address(BLOCK, by), column.offset))
                        _move(b, old, place, column.type, inside=False)
    b.set_head("compacted", widen(b.head("heap_top", I64) - start, I32))
    b.done()


def _move(b: Emitter, old: Expression, place: Expression, type: Type, *, inside: bool) -> None:
    """Move the lists of a value at an address of the block; the value itself is already in place."""
    match type:
        case ListType(element):
            if not inside:
                length = b.let(widen(b.load(place, 4, I32), I64))
                offset = b.let(widen(b.load(place, 0, I32), I64, signed=False))
                b.store(place, 0, widen(_moved(b, old, offset, length, element), I32))
                b.store(place, 8, widen(length, I32))
                return
            offset = b.load(place, 0, I64)
            with b.when(offset.ne(0)):
                b.store(place, 0, _moved(b, old, offset, b.load(place, 8, I64), element))
        case TableType(_, inner):
            item = b.plan.rep(inner)
            with b.count(b.plan.rep(type).count) as (at, _):
                entry = b.let(address(place, at * item.size))
                _move(b, old, entry, inner, inside=True)
        case _:
            with b.when(b.load(place, 0, I64).eq(Tag.LIST)):
                b.run(_move_object_function(b.unit), (old, place))


def _moved(b: Emitter, old: Expression, offset: Expression, length: Expression, element: Type) -> Expression:
    """Move a list into the new heap, with all lists in it; returns its offset."""
    size = b.plan.rep(element).size
    length = b.let(length)
    total = b.let(length * size)
    new = b.claim(total)
    to = b.let(address(BLOCK, new))
    b.copy(to, b.let(address(old, offset)), total)
    if has_lists(element):
        with b.count(length) as (at, _):
            _move(b, old, b.let(address(to, at * size)), element, inside=True)
    return new


@routine("compact.object", (PTR, PTR), apart=True)
def _move_object_function(b: Emitter, old: Local, place: Local) -> None:
    """The function that moves the list of an object, with all lists in it."""
    length = b.load(place, 16, I64)
    total = b.let(length * OBJECT_SIZE)
    new = b.claim(total)
    to = b.let(address(BLOCK, new))
    b.copy(to, b.let(address(old, b.load(place, 8, I64))), total)
    b.store(place, 8, new)
    with b.count(length) as (at, _):
        item = b.let(address(to, at * OBJECT_SIZE))
        with b.when(b.load(item, 0, I64).eq(Tag.LIST)):
            b.run("compact.object", (old, item))
    b.done()
