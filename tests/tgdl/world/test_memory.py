"""Memory, and states as bytes and data."""

import json
import struct

import pytest

from ludograph.tgdl.game.state_check import BadPosition, BadState
from tests.tgdl.rules import draft, game, texts, values


def test_a_copy_of_a_memory_does_not_see_what_is_made_in_the_other() -> None:
    world = draft("morris").world()
    assert world.start is not None
    twin = world.start.copy()
    twin.create(world.kind["man"])
    assert len(twin.instances) == len(world.start.instances) + 1
    assert len(twin.cells) > len(world.start.cells)
    assert not twin.same_as(world.start)


def test_the_same_place_in_memory_is_the_same_instance() -> None:
    world = draft("morris").world()
    assert world.start is not None
    first, second = world.start.copy(), world.start.copy()
    assert first.create(world.kind["man"]) is second.create(world.kind["man"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"instnces": {}}, "a position has no 'instnces'"),
        ({"players": 3}, "this position is for 3 players, not 2"),
        ({"options": {"points": 5}}, "this position is for the option points = 5"),
    ],
)
def test_a_position_of_another_game_is_refused(data: object, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        draft("hexil").new(players=2, options={"points": 7}, position=data)


@pytest.mark.parametrize("choice", [5, None, True])
def test_a_saved_choice_that_is_no_action_is_refused(choice: object) -> None:
    saved = draft("kalah").new(seed=1).to_json()
    with pytest.raises(BadPosition, match="the choices that were saved cannot be made"):
        draft("kalah").from_json({**saved, "choices": [choice]})


def test_nothing_is_no_saved_state() -> None:
    with pytest.raises(BadPosition, match="a position must be an object"):
        draft("hexil").from_json(None)


def test_what_a_position_leaves_out_is_as_before_setup() -> None:
    state = draft("kalah").new(position={"active": 1, "instances": {"ring.a1": {"seeds": 9}}})
    assert values(state, "ring.a1")["seeds"] == 9
    assert values(state, "ring.a2")["seeds"] == 4
    assert state.asked == (1,)


def test_a_position_may_name_its_players_options_turn_and_phase() -> None:
    state = draft("hexil").new(
        position={"players": 3, "options": {"points": 5}, "turn": "main", "phase": "roll"}
    )
    assert (state.players, state.phase()) == (3, "roll")
    assert texts(state) == ["roll"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "object"),
        ("{", "JSON"),
        ({"format": 9}, "format"),
        ({"rules": "x"}, "other rules"),
        ({"active": 2}, "active"),
        ({"active": True}, "active"),
        ({"stage": "never"}, "stage"),
        ({"phase": "x"}, "phase"),
        ({"instances": {"nothing": {}}}, "nothing called"),
        ({"instances": {"grid[0][0]": {"colour": 1}}}, "no attribute"),
        ({"instances": {"grid[0][0]": {"player": 7}}}, r"^grid\[0\]\[0\]\.player cannot be 7"),
        ({"instances": {"grid[0][0]": 5}}, r"^grid\[0\]\[0\] must be an object, not 5"),
        ({"out": 5}, "^out must be a list, not 5"),
        ({"instances": {"grid[0][0]": {"player": "me"}}}, "cannot be"),
        ({"instances": {"grid[0][0]": {"@top": []}}}, "@top"),
        ({"new": [{"@is": "ghost"}]}, "no construct"),
        ({"result": ["win", []]}, "result"),
        ({"stage": "over"}, "result"),
        ({"choices": [{"stop": True}]}, "choices"),
        ({"out": [5]}, "out"),
    ],
)
def test_data_that_are_no_position_are_refused(data: object, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        draft("tictactoe").new(position=data)


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ([{"@is": "man", "@at": "grid[0][0]"}, {"@is": "man", "@at": "grid[0][0]"}], "already holds"),
        ([{"@is": "man", "@at": "grid"}], "cannot stand"),
        ([{"@is": "man", "king": 1}], "cannot be 1"),
    ],
)
def test_pieces_must_stand_where_they_can(new: list[dict[str, object]], message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        draft("draughts").new(position={"new": new})


def test_a_card_cannot_lie_in_two_stacks() -> None:
    data = draft("eights").new(players=3, seed=1).to_json()
    instances = json.loads(json.dumps(data))["instances"]
    instances["pile"]["@top"] = instances["seat.hand#1"]["@top"][:1]
    with pytest.raises(BadPosition, match="two places"):
        draft("eights").new(position=data | {"instances": instances})


def test_a_state_in_the_middle_of_a_move_is_saved_with_its_choices() -> None:
    draughts = draft("draughts")
    state = draughts.new()
    state.choose(state.candidates()[0])
    again = draughts.from_bytes(state.to_bytes())
    assert again == state
    assert [choice.text for choice in again.candidates()] == [choice.text for choice in state.candidates()]
    assert draughts.from_json(state.to_json()) == state


def test_a_tile_in_a_position_may_go_by_its_name_alone() -> None:
    rules = game("""
    tile port { decimal n = 0; }
    interactable ship placeable { }
    board { group north adjacency { a <-> b; } group south adjacency { b <-> c; } }
    action go { trigger on player choice; effect { pass; } }
    """)
    state = rules.new(position={"instances": {"a": {"n": 4}}, "new": [{"@is": "ship", "@at": "c"}]})
    assert values(state, "north.a")["n"] == 4
    assert state.to_json()["new"] == [{"@is": "ship", "@at": "south.c", "player": None}]
    with pytest.raises(BadPosition, match="nothing called 'b'"):
        rules.new(position={"instances": {"b": {"n": 4}}})


def test_a_position_in_which_the_rules_go_wrong_at_once_is_refused() -> None:
    rules = game("""
    global state t { decimal n = 1; }
    action halve { trigger on player choice; require { 1 / t.n > 0 } effect { t.n = 2; pass; } }
    """)
    data = rules.new().to_json() | {"instances": {"t": {"n": 0}}}
    with pytest.raises(BadPosition, match="the game cannot continue from here"):
        rules.from_json(data)
    good = rules.new().to_bytes()
    one, none = struct.pack("<d", 1), struct.pack("<d", 0)
    assert good.count(one) == 1
    with pytest.raises(BadState, match="the game cannot continue from here"):
        rules.from_bytes(good.replace(one, none))


CHANGING = """
tile cell { }
board { group g square 1 by 3 { cell; } group isle square 1 by 1 { cell; } }
global state t { }
action go
{
    trigger on player choice;
    effect
    {
        g.remove(g[0][0]);
        g.remove(g[0][1]);
        link g[0][2] -> isle[0][0];
        g.add(cell, 4, 4);
        board.remove(isle);
        pass;
    }
}
"""


def test_the_changes_of_a_board_may_be_written_in_any_order_and_twice() -> None:
    rules = game(CHANGING)
    state = rules.new()
    state.push("go")
    data = state.to_json()
    board = data["board"]
    assert isinstance(board, dict)
    turned = {key: [*reversed(changes), *changes] for key, changes in board.items()}
    again = rules.from_json(data | {"board": turned})
    assert again == state
    assert rules.from_json(rules.new().to_json() | {"board": {}}) == rules.new()


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ({"absent": ["nowhere"]}, "group"),
        ({"absent": ["t"]}, "group"),
        ({"placed": [["cell#5", "t", 1, 1]]}, "group"),
        ({"placed": [["cell#5", "g", 10**400, 1]]}, "too far"),
        ({"placed": [["cell#5", "g", 4, 4], ["cell#5", "g", 5, 5]]}, "canonical form"),
        ({"links": [["g[0][0]", "g[0][2]", 1], ["g[0][0]", "g[0][2]", 2]]}, "canonical form"),
        ({"taken": ["cell#5"]}, "never on it"),
        ({"placed": [[]]}, "a row of placed has 4 parts, not 0"),
        ({"links": [["g[0][0]", "g[0][2]"]]}, "a row of links has 3 parts, not 2"),
    ],
)
def test_changes_of_a_board_that_cannot_be_are_refused(board: dict[str, object], message: str) -> None:
    data = {"new": [{"@is": "cell"}], "board": board}
    with pytest.raises(BadPosition, match=message):
        game(CHANGING).new(position=data)


def test_states_differ_where_values_of_different_types_look_alike() -> None:
    rules = """
        enum side { left, right }
        global state t { object[] l = { 1, true, player 1, right, { 1 }, { player 1 } }; object got = none; }
        action go { trigger on player choice; input object o in t.l; effect { t.got = o; pass; } }
    """
    beginning = game(rules).new()
    after = []
    for move in beginning.legal_moves:
        state = beginning.copy()
        state.push(move)
        after.append(state)
    assert len(after) == len({state.digest() for state in after}) == 6
    assert [first == second for first in after for second in after].count(True) == 6


def test_whole_numbers_are_data_without_a_point_up_to_where_floats_have_none() -> None:
    numbers = "9007199254740992, -9007199254740994, 9999999999999998, 10000000000000000, 0.5"
    rules = (
        f"global state t {{ decimal[] l = {{ {numbers} }}; object o = 9007199254740992; }} action go {{ }}"
    )
    state = game(rules).new()
    data = state.to_json()
    written = "[9007199254740992, -9007199254740994, 9999999999999998, 1e+16, 0.5]"
    assert json.dumps(data["instances"]) == f'{{"t": {{"l": {written}, "o": 9007199254740992}}}}'
    things = state.view(0)["things"]
    assert isinstance(things, dict)
    assert json.dumps(things["t"]["l"]) == written
    assert state.game.from_json(json.loads(json.dumps(data))) == state
