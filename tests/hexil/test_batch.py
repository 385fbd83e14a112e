"""Batches of records: the same as each record by itself, whether good or bad."""

from functools import cache

import pytest

from ludograph.hexil import Match, Replayed, batch, replay_records
from ludograph.play import Generator
from tests.hexil.random_games import play_on


@cache
def _record() -> str:
    """A game that names the cards that were bought."""
    game = Match.new(4, 3, engine="native", trades="bank_only")
    play_on(game, Generator(5), 150)
    return game.han(dialect="2023")


def _alone(text: str) -> Replayed:
    try:
        game = Match.from_record(text, "han")
    except ValueError as error:
        return Replayed((getattr(error, "number", None) or 1) - 1, None, error)
    return Replayed(len(game.action_stack()), game.result)


def _told(replayed: Replayed) -> tuple[int, object, str]:
    return replayed.actions, replayed.result, repr(replayed.error)


def test_records_are_replayed_as_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ACTIONS_BEFORE_COMPILING", 0)
    monkeypatch.setattr(batch, "_replay_single", _must_not_be)
    good = _record()
    assert _told(next(replay_records([good]))) == _told(_alone(good))


def _must_not_be(text: str, seed: int | None) -> Replayed:
    raise AssertionError(f"this goes the long way: {text[-40:]}")


def test_what_is_wrong_with_a_record_is_told_as_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ACTIONS_BEFORE_COMPILING", 0)
    good = _record()
    head, _, body = good.rpartition("\n\n")
    words = body.split()
    bad = [
        " ".join([*words[:30], "E", "E"]),
        " ".join([*words[:30], "T(O9)(W)0"]),
        " ".join([*words[:12], "Xx"]),
        " ".join(words[1:]),
        "# talk\n" + " ".join(words[:20]),
        "",
    ]
    records = [good, *(f"{head}\n\n{each}" for each in bad), f'[Result "2"]\n{head}\n\n{words[0]}']
    assert [_told(one) for one in replay_records(records)] == [_told(_alone(text)) for text in records]
