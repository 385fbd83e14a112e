"""Changes between two views: find them, and apply them.

A view is an object whose `things` are objects by their names and whose `moves` are texts. Changes are data
that can be written as JSON. They contain only the differences:

    set     entries of the view that are new or have another value
    unset   entries that were removed
    things  for each thing that is new or different: its new entries, as `set` and `unset`
    gone    things that were removed from the view, sorted by name, because engines order things differently
    kept    the number of moves that stay; the moves after them were undone
    moves   the moves that follow these
"""

from collections.abc import Mapping
from typing import Any

ViewData = dict[str, Any]
Changes = dict[str, Any]

COMPARED_BY_ITEM = ("things", "moves")
"""Entries of a view that are compared item by item."""


def find_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Changes:
    """The changes from an old view to a new one.

    >>> find_changes({"active": 0, "things": {"a1": {"is": "cell", "mark": None}}, "moves": []},
    ...              {"active": 1, "things": {"a1": {"is": "cell", "mark": "x"}}, "moves": ["0: a1.mark"]})
    {'set': {'active': 1}, 'things': {'a1': {'set': {'mark': 'x'}}}, 'moves': ['0: a1.mark']}
    """
    changes = _find_entry_changes(
        {key: value for key, value in old.items() if key not in COMPARED_BY_ITEM},
        {key: value for key, value in new.items() if key not in COMPARED_BY_ITEM},
    )
    before, after = old["things"], new["things"]
    things = {
        name: _find_entry_changes(before.get(name, {}), thing)
        for name, thing in after.items()
        if name not in before or not _equal_as_json(before[name], thing)
    }
    if things:
        changes["things"] = things
    gone = sorted(before.keys() - after.keys())
    if gone:
        changes["gone"] = gone
    kept = _common_prefix_length(old["moves"], new["moves"])
    if kept < len(old["moves"]):
        changes["kept"] = kept
    if kept < len(new["moves"]):
        changes["moves"] = new["moves"][kept:]
    return changes


def apply_changes(view: Mapping[str, Any], changes: Mapping[str, Any]) -> ViewData:
    """The new view, from an old one and the changes; the old view is not modified.

    Raises a ValueError if the changes do not fit the view.

    >>> apply_changes({"active": 0, "things": {}, "moves": []}, {"set": {"active": 1}})
    {'active': 1, 'things': {}, 'moves': []}
    """
    unknown = changes.keys() - {"set", "unset", "things", "gone", "kept", "moves"}
    if unknown:
        raise ValueError(f"unknown entries in changes: {', '.join(sorted(unknown))}")
    if not isinstance(view.get("things"), Mapping) or not isinstance(view.get("moves"), list):
        raise ValueError("a view has things and moves")
    new = _apply_entry_changes(view, changes)
    things = dict(view["things"])
    for name in changes.get("gone", ()):
        if name not in things:
            raise ValueError(f"the view has no thing {name} to remove")
        del things[name]
    for name, entries in changes.get("things", {}).items():
        things[name] = _apply_entry_changes(things.get(name, {}), entries)
    kept = changes.get("kept", len(view["moves"]))
    if not 0 <= kept <= len(view["moves"]):
        raise ValueError(f"the view has {len(view['moves'])} moves, not {kept}")
    new["things"] = things
    new["moves"] = [*view["moves"][:kept], *changes.get("moves", ())]
    return new


def _find_entry_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Changes:
    changes: Changes = {}
    different = {
        key: value for key, value in new.items() if key not in old or not _equal_as_json(old[key], value)
    }
    if different:
        changes["set"] = different
    removed = [key for key in old if key not in new]
    if removed:
        changes["unset"] = removed
    return changes


def _apply_entry_changes(old: Mapping[str, Any], changes: Mapping[str, Any]) -> ViewData:
    new = {key: value for key, value in old.items() if key not in changes.get("unset", ())}
    return {**new, **changes.get("set", {})}


def _equal_as_json(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON; in Python 1 and true are equal."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal_as_json, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal_as_json(one[key], other[key]) for key in one)
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _common_prefix_length(old: list[str], new: list[str]) -> int:
    """The length of the common prefix of two lists of moves."""
    length = min(len(old), len(new))
    if old[:length] == new[:length]:
        return length
    return next(index for index in range(length) if old[index] != new[index])
