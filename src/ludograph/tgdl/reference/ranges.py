"""Ranges: checks that the new value of an attribute is within its declared range."""

from typing import Any

from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.values import format_number
from ludograph.tgdl.world.world import THIS, Frame


def check_range(run: Run, instance: Instance, slot: int, value: Any, site: Site) -> None:
    """Raise a fault if the value is outside the range of the attribute."""
    low, high, _ = run.world.ranges.get((instance.kind.name, slot), (None, None, site))
    if (low is None and high is None) or value is None:
        return
    frame: Frame = [None] * (instance.kind.construct.frame + 3)
    frame[THIS] = instance
    least = None if low is None else low(run, frame)
    most = None if high is None else high(run, frame)
    if (least is not None and value < least) or (most is not None and value > most):
        name = instance.kind.construct.attributes[slot].name
        ends = " to ".join("none" if end is None else format_number(end) for end in (least, most))
        run.fault("TG0508", f"'{name}' goes from {ends}, but this is {format_number(value)}", site)
