"""The canonical encoding of a state: equal states have equal bytes, and different states different ones.

The bytes hold `LGS`, a format number, the hash of the rules, players and options; then the instances created
in play, every cell with a tag, the choices of the open transaction, and the generator of chance. Decoding
checks everything: invalid bytes raise BadState.
"""

import json
import struct
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from ludograph.tgdl.game.state_check import BadState, check_choices, check_memory, is_number
from ludograph.tgdl.world.faults import STOP, Fault
from ludograph.tgdl.world.memory import MAX_FAMILY_SIZE, EnumMember, Instance, Memory, PositionHash
from ludograph.tgdl.world.topology import Edits
from ludograph.tgdl.world.values import MAX_LIST_DEPTH
from ludograph.tgdl.world.world import World

MAGIC = b"LGS"
FORMAT = 1
MAX_VALUE_DEPTH = MAX_LIST_DEPTH + 4
"""Choices hold values."""

_NONE, _FALSE, _TRUE, _DECIMAL, _WHOLE, _TEXT, _MEMBER, _INSTANCE, _TUPLE, _POSITION, _EDITS, _STOP = range(
    12
)


class Encoded(Struct, frozen=True):
    """A state as bytes, and 128 bits of its content."""

    data: bytes

    @property
    def digest(self) -> str:
        """128 bits of BLAKE2b as hexadecimal digits, the first byte last."""
        return blake2b(self.data, digest_size=16).digest()[::-1].hex()


class Decoded(Struct, frozen=True):
    world: World
    memory: Memory
    choices: tuple[Any, ...]
    generator: tuple[int, int, int, int] | None


def encode_state(
    world: World, memory: Memory, choices: tuple[Any, ...], generator: tuple[int, int, int, int] | None
) -> Encoded:
    """The bytes of a state."""
    out = bytearray(MAGIC)
    out.append(FORMAT)
    _put_text(out, world.program.rules)
    _put_number(out, world.players)
    options = {name: _plain_option(value) for name, value in sorted(world.options.items())}
    _put_text(out, json.dumps(options, sort_keys=True, separators=(",", ":")))
    assert world.start is not None
    made = memory.instances[len(world.start.instances) :]
    _put_number(out, len(made))
    for instance in made:
        _put_number(out, instance.kind.index)
    enums = {name: place for place, name in enumerate(world.members)}
    for value in memory.cells:
        _put_value(out, value, enums)
    _put_value(out, choices, enums)
    out.append(0 if generator is None else 1)
    for word in generator or ():
        out += word.to_bytes(8, "little")
    return Encoded(bytes(out))


def _plain_option(value: Any) -> Any:
    return value.name if isinstance(value, EnumMember) else value


def decode_state(data: bytes, rules: str, find_world: Callable[[int, Mapping[str, Any]], World]) -> Decoded:
    """Decode a state; raises BadState with the reason if the bytes are not valid."""
    reader = _Reader(data)
    if reader.take(len(MAGIC)) != MAGIC:
        raise BadState("these bytes are not a saved state")
    version = reader.byte()
    if version != FORMAT:
        raise BadState(f"this state is saved in format {version}, not {FORMAT}")
    found = reader.text()
    if found != rules:
        raise BadState("this state was saved under other rules")
    players = reader.number()
    world = _world(players, reader.text(), find_world)
    assert world.start is not None
    memory = world.start.copy()
    count = reader.number()
    if count > len(data):
        raise BadState("there are more instances than bytes")
    for _ in range(count):
        index = reader.number()
        if index >= len(world.kinds) or len(memory.families[index]) >= MAX_FAMILY_SIZE:
            raise BadState("there is no such construct")
        memory.create(world.kinds[index])
    members = list(world.members.values())
    cells = [_read_value(reader, memory, members, 0) for _ in range(len(memory.cells))]
    memory.cells[:] = cells
    choices = _read_value(reader, memory, members, 0)
    generator = _read_generator(reader)
    if not reader.at_end:
        raise BadState("there are bytes after the end of the state")
    check_memory(world, memory)
    check_choices(world, memory, choices)
    if encode_state(world, memory, choices, generator).data != bytes(data):
        raise BadState("the state is not in its one canonical form")
    return Decoded(world, memory, choices, generator)


def _world(players: int, text: str, find_world: Callable[[int, Mapping[str, Any]], World]) -> World:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        raise BadState("the options of the state cannot be read") from None
    if not isinstance(options, dict):
        raise BadState("the options of the state cannot be read")
    try:
        return find_world(players, options)
    except (ValueError, TypeError, Fault) as error:
        raise BadState(f"the game cannot be played like this: {error}") from None


def _read_generator(reader: "_Reader") -> tuple[int, int, int, int] | None:
    flag = reader.byte()
    if flag > 1:
        raise BadState("the generator cannot be read")
    if flag == 0:
        return None
    words = [int.from_bytes(reader.take(8), "little") for _ in range(4)]
    if not any(words):
        raise BadState("a generator is never all zero")
    return words[0], words[1], words[2], words[3]


def _put_number(out: bytearray, number: int) -> None:
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _put_text(out: bytearray, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    _put_number(out, len(data))
    out += data


def _put_value(out: bytearray, value: Any, enums: Mapping[str, int]) -> None:
    match value:
        case None:
            out.append(_NONE)
        case bool():
            out.append(_TRUE if value else _FALSE)
        case float():
            out.append(_DECIMAL)
            out += struct.pack("<d", value)
        case EnumMember():
            out.append(_MEMBER)
            _put_number(out, enums[value.enum])
            _put_number(out, int(value))
        case PositionHash():
            out.append(_POSITION)
            out += int(value).to_bytes(16, "little")
        case int():
            out.append(_WHOLE)
            _put_number(out, value * 2 if value >= 0 else -value * 2 - 1)
        case str():
            out.append(_TEXT)
            _put_text(out, value)
        case Instance():
            out.append(_INSTANCE)
            _put_number(out, value.number)
        case tuple():
            out.append(_TUPLE)
            _put_number(out, len(value))
            for item in value:
                _put_value(out, item, enums)
        case Edits():
            out.append(_EDITS)
            for part in (value.placed, value.taken, value.absent, value.links):
                _put_value(out, part, enums)
        case _:
            assert value is STOP, "cells hold nothing else"
            out.append(_STOP)


class _Reader:
    """Reads bytes from the beginning. Mutable."""

    def __init__(self, data: bytes) -> None:
        self.data = bytes(data)
        self.offset = 0

    @property
    def at_end(self) -> bool:
        return self.offset == len(self.data)

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.offset:
            raise BadState("the bytes end too early")
        found = self.data[self.offset : self.offset + count]
        self.offset += count
        return found

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        result = shift = 0
        while True:
            byte = self.byte()
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result
            shift += 7
            if shift > 63:
                raise BadState("a number is too long")

    def text(self) -> str:
        try:
            return self.take(self.number()).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise BadState("a string is not valid UTF-8") from None


def _read_value(reader: _Reader, memory: Memory, members: list[tuple[EnumMember, ...]], depth: int) -> Any:
    tag = reader.byte()
    match tag:
        case 0:
            return None
        case 1 | 2:
            return tag == _TRUE
        case 3:
            value = struct.unpack("<d", reader.take(8))[0]
            if value - value != 0:
                raise BadState("a decimal must be finite")
            return value
        case 4:
            number = reader.number()
            return -(number + 1) // 2 if number % 2 else number // 2
        case 5:
            return reader.text()
        case 6:
            enum, ordinal = reader.number(), reader.number()
            if enum >= len(members) or ordinal >= len(members[enum]):
                raise BadState("there is no such member of an enum")
            return members[enum][ordinal]
        case 7:
            number = reader.number()
            if number >= len(memory.instances):
                raise BadState("there is no such instance")
            return memory.instances[number]
        case 8:
            count = reader.number()
            if depth >= MAX_VALUE_DEPTH or count > len(reader.data):
                raise BadState("a list is longer than its bytes, or nested too deeply")
            return tuple(_read_value(reader, memory, members, depth + 1) for _ in range(count))
        case 9:
            return PositionHash(int.from_bytes(reader.take(16), "little"))
        case 10:
            return _read_edits(reader, memory, members, depth)
        case 11:
            return STOP
        case _:
            raise BadState(f"there is no value tag {tag}")


def _read_edits(reader: _Reader, memory: Memory, members: list[tuple[EnumMember, ...]], depth: int) -> Edits:
    if depth >= MAX_VALUE_DEPTH:
        raise BadState("values are nested too deeply")
    placed, taken, absent, links = (_read_value(reader, memory, members, depth + 1) for _ in range(4))
    edits = Edits(placed, taken, absent, links)
    check_edits(edits)
    return edits


def check_edits(edits: Edits) -> None:
    """Raise BadState unless these are changes of a board in form."""
    parts = (edits.placed, edits.taken, edits.absent, edits.links)
    if not all(isinstance(part, tuple) for part in parts):
        raise BadState("the changes of the board cannot be read")

    def is_tile(value: Any) -> bool:
        return isinstance(value, Instance) and "tile" in value.kind.ancestry

    fits = (
        all(
            isinstance(each, tuple)
            and len(each) == 4
            and is_tile(each[0])
            and isinstance(each[1], str)
            and type(each[2]) is int
            and type(each[3]) is int
            for each in edits.placed
        )
        and all(is_tile(each) for each in edits.taken)
        and all(isinstance(each, str) for each in edits.absent)
        and all(
            isinstance(each, tuple)
            and len(each) == 3
            and is_tile(each[0])
            and is_tile(each[1])
            and (each[2] is None or (is_number(each[2]) and each[2] >= 0))
            for each in edits.links
        )
    )
    if not fits:
        raise BadState("the changes of the board are not valid")
