"""The state of a changing board: reading and writing the topology columns of tiles and groups.

Every tile has its group, its coordinates and its neighbours; every group has its tiles with their
coordinates, and a hash table from coordinates to tiles. All of that is derived from the changes of play
(`edits.py`), and rebuilt after each of them (`topology.py`).
"""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import address, const, intrinsic, select
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.coordinate_table import FIRST_FACTOR, SECOND_FACTOR
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.constants import constant
from ludograph.tgdl.native.lower.values.kept_lists import list_at
from ludograph.tgdl.native.lower.values.references import cases, creation, families_of, for_family
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, Type
from ludograph.tgdl.world.memory import ConstructInfo, Instance

TILE = ConstructType("tile")
NOWHERE = -1
"""No group."""


# Cells of tiles


def tile_families(b: Emitter) -> tuple[Family, ...]:
    return b.plan.families_of("tile")


def as_tile(b: Emitter, value: Value) -> Value:
    """A tile of any type as a value of type `tile`."""
    return b.keep(b.coerce(value, TILE))


def get_cell(b: Emitter, tile: Value, key: str, type: Type) -> Value:
    """The value of a tile in a column."""
    return for_family(b, tile, type, lambda family, number: b.read_column(family.columns[key], number, type))


def set_cell(b: Emitter, tile: Value, key: str, value: Value) -> None:
    for family, number in cases(b, families_of(b, tile), tile.only):
        b.write_column(family.columns[key], number, value)


def group_of(b: Emitter, tile: Value) -> Expression:
    """The index of the construct of the group of a tile; -1 if the tile is not on the board."""
    return get_cell(b, tile, "group", Basic.PLAYER).only


def is_on_board(b: Emitter, tile: Value) -> Expression:
    return b.let(group_of(b, tile) >= 0)


def is_taken(b: Emitter, tile: Value) -> Expression:
    return get_cell(b, tile, "taken", Basic.PLAYER).only.eq(1)


def creation_number(b: Emitter, tile: Value) -> Expression:
    """The creation number of a tile among all instances."""
    found = b.variable(const(-1, I32), "made")
    for family, number in cases(b, families_of(b, tile), tile.only):
        b.set(found, creation(b, family, number))
    return found


# Lists in the block


def cell_place(b: Emitter, tile: Value, key: str) -> Expression:
    """The address of a list of a tile."""
    found = b.variable(const(0, PTR), key)
    for family, number in cases(b, families_of(b, tile), tile.only):
        b.set(found, b.place_in(family.columns[key], number))
    return found


def tile_list(b: Emitter, tile: Value, key: str) -> Value:
    """A list of tiles of a tile, still in the block."""
    found = list_at(b, cell_place(b, tile, key), TILE)
    return Value(found.type, found.parts, certain=True, held=("attribute", key))


# Groups


def group_column(unit: CompilationUnit, group: Instance, key: str) -> tuple[Column, int]:
    """A column of a group, and the number of the group in its family."""
    assert unit.world.start is not None
    family = unit.plan.family_of_kind[group.kind.index]
    return family.columns[key], unit.plan.number_of(unit.world.start, group)


def group_place(b: Emitter, group: Instance, key: str) -> Expression:
    """The address of a list of a group."""
    column, number = group_column(b.unit, group, key)
    return address(BLOCK, column.offset + number * column.stride)


def group_list(b: Emitter, group: Instance, key: str, element: Type) -> Value:
    found = list_at(b, group_place(b, group, key), element)
    return Value(found.type, found.parts, certain=True, held=("attribute", key))


def is_absent(b: Emitter, group: Instance) -> Expression:
    column, number = group_column(b.unit, group, "absent")
    return b.read_column(column, const(number, I32), Basic.PLAYER).only.eq(1)


def groups_of(b: Emitter, type: ConstructType) -> list[tuple[ConstructInfo, Instance]]:
    """The groups of a type."""
    return [
        (kind, b.world.singletons[kind.name])
        for index in b.world.subtypes[type.name]
        if (kind := b.world.kinds[index]).construct.kind is ConstructKind.GROUP
    ]


def for_group(b: Emitter, group: Value, type: Type, work: Callable[[Instance], Value]) -> Value:
    """The result of some work for the group of a value."""
    assert isinstance(group.type, ConstructType)
    known = groups_of(b, group.type)
    if len(known) == 1:
        return b.coerce(work(known[0][1]), type)
    result = Value(type, ()) if type is Basic.NOTHING else b.holder(type)
    for _, instance in known:
        same = group.only.eq(constant(b.unit, instance, group.type).only)
        with b.when(same):
            found = work(instance)
            if result.parts:
                b.assign(result, found)
    return result


# Finding a tile by its coordinates


def whole(b: Emitter, number: Expression) -> Expression:
    """A decimal truncated to a whole number; never minus zero."""
    cut = select(number < 0.0, intrinsic("ceil", number), intrinsic("floor", number))
    return b.let(cut + 0.0)


def _hash(b: Emitter, row: Expression, column: Expression) -> Expression:
    first, second = (Op("bitcast", (each,), I64) for each in (row, column))
    joined = first * _signed(FIRST_FACTOR) + second
    mixed = b.let(joined * _signed(SECOND_FACTOR))
    return b.let(mixed ^ (mixed >> 32))


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def spot_function(unit: CompilationUnit, group: Instance) -> str:
    """The function that returns the index of the tile at some coordinates, and of its table entry."""

    @routine(f"spot.{group.kind.name}", (F64, F64), gives=(I64, I64))
    def make(b: Emitter, row: Local, column: Local) -> None:
        table = group_list(b, group, "spots", Basic.DECIMAL)
        rows, columns = (group_list(b, group, key, Basic.DECIMAL) for key in ("rows", "columns"))
        start, size = table.parts
        last = b.let(size - 1)
        at = b.variable(_hash(b, row, column) & last, "at")
        b.done_if(size.eq(0), const(-1), const(0))
        with b.loop() as label:
            found = b.load_word(start, at)
            b.done_if(found < 0, const(-1), at)
            by = b.let(found * 8)
            same = b.load(rows.parts[0], by, F64).eq(row) & b.load(columns.parts[0], by, F64).eq(column)
            b.done_if(same, found, at)
            b.set(at, (at + 1) & last)
            del label

    return make(unit)


def tile_at(b: Emitter, group: Instance, row: Expression, column: Expression) -> Value:
    """The tile at whole coordinates of a group; none if there is no tile."""
    place, _ = b.run(spot_function(b.unit, group), (row, column), (I64, I64))
    found = b.variable(b.none(TILE).only, "tile")
    with b.when(place >= 0):
        tiles = group_list(b, group, "tiles", TILE)
        size = b.plan.rep(TILE).size
        b.set(found, b.read(tiles.parts[0], b.let(place * size), TILE).only)
    return Value(TILE, (found,))
