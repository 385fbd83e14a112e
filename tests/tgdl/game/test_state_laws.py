"""Laws of states: copies, undo, bytes and JSON, at every step of random games."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.games import list_games, load
from ludograph.play import Generator, IllegalMove, format_record, parse_record, random_playout, replay
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.state_check import BadPosition, BadState
from ludograph.tgdl.world.faults import Fault
from tests.tgdl.rules import draft, game, texts

NAMES = ("connect4", "draughts", "eights", "hexil", "kalah", "liarsdice", "morris", "tictactoe")
SOME = settings(max_examples=12)


def after(game: Game, seed: int, moves: int) -> State:
    """A state that random moves lead to."""
    state = game.new(seed=seed)
    generator = Generator(seed)
    for _ in range(moves):
        if not state.asked:
            break
        found = state.legal_moves
        state.push(found[generator.below(len(found))])
    return state


positions = st.tuples(st.sampled_from(NAMES), st.integers(0, 1000), st.integers(0, 25))


@given(positions)
@SOME
def test_a_copy_is_equal_and_goes_its_own_way(position: tuple[str, int, int]) -> None:
    name, seed, moves = position
    state = after(draft(name), seed, moves)
    twin = state.copy()
    assert twin == state
    assert twin.digest() == state.digest()
    if state.asked:
        before = state.to_bytes()
        twin.push(twin.legal_moves[0])
        assert state.to_bytes() == before


@given(positions)
@SOME
def test_undo_gives_the_state_before(position: tuple[str, int, int]) -> None:
    name, seed, moves = position
    state = after(draft(name), seed, moves)
    if not state.asked:
        return
    before = state.to_bytes()
    state.push(state.legal_moves[-1])
    state.pop()
    assert state.to_bytes() == before


@given(positions)
@SOME
def test_bytes_and_json_give_the_state_back(position: tuple[str, int, int]) -> None:
    name, seed, moves = position
    game = draft(name)
    state = after(game, seed, moves)
    data = state.to_bytes()
    assert game.from_bytes(data) == state
    assert game.from_bytes(data).to_bytes() == data
    assert game.from_json(json.dumps(state.to_json())) == state
    things = state.to_json()["instances"]
    assert isinstance(things, dict)
    assert all(state.thing(name) == attributes for name, attributes in things.items())


@given(positions)
@SOME
def test_every_move_can_be_played_by_its_text(position: tuple[str, int, int]) -> None:
    name, seed, moves = position
    state = after(draft(name), seed, moves)
    if not state.asked:
        return
    written = texts(state)
    assert len(written) == len(set(written))
    for move, text in list(zip(state.legal_moves, written, strict=True))[:10]:
        by_move, by_text = state.copy(), state.copy()
        by_move.push(move)
        by_text.push(text)
        assert by_move == by_text


@given(positions)
@SOME
def test_choices_one_at_a_time_describe_the_same_moves(position: tuple[str, int, int]) -> None:
    name, seed, moves = position
    state = after(draft(name), seed, moves)
    if not state.asked or len(state.legal_moves) > 60:
        return
    found: list[str] = []

    def follow(at: State, chosen: tuple[object, ...]) -> None:
        for candidate in at.candidates():
            child = at.copy()
            child._reference_history.generator = None
            made = (*chosen, candidate)
            child.choose(candidate)
            if child._reference_history.snapshot.choices and child.asked == (candidate.chooser,):
                follow(child, made)
            else:
                found.append(child.record.moves[-1].text)

    follow(state, ())
    assert sorted(found) == sorted(texts(state))


@given(st.sampled_from(("tictactoe", "eights", "draughts")), st.integers(0, 5), st.data())
@settings(max_examples=40)
def test_hostile_bytes_are_refused_or_a_good_state(name: str, moves: int, data: st.DataObject) -> None:
    game = draft(name)
    good = bytearray(after(game, 3, moves).to_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(good) - 1))
        good[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    for hostile in (bytes(good), bytes(good[:cut]), bytes(good) + b"\0"):
        try:
            state = game.from_bytes(hostile)
        except BadState:
            continue
        assert state.to_bytes() == hostile
        assert state.asked is not None


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BadState):
        draft("tictactoe").from_bytes(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(("tictactoe", "eights", "draughts", "liarsdice")), st.data())
@settings(max_examples=50)
def test_hostile_json_is_refused_or_a_good_state(name: str, data: st.DataObject) -> None:
    game = draft(name)
    good = json.loads(json.dumps(after(game, 2, 6).to_json()))
    at = good
    while True:
        key = (
            data.draw(st.sampled_from(sorted(at)))
            if isinstance(at, dict)
            else data.draw(st.integers(0, len(at) - 1))
        )
        inner = at[key]
        if not inner or not isinstance(inner, dict | list) or data.draw(st.integers(0, 2)) == 0:
            break
        at = inner
    at[key] = data.draw(json_values)
    try:
        state = game.from_json(good)
    except (BadPosition, ValueError):
        return
    assert game.from_bytes(state.to_bytes()) == state


def test_a_state_saved_under_other_rules_is_refused() -> None:
    data = draft("connect4").new().to_bytes()
    with pytest.raises(BadState, match="other rules"):
        draft("tictactoe").from_bytes(data)


def test_there_is_nothing_to_undo_at_the_beginning() -> None:
    with pytest.raises(IllegalMove, match="nothing to undo"):
        draft("tictactoe").new().pop()


@pytest.mark.parametrize("name", ["liarsdice", "draughts", "eights"])
def test_a_state_that_was_loaded_gives_a_record_that_begins_there(name: str) -> None:
    rules = draft(name)
    state = rules.new(seed=3)
    for _ in range(3):
        state.push(state.legal_moves[-1])
    loaded = rules.from_bytes(state.to_bytes())
    with pytest.raises(IllegalMove, match="nothing to undo: this game was loaded here"):
        loaded.pop()
    loaded.push(loaded.legal_moves[0])
    record = parse_record(format_record(loaded.record))
    assert record.position is not None and 0 < len(record.moves) < len(state.record.moves) + 3
    again = replay(rules, record)
    assert (again.broken_at, again.state) == (None, loaded)


FAILING = """
players 2 has seat;
tile sq { decimal n = 0; }
interactable man placeable { }
interactable card stackable { decimal n = 0; }
stack deck of card { default { return new card[3]; } }
local state seat { decimal score = 0; }
board { group grid square 2 by 2 { sq; } }
global state t { decimal zero = 0; decimal[] l = {}; man m; }
setup { t.m = new man; move t.m to grid[0][0]; }
verb disturb()
{
  t.l.add(1);
  seat[player].score += 5;
  move t.m to grid[1][1];
  deck.pop();
  grid.add(sq, 5, 5);
  link grid[0][0] -> grid[1][1];
  new card;
  other.allowed = false;
  pass;
}
verb again(decimal n) { t.l.add(n); if n < 0 return 0; return again(n + 1); }
action other { trigger on player choice; effect { pass; } }
action failing { trigger on player choice; effect { disturb(); fail "no"; } }
action dividing { trigger on player choice; effect { disturb(); t.zero = 1 / t.zero; } }
action looping { trigger on player choice; effect { disturb(); while true t.l[0] = 2; } }
action calling { trigger on player choice; effect { disturb(); t.zero = again(0); } }
action growing { trigger on player choice; effect { disturb(); while true t.l.append(t.l); } }
action making { trigger on player choice; effect { disturb(); while true new card[100]; } }
action holding { trigger on player choice; effect { disturb(); t.l[-1] = 2; } }
action winning { trigger on player choice; effect { disturb(); t.zero = 1 / t.zero; win player; } }
"""


@pytest.mark.parametrize(
    "move", ["failing", "dividing", "looping", "calling", "growing", "making", "holding", "winning"]
)
def test_a_failed_transaction_leaves_the_state_exactly_as_it_was(move: str) -> None:
    state = game(FAILING, fuel=100_000).new(seed=1)
    state.push("other")
    before = (state.to_bytes(), state.to_json(), state.record, state.view(0), state.asked)
    with pytest.raises((IllegalMove, Fault)):
        state.push(move)
    assert (state.to_bytes(), state.to_json(), state.record, state.view(0), state.asked) == before
    state.pop()
    assert state == game(FAILING, fuel=100_000).new(seed=1)


shelf_game = cache(load)


@pytest.mark.parametrize("name", list_games())
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_refused_move_leaves_any_game_of_the_shelf_as_it_was(name: str, data: st.DataObject) -> None:
    state = shelf_game(name).new(seed=data.draw(st.integers(0, 9)))
    random_playout(state, Generator(data.draw(st.integers(0, 99))), limit=data.draw(st.integers(0, 6)))
    before = (state.to_bytes(), state.record)
    moves = [move.text for move in state.legal_moves] if state.asked else ["pass"]
    text = data.draw(st.sampled_from(moves))
    broken = data.draw(st.sampled_from([text + "x", f"{text}(a: 1)", text[:-1], f"x{text}", ""]))
    with pytest.raises(IllegalMove):
        state.push(broken)
    assert (state.to_bytes(), state.record) == before
