"""The functions of the reference engine that raise events, by event."""

from collections.abc import Callable

from ludograph.tgdl.program.events import Event
from ludograph.tgdl.reference import actions, moving, transactions, turns
from ludograph.tgdl.reference.compile import library, targets

SOURCES: dict[Event, Callable[..., object]] = {
    **actions.SOURCES,
    **library.SOURCES,
    **moving.SOURCES,
    **targets.SOURCES,
    **transactions.SOURCES,
    **turns.SOURCES,
}
