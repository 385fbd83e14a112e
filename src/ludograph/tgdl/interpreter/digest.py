"""Digests: positions as 128 bits of their content.

A position is the sum of the digests of its things (tiles with what stands on them, states, stacks), so the
order in which they are looked at does not matter. A piece counts by its construct, tracked attributes and
place, not by which of several equal ones it is.
"""

from hashlib import blake2b
from typing import Any

from ludograph.tgdl.interpreter.run import Run
from ludograph.tgdl.interpreter.values import format_number
from ludograph.tgdl.layout import Edits
from ludograph.tgdl.memory import (
    ACTIVE,
    BOTTOM,
    EDITS,
    HELD,
    OUT,
    OWNER,
    PHASE,
    PLACE,
    POOL,
    TOP,
    Instance,
    Kind,
    Member,
    Position,
)
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.types import Basic, EnumType, ListType, TableType, Type

FULL = (1 << 128) - 1
LARGEST_CACHE = 1_000_000


def group_position(run: Run, group: str) -> Position:
    """The tiles of a group and what stands on them."""
    total = 0
    for tile in run.topology.tiles.get(group, ()):
        total += _digest(run, "tile", _tile(run, tile))
    return Position(total & FULL)


def game_position(run: Run) -> Position:
    """Everything tracked, with the active player and the phase."""
    cells = run.cells
    total = _digest(run, "turn", ("turn", cells[ACTIVE], cells[PHASE], cells[OUT]))
    for tiles in run.topology.tiles.values():
        for tile in tiles:
            total += _digest(run, "tile", _tile(run, tile))
    for kind, family in zip(run.world.kinds, run.memory.families, strict=True):
        match kind.construct.kind:
            case ConstructKind.GLOBAL | ConstructKind.GROUP | ConstructKind.BOARD:
                total += sum(_digest(run, "thing", (kind.index, _values(run, each))) for each in family)
            case ConstructKind.LOCAL | ConstructKind.GROUP_STATE:
                for each in family:
                    owner = cells[each.extra + OWNER]
                    total += _digest(run, "thing", (kind.index, owner, _values(run, each)))
            case ConstructKind.STACK:
                total += sum(_digest(run, "stack", _stack(run, each)) for each in family)
            case _:
                pass
    if cells[EDITS] is not None:
        total += _digest(run, "edits", _edits(cells[EDITS]))
    return Position(total & FULL)


def _edits(edits: Edits) -> tuple[Any, ...]:
    """What play has changed on the board, tiles by number."""
    return (
        "edits",
        tuple((tile.number, group, row, column) for tile, group, row, column in edits.placed),
        tuple(tile.number for tile in edits.taken),
        edits.absent,
        tuple((first.number, second.number, cost) for first, second, cost in edits.links),
    )


def _tile(run: Run, tile: Instance) -> tuple[Any, ...]:
    held = run.cells[tile.extra + HELD]
    if not held:
        return (tile.number, _values(run, tile))
    if len(held) == 1:
        return (tile.number, _values(run, tile), ((held[0].kind.index, _values(run, held[0])),))
    return (tile.number, _values(run, tile), _crowd(run, held))


def _crowd(run: Run, pieces: tuple[Instance, ...]) -> tuple[Any, ...]:
    contents = [(piece.kind.index, _values(run, piece)) for piece in pieces]
    return tuple(contents) if len(contents) == 1 else tuple(sorted(contents, key=_text))


def _stack(run: Run, stack: Instance) -> tuple[Any, ...]:
    at, cells = stack.extra, run.cells
    ordered = [
        tuple((card.kind.index, _values(run, card)) for card in cells[at + part]) for part in (BOTTOM, TOP)
    ]
    return (stack.kind.index, stack.ordinal, ordered[0], _crowd(run, cells[at + POOL]), ordered[1])


def _values(run: Run, instance: Instance) -> tuple[Any, ...]:
    """The tracked attributes, references by what they refer to."""
    slots = run.world.tracked.get(instance.kind)
    if slots is None:
        slots = run.world.tracked[instance.kind] = _tracked(instance.kind)
    cells = run.cells
    if slots[0]:
        return tuple(cells[instance.offset : instance.extra])
    first = instance.offset
    return tuple(
        [
            _tagged(run, cells[first + slot]) if is_loose else _plain(run, cells[first + slot])
            for slot, is_loose in slots[1]
        ]
    )


def _tracked(kind: Kind) -> tuple[bool, tuple[tuple[int, bool], ...]]:
    """Whether the attributes count just as they are; the slots of those that count, and if any type goes."""
    attributes = kind.construct.attributes
    slots = tuple(
        (each.slot, _holds_objects(each.type)) for each in attributes if each.tracked and not each.makes_stack
    )
    is_plain = len(slots) == len(attributes) and all(
        isinstance(each.type, EnumType) or (isinstance(each.type, Basic) and each.type is not Basic.OBJECT)
        for each in attributes
    )
    return is_plain, slots


def _holds_objects(type: Type) -> bool:
    match type:
        case ListType(element) | TableType(_, element):
            return _holds_objects(element)
        case _:
            return type is Basic.OBJECT


def _tagged(run: Run, value: Any) -> Any:
    """A value of no declared type with what it is: 1, true and player 1 are three contents, not one."""
    match value:
        case None:
            return None
        case tuple():
            return ("list", *[_tagged(run, item) for item in value])
        case Member():
            return (value.enum, value)
        case Instance():
            return _plain(run, value)
        case bool():
            return ("bool", value)
        case float():
            return ("decimal", value)
        case str():
            return ("string", value)
        case Position():
            return ("position", value)
        case _:
            return ("player", value)


def _plain(run: Run, value: Any) -> Any:
    if isinstance(value, Instance):
        if value.kind.construct.kind is ConstructKind.INTERACTABLE:
            place = run.cells[value.extra + PLACE]
            return ("piece", value.kind.index, None if place is None else place.number)
        return ("thing", value.number)
    if isinstance(value, tuple):
        return tuple([_plain(run, item) for item in value])
    return value


def _digest(run: Run, what: str, content: tuple[Any, ...]) -> int:
    """The digest of one part of a position; of one kind of part, equal contents have equal types."""
    cache = run.world.digests
    key = (what, content)
    found = cache.get(key)
    if found is None:
        if len(cache) > LARGEST_CACHE:
            cache.clear()
        found = cache[key] = digest_bytes(_text(content).encode())
    return found


def digest_bytes(data: bytes) -> int:
    """128 bits of BLAKE2b, the first byte the lowest."""
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "little")


def _text(content: Any) -> str:
    """One text for one content, the same on every machine."""
    match content:
        case tuple():
            return f"({','.join(_text(item) for item in content)})"
        case bool():
            return "t" if content else "f"
        case float():
            return f"d{format_number(content)}"
        case Member():
            return f"e{int(content)}"
        case int():
            return f"i{int(content)}"
        case str():
            return f"s{len(content)}:{content}"
        case _:
            return "n"
