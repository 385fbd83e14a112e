"""The size of a state: a layout plan with room for as many things as a sample state has."""

from typing import Any

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.program import Attach, New
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import LARGEST_FAMILY, Memory
from ludograph.tgdl.world.world import World

LARGEST_STATE = 1 << 28
"""Bytes of the largest state, lists apart: offsets have 32 bits, and there are several copies of it."""


def makes_things(world: World) -> bool:
    """Whether later states may have other things than the start, so that a plan takes a sample of them."""
    return world.changes or any(isinstance(node, New | Attach) for node in walk(_makers(world)))


def _makers(world: World) -> tuple[Any, ...]:
    """The texts that may make things. What a board is filled with is there from the beginning."""
    program = world.program
    return program.actions, program.verbs, program.turns, program.setups, program.constructs


def plan_of(world: World, sample: Memory, room: int = 1) -> Plan:
    """The plan of a world, its families as large as in a sample state, those that grow so many times."""
    first = Plan(world, {}, frozenset())
    program = world.program
    made = first.made_by(walk(_makers(world))) | _added(first, sample)
    in_play = first.made_by(walk((program.actions, program.verbs, program.turns)))
    capacities = {family.name: max(1, len(first.members(sample, family))) for family in first.families}
    for name in in_play:
        capacities[name] = max(64, 2 * capacities[name])
    kinds = {family.name: len(family.kinds) for family in first.families}
    for name in made:
        capacities[name] = min(LARGEST_FAMILY * kinds[name], capacities[name] * room)
    plan = Plan(world, capacities, made)
    if plan.fixed_size > LARGEST_STATE:
        raise Unsupported(
            f"a state of {plan.fixed_size:,} bytes without its lists, and native code has room for "
            f"{LARGEST_STATE:,}"
        )
    return plan


def has_room(plan: Plan, memory: Memory) -> bool:
    """Whether blocks of a plan hold the things of a state."""
    start = plan.world.start
    assert start is not None
    for family in plan.families:
        count = len(plan.members(memory, family))
        if count > family.capacity or (not family.grows and count != len(plan.members(start, family))):
            return False
    return True


def _added(plan: Plan, sample: Memory) -> frozenset[str]:
    """Families of which a state has other things than the beginning: a position may bring some."""
    start = plan.world.start
    assert start is not None
    return frozenset(
        family.name
        for family in plan.families
        if len(plan.members(sample, family)) != len(plan.members(start, family))
    )
