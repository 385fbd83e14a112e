"""Unmatched braces: which brace is missing or surplus, and the one error that reports it.

After an unmatched brace the parser reports errors about the declarations and parts that follow. When it finds
the brace, it withdraws these errors and reports the brace.
"""

from collections.abc import Collection

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.parser.stream import PART_STARTS, STATEMENT_BOUNDARIES, TokenStream

# The codes of errors about things in the wrong block.
MISPLACED = frozenset(("TG0202", "TG0204", "TG0205", "TG0208", "TG0209", "TG0215"))

# What to write in a verb with parameters in parentheses instead of a part.
IN_VERBS = {
    "require": "a verb contains statements: write `if not (…) return false;`",
    "effect": "a verb contains statements: write them without `effect`",
    "input": "write the inputs that the caller supplies in the parentheses: `verb f(decimal n) { … }`",
}

# An error at most this many tokens before a brace may be about the brace.
NEAR_BRACE = 20

# The maximum distance, in tokens, in which the `}` of a block is searched.
FURTHEST_BRACE = 20_000


def is_misplaced(stream: TokenStream, opening: int) -> bool:
    """Whether the declaration or part here is misplaced in the block that token `opening` begins."""
    if stream.on_new_line(stream.at):
        return stream.indentation(stream.at) > stream.indentation(opening)
    return stream.unclosed_braces() == 0


def parse_misplaced(stream: TokenStream) -> tree.ErrorNode:
    """Report a declaration or part that is not allowed here, and skip it."""
    text, first, outer = stream.texts[stream.at], stream.at, stream.begin_node()
    if text in PART_STARTS:
        hint = "write it next to the effects, in the action itself"
        if stream.in_verb:
            hint = IN_VERBS.get(text, "a verb contains statements; write this in an action")
        stream.error("TG0209", f"'{text}' is not allowed in a block of statements", hint=hint)
    else:
        hint = "declare it outside, at the top level of the file"
        stream.error("TG0215", f"'{text}' is not allowed in this block", hint=hint)
    stream.at += 1
    stream.skip_statement()
    stream.end_node(first, outer)
    return stream.error_node(first)


def lacks_opening_brace(stream: TokenStream) -> bool:
    """Whether a `{` is missing before this token: its `}` is on the same line or at the same indentation."""
    depth = 0
    if not stream.may_search_far():
        return False
    for index in range(stream.at, min(stream.at + FURTHEST_BRACE, stream.end)):
        text = stream.texts[index]
        if text == "{":
            depth += 1
        elif text == "}":
            if depth == 0:
                return _closes_missing_brace(stream, index)
            depth -= 1
    return False


def _closes_missing_brace(stream: TokenStream, closing: int) -> bool:
    """Whether the brace at `closing` belongs to the `{` that is missing before this token."""
    if stream.on_new_line(closing):
        alike = stream.indentation(closing) == stream.indentation(stream.at - 1)
        return alike and (stream.on_new_line(stream.at) or stream.unclosed_braces() < 0)
    between = stream.source.text[stream.starts[stream.at - 1] : stream.starts[closing]]
    return stream.unclosed_braces() < 0 and "\n" not in between and "\r" not in between


def skip_to_brace(stream: TokenStream) -> bool:
    """Report a surplus token before a `{`, and skip it."""
    if stream.texts[stream.at] in STATEMENT_BOUNDARIES or stream.text_at(stream.at + 1) != "{":
        return False
    if stream.begins_another() and stream.texts[stream.at] != stream.texts[stream.at - 1]:
        return False
    stream.error("TG0204", f"expected '{{', found {stream.found()}", hint="remove it")
    stream.at += 1
    return True


def expect_opening(stream: TokenStream, after: str = "") -> bool:
    """Take the `{` of a block, or report that it is missing; returns whether the block can be read."""
    if stream.next_is("{") or skip_to_brace(stream):
        stream.at += 1
        return True
    where = f" {after}" if after else ""
    stream.error("TG0204", f"expected '{{'{where}, found {stream.found()}")
    return recover_opening_brace(stream)


def recover_opening_brace(stream: TokenStream) -> bool:
    """Continue as if there were a `{` here, if one is missing. The caller has reported the error."""
    if not lacks_opening_brace(stream):
        return False
    stream.add_repaired_braces(1)
    return True


def skip_stray_brace(stream: TokenStream) -> bool:
    """Skip a surplus `{`, if the source has more `{` than `}`. The caller has reported the error."""
    if not stream.next_is("{") or stream.unclosed_braces() <= 0:
        return False
    stream.at += 1
    stream.add_repaired_braces(-1)
    return True


def report_unclosed(stream: TokenStream, opening: int) -> None:
    """Report that the block of the `{` at `opening` does not end before the next token."""
    stream.is_broken = True
    if stream.has_given_up:
        return  # the `}` may be in the rest, which the parser has not read
    stream.add_repaired_braces(-1)
    if any(stream.texts[place] == "{" for place in _suspects(stream, opening)):
        stream.reported_at = stream.at  # a `{` that was reported took the `}` of this one
        return
    if _withdraw_errors(stream, opening, MISPLACED, keeps_semicolons=True):
        stream.reported_at = -1
        stream.allow_next_error()
    start = stream.starts[_first_misindented(stream, opening)]
    message = f"this '{{' is never closed; expected '}}' before {stream.found()}"
    stream.error("TG0203", message, Span(start, start + 1), "", (stream.here(), "expected '}' before this"))


def report_unopened(stream: TokenStream, since: int) -> None:
    """Report the `}` here as surplus, or an earlier one that ended the declaration at `since` too early."""
    suspects = _suspects(stream, since)
    if not suspects:
        stream.error("TG0205", "this '}' has no matching '{'")
    elif _has_errors_before(stream, suspects[0]):
        _withdraw_errors(stream, suspects[0], MISPLACED)
    else:
        _report_surplus_brace(stream, suspects[0])
    stream.add_repaired_braces(1)
    stream.at += 1


def _has_errors_before(stream: TokenStream, suspect: int) -> bool:
    """Whether an error was reported a few tokens before a brace, which may be about that brace."""
    return bool(_error_tokens_between(stream, suspect - NEAR_BRACE, suspect))


def _error_tokens_between(stream: TokenStream, first: int, end: int) -> list[int]:
    """The tokens of errors in the range from `first` to `end`."""
    return [place for place in stream.error_tokens if first <= place < end]


def _report_surplus_brace(stream: TokenStream, suspect: int) -> None:
    """Withdraw the errors after a surplus `}`, and report that brace."""
    is_behind = stream.texts[suspect - 1] == "}"
    first = stream.at if not is_behind else suspect
    reported = [
        one for one, place in zip(stream.diagnostics, stream.error_tokens, strict=True) if place == first
    ]
    if not any(one.code in MISPLACED for one in reported):
        _withdraw_errors(stream, suspect + 1, MISPLACED)
        return
    _withdraw_errors(stream, suspect, MISPLACED)
    start = stream.starts[suspect - 1]
    message = "one '}' too many: this one ends the block, so a later one has no matching '{'"
    note = (stream.here(), "this '}' has no matching '{'")
    stream.reported_at = -1
    stream.allow_next_error()
    stream.error("TG0205", message, Span(start, start + 1), "", note)


def _suspects(stream: TokenStream, since: int) -> list[int]:
    """The tokens from `since` on that have an error next to a brace."""
    if not _error_tokens_between(stream, since, stream.at + 1):
        return []  # all errors were suppressed
    error_tokens = stream.brace_error_tokens
    first = len(error_tokens)
    while first and error_tokens[first - 1] >= since:
        first -= 1
    return error_tokens[first:]


def _withdraw_errors(
    stream: TokenStream, since: int, codes: Collection[str], *, keeps_semicolons: bool = False
) -> int:
    """Withdraw the errors with one of the codes from token `since` on; returns their number.

    If `keeps_semicolons`, keep the errors about a missing semicolon before a `}`, whatever the braces mean.
    """
    first = len(stream.error_tokens)
    while first and stream.error_tokens[first - 1] >= since:
        first -= 1
    kept = [
        (one, place)
        for one, place in zip(stream.diagnostics[first:], stream.error_tokens[first:], strict=True)
        if one.code not in codes or (keeps_semicolons and one.code == "TG0202" and _ends_block(stream, place))
    ]
    forgotten = len(stream.error_tokens) - first - len(kept)
    if forgotten and stream.first_suppressed is None:
        staying = {id(one) for one, _ in kept}
        stream.first_suppressed = next(one for one in stream.diagnostics[first:] if id(one) not in staying)
    stream.reported -= forgotten
    stream.diagnostics[first:] = [one for one, _ in kept]
    stream.error_tokens[first:] = [place for _, place in kept]
    return forgotten


def _ends_block(stream: TokenStream, place: int) -> bool:
    """Whether the token is a `}` after a token that is neither a brace nor a semicolon."""
    return stream.texts[place] == "}" and stream.texts[place - 1] not in STATEMENT_BOUNDARIES


def _first_misindented(stream: TokenStream, opening: int) -> int:
    """The first `{` from `opening` on whose `}` has another indentation: its own `}` is missing."""
    waiting: list[int] = []
    for index in range(max(opening, stream.at - 50_000), stream.at):
        if stream.texts[index] == "{":
            waiting.append(index)
        elif stream.texts[index] == "}" and waiting:
            begin = waiting.pop()
            if stream.on_new_line(index) and stream.indentation(begin) != stream.indentation(index):
                return begin
    return opening
