"""The interface of presentation code: constants that it shares with its callers, without the code
generator."""

import json
from enum import IntEnum

from ludograph.play.log import ALL
from ludograph.tgdl.native.layout.plan import Family, Plan
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import ConstructType, Type
from ludograph.tgdl.reference.instance_names import given_name, numbered
from ludograph.tgdl.reference.run import Run

EXPORTS = ("view", "move_texts", "opener_texts", "answer_texts", "given_names")
"""The functions that Python calls."""
UNWRITTEN = 1
"""The character that replaces a text which Python has to write."""
INSERTION_SIZE = 32
"""Bytes of an insertion: its offset in the text, its kind, and two words."""


class NameForm(IntEnum):
    """The texts of an instance that has a name by its attributes."""

    PLAIN = 0
    """Its construct and its number."""
    NAME = 1
    NUMBERED = 2
    """Its name and its number."""


class Insert(IntEnum):
    """The kinds of insertions, which Python writes into a text."""

    NUMBER = 1
    """A decimal: its bits."""
    STRING = 2
    """A string by its number, in the form of a move."""
    JSON_STRING = 3
    """A string by its number, as JSON."""
    OPENER = 4
    """An action with its receiver: the choice that starts it."""
    THING = 5
    """The name of an instance: its family and number, in the wide representation."""
    NAMED_OPENER = 6
    """An action of an instance that has a name by its attributes: the choice that starts it."""


def json_text(text: str) -> str:
    """A string as JSON that can be encoded in UTF-8: lone surrogates are escaped."""
    found = json.dumps(text, ensure_ascii=False)
    try:
        found.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return found


def signature_columns(plan: Plan) -> tuple[tuple[int, int], ...]:
    """The ranges of a block, as offsets and ends, on which the names of states and of their actions depend.

    These are the owners, the number of instances of each family, and the holders of stacks. The owners of
    tiles count if the tiles have stacks with actions. The attributes that name things are constant, but a
    loaded position may have other values than the start.
    """
    found: list[tuple[int, int]] = []
    for family in plan.families:
        if any(kind.construct.names for kind in family.kinds) and plan.world.start is not None:
            count = len(plan.members(plan.world.start, family))
            found.append((family.count_at, family.count_at + 4))
            for kind in family.kinds:
                for slot in kind.construct.names:
                    column = family.columns[plan.column_key(kind, slot)]
                    found.append((column.offset, column.offset + column.stride * count))
        is_piece = family.kind in (ConstructKind.TILE, ConstructKind.INTERACTABLE)
        if is_piece and not _has_acting_stacks(plan, family):
            continue
        found.append((family.count_at, family.count_at + 4))
        for kind in family.kinds:
            for attribute in kind.construct.attributes:
                if attribute.name == "player":
                    column = family.columns[plan.column_key(kind, attribute.slot)]
                    found.append((column.offset, column.offset + column.stride * family.capacity))
        for key in ("owner", "holder"):
            if key in family.columns:
                column = family.columns[key]
                found.append((column.offset, column.offset + column.stride * family.capacity))
    return _joined(found)


def _joined(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The same bytes in as few ranges as possible: each of them costs time for every text that is written.

    >>> _joined([(8, 12), (0, 4), (4, 8), (20, 24), (8, 10)])
    ((0, 12), (20, 24))
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            first, last = found.pop()
            found.append((first, max(last, end)))
        else:
            found.append((start, end))
    return tuple(found)


def _has_acting_stacks(plan: Plan, family: Family) -> bool:
    """Whether the instances of a family have stacks with actions of their own."""
    names = [each.stack for kind in family.kinds for each in kind.construct.attributes]
    return any(plan.world.kind[name].construct.actions for name in names if name is not None)


def may_be_named(plan: Plan, type: Type) -> bool:
    """Whether values of a type are instances that may have names by their attributes."""
    if not isinstance(type, ConstructType):
        return False
    families = plan.families_of(type.name)
    return any(kind.construct.names for family in families for kind in family.kinds)


def has_tiles(plan: Plan) -> bool:
    """Whether pieces may be on tiles: then their plain names depend on the block."""
    return any(family.kind is ConstructKind.TILE for family in plan.place_families())


def has_unique_names(plan: Plan, type: Type) -> bool:
    """Whether no two things of a type have a text in common at the start.

    Then the name of a thing is never ambiguous, while the things and their names are those of the start.
    """
    assert isinstance(type, ConstructType)
    families, start = plan.families_of(type.name), plan.world.start
    if start is None:
        return False
    run = Run(plan.world, start)
    texts = [*run.topology.name.values()]
    for family in families:
        for instance in plan.members(start, family):
            name = given_name(run, instance, ALL)
            texts += [repr(instance)] if name is None else [name, numbered(name, instance), repr(instance)]
    return len(set(texts)) == len(texts)
