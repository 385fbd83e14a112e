"""Lowering of position hashes: sums of mixed words, as defined in docs/positions.md.

If the content of a tile (its attributes, and a piece on it with its attributes) has few values, the hashes of
all contents are in a constant table, and a tile costs one table look-up.
"""

import struct
from itertools import product

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I8, I32, I64, I128, Data, Expression, Local, Op
from ludograph.tgdl.native.layout.encoding import pack
from ludograph.tgdl.native.layout.plan import PARTS, Family
from ludograph.tgdl.native.layout.representations import NO_OBJECT, Tag
from ludograph.tgdl.native.lower.board.board_state import TILE as TILE_TYPE
from ludograph.tgdl.native.lower.board.board_state import (
    creation_number,
    for_group,
    get_cell,
    group_list,
    is_absent,
    is_taken,
    tile_families,
)
from ludograph.tgdl.native.lower.board.pieces import part_of
from ludograph.tgdl.native.lower.board.topology import LINK_WORDS
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.state_size import size_of
from ludograph.tgdl.native.lower.things.player_sets import words_of
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of, kind_of
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.constants import list_data
from ludograph.tgdl.native.lower.values.kept_lists import list_at
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.objects import items_of
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference, read_cell
from ludograph.tgdl.program import Apply, Attribute, ConstructKind
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.hashing import (
    BOARD,
    FULL,
    OF_BOOL,
    OF_DECIMAL,
    OF_LIST,
    OF_MEMBER,
    OF_PIECE,
    OF_PLAYER,
    OF_POSITION,
    OF_TEXT,
    OF_THING,
    PIECES,
    STACK,
    THING,
    TILE,
    TURN,
    mix128,
    scramble,
    split,
    text_word,
)
from ludograph.tgdl.world.memory import ConstructInfo, Instance

NONE = -1
"""The word of none."""
MAX_TABLE_SIZE = 1 << 15
"""The most entries of the tables of a family of tiles."""


def _game_position(b: Emitter, node: Apply) -> Value:
    b.spend(size_of(b))
    (found,) = b.run(game_function(b.unit), (), (I128,))
    return Value(Basic.POSITION, (found,), certain=True)


def _group_position(b: Emitter, node: Apply) -> Value:
    group = b.value(node.operands[0])
    b.spend(size_of(b))
    given = for_group(b, group, Basic.POSITION, lambda one: _of_group(b, one))
    return Value(Basic.POSITION, given.parts, certain=True)


LOWERINGS: dict[Operation, Lowering] = {
    Operation.GAME_POSITION: _game_position,
    Operation.GROUP_POSITION: _group_position,
}


def _of_group(b: Emitter, group: Instance) -> Value:
    (found,) = b.run(_with_stacks_function(b.unit, group), (), (I128,))
    return Value(Basic.POSITION, (found,), certain=True)


class Mixer:
    """The state of the hash function. Mutable."""

    def __init__(self, b: Emitter, words: tuple[int, ...] = ()) -> None:
        """The constant words are mixed at compile time."""
        low, high = 0x243F6A8885A308D3, 0x13198A2E03707344
        for word in words:
            low = scramble(low ^ (word & (1 << 64) - 1))
            high = scramble(high + word + low & (1 << 64) - 1)
        self.b = b
        self.low = b.variable(const(_signed(low)), "low")
        self.high = b.variable(const(_signed(high)), "high")

    def add(self, word: Expression | int) -> None:
        b = self.b
        given = const(word) if isinstance(word, int) else b.let(word)
        b.set(self.low, _scramble(b, self.low ^ given))
        b.set(self.high, _scramble(b, self.high + given + self.low))

    def add_bits(self, bits: Expression) -> None:
        """Mix 128 bits as two words."""
        self.add(Op("trunc", (bits,), I64))
        self.add(Op("trunc", (bits >> 64,), I64))

    def found(self) -> Expression:
        low, high = Op("zext", (self.low,), I128), Op("zext", (self.high,), I128)
        return self.b.let(low | (high << 64))


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _scramble(b: Emitter, word: Expression) -> Expression:
    for bits, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = b.let(word)
        word = (word ^ (word >> bits)) * _signed(factor)
    word = b.let(word)
    return b.let(word ^ (word >> 31))


# The words of values


def tracked(kind: ConstructInfo) -> list[Attribute]:
    return [each for each in kind.construct.attributes if each.tracked and not each.makes_stack]


def add_value(mixer: Mixer, value: Value) -> None:
    """Mix the words of a value of a declared type."""
    b = mixer.b
    match value.type:
        case Basic.DECIMAL:
            part = value.only + 0.0
            word: Expression = Op("bitcast", (part,), I64)
            mixer.add(select(b.is_none(value), const(0x7FF8000000000000), word))
        case Basic.STRING:
            mixer.add(_text_word(b, value))
        case Basic.POSITION:
            mixer.add_bits(value.only)
        case Basic.BOOL:
            none = b.is_none(value)
            mixer.add(select(none, const(NONE), widen(value.only, I64)))
        case Basic.PLAYER | Basic.PHASE | EnumType():
            mixer.add(widen(value.only, I64))
        case ConstructType(name):
            _add_instance(mixer, value, name)
        case ListType() | TableType():
            items = b.as_list(value)
            mixer.add(items.parts[1])
            with each(b, items) as (item, _):
                add_value(mixer, item)
        case Basic.OBJECT:
            parts = b.run(_mix_object_function(b.unit), (mixer.low, mixer.high, *value.parts), (I64, I64))
            b.set(mixer.low, parts[0])
            b.set(mixer.high, parts[1])
        case _:
            raise AssertionError(f"{value.type} in a position")


@routine("mix_object", (I64, I64, I64, I64, I64), gives=(I64, I64))
def _mix_object_function(
    b: Emitter, low: Local, high: Local, tag: Local, first: Local, second: Local
) -> None:
    """Emit the function that mixes the words of an object, beginning with its tag."""
    mixer = Mixer(b)
    b.set(mixer.low, low)
    b.set(mixer.high, high)

    def case(kind: int, *words: Expression | int) -> None:
        with b.when(tag.eq(kind)):
            for word in words:
                mixer.add(word)

    case(NO_OBJECT, NONE)
    case(Tag.DECIMAL, OF_DECIMAL, first)
    case(Tag.BOOL, OF_BOOL, first)
    case(Tag.PLAYER, OF_PLAYER, first)
    case(Tag.MEMBER, OF_MEMBER, second, first)
    with b.when(tag.eq(Tag.TEXT)):
        mixer.add(OF_TEXT)
        mixer.add(_text_word(b, Value(Basic.STRING, (b.let(widen(first, I32)),), certain=True)))
    case(Tag.POSITION, OF_POSITION, first, second)
    with b.when(tag.eq(Tag.THING)):
        for family, number in cases(b, b.plan.families, first):
            if family.kind is ConstructKind.INTERACTABLE:
                mixer.add(OF_PIECE)
                mixer.add(widen(kind_of(b, family, number), I64))
                mixer.add(_place_word(b, family, number))
            else:
                mixer.add(OF_THING)
                mixer.add(number_word(b, family, number))
    with b.when(tag.eq(Tag.LIST)):
        mixer.add(OF_LIST)
        mixer.add(second)
        with each(b, items_of(b, Value(Basic.OBJECT, (tag, first, second)))) as (item, _):
            add_value(mixer, item)
    b.done(mixer.low, mixer.high)


def _text_word(b: Emitter, value: Value) -> Expression:
    words = [_signed(text_word(text)) for text in b.unit.strings]
    table = b.unit.data(struct.pack(f"<{len(words)}q", *words) if words else b"", hint="texts")
    missing = b.is_none(value)
    safe = select(missing, const(0, I32), value.only)
    found = b.load(table, b.let(widen(safe, I64) * 8), I64, constant=True)
    return b.let(select(missing, const(NONE), found))


def _add_instance(mixer: Mixer, value: Value, name: str) -> None:
    b = mixer.b
    families = b.plan.families_of(name)
    is_piece = name in PIECES or any(family.kind is ConstructKind.INTERACTABLE for family in families)
    first, second = b.variable(const(NONE), "word"), b.variable(const(NONE), "word")
    with b.when(~b.is_none(value)):
        for family, number in cases(b, families, value.only):
            if is_piece:
                b.set(first, widen(kind_of(b, family, number), I64))
                b.set(second, _place_word(b, family, number))
            else:
                b.set(first, number_word(b, family, number))
    mixer.add(first)
    if is_piece:
        mixer.add(second)


def number_word(b: Emitter, family: Family, number: Expression) -> Expression:
    """The creation number of an instance."""
    if "number" in family.columns:
        return widen(b.read_column(family.columns["number"], number, Basic.PLAYER).only, I64)
    assert b.world.start is not None
    numbers = [each.number for each in b.plan.members(b.world.start, family)]
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False:
        return b.let(widen(number, I64) + numbers[0])
    table = b.unit.data(b"".join(pack(I32, each) for each in numbers), hint="numbers")
    return b.let(widen(b.load(table, b.let(widen(number, I64) * 4), I32, constant=True), I64))


def _place_word(b: Emitter, family: Family, piece: Expression) -> Expression:
    """The creation number of the tile or stack of a piece."""
    found = b.variable(const(NONE), "place")
    places = b.plan.place_families()
    if places:
        place = read_cell(b, (family,), piece, "place")
        with b.when(~is_no_reference(place)):
            for where, number in cases(b, places, place):
                b.set(found, number_word(b, where, number))
    return found


def add_attributes(mixer: Mixer, kind: ConstructInfo, number: Expression) -> None:
    b = mixer.b
    family = b.plan.family_of_kind[kind.index]
    for attribute in tracked(kind):
        column = family.columns[b.plan.column_key(kind, attribute.slot)]
        add_value(mixer, b.read_column(column, number, attribute.type))


# Tables of contents


def _domain(unit: CompilationUnit, type: Type) -> int | None:
    """The number of values of a type, including none; None if there are too many."""
    match type:
        case Basic.BOOL:
            return 3
        case Basic.PLAYER:
            return unit.world.players + 1
        case EnumType(name):
            return len(unit.world.members[name]) + 1
        case _:
            return None


def _domains(unit: CompilationUnit, kind: ConstructInfo) -> list[int] | None:
    found = [_domain(unit, attribute.type) for attribute in tracked(kind)]
    return [each for each in found if each is not None] if None not in found else None


def _words(attributes: list[Attribute], values: tuple[int, ...]) -> list[int]:
    """The words of attributes, by the numbers of their values; zero is none."""
    return [value - 1 if value else (1 << 64) - 1 for value, _ in zip(values, attributes, strict=True)]


def _content_index(b: Emitter, kind: ConstructInfo, domains: list[int], number: Expression) -> Expression:
    """The index of the content of an instance among all possible contents."""
    family = b.plan.family_of_kind[kind.index]
    index: Expression = const(0)
    for attribute, domain in zip(tracked(kind), domains, strict=True):
        column = family.columns[b.plan.column_key(kind, attribute.slot)]
        value = b.read_column(column, number, attribute.type)
        part: Expression = widen(value.only, I64) + 1
        if attribute.type is Basic.BOOL:  # none is 2 there
            part = select(b.is_none(value), const(0), part)
        index = index * domain + part
    return b.let(index)


def _tile_table(
    unit: CompilationUnit, tiles: list[Instance]
) -> tuple[Data, list[int], list[int], int] | None:
    """The hashes of some tiles of one construct with every content: table, radices, contents per tile."""
    kind = tiles[0].kind
    own = _domains(unit, kind)
    if own is None or any(tile.kind is not kind for tile in tiles):
        return None
    pieces: list[int] = []
    crowds = [0]
    family = unit.plan.single_held
    if unit.plan.families_of("placeable"):
        if family is None or family.is_mixed:
            return None
        domains = _domains(unit, family.kinds[0])
        if domains is None:
            return None
        pieces = domains
    size = 1
    for domain in own:
        size *= domain
    held = 1
    for domain in pieces:
        held *= domain
    contents = size * (held + 1 if family is not None else 1)
    if contents * len(tiles) > MAX_TABLE_SIZE:
        return None
    if family is not None:
        attributes = tracked(family.kinds[0])
        for values in product(*(range(domain) for domain in pieces)):
            crowds.append(mix128((family.kinds[0].index, *_words(attributes, values))))
    rows = bytearray()
    for tile in tiles:
        for values in product(*(range(domain) for domain in own)):
            head = (TILE, kind.index, tile.number, *_words(tracked(kind), values))
            for crowd in crowds:
                rows += (mix128((*head, *split(crowd))) & FULL).to_bytes(16, "little")
    return unit.data(bytes(rows), hint="contents"), own, pieces, contents


# Sums


def _add_tiles(b: Emitter, tiles: list[Instance], total: Local) -> None:
    """Add the hashes of the tiles of one construct, in the order of their numbers."""
    assert b.world.start is not None
    kind = tiles[0].kind
    family = b.plan.family_of_kind[kind.index]
    members = b.plan.members(b.world.start, family)
    ids = [members.index(tile) for tile in tiles]
    table = _tile_table(b.unit, tiles)
    is_row = ids == list(range(ids[0], ids[0] + len(ids)))
    listed = None if is_row else b.unit.data(b"".join(pack(I32, each) for each in ids), hint="tiles")
    with b.count(len(tiles)) as (at, _):
        if listed is None:
            number = b.let(widen(at, I32) + ids[0])
        else:
            number = b.load(listed, b.let(at * 4), I32, constant=True)
        if table is not None:
            found = _look_up(b, kind, family, table, at, number)
        else:
            found = _mix_tile(b, kind, family, number)
        b.set(total, total + found)


def _look_up(
    b: Emitter,
    kind: ConstructInfo,
    family: Family,
    table: tuple[Data, list[int], list[int], int],
    at: Expression,
    number: Expression,
) -> Expression:
    data, own, pieces, contents = table
    index = _content_index(b, kind, own, number)
    held = b.plan.single_held
    if held is not None:
        piece = b.read_column(family.columns["first"], number, Basic.PLAYER).only
        inner = b.variable(const(0), "held")
        with b.when(piece >= 0):
            b.set(inner, _content_index(b, held.kinds[0], pieces, piece) + 1)
        count = 1
        for domain in pieces:
            count *= domain
        index = b.let(index * (count + 1) + inner)
    place = b.let((at * contents + index) * 16)
    return b.load(data, place, I128, constant=True)


def _mix_tile(b: Emitter, kind: ConstructInfo, family: Family, number: Expression) -> Expression:
    mixer = Mixer(b, (TILE, kind.index))
    mixer.add(number_word(b, family, number))
    add_attributes(mixer, kind, number)
    mixer.add_bits(_crowd_on(b, family, number))
    return mixer.found()


def _crowd_on(b: Emitter, family: Family, number: Expression) -> Expression:
    """The sum of the hashes of the pieces on a tile."""
    total = b.variable(const(0, I128), "crowd")
    families = b.plan.families_of("placeable")
    if not families:
        return total
    piece = b.variable(read_cell(b, (family,), number, "first"), "piece")
    with b.loop() as label:
        b.leave_if(is_no_reference(piece), label)
        b.set(total, total + _piece(b, families, piece))
        if b.plan.single_held is not None:
            b.leave(label)
        else:
            b.set(piece, read_cell(b, families, b.let(piece), "next"))
    return total


def _piece(b: Emitter, families: tuple[Family, ...], piece: Expression) -> Expression:
    """The hash of a piece without its place."""
    found = b.variable(const(0, I128), "mixed")
    for family, number in cases(b, families, piece):
        for kind in family.kinds:
            with b.when(is_one_of(b, family, number, (kind.index,))):
                mixer = Mixer(b, (kind.index,))
                add_attributes(mixer, kind, number)
                b.set(found, mixer.found())
    return found


def _by_kind(tiles: tuple[Instance, ...]) -> list[list[Instance]]:
    found: dict[ConstructInfo, list[Instance]] = {}
    for tile in tiles:
        found.setdefault(tile.kind, []).append(tile)
    return [sorted(each, key=lambda tile: tile.number) for each in found.values()]


def group_function(unit: CompilationUnit, group: str) -> str:
    @routine(f"position.{group}", gives=(I128,))
    def make(b: Emitter) -> None:
        total = b.variable(const(0, I128), "total")
        if unit.plan.changes:
            _add_listed(b, unit.world.singletons[group], total)
        else:
            for tiles in _by_kind(unit.world.topology.tiles.get(group, ())):
                _add_tiles(b, tiles, total)
        b.done(total)

    return make(unit)


def _with_stacks_function(unit: CompilationUnit, group: Instance) -> str:
    """The function that returns the hash of a group with the stacks of its tiles."""
    kinds = [each for each in unit.world.kinds if each.construct.kind is ConstructKind.TILE]
    names = [each.stack for kind in kinds for each in kind.construct.attributes]
    stacks = [unit.world.kind[name] for name in dict.fromkeys(names) if name is not None]
    tiles_only = group_function(unit, group.kind.name)
    if not stacks:
        return tiles_only

    @routine(f"position_with_stacks.{group.kind.name}", gives=(I128,))
    def make(b: Emitter) -> None:
        (found,) = b.run(tiles_only, (), (I128,))
        total = b.variable(found, "total")
        for kind in stacks:
            _add_stacks(b, kind, total, group)
        b.done(total)

    return make(unit)


def _is_in_group(b: Emitter, family: Family, stack: Expression, group: Instance) -> Expression:
    """Whether a stack belongs to a tile of a group."""
    found = b.variable(const(0, I1), "inside")
    holder = b.read_column(family.columns["holder"], stack, Basic.PLAYER).only
    with b.when(~is_no_reference(holder)):
        for tiles, number in cases(b, b.plan.holder_families(), holder):
            if tiles.kind is not ConstructKind.TILE:
                continue
            if b.plan.changes:
                place = b.read_column(tiles.columns["group"], number, Basic.PLAYER).only
                b.set(found, place.eq(group.kind.index))
            else:
                assert b.world.start is not None
                groups = b.world.topology.group
                bits = [groups.get(tile) == group.kind.name for tile in b.plan.members(b.world.start, tiles)]
                data = b.unit.data(bytes(bits), hint="inside")
                b.set(found, b.load(data, number, I8, constant=True).ne(0))
    return found


def _add_listed(b: Emitter, group: Instance, total: Local) -> None:
    """Add the hashes of the current tiles of a group on a changing board."""
    with each(b, group_list(b, group, "tiles", TILE_TYPE)) as (tile, _):
        for family, number in cases(b, tile_families(b), tile.only):
            for kind in family.kinds:
                with b.when(is_one_of(b, family, number, (kind.index,))):
                    b.set(total, total + _mix_tile(b, kind, family, number))


@routine("position", gives=(I128,))
def game_function(b: Emitter) -> None:
    turn = Mixer(b, (TURN,))
    turn.add(widen(b.head("active", I32), I64))
    turn.add(widen(b.head("phase", I32), I64))
    for word in words_of(b, b.head("out", b.plan.seats)):
        turn.add(word)
    total = b.variable(turn.found(), "total")
    for group in b.world.topology.tiles:
        (found,) = b.run(group_function(b.unit, group), (), (I128,))
        b.set(total, total + found)
    if b.plan.changes:
        b.set(total, total + _changed_board(b))
    for kind in b.world.kinds:
        match kind.construct.kind:
            case ConstructKind.TILE | ConstructKind.INTERACTABLE:
                pass
            case ConstructKind.STACK:
                _add_stacks(b, kind, total)
            case _:
                _add_instances(b, kind, total)
    b.done(total)


def _add_instances(b: Emitter, kind: ConstructInfo, total: Local) -> None:
    family = b.plan.family_of_kind[kind.index]
    with b.count(b.let(count_of(b, family))) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            mixer = Mixer(b, (THING, kind.index))
            if kind.construct.kind in (ConstructKind.LOCAL, ConstructKind.GROUP_STATE):
                owner = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
                is_shared = kind.construct.kind is ConstructKind.GROUP_STATE
                for word in words_of(b, owner) if is_shared else [widen(owner, I64)]:
                    mixer.add(word)
            add_attributes(mixer, kind, number)
            b.set(total, total + mixer.found())


def _add_stacks(b: Emitter, kind: ConstructInfo, total: Local, group: Instance | None = None) -> None:
    """Add the hashes of the stacks of a construct: known cards in order, shuffled cards as a set.

    With a group, add only those that belong to its tiles.
    """
    family = b.plan.family_of_kind[kind.index]
    cards = b.plan.families_of(b.plan.card_type(family).name)
    ordinal = b.variable(const(0), "ordinal")
    with b.count(b.let(count_of(b, family))) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            mixer = Mixer(b, (STACK, kind.index))
            mixer.add(ordinal)
            b.set(ordinal, ordinal + 1)
            is_counted = const(1, I1) if group is None else _is_in_group(b, family, number, group)
            for part in PARTS:
                held = part_of(b, family, number, part)
                if part == "pool":
                    crowd = b.variable(const(0, I128), "crowd")
                    with each(b, held) as (card, _):
                        b.set(crowd, crowd + _piece(b, cards, card.only))
                    mixer.add_bits(crowd)
                    continue
                mixer.add(held.parts[1])
                with each(b, held) as (card, _):
                    mixer.add_bits(_piece(b, cards, card.only))
            with b.when(is_counted):
                b.set(total, total + mixer.found())


def _changed_board(b: Emitter) -> Expression:
    """The hash of the board changes; 0 if there are none."""
    mixer = Mixer(b, (BOARD,))
    changes = b.variable(const(0), "changes")

    def begin(count: Expression) -> None:
        mixer.add(count)
        b.set(changes, changes + count)

    placed = list_at(b, address(BLOCK, b.plan.edits["placed"]), TILE_TYPE)
    begin(placed.parts[1])
    with each(b, placed) as (tile, _):
        mixer.add(widen(creation_number(b, tile), I64))
        mixer.add(widen(get_cell(b, tile, "placed", Basic.PLAYER).only, I64))
        for key in ("placed_row", "placed_column"):
            add_value(mixer, get_cell(b, tile, key, Basic.DECIMAL))
    planned = [place.tile for plan in b.world.plans for place in plan.tiles]
    planned.sort(key=lambda one: one.number)
    data = list_data(b.unit, planned, TILE_TYPE)
    tiles = Value(ListType(TILE_TYPE), (data, const(len(planned))), certain=True)
    missing = b.variable(const(0), "away")
    with each(b, tiles) as (tile, _):
        b.set(missing, missing + widen(is_taken(b, tile), I64))
    begin(missing)
    with each(b, tiles) as (tile, _):
        with b.when(is_taken(b, tile)):
            mixer.add(widen(creation_number(b, tile), I64))
    groups = [kind for kind in b.world.kinds if kind.construct.kind is ConstructKind.GROUP]
    b.set(missing, const(0))
    for kind in groups:
        b.set(missing, missing + widen(is_absent(b, b.world.singletons[kind.name]), I64))
    begin(missing)
    for kind in groups:
        with b.when(is_absent(b, b.world.singletons[kind.name])):
            mixer.add(kind.index)
    words = list_at(b, address(BLOCK, b.plan.edits["links"]), Basic.DECIMAL)
    count = b.let(Op("sdiv", (words.parts[1], const(LINK_WORDS)), I64))
    begin(count)
    with b.count(count) as (at, _):
        entry = b.let(address(words.parts[0], at * (8 * LINK_WORDS)))
        order = b.load(entry, 0, I64)
        mixer.add(order >> 32)
        mixer.add(order & 0xFFFFFFFF)
        add_value(mixer, Value(Basic.DECIMAL, (b.load(entry, 24, F64),)))
    return b.let(select(changes.eq(0), const(0, I128), mixer.found()))
