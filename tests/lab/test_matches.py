"""Matches between bots."""

import pytest

from ludograph import load, play_match
from ludograph.lab import play_many


def test_many_matches_do_not_depend_on_threads() -> None:
    state = load("pig", engine="reference").new(options={"target": 20})
    found = [
        [match.record for match in play_many(state, lambda number: ["flat:8", "random"], 4, threads=threads)]
        for threads in (1, 3)
    ]
    assert found[0] == found[1] and len({record.moves for record in found[0]}) == 4


def test_a_match_does_not_change_its_state() -> None:
    state = load("tic-tac-toe", engine="reference").new()
    assert play_match(state, ["random"], seed=3).moves >= 5 and not state.record.moves


def test_too_many_bots_are_refused() -> None:
    with pytest.raises(ValueError, match="3 bots were given for 2 players"):
        play_match("tic-tac-toe", ["random", "random", "random"])
    with pytest.raises(ValueError, match="a match needs a bot"):
        play_match("tic-tac-toe", [])
