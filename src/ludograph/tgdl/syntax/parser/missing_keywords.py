"""The word that a declaration at the top of a file lacks: `tile` before `pit { decimal n = 4; }`.

What follows the name tells it, or what stands in the braces, or how the name is used elsewhere. Where none of
these does, nothing is guessed.
"""

from collections.abc import Mapping

from ludograph.tgdl.syntax.parser.stream import (
    ASSIGNING,
    CONFIDENCE,
    DECLARATION_WORDS,
    STATEMENT_WORDS,
    TokenStream,
)
from ludograph.tgdl.syntax.parser.types import PREDEFINED

# What may follow the name of one kind of declaration only.
BEHIND_NAMES: Mapping[str, str] = {"holds": "tile", "of": "stack", "returns": "verb"}

# Words that begin a part of one kind of declaration only, the surest first.
INSIDE: Mapping[str, str] = {
    "group": "board",
    "tiles": "board",
    "trigger": "action",
    "require": "goal",
    "effect": "action",
    "phase": "turn",
    **dict.fromkeys(sorted(STATEMENT_WORDS - {"input"}), "verb"),
}
# What may stand inside of a block without a name; a construct needs one.
NAMELESS: Mapping[str, str] = {"board": "board", "verb": "setup"}
# What follows the first word of a statement, but not that of a part of a construct.
STATEMENT_SIGNS = ASSIGNING | {"(", "."}
OF_PLAYERS = frozenset(("assign_to", "transfer_to"))
# What a name may be that is told by its use, the surest first.
KINDS = ("tile", "local state", "interactable", "global state")
# How far away, in tokens, a use is looked for: a text with thousands of faults must not take long.
FURTHEST_USE = 10_000
INHERITING = frozenset(("tile", "interactable", "state", "stack", "turn"))
HINT = "write what it is before its name: tile, interactable, stack, state, action, goal, verb, turn or enum"


def lost_word(stream: TokenStream) -> str:
    """What must have stood before the name or the brace here; "" if that is not clear."""
    at = stream.at
    if stream.next_is("{"):
        return _lost_before_brace(stream) if stream.surplus() == 0 else ""
    following = stream.text_at(at + 1)
    if not stream.is_word(at) or stream.texts[at] in PREDEFINED:
        return ""
    if following in BEHIND_NAMES and stream.is_word(at + 2):
        return BEHIND_NAMES[following]
    if following == "(":
        return "verb" if stream.text_at(stream.behind_parentheses(at + 1)) in ("{", "returns") else ""
    if following == ":" and stream.is_word(at + 2):
        return _kind_of(stream, stream.texts[at + 2])
    if following == ";":
        return _told_by_use(stream, stream.texts[at], at)
    if following != "{":
        return ""
    return _told_inside(stream, at + 1) or _told_by_use(stream, stream.texts[at], at)


def _lost_before_brace(stream: TokenStream) -> str:
    """The board or the setup, which have no name; "" if the brace may belong to something that is broken."""
    if stream.at - stream.last_broken < CONFIDENCE or stream.text_at(stream.at + 1) in DECLARATION_WORDS:
        return ""
    if stream.is_word(stream.at + 1) and stream.text_at(stream.at + 2) in STATEMENT_SIGNS:
        return "setup"
    return NAMELESS.get(_told_inside(stream, stream.at), "")


def _told_inside(stream: TokenStream, opening: int) -> str:
    """By the words that begin the parts in a block, or by its being a list of names."""
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
    return next((kind for word, kind in INSIDE.items() if word in begins), "")


def _told_by_use(stream: TokenStream, name: str, at: int) -> str:
    """By what stands beside the name where it is used."""
    texts, uses, board, has_tiles = stream.texts, {""}, range(0), False
    if not stream.may_look_far():
        return ""
    for index in _near(stream, at):
        text = texts[index]
        if text == "board" and texts[index + 1] == "{" and index not in board:
            board = range(index, _end_of_block(stream, index + 1))
        has_tiles = has_tiles or (text == "tile" and stream.is_word(index + 1))
        if text == name and index != at:
            uses.add("tile" if index in board else _told_by_one(stream, index))
    if uses == {""} and board and not has_tiles:
        return "tile"
    return next((kind for kind in KINDS if kind in uses), "")


def _told_by_one(stream: TokenStream, index: int) -> str:
    """What a name can be that is used as at `index`."""
    before, after, third = (stream.text_at(index + step) for step in (-1, 1, 2))
    if before == "has" or third in OF_PLAYERS or (after == "[" and third != "]"):
        return "local state"
    if before == "new":
        return "interactable"
    return "global state" if after == "." and third != "all" else ""


def is_used(stream: TokenStream, name: str) -> bool:
    """Whether a name stands anywhere else than here."""
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
    """What the construct is that another one is derived from."""
    for index in _near(stream, stream.at):
        if stream.texts[index] == base and stream.texts[index - 1] in INHERITING:
            kind = stream.texts[index - 1]
            return kind if kind != "state" else f"{stream.texts[index - 2]} state"
    return ""
