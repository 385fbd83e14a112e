"""The parser of HAN games: it reports headers, the start position, events and variations to a handler.

Actions are words separated by blanks. `#` starts a comment that extends to the end of its line, `{` one that
extends to the next `}`. A `(` where an action could begin starts a variation, which replaces the last action
before it; the `(` of an action is never the first character of a word. HAN does not name the player of an
action, except for discards: the player follows from the turn order. The parser checks the rules of HAN about
the order of actions in each line of play (see `progress`).

The parser builds nothing itself, so that a visitor can read a file of any size.
"""

import re
from typing import Protocol

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.ccn import reader as ccn_reader
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import fail_after_action, take_action
from ludograph.notation.han.progress import Progress
from ludograph.notation.headers import take_headers
from ludograph.notation.hsn.reader import take_position
from ludograph.notation.results import check_size, take_byte_order_mark
from ludograph.settlers.record import MAX_VARIATION_DEPTH
from ludograph.settlers.visitors import SKIP, Skip
from ludograph.text import Cursor, Diagnostic, Nonsense, Source, Span

CODES: dict[str, str] = han_action.CODES | {
    "NT0109": "the game starts with a byte order mark (lenient parsing accepts it)",
    "NT0110": "a variation follows the action that it replaces",
    "NT0111": "a variation has at least one action",
    "NT0112": "a variation starts with ( and ends with )",
    "NT0113": f"variations nest at most {MAX_VARIATION_DEPTH} deep",
    "NT0114": "a comment that starts with { ends with }",
    "NT1107": "the set-up has only placements",
    "NT1108": "the action after a purchase places the piece",
    "NT1109": "no purchase pays for a placed piece",
}

_BLANKS = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"# ?([^\r\n]*)|\{ ?([^}]*?) ?\}")
_WORD_END = re.compile(r"[ \t\r\n#{]|$")
_WORD_END_IN_VARIATION = re.compile(r"[ \t\r\n#{)]|$")


class GameHandler(Protocol):
    """Receives the parts of a game in the order of the text; an event comes with the limits of its text."""

    def visit_header(self, key: str, value: str) -> None: ...

    def end_headers(self) -> Skip | None: ...

    def visit_start(self, position: settlers.Position) -> None: ...

    def visit_event(self, event: settlers.Event, start: int, end: int) -> None: ...

    def begin_variation(self) -> Skip | None: ...

    def end_variation(self) -> None: ...


class _Line(Struct):
    """A line of play: the main line, or a variation with the place where it starts. Mutable."""

    progress: Progress
    before: Progress | None = None
    """The progress before the last action; None if no variation can replace it."""
    start: int = 0
    has_actions: bool = False
    skipped: bool = False


def parse_into(source: Source, handler: GameHandler, *, lenient: bool) -> tuple[Diagnostic, ...]:
    """Report the game of a source to a handler; returns the faults that lenient parsing accepts."""
    check_size(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0109", lenient=lenient)
    comments = _take_headers_and_comments(cursor, handler)
    if handler.end_headers() is SKIP:
        return tuple(warnings)
    spans: list[Span] = []
    start, placements = _take_start(cursor, spans)
    if start is not None:
        handler.visit_start(start)
    for text, first, end in comments:
        handler.visit_event(settlers.Commented(text), first, end)
    line = _Line(Progress.from_start(start))
    for act, span in zip(placements, spans, strict=True):
        handler.visit_event(act, span.start, span.end)
        line.before = line.progress
        line.progress = line.progress.after(act.action)
    players = start.players if start is not None else None
    _GameParser(cursor, handler, line, players, lenient, warnings).run()
    return tuple(warnings)


def _take_headers_and_comments(cursor: Cursor, handler: GameHandler) -> list[tuple[str, int, int]]:
    """Take the headers, and return the comments before and between them and before the start position."""
    comments: list[tuple[str, int, int]] = []
    while True:
        cursor.maybe_match(_BLANKS)
        if (comment := _maybe_comment(cursor)) is not None:
            comments.append(comment)
        elif cursor.peek() == "[" and (headers := take_headers(cursor)):
            for key, value in headers:
                handler.visit_header(key, value)
        else:
            return comments


def _maybe_comment(cursor: Cursor) -> tuple[str, int, int] | None:
    """Take a comment, if there is one: its text and its limits."""
    found = cursor.maybe_match(_COMMENT)
    if found is not None:
        return found[1] if found[1] is not None else found[2], found.start(), found.end()
    if cursor.peek() == "{":
        cursor.fail("NT0114", "this comment has no end", hint="end it with }")
    return None


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


class _GameParser:
    """Parses the actions, comments and variations of a game. Mutable."""

    def __init__(
        self,
        cursor: Cursor,
        handler: GameHandler,
        main_line: _Line,
        players: int | None,
        lenient: bool,
        warnings: list[Diagnostic],
    ) -> None:
        self.cursor = cursor
        self.handler = handler
        self.line = main_line
        self.outer: list[_Line] = []
        """The lines around the current one, the main line first."""
        self.players = players
        self.lenient = lenient
        self.warnings = warnings

    def run(self) -> None:
        cursor = self.cursor
        while True:
            cursor.maybe_match(_BLANKS)
            match cursor.peek():
                case "":
                    break
                case "#" | "{":
                    comment = _maybe_comment(cursor)
                    assert comment is not None, "a comment begins here"
                    if not self.line.skipped:
                        self.handler.visit_event(settlers.Commented(comment[0]), comment[1], comment[2])
                case "(":
                    self._begin_variation()
                case ")":
                    self._end_variation()
                case _:
                    self._take_action()
        if self.outer:
            hint = "write ) after the last action of the variation"
            cursor.fail("NT0112", "this variation has no end", start=self.line.start, hint=hint)

    def _take_action(self) -> None:
        cursor, line = self.cursor, self.line
        offset = cursor.offset
        faults: list[Diagnostic] = []
        action = take_action(cursor, faults, players=self.players)
        word_end = _WORD_END_IN_VARIATION if self.outer else _WORD_END
        if not word_end.match(cursor.text, cursor.offset):
            fail_after_action(cursor, offset, "separate actions by a blank")
        if faults:
            raise Nonsense(faults[0])
        fault = line.progress.fault_of(action)
        if fault is not None:
            code, message, hint = fault
            diagnostic = cursor.diagnostic(code, message, start=offset, hint=hint)
            if not self.lenient:
                raise Nonsense(diagnostic)
            self.warnings.append(diagnostic)
            if code == "NT1107" and isinstance(action, settlers.EndTurn):
                line.before = None
                return
        line.before = line.progress
        line.progress = line.progress.after(action)
        line.has_actions = True
        if not line.skipped:
            self.handler.visit_event(settlers.Act(action), offset, cursor.offset)

    def _begin_variation(self) -> None:
        cursor, line = self.cursor, self.line
        if line.before is None:
            hint = "write the variation after the action that it replaces: R(3+4) (R(1+2) E) M(d4)"
            cursor.fail("NT0110", "this variation has no action before it to replace", hint=hint)
        if len(self.outer) >= MAX_VARIATION_DEPTH:
            hint = "write it as a variation of an outer line"
            cursor.fail("NT0113", f"variations nest at most {MAX_VARIATION_DEPTH} deep", hint=hint)
        skipped = line.skipped or self.handler.begin_variation() is SKIP
        self.outer.append(line)
        self.line = _Line(line.before, start=cursor.offset, skipped=skipped)
        cursor.offset += 1

    def _end_variation(self) -> None:
        cursor, line = self.cursor, self.line
        if not self.outer:
            cursor.fail("NT0112", "this ) ends no variation", hint="a variation starts with ( after a blank")
        if not line.has_actions:
            hint = "leave it out, or write the actions that replace the one before it"
            end = cursor.offset + 1
            cursor.fail("NT0111", "this variation has no action", start=line.start, end=end, hint=hint)
        cursor.offset += 1
        self.line = self.outer.pop()
        if not line.skipped:
            self.handler.end_variation()
