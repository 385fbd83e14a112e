"""Random complete games with all options, for the laws that hold for every game."""

import re
from collections.abc import Sequence
from itertools import product

from ludograph.hexil import Deal, Match, Options
from ludograph.play import Generator
from ludograph.settlers import Action, Buy, BuyCard, Hex, PlaceCity, PlaceRoad, PlaceVillage, UseKnight
from ludograph.settlers.places import FRAME

# Whoever builds comes to an end; a third of the choices stays free, offers and wasted cards included.
_BUILDING = (Buy, BuyCard, PlaceCity, PlaceRoad, PlaceVillage, UseKnight)

ODD_SHAPE = sum(
    1 << number
    for number, tile in enumerate(FRAME)
    if tile.q > -3 and tile.r > -3 and tile not in (Hex(0, 0), Hex(1, 1))
)
"""Land round two lakes; none in the first row and column, before which HAN has no names for places."""

TABLES: list[tuple[int, Options]] = [
    (players, {**others, **trades})
    for others, trades, players in product(
        (
            Options(),
            Options(points=6, limit=4),
            Options(friendly=True, strict=True),
            Options(beginners=True, points=12, limit=9),
            Options(points=7, shape=ODD_SHAPE),
        ),
        # Without any trade it takes very long to get what one needs.
        (Options(trades="bank_only"), Options(), Options(trades="nobody", points=4)),
        (2, 3, 4),
    )
]
"""Numbers of players and options: every combination comes once in 45 games."""


def table(number: int) -> tuple[int, Options]:
    """One of the tables; neighbours differ in everything."""
    return TABLES[number * 7 % len(TABLES)]


def moves_of_all(game: Match) -> list[Action | Deal]:
    """The listed moves of all who are asked, not only of the first one."""
    return [action for player in game.asked for action in game.legal_moves_of(player)]


def choose(game: Match, chance: Generator) -> Action | Deal:
    actions: Sequence[Action | Deal] = moves_of_all(game)
    building = [action for action in actions if isinstance(action, _BUILDING)]
    if building and chance.below(3):
        actions = building
    return actions[chance.below(len(actions))]


def begin(seed: int, players: int, options: Options) -> tuple[Match, Generator]:
    return Match.new(players, seed, **options), Generator(seed + 1)


def play_on(game: Match, chance: Generator, most: int) -> None:
    """Play at random until somebody wins, or so many actions were done."""
    for _ in range(most):
        if game.winner() is not None:
            return
        game.push(choose(game, chance))


def without_headers(text: str) -> str:
    return re.sub(r'^\[[A-Za-z]+ ".*"\]\n+', "", text, flags=re.MULTILINE)


def with_sums(text: str) -> str:
    """A game in HAN with the sums of the dice only, which is what CGN and SGN tell of them."""
    return re.sub(r"R\((.)\+(.)\)", lambda roll: f"R[{int(roll[1]) + int(roll[2])}]", text)
