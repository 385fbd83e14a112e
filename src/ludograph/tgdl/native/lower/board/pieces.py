"""Lowering of the places of pieces: linked lists on tiles, and the three parts of a stack.

A tile that can hold only one piece needs no linked list. A stack has three lists: known cards at the bottom,
shuffled cards, and known cards on top.
"""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I32, Expression, Local
from ludograph.tgdl.native.layout.plan import PARTS, Family
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.kept_lists import append_at, empty_at
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, concatenate
from ludograph.tgdl.native.lower.values.references import (
    cases,
    families_of,
    fitted,
    is_no_reference,
    read_cell,
    refer,
    tagged,
    write_cell,
)
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import ConstructType, ListType
from ludograph.tgdl.world import fuel


def pieces_of(b: Emitter) -> tuple[Family, ...]:
    """The families of pieces on tiles."""
    return b.plan.families_of("placeable")


# Pieces on a tile


def first_on(b: Emitter, tile: Value) -> Expression:
    """The first piece on a tile, or none."""
    families = tuple(family for family in families_of(b, tile) if "first" in family.columns)
    return read_cell(b, families, tile.only, "first")


def following(b: Emitter, piece: Expression) -> Expression:
    """The next piece on the same tile, or none."""
    if b.plan.single_held is not None:
        return const(-1, piece.kind)
    return read_cell(b, pieces_of(b), piece, "next")


def held_on(b: Emitter, tile: Value, type: ConstructType) -> Value:
    """The first piece of a type on a tile."""
    pieces = pieces_of(b)
    if not pieces:
        return b.none(type)
    first = first_on(b, tile)
    kinds = b.world.subtypes[type.name]
    wanted = b.plan.rep(type)
    if b.plan.single_held is not None:
        own = tuple(kind.index for kind in b.plan.single_held.kinds)
        if all(kind in kinds for kind in own):
            return Value(type, (fitted(b, pieces, first, wanted),))
    found = b.variable(const(-1, wanted.kinds[0]), "piece")
    seen = b.variable(const(0), "seen")
    at = b.variable(first, "at")
    with b.loop() as label:
        b.leave_if(is_no_reference(at), label)
        for family, number in cases(b, pieces, at):
            if not any(kind.index in kinds for kind in family.kinds):
                continue
            with b.when(is_one_of(b, family, number, kinds)):
                b.set(found, tagged(b, family, number, wanted))
                b.leave(label)
        b.set(seen, seen + 1)
        b.set(at, following(b, at))
    if may_crowd(b):
        pay(b, seen)
    return Value(type, (found,))


def may_crowd(b: Emitter) -> bool:
    """Whether one tile may hold so many pieces that a loop over them costs fuel."""
    return b.plan.single_held is None and sum(family.capacity for family in pieces_of(b)) >= fuel.GRAIN


def count_on(b: Emitter, tiles: Family, tile: Expression) -> Expression:
    """The number of pieces on a tile."""
    count = b.variable(const(0), "count")
    at = b.variable(read_cell(b, (tiles,), tile, "first"), "at")
    with b.loop() as label:
        b.leave_if(is_no_reference(at), label)
        b.set(count, count + 1)
        b.set(at, following(b, at))
    return count


def all_on(b: Emitter, tile: Value, type: ListType) -> Value:
    """The pieces on a tile, in order of arrival."""
    assert isinstance(type.element, ConstructType)
    pieces = pieces_of(b)
    if not pieces:
        return Value(type, (b.unit.data(), const(0)), certain=True)
    first = first_on(b, tile)
    count = b.variable(const(0), "count")
    at = b.variable(first, "at")
    with b.loop() as label:
        b.leave_if(is_no_reference(at), label)
        b.set(count, count + 1)
        b.set(at, following(b, at))
    found = Collector(b, type.element, count)
    rep = b.plan.rep(type.element)
    b.set(at, first)
    with b.loop() as label:
        b.leave_if(is_no_reference(at), label)
        found.add(Value(type.element, (fitted(b, pieces, at, rep),), certain=True))
        b.set(at, following(b, at))
    return Value(type, found.found().parts, certain=True)


def place_of(b: Emitter, piece: Value, type: ConstructType) -> Value:
    """The tile (or stack) of a piece."""
    places, wanted = b.plan.place_families(), b.plan.families_of(type.name)
    families = families_of(b, piece)
    if not places or not any(family in places for family in wanted):
        return b.none(type)
    found = read_cell(b, families, piece.only, "place")
    rep = b.plan.rep(type)
    if len(places) == 1:
        return Value(type, (fitted(b, places, found, rep),))
    result = b.variable(const(-1, rep.kinds[0]), "place")
    for family, number in cases(b, places, found):
        if family in wanted:
            b.set(result, tagged(b, family, number, rep))
    return Value(type, (result,))


# Removing and placing pieces


def lift(b: Emitter, piece: Value) -> None:
    """Remove a piece from its place."""
    for family, number in cases(b, families_of(b, piece), piece.only):
        b.run(_lift_function(b.unit, family), (number,))


def _lift_function(unit: CompilationUnit, family: Family) -> str:
    name = f"lift.{family.index}"
    return unit.need(name, lambda: _make_lift(unit, family, name))


def _make_lift(unit: CompilationUnit, family: Family, name: str) -> None:
    piece = Local("piece", I32)
    b = Emitter(unit, name, (piece,))
    places = b.plan.place_families()
    if not places:
        b.done()
        b.finish()
        return
    place = read_cell(b, (family,), piece, "place")
    b.done_if(is_no_reference(place))
    write_cell(b, family, piece, "place", const(-1, place.kind))
    for where, number in cases(b, places, place):
        if where.kind is ConstructKind.STACK:
            card = b.plan.card_type(where)
            if family in b.plan.families_of(card.name):
                pay(b, b.let(count_cards(b, where, number) - 1))
                wanted = tagged(b, family, piece, b.plan.rep(card))
                for part in reversed(PARTS):
                    _remove(b, where, number, part, wanted)
        elif family in pieces_of(b):
            if may_crowd(b):
                pay(b, b.let(count_on(b, where, number) - 1))
            _unlink(b, family, piece, where, number)
    b.done()
    b.finish()


def _unlink(b: Emitter, family: Family, piece: Expression, tiles: Family, tile: Expression) -> None:
    none = const(-1, b.plan.rep_of_piece().kinds[0])
    if b.plan.single_held is not None:
        write_cell(b, tiles, tile, "first", none)
        return
    pieces = pieces_of(b)
    before, after = (read_cell(b, (family,), piece, key) for key in ("previous", "next"))
    for end, other, key, back in (("first", before, "next", after), ("last", after, "previous", before)):
        with b.when(is_no_reference(other)):
            write_cell(b, tiles, tile, end, back)
        with b.otherwise():
            for neighbour, number in cases(b, pieces, other):
                write_cell(b, neighbour, number, key, back)
    for key in ("previous", "next"):
        write_cell(b, family, piece, key, none)


def put_on_tile(b: Emitter, piece: Value, tile: Value) -> None:
    """Place a piece without a place on a tile; a tile with `holds` has at most one such piece."""
    for family, number in cases(b, families_of(b, piece), piece.only):
        if family not in pieces_of(b):
            continue
        for tiles, where in cases(b, families_of(b, tile), tile.only):
            b.run(_place_function(b.unit, family, tiles), (number, where))


def _place_function(unit: CompilationUnit, family: Family, tiles: Family) -> str:
    @routine(f"lay.{family.index}.{tiles.index}", (I32, I32))
    def make(b: Emitter, piece: Local, tile: Local) -> None:
        rep = b.plan.rep_of_piece()
        pieces = pieces_of(b)
        me = tagged(b, family, piece, rep)
        if may_crowd(b):
            pay(b, count_on(b, tiles, tile))
        for holds in sorted(
            {kind.construct.holds for kind in tiles.kinds if kind.construct.holds is not None}
        ):
            kinds = b.world.subtypes[holds]
            if not any(kind.index in kinds for kind in family.kinds):
                continue
            holders = tuple(kind.index for kind in tiles.kinds if kind.construct.holds == holds)
            tested = is_one_of(b, tiles, tile, holders) & is_one_of(b, family, piece, kinds)
            with b.when(tested):
                at = b.variable(read_cell(b, (tiles,), tile, "first"), "at")
                with b.loop() as label:
                    b.leave_if(is_no_reference(at), label)
                    for other, number in cases(b, pieces, at):
                        b.fault_if(is_one_of(b, other, number, kinds), "TG0509")
                    b.set(at, following(b, at))
        write_cell(b, family, piece, "place", tagged(b, tiles, tile, b.plan.rep_of_place()))
        if b.plan.single_held is not None:
            write_cell(b, tiles, tile, "first", me)
        else:
            last = read_cell(b, (tiles,), tile, "last")
            write_cell(b, family, piece, "previous", last)
            write_cell(b, family, piece, "next", const(-1, rep.kinds[0]))
            with b.when(is_no_reference(last)):
                write_cell(b, tiles, tile, "first", me)
            with b.otherwise():
                for other, number in cases(b, pieces, last):
                    write_cell(b, other, number, "next", me)
            write_cell(b, tiles, tile, "last", me)
        b.done()

    return make(unit)


def move_on_board(b: Emitter, piece: Value, tile: Value | None) -> None:
    """Move a piece to a tile, or off the board; a move to its own tile does nothing."""
    tiles = b.plan.place_families()
    if b.plan.single_held is not None and len(tiles) == 1 and piece.only.kind is I32:
        _move_alone(b, piece, tile)
        return
    if tile is None:
        lift(b, piece)
        return
    start = read_cell(b, families_of(b, piece), piece.only, "place")
    to = refer(b, tile, b.plan.rep_of_place())
    with b.when(start.ne(to)):
        lift(b, piece)
        with b.when(~is_no_reference(to)):
            put_on_tile(b, piece, tile)


def _move_alone(b: Emitter, piece: Value, tile: Value | None) -> None:
    """The fast path for games without stacks in which a tile holds at most one piece."""
    family, number = b.family_of(piece), piece.only
    tiles = b.plan.place_families()[0]
    none = const(-1, I32)
    old = read_cell(b, (family,), number, "place")
    with b.when(old >= 0):
        write_cell(b, tiles, old, "first", none)
        write_cell(b, family, number, "place", none)
    if tile is None:
        return
    to = refer(b, tile, b.plan.rep_of_place())
    with b.when(to >= 0):
        there = read_cell(b, (tiles,), to, "first")
        b.fault_if(there >= 0, "TG0509")
        write_cell(b, tiles, to, "first", number)
        write_cell(b, family, number, "place", to)


# The parts of a stack


def part_of(b: Emitter, family: Family, stack: Expression, part: str) -> Value:
    """The cards of a part of a stack, still in the block."""
    return b.read_column(family.columns[part], stack, ListType(b.plan.card_type(family)))


def set_part(b: Emitter, family: Family, stack: Expression, part: str, cards: Value) -> None:
    b.write_column(family.columns[part], stack, cards)


def empty_part(b: Emitter, family: Family, stack: Expression, part: str) -> None:
    empty_at(b, b.let(b.place_in(family.columns[part], stack)))


def count_cards(b: Emitter, family: Family, stack: Expression) -> Expression:
    total: Expression = const(0)
    for part in PARTS:
        total = total + part_of(b, family, stack, part).parts[1]
    return b.let(total)


def cards_of(b: Emitter, family: Family, stack: Expression) -> Value:
    """All cards of a stack; shuffled cards are in order of creation."""
    card = b.plan.card_type(family)
    return concatenate(b, card, [part_of(b, family, stack, part) for part in PARTS])


def append(b: Emitter, family: Family, stack: Expression, part: str, card: Expression) -> None:
    """Append a card to a part."""
    place = b.let(b.place_in(family.columns[part], stack))
    append_at(b, place, Value(b.plan.card_type(family), (card,), certain=True))


def prepend(b: Emitter, family: Family, stack: Expression, part: str, card: Expression) -> None:
    """Insert a card at the beginning of a part."""
    type = b.plan.card_type(family)
    size = b.plan.rep(type).size
    with b.arena_scope():
        start, length = part_of(b, family, stack, part).parts
        by = b.let(length * size)
        buffer = b.allocate(b.let(by + size))
        b.write(buffer, 0, Value(type, (card,), certain=True), to_block=False)
        b.copy(b.let(address(buffer, size)), start, by)
        longer = b.let(length + 1)
        set_part(b, family, stack, part, Value(ListType(type), (buffer, longer), certain=True))


def _remove(b: Emitter, family: Family, stack: Expression, part: str, card: Expression) -> None:
    """Remove a card from a part, if it is there."""
    size = b.plan.rep(b.plan.card_type(family)).size
    cards = part_of(b, family, stack, part)
    start, length = cards.parts
    with b.count(length) as (at, label):
        with b.when(at_index(b, cards, at).only.eq(card)):
            to = b.let(address(start, at * size))
            left = b.let(length - 1)
            rest = b.let((left - at) * size)
            b.copy(to, b.let(address(to, size)), rest)
            b.store(b.let(b.place_in(family.columns[part], stack)), 4, widen(left, I32))
            b.leave(label)
