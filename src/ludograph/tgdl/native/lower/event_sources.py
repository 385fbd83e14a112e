"""The functions of the native engine that raise events, by event."""

from collections.abc import Callable

from ludograph.tgdl.native.lower.actions import actions, transactions, turns
from ludograph.tgdl.native.lower.board import edits
from ludograph.tgdl.native.lower.driver import commit
from ludograph.tgdl.native.lower.things import change_events, ownership, stacks
from ludograph.tgdl.program.events import Event

SOURCES: dict[Event, Callable[..., object]] = {
    **actions.SOURCES,
    **change_events.SOURCES,
    **commit.SOURCES,
    **edits.SOURCES,
    **ownership.SOURCES,
    **stacks.SOURCES,
    **transactions.SOURCES,
    **turns.SOURCES,
}
