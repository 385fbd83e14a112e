"""Lowering of `new`: the next number of the family, the initial values in order, then the given values."""

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, Expression, Local
from ludograph.tgdl.native.layout.plan import PARTS, Family
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.actions.events import without_events
from ludograph.tgdl.native.lower.board.pieces import append
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.list_costs import evaluate_passed
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.state_size import size_of
from ludograph.tgdl.native.lower.things.change_events import check_range
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of, kind_of
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import Collector, each
from ludograph.tgdl.native.lower.values.references import cases, families_of, tagged, write_cell
from ludograph.tgdl.native.lower.values.verbs import call_one
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import reads_uninitialised
from ludograph.tgdl.world.memory import MAX_FAMILY_SIZE, ConstructInfo


def make_thing(b: Emitter, node: p.New) -> Value:
    kind = b.world.kind[node.construct]
    type = ConstructType(node.construct)

    def one() -> Value:
        values = [(slot, evaluate_passed(b, value)) for slot, value in node.values]
        (number,) = b.run(constructor_function(b.unit, kind), (b.player,), (I32,))
        thing = Value(type, (number,), certain=True)
        for slot, value in values:
            column = b.plan.column(node.construct, slot)
            assert column.type is not None
            given = b.coerce(value, column.type)
            check_range(b, kind, slot, number, given)
            b.write_column(column, number, given)
        return thing

    if node.count is None:
        return one()
    count = b.value(node.count)
    wanted = b.variable(b.as_whole(count.only), "wanted")
    with b.when(wanted < 0):
        b.set(wanted, const(0))
    b.spend(wanted)
    found = Collector(b, type, wanted)
    with b.count(wanted):
        found.add(one())
    return Value(ListType(type), found.found().parts, certain=True)


def constructor_function(unit: CompilationUnit, kind: ConstructInfo) -> str:
    """The function that creates an instance of a construct."""

    @routine(f"new.{kind.name}", (I32,), gives=(I32,))
    def make(b: Emitter, player: Local) -> None:
        b.player = player
        b.caches_invariants = False
        family = b.plan.family_of_kind[kind.index]
        number = b.load(BLOCK, family.count_at, I32)
        if family.capacity >= MAX_FAMILY_SIZE:
            with b.when(number >= MAX_FAMILY_SIZE, unlikely=True):
                b.fault_if(_count_of_kind(b, family, kind, number) >= MAX_FAMILY_SIZE, "TG0510")
        with b.when(number >= family.capacity, unlikely=True):
            b.put("family_full", const(1, I32))
            b.stop(GROW)
        cost = b.world.initialisers[kind.name].cost
        if cost:
            b.spend(cost)
        b.store(BLOCK, family.count_at, number + 1)
        b.this = Value(ConstructType(kind.name), (number,), certain=True)
        if family.is_mixed:
            b.write_column(family.columns["kind"], number, Value(Basic.PLAYER, (const(kind.index, I32),)))
        if "number" in family.columns:
            b.write_column(family.columns["number"], number, Value(Basic.PLAYER, (_total(b),)))
        _begin_extras(b, family, number)
        if reads_uninitialised(kind.construct):
            for attribute in kind.construct.attributes:
                _write_first(b, family, kind, attribute, number, empty(b, attribute.type))
        made: list[tuple[ConstructInfo, Value]] = []
        for attribute in kind.construct.attributes:
            if attribute.stack is not None:
                pile = b.world.kind[attribute.stack]
                value = _own_stacks(b, attribute.type, pile, family, number)
                made.append((pile, value))
            elif attribute.initial is not None:
                value = b.coerce(evaluate_passed(b, attribute.initial), attribute.type)
            else:
                value = empty(b, attribute.type)
            check_range(b, kind, attribute.slot, number, value)
            _write_first(b, family, kind, attribute, number, value)
        for pile, value in made:
            _fill_all(b, pile, value)
        if kind.construct.kind is p.ConstructKind.TILE:
            _grow_tables(b, kind, family, number)
            if b.world.growing_tables:
                b.spend(size_of(b))
        b.done(number)

    return make(unit)


def _count_of_kind(b: Emitter, family: Family, kind: ConstructInfo, count: Expression) -> Expression:
    """The number of instances of exactly one construct."""
    if not family.is_mixed:
        return count
    found = b.variable(const(0, I32), "found")
    with b.count(count) as (number, _):
        with b.when(kind_of(b, family, number).eq(kind.index)):
            b.set(found, found + 1)
    return found


def _grow_tables(b: Emitter, tile: ConstructInfo, tiles: Family, number: Expression) -> None:
    """Add the entry of a new tile to every table with tiles as keys."""
    for kind in b.world.kinds:
        for attribute in kind.construct.attributes:
            if not _has_growing(b, attribute.type):
                continue
            family = b.plan.family_of_kind[kind.index]
            column = family.columns[b.plan.column_key(kind, attribute.slot)]
            before = b.this, b.player
            with b.count(b.let(count_of(b, family))) as (holder, _):
                is_other = ~holder.eq(number) if family is tiles else const(1, I1)
                with b.when(is_one_of(b, family, holder, (kind.index,)) & is_other):
                    b.this = Value(ConstructType(kind.name), (holder,), certain=True)
                    b.player = const(-1, I32)
                    at = b.let(b.place_in(column, holder))
                    _grow(b, at, attribute.type, attribute.initial, tile)
            b.this, b.player = before


def _has_growing(b: Emitter, type: Type) -> bool:
    """Whether a type has tables that get entries for new tiles; inside lists the entries stay none."""
    return b.plan.is_growing(type) or (isinstance(type, TableType) and _has_growing(b, type.value))


def _grow(
    b: Emitter, place: Expression, type: Type, initial: p.Expression | None, tile: ConstructInfo
) -> None:
    """Grow a table in the block: first the tables in its entries, then the table itself."""
    assert isinstance(type, TableType)
    fill = initial.fill if isinstance(initial, p.MakeTable) else None
    size = b.plan.rep(type.value).size
    is_key = isinstance(type.key, ConstructType) and type.key.name in tile.ancestry
    count = b.as_list(Value(type, (place,), certain=True)).parts[1]
    old = b.let(count - 1) if is_key and b.plan.is_growing(type) else count
    if _has_growing(b, type.value):
        with b.count(old) as (at, _):
            _grow(b, b.let(address(place, at * size)), type.value, fill, tile)
    if is_key and b.plan.is_growing(type):
        value = empty(b, type.value) if fill is None else b.coerce(b.expression(fill), type.value)
        b.write(place, b.let(old * size), value, to_block=True)


def _write_first(
    b: Emitter, family: Family, kind: ConstructInfo, attribute: p.Attribute, number: Expression, value: Value
) -> None:
    """Write an initial value: a list has no memory of its own yet."""
    column = family.columns[b.plan.column_key(kind, attribute.slot)]
    if column.rep.shape == "list":
        at = b.let(b.place_in(column, number))
        b.store(at, 0, const(0, I64))
        b.store(at, 8, const(0, I64))
    b.write_column(column, number, value)


def _own_stacks(b: Emitter, type: Type, pile: ConstructInfo, family: Family, number: Expression) -> Value:
    """Create the stack of an instance, or a table of them; they are filled after all attributes are set."""
    if isinstance(type, TableType):
        rep, size = b.plan.rep(type), b.plan.rep(type.value).size
        start = b.allocate(rep.size)
        with b.count(rep.count) as (at, _):
            one = _own_stacks(b, type.value, pile, family, number)
            b.write(start, b.let(at * size), one, to_block=False)
        return Value(type, (start,), certain=True)
    stacks = b.plan.family_of_kind[pile.index]
    (stack,) = b.run(constructor_function(b.unit, pile), (const(-1, I32),), (I32,))
    write_cell(b, stacks, stack, "holder", tagged(b, family, number, stacks.columns["holder"].rep))
    return Value(type, (stack,), certain=True)


def _fill_all(b: Emitter, pile: ConstructInfo, stacks: Value) -> None:
    """Fill a stack, or the stacks of a table in order."""
    if pile.construct.filling is None:
        return
    if isinstance(stacks.type, TableType):
        with each(b, b.as_list(stacks)) as (stack, _):
            _fill_all(b, pile, stack)
        return
    _fill(b, pile, stacks.only)


def _fill(b: Emitter, kind: ConstructInfo, stack: Expression) -> None:
    """Fill a stack with its default cards, without chance and without events."""
    filling = kind.construct.filling
    if filling is None:
        return
    family = b.plan.family_of_kind[kind.index]
    type = b.plan.card_type(family)
    with b.forbidding_chance(), without_events(b):
        cards = call_one(
            b, filling, Value(ConstructType(kind.name), (stack,), certain=True), [], ListType(type)
        )
    with each(b, cards) as (card, _):
        with b.when(~b.is_none(card)):
            where = tagged(b, family, stack, b.plan.rep_of_place())
            for cards_family, place in cases(b, families_of(b, card), card.only):
                write_cell(b, cards_family, place, "place", where)
            append(b, family, stack, "top", card.only)


def _total(b: Emitter) -> Expression:
    """The number of all instances except the new one."""
    total: Expression = const(-1, I32)
    for family in b.plan.families:
        total = total + b.load(BLOCK, family.count_at, I32)
    return b.let(total)


def _begin_extras(b: Emitter, family: Family, number: Expression) -> None:
    for key in ("place", "next", "previous", "first", "last", "owner"):
        column = family.columns.get(key)
        if column is not None:
            none = 0 if key == "owner" and family.kind is p.ConstructKind.GROUP_STATE else -1
            kind = column.rep.kinds[0]
            b.write_column(column, number, Value(Basic.PLAYER, (const(none, kind),)))
    if family.kind is p.ConstructKind.TILE and b.plan.changes:
        _begin_tile(b, family, number)
    for name, off in family.columns.items():
        if isinstance(name, tuple) and name[0] == "off":
            b.write_column(off, number, Value(Basic.BOOL, (const(0, I32),), certain=True))
    if family.kind is p.ConstructKind.STACK:
        write_cell(b, family, number, "holder", const(-1))
        for part in PARTS:
            at = b.let(b.place_in(family.columns[part], number))
            b.store(at, 0, const(0, I64))
            b.store(at, 8, const(0, I64))


def _begin_tile(b: Emitter, family: Family, number: Expression) -> None:
    """Initialise a tile that is not on the board."""
    for key in ("placed", "group"):
        b.write_column(family.columns[key], number, Value(Basic.PLAYER, (const(-1, I32),)))
    for key in ("placed_row", "placed_column", "row", "column"):
        b.write_column(family.columns[key], number, b.none(Basic.DECIMAL))
    b.write_column(family.columns["taken"], number, Value(Basic.BOOL, (const(0, I32),)))
    for key in ("adjacent", "ways", "weights", *b.plan.place_lists):
        at = b.let(b.place_in(family.columns[key], number))
        b.store(at, 0, const(0, I64))
        b.store(at, 8, const(0, I64))


def empty(b: Emitter, type: Type) -> Value:
    """The value of an attribute without an initial value."""
    match type:
        case ListType():
            return Value(type, (b.unit.data(), const(0)), certain=True)
        case TableType(_, inner):
            rep = b.plan.rep(type)
            size = b.plan.rep(inner).size
            start = b.allocate(rep.size)
            value = empty(b, inner)
            with b.count(rep.count) as (at, _):
                b.write(start, b.let(at * size), value, to_block=False)
            return Value(type, (start,), certain=True)
        case _:
            return b.none(type)
