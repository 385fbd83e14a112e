"""Development cards that a record hides: which they must have been, from what happens later.

HAN's older dialect and CGN do not say which card is bought. One that is played or shown tells it; the others
matter only for who wins. So they are dealt from what is left of the deck, points last: no player may come to
have won earlier than the record tells, and its winner must have won.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ludograph import settlers

_PLAYED: dict[type[settlers.Action], settlers.Card] = {
    settlers.UseKnight: settlers.Card.KNIGHT,
    settlers.UseRoads: settlers.Card.ROADS,
    settlers.UseMonopoly: settlers.Card.MONOPOLY,
    settlers.UsePlenty: settlers.Card.PLENTY,
}
_UNIMPORTANT = (settlers.Card.KNIGHT, settlers.Card.ROADS, settlers.Card.MONOPOLY, settlers.Card.PLENTY)

Course = Mapping[settlers.Player, Sequence[tuple[int, int]]]
"""For every player, the points on the table in the own turns: after which event, and how many."""


class Hidden(Struct, frozen=True):
    """The purchases of a record that do not name their card, as far as the record tells more of them."""

    known: Mapping[int, settlers.Card]
    """By the number of their event: cards that are played or shown later."""
    open: Mapping[settlers.Player, Sequence[int]]
    """The purchases of every player that nothing tells of."""
    points: Mapping[settlers.Player, int]
    """The point cards that every player is known to have."""
    deck: Mapping[settlers.Card, int]
    """What is left for the open ones."""

    def deal(self, winner: settlers.Player | None) -> dict[int, settlers.Card]:
        """All cards, as if nobody could win: for finding out how the points went."""
        most = Counter({player: len(open_ones) for player, open_ones in self.open.items()})
        return self._dealt(Counter(), most, winner)

    def deal_for(
        self, course: Course, points: int, winner: settlers.Player | None
    ) -> dict[int, settlers.Card]:
        """All cards, so that nobody but the winner has so many points, and that one not before the end."""
        least: Counter[settlers.Player] = Counter()
        most: Counter[settlers.Player] = Counter()
        for player, open_ones in self.open.items():
            steps = list(course.get(player, ()))
            if player == winner and steps:
                missing = points - self.points.get(player, 0) - steps.pop()[1]
                least[player] = most[player] = min(max(0, missing), len(open_ones))
            else:
                most[player] = self._most_points(player, steps, points)
        return self._dealt(least, most, winner)

    def _most_points(self, player: settlers.Player, steps: Sequence[tuple[int, int]], points: int) -> int:
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

    def _dealt(
        self, least: Counter[settlers.Player], most: Counter[settlers.Player], winner: settlers.Player | None
    ) -> dict[int, settlers.Card]:
        left = Counter(self.deck)
        unimportant = sum(left[card] for card in _UNIMPORTANT)
        dealt = Counter({player: min(least[player], left[settlers.Card.POINT]) for player in self.open})
        needed = sum(map(len, self.open.values())) - unimportant - dealt.total()
        # The winner shows every point card, so those that the record does not show are with the others.
        for player in sorted(self.open, key=lambda player: player == winner):
            more = max(
                0, min(needed, most[player] - dealt[player], left[settlers.Card.POINT] - dealt.total())
            )
            dealt[player] += more
            needed -= more
        cards = dict(self.known)
        pool = [card for card in _UNIMPORTANT for _ in range(left[card])]
        for player, open_ones in self.open.items():
            begin = len(open_ones) - dealt[player]
            cards |= dict.fromkeys(open_ones[begin:], settlers.Card.POINT)
            cards |= dict(zip(open_ones[:begin], pool, strict=False))
            del pool[:begin]
        return cards


class _Hand(Struct):
    """What a player has bought. Mutable."""

    held: Counter[settlers.Card]
    fresh: Counter[settlers.Card] = field(default_factory=Counter)
    unknown: list[int] = field(default_factory=list)
    fresh_unknown: list[int] = field(default_factory=list)


def find_hidden(events: Sequence[settlers.Event], start: settlers.Position, deck: settlers.Cards) -> Hidden:
    """The hidden purchases among events whose acts name their players; `deck` is that of the start."""
    hands = {
        settlers.Player(number): _Hand(Counter(dict(seat.cards.items())))
        for number, seat in enumerate(start.seats, 1)
    }
    hands[start.current].fresh.update(dict(start.bought.items()))
    left = Counter(dict(deck.items()))
    known: dict[int, settlers.Card] = {}
    points: Counter[settlers.Player] = Counter()
    for player, hand in hands.items():
        points[player] = hand.held[settlers.Card.POINT] + hand.fresh[settlers.Card.POINT]
    for index, event in enumerate(events):
        player_of = event.player if isinstance(event, settlers.Act | settlers.CardPlayed) else None
        if player_of is None or player_of not in hands:
            continue
        hand = hands[player_of]
        match event:
            case settlers.Act(settlers.BuyCard(None)):
                hand.fresh_unknown.append(index)
            case settlers.Act(settlers.BuyCard(settlers.Card() as card)):
                hand.fresh[card] += 1
                left[card] -= 1
                points[player_of] += card is settlers.Card.POINT
            case settlers.Act(settlers.EndTurn()):
                _end_turn(hand)
            case settlers.Act(action) if type(action) in _PLAYED:
                _take(hand, _PLAYED[type(action)], known)
            case settlers.CardPlayed(settlers.Card.MONOPOLY | settlers.Card.PLENTY as card):
                _take(hand, card, known)
            case settlers.CardPlayed(settlers.Card.POINT):
                _end_turn(hand)  # the card bought last may be shown at once
                _take(hand, settlers.Card.POINT, known)
            case _:
                pass
    left.subtract(known.values())
    for index, card in known.items():
        buyer = events[index]
        assert isinstance(buyer, settlers.Act) and buyer.player is not None
        points[buyer.player] += card is settlers.Card.POINT
    open_ones = {player: tuple(hand.unknown + hand.fresh_unknown) for player, hand in hands.items()}
    return Hidden(known, open_ones, points, {card: max(0, left[card]) for card in settlers.Card})


def _end_turn(hand: _Hand) -> None:
    hand.held.update(hand.fresh)
    hand.fresh.clear()
    hand.unknown += hand.fresh_unknown
    hand.fresh_unknown.clear()


def _take(hand: _Hand, card: settlers.Card, known: dict[int, settlers.Card]) -> None:
    """Note that a card is played: one that was known, else the first that was not."""
    if hand.held[card] > 0:
        hand.held[card] -= 1
    elif hand.unknown:
        # Of points the last, so that nobody has won too early.
        known[hand.unknown.pop(-1 if card is settlers.Card.POINT else 0)] = card
