"""Encoding of memories of the reference engine as blocks, and decoding of blocks.

Both directions are lossless: the canonical bytes, views and explanations of a state on either engine are made
from its memory.
"""

import struct
from collections.abc import Callable, Iterable
from math import isnan
from typing import Any

from ludograph.tgdl.native.ir.nodes import F64, I8, I16, I32, I64, I128, I256, WHOLE, MachineType
from ludograph.tgdl.native.layout.board_changes import WORDS, BoardState, read_edits
from ludograph.tgdl.native.layout.decoding import AttributeDecoder, Decoding, Rows
from ludograph.tgdl.native.layout.plan import Column, Family, Plan
from ludograph.tgdl.native.layout.representations import (
    LIST_SIZE,
    NO_OBJECT,
    OBJECT,
    OBJECT_SIZE,
    WIDE,
    Rep,
    Tag,
)
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world import memory as mem

PieceNeighbours = tuple[mem.Instance | None, mem.Instance | None]
PlainWriter = Callable[[bytearray, int, Any], None]
"""Writes a number into data at an offset."""

ENDS = (None, "win", "draw", "finish")
FORMATS: dict[MachineType, str] = {F64: "<d", I8: "<b", I16: "<h", I32: "<i", I64: "<q"}

PLAIN = (Basic.DECIMAL, Basic.BOOL, Basic.PLAYER)
"""The types whose values are numbers in the memory and in the block."""


class Unrepresentable(Exception):
    """A state has more instances than the layout has capacity for: the code must be compiled again."""


class ForeignText(Exception):
    """A state has a string that the rules do not have, and the rules compare positions.

    Compiled code has hashes only for the strings of the rules.
    """


def pack(kind: MachineType, value: int | float) -> bytes:
    """The bytes of a machine value."""
    if kind in (I128, I256):
        return (int(value) % (1 << WHOLE[kind])).to_bytes(kind.size, "little")
    return struct.pack(FORMATS[kind], value)


def unpack(kind: MachineType, data: bytes, at: int) -> Any:
    if kind in (I128, I256):
        return int.from_bytes(data[at : at + kind.size], "little")
    return struct.unpack_from(FORMATS[kind], data, at)[0]


class BlockWriter:
    """Encodes values into a growing block. Mutable."""

    def __init__(self, plan: Plan, memory: mem.Memory, strings: dict[str, int], data: bytearray) -> None:
        self.plan = plan
        self.memory = memory
        self.strings = strings
        self.data = data
        self.board = BoardState(plan, memory) if plan.changes else None
        self._numbers: dict[int, dict[mem.Instance, int]] = {}
        """The numbers of the instances of mixed families, by family; built when first needed."""
        self._neighbours: dict[mem.Instance, dict[mem.Instance, PieceNeighbours]] = {}
        """The pieces before and after each piece on a tile; built when first needed."""

    def number_of(self, instance: mem.Instance) -> int:
        """The number of an instance in its family."""
        family = self.plan.family_of_kind[instance.kind.index]
        if not family.is_mixed:
            return instance.ordinal
        numbers = self._numbers.get(family.index)
        if numbers is None:
            members = self.plan.members(self.memory, family)
            numbers = self._numbers[family.index] = {each: at for at, each in enumerate(members)}
        return numbers[instance]

    def neighbours(self, piece: mem.Instance, tile: mem.Instance) -> PieceNeighbours:
        """The pieces before and after a piece on its tile."""
        known = self._neighbours.get(tile)
        if known is None:
            held = self.memory.cells[tile.extra + mem.HELD]
            known = dict(zip(held, zip((None, *held), (*held[1:], None), strict=False), strict=True))
            self._neighbours[tile] = known
        return known[piece]

    def number(self, type: Type | None, rep: Rep, value: Any) -> int | float:
        """The register content of a value that is neither list nor table."""
        if value is None:
            return rep.none[0]
        if isinstance(value, mem.Instance):
            number = self.number_of(value)
            if rep.shape == "wide":
                return self.plan.family_of_kind[value.kind.index].index << 32 | number
            return number
        if isinstance(value, str):
            return self.strings.setdefault(value, len(self.strings))
        return float(value) if rep.shape == "number" else int(value)

    def write(self, at: int, type: Type | None, rep: Rep, value: Any, *, inside: bool) -> None:
        """Write a value at an offset; the elements of lists are appended to the data."""
        match type:
            case ListType(element):
                self.write_list(at, element, self.plan.rep(element), value, inside=inside)
            case TableType(_, inner):
                item = self.plan.rep(inner)
                nothing = () if isinstance(inner, ListType | TableType) else None
                for place in range(rep.count):  # the rest is filled with defaults for later tiles
                    each = value[place] if place < len(value) else nothing
                    self.write(at + place * item.size, inner, item, each, inside=True)
            case Basic.OBJECT:
                self.data[at : at + OBJECT_SIZE] = struct.pack("<qqq", *self.object(value))
            case _:
                assert rep.stored is not None
                encoded = pack(rep.stored, self.number(type, rep, value))
                self.data[at : at + len(encoded)] = encoded

    def object(self, value: Any) -> tuple[int, int, int]:
        """The words of an object (see `objects.py`); the elements of lists are appended to the data."""
        match value:
            case None:
                return (NO_OBJECT, 0, 0)
            case float():
                return (Tag.DECIMAL, *struct.unpack("<q", struct.pack("<d", value)), 0)
            case bool():
                return (Tag.BOOL, int(value), 0)
            case mem.EnumMember():
                return (Tag.MEMBER, int(value), list(self.plan.world.members).index(value.enum))
            case mem.PositionHash():
                low, high = struct.unpack("<qq", pack(I128, value))
                return (Tag.POSITION, low, high)
            case int():
                return (Tag.PLAYER, value, 0)
            case str():
                return (Tag.TEXT, self.strings.setdefault(value, len(self.strings)), 0)
            case mem.Instance():
                return (Tag.THING, int(self.number(None, WIDE, value)), 0)
            case _:
                start = (len(self.data) + 7) // 8 * 8
                self.data.extend(bytes(start - len(self.data) + len(value) * OBJECT_SIZE))
                for place, each in enumerate(value):
                    self.write(start + place * OBJECT_SIZE, Basic.OBJECT, OBJECT, each, inside=True)
                return (Tag.LIST, start, len(value))

    def write_list(self, at: int, element: Type | None, item: Rep, values: Any, *, inside: bool) -> None:
        if values is None and inside:
            self.data[at : at + LIST_SIZE] = bytes(LIST_SIZE)
            return
        start = (len(self.data) + 7) // 8 * 8
        values = () if values is None else values
        self.data.extend(bytes(start - len(self.data) + len(values) * item.size))
        for place, each in enumerate(values):
            self.write(start + place * item.size, element, item, each, inside=True)
        if inside:
            self.data[at : at + LIST_SIZE] = struct.pack("<qq", start, len(values))
        else:
            self.data[at : at + LIST_SIZE] = struct.pack("<iiii", start, len(values), len(values), 0)


def encode_without_sealed(plan: Plan, memory: mem.Memory, strings: dict[str, int]) -> bytes:
    """Encode a memory as a block, without sealed choices; the heap ends after the lists."""
    cells, header = memory.cells, plan.header
    data = bytearray(plan.fixed_size)
    writer = BlockWriter(plan, memory, strings, data)

    def put(name: str, kind: MachineType, value: int) -> None:
        encoded = pack(kind, value)
        data[header[name] : header[name] + len(encoded)] = encoded

    put("stage", I32, cells[mem.STAGE])
    put("turn", I32, -1 if cells[mem.TURN] is None else cells[mem.TURN])
    put("phase", I32, -1 if cells[mem.PHASE] is None else cells[mem.PHASE])
    put("active", I32, cells[mem.ACTIVE])
    put("out", plan.seats, mask_of(cells[mem.OUT]))
    put("dropped", plan.seats, mask_of(cells[mem.DROPPED]))
    put("stuck_count", I32, len(cells[mem.STUCK]))
    data[header["stuck"] : header["stuck"] + len(cells[mem.STUCK])] = bytes(cells[mem.STUCK])
    if cells[mem.RESULT] is not None:
        kind, values = cells[mem.RESULT]
        put("ended", I32, ENDS.index(kind))
        if kind == "finish":
            for place, payoff in enumerate(values):
                data[plan.payoffs + 8 * place : plan.payoffs + 8 * place + 8] = pack(F64, payoff)
        else:
            put("winners", plan.seats, mask_of(values))
    for action in cells[mem.SWITCHED]:
        data[plan.off[action]] = 1
    wanted = cells[mem.SETUP]
    named = (*plan.setups, wanted)
    put("setup", I32, -1 if wanted is None else named.index(wanted))
    for family in plan.families:
        _check_capacity(plan, memory, family)
    for family in plan.families:
        _write_family(writer, family)
    if writer.board is not None:
        tile = plan.rep(ConstructType("tile"))
        placed, links = writer.board.lists(lambda thing: writer.number(None, tile, thing))
        writer.write_list(plan.edits["placed"], None, tile, placed, inside=False)
        writer.write_list(plan.edits["links"], None, WORDS, links, inside=False)
    put("heap_top", I64, (len(data) + 15) // 16 * 16)
    data.extend(bytes(-len(data) % 16))
    return bytes(data)


def mask_of(players: Any) -> int:
    return sum(1 << player for player in players)


def players_in(mask: int) -> tuple[int, ...]:
    return tuple(player for player in range(mask.bit_length()) if mask >> player & 1)


def _check_capacity(plan: Plan, memory: mem.Memory, family: Family) -> None:
    count = sum(len(memory.families[kind.index]) for kind in family.kinds)
    if count > family.capacity:
        raise Unrepresentable(f"more than {family.capacity} of {family.name}")
    if not family.grows and plan.world.start is not None:
        if count != sum(len(plan.world.start.families[kind.index]) for kind in family.kinds):
            raise Unrepresentable(f"instances of {family.name} that no rule creates")


def _write_family(writer: BlockWriter, family: Family) -> None:
    plan, memory, data = writer.plan, writer.memory, writer.data
    members = plan.members(memory, family)
    data[family.count_at : family.count_at + 4] = pack(I32, len(members))
    attributes = {kind.index: _attribute_columns(writer, family, kind) for kind in family.kinds}
    others = {key: column for key, column in family.columns.items() if not _is_attribute(key)}
    for number, instance in enumerate(members):
        for slot, column, put in attributes[instance.kind.index]:
            value = memory.cells[instance.offset + slot]
            at = column.offset + number * column.stride
            if put is None:
                writer.write(at, column.type, column.rep, value, inside=False)
            else:
                put(data, at, column.rep.none[0] if value is None else value)
        extras = _extras(writer, family, instance)
        for key, column in others.items():
            at = column.offset + number * column.stride
            if column.rep.shape == "list":
                cards, element = extras[key]
                writer.write_list(at, None, element, cards, inside=False)
            else:
                assert column.rep.stored is not None
                encoded = pack(column.rep.stored, writer.number(None, column.rep, extras.get(key)))
                data[at : at + len(encoded)] = encoded


def _is_attribute(key: object) -> bool:
    return isinstance(key, tuple) and isinstance(key[0], int)


def _attribute_columns(
    writer: BlockWriter, family: Family, kind: mem.ConstructInfo
) -> list[tuple[int, Column, PlainWriter | None]]:
    """The attributes of a construct with their columns, and how plain values are written.

    States may have millions of plain values, such as numbers, and `BlockWriter.write` is slow.
    """
    found: list[tuple[int, Column, PlainWriter | None]] = []
    for slot, attribute in enumerate(kind.construct.attributes):
        column = family.columns.get(writer.plan.column_key(kind, slot))
        if column is None:
            continue
        stored = column.rep.stored
        is_plain = isinstance(attribute.type, EnumType) or attribute.type in PLAIN
        put = struct.Struct(FORMATS[stored]).pack_into if is_plain and stored in FORMATS else None
        found.append((slot, column, put))
    return found


def _extras(writer: BlockWriter, family: Family, instance: mem.Instance) -> dict[Any, Any]:
    """The columns of an instance that are not attributes."""
    cells, at = writer.memory.cells, instance.extra
    found: dict[Any, Any] = {"kind": instance.kind.index, "number": instance.number}
    for key in family.columns:
        if isinstance(key, tuple) and key[0] == "off":
            found[key] = key[1] in cells[at + mem.SWITCHES]
    if writer.board is not None:
        found |= writer.board.extras(family, instance)
    match family.kind:
        case ConstructKind.INTERACTABLE:
            place = cells[at + mem.PLACE]
            found["place"] = place
            if place is not None and place.kind.construct.kind is ConstructKind.TILE:
                found["previous"], found["next"] = writer.neighbours(instance, place)
        case ConstructKind.TILE:
            held = cells[at + mem.HELD]
            found["first"] = held[0] if held else None
            found["last"] = held[-1] if held else None
        case ConstructKind.LOCAL:
            found["owner"] = cells[at + mem.OWNER]
        case ConstructKind.GROUP_STATE:
            found["owner"] = mask_of(cells[at + mem.OWNER])
        case ConstructKind.STACK:
            element = writer.plan.rep(writer.plan.card_type(family))
            for name, part in (("bottom", mem.BOTTOM), ("pool", mem.POOL), ("top", mem.TOP)):
                found[name] = (cells[at + part], element)
            found["holder"] = cells[at + mem.HOLDER]
        case _:
            pass
    return found


# Decoding


class BlockReader:
    """Decodes the values of a block. Mutable."""

    def __init__(self, plan: Plan, data: bytes, texts: list[str]) -> None:
        self.plan = plan
        self.data = data
        self.texts = texts
        self.things: dict[int, list[mem.Instance]] = {}

    def value(self, at: int, type: Type | None, rep: Rep, *, inside: bool) -> Any:
        match type:
            case ListType(element):
                form = "<qq" if inside else "<ii"
                start, length = struct.unpack_from(form, self.data, at)
                if inside and not start:
                    return None
                item = self.plan.rep(element)
                return tuple(
                    self.value(start + place * item.size, element, item, inside=True)
                    for place in range(length)
                )
            case TableType(_, inner):
                item = self.plan.rep(inner)
                return tuple(
                    self.value(at + place * item.size, inner, item, inside=True)
                    for place in range(self.length(type))
                )
            case Basic.OBJECT:
                return self.object(*struct.unpack_from("<qqq", self.data, at))
            case _:
                assert rep.stored is not None
                return self.decode(type, rep, unpack(rep.stored, self.data, at))

    def length(self, type: TableType) -> int:
        """The number of entries of a table."""
        if not self.plan.is_growing(type) or not isinstance(type.key, ConstructType):
            return self.plan.rep(type).count
        kinds = self.plan.world.subtypes[type.key.name]
        families = self.plan.families_of(type.key.name)
        return sum(thing.kind.index in kinds for each in families for thing in self.things[each.index])

    def object(self, tag: int, low: int, high: int) -> Any:
        """The value of the words of an object."""
        match tag:
            case Tag.DECIMAL:
                return struct.unpack("<d", struct.pack("<q", low))[0]
            case Tag.BOOL:
                return bool(low)
            case Tag.PLAYER:
                return low
            case Tag.MEMBER:
                return list(self.plan.world.members.values())[high][low]
            case Tag.TEXT:
                return self.texts[low]
            case Tag.POSITION:
                return mem.PositionHash(unpack(I128, struct.pack("<qq", low, high), 0))
            case Tag.THING:
                return self.things[low >> 32][low & 0xFFFFFFFF]
            case Tag.LIST:
                return tuple(
                    self.value(low + place * OBJECT_SIZE, Basic.OBJECT, OBJECT, inside=True)
                    for place in range(high)
                )
            case _:
                return None

    def decode(self, type: Type | None, rep: Rep, number: Any) -> Any:
        """The value of the content of a register."""
        if (isinstance(number, float) and isnan(number)) or number == rep.none[0]:
            return None
        world = self.plan.world
        match type:
            case Basic.DECIMAL:
                return float(number)
            case Basic.BOOL:
                return bool(number)
            case Basic.STRING:
                return self.texts[number]
            case Basic.POSITION:
                return None if number == (1 << 128) - 1 else mem.PositionHash(number)
            case EnumType(name):
                return world.members[name][number]
            case ConstructType(name):
                return self.thing(self.plan.families_of(name), rep, number)
            case _:
                return int(number)

    def thing(self, families: tuple[Family, ...], rep: Rep, number: int) -> mem.Instance:
        if rep.shape == "wide":
            return self.things[number >> 32][number & 0xFFFFFFFF]
        return self.things[families[0].index][number]


def decode_without_sealed(
    decoding: Decoding, data: bytes, texts: list[str], setup: str | None = None
) -> mem.Memory:
    """Decode a block as a memory, without sealed choices."""
    plan = decoding.plan
    world = plan.world
    assert world.start is not None
    memory = world.start.copy()
    reader = BlockReader(plan, data, texts)
    _populate(decoding, memory, reader)
    cells, header = memory.cells, plan.header

    def get(name: str, kind: MachineType) -> int:
        return int(unpack(kind, data, header[name]))

    cells[mem.STAGE] = get("stage", I32)
    cells[mem.TURN] = None if get("turn", I32) < 0 else get("turn", I32)
    cells[mem.PHASE] = None if get("phase", I32) < 0 else get("phase", I32)
    cells[mem.ACTIVE] = get("active", I32)
    cells[mem.OUT] = players_in(get("out", plan.seats))
    cells[mem.DROPPED] = players_in(get("dropped", plan.seats))
    cells[mem.SETUP] = setup
    named = get("setup", I32)
    if 0 <= named < len(plan.setups):
        cells[mem.SETUP] = plan.setups[named]
    cells[mem.SWITCHED] = tuple(action for action, place in sorted(plan.off.items()) if data[place])
    cells[mem.STUCK] = tuple(data[header["stuck"] : header["stuck"] + get("stuck_count", I32)])
    ended = ENDS[get("ended", I32)]
    cells[mem.RESULT] = None
    if ended == "finish":
        payoffs = tuple(unpack(F64, data, plan.payoffs + 8 * place) for place in range(world.players))
        cells[mem.RESULT] = (ended, payoffs)
    elif ended is not None:
        cells[mem.RESULT] = (ended, players_in(get("winners", plan.seats)))
    for rows in decoding.rows:
        for number, instance in enumerate(reader.things[rows.family.index]):
            _read_instance(reader, memory, rows, number, instance)
    cells[mem.EDITS] = read_edits(plan, reader.things, data) if plan.changes else None
    cells[mem.SEALED] = ()
    return memory


def decode_instances(
    decoding: Decoding,
    data: bytes,
    texts: list[str],
    instances: Iterable[mem.Instance],
    wanted: tuple[str, ...],
) -> mem.Memory:
    """A memory in which only some instances are decoded from a block.

    All their attributes are decoded, or only the wanted ones. The layout must be fixed.
    """
    assert decoding.is_fixed and decoding.plan.world.start is not None
    memory = decoding.plan.world.start.copy()
    reader = BlockReader(decoding.plan, data, texts)
    reader.things = dict(enumerate(decoding.members))
    for instance in instances:
        rows, number = decoding.places[instance]
        if not wanted:
            _read_instance(reader, memory, rows, number, instance)
            continue
        for each in rows.attributes[instance.kind.index]:
            if each.name in wanted:
                memory.cells[instance.offset + each.slot] = _read_attribute(reader, each, number)
    return memory


def _populate(decoding: Decoding, memory: mem.Memory, reader: BlockReader) -> None:
    """Create the instances that the start does not have, in order of creation."""
    plan = decoding.plan
    newer: list[tuple[int, Family, int]] = []
    for family, known in zip(plan.families, decoding.members, strict=True):
        reader.things[family.index] = known.copy() if family.grows else known
        count = unpack(I32, reader.data, family.count_at)
        for number in range(len(known), count):
            column = family.columns["number"]
            order = unpack(I32, reader.data, column.offset + number * column.stride)
            newer.append((order, family, number))
    for _, family, number in sorted(newer, key=lambda each: each[0]):
        kind = family.kinds[0]
        if family.is_mixed:
            column = family.columns["kind"]
            assert column.rep.stored is not None
            index = unpack(column.rep.stored, reader.data, column.offset + number * column.stride)
            kind = plan.world.kinds[index]
        reader.things[family.index].append(memory.create(kind))


def _read_instance(
    reader: BlockReader, memory: mem.Memory, rows: Rows, number: int, instance: mem.Instance
) -> None:
    cells, data, first = memory.cells, reader.data, instance.offset
    for each in rows.attributes[instance.kind.index]:
        cells[first + each.slot] = _read_attribute(reader, each, number)
    cells[instance.extra + mem.SWITCHES] = tuple(
        [action for action, column in rows.switches if data[column.offset + number * column.stride]]
    )
    if rows.has_more:
        _read_more(reader, memory, rows.family, number, instance)


def _read_attribute(reader: BlockReader, attribute: AttributeDecoder, number: int) -> Any:
    at = attribute.offset + number * attribute.stride
    if attribute.plain is not None:
        return attribute.plain(reader.data, at)
    column = attribute.column
    return reader.value(at, column.type, column.rep, inside=False)


def _read_more(
    reader: BlockReader, memory: mem.Memory, family: Family, number: int, instance: mem.Instance
) -> None:
    plan, cells, at = reader.plan, memory.cells, instance.extra

    def read(key: str) -> int:
        column = family.columns[key]
        assert column.rep.stored is not None
        return int(unpack(column.rep.stored, reader.data, column.offset + number * column.stride))

    def reference(families: tuple[Family, ...], rep: Rep, value: int) -> mem.Instance | None:
        return None if value == -1 else reader.thing(families, rep, value)

    match family.kind:
        case ConstructKind.INTERACTABLE:
            cells[at + mem.PLACE] = reference(plan.place_families(), plan.rep_of_place(), read("place"))
        case ConstructKind.TILE:
            held: list[mem.Instance] = []
            pieces, rep = plan.families_of("placeable"), plan.rep_of_piece()
            piece = reference(pieces, rep, read("first")) if pieces else None
            while piece is not None:
                held.append(piece)
                if plan.single_held is not None:
                    break
                own = plan.family_of_kind[piece.kind.index]
                column = own.columns["next"]
                assert column.rep.stored is not None
                place = column.offset + plan.number_of(memory, piece) * column.stride
                piece = reference(pieces, rep, int(unpack(column.rep.stored, reader.data, place)))
            cells[at + mem.HELD] = tuple(held)
        case ConstructKind.LOCAL:
            owner = read("owner")
            cells[at + mem.OWNER] = None if owner < 0 else owner
        case ConstructKind.GROUP_STATE:
            cells[at + mem.OWNER] = players_in(read("owner"))
        case ConstructKind.STACK:
            element = ListType(plan.card_type(family))
            for name, part in (("bottom", mem.BOTTOM), ("pool", mem.POOL), ("top", mem.TOP)):
                column = family.columns[name]
                place = column.offset + number * column.stride
                cells[at + part] = reader.value(place, element, column.rep, inside=False)
            cells[at + mem.HOLDER] = reference((), WIDE, read("holder"))
        case _:
            pass
