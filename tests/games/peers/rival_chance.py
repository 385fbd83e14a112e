"""Liar's dice and Crazy Eights once more, in plain Python and written apart, told what chance decides.

Mutable: a table is asked what chance may decide or a player may do, by the texts that we use, and is told
what was chosen. Chance with one possibility is none; the table takes it by itself.
"""

from collections.abc import Callable
from typing import Protocol


class Table(Protocol):
    """A game under way."""

    chooser: int

    def outcomes(self) -> set[str]:
        """What chance may decide now; empty if it is a player's turn."""

    def happen(self, text: str) -> None: ...

    def moves(self) -> set[str]: ...

    def play(self, text: str) -> None: ...

    def result(self) -> str | None: ...


class LiarsDice:
    def __init__(self, players: int) -> None:
        self.cups: list[list[int]] = [[] for _ in range(players)]
        self.sizes = [5] * players
        self.bid = (0, 0)
        self.bidder = self.chooser = 0

    def outcomes(self) -> set[str]:
        full = all(len(cup) == size for cup, size in zip(self.cups, self.sizes, strict=True))
        return set() if full or self.result() else {str(eyes) for eyes in range(6)}

    def happen(self, text: str) -> None:
        cup = next(cup for cup, size in zip(self.cups, self.sizes, strict=True) if len(cup) < size)
        cup.append(int(text) + 1)

    def moves(self) -> set[str]:
        bids = [(count, face) for count in range(1, sum(self.sizes) + 1) for face in range(1, 7)]
        found = {f"bid(count: {count}, face: {face})" for count, face in bids if (count, face) > self.bid}
        return found | {"challenge"} if self.bid > (0, 0) else found

    def play(self, text: str) -> None:
        if text != "challenge":
            count, face = text.removeprefix("bid(count: ").removesuffix(")").split(", face: ")
            self.bid, self.bidder = (int(count), int(face)), self.chooser
            self.chooser = self.left_of(self.chooser)
            return
        dice = sorted(die for cup in self.cups for die in cup)
        is_true = dice.count(self.bid[1]) + dice.count(1) * (self.bid[1] != 1) >= self.bid[0]
        loser = self.chooser if is_true else self.bidder
        self.sizes[loser] -= 1
        self.chooser = loser if self.sizes[loser] else self.left_of(loser)
        self.bid = (0, 0)
        self.cups = [[] for _ in self.cups]

    def left_of(self, player: int) -> int:
        players: list[int] = [*range(player + 1, len(self.sizes)), *range(player + 1)]
        return next(other for other in players if self.sizes[other])

    def result(self) -> str | None:
        alive = [player for player, size in enumerate(self.sizes) if size]
        return f"win {alive[0]}" if len(alive) == 1 else None


class CrazyEights:
    """Cards are numbers: 0 to 12 are the clubs from the ace, then diamonds, hearts and spades."""

    def __init__(self, players: int) -> None:
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.deck = set(range(52))
        self.pile: list[int] = []
        self.to_draw = [*range(players)] * (7 if players == 2 else 5) + [-1]
        """Who gets the next cards; -1 is the pile."""
        self.called = self.chooser = 0
        self.has_drawn = False

    def outcomes(self) -> set[str]:
        while self.to_draw and len(self.deck) == 1:
            self.give(next(iter(self.deck)))
        return {name_of(card) for card in self.deck} if self.to_draw else set()

    def happen(self, text: str) -> None:
        self.give(card_named(text))

    def give(self, card: int) -> None:
        who = self.to_draw.pop(0)
        if who >= 0:
            self.deck.remove(card)
            self.hands[who].append(card)
        elif card % 13 == 7:
            self.to_draw.append(-1)
        else:
            self.deck.remove(card)
            self.pile.append(card)
            self.called = card // 13

    def moves(self) -> set[str]:
        found = set()
        hand = self.hands[self.chooser]
        for card in hand:
            if card % 13 == 7 and len(hand) > 1:
                found |= {f"play(c: {name_of(card)}, s: {suit})" for suit in SUITS}
            elif card % 13 in (7, self.pile[-1] % 13) or card // 13 == self.called:
                found.add(f"play(c: {name_of(card)})")
        if self.has_drawn:
            found.add("stop")
        elif len(self.deck) + len(self.pile) > 1:
            found.add("pick")
        return found

    def play(self, text: str) -> None:
        if text == "pick":
            if not self.deck:
                self.deck, self.pile = set(self.pile[:-1]), self.pile[-1:]
            self.to_draw, self.has_drawn = [self.chooser], True
            return
        if text != "stop":
            first, _, suit = text.removeprefix("play(c: ").removesuffix(")").partition(", s: ")
            card = card_named(first)
            self.hands[self.chooser].remove(card)
            self.pile.append(card)
            self.called = SUITS.index(suit) if suit else card // 13
        self.has_drawn = False
        for _ in self.hands:
            self.chooser = (self.chooser + 1) % len(self.hands)
            if self.moves():
                break

    def result(self) -> str | None:
        if self.to_draw:
            return None
        sizes = [len(hand) for hand in self.hands]
        if min(sizes) and self.moves():
            return None
        return "draw" if sizes.count(min(sizes)) > 1 else f"win {sizes.index(min(sizes))}"


SUITS = ["clubs", "diamonds", "hearts", "spades"]


def name_of(card: int) -> str:
    return f"{SUITS[card // 13]}-{card % 13 + 1}"


def card_named(text: str) -> int:
    suit, rank = text.split("-")
    return 13 * SUITS.index(suit) + int(rank) - 1


TABLES: dict[str, Callable[[int], Table]] = {"liars-dice": LiarsDice, "crazy-eights": CrazyEights}
