"""Pictures of what a player knows: the island, and who has what."""

from ludograph.hexil import Counter, Offer
from ludograph.hexil.pictures import island_picture, seats_picture
from ludograph.settlers import Cards, Player
from tests.games.hexil.tables import goods, seat, table
from tests.places import corner

RICH = seat("d4n", "d4ne", "B2GO", cards=Cards(knight=1, point=2), knights=3)
POOR = seat("b6n", "b6ne e6w", "W", cities="e6n", cards=Cards(monopoly=1))


def test_everybody_has_a_line_and_sees_the_own_hand() -> None:
    game = table(RICH, POOR, largest=1, longest=2, bought=Cards(roads=1))
    assert seats_picture(game.view(1)).plain() == (
        "             points  cards  dev.  knights   left: roads  villages  cities\n"
        "► player 1        3      4     4        3            14         4       4\n"
        "  player 2        5      1     1        0            13         4       3\n"
        "player 1 has the largest army; player 2 has the longest road\n"
        "bank: 17 brick, 18 grain, 19 lumber, 18 ore, 18 wool, 17 dev. cards\n"
        "you hold 2 brick, 1 grain and 1 ore (B2GO); development cards: 1 knight and 2\n"
        "  victory point; bought this turn: 1 road building; with them 5 points\n"
    )


def test_nobody_sees_the_hand_of_another() -> None:
    text = seats_picture(table(RICH, POOR).view(2), unicode=False).plain()
    assert text.isascii()
    assert text.splitlines()[-1] == "you hold 1 wool (W); development cards: 1 monopoly"


def test_empty_hands_and_banks_are_told_in_words() -> None:
    hoard = seat("d4n", "d4ne", "B19G19L19O19W19")
    text = seats_picture(table(hoard, seat()).view(2)).plain()
    assert "bank: no goods, " in text
    assert text.endswith("you hold nothing\n")


def test_the_island_shows_pieces_robber_and_labels() -> None:
    text = island_picture(table(RICH, POOR).view(1), {corner("d2n"): "33"}).plain()
    assert "⌂1" in text
    assert "▲2" in text
    assert "robber" in text
    assert " 33o " in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_view_has_the_offers_on_the_table() -> None:
    game = table(RICH, POOR)
    assert (game.view(2).offer, game.view(2).bid) == (None, None)
    offer = Offer(goods("B"), goods("W"), (Player(2),))
    game.push(offer)
    assert (game.view(2).offer, game.view(1).bid) == (offer, None)
    counter = Counter(Player(2), goods("W"), goods("B2"))
    game.push(counter)
    assert game.view(1).bid == counter


def test_only_who_is_asked_has_actions() -> None:
    game = table(RICH, POOR)
    assert len(game.legal_moves_of(1)) == len(game.legal_moves)
    assert not game.legal_moves_of(2)
