"""Records in every notation become games, and every fault is told with its place."""

from typing import Literal

import pytest

from ludograph.hexil import (
    Accept,
    Agree,
    Counter,
    IllegalAction,
    Match,
    Offer,
    Refuse,
    UnknownValue,
    Unplayable,
    Withdraw,
)
from ludograph.notation import hsn
from ludograph.settlers import Act, BuyCard, Card, Goods, Player, Roll, Trade
from ludograph.text import BadText, Nonsense
from tests.cli.command import text_of
from tests.games.hexil.tables import seat, table

CCN = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


@pytest.mark.parametrize("name", ["game.han", "game.cgn", "game.sgn"])
def test_the_same_game_is_read_in_three_notations(name: str) -> None:
    game = Match.from_record(text_of(name), name[-3:])
    expected = Match.from_record(text_of("game.han"))
    assert game.players == 4
    assert game.position().seats == expected.position().seats
    rolls = [action.total for action in game.action_stack() if isinstance(action, Roll)]
    assert rolls == [8, 11, 7, 6]
    # SGN does not tell that the last turn has ended.
    assert game.phase() == ("build" if name == "game.sgn" else "roll")


def test_a_position_and_a_set_up_are_records_too() -> None:
    assert Match.from_record(text_of("start.hsn")).phase() == "settle"
    assert len(Match.from_record(text_of("setup.ccn")).action_stack()) > 0


@pytest.mark.parametrize(
    "start", [CCN, hsn.format(Match.from_ccn(CCN).position()), Match.from_ccn(CCN).position()]
)
def test_the_start_may_come_from_elsewhere(start: str) -> None:
    game = Match.from_record(f"{SETUP} R(5+6)", "han", start=start)
    assert (game.turn(), game.phase()) == (1, "build")
    assert game.hands(1)[0].ore == 3


def test_the_placements_of_a_start_in_ccn_are_made_first() -> None:
    game = Match.from_record("Pv(b6n) Pr(b6ne)", "han", start=f"{CCN}/V0,-2,3X-3,3")
    assert (len(game.action_stack()), game.turn()) == (4, 2)
    told = Match.from_record(f"{CCN} {SETUP}").to("sgn").text
    lines = "\n".join(told.splitlines()[3:])
    rest = Match.from_record(lines, "sgn", start=Match.from_record(f"{CCN} Pv(d4n) Pr(d4ne)").to("ccn").text)
    assert rest.position() == Match.from_record(f"{CCN} {SETUP}").position()


def test_without_a_start_there_is_no_game() -> None:
    with pytest.raises(Unplayable, match="start position"):
        Match.from_record(SETUP, "han")
    with pytest.raises(Unplayable, match="HSN or CCN"):
        Match.from_record(SETUP, "han", start=SETUP)


def test_bad_text_and_nonsense_are_told_as_the_notation_tells_them() -> None:
    with pytest.raises(BadText):
        Match.from_record(f"{CCN} Pv(d4e)")
    with pytest.raises(Nonsense):
        Match.from_record(f"{CCN} {SETUP} S?0")


def test_an_illegal_action_is_told_with_its_number_its_place_and_the_rule() -> None:
    with pytest.raises(IllegalAction) as caught:
        Match.from_record(f"{CCN}\n{SETUP}\nR(5+6) Bd E")
    error = caught.value
    assert (error.number, error.place, error.action) == (10, "3:8", BuyCard())
    assert str(error).startswith(
        "3:8, action 10: Bd is not legal here: you need 1 grain, 1 ore and 1 wool; you have"
    )
    assert error.refusal.diagnostic is not None


def test_a_lenient_reading_leaves_out_what_the_rules_refuse() -> None:
    game = Match.from_record(f"{CCN}\n{SETUP}\nR(5+6) Bd E R(1+1)", lenient=True)
    assert [type(action).__name__ for action in game.action_stack()[-3:]] == ["Roll", "EndTurn", "Roll"]


def test_what_a_record_leaves_open_is_decided_by_a_seed_or_refused() -> None:
    with pytest.raises(UnknownValue, match=r"1:\d+, action 9: R\? cannot be replayed"):
        Match.from_record(f"{CCN} {SETUP} R?")
    rolled = Match.from_record(f"{CCN} {SETUP} R?", seed=4).action_stack()[-1]
    assert isinstance(rolled, Roll)
    assert isinstance(rolled.value, tuple)


def test_headers_say_how_the_game_differs() -> None:
    text = f'[Event "Here"]\n[Trades "nobody"]\n[Points "3"]\n\n{CCN} {SETUP} R(5+6)'
    game = Match.from_record(text)
    assert game.headers() == (("Event", "Here"), ("Trades", "nobody"), ("Points", "3"))
    assert game.why_not("T(O4)(W)0") is not None
    changed = Match.from_record(text, trades="everyone")
    assert changed.headers() == (("Event", "Here"), ("Points", "3"), ("Trades", "everyone"))
    for header in ('[Points "many"]', '[Friendly "so"]', '[Trades "all"]', '[Points "2"]', '[Deck "x"]'):
        with pytest.raises(Unplayable):
            Match.from_record(f"{header}\n{CCN} {SETUP}")


def test_comments_keep_their_place() -> None:
    text = Match.from_record(f"{CCN} Pv(d4n) # here\nPr(d4ne)\n# there").han()
    assert text.endswith("Pv(d4n)\n# here\nPr(d4ne)\n# there")
    game = Match.from_record(text)
    assert game.copy().han() == text
    game.pop()
    assert game.han().endswith("Pv(d4n)\n# here")


def test_the_winner_is_a_header_as_long_as_somebody_has_won() -> None:
    game = table(seat("d4n b5n", "d4ne", "G2O3"), points=3)
    game.push("Bc")
    game.push("Pc(d4n)")
    assert game.headers()[-1] == ("Result", "1")
    assert Match.from_record(game.han()).winner() == 1
    game.pop()
    assert dict(game.headers()).get("Result") is None
    with pytest.raises(Nonsense, match="player 2 wins here, by the rules nobody"):
        Match.from_record(f'[Result "2"]\n{game.han()}')


# Hidden cards


def test_a_hidden_card_is_what_is_played_later() -> None:
    start = table(seat("d4n", "d4ne", "GOW"), seat("d5s", "d6nw", "GOW"), robber="b4")
    text = f"{start.han()}\n\nBd E R(1+1) Bd E R(1+1) E Uk M(d5) S(O)2"
    with pytest.raises(IllegalAction):
        Match.from_record(text)  # player 2 holds nothing to steal
    game = Match.from_record(text.replace(" S(O)2", "").replace("E Uk", "E R(1+1) E R(1+1) E Uk"))
    bought = [action.card for action in game.action_stack() if isinstance(action, BuyCard)]
    assert bought[1] is Card.KNIGHT
    assert game.han().count("Bd") == 2


def test_a_hidden_card_is_no_point_unless_the_winner_needs_it() -> None:
    start = table(seat("d4n b5n", "d4ne", "GOW"), points=3)
    bought = Match.from_record(f"{start.han()}\n\nBd").action_stack()[-1]
    assert isinstance(bought, BuyCard)
    assert bought.card is not Card.POINT
    won = Match.from_record('[Result "1"]\n' + f"{start.han()}\n\nBd")
    assert won.action_stack()[-1] == BuyCard(Card.POINT)
    assert won.winner() == 1


def test_points_are_dealt_so_that_nobody_wins_too_early() -> None:
    # All knights and other cards are gone: what is bought is a point, and player 1 would win with one.
    start = table(seat("d4n b5n", "d4ne", "GOW"), seat("d5s", "d6nw", "GOW"), points=3)
    deck = '[Deck "Dk1Dv1"]'.replace("Dk1", "Dk").replace("Dv1", "Dv")
    game = Match.from_record(f"{deck}\n{start.han()}\n\nBd E R(1+1) Bd E R(1+1)")
    cards = [action.card for action in game.action_stack() if isinstance(action, BuyCard)]
    assert cards == [Card.KNIGHT, Card.POINT]


# What CGN and SGN tell


def test_sgn_leaves_purchases_and_turn_ends_to_the_rules() -> None:
    game = Match.from_record(text_of("game.sgn"))
    assert [type(a).__name__ for a in game.action_stack()[16:20]] == ["Roll", "Buy", "PlaceRoad", "EndTurn"]


def test_a_player_out_of_turn_is_illegal() -> None:
    lines = text_of("game.sgn").splitlines()
    lines[9] = lines[9].replace('["4"', '["3"', 1)
    with pytest.raises(
        IllegalAction, match=r"10:1, action 9: Pv\(d4n\) by player 3 in the turn of player 4$"
    ):
        Match.from_record("\n".join(lines))


def test_a_turn_that_cannot_end_is_told_to_whoever_goes_on() -> None:
    text = text_of("game.sgn").replace('["3","MR",{"tile":[-2,1]}]\n', "")
    with pytest.raises(IllegalAction, match=r"action 23: S\(L\)4 is not legal here: move the robber first"):
        Match.from_record(text)
    lines = [line for line in text.splitlines() if not line.startswith(('["3","ST"', '["3","BR"'))]
    setup = [line for line in text.splitlines()[:17] if line.startswith('["3","BR"')]
    without_robber = [*text.splitlines()[:17], *lines[17 - len(setup) :]]
    with pytest.raises(IllegalAction, match="by player 4 in the turn of player 3, who cannot end it"):
        Match.from_record("\n".join(without_robber))


@pytest.mark.parametrize(
    ("told", "instead", "message"),
    [
        ('"RP":{"P1":{"L":1},"P2":{"O":1}', '"RP":{"P1":{"L":1},"P2":{"O":1},"P3":{"O":1}', "the bank pays"),
        ('{"TE":"P4"}', '{"LR":"P4"},{"TE":"P4"}', "road goes to player 4 here, by the rules to nobody"),
        ('{"TE":"P4"}', '{"LA":"P1"},{"TE":"P4"}', "largest army goes to player 1"),
        ('{"RE":1}', '{"GO":"P2"}', "player 2 wins here, by the rules nobody"),
        ('{"TE":"P4"}', '{"T":{"P4":{"W":1},"B":{"W":-1}}},{"TE":"P4"}', "no rule transfers these cards"),
        ('"P1":{"B":1,"L":1},"P2":{"G":1,"O":1}', '"P1":{"B":1,"L":1},"P2":{"G":1,"W":1}', "the bank pays"),
    ],
)  # fmt: skip
def test_what_a_record_claims_is_held_against_the_rules(told: str, instead: str, message: str) -> None:
    text = text_of("game.cgn")
    assert text.count(told) == 1
    changed = text.replace(told, instead)
    if "P3" in instead and "RP" in instead:
        changed = changed.replace('"B":{"L":-2,"O":-1}}}', '"B":{"L":-2,"O":-2}}}')
    if '"W":1}' in instead and "P2" in instead:
        bank = '"B":{"B":-3,"G":-1,"L":-2,"O":-1,"W":-1}'
        changed = changed.replace(bank, '"B":{"B":-3,"G":-1,"L":-2,"W":-2}')
    with pytest.raises(Nonsense, match=message) as caught:
        Match.from_record(changed)
    assert caught.value.code == "NT2003"


def test_a_production_may_be_told_player_by_player() -> None:
    text = text_of("game.cgn").replace(
        '{"RP":{"P1":{"L":1},"P2":{"O":1},"P4":{"L":1},"B":{"L":-2,"O":-1}}}',
        '{"RP":{"P1":{"L":1},"B":{"L":-1}}},{"RP":{"P2":{"O":1},"P4":{"L":1},"B":{"L":-1,"O":-1}}}',
    )
    assert text != text_of("game.cgn")
    Match.from_record(text)


# Offers


def test_offers_are_told_in_cgn_and_only_trades_elsewhere() -> None:
    game = table(seat("d4n", "d4ne", "B2"), seat("d5s", "d6nw", "W"), seat("b6n", "b6ne", "O"))
    brick, wool, ore = Goods(brick=1), Goods(wool=1), Goods(ore=1)
    for deal in (
        Offer(brick, wool, (Player(2), Player(3))),
        Withdraw(),
        Offer(brick, wool, (Player(2), Player(3))),
        Refuse(Player(3)),
        Accept(Player(2)),
        Offer(brick, wool, (Player(3),)),
        Counter(Player(3), ore, brick),
        Agree(),
    ):
        game.push(deal)
    text, losses = game.to("cgn")
    codes = [line[2 : line.index('"', 2)] for line in text.splitlines() if line.startswith("{")]
    assert [code for code in codes if code in "OWAT"] == ["O", "W", "O", "A", "T", "O", "O", "A", "T"]
    assert "that player 3 refuses an offer" in [loss.message for loss in losses]
    trades = [Trade(brick, wool, Player(2)), Trade(brick, ore, Player(3))]
    assert game.record.events == tuple(Act(trade) for trade in trades)
    assert game.han().endswith("T(B)(W)2 T(B)(O)3")
    assert any("an offer" in loss.message for loss in game.to("han").losses)


# Hidden cards


@pytest.mark.parametrize(
    ("notation", "dialect", "expected"), [("sgn", "seed", 1), ("han", "2023", 1), ("han", "seed", 0)]
)
def test_a_card_that_was_guessed_is_told_where_it_is_named(
    notation: str, dialect: Literal["seed", "2023"], expected: int
) -> None:
    game = Match.from_record(text_of("game.han"))
    losses = game.to(notation, dialect=dialect).losses
    assert sum("which card was bought (knight)" in loss.message for loss in losses) == expected
    # What the record hides is not lost when it stays hidden.
    assert not any("the card bought (knight)" in loss.message for loss in losses)
    # What is bought here is known.
    twin = game.copy()
    while not isinstance(twin.pop(), BuyCard):
        pass
    twin.push(BuyCard(Card.KNIGHT))
    losses = twin.to(notation, dialect=dialect).losses
    assert not any("which card was bought" in loss.message for loss in losses)
