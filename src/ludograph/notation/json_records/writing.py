"""The loop that writes the events of a record and collects losses, and checks for both notations."""

from collections.abc import Callable, Iterable

from ludograph import settlers
from ludograph.notation.han import action as han_action
from ludograph.notation.headers import can_write_header, format_header
from ludograph.notation.results import Inexpressible, Loss, LossKind, Unwritable

Losses = list[Inexpressible]
"""The parts of an event that its text does not express."""

FormatEvent = Callable[[int, settlers.Event, Losses], Iterable[str]]
"""Formats an event with its index; adds to the losses, or raises Inexpressible if it has no lines."""


def write_events(record: settlers.Record, format_event: FormatEvent) -> tuple[list[str], list[Loss]]:
    """The lines of all events and all losses; the start position is lost."""
    losses: list[Loss] = []
    if record.start is not None:
        losses.append(Loss(LossKind.LOST, "the start position"))
    lines: list[str] = []
    for key, value in record.headers:
        if can_write_header(key, value):
            lines.append(f"# {format_header(key, value)}")
        else:
            losses.append(Loss(LossKind.LOST, f"the header {key!r}"))
    for index, event in enumerate(record.events):
        parts: Losses = []
        try:
            lines += format_event(index, event, parts)
        except Inexpressible as reason:
            parts.append(reason)
        losses += (Loss(part.kind, part.message, index) for part in parts)
    return lines, losses


def following_event(record: settlers.Record, index: int) -> settlers.Event | None:
    """The event after the one with this index."""
    return record.events[index + 1] if index + 1 < len(record.events) else None


def total_of(roll: settlers.Roll, losses: Losses) -> int:
    """The sum of a roll, from 2 to 12; the two dice are a loss."""
    total = check_total(roll.total)
    if isinstance(roll.value, tuple):
        losses.append(
            Inexpressible(f"the dice {roll.value[0]}+{roll.value[1]}, of which only the sum is written")
        )
    return total


def check_total(total: int | None) -> int:
    if total is None:
        raise Inexpressible("a roll whose result is unknown")
    if not 2 <= total <= 12:
        raise Inexpressible(f"a roll of {total}")
    return total


def missing_player(action: settlers.Action) -> Inexpressible:
    """The reason why an action without a player is left out: CGN and SGN require the player.

    The message shows the action in HAN, which is the likely source of such an action.
    """
    try:
        text = han_action.format(action)
    except Unwritable:
        text = repr(action)
    return Inexpressible(f"the action {text}: its player is unknown")
