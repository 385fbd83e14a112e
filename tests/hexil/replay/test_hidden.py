"""Cards that a record hides: known from what is played later, dealt otherwise."""

from ludograph.hexil.replay.hidden import HiddenCards, find_hidden
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Act,
    BuyCard,
    Card,
    Cards,
    EndTurn,
    Event,
    Player,
    Resource,
    UseKnight,
    UseMonopoly,
    fresh_position,
)
from ludograph.settlers.record import CardPlayed

P1, P2 = Player(1), Player(2)
START = fresh_position(BEGINNERS_ISLAND, 2)
DECK = Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2)
BUY, END = Act(BuyCard(), P1), Act(EndTurn(), P1)
KNIGHT = Act(UseKnight(), P1)


def hidden(*events: Event, deck: Cards = DECK) -> HiddenCards:
    return find_hidden(events, START, deck)


def test_what_is_played_was_bought_in_an_earlier_turn() -> None:
    found = hidden(BUY, END, BUY, Act(UseMonopoly(Resource.ORE), P1), END, KNIGHT)
    assert found.known == {0: Card.MONOPOLY, 2: Card.KNIGHT}
    assert found.open == {P1: (), P2: ()}
    assert found.deck[Card.KNIGHT] == 13


def test_cards_that_are_known_are_played_first() -> None:
    known = Act(BuyCard(Card.KNIGHT), P1)
    assert hidden(BUY, known, END, KNIGHT).known == {}
    assert hidden(BUY, known, END, KNIGHT, END, KNIGHT).known == {0: Card.KNIGHT}
    start = START.replace_seat(1, cards=Cards(knight=1))
    assert find_hidden((BUY, END, KNIGHT), start, DECK).known == {}


def test_a_card_is_not_played_in_the_turn_it_was_bought_nor_by_another() -> None:
    assert hidden(BUY, KNIGHT).known == {}
    assert hidden(BUY, END, Act(UseKnight(), P2)).known == {}


def test_shown_points_were_bought_last_and_may_be_fresh() -> None:
    found = hidden(BUY, END, BUY, CardPlayed(Card.POINT, P1))
    assert found.known == {2: Card.POINT}
    assert found.points[P1] == 1


def test_a_monopoly_without_its_haul_is_a_card_all_the_same() -> None:
    assert hidden(BUY, END, CardPlayed(Card.MONOPOLY, P1)).known == {0: Card.MONOPOLY}


def test_open_purchases_are_no_points_as_long_as_there_are_others() -> None:
    found = hidden(BUY, BUY, BUY, deck=Cards(roads=2, point=5))
    assert sorted(card.value for card in found.assign(None).values()) == ["point", "roads", "roads"]
    assert found.assign(None)[2] is Card.POINT


def test_the_winner_gets_the_points_that_are_missing_and_not_before() -> None:
    found = hidden(BUY, BUY, BUY)
    course = {P1: [(0, 7), (1, 7), (2, 8)]}
    assert found.assign_for_winner(course, 10, P1) == {0: Card.KNIGHT, 1: Card.POINT, 2: Card.POINT}
    assert Card.POINT not in found.assign_for_winner(course, 10, None).values()
    assert Card.POINT not in found.assign_for_winner(course, 10, P2).values()


def test_points_that_must_be_somewhere_are_where_they_win_nothing() -> None:
    found = hidden(BUY, Act(BuyCard(), P2), deck=Cards(knight=1, point=1))
    course = {P1: [(0, 9), (1, 9)], P2: [(1, 3)]}
    assert found.assign_for_winner(course, 10, None) == {0: Card.KNIGHT, 1: Card.POINT}
    # A player may have had many points before the card was bought.
    course = {P1: [(-1, 9), (0, 5)], P2: [(1, 9)]}
    assert found.assign_for_winner(course, 10, None) == {0: Card.POINT, 1: Card.KNIGHT}


def test_more_cards_than_the_deck_has_stay_unknown() -> None:
    assert hidden(BUY, BUY, deck=Cards(knight=1)).assign(None) == {0: Card.KNIGHT}


def test_points_that_the_winner_does_not_show_are_with_the_others() -> None:
    found = hidden(BUY, Act(BuyCard(), P2), deck=Cards(roads=1, point=5))
    assert found.assign(P1) == {0: Card.ROADS, 1: Card.POINT}
    assert found.assign(P2) == {0: Card.POINT, 1: Card.ROADS}
