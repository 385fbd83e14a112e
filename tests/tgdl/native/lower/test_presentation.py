"""Texts of native code: names, moves and views as on the reference engine."""

import copy
import json
from typing import Any

import pytest

from ludograph.games.engines import compile_world
from ludograph.play import CHANCE, Generator
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.native_moves import Listing
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.execution import EnginesDisagree

STRINGS = """
global state t { string s = "a\\"b"; string[] l = {}; decimal n = 0.1; object o = none; }
action go {
  trigger on player choice;
  input string w in { t.s, "ü" };
  effect { t.s = w; t.n += 0.2; t.l.add(w); if t.n > 1 t.o = t.l; else t.o = w; pass; }
}
"""
OWNERS = """
players 3 has crown;
local state crown { decimal n = 2; action shine { trigger on player choice; effect { n += 1; pass; } } }
action give { trigger on player choice; input crown c; input player p; effect { c.transfer_to(p); pass; } }
action take { trigger on player choice; effect { player has crown; pass; } }
action lose { trigger on player choice; input crown c; effect { c.remove(); pass; } }
"""
PIECES = """
interactable man placeable
{
  action hop { trigger on player choice; input cell to; effect { move this to to; pass; } }
}
interactable king : man { bool crowned = true; }
tile cell { }
board { group grid square 2 by 2 { cell; } }
setup { move new man { player = 0; } to grid[0][0]; move new king { player = 1; } to grid[0][1]; }
action more { trigger on player choice; effect { move new king { player = player; } to grid[1][1]; pass; } }
"""
SECRETS = """
players 3 has seat;
turn main { phase pick simultaneous asks players.all; }
local state seat {
  private decimal bid = 0;
  decimal shown = 0;
  action offer
  {
    trigger on player choice;
    input decimal n from 1 to 3;
    effect { bid = n; shown += random 6; }
  }
}
"""


NUMBERS = """
global state t { decimal n = 0; decimal[] l = {}; }
action one { trigger on player choice; input decimal n from -3 to 1; effect { t.n = n; pass; } }
action some { trigger on player choice; input decimal[] l from 0 to 2 in { -2, -1, 3 }; effect { t.l = l; } }
action maybe { trigger on player choice; optional input decimal n in { -2, 0.5 }; effect { t.n = n; pass; } }
"""
WHISPERS = """
players 3 has seat;
local state seat
{
  decimal n = 0;
  action tell { trigger on player choice; effect { input bool b visible to player + 1; if b n += 1; pass; } }
}
"""
TWICE = """
global state t { decimal n = 0; }
action go { trigger on player choice; effect { t.n = 0; for decimal i from 0 to 1 { more(); } pass; } }
action more { input decimal[] x from 1 to 2 in { 5 }; effect { t.n += x.length; } }
"""


def both(text: str) -> tuple[State, State]:
    """A game on the reference engine and on the native one."""
    program = compile_source(Source(text, "game.tgdl"))
    native = Game(program, compiler=compile_world, uses_before_compiling=0)
    return Game(program).new(), native.new()


def told(state: State) -> tuple[Any, ...]:
    """Whatever people and programs read of a state."""
    viewers = (None, *range(state.players))
    views = [state.view(viewer) for viewer in viewers]
    assert [json.loads(state.view_json(viewer)) for viewer in viewers] == views
    records = [state.record_for(viewer) for viewer in viewers]
    if state.is_over:
        return views, records, state.record
    questions = [(each.text, each.key, each.value) for each in state.question().candidates]
    moves = [(move.text, move.choices) for move in state.legal_moves]
    return views, records, state.record, state.question(), questions, moves


@pytest.mark.parametrize("text", [STRINGS, OWNERS, PIECES, SECRETS, NUMBERS, WHISPERS, TWICE])
def test_both_engines_write_the_same_all_through_a_game(text: str) -> None:
    reference, native = both(text)
    for number in range(30):
        assert told(native) == told(reference)
        if reference.is_over:
            break
        if reference.asked == (CHANCE,):
            for state in (reference, native):
                state.sample_chance(Generator(number))
            continue
        moves = [move.text for move in reference.legal_moves]
        for state in (reference, native):
            state.push(moves[(7 * number + 3) % len(moves)])
    assert native._history is not None and len(native.record.moves) > 5


def test_who_is_told_of_a_choice_is_known_where_nothing_else_is_secret() -> None:
    for state in both(WHISPERS):
        state.push("tell(b: true)", 0)
        assert [state.record_for(viewer).moves[0].text for viewer in (1, 2, None)] == [
            "tell(b: true)",
            "tell(b: ?)",
            "tell(b: ?)",
        ]


def test_asking_whether_a_text_is_legal_makes_no_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, native = both(NUMBERS)
    texts = [move.text for move in reference.legal_moves]
    assert "some(l: {-1, -2})" in native.legal_moves, "the elements of a set in another order"
    _, native = both(NUMBERS)
    moves = native.legal_moves
    monkeypatch.setattr(Listing, "texts", property(lambda _: pytest.fail("all texts are written")))
    assert all(text in moves for text in texts)
    assert [text in moves for text in ("one(n: 2)", "one(n: -2.5)", "nothing", "")] == [False] * 4
    for text in texts:
        trial = native.copy()
        trial.push(text)
        assert trial.record.moves[0].text == text


def test_texts_that_only_a_position_brings_are_written() -> None:
    reference, native = both(STRINGS)
    position = copy.deepcopy(reference.to_json())
    for text in ('x\ud800\n"y', "ß"):
        position["instances"]["t"]["s"] = text  # type: ignore[index]
        one, other = (state.game.from_json(position) for state in (reference, native))
        assert told(other) == told(one)
        for state in (one, other):
            state.push(state.legal_moves[0])
        assert told(other) == told(one)
        assert other._history is not None


def test_engines_that_disagree_about_a_fault_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    _, native = both(STRINGS)
    line = native._history
    assert line is not None
    with monkeypatch.context() as broken:
        broken.setattr(line.runner.presenter, "view", lambda *_, **__: Refused("TG0501"))
        with pytest.raises(EnginesDisagree, match="native engine says that the result is TG0501"):
            native.view(0)
    with monkeypatch.context() as broken:
        broken.setattr(type(line.runner), "moves", lambda *_: Refused("TG0501"))
        with pytest.raises(EnginesDisagree, match="the reference engine that there is no fault"):
            len(native.legal_moves)
    with monkeypatch.context() as broken:
        broken.setattr(type(line.runner), "commit", lambda *_: Refused(None))
        with pytest.raises(EnginesDisagree, match="a move is not legal"):
            native.push(native.legal_moves[0])
    native.push(native.legal_moves[0])
