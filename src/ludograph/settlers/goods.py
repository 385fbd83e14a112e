"""What players hold: resources, development cards, pieces, and counts of each.

Counts are plain frozen values. They may be negative inside a transfer (what somebody gives
away), and never are in a hand that `Position.findings()` accepts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from operator import add, neg, sub
from typing import NewType

from msgspec import Struct

Player = NewType("Player", int)
"""A seat at the table, counted from 1 in turn order; 0 is the bank."""

BANK = Player(0)


class NamedValue(Enum):
    """An enumeration whose members print as they are written in code."""

    # Members are equal only to themselves; Enum's own hash is a call of Python code for every look-up.
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
    """What a tile is made of."""

    HILLS = "hills"
    FIELDS = "fields"
    FOREST = "forest"
    MOUNTAINS = "mountains"
    PASTURE = "pasture"
    DESERT = "desert"
    SEA = "sea"

    @property
    def yields(self) -> Resource | None:
        """The resource that it produces; None for desert and sea."""
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
    """What a player builds on the island."""

    VILLAGE = "village"
    CITY = "city"
    ROAD = "road"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Goods:
    """So many of each resource.

    >>> Goods(ore=2) + Goods(lumber=1)
    Goods(lumber=1, ore=2)
    """

    counts: tuple[int, int, int, int, int]
    """In the order of `Resource`. One value, because hands are made by the million."""

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
        """The resources whose count is not zero, in standard order."""
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
        """True if any count is not zero."""
        return any(self.counts)

    def __repr__(self) -> str:
        return _named_counts("Goods", self.items())


def goods_of_counts(counts: tuple[int, int, int, int, int]) -> Goods:
    """The goods, for a reader that has their counts in order."""
    goods = _NEW(Goods)
    _SET(goods, "counts", counts)
    return goods


_NEW = object.__new__
_SET = object.__setattr__


def goods_of(kind: Resource, count: int = 1) -> Goods:
    """So many of one resource.

    >>> goods_of(Resource.WOOL, 3)
    Goods(wool=3)
    """
    return Goods(**{kind.value: count})


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Cards:
    """So many development cards of each kind.

    >>> Cards(knight=2).total
    2
    """

    counts: tuple[int, int, int, int, int]
    """In the order of `Card`. One value, because hands are made by the million."""

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
        """The kinds whose count is not zero, in HSN's order."""
        return ((kind, count) for kind, count in zip(Card, self.counts, strict=True) if count)

    def __getitem__(self, kind: Card) -> int:
        count: int = getattr(self, kind.value)
        return count

    def __repr__(self) -> str:
        return _named_counts("Cards", self.items())


def cards_of_counts(counts: tuple[int, int, int, int, int]) -> Cards:
    """The cards, for a reader that has their counts in order."""
    cards = _NEW(Cards)
    _SET(cards, "counts", counts)
    return cards


class Pieces(Struct, frozen=True):
    """So many pieces of each kind."""

    village: int = 0
    city: int = 0
    road: int = 0

    @property
    def total(self) -> int:
        return self.village + self.city + self.road

    def items(self) -> Iterator[tuple[Piece, int]]:
        """The kinds whose count is not zero: villages, cities, roads."""
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
