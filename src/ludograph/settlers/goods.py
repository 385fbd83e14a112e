"""Resources, development cards, pieces, and counts of each.

Counts are immutable. They may be negative in a transfer, where they are what a party gives. In a
possible position they are never negative.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from operator import add, neg, sub
from typing import NewType

from msgspec import Struct

Player = NewType("Player", int)
"""The number of a player, from 1 in turn order; 0 is the bank."""

BANK = Player(0)


class NamedValue(Enum):
    """An enumeration whose members have their source code as `repr`."""

    # Members are equal only to themselves; the hash of Enum would run Python code at every look-up.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Resource(NamedValue):
    """The five resources, in the order of HAN ("BeeGLOW")."""

    BRICK = "brick"
    GRAIN = "grain"
    LUMBER = "lumber"
    ORE = "ore"
    WOOL = "wool"


class Terrain(NamedValue):
    """The terrain of a tile."""

    HILLS = "hills"
    FIELDS = "fields"
    FOREST = "forest"
    MOUNTAINS = "mountains"
    PASTURE = "pasture"
    DESERT = "desert"
    SEA = "sea"

    @property
    def yields(self) -> Resource | None:
        """The resource that the terrain produces; None for desert and sea."""
        return YIELDS.get(self)

    @property
    def is_land(self) -> bool:
        return self is not Terrain.SEA


YIELDS: dict[Terrain, Resource] = {
    Terrain.HILLS: Resource.BRICK,
    Terrain.FIELDS: Resource.GRAIN,
    Terrain.FOREST: Resource.LUMBER,
    Terrain.MOUNTAINS: Resource.ORE,
    Terrain.PASTURE: Resource.WOOL,
}


class Card(NamedValue):
    """The five kinds of development card, in the order of HSN."""

    KNIGHT = "knight"
    ROADS = "roads"
    MONOPOLY = "monopoly"
    POINT = "point"
    PLENTY = "plenty"


class Piece(NamedValue):
    """The pieces that players build on the island."""

    VILLAGE = "village"
    CITY = "city"
    ROAD = "road"


class Award(NamedValue):
    """The two awards, each worth two points."""

    LARGEST_ARMY = "largest army"
    LONGEST_ROAD = "longest road"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Goods:
    """A count of each resource.

    >>> Goods(ore=2) + Goods(lumber=1)
    Goods(lumber=1, ore=2)
    """

    counts: tuple[int, int, int, int, int]
    """In the order of `Resource`; one tuple, because programs create millions of hands."""

    def __init__(self, brick: int = 0, grain: int = 0, lumber: int = 0, ore: int = 0, wool: int = 0) -> None:
        object.__setattr__(self, "counts", (brick, grain, lumber, ore, wool))

    @property
    def brick(self) -> int:
        return self.counts[0]

    @property
    def grain(self) -> int:
        return self.counts[1]

    @property
    def lumber(self) -> int:
        return self.counts[2]

    @property
    def ore(self) -> int:
        return self.counts[3]

    @property
    def wool(self) -> int:
        return self.counts[4]

    @property
    def total(self) -> int:
        return sum(self.counts)

    def items(self) -> Iterator[tuple[Resource, int]]:
        """The resources with a count other than zero, in standard order."""
        return ((kind, count) for kind, count in zip(Resource, self.counts, strict=True) if count)

    def __getitem__(self, kind: Resource) -> int:
        count: int = getattr(self, kind.value)
        return count

    def __add__(self, other: "Goods") -> "Goods":
        return Goods(*map(add, self.counts, other.counts))

    def __sub__(self, other: "Goods") -> "Goods":
        return Goods(*map(sub, self.counts, other.counts))

    def __neg__(self) -> "Goods":
        return Goods(*map(neg, self.counts))

    def __bool__(self) -> bool:
        """Whether any count is not zero."""
        return any(self.counts)

    def __repr__(self) -> str:
        return _named_counts("Goods", self.items())


def goods_of_counts(counts: tuple[int, int, int, int, int]) -> Goods:
    """The goods with these counts in the order of `Resource`; faster than the constructor."""
    goods = _NEW(Goods)
    _SET(goods, "counts", counts)
    return goods


_NEW = object.__new__
_SET = object.__setattr__


def goods_of(kind: Resource, count: int = 1) -> Goods:
    """A count of one resource.

    >>> goods_of(Resource.WOOL, 3)
    Goods(wool=3)
    """
    return Goods(**{kind.value: count})


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Cards:
    """A count of each kind of development card.

    >>> Cards(knight=2).total
    2
    """

    counts: tuple[int, int, int, int, int]
    """In the order of `Card`; one tuple, because programs create millions of hands."""

    def __init__(
        self, knight: int = 0, roads: int = 0, monopoly: int = 0, point: int = 0, plenty: int = 0
    ) -> None:
        object.__setattr__(self, "counts", (knight, roads, monopoly, point, plenty))

    @property
    def knight(self) -> int:
        return self.counts[0]

    @property
    def roads(self) -> int:
        return self.counts[1]

    @property
    def monopoly(self) -> int:
        return self.counts[2]

    @property
    def point(self) -> int:
        return self.counts[3]

    @property
    def plenty(self) -> int:
        return self.counts[4]

    @property
    def total(self) -> int:
        return sum(self.counts)

    def items(self) -> Iterator[tuple[Card, int]]:
        """The kinds with a count other than zero, in the order of HSN."""
        return ((kind, count) for kind, count in zip(Card, self.counts, strict=True) if count)

    def __getitem__(self, kind: Card) -> int:
        count: int = getattr(self, kind.value)
        return count

    def __repr__(self) -> str:
        return _named_counts("Cards", self.items())


def cards_of_counts(counts: tuple[int, int, int, int, int]) -> Cards:
    """The cards with these counts in the order of `Card`; faster than the constructor."""
    cards = _NEW(Cards)
    _SET(cards, "counts", counts)
    return cards


class Pieces(Struct, frozen=True):
    """A count of each kind of piece."""

    village: int = 0
    city: int = 0
    road: int = 0

    @property
    def total(self) -> int:
        return self.village + self.city + self.road

    def items(self) -> Iterator[tuple[Piece, int]]:
        """The kinds with a count other than zero: villages, cities, roads."""
        return ((kind, count) for kind in Piece if (count := self[kind]))

    def __getitem__(self, kind: Piece) -> int:
        count: int = getattr(self, kind.value)
        return count

    def __repr__(self) -> str:
        return _named_counts("Pieces", self.items())


def _named_counts(
    name: str,
    counts: Iterator[tuple[Resource, int]] | Iterator[tuple[Card, int]] | Iterator[tuple[Piece, int]],
) -> str:
    return f"{name}({', '.join(f'{kind.value}={count}' for kind, count in counts)})"
