"""Settlers games on the native engine are the same as on the reference engine: actions, positions, errors."""

import random

import pytest

from ludograph.hexil import Game
from ludograph.hexil.deals import Deal
from ludograph.notation import han
from ludograph.settlers import Action

NONSENSE = "E R? Bc Bd Pv(d4n) Pr(d4ne) M(d4) S?2 T(O4)(W) T(O2)(W) Uk Um(O) Uy(OW) R(3+4)".split()


def _actions(game: Game) -> list[Action]:
    return [action for action in game.legal_actions if not isinstance(action, Deal)]


def _said(game: Game, text: str) -> str:
    """What an action gives or says, and that it can be taken back."""
    before = game.state.digest
    try:
        done = game.push(text)
    except ValueError as error:
        assert game.state.digest == before
        return f"{type(error).__name__}: {error}"
    after = game.state.digest
    game.pop()
    assert game.state.digest == before
    return f"{done} {after}"


def _trades(game: Game) -> list[str]:
    """Trades with the bank, most of them not at its rate."""
    held = game.hands(game.turn)[0]
    return [
        f"T({letter}{count})({'W2' if count == 8 else 'O' if letter == 'W' else 'W'})"
        for letter, most in zip("BGLOW", held.counts, strict=True)
        for count in range(1, most + 2)
    ]


def _check_alike(one: Game, other: Game) -> None:
    assert other.state.digest == one.state.digest
    assert (other.turn, other.phase, other.asked, other.winner) == (
        one.turn,
        one.phase,
        one.asked,
        one.winner,
    )
    assert other.position == one.position
    assert other.action_stack == one.action_stack
    assert other.scores == one.scores
    for player in range(1, one.players + 1):
        assert other.hands(player) == one.hands(player)
        assert other.view(player) == one.view(player)


def _play_side_by_side(seed: int, actions: int) -> None:
    draws = random.Random(seed)
    games = [Game.new(4, seed, engine=engine, trades="bank_only") for engine in ("reference", "native")]
    for number in range(actions):
        one, other = games
        listed = _actions(one)
        assert _actions(other) == listed
        if not listed:
            break
        text = han.format(draws.choice(listed))
        assert other.push(text) == one.push(text)
        if draws.random() < 0.2:
            assert other.pop() == one.pop()
        if draws.random() < 0.1:
            nonsense = draws.choice(NONSENSE)
            assert _said(other, nonsense) == _said(one, nonsense)
        if one.phase == "build" and draws.random() < 0.2:
            text = draws.choice(_trades(one))
            assert _said(other, text) == _said(one, text)
        if draws.random() < 0.05:
            games = [game.copy() for game in games]
        if number % 25 == 0:
            _check_alike(*games)
    _check_alike(*games)
    assert games[1].han() == games[0].han()


def test_actions_are_the_same_on_both_engines() -> None:
    _play_side_by_side(3, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_long_games_are_the_same_on_both_engines(seed: int) -> None:
    _play_side_by_side(seed, 500)
