"""Development cards that a record hides: infer them from later events.

The older dialect of HAN, and CGN, do not record which card is bought. A card that is played or revealed later
is known. The others matter only for the winner. They are assigned from the rest of the deck, point cards
last: no player may win earlier than in the record, and the recorded winner must have won.
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
_OTHER_CARDS = (settlers.Card.KNIGHT, settlers.Card.ROADS, settlers.Card.MONOPOLY, settlers.Card.PLENTY)

PointHistory = Mapping[settlers.Player, Sequence[tuple[int, int]]]
"""For each player the visible points during the player's own turns: the index of the event, and the points.
"""


class HiddenCards(Struct, frozen=True):
    """The purchases of a record that do not name their card, and what later events reveal about them."""

    known: Mapping[int, settlers.Card]
    """By the index of the purchase: cards that are played or revealed later."""
    open: Mapping[settlers.Player, Sequence[int]]
    """By player: the indexes of the purchases about which nothing is known."""
    points: Mapping[settlers.Player, int]
    """By player: the number of point cards that are known."""
    deck: Mapping[settlers.Card, int]
    """The remaining cards, for the unknown purchases."""

    def assign(self, winner: settlers.Player | None) -> dict[int, settlers.Card]:
        """Assign all cards without a limit on points; used to find the history of points."""
        most = Counter({player: len(unknown) for player, unknown in self.open.items()})
        return self._assign(Counter(), most, winner)

    def assign_for_winner(
        self, history: PointHistory, points: int, winner: settlers.Player | None
    ) -> dict[int, settlers.Card]:
        """Assign all cards so that only the winner reaches this number of points, and not before the end."""
        least: Counter[settlers.Player] = Counter()
        most: Counter[settlers.Player] = Counter()
        for player, unknown in self.open.items():
            steps = list(history.get(player, ()))
            if player == winner and steps:
                missing = points - self.points.get(player, 0) - steps.pop()[1]
                least[player] = most[player] = min(max(0, missing), len(unknown))
            else:
                most[player] = self._count_possible_points(player, steps, points)
        return self._assign(least, most, winner)

    def _count_possible_points(
        self, player: settlers.Player, steps: Sequence[tuple[int, int]], points: int
    ) -> int:
        """The number of a player's last unknown purchases that may be point cards without a win."""
        unknown = self.open[player]
        for count in range(len(unknown), 0, -1):
            bought = unknown[len(unknown) - count :]
            if all(
                built + self.points.get(player, 0) + sum(place <= event for place in bought) < points
                for event, built in steps
            ):
                return count
        return 0

    def _assign(
        self, least: Counter[settlers.Player], most: Counter[settlers.Player], winner: settlers.Player | None
    ) -> dict[int, settlers.Card]:
        left = Counter(self.deck)
        other_cards = sum(left[card] for card in _OTHER_CARDS)
        points_assigned = Counter(
            {player: min(least[player], left[settlers.Card.POINT]) for player in self.open}
        )
        needed = sum(map(len, self.open.values())) - other_cards - points_assigned.total()
        # The winner reveals all point cards, so point cards that the record does not show belong to other
        # players.
        for player in sorted(self.open, key=lambda player: player == winner):
            more = max(
                0,
                min(
                    needed,
                    most[player] - points_assigned[player],
                    left[settlers.Card.POINT] - points_assigned.total(),
                ),
            )
            points_assigned[player] += more
            needed -= more
        cards = dict(self.known)
        pool = [card for card in _OTHER_CARDS for _ in range(left[card])]
        for player, unknown in self.open.items():
            begin = len(unknown) - points_assigned[player]
            cards |= dict.fromkeys(unknown[begin:], settlers.Card.POINT)
            cards |= dict(zip(unknown[:begin], pool, strict=False))
            del pool[:begin]
        return cards


class _Hand(Struct):
    """The cards that a player has bought. Mutable."""

    held: Counter[settlers.Card]
    fresh: Counter[settlers.Card] = field(default_factory=Counter)
    unknown: list[int] = field(default_factory=list)
    fresh_unknown: list[int] = field(default_factory=list)


def find_hidden(
    events: Sequence[settlers.Event], start: settlers.Position, deck: settlers.Cards
) -> HiddenCards:
    """Find the hidden purchases; all actions name their players, and `deck` is the deck at the start."""
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
    unknown = {player: tuple(hand.unknown + hand.fresh_unknown) for player, hand in hands.items()}
    return HiddenCards(known, unknown, points, {card: max(0, left[card]) for card in settlers.Card})


def _end_turn(hand: _Hand) -> None:
    hand.held.update(hand.fresh)
    hand.fresh.clear()
    hand.unknown += hand.fresh_unknown
    hand.fresh_unknown.clear()


def _take(hand: _Hand, card: settlers.Card, known: dict[int, settlers.Card]) -> None:
    """Remove a played card: a known one, else the first unknown one, which becomes known."""
    if hand.held[card] > 0:
        hand.held[card] -= 1
    elif hand.unknown:
        # The last unknown card becomes a point card, so that nobody wins too early.
        known[hand.unknown.pop(-1 if card is settlers.Card.POINT else 0)] = card
