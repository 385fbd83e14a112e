"""Choices of the native engine as the reference engine takes them.

A word means nothing by itself: it may be a number or only a place. Both engines run to the question that it
answers, and what stands at the same place among the candidates of the reference engine is the choice.
"""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl.native.layout.choice_words import decode_opener, part_of_opener
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.reference.transactions import execute
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Memory

Candidates = Callable[[tuple[int, ...]], tuple[int, ...] | None]
"""The candidates of the question that the native engine asks after some choices; None: there is no room."""


def choices_of(plan: Plan, base: Memory, words: tuple[int, ...], candidates: Candidates) -> tuple[Any, ...]:
    """What words mean that were chosen from a base on: both engines ask for them in the same order."""
    found: list[Any] = []
    for place, word in enumerate(words):
        if not place and base.cells[STAGE] == CHOOSING:
            found.append(opener_of(plan, base, word))
            continue
        need = execute(plan.world, base, found).need
        known = candidates(words[:place])
        if known is None:
            raise MemoryError("there is no room to tell a move")
        assert need is not None and len(known) == len(need.values)
        found.append(need.values[known.index(word)])
    return tuple(found)


def opener_of(plan: Plan, base: Memory, word: int) -> tuple[Any, ...]:
    """The action that a player starts."""
    player, deed, number = decode_opener(word)
    action = plan.world.program.actions[deed]
    this = None
    if action.owner is not None:
        this = plan.members(base, plan.family(action.owner))[number]
    return (player, deed, this, part_of_opener(plan.world, word))
