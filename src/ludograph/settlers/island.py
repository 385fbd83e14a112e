"""The island: tiles, numbers and harbors; the part of a game that does not change.

Sea tiles that a notation shows are part of the island; a cell that is not listed is outside
its frame. A harbor is kept as the side of the coast that it serves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from ludograph.geometry import Hex, HexSide
from ludograph.geometry.hex_places import reading_order
from ludograph.settlers.goods import Resource, Terrain


class Harbor(NamedTuple):
    """A harbor on a side of the coast: 2:1 for one resource, or 3:1 for any (`None`)."""

    side: HexSide
    resource: Resource | None = None


class Tile(Struct, frozen=True):
    """A tile with what it is made of and the number on it."""

    place: Hex
    terrain: Terrain
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Island:
    """Terrain of every tile, numbers of the producing ones, harbors; each in reading order."""

    terrain: tuple[tuple[Hex, Terrain], ...]
    numbers: tuple[tuple[Hex, int], ...] = ()
    harbors: tuple[Harbor, ...] = ()

    def __post_init__(self) -> None:
        # Equal islands must compare equal however they were listed.
        object.__setattr__(self, "terrain", tuple(sorted(self.terrain, key=_terrain_order)))
        object.__setattr__(self, "numbers", tuple(sorted(self.numbers, key=_number_order)))
        object.__setattr__(self, "harbors", tuple(sorted(self.harbors, key=_harbor_order)))

    @staticmethod
    def of(
        terrain: Mapping[Hex, Terrain],
        numbers: Mapping[Hex, int | None] | None = None,
        harbors: Iterable[Harbor] = (),
    ) -> "Island":
        """An island from mappings, as one would write it by hand; numbers that are None are left out."""
        given = numbers or {}
        return Island(
            tuple(terrain.items()),
            tuple((place, number) for place, number in given.items() if number is not None),
            tuple(harbors),
        )

    def terrain_at(self, place: Hex) -> Terrain | None:
        """What a tile is made of; None outside the frame."""
        return next((terrain for tile, terrain in self.terrain if tile == place), None)

    def number_at(self, place: Hex) -> int | None:
        """The number on a tile, if it has one."""
        return next((number for tile, number in self.numbers if tile == place), None)

    def harbor_at(self, side: HexSide) -> Harbor | None:
        """The harbor on a side, if there is one."""
        return next((harbor for harbor in self.harbors if harbor.side == side), None)

    @property
    def tiles(self) -> dict[Hex, Tile]:
        """Every tile by its place, in reading order."""
        numbers = dict(self.numbers)
        return {place: Tile(place, terrain, numbers.get(place)) for place, terrain in self.terrain}

    @property
    def land(self) -> tuple[Hex, ...]:
        """The tiles that are not sea, in reading order."""
        return tuple(place for place, terrain in self.terrain if terrain is not Terrain.SEA)

    def replace(
        self,
        *,
        terrain: Mapping[Hex, Terrain] | None = None,
        numbers: Mapping[Hex, int | None] | None = None,
        harbors: Iterable[Harbor] | None = None,
    ) -> "Island":
        """The island with some tiles, some numbers (None takes one away) or all harbors changed."""
        return Island.of(
            dict(self.terrain) | dict(terrain or {}),
            dict(self.numbers) | dict(numbers or {}),
            self.harbors if harbors is None else harbors,
        )


def island_in_order(
    terrain: tuple[tuple[Hex, Terrain], ...],
    numbers: tuple[tuple[Hex, int], ...],
    harbors: tuple[Harbor, ...],
) -> Island:
    """The island, for a reader that has listed all in reading order, no place twice: nothing is sorted."""
    island = object.__new__(Island)
    object.__setattr__(island, "terrain", terrain)
    object.__setattr__(island, "numbers", numbers)
    object.__setattr__(island, "harbors", harbors)
    return island


# A place that is listed twice (a finding) is ordered by what is there.


def _terrain_order(tile: tuple[Hex, Terrain]) -> tuple[int, int, str]:
    place, terrain = tile
    return place.r, place.q, terrain.value


def _number_order(tile: tuple[Hex, int]) -> tuple[int, int, int]:
    place, number = tile
    return place.r, place.q, number


def _harbor_order(harbor: Harbor) -> tuple[int, int, str, str]:
    return *reading_order(harbor.side), "" if harbor.resource is None else harbor.resource.value
