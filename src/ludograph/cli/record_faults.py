"""Faults in settlers records, for `replay` and `convert`: their places, and the rule as the hint."""

from collections.abc import Sequence
from dataclasses import replace

from ludograph.cli.streams import print_message
from ludograph.hexil.replay.faults import FaultKind, RecordFault
from ludograph.notation.located import Located
from ludograph.text import Diagnostic

MAX_FAULTS = 20
"""Further faults are counted, not shown."""


def print_faults(faults: Sequence[RecordFault], located: Located, *, lenient: bool) -> None:
    """Print the faults as errors, or as warnings if the record is played leniently."""
    for fault in faults[:MAX_FAULTS]:
        diagnostic = locate_fault(fault, located)
        print_message((replace(diagnostic, severity="warning") if lenient else diagnostic).picture())
    if len(faults) > MAX_FAULTS:
        print_message(f"… and {len(faults) - MAX_FAULTS} more")


def locate_fault(fault: RecordFault, located: Located) -> Diagnostic:
    """A fault with its place in the record, and the rule as the hint."""
    where = fault.where if fault.event is not None else ""
    message = f"{where}: {fault.message}" if where else fault.message
    return located.diagnostic(fault.event, fault.kind.value, message, _hint(fault))


def _hint(fault: RecordFault) -> str:
    """The rule, or how to sample what the record leaves open."""
    refusal = fault.refusal
    if fault.kind is FaultKind.UNKNOWN and fault.action is not None:
        return "--seed N samples it; later actions may then be illegal"
    if refusal is None or refusal.diagnostic is None:
        return ""
    condition = " ".join(refusal.condition.split())
    return f"the rule is {refusal.diagnostic.place()}" + (f": {condition}" if condition else "")
