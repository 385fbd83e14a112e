"""The log of a game: every choice with who may know of it, and the moves that the choices make up.

Both engines keep the same log. A viewer is a player, None for anybody (who knows what every player knows), or
ALL, for whom nothing is hidden.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludograph.play.choices import CHANCE, Choice, Kind, format_move
from ludograph.play.record import HIDDEN

ALL: Final = -2
"""A viewer who may know everything."""
Viewer = int | None


class LogEntry(NamedTuple):
    """One choice of a game."""

    choice: Choice
    opens: bool
    """Whether a transaction begins with it."""
    seen: frozenset[int] | None
    """The players who have learnt of it; None: everybody."""
    is_sealed: bool = False
    """Whether a simultaneous phase keeps it hidden now, because not everybody has chosen."""


class LoggedMove(NamedTuple):
    """One chooser's uninterrupted run of choices, as a viewer may know it."""

    chooser: int
    text: str

    @property
    def line(self) -> str:
        """The move with its chooser; chance is `*`."""
        return f"{'*' if self.chooser == CHANCE else self.chooser}: {self.text}"


def logged_moves(entries: Iterable[LogEntry], viewer: Viewer, players: int) -> list[LoggedMove]:
    """The moves of a log, as a viewer may know them; `?` is what is hidden.

    A move begins with a transaction, or within one with another chooser. A player who is stuck right after a
    move and asked then makes a second move with the answer.
    """
    found: list[LoggedMove] = []
    run: list[Choice] = []
    for entry in entries:
        choice = entry.choice
        if run and (entry.opens or choice.chooser != run[0].chooser):
            found.append(_logged(run))
            run = []
        is_open = is_known(entry, viewer, players)
        run.append(choice if is_open else hidden(choice))
    if run:
        found.append(_logged(run))
    return found


def _logged(run: list[Choice]) -> LoggedMove:
    return LoggedMove(run[0].chooser, format_move(without_shape(run)))


def hidden(choice: Choice) -> Choice:
    """A choice as somebody sees it who may not know what was chosen."""
    return replace(choice, value=None, text=HIDDEN)


def is_known(entry: LogEntry, viewer: Viewer, players: int) -> bool:
    """Whether a viewer may know of a choice."""
    if viewer in (ALL, entry.choice.chooser):
        return True
    if entry.is_sealed:
        return False
    if entry.seen is None:
        return True
    return len(entry.seen) == players if viewer is None else viewer in entry.seen


def without_shape(move: Iterable[Choice]) -> list[Choice]:
    """A move as somebody sees it who does not see all of it: nor what it asks for, nor how many were picked.

    With the action hidden its inputs would tell which it is.
    """
    choices = list(move)
    if choices[0].kind is Kind.ACTION and choices[0].text == HIDDEN:
        return choices[:1]
    found: list[Choice] = []
    for choice in choices:
        if choice.text != HIDDEN or choice.kind not in (Kind.PICK, Kind.STOP):
            found.append(choice)
        elif not (choice.index and found and (found[-1].name, found[-1].text) == (choice.name, HIDDEN)):
            found.append(replace(choice, kind=Kind.INPUT))
    return found
