"""Braces that do not match: which one is meant, and what is said about it.

A brace too many or too few makes all that follows it look misplaced. So what was reported of that is taken
back when the brace is found, and one error stays for one brace.
"""

from collections.abc import Collection

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.parser.stream import BORDERS, PART_STARTS, TokenStream

# What is said of things that stand in the wrong block.
MISPLACED = frozenset(("TG0202", "TG0204", "TG0205", "TG0208", "TG0209", "TG0215"))

# So few tokens before a brace something wrong may have to do with it.
NEAR_BRACE = 20

# How far ahead to look for the brace that closes a block.
FURTHEST_BRACE = 20_000


def is_misplaced(stream: TokenStream, opening: int) -> bool:
    """Whether what begins here is meant to stand in the block of token `opening`, where it cannot."""
    if stream.on_new_line(stream.at):
        return stream.indentation(stream.at) > stream.indentation(opening)
    return stream.surplus() == 0


def parse_misplaced(stream: TokenStream) -> tree.ErrorNode:
    """A declaration or part that cannot stand here: report it, and go behind it."""
    text, first, outer = stream.texts[stream.at], stream.at, stream.begin_node()
    if text in PART_STARTS:
        hint = "it stands beside the effects, in the action itself"
        stream.error("TG0209", f"'{text}' does not belong into a block of statements", hint=hint)
    else:
        hint = "declare it outside, at the top of the file"
        stream.error("TG0215", f"'{text}' cannot stand inside this block", hint=hint)
    stream.at += 1
    stream.skip_statement()
    stream.end_node(first, outer)
    return tree.ErrorNode(stream.span_from(stream.starts[first]))


def has_lost_brace(stream: TokenStream) -> bool:
    """Whether a `{` was left out before this token: its `}` stands below the line before, or in its line."""
    depth = 0
    if not stream.may_look_far():
        return False
    for index in range(stream.at, min(stream.at + FURTHEST_BRACE, stream.end)):
        text = stream.texts[index]
        if text == "{":
            depth += 1
        elif text == "}":
            if depth == 0:
                return _fits(stream, index)
            depth -= 1
    return False


def _fits(stream: TokenStream, closing: int) -> bool:
    """Whether the brace at `closing` ends what the `{` left out before this token would begin."""
    if stream.on_new_line(closing):
        alike = stream.indentation(closing) == stream.indentation(stream.at - 1)
        return alike and (stream.on_new_line(stream.at) or stream.surplus() < 0)
    between = stream.source.text[stream.starts[stream.at - 1] : stream.starts[closing]]
    return stream.surplus() < 0 and "\n" not in between and "\r" not in between


def skip_to_brace(stream: TokenStream) -> bool:
    """Report one thing too many before a `{`, and go behind it."""
    if stream.texts[stream.at] in BORDERS or stream.text_at(stream.at + 1) != "{":
        return False
    if stream.begins_another() and stream.texts[stream.at] != stream.texts[stream.at - 1]:
        return False
    stream.error("TG0204", f"expected '{{', found {stream.found()}", hint="leave it out")
    stream.at += 1
    return True


def expect_opening(stream: TokenStream, after: str = "") -> bool:
    """Take the `{` of a block, or report that it is missing; whether the block goes on here all the same."""
    if stream.next_is("{") or skip_to_brace(stream):
        stream.at += 1
        return True
    where = f" {after}" if after else ""
    stream.error("TG0204", f"expected '{{'{where}, found {stream.found()}")
    return take_lost_brace(stream)


def take_lost_brace(stream: TokenStream) -> bool:
    """Read on as if there were a `{` here, if one was left out; that was told."""
    if not has_lost_brace(stream):
        return False
    stream.make_good(1)
    return True


def skip_stray_brace(stream: TokenStream) -> bool:
    """Go behind a `{` that begins nothing, if there are more of them than close; it was told."""
    if not stream.next_is("{") or stream.surplus() <= 0:
        return False
    stream.at += 1
    stream.make_good(-1)
    return True


def report_unclosed(stream: TokenStream, opening: int) -> None:
    """Report that the block which token `opening` began does not end before what comes next."""
    stream.is_broken = True
    if stream.gave_up:
        return  # what closes it may stand in what was not read
    stream.make_good(-1)
    if any(stream.texts[place] == "{" for place in _suspects(stream, opening)):
        stream.error_at = stream.at  # it is closed by the brace of one that was told to be out of place
        return
    if _take_back(stream, opening, MISPLACED, keeps_semicolons=True):
        stream.error_at = -1
        stream.trust()
    start = stream.starts[_misfit(stream, opening)]
    message = f"this '{{' is never closed; {stream.found()} comes first"
    stream.error("TG0203", message, Span(start, start + 1), "", (stream.here(), "before its '}'"))


def report_unopened(stream: TokenStream, since: int) -> None:
    """Report the `}` here, which closes nothing; or the one that ended too early what began at `since`."""
    suspects = _suspects(stream, since)
    if not suspects:
        stream.error("TG0205", "this '}' closes nothing")
    elif _is_anything_told(stream, suspects[0]):
        _take_back(stream, suspects[0], MISPLACED)
    else:
        _blame(stream, suspects[0])
    stream.make_good(1)
    stream.at += 1


def _is_anything_told(stream: TokenStream, suspect: int) -> bool:
    """Whether an error shortly before a token may have to do with its brace."""
    return bool(_told(stream, suspect - NEAR_BRACE, suspect))


def _told(stream: TokenStream, first: int, end: int) -> list[int]:
    """The tokens from one to before another at which errors were reported."""
    return [place for place in stream.places if first <= place < end]


def _blame(stream: TokenStream, suspect: int) -> None:
    """Take back what was reported of things behind a `}` that is one too many, and report the brace."""
    is_behind = stream.texts[suspect - 1] == "}"
    first = stream.at if not is_behind else suspect
    told = [one for one, place in zip(stream.diagnostics, stream.places, strict=True) if place == first]
    if not any(one.code in MISPLACED for one in told):
        _take_back(stream, suspect + 1, MISPLACED)
        return
    _take_back(stream, suspect, MISPLACED)
    start = stream.starts[suspect - 1]
    message = "one '}' too many: this one ends the block, and a later one closes nothing"
    note = (stream.here(), "closes nothing then")
    stream.error_at = -1
    stream.trust()
    stream.error("TG0205", message, Span(start, start + 1), "", note)


def _suspects(stream: TokenStream, since: int) -> list[int]:
    """The tokens from `since` on at which something was wrong beside a brace."""
    if not _told(stream, since, stream.at + 1):
        return []  # whatever was wrong, nobody was told
    places = stream.brace_errors
    first = len(places)
    while first and places[first - 1] >= since:
        first -= 1
    return places[first:]


def _take_back(
    stream: TokenStream, since: int, codes: Collection[str], *, keeps_semicolons: bool = False
) -> int:
    """Forget the errors with one of the codes from token `since` on; gives how many there were.

    If `keeps_semicolons`, one that is missing before a `}` is missing whatever the braces mean.
    """
    first = len(stream.places)
    while first and stream.places[first - 1] >= since:
        first -= 1
    kept = [
        (one, place)
        for one, place in zip(stream.diagnostics[first:], stream.places[first:], strict=True)
        if one.code not in codes or (keeps_semicolons and one.code == "TG0202" and _ends_block(stream, place))
    ]
    forgotten = len(stream.places) - first - len(kept)
    if forgotten and stream.first_silenced is None:
        staying = {id(one) for one, _ in kept}
        stream.first_silenced = next(one for one in stream.diagnostics[first:] if id(one) not in staying)
    stream.told -= forgotten
    stream.diagnostics[first:] = [one for one, _ in kept]
    stream.places[first:] = [place for _, place in kept]
    return forgotten


def _ends_block(stream: TokenStream, place: int) -> bool:
    """Whether a `}` stands there behind something else than a brace."""
    return stream.texts[place] == "}" and stream.texts[place - 1] not in BORDERS


def _misfit(stream: TokenStream, opening: int) -> int:
    """The first `{` from `opening` on whose `}` stands at another indentation: that one lacks its own."""
    waiting: list[int] = []
    for index in range(max(opening, stream.at - 50_000), stream.at):
        if stream.texts[index] == "{":
            waiting.append(index)
        elif stream.texts[index] == "}" and waiting:
            begin = waiting.pop()
            if stream.on_new_line(index) and stream.indentation(begin) != stream.indentation(index):
                return begin
    return opening
