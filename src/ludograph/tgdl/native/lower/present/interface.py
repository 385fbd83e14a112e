"""The interface of presentation code: constants that it shares with its callers, without the code
generator."""

import json
from enum import IntEnum

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.program import ConstructKind

EXPORTS = ("view", "move_texts", "opener_texts", "answer_texts")
"""The functions that Python calls."""
UNWRITTEN = 1
"""The character that replaces a text which Python has to write."""
INSERTION_SIZE = 32
"""Bytes of an insertion: its offset in the text, its kind, and two words."""


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

    These are the owners, the number of instances of each family, and the holders of stacks.
    """
    found: list[tuple[int, int]] = []
    for family in plan.families:
        if family.kind in (ConstructKind.TILE, ConstructKind.INTERACTABLE):
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
    return tuple(dict.fromkeys(found))
