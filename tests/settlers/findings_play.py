"""Random games by the rules, one position after another, to show that no finding cries wolf.

Deliberately plain and separate from the findings: it plays forwards, they look back.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.hex_places import corners_of
from ludograph.geometry.trails import longest_trail
from ludograph.settlers import (
    Card,
    Cards,
    Goods,
    Island,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Resource,
    fresh_position,
)
from ludograph.settlers.goods import goods_of
from ludograph.settlers.standard import deck

COSTS = {
    Piece.VILLAGE: Goods(1, 1, 1, 0, 1),
    Piece.CITY: Goods(0, 2, 0, 3, 0),
    Piece.ROAD: Goods(1, 0, 1, 0, 0),
}
CARD_COST = Goods(0, 1, 0, 1, 1)


class RandomGame:
    """A game that plays itself; mutable: every step changes `position`."""

    def __init__(self, island: Island, players: int, seed: int) -> None:
        self.position = fresh_position(island, players)
        self.random = Random(seed)
        self.deck = [card for card, count in deck(players).items() for _ in range(count)]
        self.random.shuffle(self.deck)
        self.has_played = False

    def play(self, turns: int) -> Iterator[Position]:
        """Every position of the set-up and of so many turns."""
        yield self.position
        yield from self._set_up()
        for _ in range(turns):
            yield from self._take_turn()

    # The set-up

    def _set_up(self) -> Iterator[Position]:
        players = self.position.players
        for step in range(2 * players):
            player = self.position.current
            corner = self.random.choice([c for c in self._corners() if self._is_open(c)])
            self._place(Piece.VILLAGE, corner, player)
            if step >= players:
                for cell in corner.cells:
                    terrain = self.position.island.terrain_at(cell)
                    if terrain is not None and terrain.yields is not None:
                        self._gain(player, goods_of(terrain.yields))
            self._set(must=MustPlace((Piece.ROAD,)))
            yield self.position
            sides = [side for side in corner.sides if self._is_ashore(side)]
            self._place(Piece.ROAD, self.random.choice(sides), player)
            is_over = step == 2 * players - 1
            self._set(must=None if is_over else MustPlace((Piece.VILLAGE, Piece.ROAD)))
            yield self.position

    # Turns

    def _take_turn(self) -> Iterator[Position]:
        self.has_played = False
        if self.random.random() < 0.3:
            yield from self._play_card()
        yield from self._roll()
        for _ in range(self.random.randrange(12)):
            step = self.random.choice(
                (self._build, self._build, self._buy_card, self._play_card, self._trade)
            )
            yield from step()
        player, bought = self.position.current, self.position.bought
        held = self.position.seat(player).cards
        self.position = self.position.replace_seat(
            player, cards=Cards(*(held[card] + bought[card] for card in Card))
        )
        self._set(turn=self.position.turn + 1, rolled=False, bought=Cards(), may_place=Pieces())
        yield self.position

    def _roll(self) -> Iterator[Position]:
        total = self.random.randint(1, 6) + self.random.randint(1, 6)
        self._set(rolled=True)
        if total != 7:
            self._produce(total)
            yield self.position
            return
        owing = [player for player in self._players() if self._hand(player).total > 7]
        while owing:
            self._set(must=MustDiscard(tuple(owing)))
            yield self.position
            player = owing.pop(self.random.randrange(len(owing)))
            for _ in range(self._hand(player).total // 2):
                self._gain(player, -goods_of(self._random_card(player)))
        yield from self._move_robber()

    def _produce(self, number: int) -> None:
        for kind in Resource:
            due: Counter[Player] = Counter()
            for tile in self.position.island.tiles.values():
                if (
                    tile.number == number
                    and tile.terrain.yields is kind
                    and tile.place != self.position.robber
                ):
                    for player in self._players():
                        seat = self.position.seat(player)
                        for corner in corners_of(tile.place):
                            due[player] += (corner in seat.villages) + 2 * (corner in seat.cities)
            claimants = [player for player, count in due.items() if count]
            left = self.position.bank[kind]
            if due.total() <= left or len(claimants) == 1:
                for player in claimants:
                    self._gain(player, goods_of(kind, min(due[player], left)))

    def _move_robber(self) -> Iterator[Position]:
        self._set(must=MustMoveRobber())
        yield self.position
        thief, before = self.position.current, self.position.robber
        robber = self.random.choice([tile for tile in self.position.island.land if tile != before])
        self._set(robber=robber, must=None)
        victims = [
            player
            for player in self._players()
            if player != thief
            and self._hand(player).total
            and any(robber in corner.cells for corner in self._buildings(player))
        ]
        if victims:
            self._set(must=MustSteal())
            yield self.position
            victim = self.random.choice(victims)
            card = goods_of(self._random_card(victim))
            self._gain(victim, -card)
            self._gain(thief, card)
            self._set(must=None)
        yield self.position

    def _build(self) -> Iterator[Position]:
        player = self.position.current
        piece = self.random.choice(list(Piece))
        places = self._places_for(piece)
        if places and self.position.pieces_left(player)[piece] > 0 and self._pay(COSTS[piece]):
            self._set(must=MustPlace((piece,)), may_place=Pieces())
            yield self.position
            self._place(piece, self.random.choice(places), player)
            self._set(must=None)
            self._award_road()
            yield self.position

    def _buy_card(self) -> Iterator[Position]:
        if self.deck and self._pay(CARD_COST):
            bought, card = self.position.bought, self.deck.pop()
            self._set(bought=Cards(*(bought[kind] + (kind is card) for kind in Card)), may_place=Pieces())
            yield self.position

    def _play_card(self) -> Iterator[Position]:
        player = self.position.current
        seat = self.position.seat(player)
        choices = [card for card, _ in seat.cards.items() if card is not Card.POINT]
        if self.has_played or not choices:
            return
        card = self.random.choice(choices)
        if card is Card.ROADS and not (
            self.position.pieces_left(player).road and self._places_for(Piece.ROAD)
        ):
            return
        self.has_played = True
        self.position = self.position.replace_seat(
            player, cards=Cards(*(seat.cards[kind] - (kind is card) for kind in Card))
        )
        self._set(may_place=Pieces())
        match card:
            case Card.KNIGHT:
                self.position = self.position.replace_seat(player, knights=seat.knights + 1)
                holder = self.position.largest_army
                most = 2 if holder is None else self.position.seat(holder).knights
                if seat.knights + 1 > most:
                    self._set(largest_army=player)
                yield from self._move_robber()
            case Card.ROADS:
                yield from self._pave()
            case Card.MONOPOLY:
                kind = self.random.choice(list(Resource))
                for other in self._players():
                    haul = goods_of(kind, self._hand(other)[kind])
                    self._gain(other, -haul)
                    self._gain(player, haul)
                yield self.position
            case _:
                for _ in range(2):
                    if kinds := [kind for kind, count in self.position.bank.items() if count > 0]:
                        self._gain(player, goods_of(self.random.choice(kinds)))
                yield self.position

    def _pave(self) -> Iterator[Position]:
        player = self.position.current
        self._set(may_place=Pieces(road=2))
        yield self.position
        while self.position.may_place.road and self.random.random() < 0.9:
            places = self._places_for(Piece.ROAD)
            left = self.position.may_place.road - 1
            self._place(Piece.ROAD, self.random.choice(places), player)
            self._award_road()
            if not self.position.pieces_left(player).road or not self._places_for(Piece.ROAD):
                left = 0
            self._set(may_place=Pieces(road=left))
            yield self.position
        self._set(may_place=Pieces())

    def _trade(self) -> Iterator[Position]:
        player = self.position.current
        many = [kind for kind, count in self._hand(player).items() if count >= 4]
        if many:
            given = self.random.choice(many)
            if taken := [kind for kind in Resource if kind is not given and self.position.bank[kind] > 0]:
                self._gain(player, goods_of(self.random.choice(taken)) - goods_of(given, 4))
                self._set(may_place=Pieces())
                yield self.position

    def _award_road(self) -> None:
        lengths = {}
        for player in self._players():
            others = [c for other in self._players() if other != player for c in self._buildings(other)]
            roads = {road: road.corners for road in self.position.seat(player).roads}
            lengths[player] = longest_trail(roads, others)
        best, holder = max(lengths.values()), self.position.longest_road
        leaders = [player for player, length in lengths.items() if length == best]
        if best < 5:
            self._set(longest_road=None)
        elif holder not in leaders:
            self._set(longest_road=leaders[0] if len(leaders) == 1 else None)

    # Small steps

    def _set(self, **changes: object) -> None:
        self.position = self.position.replace(**changes)

    def _players(self) -> list[Player]:
        return [Player(number) for number in range(1, self.position.players + 1)]

    def _hand(self, player: Player) -> Goods:
        return self.position.seat(player).goods

    def _buildings(self, player: Player) -> tuple[HexCorner, ...]:
        return (*self.position.seat(player).villages, *self.position.seat(player).cities)

    def _gain(self, player: Player, goods: Goods) -> None:
        self.position = self.position.replace_seat(player, goods=self._hand(player) + goods)

    def _pay(self, cost: Goods) -> bool:
        player = self.position.current
        can_pay = all(self._hand(player)[kind] >= count for kind, count in cost.items())
        if can_pay:
            self._gain(player, -cost)
        return can_pay

    def _random_card(self, player: Player) -> Resource:
        return self.random.choice([kind for kind, count in self._hand(player).items() for _ in range(count)])

    def _place(self, piece: Piece, place: HexCorner | HexSide, player: Player) -> None:
        if piece is Piece.CITY:
            self.position = self.position.remove(player, Piece.VILLAGE, place)
        self.position = self.position.place(player, piece, place)

    def _corners(self) -> list[HexCorner]:
        land: tuple[Hex, ...] = self.position.island.land
        return list(dict.fromkeys(corner for tile in land for corner in corners_of(tile)))

    def _is_ashore(self, side: HexSide) -> bool:
        return any(cell in self.position.island.land for cell in side.cells)

    def _is_open(self, corner: HexCorner) -> bool:
        taken = [c for player in self._players() for c in self._buildings(player)]
        is_ashore = any(cell in self.position.island.land for cell in corner.cells)
        return is_ashore and not any(c in taken for c in (corner, *corner.neighbours))

    def _places_for(self, piece: Piece) -> tuple[HexCorner | HexSide, ...]:
        player = self.position.current
        seat = self.position.seat(player)
        ends = list(dict.fromkeys(corner for road in seat.roads for corner in road.corners))
        match piece:
            case Piece.CITY:
                return seat.villages
            case Piece.VILLAGE:
                return tuple(corner for corner in ends if self._is_open(corner))
            case Piece.ROAD:
                paved = [road for other in self._players() for road in self.position.seat(other).roads]
                walls = [c for other in self._players() if other != player for c in self._buildings(other)]
                starts = [c for c in (*ends, *self._buildings(player)) if c not in walls]
                sides = dict.fromkeys(side for corner in starts for side in corner.sides)
                return tuple(side for side in sides if side not in paved and self._is_ashore(side))
