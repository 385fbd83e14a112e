"""Names of instances, in moves (`reference/naming.py`) and in views.

A piece that is alone on a tile has the name of the tile, so its name depends on the block. The names of
states, and of stacks in them, depend on the owners, which hardly ever change. While the owners are those of
the start (`names_stand`), native code writes the names of the start; otherwise Python writes them.
"""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I32, Expression, Local
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.representations import WIDE
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.present.interface import Insert, json_text
from ludograph.tgdl.native.lower.present.text import insert, make_strings, put, put_entry, put_whole
from ludograph.tgdl.native.lower.things.players import is_one_of, kind_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference, tagged
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.reference.naming import name_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.memory import Instance, Memory


def members_at_start(unit: CompilationUnit, family: Family) -> list[Instance]:
    assert unit.world.start is not None
    return unit.plan.members(unit.world.start, family)


def is_new(b: Emitter, family: Family, number: Expression) -> Expression:
    """Whether an instance was created in play."""
    return number >= len(members_at_start(b.unit, family))


# Names in views


def put_json_name(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of an instance in a view, with quotes."""
    unit = b.unit
    name = f"json_name.{family.index}"
    b.run(unit.need(name, lambda: _make_json_name(unit, family, name)), (number,))


def _make_json_name(unit: CompilationUnit, family: Family, name: str) -> None:
    number = Local("number", I32)
    b = Emitter(unit, name, (number,))
    if family.kind is ConstructKind.TILE:
        put_tile(b, family, number, json_text, '"')
    else:
        put_permanent_name(b, family, number, json_text, '"')
    b.done()
    b.finish()


def put_tile(b: Emitter, family: Family, number: Expression, form: Callable[[str], str], quote: str) -> None:
    """Write the name of a tile: its location on the board."""
    names = Run(b.world, _start(b.unit)).topology.name
    members = members_at_start(b.unit, family)
    if b.plan.changes:
        group = b.let(b.read_column(family.columns["group"], number, Basic.PLAYER).only)
        placed = b.let(b.read_column(family.columns["placed"], number, Basic.PLAYER).only)
        with b.when(group < 0):
            put_permanent_name(b, family, number, form, quote)
            b.done()
        with b.when(placed >= 0):
            put(b, quote)
            kinds = [kind.name.encode() for kind in b.world.kinds]
            put_entry(b, make_strings(b.unit, kinds, "kinds"), group)
            for key in ("row", "column"):
                put(b, "[")
                place = b.read_column(family.columns[f"placed_{key}"], number, Basic.DECIMAL)
                put_whole(b, b.as_whole(place.only))
                put(b, "]")
            put(b, quote)
            b.done()
    texts = [form(names.get(tile) or repr(tile)).encode() for tile in members]
    if texts:
        put_entry(b, make_strings(b.unit, texts, "tiles"), number)


def put_permanent_name(
    b: Emitter, family: Family, number: Expression, form: Callable[[str], str], quote: str
) -> None:
    """Write the name of an instance that never changes: its construct, perhaps with a number."""
    unit = b.unit
    members = members_at_start(unit, family)
    singles = unit.world.singletons
    if members:
        texts = [
            form(each.kind.name if singles.get(each.kind.name) is each else repr(each)).encode()
            for each in members
        ]
        table = make_strings(unit, texts, "things")
        if not family.grows:
            put_entry(b, table, number)
            return
        with b.when(~is_new(b, family, number)):
            put_entry(b, table, number)
            b.done()
    put(b, quote)
    kinds = [kind.name.encode() for kind in unit.world.kinds]
    put_entry(b, make_strings(unit, kinds, "kinds"), kind_of(b, family, number))
    put(b, "#")
    put_whole(b, _ordinal(b, family, number) + 1)
    put(b, quote)


def _ordinal(b: Emitter, family: Family, number: Expression) -> Expression:
    """The number of earlier instances of the same construct."""
    if not family.is_mixed:
        return number
    kind = b.let(kind_of(b, family, number))
    found = b.variable(const(0, I32), "ordinal")
    with b.count(number) as (at, _):
        with b.when(kind_of(b, family, at).eq(kind)):
            b.set(found, found + 1)
    return found


def _start(unit: CompilationUnit) -> Memory:
    assert unit.world.start is not None
    return unit.world.start


# Names in moves


def put_name(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of an instance in a move."""
    unit = b.unit
    name = f"name.{family.index}"
    b.run(unit.need(name, lambda: _make_name(unit, family, name)), (number,))


def _plain(text: str) -> str:
    return text


def _make_name(unit: CompilationUnit, family: Family, name: str) -> None:
    number = Local("number", I32)
    b = Emitter(unit, name, (number,))
    match family.kind:
        case ConstructKind.TILE:
            put_tile(b, family, number, _plain, "")
        case ConstructKind.INTERACTABLE:
            _name_by_tile(b, family, number)
            put_permanent_name(b, family, number, _plain, "")
        case _:
            _name_by_start(b, family, number)
    b.done()
    b.finish()


def _name_by_tile(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of the tile and return, if a piece is alone on a tile."""
    places = b.plan.place_families()
    if not any(each.kind is ConstructKind.TILE for each in places):
        return
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(place)):
        for other, at in cases(b, places, place):
            if other.kind is ConstructKind.TILE:
                with b.when(_holds_one(b, other, at)):
                    put_name(b, other, at)
                    b.done()


def _holds_one(b: Emitter, family: Family, tile: Expression) -> Expression:
    if b.plan.single_held is not None:
        return const(1, I1)
    first = b.read_column(family.columns["first"], tile, Basic.PLAYER).only
    last = b.read_column(family.columns["last"], tile, Basic.PLAYER).only
    return b.let(first.eq(last))


def _name_by_start(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of the start if it is still valid; otherwise Python writes the name."""
    unit = b.unit
    members = members_at_start(unit, family)
    has_start_names = b.get("has_start_names", I32).ne(0)
    if members:
        run = Run(unit.world, _start(unit))
        texts = [name_of(run, each).encode() for each in members]
        with b.when(has_start_names & ~is_new(b, family, number)):
            put_entry(b, make_strings(unit, texts, "names"), number)
            b.done()
    insert(b, Insert.THING, tagged(b, family, number, WIDE))


def is_on_tile_of(b: Emitter, family: Family, number: Expression, kinds: tuple[int, ...]) -> Expression:
    """Whether a piece is on a tile of one of some constructs."""
    found = b.variable(const(0, I1), "on")
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(place)):
        for other, at in cases(b, b.plan.place_families(), place):
            if other.kind is ConstructKind.TILE:
                b.set(found, is_one_of(b, other, at, kinds))
    return found
