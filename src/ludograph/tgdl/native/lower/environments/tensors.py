"""Tensors: the visible part of a state for one viewer, as an array of numbers.

The traversal is that of `present/views.py`, and the elements are those of a `TensorLayout`. What a view does
not show stays zero.
"""

import struct
from collections.abc import Mapping

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import F32, F64, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.environments import TensorColumn, TensorLayout
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.board.pieces import cards_of, count_cards
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.names import names_in_views, ordinal_of
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of
from ludograph.tgdl.native.lower.things.visibility import sees_attribute, sees_instance, sees_stack
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference
from ludograph.tgdl.native.lower.values.verbs import call_one
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType
from ludograph.tgdl.world.memory import ConstructInfo

ONE = const(0x3F800000, I32)
"""The bits of 1 in 32 bits."""
NOWHERE = -1


def tensor_function(unit: CompilationUnit, layout: TensorLayout) -> str:
    """The function that writes what a viewer sees in the block into an array of zeros."""

    @routine("tensor", (PTR, I32))
    def make(b: Emitter, at: Local, viewer: Local) -> None:
        b.put("arena", b.get("arena_start", PTR))
        b.refuel()
        b.put("depth", const(0))
        active = b.head("active", I32)
        with b.when(active >= 0):
            _mark(b, at, b.let(widen(active, I64) + layout.starts["active"]))
        for family in unit.plan.families:
            if _is_shown(b, family, layout):
                b.run(_family_function(unit, family, layout), (at, viewer))
        b.done()

    return make(unit)


def _mark(b: Emitter, at: Expression, index: Expression) -> None:
    b.store(at, b.let(index * 4), ONE)


def _put(b: Emitter, at: Expression, index: Expression | int, number: Expression) -> None:
    """Write a decimal into an element."""
    b.store(at, index * 4 if isinstance(index, int) else b.let(index * 4), Op("fptrunc", (number,), F32))


class _Elements(Struct, frozen=True):
    """The elements of the instances of a family, or indexes of cards."""

    known: tuple[int, ...]
    """Of the instances that exist before the setup; NOWHERE: it has none."""
    created: Mapping[int, tuple[int, ...]]
    """Of those that were created later, by construct and then in the order of creation."""


def _elements(b: Emitter, family: Family, layout: TensorLayout, form: str = "thing {}") -> _Elements | None:
    """The elements of the instances of a family; None if it has none."""
    known = tuple(layout.starts.get(form.format(name), NOWHERE) for name in names_in_views(b.unit, family))
    created: dict[int, tuple[int, ...]] = {}
    if family.grows:
        for kind in family.kinds:
            row: list[int] = []
            while (name := form.format(f"{kind.name}#{len(row) + 1}")) in layout.starts:
                row.append(layout.starts[name])
            if row:
                created[kind.index] = tuple(row)
    if not created and all(start == NOWHERE for start in known):
        return None
    return _Elements(known, created)


def _look_up(b: Emitter, elements: _Elements, family: Family, number: Expression) -> Local:
    """The element of an instance; -1: it has none."""
    found = b.variable(const(NOWHERE), "element")

    def read(row: tuple[int, ...], at: Expression) -> None:
        data = b.unit.data(struct.pack(f"<{len(row)}i", *row), hint="elements")
        with b.when(at.ult(len(row))):
            b.set(found, widen(b.load(data, b.let(widen(at, I64) * 4), I32, constant=True), I64))

    with b.when(number.ult(len(elements.known))):
        read(elements.known, number)
    with b.otherwise():
        for kind, row in elements.created.items():
            with b.when(is_one_of(b, family, number, (kind,))):
                read(row, b.let(ordinal_of(b, family, number)))
    return found


def _is_shown(b: Emitter, family: Family, layout: TensorLayout) -> bool:
    """Whether tensors have anything of a family."""
    if family.kind is ConstructKind.STACK:
        return (
            _elements(b, family, layout, "stack {}") is not None or _elements(b, family, layout) is not None
        )
    if family.kind is ConstructKind.INTERACTABLE:
        return any(_is_placed(layout, kind) for kind in family.kinds)
    return _elements(b, family, layout) is not None


def _is_placed(layout: TensorLayout, kind: ConstructInfo) -> bool:
    return any(name.startswith(f"{kind.name} on ") for name in layout.starts)


def _family_function(unit: CompilationUnit, family: Family, layout: TensorLayout) -> str:
    @routine(f"tensor.{family.index}", (PTR, I32))
    def make(b: Emitter, at: Local, viewer: Local) -> None:
        own = _elements(b, family, layout)
        with b.count(b.let(count_of(b, family))) as (number, _):
            with b.when(sees_instance(b, family, number, viewer)):
                if own is not None:
                    element = _look_up(b, own, family, number)
                    with b.when(element >= 0):
                        _write(b, family, layout, at, element, number, viewer)
                if family.kind is ConstructKind.INTERACTABLE:
                    _write_piece(b, family, layout, at, number, viewer)
                elif family.kind is ConstructKind.STACK:
                    _write_stack(b, family, layout, at, number, viewer)
        b.done()

    return make(unit)


def _write_piece(
    b: Emitter, family: Family, layout: TensorLayout, at: Local, number: Expression, viewer: Local
) -> None:
    """Count a piece on its tile, and write its attributes there."""
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(place)):
        for tiles, tile in cases(b, b.plan.place_families(), place):
            if tiles.kind is not ConstructKind.TILE:
                continue
            for kind in family.kinds:
                table = _elements(b, tiles, layout, f"{kind.name} on {{}}")
                if table is None:
                    continue
                with b.when(is_one_of(b, family, number, (kind.index,))):
                    element = _look_up(b, table, tiles, tile)
                    with b.when(element >= 0):
                        if b.plan.single_held is not None:
                            _mark(b, at, element)
                        else:
                            before = Op("fpext", (b.load(at, b.let(element * 4), F32),), F64)
                            _put(b, at, element, b.let(before + const(1.0, F64)))
                        _write_kind(b, family, kind, layout, at, b.let(element + 1), number, viewer)


def _write_stack(
    b: Emitter, family: Family, layout: TensorLayout, at: Local, number: Expression, viewer: Local
) -> None:
    """Write the length of a stack, and its cards if the viewer sees them."""
    table = _elements(b, family, layout, "stack {}")
    if table is None:
        return
    element = _look_up(b, table, family, number)
    with b.when(element >= 0):
        _put(b, at, element, b.as_decimal(count_cards(b, family, number)))
        with b.when(sees_stack(b, family, number, viewer)), b.arena_scope():
            with each(b, cards_of(b, family, number)) as (card, _):
                assert isinstance(card.type, ConstructType)
                for cards, place in cases(b, b.plan.families_of(card.type.name), card.only):
                    indexes = _elements(b, cards, layout, "card {}")
                    if indexes is not None:
                        index = _look_up(b, indexes, cards, place)
                        with b.when(index >= 0):
                            _mark(b, at, b.let(element + index + 1))


# Attributes


def _write(
    b: Emitter,
    family: Family,
    layout: TensorLayout,
    at: Local,
    element: Expression,
    number: Expression,
    viewer: Expression,
) -> None:
    for kind in family.kinds:
        if layout.columns.get(kind.name):
            with b.when(is_one_of(b, family, number, (kind.index,))):
                _write_kind(b, family, kind, layout, at, element, number, viewer)


def _write_kind(
    b: Emitter,
    family: Family,
    kind: ConstructInfo,
    layout: TensorLayout,
    at: Local,
    element: Expression,
    number: Expression,
    viewer: Expression,
) -> None:
    """Write the attributes of an instance of a construct that the viewer sees."""
    attributes = {attribute.name: attribute for attribute in kind.construct.attributes}
    offset = 0
    for wanted in layout.columns.get(kind.name, ()):
        if wanted.attribute not in attributes:
            with b.arena_scope(), b.forbidding_chance():
                _write_some(
                    b, wanted, at, b.let(element + offset), _call_verb(b, kind, wanted, number, viewer)
                )
            offset += wanted.size
            continue
        attribute = attributes[wanted.attribute]
        column = family.columns[b.plan.column_key(kind, attribute.slot)]
        with b.when(sees_attribute(b, family, kind, number, attribute, viewer)):
            value = b.keep(b.read_column(column, number, attribute.type))
            with b.arena_scope():
                _write_some(b, wanted, at, b.let(element + offset), value)
        offset += wanted.size


def _call_verb(
    b: Emitter, kind: ConstructInfo, wanted: TensorColumn, number: Expression, viewer: Expression
) -> Value:
    """The result of a public verb without parameters, called by the viewer."""
    verb = dict(b.world.public_verbs[kind.name])[wanted.attribute.removesuffix("()")]
    b.player = viewer
    this = Value(ConstructType(kind.name), (number,), certain=True)
    return call_one(b, verb, this, [], b.world.program.verbs[verb].result)


def _write_some(b: Emitter, wanted: TensorColumn, at: Local, element: Expression, value: Value) -> None:
    """Write a value unless it is none."""
    if value.certain:
        _write_value(b, wanted, at, element, value)
        return
    with b.when(~b.is_none(value)):
        _write_value(b, wanted, at, element, value)


def _write_value(b: Emitter, wanted: TensorColumn, at: Local, element: Expression, value: Value) -> None:
    match wanted.form:
        case "number":
            _put(b, at, element, value.only)
        case "bool":
            with b.when(value.only.eq(1)):
                _mark(b, at, element)
        case "member":
            with b.when(value.only.ult(wanted.size)):
                _mark(b, at, b.let(element + widen(value.only, I64)))
        case "tile":
            assert isinstance(value.type, ConstructType)
            numbers = {tile: index for index, tile in enumerate(wanted.tiles)}
            for family, number in cases(b, b.plan.families_of(value.type.name), value.only):
                row = tuple(numbers.get(name, NOWHERE) for name in names_in_views(b.unit, family))
                index = _look_up(b, _Elements(row, {}), family, number)
                with b.when(index >= 0):
                    _mark(b, at, b.let(element + index))
        case "keys":
            _write_items(b, at, element, b.as_list(value), wanted.size)
        case _:
            items = b.as_list(value)
            _put(b, at, element, b.as_decimal(items.parts[1]))
            _write_items(b, at, b.let(element + 1), items, wanted.size - 1)


def _write_items(b: Emitter, at: Local, element: Expression, items: Value, most: int) -> None:
    """Write the first numbers of a list."""
    place = b.variable(const(0), "place")
    with each(b, items) as (item, label):
        b.leave_if(place >= most, label)
        _put(b, at, b.let(element + place), _number_of(b, item))
        b.set(place, place + 1)


def _number_of(b: Emitter, item: Value) -> Expression:
    """A decimal or a boolean as a decimal; none is 0."""
    zero = const(0.0, F64)
    found = b.variable(zero, "number")
    if item.type is Basic.BOOL:
        with b.when(item.only.eq(1)):
            b.set(found, const(1.0, F64))
    else:
        with b.when(~item.only.is_nan()):
            b.set(found, item.only)
    return found
