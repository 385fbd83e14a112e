"""Digests: positions as 128 bits of their content.

A position is the sum of the digests of its things (tiles with what stands on them, states, stacks), so the
order in which they are looked at does not matter. A piece counts by its construct, tracked attributes and
place, not by which of several equal ones it is. The digest of a thing mixes the words of its content, which
docs/positions.md lists; here most are found in a cache, by the content itself.
"""

from collections.abc import Iterable
from typing import Any

from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.hashing import (
    BOARD,
    FULL,
    NONE,
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
    WORD,
    decimal_word,
    mix128,
    split,
    text_word,
)
from ludograph.tgdl.world.topology import Edits
from ludograph.tgdl.world.world import World

LARGEST_CACHE = 1_000_000

# The first word of a thing.

# The first word of a value of no declared type.


def group_position(run: Run, group: str) -> mem.PositionHash:
    """The tiles of a group and what stands on them."""
    return mem.PositionHash(_tiles(run, run.topology.tiles.get(group, ())) & FULL)


def game_position(run: Run) -> mem.PositionHash:
    """Everything tracked, with the active player and the phase."""
    total = _turn(run) + _board(run)
    for tiles in run.topology.tiles.values():
        total += _tiles(run, tiles)
    for kind, family in zip(run.world.kinds, run.memory.families, strict=True):
        match kind.construct.kind:
            case ConstructKind.TILE | ConstructKind.INTERACTABLE:
                pass
            case ConstructKind.STACK:
                total += sum([_stack(run, each) for each in family])
            case _:
                total += sum([_thing(run, each) for each in family])
    return mem.PositionHash(total & FULL)


# Things: their key in the cache, and their words


def _tiles(run: Run, tiles: Iterable[mem.Instance]) -> int:
    cells, known, total = run.cells, run.world.digests, 0
    for tile in tiles:
        held = cells[tile.extra + mem.HELD]
        key: tuple[Any, ...]
        if not held:
            key = (tile, _content(run, tile))
        elif len(held) == 1:
            key = (tile, _content(run, tile), held[0].kind, _content(run, held[0]))
        else:
            key = (tile, _content(run, tile), _crowd(run, held))
        found = known.get(key)
        if found is None:
            head = (TILE, tile.kind.index, tile.number)
            found = _learn(run, key, (*head, *_attributes(run, tile), *split(_crowd(run, held))))
        total += found
    return total


def _crowd(run: Run, pieces: tuple[mem.Instance, ...]) -> int:
    """Pieces without an order."""
    return sum([_piece(run, each) for each in pieces]) & FULL


def _piece(run: Run, piece: mem.Instance) -> int:
    """A piece wherever it is."""
    key = (piece.kind, _content(run, piece))
    found = run.world.digests.get(key)
    return found if found is not None else _learn(run, key, (piece.kind.index, *_attributes(run, piece)))


def _thing(run: Run, thing: mem.Instance) -> int:
    """A state, a group or the board."""
    kind = thing.kind.construct.kind
    is_owned = kind in (ConstructKind.LOCAL, ConstructKind.GROUP_STATE)
    owner: Any = run.cells[thing.extra + mem.OWNER] if is_owned else None
    key = (thing.kind, owner, _content(run, thing))
    found = run.world.digests.get(key)
    if found is not None:
        return found
    words = [THING, thing.kind.index]
    if kind is ConstructKind.LOCAL:
        words.append(_number(owner))
    elif kind is ConstructKind.GROUP_STATE:
        words += _players(run, owner)
    return _learn(run, key, (*words, *_attributes(run, thing)))


def _stack(run: Run, stack: mem.Instance) -> int:
    cells, at = run.cells, stack.extra
    bottom, top = (tuple([_piece(run, card) for card in cells[at + part]]) for part in (mem.BOTTOM, mem.TOP))
    pool = _crowd(run, cells[at + mem.POOL])
    key = (stack, bottom, pool, top)
    found = run.world.digests.get(key)
    if found is not None:
        return found
    words = [STACK, stack.kind.index, stack.ordinal, len(bottom)]
    for card in bottom:
        words += split(card)
    words += (*split(pool), len(top))
    for card in top:
        words += split(card)
    return _learn(run, key, words)


def _turn(run: Run) -> int:
    cells = run.cells
    key = ("turn", cells[mem.ACTIVE], cells[mem.PHASE], cells[mem.OUT])
    found = run.world.digests.get(key)
    if found is not None:
        return found
    return _learn(
        run, key, (TURN, cells[mem.ACTIVE], _number(cells[mem.PHASE]), *_players(run, cells[mem.OUT]))
    )


def _board(run: Run) -> int:
    """What play has changed on the board; nothing if it has not."""
    edits = run.cells[mem.EDITS]
    if not isinstance(edits, Edits):
        return 0
    found = run.world.digests.get(edits)
    if found is not None:
        return found
    groups = run.world.kind
    words = [BOARD, len(edits.placed)]
    for tile, group, row, column in edits.placed:
        words += (tile.number, groups[group].index, decimal_word(row), decimal_word(column))
    words += (len(edits.taken), *[tile.number for tile in edits.taken])
    words += (len(edits.absent), *sorted(groups[group].index for group in edits.absent))
    words.append(len(edits.links))
    for start, end, weight in edits.links:
        words += (start.number, end.number, decimal_word(weight))
    return _learn(run, edits, words)


def _players(run: Run, players: tuple[int, ...]) -> list[int]:
    """A set of players, one bit each."""
    bits = sum([1 << player for player in players])
    return [bits >> first & WORD for first in range(0, run.world.players, 64)]


def _learn(run: Run, key: Any, words: Iterable[int]) -> int:
    known = run.world.digests
    if len(known) > LARGEST_CACHE:
        known.clear()
    found = known[key] = mix128(words)
    return found


# Attributes


def _content(run: Run, instance: mem.Instance) -> tuple[Any, ...]:
    """The tracked attributes as a key: equal if and only if their words are."""
    is_whole, slots = run.world.tracked.get(instance.kind) or _track(run.world, instance.kind)
    cells, first = run.cells, instance.offset
    if is_whole:
        return tuple(cells[first : instance.extra])
    return tuple(
        [
            cells[first + slot] if is_key else tuple(_words(run, type, cells[first + slot]))
            for slot, type, is_key in slots
        ]
    )


def _attributes(run: Run, instance: mem.Instance) -> list[int]:
    """The words of the tracked attributes."""
    words: list[int] = []
    for slot, type, _ in run.world.tracked[instance.kind][1]:
        words += _words(run, type, run.cells[instance.offset + slot])
    return words


def _track(world: World, kind: mem.ConstructInfo) -> tuple[bool, tuple[tuple[int, Type, bool], ...]]:
    """The attributes that count: slot, type, and whether values are keys as they are; whether all are."""
    attributes = kind.construct.attributes
    slots = tuple(
        (each.slot, each.type, _is_key(world, each.type))
        for each in attributes
        if each.tracked and not each.makes_stack
    )
    is_whole = len(slots) == len(attributes) and all(is_key for _, _, is_key in slots)
    world.tracked[kind] = (is_whole, slots)
    return world.tracked[kind]


def _is_key(world: World, type: Type) -> bool:
    """Whether two values of a type are equal to Python if and only if their words are."""
    match type:
        case ListType(element) | TableType(_, element):
            return _is_key(world, element)
        case ConstructType(name):
            return not _is_piece(world, name)
        case _:
            return type is not Basic.OBJECT


def _is_piece(world: World, construct: str) -> bool:
    """Whether a reference of this type is to a piece, which counts by its kind and place."""
    kind = world.kind.get(construct)
    return construct in PIECES or (kind is not None and kind.construct.kind is ConstructKind.INTERACTABLE)


# Values


def _words(run: Run, type: Type, value: Any) -> list[int]:
    """The words of a value of a declared type."""
    match type:
        case Basic.DECIMAL:
            return [decimal_word(value)]
        case Basic.STRING:
            return [text_word(value)]
        case Basic.POSITION:
            return [NONE, NONE] if value is None else [*split(value)]
        case Basic.OBJECT:
            return _tagged_words(run, value)
        case ConstructType(name) if _is_piece(run.world, name):
            return [NONE, NONE] if value is None else _piece_words(run, value)
        case ConstructType():
            return [NONE if value is None else value.number]
        case ListType(element) | TableType(_, element):
            if value is None:
                return [NONE]
            words = [len(value)]
            for item in value:
                words += _words(run, element, item)
            return words
        case Basic() | EnumType():
            return [_number(value)]


def _tagged_words(run: Run, value: Any) -> list[int]:
    """A value of no declared type with what it is: 1, true and player 1 are three contents, not one."""
    match value:
        case None:
            return [NONE]
        case float():
            return [OF_DECIMAL, decimal_word(value)]
        case bool():
            return [OF_BOOL, int(value)]
        case mem.EnumMember():
            return [OF_MEMBER, list(run.world.members).index(value.enum), int(value)]
        case mem.PositionHash():
            return [OF_POSITION, *split(value)]
        case int():
            return [OF_PLAYER, value]
        case str():
            return [OF_TEXT, text_word(value)]
        case mem.Instance() if value.kind.construct.kind is ConstructKind.INTERACTABLE:
            return [OF_PIECE, *_piece_words(run, value)]
        case mem.Instance():
            return [OF_THING, value.number]
        case _:
            words = [OF_LIST, len(value)]
            for item in value:
                words += _tagged_words(run, item)
            return words


def _piece_words(run: Run, piece: mem.Instance) -> list[int]:
    """A reference to a piece: what it is and where, since equal pieces are one content."""
    place = run.cells[piece.extra + mem.PLACE]
    return [piece.kind.index, NONE if place is None else place.number]


def _number(value: int | None) -> int:
    return NONE if value is None else int(value)
