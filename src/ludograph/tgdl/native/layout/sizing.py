"""The size of a state: a layout with enough capacity for the instances of a sample state."""

from typing import Any

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.program import Attach, New
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import MAX_FAMILY_SIZE, Memory
from ludograph.tgdl.world.world import World

MAX_STATE_SIZE = 1 << 28
"""Bytes of the largest state without its lists: offsets have 32 bits, and a run needs several copies."""


def creates_instances(world: World) -> bool:
    """Whether later states may have other instances than the start, so that a layout needs a sample."""
    return world.changes or any(isinstance(node, New | Attach) for node in walk(_creating_parts(world)))


def _creating_parts(world: World) -> tuple[Any, ...]:
    """The parts of a program that may create instances. The pieces of a board exist from the start."""
    program = world.program
    return program.actions, program.verbs, program.turns, program.setups, program.constructs


def plan_of(world: World, sample: Memory, growth: int = 1) -> Plan:
    """The layout of a world: families as in a sample state, growing families `growth` times as large."""
    first = Plan(world, {}, frozenset())
    program = world.program
    created = first.created_by(walk(_creating_parts(world))) | _added(first, sample)
    in_play = first.created_by(walk((program.actions, program.verbs, program.turns)))
    capacities = {family.name: max(1, len(first.members(sample, family))) for family in first.families}
    for name in in_play:
        capacities[name] = max(64, 2 * capacities[name])
    kinds = {family.name: len(family.kinds) for family in first.families}
    for name in created:
        capacities[name] = min(MAX_FAMILY_SIZE * kinds[name], capacities[name] * growth)
    plan = Plan(world, capacities, created)
    if plan.fixed_size > MAX_STATE_SIZE:
        raise Unsupported(
            f"a state of {plan.fixed_size:,} bytes without its lists, and native code has room for "
            f"{MAX_STATE_SIZE:,}"
        )
    return plan


def has_capacity(plan: Plan, memory: Memory) -> bool:
    """Whether a layout has enough capacity for the instances of a state."""
    start = plan.world.start
    assert start is not None
    for family in plan.families:
        count = len(plan.members(memory, family))
        if count > family.capacity or (not family.grows and count != len(plan.members(start, family))):
            return False
    return True


def _added(plan: Plan, sample: Memory) -> frozenset[str]:
    """The families of which a state has other instances than the start: a loaded position may add some."""
    start = plan.world.start
    assert start is not None
    return frozenset(
        family.name
        for family in plan.families
        if len(plan.members(sample, family)) != len(plan.members(start, family))
    )
