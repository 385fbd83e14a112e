"""Development cards that a record hides: which they must have been, from what happens later.

HAN's older dialect and CGN do not say which card is bought. One that is played or shown tells it; the others
matter only for who wins. So they are dealt from what is left of the deck, points last: no player may come to
have won earlier than the record tells, and its winner must have won.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ludograph.settlers import (
    Action,
    BuyCard,
    Card,
    Cards,
    EndTurn,
    Player,
    Position,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.record import Act, CardPlayed, Event

_PLAYED: dict[type[Action], Card] = {
    UseKnight: Card.KNIGHT,
    UseRoads: Card.ROADS,
    UseMonopoly: Card.MONOPOLY,
    UsePlenty: Card.PLENTY,
}
_UNIMPORTANT = (Card.KNIGHT, Card.ROADS, Card.MONOPOLY, Card.PLENTY)

Course = Mapping[Player, Sequence[tuple[int, int]]]
"""For every player, the points on the table in the own turns: after which event, and how many."""


class Hidden(Struct, frozen=True):
    """The purchases of a record that do not name their card, as far as the record tells more of them."""

    known: Mapping[int, Card]
    """By the number of their event: cards that are played or shown later."""
    open: Mapping[Player, Sequence[int]]
    """The purchases of every player that nothing tells of."""
    points: Mapping[Player, int]
    """The point cards that every player is known to have."""
    deck: Mapping[Card, int]
    """What is left for the open ones."""

    def deal(self, winner: Player | None) -> dict[int, Card]:
        """All cards, as if nobody could win: for finding out how the points went."""
        most = Counter({player: len(open_ones) for player, open_ones in self.open.items()})
        return self._dealt(Counter(), most, winner)

    def deal_for(self, course: Course, points: int, winner: Player | None) -> dict[int, Card]:
        """All cards, so that nobody but the winner has so many points, and that one not before the end."""
        least: Counter[Player] = Counter()
        most: Counter[Player] = Counter()
        for player, open_ones in self.open.items():
            steps = list(course.get(player, ()))
            if player == winner and steps:
                missing = points - self.points.get(player, 0) - steps.pop()[1]
                least[player] = most[player] = min(max(0, missing), len(open_ones))
            else:
                most[player] = self._most_points(player, steps, points)
        return self._dealt(least, most, winner)

    def _most_points(self, player: Player, steps: Sequence[tuple[int, int]], points: int) -> int:
        """How many of a player's last open purchases may be points without a win."""
        open_ones = self.open[player]
        for count in range(len(open_ones), 0, -1):
            bought = open_ones[len(open_ones) - count :]
            if all(
                built + self.points.get(player, 0) + sum(place <= event for place in bought) < points
                for event, built in steps
            ):
                return count
        return 0

    def _dealt(self, least: Counter[Player], most: Counter[Player], winner: Player | None) -> dict[int, Card]:
        left = Counter(self.deck)
        unimportant = sum(left[card] for card in _UNIMPORTANT)
        dealt = Counter({player: min(least[player], left[Card.POINT]) for player in self.open})
        needed = sum(map(len, self.open.values())) - unimportant - dealt.total()
        # The winner shows every point card, so those that the record does not show are with the others.
        for player in sorted(self.open, key=lambda player: player == winner):
            more = max(0, min(needed, most[player] - dealt[player], left[Card.POINT] - dealt.total()))
            dealt[player] += more
            needed -= more
        cards = dict(self.known)
        pool = [card for card in _UNIMPORTANT for _ in range(left[card])]
        for player, open_ones in self.open.items():
            begin = len(open_ones) - dealt[player]
            cards |= dict.fromkeys(open_ones[begin:], Card.POINT)
            cards |= dict(zip(open_ones[:begin], pool, strict=False))
            del pool[:begin]
        return cards


class _Hand(Struct):
    """What a player has bought. Mutable."""

    held: Counter[Card]
    fresh: Counter[Card] = field(default_factory=Counter)
    unknown: list[int] = field(default_factory=list)
    fresh_unknown: list[int] = field(default_factory=list)


def find_hidden(events: Sequence[Event], start: Position, deck: Cards) -> Hidden:
    """The hidden purchases among events whose acts name their players; `deck` is that of the start."""
    hands = {
        Player(number): _Hand(Counter(dict(seat.cards.items()))) for number, seat in enumerate(start.seats, 1)
    }
    hands[start.current].fresh.update(dict(start.bought.items()))
    left = Counter(dict(deck.items()))
    known: dict[int, Card] = {}
    points: Counter[Player] = Counter()
    for player, hand in hands.items():
        points[player] = hand.held[Card.POINT] + hand.fresh[Card.POINT]
    for index, event in enumerate(events):
        player_of = event.player if isinstance(event, Act | CardPlayed) else None
        if player_of is None or player_of not in hands:
            continue
        hand = hands[player_of]
        match event:
            case Act(BuyCard(None)):
                hand.fresh_unknown.append(index)
            case Act(BuyCard(Card() as card)):
                hand.fresh[card] += 1
                left[card] -= 1
                points[player_of] += card is Card.POINT
            case Act(EndTurn()):
                _end_turn(hand)
            case Act(action) if type(action) in _PLAYED:
                _take(hand, _PLAYED[type(action)], known)
            case CardPlayed(Card.MONOPOLY | Card.PLENTY as card):
                _take(hand, card, known)
            case CardPlayed(Card.POINT):
                _end_turn(hand)  # the card bought last may be shown at once
                _take(hand, Card.POINT, known)
            case _:
                pass
    left.subtract(known.values())
    for index, card in known.items():
        buyer = events[index]
        assert isinstance(buyer, Act) and buyer.player is not None
        points[buyer.player] += card is Card.POINT
    open_ones = {player: tuple(hand.unknown + hand.fresh_unknown) for player, hand in hands.items()}
    return Hidden(known, open_ones, points, {card: max(0, left[card]) for card in Card})


def _end_turn(hand: _Hand) -> None:
    hand.held.update(hand.fresh)
    hand.fresh.clear()
    hand.unknown += hand.fresh_unknown
    hand.fresh_unknown.clear()


def _take(hand: _Hand, card: Card, known: dict[int, Card]) -> None:
    """Note that a card is played: one that was known, else the first that was not."""
    if hand.held[card] > 0:
        hand.held[card] -= 1
    elif hand.unknown:
        # Of points the last, so that nobody has won too early.
        known[hand.unknown.pop(-1 if card is Card.POINT else 0)] = card
