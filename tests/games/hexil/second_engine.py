"""A second settlers engine, in plain Python on positions: short, slow, and written from the rules alone.

It shares no rule with Hexil, so that both can be held to each other. Trade is with the bank only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from ludograph.settlers import (
    BANK,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Discard,
    EndTurn,
    Goods,
    HexCorner,
    HexSide,
    MoveRobber,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
    Resource,
    Roll,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
    fresh_position,
)
from ludograph.settlers.goods import goods_of
from ludograph.settlers.island import Island
from ludograph.settlers.places import LAND_CORNERS, LAND_SIDES
from ludograph.settlers.standard import deck
from tests.games.hexil.expectations import expected_army, expected_holder, expected_points, income

PRICES = {
    Piece.VILLAGE: Goods(brick=1, grain=1, lumber=1, wool=1),
    Piece.CITY: Goods(grain=2, ore=3),
    Piece.ROAD: Goods(brick=1, lumber=1),
}
CARD_PRICE = Goods(grain=1, ore=1, wool=1)


@dataclass(frozen=True, slots=True)
class Moment:
    """A position and what it does not say."""

    position: Position
    deck: Cards
    played: bool = False
    """Whether a development card was played this turn."""

    @property
    def player(self) -> Player:
        return self.position.current

    @property
    def is_over(self) -> bool:
        """Whether the player whose turn it is has ten points."""
        return not self.position.in_setup and expected_points(self.position, self.player) >= 10


def beginning(island: Island, players: int) -> Moment:
    return Moment(fresh_position(island, players), deck(players))


def count(moment: Moment, depth: int) -> int:
    """The sequences of so many actions, every outcome of chance counted.

    Where several are asked at once the first answers first, as everywhere where moves are counted.
    """
    if depth == 0:
        return 1
    if moment.is_over:
        return 0
    must = moment.position.must
    first = must.players[0] if isinstance(must, MustDiscard) else None
    found = [done for done in outcomes(moment) if not isinstance(done, Discard) or done.player == first]
    return len(found) if depth == 1 else sum(count(after(moment, done), depth - 1) for done in found)


# What may be done


def outcomes(moment: Moment) -> Iterator[Action]:
    """The legal actions, with everything that chance can give."""
    for action in actions(moment):
        match action:
            case Roll():
                yield from (Roll((one, two)) for one, two in product(range(1, 7), repeat=2))
            case Steal(victim):
                hand = moment.position.seat(victim).goods
                yield from (Steal(victim, kind) for kind in Resource if hand[kind])
            case BuyCard():
                yield from (BuyCard(card) for card in Card if moment.deck[card])
            case _:
                yield action


def actions(moment: Moment) -> Iterator[Action]:
    """The legal actions; the outcome of chance is left open."""
    position, player = moment.position, moment.player
    match position.must:
        case MustPlace(pieces) if position.in_setup:
            yield from _set_up(position, pieces[0])
        case MustPlace((piece,)):
            yield from _placements(position, piece)
        case MustDiscard(players):
            for number in players:
                yield from (Discard(number, goods) for goods in _halves(position.seat(number).goods))
        case MustMoveRobber():
            yield from (MoveRobber(tile) for tile in position.island.land if tile != position.robber)
        case MustSteal():
            yield from (Steal(victim) for victim in _victims(position))
        case None:
            if position.may_place.road:
                yield from _placements(position, Piece.ROAD)
            if not position.rolled:
                yield Roll()
            if not moment.played:
                yield from _cards(moment)
            if position.rolled:
                yield from _purchases(moment)
                yield from _bank_trades(position, player)
                yield EndTurn()


def _set_up(position: Position, piece: Piece) -> Iterator[Action]:
    if piece is Piece.VILLAGE:
        yield from (PlaceVillage(corner) for corner in LAND_CORNERS if _is_free(position, corner))
        return
    own = position.seat(position.current)
    new = next(corner for corner in own.villages if not set(corner.sides) & set(own.roads))
    yield from (PlaceRoad(side) for side in new.sides if side in LAND_SIDES)


def _is_free(position: Position, corner: HexCorner) -> bool:
    """No building here or on a corner beside it."""
    built = {place for seat in position.seats for place in (*seat.villages, *seat.cities)}
    return corner not in built and not built & set(corner.neighbours)


def _placements(position: Position, piece: Piece) -> list[Action]:
    own, player = position.seat(position.current), position.current
    ends = {corner for side in own.roads for corner in side.corners}
    if piece is Piece.CITY:
        return [PlaceCity(corner) for corner in own.villages] if position.pieces_left(player).city else []
    if not position.pieces_left(player)[piece]:
        return []
    if piece is Piece.VILLAGE:
        return [
            PlaceVillage(corner) for corner in LAND_CORNERS if corner in ends and _is_free(position, corner)
        ]
    taken = {side for seat in position.seats for side in seat.roads}
    foreign = {
        corner
        for number, seat in enumerate(position.seats, 1)
        if number != player
        for corner in (*seat.villages, *seat.cities)
    }
    starts = (ends | {*own.villages, *own.cities}) - foreign
    return [PlaceRoad(side) for side in LAND_SIDES if side not in taken and starts & set(side.corners)]


def _halves(hand: Goods) -> Iterator[Goods]:
    """Every half of a hand, rounded down."""
    for counts in product(*(range(held + 1) for held in hand.counts)):
        if sum(counts) == hand.total // 2:
            yield Goods(*counts)


def _victims(position: Position) -> list[Player]:
    assert position.robber is not None
    return [
        Player(number)
        for number, seat in enumerate(position.seats, 1)
        if number != position.current and seat.goods.total
        if any(position.robber in corner.cells for corner in (*seat.villages, *seat.cities))
    ]


def _cards(moment: Moment) -> Iterator[Action]:
    position = moment.position
    held = position.seat(moment.player).cards
    if held.knight:
        yield UseKnight()
    if held.roads and _placements(position, Piece.ROAD):
        yield UseRoads()
    if held.monopoly:
        yield from (UseMonopoly(kind) for kind in Resource)
    if held.plenty:
        size = min(2, position.bank.total)
        for kinds in combinations_with_replacement(Resource, size):
            wanted = sum((goods_of(kind) for kind in kinds), Goods())
            if size and _has(position.bank, wanted):
                yield UsePlenty(wanted)


def _purchases(moment: Moment) -> Iterator[Action]:
    hand = moment.position.seat(moment.player).goods
    for piece, price in PRICES.items():
        if _has(hand, price) and _placements(moment.position, piece):
            yield Buy(piece)
    if _has(hand, CARD_PRICE) and moment.deck.total:
        yield BuyCard()


def _bank_trades(position: Position, player: Player) -> Iterator[Action]:
    seat = position.seat(player)
    served = [
        harbor.resource
        for harbor in position.island.harbors
        if set(harbor.side.corners) & {*seat.villages, *seat.cities}
    ]
    for give, take in product(Resource, repeat=2):
        rate = 2 if give in served else 3 if None in served else 4
        if give is not take and seat.goods[give] >= rate and position.bank[take]:
            yield Trade(goods_of(give, rate), goods_of(take), BANK)


def _has(goods: Goods, wanted: Goods) -> bool:
    return all(goods[kind] >= wanted[kind] for kind in Resource)


# What comes of it


def after(moment: Moment, action: Action) -> Moment:
    """The moment after a legal action, with what chance gave."""
    position, player = moment.position, moment.player
    match action:
        case PlaceVillage(corner):
            placed = position.place(player, Piece.VILLAGE, corner)
            if not position.in_setup:
                return _moment(moment, placed.replace(must=None))
            if len(placed.seat(player).villages) == 2:
                tiles = position.island.tiles
                kinds = [tiles[cell].terrain.yields for cell in corner.cells if cell in tiles]
                placed = _gain(placed, player, sum((goods_of(kind) for kind in kinds if kind), Goods()))
            return _moment(moment, placed.replace(must=MustPlace((Piece.ROAD,))))
        case PlaceCity(corner):
            grown = position.remove(player, Piece.VILLAGE, corner).place(player, Piece.CITY, corner)
            return _moment(moment, grown.replace(must=None))
        case PlaceRoad(side):
            return _pave(moment, side)
        case Roll((first, second)):
            return _roll(moment, first + second)
        case Discard(number, goods):
            assert isinstance(position.must, MustDiscard)
            left = tuple(other for other in position.must.players if other != number)
            paid = _gain(position, number, Goods() - goods)
            return _moment(moment, paid.replace(must=MustDiscard(left) if left else MustMoveRobber()))
        case MoveRobber(tile):
            moved = position.replace(robber=tile, must=None)
            return _moment(moment, moved.replace(must=MustSteal()) if _victims(moved) else moved)
        case Steal(victim, kind):
            assert kind is not None
            robbed = _gain(position, victim, Goods() - goods_of(kind))
            return _moment(moment, _gain(robbed, player, goods_of(kind)).replace(must=None))
        case Buy(piece):
            paid = _gain(position, player, Goods() - PRICES[piece])
            return _moment(moment, paid.replace(must=MustPlace((piece,)), may_place=Pieces()))
        case BuyCard(card):
            assert card is not None
            paid = _gain(position, player, Goods() - CARD_PRICE)
            bought = paid.replace(bought=_add(position.bought, card, 1), may_place=Pieces())
            return Moment(bought, _add(moment.deck, card, -1), moment.played)
        case Trade(give, take, _):
            return _moment(moment, _gain(position, player, take - give).replace(may_place=Pieces()))
        case EndTurn():
            return _end(moment)
        case _:
            return _use(moment, action)


def _moment(moment: Moment, position: Position) -> Moment:
    """The same deck, and the awards as they are now."""
    before = moment.position
    if not position.in_setup and not before.in_setup:
        position = position.replace(
            longest_road=expected_holder(position, before.longest_road),
            largest_army=expected_army(position, before.largest_army),
        )
    found = Moment(position, moment.deck, moment.played)
    # Nothing is due once a game is won.
    return (
        Moment(position.replace(must=None, may_place=Pieces()), found.deck, found.played)
        if found.is_over
        else found
    )


def _pave(moment: Moment, side: HexSide) -> Moment:
    position, player = moment.position, moment.player
    placed = position.place(player, Piece.ROAD, side)
    if position.in_setup:
        roads = sum(len(seat.roads) for seat in placed.seats)
        is_over = roads == 2 * position.players
        return _moment(
            moment, placed.replace(must=None if is_over else MustPlace((Piece.VILLAGE, Piece.ROAD)))
        )
    left = position.may_place.road - 1 if position.may_place.road else 0
    if not _placements(placed, Piece.ROAD):
        left = 0
    return _moment(moment, placed.replace(must=None, may_place=Pieces(road=left)))


def _roll(moment: Moment, total: int) -> Moment:
    rolled = moment.position.replace(rolled=True, may_place=Pieces())
    if total != 7:
        for player, goods in income(rolled, total).items():
            rolled = _gain(rolled, player, goods)
        return _moment(moment, rolled)
    many = [Player(number) for number, seat in enumerate(rolled.seats, 1) if seat.goods.total > 7]
    return _moment(moment, rolled.replace(must=MustDiscard(tuple(many)) if many else MustMoveRobber()))


def _end(moment: Moment) -> Moment:
    position, player = moment.position, moment.player
    counts = zip(position.seat(player).cards.counts, position.bought.counts, strict=True)
    kept = position.replace_seat(player, cards=Cards(*map(sum, counts)))
    ended = kept.replace(turn=position.turn + 1, rolled=False, bought=Cards(), may_place=Pieces())
    return Moment(ended, moment.deck)


def _use(moment: Moment, action: Action) -> Moment:
    position, player = moment.position, moment.player
    held = position.seat(player)
    match action:
        case UseKnight():
            used = position.replace_seat(
                player, cards=_add(held.cards, Card.KNIGHT, -1), knights=held.knights + 1
            )
            used = used.replace(must=MustMoveRobber())
        case UseRoads():
            used = position.replace_seat(player, cards=_add(held.cards, Card.ROADS, -1))
            used = used.replace(may_place=Pieces(road=min(2, position.pieces_left(player).road)))
        case UseMonopoly(kind):
            used = position.replace_seat(player, cards=_add(held.cards, Card.MONOPOLY, -1))
            for number, seat in enumerate(position.seats, 1):
                if number != player:
                    taken = goods_of(kind, seat.goods[kind])
                    used = _gain(_gain(used, number, Goods() - taken), player, taken)
        case UsePlenty(goods):
            used = position.replace_seat(player, cards=_add(held.cards, Card.PLENTY, -1))
            used = _gain(used, player, goods)
        case _:
            raise AssertionError(f"{action} is no use of a card")
    return _moment(Moment(position, moment.deck, played=True), used)


def _gain(position: Position, player: int, goods: Goods) -> Position:
    return position.replace_seat(player, goods=position.seat(player).goods + goods)


def _add(cards: Cards, card: Card, count_of: int) -> Cards:
    return Cards(*(held + count_of * (kind is card) for kind, held in zip(Card, cards.counts, strict=True)))
