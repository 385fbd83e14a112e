"""Unknown names: the names that the error nodes of a file may declare.

The parser does not know which words of an unreadable part are names of new things. So it lists all of them.
The checker treats such a name as an unknown declaration if nothing else declares it.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.stream import TokenStream

WORD_IN_STRING = re.compile(r"[^\W\d_]\w*")


class UnknownNames(Struct, frozen=True):
    """The names that the error nodes of a file may declare."""

    names: frozenset[str] = frozenset()
    has_any_name: bool = False
    """Whether a declaration lacks its name: then any unknown name may be that name."""
    has_board: bool = False
    """Whether the board, or a part of it, may be in an error node."""


def unknown_names(stream: TokenStream) -> UnknownNames:
    """The unknown names of a file that was parsed."""
    words = (word for index in _unreadable_tokens(stream.unreadable) for word in _words(stream, index))
    return UnknownNames(frozenset(words), stream.lacks_name, stream.lacks_board)


def _unreadable_tokens(ranges: Iterable[tuple[int, int]]) -> Iterator[int]:
    """The tokens of the ranges, each once: error nodes contain others, so the ranges overlap."""
    passed = 0
    for first, end in sorted(ranges):
        yield from range(max(first, passed), end)
        passed = max(passed, end)


def _words(stream: TokenStream, index: int) -> Iterable[str]:
    """The word that a token is, or the words in a string without a closing quote."""
    text, kind = stream.texts[index], stream.kinds[index]
    if kind is TokenKind.WORD:
        return (text,)
    if kind is TokenKind.STRING and stream.is_open_string(index):
        return WORD_IN_STRING.findall(text)
    return ()
