"""The encoding of sealed choices: the choices of players in a simultaneous phase, as words and as values."""

import struct
from collections.abc import Iterator
from typing import Any

from ludograph.tgdl.native.ir.nodes import I128
from ludograph.tgdl.native.layout.choice_words import (
    decode_opener,
    encode_opener,
    number_of_word,
    part_of_opener,
    word_of_number,
)
from ludograph.tgdl.native.layout.decoding import Decoding
from ludograph.tgdl.native.layout.encoding import (
    BlockReader,
    BlockWriter,
    decode_without_sealed,
    encode_without_sealed,
    mask_of,
    pack,
)
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.representations import LIST_SIZE
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.world.memory import SEALED, Memory

WORD = (1 << 64) - 1


def encode_memory(plan: Plan, memory: Memory, strings: dict[str, int]) -> bytes:
    """Encode a memory as a block, including sealed choices."""
    data = bytearray(encode_without_sealed(plan, memory, strings))
    sealed = memory.cells[SEALED]
    if not sealed:
        return bytes(data)
    writer = BlockWriter(plan, memory, strings, data)
    words: list[int] = []
    for player, (start, *values) in sealed:
        _, action_index, this, part = start
        number = -1 if this is None else plan.number_of(memory, this)
        found = [encode_opener(player, action_index, number, part, plan.world)]
        inputs = plan.world.program.actions[action_index].inputs
        for known, value in zip(inputs, values, strict=True):
            found += _words(writer, known.type, value)
        words += [player << 32 | len(found), *found]
    at = len(data)
    data.extend(struct.pack(f"<{len(words)}q", *words))
    data.extend(bytes(-len(data) % 16))
    place = plan.header["sealed"]
    data[place : place + LIST_SIZE] = struct.pack("<iiii", at, len(words), len(words), 0)
    mask_at = plan.header["sealed_mask"]
    data[mask_at : mask_at + plan.seats.size] = pack(plan.seats, mask_of(player for player, _ in sealed))
    struct.pack_into("<q", data, plan.header["heap_top"], len(data))
    return bytes(data)


def _words(writer: BlockWriter, type: Type, value: Any) -> Iterator[int]:
    match type:
        case ListType(inner) | TableType(_, inner):
            yield -1 if value is None else len(value)
            for item in value or ():
                yield from _words(writer, inner, item)
        case _:
            rep = writer.plan.rep(type)
            if type is Basic.OBJECT:
                yield from writer.object(value)
                return
            number = writer.number(type, rep, value)
            if rep.kinds[0] is I128:
                for part in (int(number) & WORD, int(number) >> 64 & WORD):
                    yield part - (1 << 64) if part >> 63 else part
            else:
                yield word_of_number(number)


def decode_block(decoding: Decoding, data: bytes, texts: list[str]) -> Memory:
    """Decode a block as a memory, including sealed choices."""
    plan, memory = decoding.plan, decode_without_sealed(decoding, data, texts)
    start, length = struct.unpack_from("<ii", data, plan.header["sealed"])
    if not length:
        return memory
    words = struct.unpack_from(f"<{length}q", data, start)
    reader = BlockReader(plan, data, texts)
    reader.things = {family.index: plan.members(memory, family) for family in plan.families}
    found: list[tuple[int, tuple[Any, ...]]] = []
    at = 0
    while at < length:
        player, count = words[at] >> 32, words[at] & 0xFFFFFFFF
        _, action_index, number = decode_opener(words[at + 1])
        action = plan.world.program.actions[action_index]
        this = None
        if number >= 0:
            assert action.owner is not None
            this = reader.things[plan.family(action.owner).index][number]
        rest = iter(words[at + 2 : at + 1 + count])
        values = [_value(reader, known.type, rest) for known in action.inputs]
        found.append(
            (player, ((player, action_index, this, part_of_opener(plan.world, words[at + 1])), *values))
        )
        at += 1 + count
    memory.cells[SEALED] = tuple(found)
    return memory


def _value(reader: BlockReader, type: Type, words: Iterator[int]) -> Any:
    match type:
        case ListType(inner) | TableType(_, inner):
            length = next(words)
            if length < 0:
                return None
            return tuple([_value(reader, inner, words) for _ in range(length)])
        case _:
            rep = reader.plan.rep(type)
            if type is Basic.OBJECT:
                return reader.object(next(words), next(words), next(words))
            if rep.kinds[0] is I128:
                low, high = next(words) & WORD, next(words) & WORD
                return reader.decode(type, rep, high << 64 | low)
            return reader.decode(type, rep, number_of_word(next(words), rep.shape))
