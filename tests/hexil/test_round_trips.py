"""Whole games through every notation and back: identical, but for the losses that are reported."""

import os

import pytest

from ludograph.hexil import Deal, Decline, Match, Options, Refuse, convert
from ludograph.hexil.positions import facts_to_headers
from ludograph.notation import hsn
from ludograph.notation.results import Loss
from ludograph.settlers import Action
from tests.hexil.random_games import begin, choose, play_on, table, with_sums, without_headers

MAX_ACTIONS = 10_000
MAX_WITHOUT_TRADE = 2_000
"""Who may not trade may never get what a village takes: such a game is given up, and checked so far."""


def numbers_of_games(told: str) -> range:
    """The whole games that the long form plays: so many, or from one number up to another."""
    first, _, last = told.rpartition("-")
    return range(int(first or 0), int(last) + bool(first))


GAMES = numbers_of_games(os.environ.get("LUDOGRAPH_GAMES", "45"))

# What notations.md names: the dice pair, unknown values, headers; for CGN a monopoly that took nothing.
EXPECTED = (
    *("the dice", "the header", "which card was bought"),
    *("a monopoly that took nothing", "the end of a turn"),
)
EXPECTED_BACK = ("the dice", "the kind of the bought card", "for a monopoly that took nothing")
_SILENT = (Refuse, Decline)
PAID = "the purchase of a road"
"""In SGN a road is free as long as a road building card lets it be: who pays nevertheless is not told."""


def unexpected(losses: tuple[Loss, ...], expected: tuple[str, ...]) -> list[str]:
    return [loss.message for loss in losses if not any(words in loss.message for words in expected)]


def check_han(game: Match) -> None:
    """HAN → game → HAN is the identity in both dialects, bought cards hidden or named."""
    hidden, named = game.han(), game.han(dialect="2023")
    again = Match.from_record(hidden)
    assert again.han() == hidden
    assert again.winner() == game.winner()
    again = Match.from_record(named)
    assert again.han(dialect="2023") == named
    # A hidden offer is over when its record is read; everything else is as it was.
    assert game.phase() in ("answer", "consider") or again.position() == game.position()


def check_through(game: Match, notation: str, options: Options) -> None:
    """HAN → SGN or CGN → HAN loses what is expected, and the actions are the same but for that."""
    text = game.han()
    there, losses = convert(text, "han", notation)
    if any(PAID in loss.message for loss in losses):
        assert notation == "sgn"
        return
    assert unexpected(losses, EXPECTED) == []
    back, more = convert(there, notation, "han", **options)
    assert unexpected(more, EXPECTED_BACK) == []
    expected = with_sums(without_headers(text))
    if any("the end of a turn" in loss.message for loss in losses):
        expected = expected.removesuffix(" E")  # only that of the last turn is lost
    if notation == "cgn":
        # A monopoly that took nothing: any kind that nobody held is as good.
        words = zip(expected.split(), with_sums(without_headers(back)).split(), strict=True)
        different = [pair for pair in words if pair[0] != pair[1]]
        assert all(told.startswith("Um(") and read.startswith("Um(") for told, read in different)
        assert len(different) <= sum("monopoly that took nothing" in loss.message for loss in losses)
        return
    assert with_sums(without_headers(back)) == expected


def check_talk(game: Match, options: Options) -> None:
    """Offers and answers come back from CGN, but for refusals, which it cannot tell."""

    def said(of: Match) -> list[Action | Deal]:
        return [
            each for each in of.action_stack() if isinstance(each, Deal) and not isinstance(each, _SILENT)
        ]

    told = game.to("cgn").text
    again = Match.from_record(told, "cgn", **options)
    assert said(again) == said(game)
    assert again.to("cgn").text == told


def check_position(game: Match) -> None:
    """The position is its HSN read back, and a game from there stands where this one does."""
    assert hsn.parse(game.hsn()) == game.position()


@pytest.mark.parametrize("number", range(3))
def test_a_game_comes_back_from_every_notation(number: int) -> None:
    players, options = table(number)
    game, chance = begin(100 + number, players, options)
    play_on(game, chance, 90)
    check_han(game)
    check_through(game, "sgn", options)
    if "shape" not in options:  # CGN has the standard frame only
        check_through(game, "cgn", options)
        check_talk(game, options)


def test_every_position_is_its_hsn_read_back() -> None:
    players, options = table(1)
    game, chance = begin(7, players, options)
    for _ in range(60):
        game.push(choose(game, chance))
        check_position(game)


def test_games_are_counted_or_named() -> None:
    assert numbers_of_games("3") == range(3)
    assert numbers_of_games("3-5") == range(3, 6)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_complete_games_come_back_from_every_notation(number: int) -> None:
    players, options = table(number)
    game, chance = begin(number, players, options)
    can_trade = options.get("trades") != "nobody"
    for count in range(MAX_ACTIONS if can_trade else MAX_WITHOUT_TRADE):
        if game.winner() is not None:
            break
        game.push(choose(game, chance))
        check_position(game)
        # An offer is not in a position, and nothing is due any more in that of a game that is won.
        if count % 50 == 0 and game.winner() is None and game.phase() not in ("answer", "consider"):
            twin = Match.from_hsn(game.hsn(), headers=dict(facts_to_headers(game.facts())), **options)
            assert (twin.position(), twin.facts(), twin.phase()) == (
                game.position(),
                game.facts(),
                game.phase(),
            )
    assert game.winner() is not None or not can_trade
    check_han(game)
    check_through(game, "sgn", options)
    if "shape" not in options:
        check_through(game, "cgn", options)
        check_talk(game, options)
