"""What the code that writes texts and its callers both know; nothing here lowers anything."""

import json
from enum import IntEnum

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.program import ConstructKind

EXPORTS = ("view", "move_texts", "opener_texts", "answer_texts")
"""The functions that are called from outside."""
UNWRITTEN = 1
"""The character in place of a text that Python has to find."""
INSERTION_SIZE = 32
"""Bytes of an insertion: where it belongs, what it is, and two words."""


class Insert(IntEnum):
    """What Python writes into a text."""

    NUMBER = 1
    """A decimal: its bits."""
    STRING = 2
    """A string by its number, as it is written in a move."""
    JSON_STRING = 3
    """A string by its number, as JSON."""
    OPENER = 4
    """An action with its receiver: the choice that starts it."""
    THING = 5
    """A thing by its name: its family and number, as a reference of several families has them."""


def json_text(text: str) -> str:
    """A text as JSON that can be written in UTF-8: halves of characters are escaped."""
    found = json.dumps(text, ensure_ascii=False)
    try:
        found.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return found


def signature_columns(plan: Plan) -> tuple[tuple[int, int], ...]:
    """The stretches of a block, as offsets and ends, that the names of states and of their actions depend on.

    These are the owners, the number of things in each family, and the holders of stacks.
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
