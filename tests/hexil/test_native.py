"""Settlers games on the native engine are the same as on the reference engine: actions, positions, errors."""

import random

import pytest

from ludograph.hexil import Match, convert
from ludograph.hexil.deals import Deal
from ludograph.notation import han
from ludograph.settlers import Action
from ludograph.tgdl.game.internals import compiled_moves
from tests.cli.command import text_of
from tests.hexil.random_games import moves_of_all

NONSENSE = "E R? Bc Bd Pv(d4n) Pr(d4ne) M(d4) S?2 T(O4)(W) T(O2)(W) Uk Um(O) Uy(OW) R(3+4)".split()


def _actions(game: Match) -> list[Action]:
    return [action for action in moves_of_all(game) if not isinstance(action, Deal)]


def _said(game: Match, text: str) -> str:
    """What an action gives or says, and that it can be taken back."""
    before = game.state().digest()
    try:
        done = game.push(text)
    except ValueError as error:
        assert game.state().digest() == before
        return f"{type(error).__name__}: {error}"
    after = game.state().digest()
    game.pop()
    assert game.state().digest() == before
    return f"{done} {after}"


def _trades(game: Match) -> list[str]:
    """Trades with the bank, most of them not at its rate."""
    held = game.hands(game.turn())[0]
    return [
        f"T({letter}{count})({'W2' if count == 8 else 'O' if letter == 'W' else 'W'})"
        for letter, most in zip("BGLOW", held.counts, strict=True)
        for count in range(1, most + 2)
    ]


def _check_alike(one: Match, other: Match) -> None:
    assert other.state().digest() == one.state().digest()
    assert (other.turn(), other.phase(), other.asked, other.winner()) == (
        one.turn(),
        one.phase(),
        one.asked,
        one.winner(),
    )
    assert other.position() == one.position()
    assert other.action_stack() == one.action_stack()
    assert other.scores() == one.scores()
    for player in range(1, one.players + 1):
        assert other.hands(player) == one.hands(player)
        assert other.view(player) == one.view(player)


def _play_side_by_side(seed: int, actions: int) -> None:
    draws = random.Random(seed)
    games = [Match.new(4, seed, engine=engine, trades="bank_only") for engine in ("reference", "native")]
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
        if one.phase() == "build" and draws.random() < 0.2:
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


def _read(text: str, notation: str, engine: str, *, lenient: bool) -> str:
    """What a record gives or says."""
    try:
        game = Match.from_record(text, notation, engine=engine, lenient=lenient)
    except ValueError as error:
        return f"{type(error).__name__}: {error} {getattr(error, 'refusal', None)!r}"
    return f"{game.state().digest()} {game.action_stack()} {game.headers()} {game.to('cgn')}"


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("notation", ["han", "cgn", "sgn"])
def test_records_are_read_the_same_on_both_engines(notation: str, lenient: bool) -> None:
    text = text_of(f"game.{notation}")
    lines = text.splitlines(keepends=True)
    draws = random.Random(3)
    broken = ["".join(lines[:place] + lines[place + 1 :]) for place in draws.sample(range(len(lines)), 3)]
    if notation == "han":
        words = text.split(" ")
        broken += [" ".join(words[:place] + words[place + 1 :]) for place in range(6, len(words), 24)]
    for each in (text, *broken):
        said = [_read(each, notation, engine, lenient=lenient) for engine in ("native", "reference")]
        assert said[0] == said[1]


@pytest.mark.parametrize("source", ["han", "cgn", "sgn"])
def test_records_are_converted_the_same_on_both_engines(source: str) -> None:
    text = text_of(f"game.{source}")
    for target in {"han", "cgn", "sgn", "hsn"} - {source}:
        native, reference = (
            convert(text, source, target, engine=engine) for engine in ("native", "reference")
        )
        assert native == reference


def test_the_engine_can_be_chosen_wherever_a_game_begins() -> None:
    start = text_of("start.ccn")
    told = Match.from_ccn(start)
    for engine, is_native in (("native", True), ("reference", False)):
        for game in (
            Match.new(2, beginners=True, engine=engine),
            Match.from_hsn(told.hsn(), engine=engine),
            Match.from_ccn(start, engine=engine),
            Match.from_record("Pv(d4n)", "han", start=start, engine=engine),
        ):
            assert (compiled_moves(game.state()) is not None) == is_native


def test_talk_about_trades_is_the_same_on_both_engines() -> None:
    draws = random.Random(8)
    games = [Match.new(3, 11, engine=engine, beginners=True) for engine in ("reference", "native")]
    for _ in range(60):
        listed = moves_of_all(games[0])
        assert moves_of_all(games[1]) == listed
        action = draws.choice(listed)
        assert games[0].push(action) == games[1].push(action)
    assert any(isinstance(action, Deal) for action in games[0].action_stack())
    assert games[1].to("cgn") == games[0].to("cgn")
    _check_alike(*games)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_long_games_are_the_same_on_both_engines(seed: int) -> None:
    _play_side_by_side(seed, 500)
