"""The talk about trades that CGN tells is played: offers, answers, and the four ways in which they end."""

import pytest

from ludograph.hexil import Accept, Agree, Counter, Decline, IllegalAction, Match, Offer, Refuse, Withdraw
from ludograph.settlers import Buy, EndTurn, Goods, Piece, PlaceRoad, Player, Trade
from tests.games.hexil.tables import seat, table
from tests.places import side

BRICK, WOOL, ORE = Goods(brick=1), Goods(wool=1), Goods(ore=1)
ALL, FIRST, SECOND, THIRD = (Player(2), Player(3)), Player(1), Player(2), Player(3)

# Player 1 would give a brick for wool, to both others.
OFFER = '{"O":{"P1":{"B":-1,"W":1},"?":{"P2":{"B":1,"W":-1},"P3":{"B":1,"W":-1}},"UUID":"a"}}'
# Player 3 would rather give ore for the brick.
COUNTER = '{"O":{"P3":{"B":1,"O":-1},"P1":{"B":-1,"O":1},"UUID":"b"}}'
TRADE = '{"T":{"P1":{"B":-1,"W":1},"P2":{"B":1,"W":-1},"UUID":"a"}}'
OTHER_TRADE = '{"T":{"P1":{"B":-1,"O":1},"P3":{"B":1,"O":-1},"UUID":"b"}}'
ROAD = (
    '{"B":{"P1":{"R":1,"B":-1,"L":-1},"B":{"R":-1,"B":1,"L":1}}},{"D":{"P1":{"R":[[32,33,37],[33,34,37]]}}}'
)
BUILT = (Buy(Piece.ROAD), PlaceRoad(side("e4w")))


def read(*messages: str, lenient: bool = False) -> Match:
    """A game that begins at a table where all hold something, read from CGN."""
    start = table(seat("d4n", "d4ne", "B3L"), seat("d5s", "d6nw", "W2"), seat("b6n", "b6ne", "O")).position()
    told = ",".join(('{"PS":"Play"}', '{"TS":"P1"}', *messages))
    return Match.from_record(f"[{told}]", "cgn", start=start, lenient=lenient)


@pytest.mark.parametrize(
    "messages, expected",
    [
        ((OFFER,), (Offer(BRICK, WOOL, ALL),)),
        # Accepted: the first who does gets it.
        ((OFFER, '{"A":{"P2":{"UUID":"a"}}}', TRADE), (Offer(BRICK, WOOL, ALL), Accept(SECOND))),
        ((OFFER, '{"W":{"P1":{"UUID":"a"}}}'), (Offer(BRICK, WOOL, ALL), Withdraw())),
        # Another offer takes its place.
        ((OFFER, OFFER.replace('"a"', '"c"')), (Offer(BRICK, WOOL, ALL), Offer(BRICK, WOOL, ALL))),
        ((OFFER, '{"TE":"P1"}'), (Offer(BRICK, WOOL, ALL), EndTurn())),
        # In answer to an offer.
        ((OFFER, COUNTER), (Offer(BRICK, WOOL, ALL), Counter(THIRD, ORE, BRICK))),
        (
            (OFFER, COUNTER, '{"A":{"P1":{"UUID":"b"}}}', OTHER_TRADE),
            (Offer(BRICK, WOOL, ALL), Counter(THIRD, ORE, BRICK), Agree()),
        ),
        # Whoever does not take it, declines; another accepts the first offer.
        (
            (OFFER, COUNTER, '{"A":{"P2":{"UUID":"a"}}}', TRADE),
            (Offer(BRICK, WOOL, ALL), Counter(THIRD, ORE, BRICK), Decline(), Accept(SECOND)),
        ),
        (
            (OFFER, COUNTER, '{"W":{"P3":{"UUID":"b"}}}'),
            (Offer(BRICK, WOOL, ALL), Counter(THIRD, ORE, BRICK), Decline()),
        ),
    ],
)  # fmt: skip
def test_offers_are_played(messages: tuple[str, ...], expected: tuple[object, ...]) -> None:
    game = read(*messages)
    assert game.action_stack() == expected
    # What was read is told again as it was.
    again = [line.rstrip(",") for line in game.to("cgn").text.splitlines() if line[:5] in ('{"O":', '{"A":')]
    assert len(again) == sum(message[:5] in ('{"O":', '{"A":') for message in messages)


def test_who_says_nothing_has_refused_when_the_game_goes_on() -> None:
    refused = (Offer(BRICK, WOOL, ALL), Refuse(SECOND), Refuse(THIRD))
    assert read(OFFER, ROAD).action_stack() == (*refused, *BUILT)
    game = read(OFFER, COUNTER, ROAD)
    answered = (Offer(BRICK, WOOL, ALL), Counter(THIRD, ORE, BRICK), Decline(), Refuse(SECOND))
    assert game.action_stack() == (*answered, *BUILT)


def test_an_offer_that_is_accepted_late_is_a_trade_like_any_other() -> None:
    game = read(OFFER, ROAD, '{"A":{"P2":{"UUID":"a"}}}', TRADE)
    assert game.action_stack()[-1] == Trade(BRICK, WOOL, SECOND)
    codes = [line[2] for line in game.to("cgn").text.splitlines() if line[2:4] in ('O"', 'A"', 'T"')]
    assert codes == ["O", "A", "T"]


def test_an_acceptance_without_the_trade_moves_no_cards() -> None:
    game = read(OFFER, '{"A":{"P2":{"UUID":"a"}}}', ROAD)
    assert game.hands(2)[0] == Goods(wool=2)
    assert Accept(SECOND) not in game.action_stack()


def test_an_offer_of_somebody_else_is_only_talk() -> None:
    game = read(COUNTER, OFFER.replace("P2", "P4").replace("P1", "P2").replace("P4", "P1"))
    assert game.action_stack() == ()
    assert game.to("cgn").text.count('{"O":') == 2


def test_an_offer_of_what_nobody_has_is_illegal() -> None:
    offer = OFFER.replace('"B"', '"G"')
    with pytest.raises(IllegalAction, match=r"1:29: offer G for W to 2 3 is not legal here: "):
        read(offer)
    assert read(offer, ROAD, lenient=True).action_stack() == BUILT


def test_a_trade_that_its_accepter_cannot_pay_is_illegal() -> None:
    offer = OFFER.replace('"W":1', '"W":3').replace('"W":-1', '"W":-3')
    trade = TRADE.replace('"W":1', '"W":3').replace('"W":-1', '"W":-3')
    with pytest.raises(IllegalAction, match="player 2 does not have the cards"):
        read(offer, '{"A":{"P2":{"UUID":"a"}}}', trade)


def test_offers_keep_the_names_of_the_record() -> None:
    one_asked = '{"O":{"P1":{"B":-1,"O":1},"?":{"P3":{"B":1,"O":-1}},"UUID":"1"}}'
    messages = (OFFER, COUNTER, '{"A":{"P1":{"UUID":"b"}}}', OTHER_TRADE, one_asked)
    game = read(*messages)
    told = game.to("cgn").text
    for message in messages:
        assert message in told.splitlines() or f"{message}," in told.splitlines()
    # Offers that are made from here on have names that no other has.
    game.push(Withdraw())
    game.push(Offer(BRICK, WOOL, (SECOND,)))
    assert '"UUID":"2"' in game.to("cgn").text
    for _ in range(3):
        game.pop()
    game.push(Offer(BRICK, WOOL, (SECOND,)))
    assert '"UUID":"1"' in game.to("cgn").text
