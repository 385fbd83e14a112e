"""Actions and records as values: equal, hashable, frozen, and pasted back."""

import inspect
from typing import get_args

import msgspec
import pytest
from hypothesis import given

import ludograph.settlers
from ludograph.settlers import (
    Act,
    Action,
    Commented,
    EndTurn,
    Event,
    Player,
    Record,
    Roll,
    actions,
    record,
)
from tests import strategies
from tests.settlers.pasting import pasted

EVENTS = get_args(Event)
ACTIONS = get_args(Action)


def test_a_roll_is_the_same_whichever_die_is_named_first() -> None:
    assert Roll((5, 2)) == Roll((2, 5))
    assert Roll((5, 2)).value == (2, 5)
    assert hash(Roll((5, 2))) == hash(Roll((2, 5)))


@pytest.mark.parametrize(("roll", "total"), [(Roll((2, 5)), 7), (Roll(9), 9), (Roll(), None)])
def test_a_roll_has_a_total_as_far_as_it_is_known(roll: Roll, total: int | None) -> None:
    assert roll.total == total


@given(strategies.actions)
def test_the_repr_of_an_action_pastes_back(action: Action) -> None:
    again = pasted(action)
    assert again == action
    assert hash(again) == hash(action)


@strategies.less_often
@given(strategies.han_records(with_cards=True))
def test_the_repr_of_a_record_pastes_back(game: Record) -> None:
    again = pasted(game)
    assert again == game
    assert hash(again) == hash(game)


def test_a_record_gives_its_actions_without_the_rest() -> None:
    game = Record((Commented("hello"), Act(Roll()), Act(EndTurn(), Player(2))))
    assert game.actions == (Roll(), EndTurn())


@pytest.mark.parametrize("kind", [*ACTIONS, *EVENTS])
def test_every_kind_of_action_and_event_is_frozen_and_has_no_room_for_more(kind: type) -> None:
    assert issubclass(kind, msgspec.Struct)
    assert kind.__struct_config__.frozen
    assert "__dict__" not in dir(kind)
    assert kind.__hash__ is not None


@pytest.mark.parametrize("module", [actions, record])
def test_every_class_can_be_imported_from_the_room_itself(module: object) -> None:
    classes = {
        name
        for name, value in inspect.getmembers(module, inspect.isclass)
        if value.__module__ == module.__name__  # type: ignore[attr-defined]
    }
    assert classes <= set(ludograph.settlers.__all__)


def test_the_room_exports_what_it_names() -> None:
    assert all(hasattr(ludograph.settlers, name) for name in ludograph.settlers.__all__)
    assert len(set(ludograph.settlers.__all__)) == len(ludograph.settlers.__all__)
