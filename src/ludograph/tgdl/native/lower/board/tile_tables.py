"""Tables with tiles as keys where play may create tiles: their number of entries, and the index of a tile.

Such a table has the capacity for all tiles; its entries come first. The rest is none, which is the entry of a
new tile; only attributes fill it with another value.
"""

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, Expression
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.references import cases, creation, families_of, tagged
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, TableType


def count_keys(b: Emitter, name: str) -> Expression:
    """The number of tiles of a construct."""
    total = b.variable(const(0), "keys")
    for family in b.plan.families_of(name):
        count = b.load(BLOCK, family.count_at, I32)
        kinds = [kind.index for kind in family.kinds if kind.index in b.world.subtypes[name]]
        if len(kinds) == len(family.kinds):
            b.set(total, total + widen(count, I64))
            continue
        with b.count(count) as (number, _):
            kind = b.read_column(family.columns["kind"], number, Basic.PLAYER).only
            for index in kinds:
                b.set(total, total + widen(kind.eq(index), I64, signed=False))
    return b.let(total)


def index_of_key(b: Emitter, name: str, tile: Value) -> Expression:
    """The index of a tile: the number of keys that were created before it."""
    made = b.variable(const(-1, I32), "made")
    for family, number in cases(b, families_of(b, tile), tile.only):
        if family.kind is ConstructKind.TILE:
            b.set(made, creation(b, family, number))
    place = b.variable(const(0), "place")
    for family in b.plan.families_of(name):
        with b.count(b.load(BLOCK, family.count_at, I32)) as (number, _):
            before = creation(b, family, number) < made
            counts = _is_key(b, name, family, number) & before
            b.set(place, place + widen(counts, I64, signed=False))
    return b.let(place)


def key_at(b: Emitter, name: str, place: Expression) -> Value:
    """The tile at an index; none after the end."""
    type = ConstructType(name)
    rep = b.plan.rep(type)
    found = b.variable(b.none(type).only, "key")
    for family in b.plan.families_of(name):
        with b.count(b.load(BLOCK, family.count_at, I32)) as (number, label):
            tile = Value(type, (tagged(b, family, number, rep),), certain=True)
            with b.when(_is_key(b, name, family, number)):
                with b.when(index_of_key(b, name, tile).eq(place)):
                    b.set(found, tile.only)
                    b.leave(label)
    return Value(type, (found,))


def clear_entries(b: Emitter, table: Value) -> None:
    """Write none to the whole capacity of a table, including the entries of later tiles."""
    assert isinstance(table.type, TableType)
    size = b.plan.rep(table.type.value).size
    with b.count(b.plan.rep(table.type).count) as (at, _):
        b.write(table.only, b.let(at * size), b.none(table.type.value), to_block=False)


def _is_key(b: Emitter, name: str, family: Family, number: Expression) -> Expression:
    kinds = [kind.index for kind in family.kinds if kind.index in b.world.subtypes[name]]
    if len(kinds) == len(family.kinds):
        return const(1, I1)
    kind = b.read_column(family.columns["kind"], number, Basic.PLAYER).only
    found = kind.eq(kinds[0])
    for index in kinds[1:]:
        found = found | kind.eq(index)
    return found
