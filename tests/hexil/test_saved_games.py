"""Saved games come back exactly: options, bought cards and the numbers of the players."""

import re

import pytest

from ludograph.hexil import Match, convert
from ludograph.settlers import Card
from tests.hexil.random_games import begin, choose


@pytest.fixture(scope="module")
def finished() -> Match:
    """A whole game in which point cards stay in a hand at the end."""
    match, chance = begin(4, 3, {"points": 5, "limit": 5, "friendly": True, "trades": "bank_only"})
    while not match.is_over:
        match.push(choose(match, chance))
    assert sum(match.hands(player)[1][Card.POINT] for player in (1, 2, 3)) > 0
    return match


def renumbered(text: str) -> str:
    """A CGN record in which P3 begins, then P1 and P2."""
    return re.sub(r'"P([123])"', lambda found: f'"P{(3, 1, 2)[int(found[1]) - 1]}"', text)


def test_a_game_in_the_dialect_of_the_seed_comes_back_exactly(finished: Match) -> None:
    text = finished.han()
    assert " Bd " in text and " BD" not in text
    again = Match.from_record(text)
    assert again == finished
    assert again.han() == text


def test_cards_that_a_record_hides_stay_hidden(finished: Match) -> None:
    text = re.sub(r"\[Bought .*\]\n", "", finished.han())
    assert "Bought" not in Match.from_record(text).han()


@pytest.mark.parametrize("notation", ["cgn", "sgn"])
def test_options_and_unplayed_point_cards_survive(finished: Match, notation: str) -> None:
    again = Match.from_record(finished.to(notation).text)
    assert again == finished
    assert again.scores() == finished.scores()
    assert dict(again.headers()).items() >= {"Points": "5", "Limit": "5", "Friendly": "yes"}.items()


def test_the_numbers_of_players_in_cgn_survive_han_and_sgn(finished: Match) -> None:
    text = renumbered(finished.to("cgn").text)
    match, winner = Match.from_record(text), finished.winner()
    assert winner is not None
    assert match == finished
    assert match.recorded_number(winner) == (3, 1, 2)[winner - 1]
    as_han = convert(text, "cgn", "han").text
    assert '[Order "3 1 2"]' in as_han
    back = convert(as_han, "han", "cgn").text
    assert back.splitlines()[-2] == text.splitlines()[-2] == f'{{"GO":"P{(3, 1, 2)[winner - 1]}"}}'
    as_sgn = convert(text, "cgn", "sgn").text
    assert next(line for line in as_sgn.splitlines() if '"BS"' in line).startswith('["3"')
    assert Match.from_record(as_sgn) == finished


def test_a_fault_names_the_players_as_the_record_does(finished: Match) -> None:
    lines = renumbered(finished.to("cgn").text).splitlines()
    first_roll = next(index for index, line in enumerate(lines) if line.startswith('{"R":'))
    lines[first_roll] = re.sub("P3", "P2", lines[first_roll])
    with pytest.raises(ValueError, match="by player 2 in the turn of player 3"):
        Match.from_record("\n".join(lines))
