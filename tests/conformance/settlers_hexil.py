"""Hexil asked a case of the settlers suite."""

from collections.abc import Sequence

import pytest

from conformance.settlers.cases import Case
from ludograph.hexil import IllegalAction, Match
from ludograph.notation import han
from ludograph.notation.formulas import LETTER_OF_CARD, LETTER_OF_RESOURCE
from ludograph.settlers import Cards, Goods
from ludograph.text import Nonsense


def check_hexil(case: Case) -> None:
    """Fails if Hexil's answer is not that of the case."""
    assert case.action is not None
    game = Match.from_hsn(case.position, lenient=True, **(case.options or {}))  # type: ignore[arg-type]
    for text in case.before:
        game.push(text)
    if case.legal:
        game.push(case.action)
        assert case.after is not None
        assert game.hsn().split() == case.after.split()
        assert game.winner() == case.winner
        _check_views(case, game)
        return
    standing = game.position()
    with pytest.raises((IllegalAction, Nonsense)):
        game.push(case.action)
    assert game.position() == standing


def _check_views(case: Case, game: Match) -> None:
    views = {str(number): game.view(number) for number in range(1, game.players + 1)}
    for player, text in (case.seen or {}).items():
        assert views[player].actions[-1] == han.parse(text, players=game.players)
    for player, hands in (case.hands or {}).items():
        assert tuple(_formula(seat.goods, seat.held) for seat in views[player].seats) == hands
    for player, held in (case.cards or {}).items():
        seats = views[player].seats
        assert tuple(_cards((seat.cards, seat.bought), seat.unplayed) for seat in seats) == held
    if case.shown is not None:
        for view in views.values():
            assert tuple(seat.points for seat in view.seats) == case.shown


def _formula(goods: Goods | None, count: int) -> str:
    if goods is None:
        return f"?{count}"
    return "".join(
        f"{LETTER_OF_RESOURCE[kind]}{number if number > 1 else ''}" for kind, number in goods.items()
    )


def _cards(parts: Sequence[Cards | None], count: int) -> str:
    """Cards of earlier turns and of this one together."""
    known = [part for part in parts if part is not None]
    if not known:
        return f"?{count}"
    total = Cards(*map(sum, zip(*(part.counts for part in known), strict=True)))
    return "".join(f"D{LETTER_OF_CARD[card]}{number if number > 1 else ''}" for card, number in total.items())
