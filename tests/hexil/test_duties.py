"""Positions with duties: a match keeps them, or refuses the position with the reason."""

import pytest

from ludograph.hexil import Match, Unplayable
from ludograph.settlers import (
    Goods,
    Hex,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
)

SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


def later() -> Position:
    match = Match.new(players=2, beginners=True)
    for text in SETUP.split():
        match.push(text)
    return match.position().replace(turn=9)


BEFORE_ROLL = later()
ROLLED = BEFORE_ROLL.replace(rolled=True)
RICH = ROLLED.replace_seat(2, goods=Goods(ore=8))


@pytest.mark.parametrize(
    "position",
    [
        ROLLED.replace(must=MustSteal(), robber=Hex(0, -1)),
        ROLLED.replace(must=MustMoveRobber()),
        RICH.replace(must=MustDiscard((Player(2),))),
        ROLLED.replace(must=MustPlace((Piece.ROAD,))),
        ROLLED.replace(must=MustPlace((Piece.CITY,))),
        ROLLED.replace(may_place=Pieces(road=2)),
        BEFORE_ROLL.replace(may_place=Pieces(road=1)),
    ],
    ids=lambda position: f"{position.must} {position.may_place}",
)
def test_a_match_keeps_every_duty(position: Position) -> None:
    assert Match.from_position(position).position() == position


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (BEFORE_ROLL.replace(must=MustMoveRobber()), "moves the robber before the roll"),
        (ROLLED.replace(must=MustDiscard((Player(2),))), "Player 2 must discard with three cards"),
        (BEFORE_ROLL.replace(must=MustPlace((Piece.ROAD,))), "Before the roll nothing is bought"),
        (ROLLED.replace(longest_road=Player(1)), "longest road with 1 in a row: it takes five"),
    ],
)
def test_a_position_that_cannot_be_is_refused_unless_lenient(position: Position, reason: str) -> None:
    with pytest.raises(Unplayable, match=reason) as caught:
        Match.from_position(position)
    assert caught.value.findings
    assert Match.from_position(position, lenient=True).position() == position


def test_a_low_limit_explains_a_discard_with_few_cards() -> None:
    position = ROLLED.replace(must=MustDiscard((Player(2),))).replace_seat(2, goods=Goods(ore=5))
    assert Match.from_position(position, limit=4).position() == position


def test_a_duty_that_no_move_fulfils_is_always_refused() -> None:
    position = ROLLED.replace(must=MustPlace((Piece.VILLAGE,)))
    with pytest.raises(Unplayable, match="no legal move fulfils the duty"):
        Match.from_position(position, lenient=True)
    with pytest.raises(Unplayable, match="no place is free"):
        Match.from_position(position)


def test_a_match_from_hsn_is_as_strict() -> None:
    text = Match.from_position(ROLLED).hsn().replace("0 0\n\n9", "0 1\n\n9")
    with pytest.raises(Unplayable, match="longest road"):
        Match.from_hsn(text)
    assert Match.from_hsn(text, lenient=True).position().longest_road == 1
