"""HAN game files: header lines, a start position in HSN or CCN, then actions.

Actions are words separated by blanks; `#` starts a comment that extends to the end of its line. HAN
does not name the player of an action, except for discards: the player follows from the turn order. The
parser checks the rules of HAN about the order of actions (see `progress`).
"""

import re

from ludograph import settlers
from ludograph.notation.bought_cards import hide_cards, reveal_cards
from ludograph.notation.ccn import reader as ccn_reader
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import Dialect, fail_after_action, take_action
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
    check_size,
    reading_with_warnings,
    require_lossless,
    take_byte_order_mark,
)
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.text import Cursor, Diagnostic, Nonsense, Source, Span
from ludograph.text.source import LINE_END

CODES: dict[str, str] = han_action.CODES | {
    "NT0109": "the game starts with a byte order mark (lenient parsing accepts it)",
    "NT1107": "the set-up has only placements",
    "NT1108": "the action after a purchase places the piece",
    "NT1109": "no purchase pays for a placed piece",
}

_BLANKS = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"# ?([^\r\n]*)")
_WORD_END = re.compile(r"[ \t\r\n#]|$")


def parse_game(text: str) -> settlers.Record:
    """Parse a game; raises BadText or Nonsense.

    >>> parse_game("Uk M(d4) # a knight").actions
    (UseKnight(), MoveRobber(tile=Hex(0, 0)))
    """
    return read_game(Source(text), lenient=False).value


def parse_game_lenient(text: str) -> Reading[settlers.Record]:
    """Parse a game; actions in the wrong order are kept with a warning, except turn ends in the set-up."""
    return read_game(Source(text), lenient=True)


def read_game(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[settlers.Record]:
    """Parse a source with one game; the spans of the events are added to `spans`."""
    check_size(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0109", lenient=lenient)
    events: list[settlers.Event] = []
    event_spans: list[Span] = [] if spans is None else spans
    headers: list[tuple[str, str]] = []
    # Comments may come before and between the headers and the start position.
    while True:
        cursor.maybe_match(_BLANKS)
        if comment := cursor.maybe_match(_COMMENT):
            events.append(settlers.Commented(comment[1]))
            event_spans.append(Span(*comment.span()))
        elif cursor.peek() == "[" and (more := take_headers(cursor)):
            headers += more
        else:
            break
    start, placements = _take_start(cursor, event_spans)
    events += placements
    progress = Progress.from_start(start)
    for act in placements:
        progress = progress.after(act.action)
    while True:
        cursor.maybe_match(_BLANKS)
        if cursor.at_end:
            break
        if comment := cursor.maybe_match(_COMMENT):
            events.append(settlers.Commented(comment[1]))
            event_spans.append(Span(*comment.span()))
            continue
        offset = cursor.offset
        faults: list[Diagnostic] = []
        action = take_action(cursor, faults, players=start.players if start is not None else None)
        if not _WORD_END.match(cursor.text, cursor.offset):
            fail_after_action(cursor, offset, "separate actions by a blank")
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
        event_spans.append(Span(offset, cursor.offset))
    record = reveal_cards(settlers.Record(tuple(events), start, tuple(headers)))
    return reading_with_warnings(record, warnings)


def _take_start(
    cursor: Cursor, spans: list[Span]
) -> tuple[settlers.Position | None, tuple[settlers.Act, ...]]:
    """Take the start position, if there is one, and the placements of a CCN set-up with their spans."""
    if cursor.peek() == "[":
        return take_position(cursor, in_game=True), ()
    if ccn_reader.begins_at(cursor):
        position, placements = ccn_reader.take_start(cursor, spans)
        return position, tuple(settlers.Act(act.action) for act in placements)
    return None, ()


def format_game(record: settlers.Record, *, dialect: Dialect = "seed") -> str:
    """The text of a game with one turn on each line; raises Unwritable if anything would be lost."""
    return require_lossless("HAN", format_game_lenient(record, dialect=dialect))


def format_game_lenient(record: settlers.Record, *, dialect: Dialect = "seed") -> Writing:
    """The text of the expressible part of a game, and the losses; two dice are invented for a sum.

    The seed's dialect hides which cards are bought, so a header lists them.
    """
    record = hide_cards(record) if dialect == "seed" else record
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
    """The lines of the actions: one line for each turn, in the set-up one for each village with its road."""
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
                losses.append(Loss(LossKind.LOST, "the line breaks inside a comment", index))
            lines.append(f"# {text}" if text else "#")
            continue
        if not isinstance(event, settlers.Act):
            losses.append(Loss(LossKind.LOST, f"{event!r}", index))
            continue
        out_of_order = _describe_misplaced(event.action, next_action, progress)
        if out_of_order:
            losses.append(Loss(LossKind.LOST, out_of_order, index))
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


def _word(action: settlers.Action, dialect: Dialect, index: int, losses: list[Loss]) -> str | None:
    if isinstance(action, settlers.Roll) and isinstance(action.value, int):
        total = action.value
        if not 2 <= total <= 12:
            losses.append(Loss(LossKind.LOST, f"a roll of {total}", index))
            return None
        low = max(1, total - 6)
        losses.append(Loss(LossKind.INVENTED, f"the dice {low}+{total - low} of a roll of {total}", index))
        action = settlers.Roll((low, total - low))
    try:
        return han_action.format(action, dialect=dialect)
    except Unwritable as error:
        losses += [Loss(loss.kind, loss.message, index) for loss in error.losses]
        return None
