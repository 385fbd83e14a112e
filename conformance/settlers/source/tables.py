"""Positions in a few words, and what an action changes in them.

What follows from an action is written out case by case with these changes. They only move pieces and cards;
no rule is asked, and nothing comes from the game that the suite is for.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from conformance.settlers.cases import Case, Option
from ludograph.notation import hsn
from ludograph.notation.formulas import CARD_LETTERS, goods_from_formula
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    Island,
    Must,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Seat,
)
from ludograph.settlers.names import maybe_han_place

Change = Callable[[Position], Position]


# Positions


def seat(
    villages: str, roads: str, hand: str = "", *, cities: str = "", cards: str = "", knights: int = 0
) -> Seat:
    """A player: names of places separated by blanks, a hand and cards as formulas (`B2G`, `kkv`)."""
    return Seat(
        tuple(corner(name) for name in cities.split()),
        tuple(corner(name) for name in villages.split()),
        tuple(side(name) for name in roads.split()),
        goods(hand),
        deck(cards),
        knights,
    )


# Where the players sit, if nothing else is said: two villages each, far from each other, without a harbor.
# Only the third has one, at f5n, for any three of a kind.
def first(hand: str = "", *, roads: str = "d4ne c3ne", cards: str = "", knights: int = 0) -> Seat:
    return seat("d4n c3n", roads, hand, cards=cards, knights=knights)


def second(hand: str = "", *, cards: str = "", knights: int = 0) -> Seat:
    return seat("b6n g1s", "b6ne f2ne", hand, cards=cards, knights=knights)


def third(hand: str = "", *, cards: str = "", knights: int = 0) -> Seat:
    return seat("f5n d7n", "f5nw d7nw", hand, cards=cards, knights=knights)


def fourth(hand: str = "", *, cards: str = "", knights: int = 0) -> Seat:
    return seat("a5n b7n", "b4w b7ne", hand, cards=cards, knights=knights)


def table(
    *seats: Seat,
    current: int = 1,
    rolled: bool = True,
    robber: str = "d4",
    must: Must | None = None,
    bought: str = "",
    longest: int | None = None,
    largest: int | None = None,
    island: Island = BEGINNERS_ISLAND,
    round_number: int = 61,
) -> Position:
    """A position in one of the later rounds; one seat alone gets company."""
    if len(seats) == 1:
        seats = (*seats, second())
    return Position(
        island,
        seats,
        tile(robber),
        Player(largest) if largest is not None else None,
        Player(longest) if longest is not None else None,
        turn=len(seats) * (round_number - 1) + current,
        rolled=rolled,
        must=must,
        bought=deck(bought),
    )


def setup(*seats: Seat, must: str = "VR") -> Position:
    """A position in the set-up."""
    pieces = {"VR": (Piece.VILLAGE, Piece.ROAD), "R": (Piece.ROAD,)}[must]
    return Position(BEGINNERS_ISLAND, seats, tile("d4"), must=MustPlace(pieces))


def goods(formula: str) -> Goods:
    return goods_from_formula(formula)


def deck(letters: str) -> Cards:
    """Development cards by their letters, one for each: `kkv`."""
    return Cards(*(letters.count(letter) for letter in CARD_LETTERS))


def tile(name: str) -> Hex:
    place = maybe_han_place(name)
    assert isinstance(place, Hex), name
    return place


def corner(name: str) -> HexCorner:
    place = maybe_han_place(name)
    assert isinstance(place, HexCorner), name
    return place


def side(name: str) -> HexSide:
    place = maybe_han_place(name)
    assert isinstance(place, HexSide), name
    return place


# Changes


def gains(player: int, formula: str) -> Change:
    """Cards from the bank."""
    return lambda at: at.replace_seat(player, goods=at.seat(player).goods + goods(formula))


def pays(player: int, formula: str) -> Change:
    """Cards to the bank."""
    return lambda at: at.replace_seat(player, goods=at.seat(player).goods - goods(formula))


def gives(giver: int, taker: int, formula: str) -> Change:
    """Cards from hand to hand."""
    return lambda at: gains(taker, formula)(pays(giver, formula)(at))


def village(player: int, name: str) -> Change:
    return lambda at: at.place(player, Piece.VILLAGE, corner(name))


def city(player: int, name: str) -> Change:
    """In the place of a village."""
    return lambda at: at.remove(player, Piece.VILLAGE, corner(name)).place(player, Piece.CITY, corner(name))


def road(player: int, name: str) -> Change:
    return lambda at: at.place(player, Piece.ROAD, side(name))


def robber(name: str) -> Change:
    return lambda at: at.replace(robber=tile(name))


def must_place(*pieces: Piece) -> Change:
    return lambda at: at.replace(must=MustPlace(pieces))


def must_discard(*players: int) -> Change:
    return lambda at: at.replace(must=MustDiscard(tuple(Player(number) for number in players)))


def must_move_robber(at: Position) -> Position:
    return at.replace(must=MustMoveRobber())


def must_steal(at: Position) -> Position:
    return at.replace(must=MustSteal())


def nothing_due(at: Position) -> Position:
    return at.replace(must=None)


def rolled(at: Position) -> Position:
    return at.replace(rolled=True)


def turn_ends(at: Position) -> Position:
    """The next player's turn begins; cards bought in this one can be played from now on."""
    cards = Cards(*map(sum, zip(at.seat(at.current).cards.counts, at.bought.counts, strict=True)))
    ended = at.replace_seat(at.current, cards=cards)
    return ended.replace(turn=at.turn + 1, rolled=False, bought=Cards(), may_place=Pieces())


def buys(letter: str) -> Change:
    """The current player pays for a development card, and this is it."""

    def change(at: Position) -> Position:
        bought = Cards(*map(sum, zip(at.bought.counts, deck(letter).counts, strict=True)))
        return pays(at.current, "GOW")(at).replace(bought=bought)

    return change


def uses(letter: str) -> Change:
    """A development card of the current player is gone; a knight stays on the table."""

    def change(at: Position) -> Position:
        own = at.seat(at.current)
        counts = zip(own.cards.counts, deck(letter).counts, strict=True)
        cards = Cards(*(held - used for held, used in counts))
        return at.replace_seat(at.current, cards=cards, knights=own.knights + (letter == "k"))

    return change


def free_roads(count: int) -> Change:
    return lambda at: at.replace(may_place=Pieces(road=count))


def longest_road(player: int | None) -> Change:
    return lambda at: at.replace(longest_road=Player(player) if player is not None else None)


def largest_army(player: int | None) -> Change:
    return lambda at: at.replace(largest_army=Player(player) if player is not None else None)


# Cases


def legal(
    name: str,
    why: str,
    position: Position,
    actions: str,
    *changes: Change,
    winner: int | None = None,
    rows: tuple[int, ...] = (),
    options: Mapping[str, Option] | None = None,
) -> Case:
    """A legal action (the last of these) and what all of them change."""
    after = position
    for change in changes:
        after = change(after)
    asked = illegal(name, why, position, actions, rows=rows, options=options)
    return replace(asked, legal=True, after=line_of(after), winner=winner)


def illegal(
    name: str,
    why: str,
    position: Position,
    actions: str,
    *,
    rows: tuple[int, ...] = (),
    options: Mapping[str, Option] | None = None,
) -> Case:
    """An action (the last of these) that the rules forbid. The name begins with its row."""
    *before, action = actions.split()
    found = (int(name[:2]), *rows)
    return Case(name, found, why, line_of(position), False, action, tuple(before), options=options)


def line_of(position: Position) -> str:
    """A position in HSN, on one line."""
    return " ".join(hsn.format(position).split())
