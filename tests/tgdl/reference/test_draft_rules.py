"""Views, options and setups of the draft games from Python; `tests/language` tests the language itself."""

import json

import pytest

from ludograph.tgdl.game.state_check import BadPosition
from tests.tgdl.rules import draft, game, values

# Secrets


def test_a_view_has_no_hand_but_the_players_own() -> None:
    state = draft("eights").new(players=3, seed=4)
    view = json.loads(json.dumps(state.view(0)))
    things = view["things"]
    assert things["seat.hand#1"]["length"] == things["seat.hand#2"]["length"] == 5
    assert "cards" in things["seat.hand#1"]
    assert "cards" not in things["seat.hand#2"]
    assert "cards" not in things["deck"]
    assert sum(name.startswith("card#") for name in things) == 6


def test_cards_dealt_to_others_show_as_question_marks() -> None:
    state = draft("eights").new(players=3, seed=4)
    dealt = state.view(0)["moves"]
    assert isinstance(dealt, list)
    assert dealt[0].count("?") == 10


def test_a_public_verb_publishes_what_it_gives() -> None:
    state = draft("hexil").new(players=2, seed=1)
    things = state.view(0)["things"]
    assert isinstance(things, dict)
    assert things["seat#2"]["held()"] == 0
    assert "hand" not in things["seat#2"]


# Configurations


def test_options_are_checked_and_change_the_game() -> None:
    assert draft("liarsdice").new(options={"dice": 2}, seed=1).record.options == (("dice", 2.0),)
    for options in ({"dice": 9}, {"dice": "two"}, {"nothing": 1}, {"dice": None}):
        with pytest.raises(ValueError, match="option"):
            draft("liarsdice").new(options=options)
    with pytest.raises(ValueError, match="players"):
        draft("liarsdice").new(players=9)
    with pytest.raises(ValueError, match="players, not a number of thousands of digits"):
        draft("liarsdice").new(players=10**5000)


def test_an_option_is_never_minus_zero() -> None:
    rules = "option decimal komi = 1; global state t { decimal n = komi; }"
    rules += "action go { trigger on player choice; effect { pass; } }"
    state = game(rules).new(options={"komi": -0.0})
    assert str(values(state, "t")["n"]) in ("0", "0.0")
    assert "-0" not in str(state.record.options)
    assert state == game(rules).new(options={"komi": 0})


def test_a_saved_state_with_an_unknown_setup_is_refused() -> None:
    rules = game(
        """
        global state t { decimal n = 0; }
        setup { effect { t.n = random 6; } effect for more { t.n += 1; } }
        action go { trigger on player choice; effect { pass; } }
        """
    )
    saved = rules.new(setup="more").to_json()
    assert rules.from_json(saved).asked == (-1,)
    with pytest.raises(BadPosition, match="there is no setup 'other'"):
        rules.from_json({**saved, "setup": "other"})
