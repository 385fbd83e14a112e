"""Hashes of positions: 128 bits of their content.

The hash of a position is the sum of the hashes of its instances (tiles with their pieces, states, stacks), so
their order does not matter. The hash of a piece depends on its construct, its tracked attributes and its
place, not on its identity. The hash of an instance mixes the words of its content, which docs/positions.md
lists. A cache maps content to hashes.
"""

from collections.abc import Iterable
from typing import Any

from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.instances import stacks_in
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

MAX_CACHE_SIZE = 1_000_000

# The first word of a thing.

# The first word of a value of no declared type.


def group_position(run: Run, group: str) -> mem.PositionHash:
    """The hash of the tiles of a group, the pieces on them, and their stacks."""
    tiles = run.topology.tiles.get(group, ())
    return mem.PositionHash((_tiles(run, tiles) + _stacks_of(run, tiles)) & FULL)


def game_position(run: Run) -> mem.PositionHash:
    """The hash of everything tracked, with the active player and the phase."""
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


# Instances: their key in the cache, and their words


def _tiles(run: Run, tiles: Iterable[mem.Instance]) -> int:
    cells, known, total = run.cells, run.world.position_cache, 0
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


def _stacks_of(run: Run, tiles: Iterable[mem.Instance]) -> int:
    """The hash of the stacks of some tiles."""
    return sum(
        _stack(run, stack)
        for tile in tiles
        for slot in run.world.initialisers[tile.kind.name].stacks
        for stack in stacks_in(run.cells[tile.offset + slot])
    )


def _crowd(run: Run, pieces: tuple[mem.Instance, ...]) -> int:
    """The hash of a set of pieces."""
    return sum([_piece(run, each) for each in pieces]) & FULL


def _piece(run: Run, piece: mem.Instance) -> int:
    """The hash of a piece without its place."""
    key = (piece.kind, _content(run, piece))
    found = run.world.position_cache.get(key)
    return found if found is not None else _learn(run, key, (piece.kind.index, *_attributes(run, piece)))


def _thing(run: Run, thing: mem.Instance) -> int:
    """The hash of a state, a group or the board."""
    kind = thing.kind.construct.kind
    is_owned = kind in (ConstructKind.LOCAL, ConstructKind.GROUP_STATE)
    owner: Any = run.cells[thing.extra + mem.OWNER] if is_owned else None
    key = (thing.kind, owner, _content(run, thing))
    found = run.world.position_cache.get(key)
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
    found = run.world.position_cache.get(key)
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
    found = run.world.position_cache.get(key)
    if found is not None:
        return found
    return _learn(
        run, key, (TURN, cells[mem.ACTIVE], _number(cells[mem.PHASE]), *_players(run, cells[mem.OUT]))
    )


def _board(run: Run) -> int:
    """The hash of the changes of the board; 0 without changes."""
    edits = run.cells[mem.EDITS]
    if not isinstance(edits, Edits):
        return 0
    found = run.world.position_cache.get(edits)
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
    """A set of players, one bit per player."""
    bits = sum([1 << player for player in players])
    return [bits >> first & WORD for first in range(0, run.world.players, 64)]


def _learn(run: Run, key: Any, words: Iterable[int]) -> int:
    known = run.world.position_cache
    if len(known) > MAX_CACHE_SIZE:
        known.clear()
    found = known[key] = mix128(words)
    return found


# Attributes


def _content(run: Run, instance: mem.Instance) -> tuple[Any, ...]:
    """The tracked attributes as a cache key: keys are equal exactly if the words are."""
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
    """The tracked attributes: slot, type, whether values are cache keys; and whether all attributes are."""
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
    """Whether two values of a type are equal in Python exactly if their words are."""
    match type:
        case ListType(element) | TableType(_, element):
            return _is_key(world, element)
        case ConstructType(name):
            return not _is_piece(world, name)
        case _:
            return type is not Basic.OBJECT


def _is_piece(world: World, construct: str) -> bool:
    """Whether references of this type are to pieces, which are hashed by construct and place."""
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
    """The words of a value of no declared type, with a tag: 1, true and player 1 differ."""
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
    """The words of a reference to a piece: its construct and place. Equal pieces are interchangeable."""
    place = run.cells[piece.extra + mem.PLACE]
    return [piece.kind.index, NONE if place is None else place.number]


def _number(value: int | None) -> int:
    return NONE if value is None else int(value)
