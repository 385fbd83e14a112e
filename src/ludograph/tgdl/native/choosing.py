"""Choices of the native engine as the reference engine takes them.

A word means nothing by itself: the reference engine runs to the question that it answers, and the candidate
that has this word is the choice.
"""

from typing import Any

from ludograph.tgdl.interpreter.faults import STOP
from ludograph.tgdl.interpreter.transactions import execute
from ludograph.tgdl.memory import CHOOSING, STAGE, Instance, Memory
from ludograph.tgdl.native.images import pack, unpack
from ludograph.tgdl.native.ir import F64, I64
from ludograph.tgdl.native.plan import Plan
from ludograph.tgdl.native.words import NONE_CHOICE, STOP_CHOICE, decode_opener, part_of_opener


def choices_of(plan: Plan, base: Memory, words: tuple[int, ...]) -> tuple[Any, ...]:
    """What words mean that were chosen from a base on."""
    world = plan.world
    found: list[Any] = []
    for word in words:
        if not found and base.cells[STAGE] == CHOOSING:
            found.append(opener_of(plan, base, word))
            continue
        need = execute(world, base, tuple(found)).need
        if need is None:
            break
        things = [value for value in need.values if isinstance(value, Instance)]
        families = {plan.family_of_kind[thing.kind.index].index for thing in things}
        is_mixed = len(families) > 1
        matching = [value for value in need.values if word in _words(plan, base, value, is_mixed=is_mixed)]
        if not matching:
            break
        found.append(matching[0])
    return tuple(found)


def opener_of(plan: Plan, base: Memory, word: int) -> tuple[Any, ...]:
    """The action that a player starts."""
    player, deed, number = decode_opener(word)
    action = plan.world.program.actions[deed]
    this = None
    if action.owner is not None:
        this = plan.members(base, plan.family(action.owner))[number]
    return (player, deed, this, part_of_opener(plan.world, word))


def _words(plan: Plan, base: Memory, value: Any, *, is_mixed: bool) -> tuple[int, ...]:
    """The words that a candidate may have; none if only its place among the others is one."""
    if value is None:
        return (NONE_CHOICE,)
    if value is STOP:
        return (STOP_CHOICE,)
    if isinstance(value, float):
        return (int(unpack(I64, pack(F64, value), 0)),)
    if isinstance(value, Instance):
        # Where things of several families may be meant, the family is told as well.
        number = plan.number_of(base, value)
        told = plan.family_of_kind[value.kind.index].index << 32 | number
        return (told,) if is_mixed else (number, told)
    return (int(value),) if isinstance(value, int) else ()
