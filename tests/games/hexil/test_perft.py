"""Hexil: the numbers of action sequences on the beginner's island, counted by a second engine too."""

from pathlib import Path

import pytest

from conformance.settlers.source.tables import first, line_of, second, table, third
from ludograph.hexil import Match, Options
from ludograph.play.match import perft
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    MustDiscard,
    MustMoveRobber,
    Player,
    Position,
    Resource,
    fresh_position,
)
from tests.games.hexil.second_engine import Moment, count

PAGE = Path(__file__).resolve().parents[3] / "docs" / "games" / "hexil.md"

POSITIONS: dict[str, Position] = {
    "set-up": fresh_position(BEGINNERS_ISLAND, 2),
    "roll": table(first("B2G2L2O2W2", cards="kmry"), second("BO"), third("GW"), rolled=False, robber="b4"),
    "build": table(first("BG3LO3W", roads="d4ne e4w c3ne"), second("BO"), third("GW")),
    "discard": table(
        first("B2G2L2O2"),
        second("B4W4"),
        third("GW"),
        must=MustDiscard((Player(1), Player(2))),
        robber="b4",
    ),
    "robber": table(first("B"), second("BO"), third("GW"), must=MustMoveRobber(), robber="b4"),
    "cards": table(first(cards="kmry"), second("BO"), third("GW")),
    "bank": table(first(), second("BO"), third("B6L3"), current=3),
    "offers": table(first("B2O"), second("GW"), third("OW")),
}

# The sequences of 1, 2, … actions; those of the second table take longer.
FIGURES: dict[str, tuple[int, ...]] = {
    "set-up": (54, 144, 7236),
    "roll": (58, 1961),
    "build": (9, 58, 491),
    "discard": (19, 95, 1710),
    "robber": (18, 24, 444),
    "cards": (23, 84, 1013),
    "bank": (10, 101, 640),
    "offers": (13, 74),
}
FURTHER: dict[str, tuple[int, ...]] = {
    "set-up": (19248,),
    "roll": (32564,),
    "build": (5240, 23932),
    "discard": (2608,),
    "robber": (2196,),
    "cards": (5142,),
    "bank": (5051,),
    "offers": (516,),
}
BANK_ONLY: Options = {"trades": "bank_only"}
# The second engine knows no offers.
SECOND = [name for name in FIGURES if name != "offers"]


def ours(name: str, depth: int) -> int:
    options: Options = {} if name == "offers" else BANK_ONLY
    return perft(Match.from_position(POSITIONS[name], lenient=True, **options)._executor.state, depth)


def theirs(name: str, depth: int) -> int:
    deck = Match.from_position(POSITIONS[name], lenient=True).facts().deck
    assert deck is not None
    return count(Moment(POSITIONS[name], deck), depth)


@pytest.mark.parametrize("name", FIGURES)
def test_every_phase_has_its_numbers_of_actions(name: str) -> None:
    assert tuple(ours(name, depth + 1) for depth in range(len(FIGURES[name]))) == FIGURES[name]


@pytest.mark.parametrize("name", SECOND)
def test_the_second_engine_counts_the_same(name: str) -> None:
    assert tuple(theirs(name, depth + 1) for depth in range(len(FIGURES[name]))) == FIGURES[name]


def test_offers_and_their_answers_counted_by_hand() -> None:
    """One or two of a kind for one of another; to that player 2 says yes, no, or another kind."""
    hand, other = (POSITIONS["offers"].seat(number).goods for number in (1, 2))
    offers = [
        (give, cards, take)
        for give in Resource
        for cards in range(1, min(2, hand[give]) + 1)
        for take in Resource
        if take is not give
    ]
    assert FIGURES["offers"][0] == len(offers) + 1, "or the end of the turn"
    answers = 36  # The roll of the next player.
    for give, cards, take in offers:
        answers += 1
        if other[take]:
            wanted = [kind for kind in Resource if kind is not take and (kind is not give or cards > 1)]
            answers += 1 + len(wanted)
    assert FIGURES["offers"][1] == answers


def test_the_page_has_the_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, figures in FIGURES.items():
        numbers = ", ".join(map(str, (*figures, *FURTHER[name])))
        assert f"| {name} | {numbers} |" in page
        assert line_of(POSITIONS[name]).partition("Wc7nw] ")[2] in page


@pytest.mark.slow
@pytest.mark.parametrize("name", FURTHER)
def test_every_phase_has_its_numbers_further_on(name: str) -> None:
    depths = range(len(FIGURES[name]) + 1, len(FIGURES[name]) + len(FURTHER[name]) + 1)
    assert tuple(ours(name, depth) for depth in depths) == FURTHER[name]
    if name in SECOND:
        assert tuple(theirs(name, depth) for depth in depths) == FURTHER[name]
