"""Decoding choice words of the native engine into choices of the reference engine.

A word has no meaning by itself: it may be a number or only an index. Both engines run to the question that
the word answers. The choice is the candidate of the reference engine at the same index.
"""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl.native.layout.choice_words import decode_opener, part_of_opener
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.reference.transactions import execute
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Memory

Candidates = Callable[[tuple[int, ...]], tuple[int, ...] | None]
"""The candidates of the native engine for the question after some choices; None: there is no memory."""


def choices_of(plan: Plan, base: Memory, words: tuple[int, ...], candidates: Candidates) -> tuple[Any, ...]:
    """Decode the choices since a base; both engines ask for them in the same order."""
    found: list[Any] = []
    for place, word in enumerate(words):
        if not place and base.cells[STAGE] == CHOOSING:
            found.append(opener_of(plan, base, word))
            continue
        need = execute(plan.world, base, found).need
        known = candidates(words[:place])
        if known is None:
            raise MemoryError("there is not enough memory to decode a move")
        assert need is not None and len(known) == len(need.values)
        found.append(need.values[known.index(word)])
    return tuple(found)


def opener_of(plan: Plan, base: Memory, word: int) -> tuple[Any, ...]:
    """The action that a player starts."""
    player, action_index, number = decode_opener(word)
    action = plan.world.program.actions[action_index]
    this = None
    if action.owner is not None:
        this = plan.members(base, plan.family(action.owner))[number]
    return (player, action_index, this, part_of_opener(plan.world, word))
