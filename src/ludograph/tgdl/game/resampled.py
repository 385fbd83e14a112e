"""A snapshot that looks the same to a player, with everything hidden drawn anew."""

from ludograph.play import Generator
from ludograph.play.seats import CannotResample
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.reference.resampling import resample, undrawn_secrets


def resample_snapshot(snapshot: Snapshot, player: int, generator: Generator) -> Snapshot:
    """The snapshot with all secrets drawn anew; CannotResample if nothing draws some of them."""
    world, choices = snapshot.world, snapshot.choices
    undrawn = undrawn_secrets(world.program)
    if undrawn:
        raise CannotResample(world.program.name, undrawn)
    memory = resample(world, snapshot.memory, player, generator, choices)
    return Snapshot.with_resolved_stuck(world, memory, choices)
