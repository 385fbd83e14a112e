"""Values of saved states: what no game could have left there is refused, as data and as bytes."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.games import load
from ludograph.games.engines import simulate
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.game.state_bytes import encode_state
from ludograph.tgdl.game.state_check import BadPosition, BadState
from ludograph.tgdl.world.faults import STOP
from ludograph.tgdl.world.memory import PositionHash
from ludograph.tgdl.world.topology import Edits
from tests.games.hostile import ODD_VALUES, spoil_data
from tests.tgdl.rules import game

ANYTHING = """
players 2 has seat;
local state seat { decimal gold = 1; }
enum side { left, right }
interactable man placeable { decimal rank = 1; }
tile cell { }
board { group grid square 2 by 2 { cell; } }
global state t { object o; object[] many = {}; decimal[player] tab = 0; decimal n = 0; }
setup
{
  man m = new man;
  move m to grid[0][0];
  t.o = m;
  t.many.add(1);
  t.many.add(player);
  t.many.add(side.left);
  t.many.add({ 2, 3 });
}
action poke { trigger on player choice; effect { if t.o is player t.tab[t.o as player] = 5; pass; } }
action peek { trigger on player choice; effect { if t.o is player t.n = t.tab[t.o as player]; pass; } }
action hand { trigger on player choice; effect { if t.o is player pass (t.o as player); else pass; } }
action look
{
  trigger on player choice;
  input object x in t.many;
  effect
  {
    if x is player t.n = seat[x as player].gold;
    if x as side == side.left t.n = 2;
    if x is man t.n = (x as man).rank;
    if x is decimal[] t.n = (x as decimal[]).sum();
    t.o = x;
    pass;
  }
}
"""
LISTS = """
players 2;
global state t { decimal[] a = { 1 }; decimal[player] b = 0; decimal[][] c = { { 1 } }; decimal d = 3; }
action go { trigger on player choice; effect { t.a.add(t.c[0].sum()); pass; } }
"""
GOLD = """
players 2;
global state t { decimal gold = 20 from 0 to 20; decimal free = 0; }
action go { trigger on player choice; effect { pass; } }
"""


def with_value(rules: Game, attribute: str, value: Any) -> bytes:
    """The bytes of a state that has this value in an attribute of `t`, whatever it is."""
    state = rules.new(seed=1)
    memory = memory_of(state).copy()
    holder = world_of(state).singletons["t"]
    slot = next(each.slot for each in holder.kind.construct.attributes if each.name == attribute)
    memory.cells[holder.offset + slot] = value
    return encode_state(world_of(state), memory, (), None).data


@pytest.mark.parametrize(
    "value",
    [
        *({"player": number} for number in (2, 100_000, -1, 2**64, True)),
        *({"thing": name} for name in ("man#2", "nothing", "", 1)),
        *({"member": name} for name in ("side.middle", "nothing.left", "left")),
        *({"position": text} for text in ("0", "x" * 32, 5)),
        {"text": 1},
        {"text": None},
        {"action": [0, 0, None, None]},
        {"action": [0, 0, None, {}]},
        {"stop": True},
        {"board": {}},
        {},
        "text",
        10**400,
        float("inf"),
        float("nan"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("is_inside", [False, True], ids=["alone", "inside"])
def test_data_in_an_object_that_are_no_value_are_refused(value: Any, is_inside: bool) -> None:
    rules = game(ANYTHING)
    told = [[1, value]] if is_inside else value
    with pytest.raises(BadPosition):
        rules.new(position={"instances": {"t": {"o": told}}})
    with pytest.raises(BadPosition):
        rules.new(position={"instances": {"t": {"many": [told]}}})


@pytest.mark.parametrize("value", [2, 100_000, -1, 2**60, STOP, Edits(), -0.0, ((-1,),)], ids=repr)
@pytest.mark.parametrize("is_inside", [False, True], ids=["alone", "inside"])
def test_bytes_of_an_object_that_are_no_value_are_refused(value: Any, is_inside: bool) -> None:
    rules = game(ANYTHING)
    told = ((1.0, value),) if is_inside else value
    with pytest.raises(BadState):
        rules.from_bytes(with_value(rules, "o", told))


@pytest.mark.parametrize(
    "value", [None, True, 1, 0.5, "left", PositionHash(5), (1.0, (True, None, 1))], ids=repr
)
def test_values_in_an_object_come_back(value: Any) -> None:
    rules = game(ANYTHING)
    assert_saved(rules.from_bytes(with_value(rules, "o", value)))


def test_a_list_in_an_object_is_not_taken_for_an_action() -> None:
    rules = game(ANYTHING)
    left = rules.world().members["side"][0]
    man = memory_of(rules.new(seed=1)).instances[-1]
    for value in ((0, 1, None, left), (0, 1, man, man), (True, False, None, 5.0), (0, 1, None, "x")):
        assert_saved(rules.from_bytes(with_value(rules, "o", value)))


def test_lists_lie_in_one_another_as_deep_as_in_play_and_no_deeper() -> None:
    rules = game(ANYTHING)
    value: tuple[Any, ...] = ()
    for _ in range(99):
        value = (value,)
    assert_saved(rules.from_bytes(with_value(rules, "o", value)))
    with pytest.raises(BadState):
        rules.from_bytes(with_value(rules, "o", (value,)))
    with pytest.raises(BadPosition, match="too deep"):
        rules.new(position={"instances": {"t": {"o": json.loads("[" * 101 + "]" * 101)}}})


def test_a_list_that_is_chosen_is_saved_in_the_middle_of_a_move() -> None:
    rules = game(
        """
        players 2;
        global state t { object o; }
        verb some() { object[] found = {}; found.add({ 1, 2 }); found.add(4); return found; }
        action go { trigger on player choice; input object x in some(); input decimal n from 1 to 2;
          effect { t.o = x; pass; } }
        """
    )
    state = rules.new()
    state.choose(state.candidates()[0])
    state.choose(state.candidates()[0])
    assert_saved(state)


def assert_saved(state: State) -> None:
    assert state.game.from_bytes(state.to_bytes()) == state
    assert state.game.from_json(json.loads(json.dumps(state.to_json(), allow_nan=False))) == state


@pytest.mark.parametrize(("attribute", "value"), [("a", None), ("b", None), ("c", None), ("c", [None])])
def test_lists_and_tables_of_a_position_are_never_none(attribute: str, value: Any) -> None:
    rules = game(LISTS)
    with pytest.raises(BadPosition, match=rf"t\.{attribute} cannot be"):
        rules.new(position={"instances": {"t": {attribute: value}}})
    inside = tuple(value) if isinstance(value, list) else value
    with pytest.raises(BadState, match=rf"t\.{attribute} cannot be"):
        rules.from_bytes(with_value(rules, attribute, inside))


def test_elements_that_are_no_lists_may_be_none() -> None:
    state = game(LISTS).new(
        position={"instances": {"t": {"a": [None], "b": [None, 1], "c": [[None]], "d": None}}}
    )
    assert_saved(state)


def test_a_new_thing_with_stacks_has_empty_lists_where_it_says_nothing() -> None:
    rules = game(
        """
        players 2;
        interactable card stackable;
        local state box { stack cards of card; decimal[] marks = {}; decimal[player] tab = 0; }
        setup { box b = new box; b.transfer_to(0); }
        action go { trigger on player choice; effect { pass; } }
        """
    )
    data = rules.new().to_json()
    new: Any = data["new"]
    del new[0]["marks"], new[0]["tab"], new[1]["@holder"]
    assert_saved(rules.from_json(data))


@pytest.mark.parametrize("holder", ["seat.hand#1", "seat.hand#2", "seat#2", "deck", "card#1"])
def test_a_stack_belongs_to_the_state_that_has_it(holder: str) -> None:
    rules = load("crazy-eights")
    data: Any = rules.new(seed=1).to_json()
    data["instances"]["seat.hand#1"]["@holder"] = holder
    with pytest.raises(BadPosition, match="belongs"):
        rules.from_json(data)


def test_two_states_have_no_stack_in_common() -> None:
    rules = load("crazy-eights")
    data: Any = rules.new(seed=1).to_json()
    data["instances"]["seat#1"]["hand"] = "seat.hand#2"
    with pytest.raises(BadPosition, match=r"seat#1\.hand is a stack that belongs elsewhere"):
        rules.from_json(data)


@pytest.mark.parametrize("value", [21.0, -1.0, 20.5])
def test_a_value_outside_its_range_is_refused(value: float) -> None:
    rules = game(GOLD)
    with pytest.raises(BadPosition, match="'gold' goes from 0 to 20"):
        rules.new(position={"instances": {"t": {"gold": value}}})
    with pytest.raises(BadState, match="'gold' goes from 0 to 20"):
        rules.from_bytes(with_value(rules, "gold", value))


def test_there_is_no_minus_zero() -> None:
    rules = game(GOLD)
    with pytest.raises(BadState, match=r"t\.free cannot be -0\.0"):
        rules.from_bytes(with_value(rules, "free", -0.0))
    zero = rules.new(position={"instances": {"t": {"free": -0.0}}})
    assert zero.to_bytes() == rules.new(position={"instances": {"t": {"free": 0}}}).to_bytes()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_spoilt_data_with_objects_are_refused_or_a_state_that_both_engines_play(seed: int) -> None:
    chance = random.Random(seed)
    rules = game(ANYTHING)
    data = spoil_data(chance, json.loads(json.dumps(rules.new(seed=1).to_json())))
    things = data.get("instances")
    if isinstance(things, dict) and isinstance(things.get("t"), dict):
        things["t"][chance.choice(("o", "many"))] = chance.choice(
            (*ODD_VALUES, {"player": 1}, [{"player": 1}])
        )
    try:
        state = rules.from_json(data)
    except BadPosition:
        return
    assert_saved(state)
    for engine in ("native", "reference"):
        assert len(list(simulate(state, 2, seed=seed, limit=6, engine=engine))) == 2
