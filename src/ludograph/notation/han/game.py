"""HAN game files: header lines, a start position in HSN or CCN, then actions.

Actions are words separated by blanks; `#` begins a comment that runs to the end of its line.
HAN does not say who acts (but for discards): the turn order does. Three rules of the notation
are checked here because the text alone shows them (see `progress`): the set-up has placements
only, what is bought is placed by the very next action, and two roads follow a card for roads.
"""

import re

from ludograph import settlers
from ludograph.notation import ccn
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import Dialect, take_action
from ludograph.notation.han.progress import Progress
from ludograph.notation.headers import can_write_header, format_header, take_headers
from ludograph.notation.hsn.reader import take_position
from ludograph.notation.hsn.writer import format_lenient as format_position
from ludograph.notation.results import (
    Loss,
    LossKind,
    Reading,
    Unwritable,
    Writing,
    lossless,
    reading_with,
    refuse_huge,
    take_byte_order_mark,
)
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.text import Cursor, Diagnostic, Nonsense, Source, Span
from ludograph.text.source import LINE_END

CODES: dict[str, str] = han_action.CODES | {
    "NT0109": "the game begins with a byte order mark (lenient reading goes on)",
    "NT1107": "the set-up has placements only",
    "NT1108": "what is bought is placed by the next action",
    "NT1109": "a piece is placed that nothing paid for",
}

_BLANKS = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"# ?([^\r\n]*)")
_WORD_END = re.compile(r"[ \t\r\n#]|$")


def parse_game(text: str) -> settlers.Record:
    """Read a game.

    >>> parse_game("Uk M(d4) # a knight").actions
    (UseKnight(), MoveRobber(tile=Hex(0, 0)))
    """
    return read_game(Source(text), lenient=False).value


def parse_game_lenient(text: str) -> Reading[settlers.Record]:
    """Read a game; what is out of place is kept with a warning, but for turn ends in the set-up."""
    return read_game(Source(text), lenient=True)


def read_game(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[settlers.Record]:
    """Read a source that is one game; where each event stands is added to `spans`."""
    refuse_huge(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0109", lenient=lenient)
    events: list[settlers.Event] = []
    places: list[Span] = [] if spans is None else spans
    headers: list[tuple[str, str]] = []
    # Comments may stand before and between the headers and the start position.
    while True:
        cursor.maybe_match(_BLANKS)
        if comment := cursor.maybe_match(_COMMENT):
            events.append(settlers.Commented(comment[1]))
            places.append(Span(*comment.span()))
        elif cursor.peek() == "[" and (more := take_headers(cursor)):
            headers += more
        else:
            break
    begin = cursor.offset
    start, placements = _take_start(cursor)
    events += placements
    places += [Span(begin, cursor.offset)] * len(placements)
    progress = Progress.from_start(start)
    for act in placements:
        progress = progress.after(act.action)
    while True:
        cursor.maybe_match(_BLANKS)
        if cursor.at_end:
            break
        if comment := cursor.maybe_match(_COMMENT):
            events.append(settlers.Commented(comment[1]))
            places.append(Span(*comment.span()))
            continue
        offset = cursor.offset
        faults: list[Diagnostic] = []
        action = take_action(cursor, faults, players=start.players if start is not None else None)
        if not _WORD_END.match(cursor.text, cursor.offset):
            cursor.fail(
                "NT0106", f"the action ends before {cursor.found()}", hint="separate actions by a blank"
            )
        if faults:
            raise Nonsense(faults[0])
        fault = progress.fault_of(action)
        if fault is not None:
            code, message, hint = fault
            diagnostic = cursor.diagnostic(code, message, start=offset, hint=hint)
            if not lenient:
                raise Nonsense(diagnostic)
            warnings.append(diagnostic)
            if code == "NT1107" and isinstance(action, settlers.EndTurn):
                continue
        progress = progress.after(action)
        events.append(settlers.Act(action))
        places.append(Span(offset, cursor.offset))
    return reading_with(settlers.Record(tuple(events), start, tuple(headers)), warnings)


def _take_start(cursor: Cursor) -> tuple[settlers.Position | None, tuple[settlers.Act, ...]]:
    """Take the start position, if there is one, and the placements that CCN tells with it."""
    if cursor.peek() == "[":
        return take_position(cursor, in_game=True), ()
    if ccn.begins_at(cursor):
        position, placements = ccn.take_start(cursor)
        return position, tuple(settlers.Act(act.action) for act in placements)
    return None, ()


def format_game(record: settlers.Record, *, dialect: Dialect = "seed") -> str:
    """Write a game, one turn a line; raises Unwritable rather than leave anything out."""
    return lossless("HAN", format_game_lenient(record, dialect=dialect))


def format_game_lenient(record: settlers.Record, *, dialect: Dialect = "seed") -> Writing:
    """Write what HAN can say of a game, and list the rest. A dice pair is invented from a sum."""
    losses: list[Loss] = []
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
    lines = _lines(record, dialect, losses)
    if lines:
        parts.append("\n".join(lines))
    return Writing("\n\n".join(parts), tuple(losses))


def _lines(record: settlers.Record, dialect: Dialect, losses: list[Loss]) -> list[str]:
    """The actions: one line a turn, in the set-up one line a village with its road."""
    lines: list[str] = []
    line: list[str] = []
    in_setup = True
    progress = Progress.from_start(record.start)
    upcoming = next_actions(record.events)
    for index, (event, next_action) in enumerate(zip(record.events, upcoming, strict=True)):
        if isinstance(event, settlers.Commented):
            if line:
                lines.append(" ".join(line))
                line = []
            text = " ".join(LINE_END.split(event.text))
            if text != event.text:
                losses.append(Loss(LossKind.LOST, "the line ends inside a comment", index))
            lines.append(f"# {text}" if text else "#")
            continue
        if not isinstance(event, settlers.Act):
            losses.append(Loss(LossKind.LOST, f"{event!r}", index))
            continue
        misplaced = _misplaced(event.action, next_action, progress)
        if misplaced:
            losses.append(Loss(LossKind.LOST, misplaced, index))
            continue
        progress = progress.after(event.action)
        in_setup = in_setup and type(event.action) in PLACED_PIECE
        word = _word(event.action, dialect, index, losses)
        if word is None:
            continue
        line.append(word)
        if isinstance(event.action, settlers.EndTurn) or (
            in_setup and isinstance(event.action, settlers.PlaceRoad)
        ):
            lines.append(" ".join(line))
            line = []
    if line:
        lines.append(" ".join(line))
    return lines


def _misplaced(action: settlers.Action, next_action: settlers.Action | None, progress: Progress) -> str:
    """Why the reader would refuse an action in its place; empty if it would not."""
    if (
        isinstance(action, settlers.Buy)
        and next_action is not None
        and PLACED_PIECE.get(type(next_action)) is not action.piece
    ):
        return f"a {action.piece.value} that is bought and not placed"
    if progress.fault_of(action) is None:
        return ""
    match action:
        case settlers.EndTurn():
            return "the end of a turn in the set-up"
        case settlers.Buy() | settlers.BuyCard() if progress.in_setup:
            return "a purchase in the set-up"
        case _ if progress.in_setup:
            return "an action that does not belong to the set-up, before its end"
        case _ if not progress.owed:
            return f"a {PLACED_PIECE[type(action)].value} that nobody paid for"
        case _:
            return "an action before the pieces that must be placed"


def next_actions(events: tuple[settlers.Event, ...]) -> list[settlers.Action | None]:
    """For every event, the action that comes after it."""
    following: list[settlers.Action | None] = []
    upcoming: settlers.Action | None = None
    for event in reversed(events):
        following.append(upcoming)
        if isinstance(event, settlers.Act):
            upcoming = event.action
    return following[::-1]


def _word(action: settlers.Action, dialect: Dialect, index: int, losses: list[Loss]) -> str | None:
    if isinstance(action, settlers.Roll) and isinstance(action.value, int):
        total = action.value
        if not 2 <= total <= 12:
            losses.append(Loss(LossKind.LOST, f"a roll of {total}", index))
            return None
        low = max(1, total - 6)
        losses.append(Loss(LossKind.INVENTED, f"the dice {low}+{total - low} of a roll of {total}", index))
        action = settlers.Roll((low, total - low))
    if isinstance(action, settlers.BuyCard) and action.card is not None and dialect == "seed":
        losses.append(
            Loss(LossKind.LOST, f"the card bought ({action.card.value}): the seed's dialect hides it", index)
        )
        action = settlers.BuyCard(None)
    try:
        return han_action.format(action, dialect=dialect)
    except Unwritable as error:
        losses += [Loss(loss.kind, loss.message, index) for loss in error.losses]
        return None
