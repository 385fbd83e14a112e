"""Run-time errors: failures that the author wrote, and faults of the program.

The statements `fail` and `cancel` raise `Failed` and `Cancelled`, which end the transaction or the action.
Play goes on. A `Fault` is a mistake in the rules (division by zero, none where a value is needed, no fuel).
It has a code, a source location and a call stack.
"""

from functools import cached_property
from typing import Any

from msgspec import Struct

from ludograph.play import RulesWrong
from ludograph.play.record import HIDDEN
from ludograph.text import Diagnostic, Portable, Source, Span, printable

CODES = {
    "TG0501": "a value is required, but it is none",
    "TG0502": "division by zero",
    "TG0503": "a number is too large, or a result is not a number",
    "TG0504": "a negative index",
    "TG0505": "a list is too long",
    "TG0506": "no fuel is left",
    "TG0507": "calls are nested too deeply",
    "TG0508": "a value is outside its range",
    "TG0509": "a tile already holds a piece",
    "TG0510": "too many instances of one construct",
    "TG0511": "a random choice has no candidates",
    "TG0512": "a failure after a choice of another player or of chance",
    "TG0513": "a shuffled card is read where a random choice is not allowed",
    "TG0514": "a piece, card or tile is not in the expected place",
    "TG0515": "a player is required, but there is none",
    "TG0516": "a key is not in a table",
    "TG0518": "an unknown setup or an invalid option",
    "TG0519": "a state is too large",
    "TG0521": "a player has too many moves to list",
}

MAX_STEPS = 12
"""The greatest number of calls in a formatted fault."""


class Site(Struct, frozen=True):
    """A location in the source of the program."""

    file: int
    span: Span


class CallSite(Struct, frozen=True):
    """An entry of the call stack: an action, verb, trigger or block, and its location."""

    what: str
    site: Site
    price: int = 1
    """The fuel cost of the call."""


class Fault(Portable, RulesWrong):
    """The rules did something undefined: what, where, and the call stack."""

    def __init__(self, code: str, message: str, site: Site, calls: tuple[CallSite, ...] = ()) -> None:
        super().__init__(message := printable(message))
        assert code in CODES, code
        self.code = code
        self.message = message
        self.site = site
        self.calls = calls
        self.also: tuple[tuple[str, Site], ...] = ()
        """Other relevant locations with a note each: for none, the attribute that held it."""
        self.sources: tuple[Source, ...] = ()
        self.has_secrets = False
        """Whether the game has secrets, which the message may contain."""

    def for_players(self) -> "Fault":
        """The fault as players may read it: in a game with secrets, without values in its message."""
        if not self.has_secrets:
            return self
        messages = Fault(self.code, CODES[self.code], self.site, self.calls)
        messages.also, messages.sources, messages.has_secrets = self.also, self.sources, True
        return messages

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault as a diagnostic with its source."""
        source = self.sources[self.site.file] if self.site.file < len(self.sources) else Source("")
        notes = tuple((place.span, words) for words, place in self.also if place.file == self.site.file)
        return Diagnostic(self.code, self.message, self.site.span, source=source, notes=notes)

    def picture(self) -> str:
        """The formatted fault with its location and the call stack, innermost call first."""
        shown = self.diagnostic.picture()
        if self.site.span.end == 0:  # the fault concerns the configuration and has no location
            shown = shown.partition("\n")[0]
        return "\n".join([shown, *self._steps()])

    def _steps(self) -> list[str]:
        """The call stack, one call per line; the middle of a long stack is left out."""
        rows: list[str] = []
        for call in reversed(self.calls):
            source = self.sources[call.site.file] if call.site.file < len(self.sources) else Source("")
            place = Diagnostic(self.code, "", call.site.span, source=source).place()
            rows.append(f"  in {call.what} ({place})")
        if len(rows) > MAX_STEPS:
            left_out = len(rows) - MAX_STEPS
            rows[MAX_STEPS // 2 : -MAX_STEPS // 2] = [f"  … {left_out} more calls …"]
        return rows

    def __str__(self) -> str:
        return self.picture() if self.sources else self.message


class Failed(Exception):
    """The transaction is undone: `fail`, a require that does not hold, or an input without candidates."""

    def __init__(
        self,
        message: str,
        site: Site,
        *,
        test: Any = None,
        frame: Any = None,
        messages: tuple[str, ...] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.messages = messages
        """By player: the message with only what that player may see; None: all players may read all of it."""
        self.site = site
        self.test = test
        """The require that did not hold, and its frame."""
        self.frame = frame


class Cancelled(Exception):
    """`cancel`: ends an effect or an action, but not the action that triggered it."""

    def __init__(
        self, effect: str, message: str, site: Site, messages: tuple[str, ...] | None = None
    ) -> None:
        super().__init__(message)
        self.effect = effect
        """The key of the cancelled effects; "all": the whole action."""
        self.site = site
        self.messages = messages
        """By player: the message with only what that player may see; None: all players may read all of it."""

    def message_for(self, players: tuple[int, ...]) -> str:
        """The message with only what all these players may see; without players, the whole message."""
        if self.messages is None or not players:
            return str(self)
        readings = {self.messages[player] for player in players}
        return readings.pop() if len(readings) == 1 else HIDDEN


class GameEnded(Exception):
    """`win`, `draw`, `finish`: the game ends at this statement. The run has the result."""


class NeedChoice(Exception):
    """The run has reached a choice that is not in the list of choices."""

    def __init__(
        self,
        chooser: int,
        kind: str,
        name: str,
        values: list[Any],
        *,
        weights: list[int] | None = None,
        seen_by: frozenset[int] | None = None,
        index: int = 0,
        origin: Any = None,
    ) -> None:
        super().__init__(name)
        self.origin = origin
        """The compiled input and its frame, for explaining why a filter refuses a value."""
        self.chooser = chooser
        self.kind = kind
        """"input", "pick", "effect" or "chance"."""
        self.name = name
        self.values = values
        """The candidates as internal values; STOP ends a list."""
        self.weights = weights
        self.seen_by = seen_by
        self.index = index
        self.texts: dict[Any, str] | None = None
        """The texts of named instances among the candidates, once they are known."""

    @cached_property
    def is_mixed(self) -> bool:
        """Whether the candidates have several types, or are lists that may contain several types."""
        kinds = {type(value) for value in self.values} - _PLAIN
        return len(kinds) > 1 or tuple in kinds


class Stop:
    """The candidate that ends a list input."""

    def __repr__(self) -> str:
        return "STOP"


STOP = Stop()
_PLAIN = frozenset((type(None), Stop))


class NothingToChoose(Failed):
    """An input has no candidate that passes its filters."""

    def __init__(self, message: str, site: Site, origin: Any = None) -> None:
        super().__init__(message, site)
        self.origin = origin
        """As `NeedChoice.origin`."""
