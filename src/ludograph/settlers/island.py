"""The island: tiles, numbers and harbors, which do not change during a game.

An island may contain sea tiles. A cell without a tile is outside the frame of the island. A harbor is
stored as a side of the coast.
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
    """A tile with its terrain and its number."""

    place: Hex
    terrain: Terrain
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Island:
    """The terrain of each tile, the numbers of the producing tiles, and the harbors, in reading order."""

    terrain: tuple[tuple[Hex, Terrain], ...]
    numbers: tuple[tuple[Hex, int], ...] = ()
    harbors: tuple[Harbor, ...] = ()

    def __post_init__(self) -> None:
        # Equal islands must compare equal in any order of their tiles.
        object.__setattr__(self, "terrain", tuple(sorted(self.terrain, key=_terrain_order)))
        object.__setattr__(self, "numbers", tuple(sorted(self.numbers, key=_number_order)))
        object.__setattr__(self, "harbors", tuple(sorted(self.harbors, key=_harbor_order)))

    @staticmethod
    def of(
        terrain: Mapping[Hex, Terrain],
        numbers: Mapping[Hex, int | None] | None = None,
        harbors: Iterable[Harbor] = (),
    ) -> "Island":
        """An island from mappings; numbers that are None are left out."""
        given = numbers or {}
        return Island(
            tuple(terrain.items()),
            tuple((place, number) for place, number in given.items() if number is not None),
            tuple(harbors),
        )

    def terrain_at(self, place: Hex) -> Terrain | None:
        """The terrain of a tile; None outside the frame."""
        return next((terrain for tile, terrain in self.terrain if tile == place), None)

    def number_at(self, place: Hex) -> int | None:
        """The number on a tile; None if it has none."""
        return next((number for tile, number in self.numbers if tile == place), None)

    def harbor_at(self, side: HexSide) -> Harbor | None:
        """The harbor on a side; None if there is none."""
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
        """A copy with some tiles, some numbers (None removes one) or all harbors replaced."""
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
    """An island from tuples that are in reading order without repeated places; it sorts nothing."""
    island = object.__new__(Island)
    object.__setattr__(island, "terrain", terrain)
    object.__setattr__(island, "numbers", numbers)
    object.__setattr__(island, "harbors", harbors)
    return island


# A place that is listed twice (a finding) is ordered by its content.


def _terrain_order(tile: tuple[Hex, Terrain]) -> tuple[int, int, str]:
    place, terrain = tile
    return place.r, place.q, terrain.value


def _number_order(tile: tuple[Hex, int]) -> tuple[int, int, int]:
    place, number = tile
    return place.r, place.q, number


def _harbor_order(harbor: Harbor) -> tuple[int, int, str, str]:
    return *reading_order(harbor.side), "" if harbor.resource is None else harbor.resource.value
