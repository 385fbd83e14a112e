"""The log of a game: every choice with the players who may know it, and the moves made of the choices.

Both engines keep the same log. A viewer is a player, None for a spectator (who knows what all players know),
or ALL, who knows everything.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludograph.play.choices import CHANCE, PICKS, Choice, Kind, format_move
from ludograph.play.record import HIDDEN

ALL: Final = -2
"""A viewer who knows everything."""
Viewer = int | None


class LogEntry(NamedTuple):
    """One choice of a game."""

    choice: Choice
    opens: bool
    """Whether a transaction starts with it."""
    seen: frozenset[int] | None
    """The players who know it; None: all players."""
    is_sealed: bool = False
    """Whether a simultaneous phase hides it until all players have chosen."""
    plain: str | None = None
    """Its text without a name that reveals a secret; None: there is no such name in it."""
    readers: frozenset[Viewer] = frozenset()
    """The viewers who may read the name."""


class LoggedMove(NamedTuple):
    """A sequence of choices of one chooser without interruption, as a viewer may know it."""

    chooser: int
    text: str

    @property
    def line(self) -> str:
        """The move with its chooser; chance is `*`."""
        return f"{'*' if self.chooser == CHANCE else self.chooser}: {self.text}"


def logged_moves(entries: Iterable[LogEntry], viewer: Viewer, players: int) -> list[LoggedMove]:
    """The moves of a log, as a viewer may know them; `?` replaces what is hidden.

    A move starts with a transaction, or with another chooser inside a transaction. A player who is stuck
    right after a move and has to choose then makes a second move.
    """
    found: list[LoggedMove] = []
    run: list[Choice] = []
    for entry in entries:
        choice = entry.choice
        if run and (entry.opens or choice.chooser != run[0].chooser):
            found.append(_logged(run))
            run = []
        if not is_known(entry, viewer, players):
            choice = hidden(choice)
        elif entry.plain is not None and not may_read_name(entry, viewer):
            choice = replace(choice, text=entry.plain)
        run.append(choice)
    if run:
        found.append(_logged(run))
    return found


def _logged(run: list[Choice]) -> LoggedMove:
    return LoggedMove(run[0].chooser, format_move(hide_shape(run)))


def hidden(choice: Choice) -> Choice:
    """A choice without what was chosen."""
    return replace(choice, value=None, text=HIDDEN)


def is_known(entry: LogEntry, viewer: Viewer, players: int) -> bool:
    """Whether a viewer may know a choice."""
    if viewer in (ALL, entry.choice.chooser):
        return True
    if entry.is_sealed:
        return False
    if entry.seen is None:
        return True
    return len(entry.seen) == players if viewer is None else viewer in entry.seen


def may_read_name(entry: LogEntry, viewer: Viewer) -> bool:
    """Whether a viewer may read the name in a choice."""
    return viewer in (ALL, entry.choice.chooser) or viewer in entry.readers


def hide_shape(move: Iterable[Choice]) -> list[Choice]:
    """Remove the inputs and the number of picks from a move that a viewer sees only in part.

    The inputs of a hidden action would reveal the action.
    """
    choices = list(move)
    if choices[0].kind is Kind.ACTION and choices[0].text == HIDDEN:
        return choices[:1]
    found: list[Choice] = []
    for choice in choices:
        if choice.text != HIDDEN or choice.kind not in (*PICKS, Kind.STOP):
            found.append(choice)
        elif not (choice.index and found and (found[-1].name, found[-1].text) == (choice.name, HIDDEN)):
            found.append(replace(choice, kind=Kind.INPUT))
    return found
