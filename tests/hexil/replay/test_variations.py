"""Variations are played by the rules, faults are at their place; a match is played to a node of a tree."""

import pytest

from ludograph.hexil import IllegalAction, Match, UnknownValue, Unplayable
from ludograph.hexil.replay.variations import play_variations
from ludograph.notation import han
from ludograph.notation.located import Located, parse_located
from ludograph.settlers import EndTurn, GameTree

START = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


def located(text: str) -> Located:
    return parse_located(f"{START}\n{SETUP}\n{text}", "han")


def faults(text: str, *, lenient: bool = False) -> list[str]:
    """The text of each action with a fault."""
    game = located(text)
    found = play_variations(game, lenient=lenient).faults
    spans = [game.spans[fault.event] for fault in found if fault.event is not None]
    return [game.source.text[span.start : span.end] for span in spans]


def test_legal_variations_have_no_faults() -> None:
    played = play_variations(located("R(5+6) (R(1+2) (R(1+1) E) E R(1+1)) E (E)"))
    assert (played.faults, played.played, played.unreached) == ((), 3, 0)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("R(5+6) (R(1+2) E E) E", ["E"]),
        ("R(5+6) (R(1+2) (R(1+1) Bc Pc(d4n)) E) E", ["Bc"]),
        ("R(5+6) (R(1+2) Bd) (R(3+4) E) E (Bd)", ["Bd", "E", "Bd"]),
        ("R(5+6) (R(1+2) (Bd) E) E", ["Bd"]),
    ],
)
def test_a_fault_in_a_variation_has_its_place(text: str, wrong: list[str]) -> None:
    assert faults(text) == wrong


def test_lenient_replay_finds_all_faults_of_a_variation() -> None:
    assert faults("R(5+6) (R(1+2) Bd E Bd) E") == ["Bd"]
    assert faults("R(5+6) (R(1+2) Bd E Bd) E", lenient=True) == ["Bd", "Bd"]


def test_a_variation_after_a_fault_cannot_be_checked() -> None:
    played = play_variations(located("R(5+6) Bd E (E)"))
    assert (played.faults, played.played, played.unreached) == ((), 0, 1)


def test_a_theft_branches_into_the_cards_of_the_victim() -> None:
    hand = Match.from_record(located("").source.text).hands(2)[0]
    held = [resource.value[0].upper() for resource, _ in hand.items()]
    assert faults(f"R(3+4) M(c5) S({held[0]})2 (S({held[1]})2 E) E") == []
    missing = next(letter for letter in "BGLOW" if letter not in held)
    assert faults(f"R(3+4) M(c5) S({held[0]})2 (S({missing})2 E) E") == [f"S({missing})2"]


def test_the_result_of_the_main_line_is_not_that_of_a_variation() -> None:
    text = f'[Result "1"]\n{START}\n{SETUP}\nR(5+6) (R(1+2)) E'
    assert play_variations(parse_located(text, "han")).faults == ()


def test_a_match_follows_the_main_line() -> None:
    match = Match.from_record(located("R(5+6) (R(1+2)) E").source.text)
    assert match.action_stack()[-2:] == (han.parse("R(5+6)"), EndTurn())


def test_a_match_is_played_to_a_node() -> None:
    tree = GameTree.from_record(located("R(5+6) (R(1+2)) E").record)
    tree.headers["Points"] = "12"
    tree.headers["Result"] = "1"
    roll = tree.end().parent
    assert roll is not None
    assert Match.from_node(roll).phase() == "build"
    other = tree.end().line()[-2].parent
    assert other is not None
    assert Match.from_node(other.variations[1]).action_stack()[-1] == han.parse("R(1+2)")
    assert ("Points", "12") in Match.from_node(tree).headers()


def test_an_illegal_node_is_refused_with_its_number() -> None:
    last = GameTree.from_record(located("R(5+6)").record).end()
    with pytest.raises(IllegalAction, match="action 10: Bc is not legal here") as caught:
        Match.from_node(last.add_variation(han.parse("Bc")))
    assert caught.value.number == 10
    with pytest.raises(UnknownValue, match="action 11"):
        Match.from_node(last.add_line([EndTurn(), han.parse("R?")]))
    with pytest.raises(Unplayable, match="no start position"):
        Match.from_node(GameTree())
