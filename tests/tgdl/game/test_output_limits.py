"""What is written about a state has limits: views, JSON, bytes and traces."""

from collections.abc import Callable

import pytest

from ludograph.tgdl.game import output_limits
from ludograph.tgdl.game.game import Fault, State
from ludograph.tgdl.native.lower.driver import explore
from ludograph.tgdl.reference import run, transactions
from tests.language.script import Engine, reference
from tests.tgdl.native.test_conformance import checked, native, shipped
from tests.tgdl.rules import game

MANY = """
interactable card stackable { decimal a = 0; decimal b = 0; string s = "x"; }
setup { for decimal i from 1 to 50 new card; }
action go { trigger on player choice; effect { pass; } }
"""
WRITERS: dict[str, Callable[[State], object]] = {
    "view": lambda state: state.view(0),
    "view_json": lambda state: state.view_json(None),
    "changes": lambda state: state.changes(0, since=state),
    "to_json": lambda state: state.to_json(),
    "to_bytes": lambda state: state.to_bytes(),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_state_with_too_many_values_is_not_written(writer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = game(MANY).new()
    WRITERS[writer](state)
    monkeypatch.setattr(output_limits, "MAX_VALUES", 100)
    with pytest.raises(Fault, match=r"values, but at most 100 can be shown or saved") as caught:
        WRITERS[writer](state)
    assert caught.value.code == "TG0519"


def test_a_native_state_with_too_many_values_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    state = native(checked)(game(MANY).program, None).new()
    state.push("go")
    monkeypatch.setattr(output_limits, "MAX_VALUES", 100)
    with pytest.raises(Fault, match=r"values, but at most 100 can be shown or saved"):
        state.view_json(0)


def test_moves_of_a_large_state_can_still_be_listed_and_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_limits, "MAX_VALUES", 100)
    state = game(MANY).new()
    state.push(state.legal_moves[0])
    assert state.asked == (1,)


def test_a_long_trace_ends_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MAX_NOTES", 5)
    rules = """
    global state t { decimal n = 0; }
    action go { trigger on player choice; effect { for decimal i from 1 to 100 t.n += 1; pass; } }
    """
    assert str(game(rules).new().trace("go")).splitlines()[-1].strip() == "… more steps follow"


MANY_MOVES = """players 2;
global state t { decimal n = 0; }
action a
{
  trigger on player choice;
  input decimal x from 1 to 1000;
  input decimal y from 1 to 1000;
  input decimal z from 1 to 1000;
  effect { t.n = x + y + z; pass; }
}
"""


@pytest.mark.parametrize("engine", [reference, native(shipped)], ids=["reference", "native"])
def test_a_player_with_too_many_moves_can_choose_one_but_not_list_them(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (transactions, explore):
        monkeypatch.setattr(module, "MAX_MOVES", 2000)
    state = engine(game(MANY_MOVES).program, None).new(seed=1)
    with pytest.raises(Fault, match="more than 2,000 moves here: they are too many to list"):
        list(state.legal_moves)
    state.push("a(x: 3, y: 4, z: 5)")
    assert state.asked == (1,)
