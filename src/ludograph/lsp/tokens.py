"""Semantic tokens: the kind of each word, sign, number, string and comment, for colours.

The kinds of names come from the references, the others from the lexer; so a broken file still has colours.
"""

from bisect import bisect_right
from enum import Enum

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.declarations import DeclarationKind
from ludograph.text import Span
from ludograph.tgdl.check.symbols import BASIC_WORDS
from ludograph.tgdl.program.operations import DIRECTIONS
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize


class TokenType(Enum):
    """The types of the protocol, in the order of the legend."""

    TYPE = "type"
    CLASS = "class"
    ENUM = "enum"
    ENUM_MEMBER = "enumMember"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    PROPERTY = "property"
    FUNCTION = "function"
    METHOD = "method"
    EVENT = "event"
    NAMESPACE = "namespace"
    KEYWORD = "keyword"
    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    OPERATOR = "operator"


T = TokenType
K = DeclarationKind
TYPES: tuple[TokenType, ...] = tuple(TokenType)
MODIFIERS = ("declaration", "readonly", "defaultLibrary", "modification")
DECLARED, READ_ONLY, LIBRARY, WRITTEN = 1, 2, 4, 8

TYPES_OF_KINDS: dict[DeclarationKind, TokenType] = {
    K.CONSTANT: T.VARIABLE,
    K.OPTION: T.VARIABLE,
    K.ENUM: T.ENUM,
    K.MEMBER: T.ENUM_MEMBER,
    K.STATE: T.CLASS,
    K.TILE: T.CLASS,
    K.INTERACTABLE: T.CLASS,
    K.STACK: T.CLASS,
    K.BOARD: T.CLASS,
    K.GROUP: T.CLASS,
    K.NODE: T.ENUM_MEMBER,
    K.TURN: T.NAMESPACE,
    K.PHASE: T.ENUM_MEMBER,
    K.ACTION: T.FUNCTION,
    K.GOAL: T.FUNCTION,
    K.VERB: T.METHOD,
    K.ATTRIBUTE: T.PROPERTY,
    K.PARAMETER: T.PARAMETER,
    K.INPUT: T.PARAMETER,
    K.VARIABLE: T.VARIABLE,
    K.ELEMENT: T.PARAMETER,
    K.PART: T.VARIABLE,
    K.FIELD: T.PARAMETER,
    K.IMPORT: T.NAMESPACE,
    K.SETUP: T.KEYWORD,
    K.APPEARANCE: T.KEYWORD,
    K.TEST: T.STRING,
}
TYPES_OF_TOKENS: dict[TokenKind, TokenType] = {
    TokenKind.NUMBER: T.NUMBER,
    TokenKind.STRING: T.STRING,
    TokenKind.COMMENT: T.COMMENT,
    TokenKind.SIGN: T.OPERATOR,
    TokenKind.WORD: T.KEYWORD,
}
PUNCTUATION = frozenset("{}()[];,.:")
DIRECTION_WORDS = frozenset(name for names in DIRECTIONS.values() for name in names)


class SemanticToken(Struct, frozen=True):
    """A piece of text and its type; `modifiers` is a sum of bits."""

    span: Span
    type: TokenType
    modifiers: int = 0


def semantic_tokens(game: AnalysedGame, within: Span | None = None, file: int = 0) -> list[SemanticToken]:
    """The tokens of a file, or those that touch a range, in the order of the source."""
    source = game.files[file].source
    table = game.references
    named = {one.span.start: one for one in table.references[file]}
    lexed = tokenize(source)
    found: list[SemanticToken] = []
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        end = start + len(piece)
        if within is not None and (end < within.start or start > within.end):
            continue
        if kind is TokenKind.STRING:
            found += _string(game, Span(start, end), file)
            continue
        type = TYPES_OF_TOKENS.get(kind)
        if type is None or piece in PUNCTUATION:
            continue
        modifiers = 0
        reference = named.get(start) if kind is TokenKind.WORD else None
        if reference is not None:
            declared = table.declarations[reference.target]
            type = TYPES_OF_KINDS[declared.kind]
            modifiers = DECLARED if reference.is_declaration else WRITTEN if reference.is_write else 0
            modifiers |= READ_ONLY if declared.kind in (K.CONSTANT, K.OPTION, K.MEMBER) else 0
        elif (file, start) in table.library:
            type, modifiers = T.METHOD, LIBRARY
        elif kind is TokenKind.WORD and piece in BASIC_WORDS and piece not in ("player", "phase"):
            type, modifiers = T.TYPE, LIBRARY
        elif kind is TokenKind.WORD and piece in DIRECTION_WORDS:
            type, modifiers = T.ENUM_MEMBER, READ_ONLY | LIBRARY
        found.append(SemanticToken(Span(start, end), type, modifiers))
    return found


def _string(game: AnalysedGame, span: Span, file: int) -> list[SemanticToken]:
    """A string; the names in the braces of a message are tokens of their own."""
    found: list[SemanticToken] = []
    at = span.start
    of_file = game.references.references[file]
    for one in of_file[bisect_right(of_file, span.start, key=lambda each: each.span.start) :]:
        if one.span.end >= span.end:
            break
        if span.start < one.span.start:
            if one.span.start > at:
                found.append(SemanticToken(Span(at, one.span.start), T.STRING))
            kind = game.references.declarations[one.target].kind
            found.append(SemanticToken(one.span, TYPES_OF_KINDS[kind]))
            at = one.span.end
    found.append(SemanticToken(Span(at, span.end), T.STRING))
    return found
