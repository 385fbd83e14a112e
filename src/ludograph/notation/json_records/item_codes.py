"""The codes of CGN and SGN for resources, terrains, harbors, cards and pieces, and counts by code."""

from collections.abc import Mapping

from ludograph.settlers.goods import Card, Goods, Resource, Terrain
from ludograph.settlers.record import Holding

RESOURCES: dict[str, Resource] = {
    "B": Resource.BRICK,
    "G": Resource.GRAIN,
    "L": Resource.LUMBER,
    "O": Resource.ORE,
    "W": Resource.WOOL,
}
TERRAINS: dict[str, Terrain] = {
    "H": Terrain.HILLS,
    "D": Terrain.DESERT,
    "M": Terrain.MOUNTAINS,
    "S": Terrain.SEA,
    "F": Terrain.FIELDS,
    "FO": Terrain.FOREST,
    "P": Terrain.PASTURE,
}
HARBORS: dict[str, Resource | None] = {"HR": None} | {f"HR{code}": kind for code, kind in RESOURCES.items()}
CARDS: dict[str, Card] = {
    "KN": Card.KNIGHT,
    "MO": Card.MONOPOLY,
    "RB": Card.ROADS,
    "VP": Card.POINT,
    "YP": Card.PLENTY,
}
NUMBERS = frozenset({2, 3, 4, 5, 6, 8, 9, 10, 11, 12})
"""The numbers that a tile may have."""

RESOURCE_CODES: dict[Resource, str] = {kind: code for code, kind in RESOURCES.items()}
TERRAIN_CODES: dict[Terrain, str] = {kind: code for code, kind in TERRAINS.items()}
HARBOR_CODES: dict[Resource | None, str] = {kind: code for code, kind in HARBORS.items()}
CARD_CODES: dict[Card, str] = {kind: code for code, kind in CARDS.items()}

# The order in which items are written: the assets in the order of CGN's table, then the resources.
ITEMS: dict[str, str] = {
    "DC": "development card",
    "S": "settlement",
    "C": "city",
    "R": "road",
    "LA": "largest army",
    "LR": "longest road",
} | {code: kind.value for code, kind in RESOURCES.items()}


def goods_from(counts: Mapping[str, int]) -> Goods:
    """The resources among the items."""
    return Goods(*(counts.get(RESOURCE_CODES[kind], 0) for kind in Resource))


def holding_from(counts: Mapping[str, int]) -> Holding:
    """The holding with these counts by item code."""
    return Holding(
        goods_from(counts),
        villages=counts.get("S", 0),
        cities=counts.get("C", 0),
        roads=counts.get("R", 0),
        cards=counts.get("DC", 0),
        armies=counts.get("LA", 0),
        longest_roads=counts.get("LR", 0),
    )


def counts_in(holding: Holding) -> dict[str, int]:
    """The inverse of `holding_from`: counts by item code in the order of ITEMS, without zeros."""
    counts = {
        "DC": holding.cards,
        "S": holding.villages,
        "C": holding.cities,
        "R": holding.roads,
        "LA": holding.armies,
        "LR": holding.longest_roads,
    }
    counts |= {RESOURCE_CODES[kind]: count for kind, count in holding.goods.items()}
    return {code: count for code, count in counts.items() if count}
