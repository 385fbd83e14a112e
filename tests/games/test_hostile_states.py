"""Saved states with something wrong in them: refused as documented, or good states all the same."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.games import list_games, load
from ludograph.tgdl.game.game import BadOption
from ludograph.tgdl.game.state_check import BadPosition, BadState
from tests.games.hostile import load_or_refuse, saved, spoilt_bytes, spoilt_data, spoilt_text

SHIPPED = list_games()
FEW = settings(max_examples=4)
generators = st.integers(0, 2**32).map(random.Random)


@pytest.mark.parametrize("name", SHIPPED)
@given(chance=generators)
@FEW
def test_spoilt_bytes_are_refused_or_a_good_state(name: str, chance: random.Random) -> None:
    load_or_refuse(name, spoilt_bytes(chance, name))


@pytest.mark.parametrize("name", SHIPPED)
@given(chance=generators)
@FEW
def test_spoilt_data_are_refused_or_a_good_state(name: str, chance: random.Random) -> None:
    load_or_refuse(name, spoilt_data(chance, name))


@pytest.mark.parametrize("name", SHIPPED)
@given(chance=generators)
@FEW
def test_spoilt_text_is_refused_or_a_good_state(name: str, chance: random.Random) -> None:
    load_or_refuse(name, spoilt_text(chance, name))


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_not_spoilt_is_loaded(name: str) -> None:
    for state in saved(name):
        assert load_or_refuse(name, state.to_bytes()) is not None
        assert load_or_refuse(name, json.dumps(state.to_json())) is not None


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), 10**5_000, 1e999, -1e999, float("nan")], ids=lambda _: "number"
)
@pytest.mark.parametrize(("name", "option"), [("pig", "target"), ("go", "komi"), ("hexil", "beginners")])
def test_an_option_that_is_no_number_of_the_language_is_refused(name: str, option: str, value: float) -> None:
    game = load(name)
    with pytest.raises(BadOption, match=f"the option '{option}' cannot be [a-z -]{{3,17}}$"):
        game.new(options={option: value})
    with pytest.raises(BadPosition, match=f"the option '{option}' cannot be"):
        game.from_json({"options": {option: value}})


def test_a_state_of_another_game_is_refused() -> None:
    chess = load("chess").new()
    with pytest.raises(BadState, match="other rules"):
        load("hex").from_bytes(chess.to_bytes())
    with pytest.raises(BadPosition, match="other rules"):
        load("hex").from_json(chess.to_json())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"active": 0, "active": 1}', "the key 'active' is there twice"),
        ('{"active": NaN}', "NaN is not a number in JSON"),
        ('{"active": -Infinity}', "-Infinity is not a number in JSON"),
        ('{"active": 1e999}', "active player"),
        (
            '{"active": ' + "9" * 5_000 + "}",
            "not JSON: a number has 5,000 digits, and at most 1,000 are read$",
        ),
        ('{"new": ' + "[" * 100_000 + "]" * 100_000 + "}", "lists and objects are nested too deeply$"),
        ("{", "not JSON: expecting property name enclosed in double quotes: line 1, column 2$"),
        ('{"players": 1e9}', "players must be a whole number"),
        ('{"players": 1000000000}', "is for 2 players, not 1000000000"),
        ('{"options": {"none": 1}}', "there is no option 'none'"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        load("chess").from_json(text)


HUGE = 10**5_000


@pytest.mark.parametrize(
    "data",
    [
        {"format": HUGE},
        {"active": HUGE},
        {"stage": HUGE},
        {"turn": HUGE},
        {"out": [HUGE]},
        {"result": ["win", [HUGE]]},
        {"result": HUGE},
        {"setup": HUGE},
        {"new": [HUGE]},
        {"new": [{"@is": HUGE}]},
        {"instances": HUGE},
        {"instances": {"grid.a1": HUGE}},
        {"instances": {"grid.a1": {"@holds": [HUGE]}}},
        {"new": [{"@is": "king", "@at": HUGE}]},
        {"new": [{"@is": "king", "player": HUGE}]},
        {"new": [{"@is": "king", "moved": HUGE}]},
        {"board": HUGE},
        {"choices": [HUGE]},
        {"choices": [{"player": HUGE}]},
        {"sealed": [[HUGE, []]]},
    ],
    ids=lambda data: next(iter(data)),
)
def test_numbers_of_thousands_of_digits_in_data_are_refused_in_our_own_words(data: object) -> None:
    with pytest.raises(BadPosition) as caught:
        load("chess").from_json(data)
    assert "int_max_str_digits" not in str(caught.value)
