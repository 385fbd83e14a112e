"""The missing keyword of a declaration at the top of a file: `tile` before `pit { decimal n = 4; }`.

The keyword follows from the word after the name, from the parts in the braces, or from the uses of the name.
If none of these decides, there is no suggestion.
"""

from collections.abc import Mapping

from ludograph.tgdl.syntax.parser.stream import (
    ASSIGNMENT_SIGNS,
    DECLARATION_WORDS,
    MIN_TOKENS_BETWEEN_ERRORS,
    STATEMENT_WORDS,
    TokenStream,
)
from ludograph.tgdl.syntax.parser.types import PREDEFINED

# Words that follow the name of one kind of declaration only.
KIND_BY_NEXT_WORD: Mapping[str, str] = {"holds": "tile", "of": "stack", "returns": "verb"}

# Words that begin a part of one kind of declaration only, the most certain first.
KIND_BY_FIRST_WORD: Mapping[str, str] = {
    "group": "board",
    "tiles": "board",
    "trigger": "action",
    "require": "goal",
    "effect": "action",
    "phase": "turn",
    **dict.fromkeys(
        sorted(STATEMENT_WORDS - {"input", "else"}), "verb"
    ),  # `else` begins words for players, too
}
# The keyword of a block without a name, by the keyword that its parts suggest.
NAMELESS_KINDS: Mapping[str, str] = {"board": "board", "verb": "setup"}
# Signs that follow the first word of a statement, but not of a part of a construct.
STATEMENT_SIGNS = ASSIGNMENT_SIGNS | {"(", "."}
STATE_METHODS = frozenset(("assign_to", "transfer_to"))
# The keywords that follow from the uses of a name, the most certain first.
KINDS = ("tile", "local state", "interactable", "global state")
# The maximum distance of a use, in tokens: a source with thousands of errors must not take long.
FURTHEST_USE = 10_000
INHERITING = frozenset(("tile", "interactable", "state", "stack", "turn"))
KEYWORD_HINT = (
    "write a keyword before the name: tile, interactable, stack, state, action, goal, verb, turn or enum"
)


def missing_keyword(stream: TokenStream) -> str:
    """The keyword that is missing before the name or brace here; "" if it is not clear."""
    at = stream.at
    if stream.next_is("{"):
        return _keyword_before_brace(stream) if stream.unclosed_braces() == 0 else ""
    following = stream.text_at(at + 1)
    if not stream.is_word(at) or stream.texts[at] in PREDEFINED:
        return ""
    if following in KIND_BY_NEXT_WORD and stream.is_word(at + 2):
        return KIND_BY_NEXT_WORD[following]
    if following == "(":
        return "verb" if stream.text_at(stream.after_parentheses(at + 1)) in ("{", "returns") else ""
    if following == ":" and stream.is_word(at + 2):
        return _kind_of(stream, stream.texts[at + 2])
    if following == ";":
        return _keyword_by_uses(stream, stream.texts[at], at)
    if following != "{":
        return ""
    return _keyword_by_body(stream, at + 1) or _keyword_by_uses(stream, stream.texts[at], at)


def _keyword_before_brace(stream: TokenStream) -> str:
    """`board` or `setup`, which need no name; "" if the brace may belong to an unreadable declaration."""
    if (
        stream.at - stream.latest_failure_at < MIN_TOKENS_BETWEEN_ERRORS
        or stream.text_at(stream.at + 1) in DECLARATION_WORDS
    ):
        return ""
    if stream.is_word(stream.at + 1) and stream.text_at(stream.at + 2) in STATEMENT_SIGNS:
        return "setup"
    return NAMELESS_KINDS.get(_keyword_by_body(stream, stream.at), "")


def _keyword_by_body(stream: TokenStream, opening: int) -> str:
    """The keyword that follows from the first words of the parts in a block, or from a list of names."""
    texts, depth, begins = stream.texts, 0, set()
    is_list = stream.is_word(opening + 1)
    for index in range(opening, min(opening + FURTHEST_USE, stream.end)):
        text = texts[index]
        depth += (text == "{") - (text == "}")
        if depth == 0:
            break
        if texts[index - 1] in ("{", "}", ";") and depth == 1 and stream.is_word(index):
            begins.add(text)
        if index > opening:
            is_list = is_list and (stream.is_word(index) if (index - opening) % 2 else text == ",")
    if is_list:
        return "enum"
    if "require" in begins and "trigger" in begins:
        return "action"
    return next((kind for word, kind in KIND_BY_FIRST_WORD.items() if word in begins), "")


def _keyword_by_uses(stream: TokenStream, name: str, at: int) -> str:
    """The keyword that follows from the tokens around the uses of a name."""
    texts, uses, board, has_tiles = stream.texts, {""}, range(0), False
    if not stream.may_search_far():
        return ""
    for index in _near(stream, at):
        text = texts[index]
        if text == "board" and texts[index + 1] == "{" and index not in board:
            board = range(index, _end_of_block(stream, index + 1))
        has_tiles = has_tiles or (text == "tile" and stream.is_word(index + 1))
        if text == name and index != at:
            uses.add("tile" if index in board else _keyword_by_use(stream, index))
    if uses == {""} and board and not has_tiles:
        return "tile"
    return next((kind for kind in KINDS if kind in uses), "")


def _keyword_by_use(stream: TokenStream, index: int) -> str:
    """The keyword that follows from the use of a name at token `index`."""
    before, after, third = (stream.text_at(index + step) for step in (-1, 1, 2))
    if before == "has" or third in STATE_METHODS or (after == "[" and third != "]"):
        return "local state"
    if before == "new":
        return "interactable"
    return "global state" if after == "." and third != "all" else ""


def is_used(stream: TokenStream, name: str) -> bool:
    """Whether a name occurs at another token too."""
    near = _near(stream, stream.at)
    return stream.texts[near.start : near.stop].count(name) > 1


def _near(stream: TokenStream, at: int) -> range:
    return range(max(1, at - FURTHEST_USE), min(at + FURTHEST_USE, stream.end))


def _end_of_block(stream: TokenStream, opening: int) -> int:
    depth = 0
    for index in range(opening, stream.end):
        depth += (stream.texts[index] == "{") - (stream.texts[index] == "}")
        if depth == 0:
            return index
    return stream.end


def _kind_of(stream: TokenStream, base: str) -> str:
    """The keyword of the base construct."""
    for index in _near(stream, stream.at):
        if stream.texts[index] == base and stream.texts[index - 1] in INHERITING:
            kind = stream.texts[index - 1]
            return kind if kind != "state" else f"{stream.texts[index - 2]} state"
    return ""
