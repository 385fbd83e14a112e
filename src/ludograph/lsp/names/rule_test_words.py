"""The names in the moves and positions of tests. They are no expressions: the game reads them when a test
runs.

A word counts as a name of the game only if it can mean one declaration. So a move of a test follows a
renaming, and a word that several constructs declare is left as it is.
"""

from collections.abc import Callable, Iterator

from ludograph.lsp.names.declarations import DeclarationKind, DeclaredName
from ludograph.text import Source, Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

K = DeclarationKind
AFTER_DOT = frozenset({K.ACTION, K.NODE, K.MEMBER, K.PHASE})
INSIDE = frozenset({K.INPUT})
ANYWHERE = frozenset({K.GROUP, K.STATE, K.STACK, K.BOARD, K.ACTION, K.NODE, K.MEMBER, K.INTERACTABLE, K.TILE})
IN_POSITIONS = ANYWHERE | {K.ATTRIBUTE, K.PHASE, K.TURN}

FindDeclared = Callable[[str, frozenset[DeclarationKind]], DeclaredName | None]
"""The only declaration of these kinds with a name."""


def words_of_test(node: tree.RuleTest, text: str, find: FindDeclared) -> Iterator[tuple[Span, DeclaredName]]:
    """The names in the moves and the position of a test, with their declarations."""
    for part in node.parts:
        match part:
            case tree.PlayedMove(move=move) | tree.RefusedMove(move=move):
                yield from _words_of_move(move.span, text, find)
            case tree.StartPosition(position):
                yield from _words_of_position(position.span, text, find)
            case _:
                continue


def _words_of_move(span: Span, text: str, find: FindDeclared) -> Iterator[tuple[Span, DeclaredName]]:
    lexed = tokenize(Source(text[span.start : span.end]))
    tokens = [
        (piece, kind, start)
        for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True)
        if kind not in (TokenKind.BLANK, TokenKind.COMMENT)
    ]
    for place, (piece, kind, start) in enumerate(tokens):
        if kind is not TokenKind.WORD:
            continue
        before = tokens[place - 1][0] if place else ""
        after = tokens[place + 1][0] if place + 1 < len(tokens) else ""
        kinds = INSIDE if after == ":" else AFTER_DOT if before == "." else ANYWHERE
        found = find(piece, kinds)
        if found is not None:
            yield Span(span.start + start, span.start + start + len(piece)), found


def _words_of_position(span: Span, text: str, find: FindDeclared) -> Iterator[tuple[Span, DeclaredName]]:
    """The strings of the JSON: the names of things before `#`, of attributes, and of members of enums."""
    lexed = tokenize(Source(text[span.start : span.end]))
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        if kind is TokenKind.STRING and len(piece) > 2:
            word = piece[1:-1].partition("#")[0]
            found = find(word, IN_POSITIONS)
            if found is not None:
                begin = span.start + start + 1
                yield Span(begin, begin + len(word)), found
