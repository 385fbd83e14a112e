"""Names of instances, in moves (`reference/naming.py`) and in views.

A piece that is alone on a tile has the name of the tile, so its name depends on the block. Other
interactables may be named by their attributes; the context has the form of such names and their reader. The
names of states, and of stacks in them, depend on the owners, which hardly ever change. While the owners are
those of the start (`has_start_names`), native code writes the names of the start; otherwise Python does.
"""

from collections.abc import Callable

from ludograph.play.log import ALL
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I32, Expression, Local
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.representations import WIDE
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import Insert, NameForm, json_text
from ludograph.tgdl.native.lower.present.scalars import put_scalar
from ludograph.tgdl.native.lower.present.text import insert, make_strings, put, put_entry, put_whole
from ludograph.tgdl.native.lower.things.players import is_one_of, kind_of
from ludograph.tgdl.native.lower.things.visibility import sees_attribute, sees_instance
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference, tagged
from ludograph.tgdl.program import Attribute, ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, TableType
from ludograph.tgdl.reference.instance_names import SEPARATOR
from ludograph.tgdl.reference.naming import name_of, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import keys_of
from ludograph.tgdl.world.memory import ConstructInfo, Instance, Memory


def members_at_start(unit: CompilationUnit, family: Family) -> list[Instance]:
    assert unit.world.start is not None
    return unit.plan.members(unit.world.start, family)


def is_new(b: Emitter, family: Family, number: Expression) -> Expression:
    """Whether an instance was created in play."""
    return number >= len(members_at_start(b.unit, family))


# Names in views


def names_in_views(unit: CompilationUnit, family: Family) -> list[str]:
    """The names in views of the instances that a family has before the setup."""
    members = members_at_start(unit, family)
    if family.kind is ConstructKind.TILE:
        names = Run(unit.world, _start(unit)).topology.name
        return [names.get(tile) or repr(tile) for tile in members]
    singles = unit.world.singletons
    return [each.kind.name if singles.get(each.kind.name) is each else repr(each) for each in members]


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
    put_whole(b, ordinal_of(b, family, number) + 1)
    put(b, quote)


def ordinal_of(b: Emitter, family: Family, number: Expression) -> Expression:
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
            if has_given_names(family):
                with b.when(b.get("name_form", I32).ne(NameForm.PLAIN)):
                    (is_written,) = b.run(given_name_function(unit, family), (number,), (I1,))
                    with b.when(is_written):
                        b.done()
            put_permanent_name(b, family, number, _plain, "")
        case ConstructKind.STACK if b.plan.changes and _is_on_tiles(b, family):
            _name_by_holder(b, family, number)
            _name_by_start(b, family, number)
        case _:
            _name_by_start(b, family, number)
    b.done()
    b.finish()


def _is_on_tiles(b: Emitter, family: Family) -> bool:
    """Whether some stacks of a family belong to tiles."""
    return any(
        attribute.stack is not None and family in b.plan.families_of(attribute.stack)
        for kind in b.world.kinds
        if kind.construct.kind is ConstructKind.TILE
        for attribute in kind.construct.attributes
    )


def _name_by_holder(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of a stack and return, if it belongs to a tile, whose name depends on the block."""
    holder = b.read_column(family.columns["holder"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(holder)):
        for tiles, tile in cases(b, b.plan.holder_families(), holder):
            if tiles.kind is not ConstructKind.TILE:
                continue
            for kind in tiles.kinds:
                with b.when(is_one_of(b, tiles, tile, (kind.index,))):
                    for attribute in kind.construct.attributes:
                        if attribute.stack is None or family not in b.plan.families_of(attribute.stack):
                            continue
                        held = b.read_column(
                            tiles.columns[b.plan.column_key(kind, attribute.slot)], tile, attribute.type
                        )
                        mine = tagged(b, family, number, b.plan.rep(ConstructType(attribute.stack)))
                        place = _place_of_stack(b, held, mine)
                        with b.when(place >= 0):
                            put_name(b, tiles, tile)
                            put_entry(b, make_strings(b.unit, _names_in_table(b, attribute), "keys"), place)
                            b.done()


def _place_of_stack(b: Emitter, held: Value, stack: Expression) -> Expression:
    """The number of a stack among the stacks of an attribute; -1 if it is not there."""
    found, count = b.variable(const(-1, I32), "place"), b.variable(const(0, I32), "count")

    def look(value: Value) -> None:
        if isinstance(value.type, TableType):
            with each(b, b.as_list(value)) as (entry, _):
                look(entry)
            return
        with b.when(value.only.eq(stack)):
            b.set(found, count)
        b.set(count, count + 1)

    look(held)
    return found


def _names_in_table(b: Emitter, attribute: Attribute) -> list[bytes]:
    """What follows the name of the tile in the name of each stack of an attribute: `.seeds`, `.rows[0]`."""
    run = Run(b.world, _start(b.unit))
    names, type = [f".{attribute.name}"], attribute.type
    while isinstance(type, TableType):
        keys = [text_of(run, key) for key in keys_of(run, type.key)]
        names, type = [f"{name}[{key}]" for name in names for key in keys], type.value
    return [name.encode() for name in names]


def _name_by_tile(b: Emitter, family: Family, number: Expression) -> None:
    """Write the name of the tile and return, if a piece is alone on a tile."""
    places = b.plan.place_families()
    if not any(each.kind is ConstructKind.TILE for each in places):
        return
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(place)):
        for other, at in cases(b, places, place):
            if other.kind is ConstructKind.TILE:
                with b.when(holds_one(b, other, at)):
                    put_name(b, other, at)
                    b.done()


def has_given_names(family: Family) -> bool:
    """Whether a construct of a family is `named` by its attributes."""
    return any(kind.construct.names for kind in family.kinds)


def given_name_function(unit: CompilationUnit, family: Family) -> str:
    """The function that writes the name of an instance by its attributes, if the reader may see it.

    It returns whether it has written the name.
    """

    @routine(f"given_name.{family.index}", (I32,), gives=(I1,))
    def make(b: Emitter, number: Local) -> None:
        for kind in family.kinds:
            if not kind.construct.names:
                continue
            with b.when(is_one_of(b, family, number, (kind.index,))):
                attributes = [kind.construct.attributes[slot] for slot in kind.construct.names]
                b.done_if(~is_readable(b, family, kind, number, attributes), const(0, I1))
                values = [
                    b.read_column(family.columns[b.plan.column_key(kind, each.slot)], number, each.type)
                    for each in attributes
                ]
                for value in values:
                    if not value.certain:
                        b.done_if(b.is_none(value), const(0, I1))
                for place, value in enumerate(values):
                    put(b, SEPARATOR if place else "")
                    put_scalar(b, Value(value.type, value.parts, certain=True))
                with b.when(b.get("name_form", I32).eq(NameForm.NUMBERED)):
                    put(b, "#")
                    put_whole(b, ordinal_of(b, family, number) + 1)
                b.done(const(1, I1))
        b.done(const(0, I1))

    return make(unit)


def is_readable(
    b: Emitter, family: Family, kind: ConstructInfo, number: Expression, attributes: list[Attribute]
) -> Expression:
    """Whether the reader of the context may see an instance and the attributes of its name."""
    if not b.world.has_secrets:
        return const(1, I1)
    reader = b.get("name_reader", I32)
    seen = b.variable(reader.eq(ALL), "seen")
    with b.when(~seen):
        b.set(seen, sees_instance(b, family, number, reader))
        for attribute in attributes:
            with b.when(seen):
                b.set(seen, sees_attribute(b, family, kind, number, attribute, reader))
    return seen


def holds_one(b: Emitter, family: Family, tile: Expression) -> Expression:
    """Whether a tile that holds pieces holds only one."""
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
