"""The writer of HAN games: header lines, the start position in HSN, then actions, comments and variations.

A turn is one line; a village of the set-up and its road are one line. A variation starts on an indented
line after the action that it replaces and the comments on that action. A comment is written as `# …` on a
line of its own. Inside a variation, or if it has several lines, it is written as `{ … }`.
"""

from collections.abc import Iterable

from ludograph import settlers
from ludograph.notation.acting_player import hide_acting
from ludograph.notation.bought_cards import drop_misfit, hide_cards
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import Dialect
from ludograph.notation.han.progress import Progress
from ludograph.notation.headers import can_write_header, format_header
from ludograph.notation.hsn.writer import format_lenient as format_position
from ludograph.notation.results import Loss, LossKind, Unwritable, Writing, require_lossless
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.record import MAX_VARIATION_DEPTH, walk_variations
from ludograph.text.source import LINE_END

_INDENT = "  "


def format_game(record: settlers.Record, *, dialect: Dialect = "seed") -> str:
    """The text of a game with one turn on each line; raises Unwritable if anything would be lost."""
    return require_lossless("HAN", format_game_lenient(record, dialect=dialect))


def format_game_lenient(record: settlers.Record, *, dialect: Dialect = "seed") -> Writing:
    """The text of the expressible part of a game, and the losses; two dice are invented for a sum.

    The seed's dialect hides which cards are bought, so a header lists them.
    """
    record, misfits = drop_misfit(record)
    record = hide_acting(hide_cards(record) if dialect == "seed" else record)
    losses: list[Loss] = [*misfits]
    parts: list[str] = []
    headers = [pair for pair in record.headers if can_write_header(*pair)]
    losses += [
        Loss(LossKind.LOST, f"the header {key!r}")
        for key, value in record.headers
        if not can_write_header(key, value)
    ]
    if headers:
        parts.append("\n".join(format_header(key, value) for key, value in headers))
    if record.start is not None:
        text, lost = format_position(record.start)
        losses += lost
        parts.append(text)
    writer = _LineWriter(record.events, record.variations, Progress.from_start(record.start), dialect)
    writer.write()
    losses += writer.losses
    if writer.lines:
        parts.append("\n".join(writer.lines))
    return Writing("\n\n".join(parts), tuple(losses))


class _LineWriter:
    """Writes the main line or a variation. Mutable.

    The events are numbered from `first_event`; those of variations follow, in the order of `walk_variations`.
    """

    def __init__(
        self,
        events: tuple[settlers.Event, ...],
        variations: tuple[settlers.Variation, ...],
        progress: Progress,
        dialect: Dialect,
        *,
        first_event: int = 0,
        depth: int = 0,
        in_setup: bool = True,
    ) -> None:
        self.events = events
        self.variations: dict[int, list[tuple[settlers.Variation, int]]] = {}
        """The variations by the event that they replace, each with the number of its first event."""
        first_events = _first_events(variations, first_event + len(events))
        for variation, first in zip(variations, first_events, strict=True):
            self.variations.setdefault(variation.at, []).append((variation, first))
        self.progress = progress
        self.dialect = dialect
        self.first_event = first_event
        self.depth = depth
        self.in_setup = in_setup
        self.lines: list[str] = []
        self.losses: list[Loss] = []
        self.action_count = 0
        self._words: list[str] = []

    def write(self) -> None:
        """Write all events into `lines`."""
        waiting: list[tuple[settlers.Variation, int]] = []
        before: tuple[Progress, bool] | None = None
        for index, (event, upcoming) in enumerate(zip(self.events, next_actions(self.events), strict=True)):
            if isinstance(event, settlers.Commented):
                self._write_comment(event.text, index)
            else:
                self._write_variations(waiting, before)
                waiting, before = [], None
                state, count = (self.progress, self.in_setup), self.action_count
                self._write_event(event, upcoming, index)
                before = state if self.action_count > count else None
            starting = self.variations.get(index, ())
            waiting += starting
            if isinstance(event, settlers.Commented) and starting:
                before = None  # a variation replaces an action, not a comment
        self._write_variations(waiting, before)
        self._break_line()
        for at, misplaced in self.variations.items():
            if not 0 <= at < len(self.events):
                for _, first in misplaced:
                    self._lose("a variation: there is no event that it replaces", first)

    def _break_line(self) -> None:
        if self._words:
            self.lines.append(_INDENT * self.depth + " ".join(self._words))
            self._words = []

    def _lose(self, message: str, event: int, kind: LossKind = LossKind.LOST) -> None:
        place = " (in a variation)" if self.depth else ""
        self.losses.append(Loss(kind, message + place, event))

    def _write_comment(self, text: str, index: int) -> None:
        in_braces = self.depth > 0 or LINE_END.search(text) is not None
        if in_braces and "}" not in text:
            if not self.depth:
                self._break_line()
            self._words.append("{ " + text + " }")
            if not self.depth:
                self._break_line()
            return
        joined = " ".join(LINE_END.split(text))
        if joined != text:
            self._lose("the line breaks inside a comment", self.first_event + index)
        self._break_line()
        self.lines.append(_INDENT * self.depth + (f"# {joined}" if joined else "#"))

    def _write_event(self, event: settlers.Event, next_action: settlers.Action | None, index: int) -> None:
        number = self.first_event + index
        if not isinstance(event, settlers.Act):
            self._lose(f"{event!r}", number)
            return
        out_of_order = _describe_misplaced(event.action, next_action, self.progress)
        if out_of_order:
            self._lose(out_of_order, number)
            return
        self.progress = self.progress.after(event.action)
        self.in_setup = self.in_setup and type(event.action) in PLACED_PIECE
        word = self._format_action(event.action, number)
        if word is None:
            return
        self.action_count += 1
        self._words.append(word)
        if isinstance(event.action, settlers.EndTurn) or (
            self.in_setup and isinstance(event.action, settlers.PlaceRoad)
        ):
            self._break_line()

    def _write_variations(
        self, variations: list[tuple[settlers.Variation, int]], before: tuple[Progress, bool] | None
    ) -> None:
        for variation, first in variations:
            if before is None:
                self._lose("a variation: the action that it replaces is not written", first)
                continue
            if self.depth >= MAX_VARIATION_DEPTH:
                self._lose("a variation that is nested too deep", first)
                continue
            progress, in_setup = before
            writer = _LineWriter(
                variation.events,
                variation.variations,
                progress,
                self.dialect,
                first_event=first,
                depth=self.depth + 1,
                in_setup=in_setup,
            )
            writer.write()
            if not writer.action_count:
                self._lose("a variation without an action that can be written", first)
                continue
            self.losses += writer.losses
            self._break_line()
            self.lines += _enclose(writer.lines, _INDENT * writer.depth)

    def _format_action(self, action: settlers.Action, index: int) -> str | None:
        if isinstance(action, settlers.Roll) and isinstance(action.value, int):
            total = action.value
            if not 2 <= total <= 12:
                self._lose(f"a roll of {total}", index)
                return None
            low = max(1, total - 6)
            self._lose(f"the dice {low}+{total - low} of a roll of {total}", index, LossKind.INVENTED)
            action = settlers.Roll((low, total - low))
        try:
            return han_action.format(action, dialect=self.dialect)
        except Unwritable as error:
            for loss in error.losses:
                self._lose(loss.message, index, loss.kind)
            return None


def _first_events(variations: Iterable[settlers.Variation], first: int) -> list[int]:
    """The number of the first event of each variation; the first of all is `first`."""
    numbers: list[int] = []
    for variation in variations:
        numbers.append(first)
        first += sum(len(each.events) for each in walk_variations((variation,)))
    return numbers


def _enclose(lines: list[str], indent: str) -> list[str]:
    """The lines of a variation in parentheses."""
    opened = [indent + "(" + lines[0].removeprefix(indent), *lines[1:]]
    if opened[0].startswith(f"{indent}(#"):
        opened[0] = f"{indent}( {lines[0].removeprefix(indent)}"
    if opened[-1].lstrip().startswith(("#", "( #")):
        return [*opened, f"{indent})"]
    return [*opened[:-1], opened[-1] + ")"]


def _describe_misplaced(
    action: settlers.Action, next_action: settlers.Action | None, progress: Progress
) -> str:
    """The loss of an action that the parser would reject at this point; empty if it would accept it."""
    if (
        isinstance(action, settlers.Buy)
        and next_action is not None
        and PLACED_PIECE.get(type(next_action)) is not action.piece
    ):
        return f"a {action.piece.value} that was bought but not placed"
    if progress.fault_of(action) is None:
        return ""
    match action:
        case settlers.EndTurn():
            return "the end of a turn in the set-up"
        case settlers.Buy() | settlers.BuyCard() if progress.in_setup:
            return "a purchase in the set-up"
        case _ if progress.in_setup:
            return "an action that does not belong to the set-up, before the set-up is complete"
        case _ if not progress.bought:
            return f"a {PLACED_PIECE[type(action)].value} without a purchase"
        case _:
            return "an action before the placement of a bought piece"


def next_actions(events: tuple[settlers.Event, ...]) -> list[settlers.Action | None]:
    """For each event, the next action after it."""
    following: list[settlers.Action | None] = []
    upcoming: settlers.Action | None = None
    for event in reversed(events):
        following.append(upcoming)
        if isinstance(event, settlers.Act):
            upcoming = event.action
    return following[::-1]
