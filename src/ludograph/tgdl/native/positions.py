"""Positions, lowered: sums of mixed words, as docs/positions.md has them.

Where the content of a tile (its attributes, and a piece on it with its attributes) has few values, the mixed
words of all of them are worked out beforehand, and a tile costs one look into a table.
"""

import struct
from itertools import product

from ludograph.tgdl.interpreter.digest import THING, TILE, TURN
from ludograph.tgdl.library import Operation
from ludograph.tgdl.memory import Instance, Kind
from ludograph.tgdl.mixing import FULL, mix128, scramble, split, text_word
from ludograph.tgdl.native.code import binary, compare, const, select, widen
from ludograph.tgdl.native.images import pack
from ludograph.tgdl.native.ir import I32, I64, I128, Data, Expression, Local, Op
from ludograph.tgdl.native.lists import each
from ludograph.tgdl.native.plan import Family
from ludograph.tgdl.native.things import count_of, is_one_of, kind_of
from ludograph.tgdl.native.unit import Body, Unit, Unsupported, Value
from ludograph.tgdl.program import Apply, Attribute, ConstructKind
from ludograph.tgdl.types import Basic, ConstructType, EnumType, ListType, TableType, Type

NONE = -1
"""The word for none."""
LARGEST_TABLE = 1 << 15
"""Entries of the tables of a family of tiles."""


def lower_position(b: Body, node: Apply) -> Value | None:
    """`game.position` and `group.position`; None if it is another operation."""
    match node.operation:
        case Operation.GAME_POSITION:
            (found,) = b.run(game_function(b.unit), (), (I128,))
            return Value(Basic.POSITION, (found,), certain=True)
        case Operation.GROUP_POSITION:
            group = b.value(node.operands[0])
            assert isinstance(group.type, ConstructType)
            families = b.plan.families_of(group.type.name)
            if len(families) != 1:
                raise Unsupported("the position of a group that is not known")
            (found,) = b.run(group_function(b.unit, families[0].name), (), (I128,))
            return Value(Basic.POSITION, (found,), certain=True)
        case _:
            return None


class Mixer:
    """Words being mixed. Mutable."""

    def __init__(self, b: Body, words: tuple[int, ...] = ()) -> None:
        """Begins with some words that are known."""
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
        b.set(self.low, _scramble(b, Op("xor", (self.low, given), I64)))
        b.set(self.high, _scramble(b, binary("add", binary("add", self.high, given), self.low)))

    def add_bits(self, bits: Expression) -> None:
        """128 bits, as two words."""
        self.add(Op("trunc", (bits,), I64))
        self.add(Op("trunc", (Op("lshr", (bits, const(64, I128)), I128),), I64))

    def found(self) -> Expression:
        low, high = Op("zext", (self.low,), I128), Op("zext", (self.high,), I128)
        return self.b.let(Op("or", (low, Op("shl", (high, const(64, I128)), I128)), I128))


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _scramble(b: Body, word: Expression) -> Expression:
    for bits, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = b.let(word)
        word = binary("mul", Op("xor", (word, binary("lshr", word, bits)), I64), _signed(factor))
    word = b.let(word)
    return b.let(Op("xor", (word, binary("lshr", word, 31)), I64))


# The words of values


def tracked(kind: Kind) -> list[Attribute]:
    return [each for each in kind.construct.attributes if each.tracked and not each.makes_stack]


def add_value(mixer: Mixer, value: Value) -> None:
    """The words of a value of a declared type."""
    b = mixer.b
    match value.type:
        case Basic.DECIMAL:
            part = binary("fadd", value.only, 0.0)
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
            _add_thing(mixer, value, name)
        case ListType() | TableType():
            items = b.as_list(value)
            mixer.add(items.parts[1])
            with each(b, items) as (item, _):
                add_value(mixer, item)
        case _:
            raise Unsupported(f"{value.type} in a position")


def _text_word(b: Body, value: Value) -> Expression:
    words = [_signed(text_word(text)) for text in b.unit.strings]
    table = b.unit.data(struct.pack(f"<{len(words)}q", *words) if words else b"", hint="texts")
    missing = b.is_none(value)
    safe = select(missing, const(0, I32), value.only)
    found = b.load(table, b.let(binary("mul", widen(safe, I64), 8)), I64, constant=True)
    return b.let(select(missing, const(NONE), found))


def _add_thing(mixer: Mixer, value: Value, name: str) -> None:
    b = mixer.b
    families = b.plan.families_of(name)
    if len(families) != 1:
        raise Unsupported("things of several families in a position")
    family = families[0]
    is_piece = family.kind is ConstructKind.INTERACTABLE
    first, second = b.variable(const(NONE), "word"), b.variable(const(NONE), "word")
    with b.when(compare("sge", value.only, 0)):
        if is_piece:
            b.set(first, widen(kind_of(b, family, value.only), I64))
            b.set(second, _place_word(b, family, value.only))
        else:
            b.set(first, number_word(b, family, value.only))
    mixer.add(first)
    if is_piece:
        mixer.add(second)


def number_word(b: Body, family: Family, number: Expression) -> Expression:
    """The number of a thing over all things."""
    if "number" in family.columns:
        return widen(b.read_column(family.columns["number"], number, Basic.PLAYER).only, I64)
    assert b.world.start is not None
    numbers = [each.number for each in b.plan.members(b.world.start, family)]
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False:
        return b.let(binary("add", widen(number, I64), numbers[0]))
    table = b.unit.data(b"".join(pack(I32, each) for each in numbers), hint="numbers")
    return b.let(widen(b.load(table, b.let(binary("mul", widen(number, I64), 4)), I32, constant=True), I64))


def _place_word(b: Body, family: Family, piece: Expression) -> Expression:
    places = b.plan.place_families()
    if len(places) != 1:
        raise Unsupported("pieces of several places in a position")
    place = b.read_column(family.columns["place"], piece, Basic.PLAYER).only
    found = b.variable(const(NONE), "place")
    with b.when(compare("sge", place, 0)):
        b.set(found, number_word(b, places[0], place))
    return found


def add_attributes(mixer: Mixer, kind: Kind, number: Expression) -> None:
    b = mixer.b
    family = b.plan.family_of_kind[kind.index]
    for attribute in tracked(kind):
        column = family.columns[b.plan.column_key(kind, attribute.slot)]
        add_value(mixer, b.read_column(column, number, attribute.type))


# Tables of contents


def _domain(unit: Unit, type: Type) -> int | None:
    """How many values a type has, none among them; None if they are too many."""
    match type:
        case Basic.BOOL:
            return 3
        case Basic.PLAYER:
            return unit.world.players + 1
        case EnumType(name):
            return len(unit.world.members[name]) + 1
        case _:
            return None


def _domains(unit: Unit, kind: Kind) -> list[int] | None:
    found = [_domain(unit, attribute.type) for attribute in tracked(kind)]
    return [each for each in found if each is not None] if None not in found else None


def _words(attributes: list[Attribute], values: tuple[int, ...]) -> list[int]:
    """The words of attributes by the numbers of their values; zero is none."""
    return [value - 1 if value else (1 << 64) - 1 for value, _ in zip(values, attributes, strict=True)]


def _content_index(b: Body, kind: Kind, domains: list[int], number: Expression) -> Expression:
    """The number of a thing's content among all that it may have."""
    family = b.plan.family_of_kind[kind.index]
    index: Expression = const(0)
    for attribute, domain in zip(tracked(kind), domains, strict=True):
        column = family.columns[b.plan.column_key(kind, attribute.slot)]
        value = b.read_column(column, number, attribute.type)
        part: Expression = binary("add", widen(value.only, I64), 1)
        if attribute.type is Basic.BOOL:  # whose none is 2
            part = select(b.is_none(value), const(0), part)
        index = binary("add", binary("mul", index, domain), part)
    return b.let(index)


def _tile_table(unit: Unit, tiles: list[Instance]) -> tuple[Data, list[int], list[int], int] | None:
    """The mixed words of some tiles of one construct with every content: table, radices, how many a tile."""
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
    if contents * len(tiles) > LARGEST_TABLE:
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


def _add_tiles(b: Body, tiles: list[Instance], total: Local) -> None:
    """The tiles of one construct, in the order of their numbers in the family."""
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
            number = b.let(binary("add", widen(at, I32), ids[0]))
        else:
            number = b.load(listed, b.let(binary("mul", at, 4)), I32, constant=True)
        if table is not None:
            found = _look_up(b, kind, family, table, at, number)
        else:
            found = _mix_tile(b, kind, family, number)
        b.set(total, Op("add", (total, found), I128))


def _look_up(
    b: Body,
    kind: Kind,
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
        with b.when(compare("sge", piece, 0)):
            b.set(inner, binary("add", _content_index(b, held.kinds[0], pieces, piece), 1))
        count = 1
        for domain in pieces:
            count *= domain
        index = b.let(binary("add", binary("mul", index, count + 1), inner))
    place = b.let(binary("mul", binary("add", binary("mul", at, contents), index), 16))
    return b.load(data, place, I128, constant=True)


def _mix_tile(b: Body, kind: Kind, family: Family, number: Expression) -> Expression:
    mixer = Mixer(b, (TILE, kind.index))
    mixer.add(number_word(b, family, number))
    add_attributes(mixer, kind, number)
    mixer.add_bits(_crowd_on(b, family, number))
    return mixer.found()


def _crowd_on(b: Body, family: Family, number: Expression) -> Expression:
    """The pieces on a tile."""
    total = b.variable(const(0, I128), "crowd")
    families = b.plan.families_of("placeable")
    if not families:
        return total
    if len(families) != 1:
        raise Unsupported("pieces of several families in a position")
    pieces = families[0]
    piece = b.variable(b.read_column(family.columns["first"], number, Basic.PLAYER).only, "piece")
    with b.loop() as label:
        with b.when(compare("slt", piece, 0)):
            b.leave(label)
        for kind in pieces.kinds:
            with b.when(is_one_of(b, pieces, piece, (kind.index,))):
                mixer = Mixer(b, (kind.index,))
                add_attributes(mixer, kind, piece)
                b.set(total, Op("add", (total, mixer.found()), I128))
        if b.plan.single_held is not None:
            b.leave(label)
        else:
            b.set(piece, b.read_column(pieces.columns["next"], piece, Basic.PLAYER).only)
    return total


def _by_kind(tiles: tuple[Instance, ...]) -> list[list[Instance]]:
    found: dict[Kind, list[Instance]] = {}
    for tile in tiles:
        found.setdefault(tile.kind, []).append(tile)
    return [sorted(each, key=lambda tile: tile.number) for each in found.values()]


def group_function(unit: Unit, group: str) -> str:
    name = f"position.{group}"

    def make() -> None:
        b = Body(unit, name, (), (I128,))
        total = b.variable(const(0, I128), "total")
        for tiles in _by_kind(unit.world.topology.tiles.get(group, ())):
            _add_tiles(b, tiles, total)
        b.done(total)
        b.finish()

    return unit.need(name, make)


def game_function(unit: Unit) -> str:
    return unit.need("position", lambda: _make_game(unit))


def _make_game(unit: Unit) -> None:
    b = Body(unit, "position", (), (I128,))
    turn = Mixer(b, (TURN,))
    turn.add(widen(b.head("active", I32), I64))
    turn.add(widen(b.head("phase", I32), I64))
    turn.add(b.head("out", I64))
    total = b.variable(turn.found(), "total")
    for group in unit.world.topology.tiles:
        (found,) = b.run(group_function(unit, group), (), (I128,))
        b.set(total, Op("add", (total, found), I128))
    for kind in unit.world.kinds:
        match kind.construct.kind:
            case ConstructKind.TILE | ConstructKind.INTERACTABLE:
                pass
            case ConstructKind.STACK:
                raise Unsupported("stacks in a position")
            case _:
                _add_things(b, kind, total)
    b.done(total)
    b.finish()


def _add_things(b: Body, kind: Kind, total: Local) -> None:
    family = b.plan.family_of_kind[kind.index]
    with b.count(b.let(count_of(b, family))) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            mixer = Mixer(b, (THING, kind.index))
            if kind.construct.kind in (ConstructKind.LOCAL, ConstructKind.GROUP_STATE):
                owner = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
                mixer.add(widen(owner, I64))
            add_attributes(mixer, kind, number)
            b.set(total, Op("add", (total, mixer.found()), I128))
