"""Hexil in the middle of a game: seats written in a few words, on the beginner's island."""

from typing import Unpack

from ludograph.hexil import Deal, Facts, IllegalAction, Match, Options
from ludograph.notation.formulas import goods_from_formula
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Action,
    Cards,
    Goods,
    Island,
    Must,
    Pieces,
    Player,
    Position,
    Seat,
)
from tests.places import corner, side, tile


def goods(formula: str) -> Goods:
    return goods_from_formula(formula)


def seat(
    villages: str = "",
    roads: str = "",
    hand: str = "",
    *,
    cities: str = "",
    cards: Cards | None = None,
    knights: int = 0,
) -> Seat:
    """A player: names of places separated by blanks, a hand as a formula."""
    return Seat(
        tuple(corner(name) for name in cities.split()),
        tuple(corner(name) for name in villages.split()),
        tuple(side(name) for name in roads.split()),
        goods(hand),
        cards or Cards(),
        knights,
    )


def table(
    *seats: Seat,
    current: int = 1,
    rolled: bool = True,
    robber: str = "d4",
    must: Must | None = None,
    bought: Cards | None = None,
    free_roads: int = 0,
    longest: int | None = None,
    largest: int | None = None,
    facts: Facts | None = None,
    island: Island = BEGINNERS_ISLAND,
    acting: int | None = None,
    **options: Unpack[Options],
) -> Match:
    """A game in one of its later turns; with one seat, a second one sits far away in the corner."""
    if len(seats) == 1:
        seats = (*seats, seat("b6n", "b6ne"))
    position = Position(
        island,
        seats,
        tile(robber),
        Player(largest) if largest is not None else None,
        Player(longest) if longest is not None else None,
        turn=len(seats) * 20 + current,
        rolled=rolled,
        must=must,
        bought=bought or Cards(),
        may_place=Pieces(road=free_roads),
        acting=Player(acting) if acting is not None else None,
    )
    return Match.from_position(position, seed=1, facts=facts, lenient=True, **options)


def play(game: Match, actions: str) -> Match:
    """Push actions, written in HAN and separated by blanks."""
    for action in actions.split():
        game.push(action)
    return game


def refusal(game: Match, action: Action | Deal | str) -> str:
    """Why an action is not legal; the game stays as it is."""
    before = game.position()
    try:
        game.push(action)
    except IllegalAction as error:
        assert game.position() == before
        return str(error.refusal)
    raise AssertionError(f"{action} is legal here")


def hand(game: Match, player: int) -> Goods:
    return game.hands(player)[0]
