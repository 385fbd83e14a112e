"""The limit of what is written about a state: views, JSON and bytes.

A game may have 65,535 instances of each construct, and hundreds of attributes. Its state is small in memory,
but its view would take gigabytes.
"""

from struct import unpack_from

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.limits import LETTERS_OF_ELEMENT, MAX_VALUES
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


def check_output(world: World, memory: Memory) -> None:
    """Raise a fault if a state has too many values to be written."""
    _check(world, [len(family) for family in memory.families])


def check_block_output(plan: Plan, block: bytes) -> None:
    """The same for a block of the native engine. Instances of related constructs count as the widest."""
    counts = [0] * len(plan.world.kinds)
    for family in plan.families:
        (count,) = unpack_from("<i", block, family.count_at)
        widest = max(family.kinds, key=lambda kind: kind.width)
        counts[widest.index] += count
    _check(plan.world, counts)


def _check(world: World, counts: list[int]) -> None:
    letters = world.longest_string // LETTERS_OF_ELEMENT
    total = 0
    for kind, count in zip(world.kinds, counts, strict=True):
        strings = sum(each.type in (Basic.STRING, Basic.OBJECT) for each in kind.construct.attributes)
        total += count * (kind.width + strings * letters)
    if total > MAX_VALUES:
        message = f"the state has {total:,} values, but at most {MAX_VALUES:,} can be shown or saved"
        assert world.start is not None
        raise Run(world, world.start).new_fault("TG0519", message, NOWHERE)
