"""The limit of what is written about a state: views, JSON and bytes.

A game may have 65,535 instances of each construct, and hundreds of attributes. Its state is small in memory,
but its view would take gigabytes.
"""

from ludograph.tgdl.native.layout.output_size import OutputSize
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.limits import MAX_VALUES
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.output_size import written_values
from ludograph.tgdl.world.world import World


def check_output(world: World, memory: Memory) -> None:
    """Raise a fault if a state has too many values to be written."""
    families = zip(world.kinds, memory.families, strict=True)
    _check(world, sum(len(family) * written_values(world, kind) for kind, family in families))


def check_block_output(world: World, size: OutputSize, block: bytes) -> None:
    """The same for a block of the native engine."""
    if size.largest > MAX_VALUES:  # no other game needs to count; this runs for every view
        _check(world, size.of(block))


def _check(world: World, values: int) -> None:
    if values > MAX_VALUES:
        message = f"the state has {values:,} values, but at most {MAX_VALUES:,} can be shown or saved"
        assert world.start is not None
        raise Run(world, world.start).new_fault("TG0519", message, NOWHERE)
