"""Tokens of the formatter: their final spellings, the comments around them, and the spaces between them.

This module applies the usual spellings and removes superfluous tokens, so that the layout need not know them.
"""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser import Parsed
from ludograph.tgdl.syntax.raw_texts import needs_blank
from ludograph.tgdl.syntax.traversal import CHILDREN
from ludograph.tgdl.syntax.tree.actions import Verb
from ludograph.tgdl.syntax.tree.declarations import File, MemberNumber
from ludograph.tgdl.syntax.tree.expressions import (
    Argument,
    Call,
    LinkKind,
    LinkStep,
    ListLiteral,
    Unary,
    UnaryOperator,
)
from ludograph.tgdl.syntax.tree.rule_tests import PlayedMove, RawText, RefusedMove
from ludograph.tgdl.syntax.tree.statements import Message

NO_SPACE_BEFORE = frozenset((",", ";", ")", "]", ".", "..", "["))
NO_SPACE_AFTER = frozenset(("(", "[", ".", ".."))
TOKENS_OF_ARROW = {
    LinkKind.ONE_WAY: 1,
    LinkKind.TWO_WAY: 1,
    LinkKind.REMOVE_ONE_WAY: 2,
    LinkKind.REMOVE_TWO_WAY: 3,
}


class Comment(Struct, frozen=True):
    """A comment, and whether an empty line comes before it."""

    text: str
    after_blank: bool


class Tokens(Struct, frozen=True):
    """All tokens of a source, in parallel lists; the last one is the end and has no text."""

    texts: list[str]  # in their final spelling
    by_start: dict[int, int]  # the token that begins at an offset, or the one inserted before it
    by_end: dict[int, int]
    leading: list[tuple[Comment, ...]]  # comments on the lines before the token
    trailing: list[str]  # the comment after the token on its line
    on_new_line: list[bool]
    after_blank: list[bool]  # whether an empty line comes before it and its comments
    blank_after_comments: list[bool]  # whether an empty line comes between its comments and it
    spaced: list[bool]  # whether a space comes before it within a line
    signs: frozenset[int]  # the unary plus and minus signs
    opener: dict[int, int]  # the opening brace of each closing brace

    def __post_init__(self) -> None:
        assert len(self.texts) == len(self.leading) == len(self.trailing) == len(self.spaced)


def arrange_tokens(parsed: Parsed) -> Tokens:
    """The tokens of a source without errors, for the layout."""
    collected = _collect(parsed)
    texts = collected.texts
    tight, signs, apart = _attachments(parsed.tree, collected)
    spaced = [False] * len(texts)
    for index in range(1, len(texts)):
        before, text = texts[index - 1], texts[index]
        joined = (
            index in tight
            or index - 1 in signs
            or text in NO_SPACE_BEFORE
            or before in NO_SPACE_AFTER
            or (before == "random" and text == "(")
        )
        spaced[index] = index in apart or not joined
    return Tokens(
        texts=texts,
        by_start=collected.by_start,
        by_end=collected.by_end,
        leading=collected.leading,
        trailing=collected.trailing,
        on_new_line=collected.on_new_line,
        after_blank=collected.after_blank,
        blank_after_comments=collected.blank_after_comments,
        spaced=spaced,
        signs=frozenset(signs),
        opener=_openers(texts),
    )


class _Collected:
    """The tokens and comments so far. Mutable."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.own: dict[int, int] = {}  # the token that begins at an offset, never an inserted one
        self.by_start: dict[int, int] = {}
        self.by_end: dict[int, int] = {}
        self.leading: list[tuple[Comment, ...]] = []
        self.trailing: list[str] = []
        self.on_new_line: list[bool] = []
        self.after_blank: list[bool] = []
        self.blank_after_comments: list[bool] = []

    def add(
        self,
        text: str,
        comments: list[Comment],
        new_line: bool,
        blank: bool,
        blank_before_comments: bool | None,
    ) -> None:
        """Add a token, with the comments and empty lines before it."""
        self.texts.append(text)
        self.leading.append(tuple(comments))
        self.trailing.append("")
        self.on_new_line.append(new_line)
        self.after_blank.append(blank if blank_before_comments is None else blank_before_comments)
        self.blank_after_comments.append(blank and bool(comments))


def _collect(parsed: Parsed) -> _Collected:
    """Collect the tokens, and attach each comment to a token that is kept."""
    collected = _Collected()
    lexed, spelling = parsed.lexed, parsed.spelling
    number = -1  # the number of the token in the parser's stream
    comments: list[Comment] = []
    newlines = 0  # line ends since the last token or comment
    first_blank: bool | None = None  # whether an empty line comes before the comments of the next token
    new_line = True
    ends: dict[str, int] = {}  # the number of line ends in each blank piece
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        if kind is TokenKind.BLANK:
            newlines += ends[piece] if piece in ends else ends.setdefault(piece, _line_ends(piece))
            continue
        if kind is TokenKind.COMMENT:
            text = "//" + piece[2:].rstrip()
            if newlines == 0 and collected.texts and not comments and not collected.trailing[-1]:
                collected.trailing[-1] = text
            else:
                comments.append(Comment(text, newlines > 1))
                first_blank = newlines > 1 if first_blank is None else first_blank
            new_line, newlines = True, 0
            continue
        number += 1
        text = spelling.instead.get(number, piece)
        new_line = new_line or newlines > 0
        if not text:
            # Parentheses around an expression may begin or end with a token that is removed.
            for added in (spelling.before.get(number), spelling.after.get(number)):
                if added:
                    collected.add(added, comments, new_line, newlines > 1, first_blank)
                    comments, newlines, first_blank, new_line = [], 0, None, False
                    collected.by_end[start + len(piece)] = len(collected.texts) - 1
            continue
        collected.by_start[start] = len(collected.texts)
        put_before = spelling.before.get(number)
        if put_before:
            collected.add(put_before, comments, new_line, newlines > 1, first_blank)
            comments, newlines, first_blank, new_line = [], 0, None, False
        collected.own[start] = len(collected.texts)
        collected.add(text, comments, new_line, newlines > 1, first_blank)
        put_after = spelling.after.get(number)
        if put_after:
            collected.add(put_after, [], False, False, None)
        collected.by_end[start + len(piece)] = len(collected.texts) - 1
        comments, newlines, first_blank, new_line = [], 0, None, False
    collected.add("", comments, True, False, first_blank)
    return collected


def _line_ends(blank: str) -> int:
    return blank.count("\n") + blank.count("\r") - blank.count("\r\n")


def _attachments(tree: File, collected: _Collected) -> tuple[set[int], set[int], set[int]]:
    """The tokens without a space before them, the unary signs, and the tokens with a space before them."""
    texts, own, by_end = collected.texts, collected.own, collected.by_end
    tight: set[int] = set()
    signs: set[int] = set()
    apart: set[int] = set()
    for node in walk_outside_messages(tree):
        match node:
            case Call(callee=callee):
                tight.add(by_end[callee.span.end] + 1)
            case Argument(name=name) if name is not None:
                tight.add(by_end[name.span.end] + 1)
            case Unary(operator=UnaryOperator.PLUS | UnaryOperator.MINUS):
                signs.add(own[node.span.start])
            case MemberNumber() if texts[own[node.span.start] + 1] == "-":
                signs.add(own[node.span.start] + 1)
            case Verb(name=name) if texts[by_end[name.span.end] + 1] == "(":
                tight.add(by_end[name.span.end] + 1)
            case ListLiteral(items=()):
                tight.add(own[node.span.start] + 1)
            case LinkStep(kind=kind):
                arrow = own[node.span.start] + (node.cost_back is not None)
                tight.update(range(arrow + 1, arrow + TOKENS_OF_ARROW[kind]))
            case PlayedMove() | RefusedMove():
                tight.add(own[node.span.start] + 1)
            case RawText(span=span):
                for index in range(own[span.start] + 1, by_end[span.end] + 1):
                    has_blank = needs_blank(texts[index - 1], texts[index])
                    (apart if has_blank else tight).add(index)
            case _:
                pass
    return tight, signs, apart


def walk_outside_messages(node: object) -> Iterator[object]:
    """A node and its descendants, but not those of a message, which is one token."""
    waiting = [node]
    pop, extend = waiting.pop, waiting.extend
    while waiting:
        one = pop()
        kind = type(one)
        if kind is tuple:
            extend(one)  # type: ignore[arg-type]
        elif kind is not Message:
            parts = CHILDREN[kind]
            if parts is not None:
                yield one
                extend(parts(one))


def _openers(texts: list[str]) -> dict[int, int]:
    opener: dict[int, int] = {}
    waiting: list[int] = []
    for index, text in enumerate(texts):
        if text == "{":
            waiting.append(index)
        elif text == "}":
            opener[index] = waiting.pop()
    return opener
