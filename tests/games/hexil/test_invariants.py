"""Hexil: what must hold after every action of random games, checked by other means than the rules."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from ludograph.hexil import Deal, Match, Options
from ludograph.notation import hsn
from ludograph.play import Generator
from ludograph.settlers import (
    Action,
    Buy,
    BuyCard,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
    Roll,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from tests.games.hexil.expectations import expected_army, expected_holder, expected_points, income
from tests.hexil.random_games import moves_of_all

# Offers end turns late; builders show more of the rules in the same time.
BUILDING = (Buy, BuyCard, PlaceCity, PlaceRoad, PlaceVillage, UseKnight, UseMonopoly, UsePlenty, UseRoads)
SCORING = (BuyCard, PlaceCity, PlaceRoad, PlaceVillage, UseKnight)
CARDS = (UseMonopoly, UsePlenty, UseRoads)


def check(game: Match, before: Position, spent: Counter[type], done: Action | Deal) -> Position:
    position = game.position()
    instances = _things(game)
    # Cards: 19 of each kind in the bank and the hands, 25 development cards somewhere.
    stock = instances["table"]["stock"]
    hands = [seat.goods.counts for seat in position.seats]
    assert [sum(kind) for kind in zip(stock, *hands, strict=True)] == [19] * 5
    assert min(stock) >= 0 and all(min(hand) >= 0 for hand in hands)
    deck = game.facts().deck
    assert deck is not None
    held = sum(seat.cards.total + seat.knights for seat in position.seats) + position.bought.total
    assert deck.total + held + sum(spent.values()) == 25
    # Pieces: 5, 4 and 15 of each player.
    for number, seat in enumerate(position.seats, 1):
        left = instances[f"seat#{number}"]
        placed = (len(seat.villages), len(seat.cities), len(seat.roads))
        assert [a + left[b] for a, b in zip(placed, ("villages", "cities", "streets"), strict=True)] == [
            5,
            4,
            15,
        ]
    # Whatever the data alone can show to be impossible: distances, connections, hands, duties, awards.
    assert position.findings() == ()
    if not position.in_setup:
        assert position.longest_road == expected_holder(position, before.longest_road)
    assert position.largest_army == expected_army(position, before.largest_army)
    assert not any(thing.get("walked") for thing in instances.values())
    players = [Player(number) for number in range(1, position.players + 1)]
    points = [expected_points(position, player) for player in players]
    assert game.winner() == (game.turn() if points[game.turn() - 1] >= 10 else None)
    if isinstance(done, SCORING):
        assert list(game.scores()) == points
    if isinstance(done, Roll) and isinstance(done.value, tuple) and sum(done.value) != 7:
        paid = income(before, sum(done.value))
        assert [seat.goods for seat in position.seats] == [
            seat.goods + paid[player] for player, seat in zip(players, before.seats, strict=True)
        ]
    assert hsn.parse(game.hsn()) == position
    return position


def _things(game: Match) -> dict[str, dict[str, Any]]:
    """All that the rules hold, as data."""
    found = game.state().to_json()["instances"]
    assert isinstance(found, dict)
    return found


def pick(game: Match, chance: Generator) -> Action | Deal:
    actions: Sequence[Action | Deal] = moves_of_all(game)
    busy = [action for action in actions if isinstance(action, BUILDING)]
    if busy and chance.below(3):
        actions = busy
    return actions[chance.below(len(actions))]


def run(players: int, seed: int, limit: int, options: Options) -> Match:
    game = Match.new(players, seed, **options)
    chance = Generator(seed + 1)
    position, spent = game.position(), Counter[type]()
    for _ in range(limit):
        if game.winner() is not None:
            break
        done = game.push(pick(game, chance))
        if isinstance(done, CARDS):
            spent[type(done)] += 1
        position = check(game, position, spent, done)
    return game


@pytest.mark.parametrize("players, seed", [(2, 1), (3, 2), (4, 3)])
def test_nothing_is_lost_and_no_rule_of_the_data_is_broken(players: int, seed: int) -> None:
    run(players, seed, 110, {"trades": "bank_only"})


def test_trading_loses_nothing_either() -> None:
    game = run(3, 4, 100, {})
    assert any(isinstance(action, Deal) for action in game.action_stack())


def test_taking_everything_back_leads_back() -> None:
    game = Match.new(3, 9, trades="bank_only")
    chance = Generator(1)
    seen = [game.hsn()]
    for _ in range(80):
        game.push(pick(game, chance))
        seen.append(game.hsn())
    for _, before in pairwise(reversed(seen)):
        game.pop()
        assert game.hsn() == before
    assert game.action_stack() == ()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whole_games_keep_to_the_rules(seed: int) -> None:
    options: list[Options] = [{"trades": "bank_only"}, {}, {"friendly": True}, {"limit": 9, "strict": True}]
    game = run(2 + seed % 3, seed, 20_000, options[seed % 4])
    assert game.winner() is not None
