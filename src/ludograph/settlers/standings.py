"""Standings: what a position shows about scores, awards, production and purchases.

Everything here follows from the position alone. The awards are those that the position names: `AwardStanding`
compares the players but gives no award. `games/hexil.tgdl` has the rules.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from ludograph.geometry import HexCorner
from ludograph.geometry.trails import longest_trail
from ludograph.settlers.actions import Buy, BuyCard
from ludograph.settlers.goods import Award, Goods, Piece, Player, Resource, goods_of
from ludograph.settlers.standard import SUPPLY

if TYPE_CHECKING:
    from ludograph.settlers.position import Position

PRICES: dict[Buy | BuyCard, Goods] = {
    Buy(Piece.VILLAGE): Goods(brick=1, grain=1, lumber=1, wool=1),
    Buy(Piece.CITY): Goods(grain=2, ore=3),
    Buy(Piece.ROAD): Goods(brick=1, lumber=1),
    BuyCard(): Goods(grain=1, ore=1, wool=1),
}
"""The price of each purchase."""
AWARD_POINTS = 2
VILLAGE_POINTS, CITY_POINTS = 1, 2


class AwardStanding(Struct, frozen=True):
    """How the players compare for an award."""

    holder: Player | None
    """The player who has the award; None: nobody."""
    counts: tuple[int, ...]
    """The road length or the number of played knights of each player, player 1 first."""

    @property
    def leaders(self) -> tuple[Player, ...]:
        """The players with the highest count; nobody if all counts are zero.

        >>> AwardStanding(None, (3, 5, 5)).leaders
        (2, 3)
        """
        most = max(self.counts, default=0)
        return tuple(Player(number) for number, count in enumerate(self.counts, 1) if count == most > 0)

    @property
    def lead(self) -> int:
        """The difference between the highest count and the next; 0 if several players lead.

        >>> AwardStanding(None, (3, 6, 5)).lead
        1
        """
        ranked = sorted((*self.counts, 0, 0), reverse=True)
        return ranked[0] - ranked[1]


def count_visible_points(position: "Position") -> tuple[int, ...]:
    """The points of each player for buildings and awards."""
    return tuple(
        VILLAGE_POINTS * len(seat.villages)
        + CITY_POINTS * len(seat.cities)
        + AWARD_POINTS * (position.largest_army == player)
        + AWARD_POINTS * (position.longest_road == player)
        for player, seat in enumerate(position.seats, start=1)
    )


def count_points(position: "Position") -> tuple[int, ...]:
    """The points of each player, including those of point cards."""
    current = position.current if position.seats else None
    return tuple(
        visible + seat.cards.point + (position.bought.point if player == current else 0)
        for player, (visible, seat) in enumerate(
            zip(count_visible_points(position), position.seats, strict=True), start=1
        )
    )


def measure_roads(position: "Position") -> tuple[int, ...]:
    """The length of each player's longest road: no side twice, and not through another player's building."""
    return tuple(_measure_road(position, number) for number in range(len(position.seats)))


def _measure_road(position: "Position", number: int) -> int:
    roads = dict.fromkeys(position.seats[number].roads)
    if len(roads) > SUPPLY.road:
        # The time to measure a road grows with the number of its loops, so the number of roads is limited.
        raise ValueError(f"player {number + 1} has {len(roads)} roads, but the supply has {SUPPLY.road}")
    own = position.seats[number]
    blocked: list[HexCorner] = []
    for other, seat in enumerate(position.seats):
        if other != number:
            blocked += (*seat.villages, *seat.cities)
    kept = {*own.villages, *own.cities}
    return longest_trail(
        {road: road.corners for road in roads}, (corner for corner in blocked if corner not in kept)
    )


def compare_for_award(position: "Position", award: Award) -> AwardStanding:
    """How the players compare for an award."""
    if award is Award.LONGEST_ROAD:
        return AwardStanding(position.longest_road, measure_roads(position))
    return AwardStanding(position.largest_army, tuple(seat.knights for seat in position.seats))


def count_production(position: "Position", total: int) -> tuple[Goods, ...]:
    """The goods that a roll yields to each player.

    The robber's tile yields nothing. If the bank has too few cards of a kind, it pays none of them to several
    players, and the rest to one player.
    """
    if not 2 <= total <= 12:
        raise ValueError(f"two dice show 2 to 12, not {total}")
    claims = [_count_yield(position, number, total) for number in range(len(position.seats))]
    bank = position.bank
    for kind in Resource:
        if sum(goods[kind] for goods in claims) > bank[kind]:
            claimants = [number for number, goods in enumerate(claims) if goods[kind]]
            for number in claimants:
                paid = bank[kind] if len(claimants) == 1 else 0
                claims[number] -= goods_of(kind, claims[number][kind] - paid)
    return tuple(claims)


def _count_yield(position: "Position", number: int, total: int) -> Goods:
    """The goods that the buildings of a player yield on a roll, if the bank can pay."""
    tiles, seat, goods = position.island.tiles, position.seats[number], Goods()
    for corners, count in ((seat.villages, 1), (seat.cities, 2)):
        for cell in (cell for corner in corners for cell in corner.cells):
            tile = tiles.get(cell)
            if tile is None or tile.number != total or cell == position.robber:
                continue
            if tile.terrain.yields is not None:
                goods += goods_of(tile.terrain.yields, count)
    return goods


def list_affordable(hand: Goods) -> tuple[Buy | BuyCard, ...]:
    """The purchases that a hand can pay for, each alone.

    >>> list_affordable(Goods(brick=1, grain=2, lumber=1, ore=3))
    (Buy(piece=Piece.CITY), Buy(piece=Piece.ROAD))
    """
    return tuple(purchase for purchase in PRICES if not count_missing(hand, purchase))


def count_missing(hand: Goods, purchase: Buy | BuyCard) -> Goods:
    """The cards that a hand lacks for a purchase.

    >>> count_missing(Goods(grain=1, ore=3), Buy(Piece.CITY))
    Goods(grain=1)
    """
    price = PRICES[BuyCard() if isinstance(purchase, BuyCard) else purchase]
    return Goods(*(max(0, price[kind] - hand[kind]) for kind in Resource))
