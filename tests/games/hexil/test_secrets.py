"""Hexil: what each player knows (row 38 of the rules)."""

from ludograph.settlers import BuyCard, Card, Cards, MustSteal, Player, Resource, Steal
from tests.games.hexil.tables import goods, seat, table


def test_row_38_card_counts_are_public_and_cards_are_secret() -> None:
    game = table(
        seat("d4n", "d4ne", "B2", cards=Cards(knight=1), knights=2),
        seat("b6n", "b6ne", "O2W", cards=Cards(point=2)),
        bought=Cards(plenty=1),
    )
    seen = game.view(1)
    own, other = seen.seats
    assert (own.goods, own.cards, own.bought) == (goods("B2"), Cards(knight=1), Cards(plenty=1))
    assert (other.goods, other.cards, other.bought) == (None, None, None)
    assert (other.held, other.unplayed, other.points) == (3, 2, 1)
    from_there = game.view(2).seats[0]
    assert (from_there.goods, from_there.cards, from_there.bought) == (None, None, None)
    assert (from_there.held, from_there.unplayed, from_there.knights) == (2, 2, 2)
    # 14 + 2 + 2 + 5 + 2 cards, four of them held and two knights played.
    assert seen.cards_left == 19


def test_row_38_only_thief_and_victim_know_a_stolen_card() -> None:
    game = table(
        seat("d4n", "d4ne"), seat("e4s", "e4w", "BO2"), seat("b6n", "b6ne"), robber="d5", must=MustSteal()
    )
    game.push("S(O)2")
    stolen = Steal(Player(2), Resource.ORE)
    assert game.view(1).actions == (stolen,)
    assert game.view(2).actions == (stolen,)
    assert game.view(3).actions == (Steal(Player(2)),)
    texts = [game._executor.state.view(player)["moves"] for player in range(3)]
    assert ["ore" in str(text) for text in texts] == [True, True, False]


def test_row_38_only_the_buyer_knows_a_bought_card() -> None:
    game = table(seat("d4n", "d4ne", "GOW"))
    game.push(BuyCard(Card.MONOPOLY))
    assert game.view(1).actions == (BuyCard(Card.MONOPOLY),)
    assert game.view(2).actions == (BuyCard(),)
    texts = [game._executor.state.view(player)["moves"] for player in range(2)]
    assert ["monopoly" in str(text) for text in texts] == [True, False]


def test_row_38_the_deck_is_seen_by_nobody() -> None:
    game = table(seat("d4n", "d4ne"))
    for player in range(2):
        things = game._executor.state.view(player)["things"]
        assert isinstance(things, dict)
        assert "deck" not in things["table"]
        assert ["hand" in things[f"seat#{number}"] for number in (1, 2)] == [player == 0, player == 1]


def test_everybody_knows_the_turn_and_who_has_won() -> None:
    game = table(seat("d4n b5n", "d4ne", "GOW", cards=Cards(roads=1)), seat("b6n", "b6ne"), points=3)
    seen = game.view(2)
    assert (seen.turn_number, seen.rolled, seen.card_played, seen.winner) == (41, True, False, None)
    game.push("Uo")
    assert (game.view(2).card_played, game.view(2).free_roads) == (True, 2)
    game.push(BuyCard(Card.POINT))
    assert [(game.view(player).winner, game.view(player).seats[0].points) for player in (1, 2)] == [
        (1, 3)
    ] * 2
