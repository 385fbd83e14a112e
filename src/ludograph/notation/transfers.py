"""What CGN and SGN have in common: the codes of things, and transfers that must balance.

A transfer lists what everybody gains (positive) and gives (negative); the bank takes part, so
that every item adds up to nothing. CGN transfers pieces and awards too, SGN only resources.
"""

from collections.abc import Iterable, Mapping

from ludograph.notation.han import action as han_action
from ludograph.notation.letters import format_formula
from ludograph.notation.results import LossKind, Unwritable
from ludograph.settlers.actions import Action
from ludograph.settlers.goods import BANK, Card, Goods, Player, Resource, Terrain
from ludograph.settlers.record import Change, Holding

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
MOST_PLENTY = 2
"""How many cards a year of plenty takes at most."""

RESOURCE_CODES: dict[Resource, str] = {kind: code for code, kind in RESOURCES.items()}
TERRAIN_CODES: dict[Terrain, str] = {kind: code for code, kind in TERRAINS.items()}
HARBOR_CODES: dict[Resource | None, str] = {kind: code for code, kind in HARBORS.items()}
CARD_CODES: dict[Card, str] = {kind: code for code, kind in CARDS.items()}

# The order in which items are written: CGN's assets as its table has them, then the resources.
ITEMS: dict[str, str] = {
    "DC": "development card",
    "S": "settlement",
    "C": "city",
    "R": "road",
    "LA": "largest army",
    "LR": "longest road",
} | {code: kind.value for code, kind in RESOURCES.items()}


class CannotSay(Exception):
    """Raised inside a writer where its notation has no words; never leaves the writer."""

    def __init__(self, message: str, kind: LossKind = LossKind.LOST) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


def act_of_nobody(action: Action) -> CannotSay:
    """Why an action is left out that nobody is known to have done: both notations begin with the player.

    The action is told in HAN, as it most likely was in the original.
    """
    try:
        words = han_action.format(action)
    except Unwritable:
        words = repr(action)
    return CannotSay(f"the action {words}: nothing tells who acts")


def goods_from(counts: Mapping[str, int]) -> Goods:
    """The resources among the items."""
    return Goods(*(counts.get(RESOURCE_CODES[kind], 0) for kind in Resource))


def holding_from(counts: Mapping[str, int]) -> Holding:
    """The holding that counts by item code describe."""
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
    """The way back of `holding_from`: counts by item code in the order of ITEMS, zeros left out."""
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


def negate(holding: Holding) -> Holding:
    """What the other side of an exchange gains and gives."""
    return holding_from({code: -count for code, count in counts_in(holding).items()})


def find_imbalance(changes: Iterable[Change]) -> tuple[str, int] | None:
    """The first item that does not add up to nothing, and by how much it misses."""
    sums = dict.fromkeys(ITEMS, 0)
    for _, holding in changes:
        for code, count in counts_in(holding).items():
            sums[code] += count
    return next(((code, total) for code, total in sums.items() if total), None)


def describe_imbalance(code: str, difference: int) -> str:
    """The sentence about an item that does not balance.

    >>> describe_imbalance("B", -1)
    'brick (B) does not balance: the changes add up to -1'
    """
    return f"{ITEMS[code]} ({code}) does not balance: the changes add up to {difference:+d}"


def check_sayable(changes: Iterable[Change], most: int) -> None:
    """Refuse to write a transfer that no reader accepts: a party twice, no balance, a huge number."""
    listed = tuple(changes)
    players = [player for player, _ in listed]
    if len(set(players)) < len(players):
        raise CannotSay("a transfer that lists a player twice")
    if imbalance := find_imbalance(listed):
        raise CannotSay(f"a transfer: {describe_imbalance(*imbalance)}")
    if any(abs(count) > most for _, holding in listed for count in counts_in(holding).values()):
        raise CannotSay("a transfer of more than can be counted")


def trade_changes(give: Goods, take: Goods, player: Player, partner: Player) -> tuple[Change, Change]:
    """Both sides of a trade; refuses one that would read differently."""
    counts = [*(count for _, count in give.items()), *(count for _, count in take.items())]
    if not give or not take or min(counts) < 0:
        raise CannotSay("a trade in which one side gives nothing")
    if any(give[kind] and take[kind] for kind in Resource):
        raise CannotSay("a trade in which the same resource goes both ways")
    if player in {partner, BANK}:
        raise CannotSay("a trade without two parties")
    gain = Holding(take - give)
    return (player, gain), (partner, negate(gain))


def check_plenty(goods: Goods) -> None:
    """Refuse to write a year of plenty that takes anything but one or two cards."""
    if any(count < 0 for _, count in goods.items()) or not 1 <= goods.total <= MOST_PLENTY:
        raise CannotSay(f"plenty that takes {format_formula(goods) or 'nothing'}")
