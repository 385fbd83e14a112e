"""Findings about an island: its tiles, numbers and harbors.

Counts and harbor places are compared with the standard set only on the standard frame, where the land
is exactly the 19 tiles around d4, and with the large set on the frame for five and six players. Other islands
are checked only for what every island must have.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from ludograph.geometry import Hex, HexSide
from ludograph.geometry.boards import HexBoard
from ludograph.geometry.hex_places import reading_order, rotate_side
from ludograph.geometry.hexes import neighbours
from ludograph.settlers.findings.flags import (
    Finding,
    Flag,
    count_things,
    count_word,
    digits,
    join_words,
    name_place,
    name_places,
)
from ludograph.settlers.goods import Resource, Terrain
from ludograph.settlers.island import Island, Tile
from ludograph.settlers.places import LAND, LARGE_LAND, in_reading_order
from ludograph.settlers.standard import (
    BEGINNERS_ISLAND,
    HARBOR_SET,
    HARBOR_SIDES,
    LARGE_HARBOR_SET,
    LARGE_HARBOR_SIDES,
    LARGE_NUMBER_SET,
    LARGE_TERRAIN_SET,
    NUMBER_SET,
    TERRAIN_SET,
)

AnyKind = TypeVar("AnyKind")

FEW_TILES = 3
"""An island with at most this many differences is taken for a copy of the beginner's island."""

RED_NUMBERS = (6, 8)
MIN_GAP = 2
"""The number of free sides between two harbors of the standard frame."""


class IslandSet(Struct, frozen=True):
    """What comes in the box for one frame."""

    land: tuple[Hex, ...]
    terrain: Mapping[Terrain, int]
    numbers: Mapping[int, int]
    harbors: Mapping[Resource | None, int]
    frames: tuple[frozenset[HexSide], ...]
    """The possible places of the harbors."""
    coast: tuple[HexSide, ...]
    """The sides around the land, clockwise."""
    known: Mapping[Hex, Tile]
    """An island of the rule book, of which misprinted copies exist; empty if there is none."""


STANDARD_SET = IslandSet(
    LAND,
    TERRAIN_SET,
    NUMBER_SET,
    HARBOR_SET,
    # The frame consists of six parts, so it can be rotated against the tiles.
    tuple(frozenset(rotate_side(side, sixths) for side in HARBOR_SIDES) for sixths in range(2)),
    HexBoard(LAND).coasts()[0].sides,
    BEGINNERS_ISLAND.tiles,
)
LARGE_SET = IslandSet(
    LARGE_LAND,
    LARGE_TERRAIN_SET,
    LARGE_NUMBER_SET,
    LARGE_HARBOR_SET,
    (frozenset(LARGE_HARBOR_SIDES),),
    HexBoard(LARGE_LAND).coasts()[0].sides,
    {},
)
SETS = {frozenset(each.land): each for each in (STANDARD_SET, LARGE_SET)}


def find_in_island(island: Island, *, strict: bool = False) -> tuple[Finding, ...]:
    """Every finding about an island; `strict` adds the rules about numbers on neighbouring tiles."""
    tiles = island.tiles
    land = frozenset(tile.place for tile in tiles.values() if tile.terrain.is_land)
    found = [
        *_find_in_tiles(island, land),
        *_find_in_numbers(island, tiles),
        *_find_in_harbors(island, land),
    ]
    box = SETS.get(land)
    if box is not None:
        found += [
            *_find_in_terrain_counts(tiles, box),
            *_find_in_number_counts(tiles, box),
            *_find_in_frame(island, box),
        ]
    if strict:
        found += _find_in_neighbours(tiles)
    return tuple(found)


def _find_in_tiles(island: Island, land: frozenset[Hex]) -> Iterator[Finding]:
    if not land:
        yield Finding(Flag.NO_LAND, "The island has no land.")
    for place, count in Counter(place for place, _ in island.terrain).items():
        if count > 1:
            yield Finding(
                Flag.TILE_TWICE, f"The tile {name_place(place)} is listed {_times(count)}.", (place,)
            )


def _find_in_numbers(island: Island, tiles: dict[Hex, Tile]) -> Iterator[Finding]:
    for place, count in Counter(place for place, _ in island.numbers).items():
        if count > 1:
            message = f"The tile {name_place(place)} has {count_things(count, 'number')}."
            yield Finding(Flag.NUMBER_TWICE, message, (place,))
    for place, number in island.numbers:
        tile = tiles.get(place)
        if tile is None:
            message = f"The number {digits(number)} on {name_place(place)} is outside the island."
            yield Finding(Flag.NUMBER_MISPLACED, message, (place,))
        elif tile.terrain.yields is None:
            message = f"The number {digits(number)} is on {name_place(place)}, a {tile.terrain.value} tile."
            yield Finding(Flag.NUMBER_MISPLACED, message, (place,))
        if number == 7:
            message = f"The number on {name_place(place)} is 7, which moves the robber."
            yield Finding(Flag.NUMBER_IMPOSSIBLE, message, (place,))
        elif not 2 <= number <= 12:
            message = (
                f"The number on {name_place(place)} is {digits(number)}, which two dice cannot have as sum."
            )
            yield Finding(Flag.NUMBER_IMPOSSIBLE, message, (place,))
    for tile in tiles.values():
        if tile.terrain.yields is not None and tile.number is None:
            message = f"The {tile.terrain.value} tile {name_place(tile.place)} has no number."
            yield Finding(Flag.NUMBER_MISSING, message, (tile.place,))


def _find_in_harbors(island: Island, land: frozenset[Hex]) -> Iterator[Finding]:
    sides = Counter(harbor.side for harbor in island.harbors)
    for side, count in sides.items():
        if count > 1:
            message = f"There are {count_things(count, 'harbor')} on {name_place(side)}."
            yield Finding(Flag.HARBOR_TWICE, message, (side,))
        ashore = sum(cell in land for cell in side.cells)
        if ashore != 1:
            where = "inland" if ashore else "out at sea"
            message = f"The harbor on {name_place(side)} is {where}, not on the coast."
            yield Finding(Flag.HARBOR_OFF_COAST, message, (side,))
    for side in sides:
        for other in in_reading_order(set(side.neighbours) & sides.keys()):
            if reading_order(side) < reading_order(other):
                message = f"The harbors on {name_place(side)} and {name_place(other)} share a corner."
                yield Finding(Flag.HARBORS_SHARE_CORNER, message, (side, other))


def _find_in_terrain_counts(tiles: dict[Hex, Tile], box: IslandSet) -> Iterator[Finding]:
    counts = Counter(tiles[place].terrain for place in box.land)
    if counts != Counter(box.terrain):
        wrong = _describe_counts(counts, box.terrain, lambda terrain: f"{terrain.value} tile")
        meant = box.known
        suspects = [
            place
            for place in _unlike_known(tiles, box)
            if tiles[place].terrain != meant[place].terrain
            and counts[tiles[place].terrain] > box.terrain[tiles[place].terrain]
        ]
        hint = "".join(
            f"; on {name_place(place)} the beginner's island has {meant[place].terrain.value}"
            for place in suspects
        )
        surplus = (
            place for place in box.land if counts[tiles[place].terrain] > box.terrain[tiles[place].terrain]
        )
        yield Finding(Flag.TERRAIN_COUNTS, f"There are {wrong}{hint}.", tuple(suspects) or tuple(surplus))


def _find_in_number_counts(tiles: dict[Hex, Tile], box: IslandSet) -> Iterator[Finding]:
    numbers = {tile.place: tile.number for tile in tiles.values() if tile.number is not None}
    counts = Counter(number for number in numbers.values() if number in box.numbers)
    if counts != Counter(box.numbers):
        wrong = _describe_counts(counts, box.numbers, str)
        meant = box.known
        # An impossible number takes the place of a missing one.
        surplus = [
            place
            for place, number in numbers.items()
            if number not in box.numbers or counts[number] > box.numbers[number]
        ]
        suspects = [
            place
            for place in _unlike_known(tiles, box)
            if place in surplus and meant[place].number not in (None, numbers[place])
        ]
        hint = "".join(
            f"; on {name_place(place)} the beginner's island has {meant[place].number}" for place in suspects
        )
        yield Finding(
            Flag.NUMBER_COUNTS, f"Among the numbers are {wrong}{hint}.", tuple(suspects) or tuple(surplus)
        )


def _describe_counts(
    counts: Counter[AnyKind], expected: Mapping[AnyKind, int], name: Callable[[AnyKind], str]
) -> str:
    """The kinds whose counts differ from the standard set, as a phrase."""
    return join_words(
        f"{count_things(counts[kind], name(kind))} instead of {count_word(count)}"
        for kind, count in expected.items()
        if counts[kind] != count
    )


def _unlike_known(tiles: dict[Hex, Tile], box: IslandSet) -> tuple[Hex, ...]:
    """The tiles that differ from the island of the rule book; empty if there are many."""
    unlike = tuple(place for place, tile in box.known.items() if place in box.land and tiles[place] != tile)
    return unlike if len(unlike) <= FEW_TILES else ()


def _find_in_frame(island: Island, box: IslandSet) -> Iterator[Finding]:
    sides = in_reading_order({harbor.side for harbor in island.harbors})
    yield from _find_gaps(sides, box.coast)
    frame = min(box.frames, key=lambda frame: len(frame.symmetric_difference(sides)))
    misplaced = tuple(side for side in sides if side not in frame)
    vacant = in_reading_order(frame.difference(sides))
    if misplaced and vacant:
        message = (
            f"The standard frame has no harbor on {name_places(misplaced)}, but on {name_places(vacant)}."
        )
        yield Finding(Flag.HARBOR_PLACES, message, misplaced)
    elif misplaced:
        message = f"The standard frame has no harbor on {name_places(misplaced)}."
        yield Finding(Flag.HARBOR_PLACES, message, misplaced)
    elif vacant:
        message = f"The standard frame also has a harbor on {name_places(vacant)}."
        yield Finding(Flag.HARBOR_PLACES, message, vacant)
    counts = Counter(harbor.resource for harbor in island.harbors)
    if counts != Counter(box.harbors):
        wrong = _describe_counts(counts, box.harbors, _name_harbor)
        surplus = (
            harbor.side for harbor in island.harbors if counts[harbor.resource] > box.harbors[harbor.resource]
        )
        yield Finding(Flag.HARBOR_KINDS, f"There are {wrong}.", tuple(dict.fromkeys(surplus)))


def _find_gaps(sides: tuple[HexSide, ...], coast: tuple[HexSide, ...]) -> Iterator[Finding]:
    """Harbors that are too close; harbors that share a corner have another finding."""
    steps = sorted(coast.index(side) for side in sides if side in coast)
    for step, following in zip(steps, [*steps[1:], *steps[:1]], strict=True):
        free = (following - step) % len(coast) - 1
        if 0 < free < MIN_GAP:
            pair = in_reading_order((coast[step], coast[following]))
            message = (
                f"The harbors on {name_places(pair)} are too close for the standard frame:"
                f" {count_things(free, 'free side')} between them instead of {count_word(MIN_GAP)}."
            )
            yield Finding(Flag.HARBORS_TOO_CLOSE, message, pair)


def _find_in_neighbours(tiles: dict[Hex, Tile]) -> Iterator[Finding]:
    for tile in tiles.values():
        for other in (tiles[place] for place in neighbours(tile.place) if place in tiles):
            if tile.number is None or other.number is None:
                continue
            if reading_order(tile.place) < reading_order(other.place):
                pair = (tile.place, other.place)
                if tile.number == other.number:
                    message = (
                        f"The neighbours {name_places(pair)} both have the number {digits(tile.number)}."
                    )
                    yield Finding(Flag.EQUAL_NUMBERS_ADJACENT, message, pair)
                if tile.number in RED_NUMBERS and other.number in RED_NUMBERS:
                    message = (
                        f"The neighbours {name_places(pair)} have the red numbers"
                        f" {tile.number} and {other.number}."
                    )
                    yield Finding(Flag.RED_NUMBERS_ADJACENT, message, pair)


def _name_harbor(kind: Resource | None) -> str:
    return "3:1 harbor" if kind is None else f"{kind.value} harbor"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count_word(count)} times"
