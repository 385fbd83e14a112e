"""What people at a table type: HAN for actions, plain words for deals."""

import pytest

from ludograph.hexil import Accept, Agree, Counter, Decline, Match, Offer, Refuse, Withdraw
from ludograph.hexil.errors import format_action
from ludograph.hexil.text_commands import BadCommand, describe_command, parse_command
from ludograph.notation import han
from ludograph.settlers import BuyCard, Card, Discard, EndTurn, Goods, Player, Resource, Roll, Steal, Trade
from ludograph.text import TextError

ONE, TWO, THREE = Player(1), Player(2), Player(3)
GRAIN, ORE = Goods(grain=2), Goods(ore=1)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("offer G2 for O", Offer(GRAIN, ORE, (TWO, THREE))),
        ("offer g2 for o", Offer(GRAIN, ORE, (TWO, THREE))),
        ("roll", Roll()),
        ("end", EndTurn()),
        ("offer G2 for O to 3", Offer(GRAIN, ORE, (THREE,))),
        ("offer  GG for O to 3, 2", Offer(GRAIN, ORE, (THREE, TWO))),
        ("T(G2)(O)2", Offer(GRAIN, ORE, (TWO,))),
        ("T(G2)(O)0", Trade(GRAIN, ORE, Player(0))),
        ("counter O for G2", Counter(ONE, ORE, GRAIN)),
        ("discard G2", Discard(ONE, GRAIN)),
        ("1D(G2)", Discard(ONE, GRAIN)),
        ("accept", Accept(ONE)),
        ("refuse", Refuse(ONE)),
        ("agree", Agree()),
        ("decline", Decline()),
        ("withdraw", Withdraw()),
        ("R?", Roll()),
        ("S?2", Steal(TWO)),
        ("Bd", BuyCard()),
        ("Pv(d4n)", han.parse("Pv(d4n)")),
    ],
)
def test_words_mean_an_action_or_a_deal(text: str, meant: object) -> None:
    assert parse_command(text, ONE, 3) == meant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("offer", "an offer looks like `offer B2 for G`"),
        ("offer X for G", "an offer looks like"),
        ("offer G for O to me", "an offer looks like"),
        ("counter O", "what you give and what you take"),
        ("discard", "name the cards"),
        ("R(3+4)", "type R?"),
        ("S(W)2", "type S?2"),
        ("BDk", "type Bd"),
        ("r?", "HAN has a capital letter there: type R?"),
        ("bv", "type Bv"),
    ],
)
def test_what_nobody_can_say_tells_what_to_type(text: str, message: str) -> None:
    with pytest.raises(BadCommand, match=message.replace("?", r"\?")):
        parse_command(text, ONE, 3)


@pytest.mark.parametrize("text", ["", "foo", "agree now", "Pv(d4e)", "S?9", "accept it"])
def test_anything_else_is_read_as_han(text: str) -> None:
    with pytest.raises(TextError):
        parse_command(text, ONE, 3)


def test_words_of_legal_actions_read_back_as_the_same() -> None:
    game = Match.new(players=3, seed=7)
    for choice in range(150):
        actions = game.legal_moves_of(game.asked[0])
        for action in actions:
            assert parse_command(format_action(action), game.asked[0], 3) == action
        game.push(actions[choice * 7 % len(actions)])
        if game.result is not None:
            break


def test_what_happened_is_told_in_sentences() -> None:
    told = [
        describe_command(Offer(GRAIN, ORE, (TWO, THREE)), ONE, 3),
        describe_command(Offer(GRAIN, ORE, (TWO,)), ONE, 3),
        describe_command(Counter(TWO, ORE, GRAIN), TWO, 3),
        describe_command(Accept(TWO), TWO, 3),
        describe_command(Steal(TWO, Resource.WOOL), ONE, 3),
        describe_command(BuyCard(Card.KNIGHT), ONE, 3),
    ]
    assert told == [
        "player 1 offers 2 grain for 1 ore to everyone",
        "player 1 offers 2 grain for 1 ore to player 2",
        "player 2 answers with another offer: 1 ore for 2 grain",
        "player 2 accepts",
        "player 1 steals wool from player 2",
        "player 1 buys a development card: knight",
    ]
