"""Random complete games with all options, for the laws that hold for every game."""

import re
from collections.abc import Sequence
from itertools import product

from ludograph.hexil import Deal, Game, Options
from ludograph.play import Generator
from ludograph.settlers import Action, Buy, BuyCard, PlaceCity, PlaceRoad, PlaceVillage, UseKnight

# Whoever builds comes to an end; a third of the choices stays free, offers and wasted cards included.
_BUILDING = (Buy, BuyCard, PlaceCity, PlaceRoad, PlaceVillage, UseKnight)

TABLES: list[tuple[int, Options]] = [
    (players, {**trades, **others})
    for others, trades, players in product(
        (
            Options(),
            Options(points=6, limit=4),
            Options(friendly=True, strict=True),
            Options(beginners=True, points=12, limit=9),
        ),
        (Options(trades="bank_only"), Options(), Options(trades="nobody")),
        (2, 3, 4),
    )
]
"""Numbers of players and options: every combination comes once."""


def table(number: int) -> tuple[int, Options]:
    """One of the tables; neighbours differ in everything."""
    return TABLES[number * 7 % len(TABLES)]


def choose(game: Game, chance: Generator) -> Action | Deal:
    actions: Sequence[Action | Deal] = list(game.legal_actions)
    building = [action for action in actions if isinstance(action, _BUILDING)]
    if building and chance.below(3):
        actions = building
    return actions[chance.below(len(actions))]


def begin(seed: int, players: int, options: Options) -> tuple[Game, Generator]:
    return Game.new(players, seed, **options), Generator(seed + 1)


def play_on(game: Game, chance: Generator, most: int) -> None:
    """Play at random until somebody wins, or so many actions were done."""
    for _ in range(most):
        if game.winner is not None:
            return
        game.push(choose(game, chance))


def without_headers(text: str) -> str:
    return re.sub(r'^\[[A-Za-z]+ ".*"\]\n+', "", text, flags=re.MULTILINE)


def with_sums(text: str) -> str:
    """A game in HAN with the sums of the dice only, which is what CGN and SGN tell of them."""
    return re.sub(r"R\((.)\+(.)\)", lambda roll: f"R[{int(roll[1]) + int(roll[2])}]", text)
