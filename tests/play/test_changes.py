"""Changes between views: what is sent, what comes of it, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.play.changes import apply_changes, find_changes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
ENTRIES = st.dictionaries(st.sampled_from(["is", "at", "n", "m"]), VALUES, max_size=4)


@st.composite
def views(draw: st.DrawFn) -> dict[str, object]:
    head = draw(st.dictionaries(st.sampled_from(["active", "phase", "result", "out"]), VALUES))
    things = draw(st.dictionaries(st.sampled_from(["a1", "b2", "card#3", "seat"]), ENTRIES))
    return {**head, "things": things, "moves": draw(st.lists(st.sampled_from(["0: x", "1: y", "*: z"])))}


@given(views(), views())
def test_changes_lead_from_the_old_view_to_the_new_one(
    old: dict[str, object], new: dict[str, object]
) -> None:
    changes = json.loads(json.dumps(find_changes(old, new)))
    found = apply_changes(old, changes)
    assert json.dumps(found, sort_keys=True) == json.dumps(new, sort_keys=True)


@given(views())
def test_a_view_that_stays_has_no_changes(view: dict[str, object]) -> None:
    assert find_changes(view, view) == {}
    assert apply_changes(view, {}) == view


def test_one_and_true_are_different_values() -> None:
    old = {"things": {"a": {"n": 1, "l": [1, 0]}}, "moves": []}
    new = {"things": {"a": {"n": True, "l": [1, False]}}, "moves": []}
    assert find_changes(old, new) == {"things": {"a": {"set": {"n": True, "l": [1, False]}}}}


def test_moves_that_were_taken_back_are_counted_not_told() -> None:
    old = {"things": {}, "moves": ["0: a", "1: b", "0: c"]}
    new = {"things": {}, "moves": ["0: a", "1: x"]}
    assert find_changes(old, new) == {"kept": 1, "moves": ["1: x"]}
    assert apply_changes(old, {"kept": 1, "moves": ["1: x"]}) == new


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"things": {}, "more": 1}, "unknown entries in changes: more"),
        ({"gone": ["b"]}, "the view has no thing b to remove"),
        ({"kept": 2}, "the view has 1 moves, not 2"),
        ({"kept": -1}, "the view has 1 moves, not -1"),
    ],
)
def test_what_are_no_changes_of_a_view_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        apply_changes({"things": {"a": {}}, "moves": ["0: a"]}, changes)


def test_removed_things_are_sorted_whatever_the_order_of_the_view() -> None:
    new: dict[str, object] = {"things": {}, "moves": []}
    for names in (("b", "a"), ("a", "b")):
        assert find_changes({"things": {name: {} for name in names}, "moves": []}, new) == {
            "gone": ["a", "b"]
        }
