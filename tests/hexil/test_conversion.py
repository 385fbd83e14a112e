"""Conversion with the rules: what they add, and what is reported if they cannot play the record."""

import re

import pytest

from ludograph.hexil import IllegalAction, Match, UnknownValue, Unplayable, convert
from ludograph.notation import convert as conversion
from ludograph.notation import hsn
from ludograph.notation.results import Loss, LossKind
from ludograph.play import Generator
from ludograph.settlers import EndTurn
from ludograph.text import Nonsense
from tests.cli.command import text_of
from tests.games.hexil.tables import seat, table
from tests.hexil.random_games import play_on

CCN = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


def lines(text: str, *codes: str) -> list[str]:
    return [line.rstrip(",") for line in text.splitlines() if line[2 : line.find('"', 2)] in codes]


def test_cgn_gets_the_production_of_set_up_and_rolls() -> None:
    text, losses = convert(text_of("game.han"), "han", "cgn")
    assert lines(text, "RP") == lines(text_of("game.cgn"), "RP")
    assert {loss.kind for loss in losses} == {LossKind.LOST}
    assert text.index('"RP"') < text.index('{"PE":"Deployment"}')


def test_cgn_gets_awards_hauls_and_the_winner_with_the_cards_shown() -> None:
    start = table(
        seat("d4n b5n", "d4ne", "G4O4W2", knights=2),
        seat("d5s", "d6nw", "W3"),
        points=6,
    )
    text = f"{start.han()}\n\nBd Bd E R(1+1) E R(1+1) Uk M(d5) S(W)2 E R(1+1) E R(1+1) Um(W)"
    told, _ = convert(text, "han", "cgn")
    assert lines(told, "LA") == ['{"LA":"P1"}']
    haul = '{"T":{"P1":{"W":2},"P2":{"W":-2}}}'
    assert told.splitlines()[-2:] == [haul, "]"]
    won = table(seat("d4n b5n", "d4ne", "GOW"), points=3).han()
    told, _ = convert(f'[Result "1"]\n{won}\n\nBd', "han", "cgn")
    assert told.splitlines()[-3:] == ['{"P":{"P1":"VP"}},', '{"GO":"P1"}', "]"]


# The second round: player 2 gets the only wool from player 4, then shows by a monopoly that there is no more.
MONOPOLY = """,{"TS":"P1"},{"R":{"P1":8}},{"TE":"P1"},{"TS":"P2"},{"R":{"P2":6}},
{"T":{"P2":{"O":-1,"W":1},"P4":{"O":1,"W":-1}}},{"P":{"P2":"MO"}},{"TE":"P2"}]"""


def test_a_monopoly_that_took_nothing_comes_back_with_a_kind_that_nobody_holds() -> None:
    text = text_of("game.cgn").rstrip("]\n") + MONOPOLY
    game = Match.from_record(text)
    told, losses = convert(text, "cgn", "han", dialect="2023")
    (played,) = (word for word in told.split() if word.startswith("UDm"))
    kind = {"B": "brick", "G": "grain", "L": "lumber", "O": "ore", "W": "wool"}[played[-1]]
    others = [seat.goods for number, seat in enumerate(game.position().seats, 1) if number != 2]
    assert all(getattr(goods, kind) == 0 for goods in others)
    message = f"{kind}, for a monopoly that took nothing"
    assert [loss.kind for loss in losses if loss.message == message] == [LossKind.INVENTED]
    again, losses = convert(told, "han", "cgn")
    assert f"the resource of a monopoly that took nothing ({kind})" in [loss.message for loss in losses]
    assert '{"P":{"P2":"MO"}}' in again


def test_a_position_is_what_a_whole_game_leads_to() -> None:
    text, losses = convert(text_of("game.sgn"), "sgn", "hsn")
    assert hsn.parse(text) == Match.from_record(text_of("game.sgn")).position()
    assert losses == ()
    _, losses = convert(text_of("game.han"), "han", "hsn")
    assert [loss.message for loss in losses] == ["the header 'Event'", "a comment", "a comment"]


def test_sgn_names_hidden_cards_as_they_can_have_been() -> None:
    text, losses = convert(text_of("game.han"), "han", "sgn")
    assert '["2","BD",{"cCode":"KN"}]' in text
    invented = [loss for loss in losses if loss.kind is LossKind.INVENTED]
    assert [(loss.event, "knight" in loss.message) for loss in invented] == [(24, True)]


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        (f"{CCN} {SETUP} R(1+1) R(1+1)", IllegalAction, "R(1+1) is not legal here: "),
        (f"{CCN} {SETUP} R?", UnknownValue, "R? cannot be replayed"),
        (f'[Points "2"]\n{CCN} {SETUP} R(1+1)', Unplayable, "points"),
        (f'[Trades "some"]\n{CCN} {SETUP} R(1+1)', Unplayable, "the header Trades"),
    ],
)
def test_a_game_that_the_rules_refuse_is_not_converted(
    text: str, error: type[ValueError], reason: str
) -> None:
    with pytest.raises(error, match=re.escape(reason)):
        convert(text, "han", "sgn")


def test_lenient_conversion_leaves_refused_actions_out() -> None:
    written, losses = convert(f"{CCN} {SETUP} R(1+1) R(1+1) E", "han", "cgn", lenient=True)
    assert written == convert(f"{CCN} {SETUP} R(1+1) E", "han", "cgn").text
    assert losses[0].kind is LossKind.LOST
    assert losses[0].message.startswith("R(1+1) is not legal here: ")


def test_a_record_that_the_rules_cannot_check_is_refused_unless_lenient() -> None:
    text = '["1","RD",{"result":7}]'
    with pytest.raises(Unplayable, match="neither a start position nor a map"):
        convert(text, "sgn", "han")
    unchecked, losses = conversion.convert(text, "sgn", "han")
    written, reported = convert(text, "sgn", "han", lenient=True)
    assert written == unchecked
    assert reported[0].kind is LossKind.MISSING and "the check by the rules" in reported[0].message
    assert reported[1:] == losses


def test_without_actions_the_rules_are_not_asked() -> None:
    assert convert(text_of("start.ccn"), "ccn", "hsn") == (text_of("start.hsn").rstrip("\n"), ())
    assert convert("Uk M(d4)", "han", "han", dialect="2023").text == "UDk Md4"
    with pytest.raises(ValueError, match="not a dialect"):
        convert("E", "han", "han", dialect="1999")  # type: ignore[arg-type]


def test_the_winner_is_told_again_by_the_rules() -> None:
    game = Match.from_record(table(seat("d4n b5n", "d4ne", "G2O3"), points=3).han())
    game.push("Bc")
    game.push("Pc(d4n)")
    text, losses = convert(game.han(), "han", "sgn")
    assert Loss(LossKind.LOST, "the header 'Result'") not in losses
    assert text.startswith('# [Points "3"]\n')
    assert '"BC"' in text


def test_a_refused_end_of_a_turn_leaves_the_turn_to_its_player() -> None:
    written, losses = convert(f"{CCN} {SETUP} R(1+1) E E R(1+1) E", "han", "sgn", lenient=True)
    assert written == convert(f"{CCN} {SETUP} R(1+1) E R(1+1) E", "han", "sgn").text
    assert losses[0].message == "E is not legal here: roll the dice first"
    assert Match.from_record(written).winner() is None


@pytest.mark.parametrize("target", ["sgn", "cgn"])
def test_a_winner_that_the_rules_contradict_is_left_out(target: str) -> None:
    text = f"{CCN} {SETUP} R(1+1) E"
    written, losses = convert(f'[Result "2"]\n{text}', "han", target, lenient=True)
    assert written == convert(text, "han", target).text
    assert losses[0].message == "player 2 wins here, by the rules nobody"


def test_a_refused_purchase_after_an_implied_end_of_the_turn_is_not_written() -> None:
    text, _ = convert(f"{CCN} {SETUP} R(1+1) E R(1+1)", "han", "cgn")
    bought = '{"B":{"P2":{"DC":1,"G":-1,"O":-1,"W":-1},"B":{"DC":-1,"G":1,"O":1,"W":1}}},'
    early = text.replace('{"TE":"P1"},', bought)
    written, losses = convert(early, "cgn", "sgn", lenient=True)
    assert "Bd is not legal here: roll the dice first" in [loss.message for loss in losses]
    assert written == convert(text, "cgn", "sgn").text


def test_a_game_of_five_is_not_written_in_cgn() -> None:
    game = Match.new(players=5, seed=1)
    game.push(game.legal_moves[0])
    text, losses = convert(game.han(), "han", "cgn")
    assert (text, [loss.message for loss in losses]) == ("", ["everything: CGN has 2 to 4 players, not 5"])


def test_a_game_that_is_won_by_the_end_of_a_turn_comes_back_from_sgn() -> None:
    game, chance = Match.new(5, 7, points=3, special=True), Generator(7)
    play_on(game, chance, 100)
    assert game.winner() == 3
    assert game.han().endswith("\nE")
    text, _ = convert(game.han(), "han", "sgn")
    assert '# [Result "3"]\n' in text
    again = Match.from_record(text)
    assert (again.winner(), again.position()) == (3, game.position())
    lost = text.replace('[Result "3"]', '[Result "4"]')
    with pytest.raises(Nonsense, match="player 4 wins here, by the rules nobody"):
        Match.from_record(lost)


def test_turn_ends_that_the_rules_restore_are_not_lost() -> None:
    match = Match.new(5, seed=3, trades="nobody")
    while len(match.action_stack()) < 80 or match.phase() != "build":
        moves = list(match.legal_moves)
        match.push(next((move for move in moves if isinstance(move, EndTurn)), moves[0]))
    text, losses = match.to("sgn")
    again = Match.from_record(text, "sgn", trades="nobody")
    lost = [loss for loss in losses if "the end of a turn" in loss.message]
    ends = sum(isinstance(action, EndTurn) for action in match.record.actions)
    assert ends > 8
    assert ends == sum(isinstance(action, EndTurn) for action in again.record.actions) + len(lost)
    assert convert(match.han(), "han", "sgn").losses == losses
