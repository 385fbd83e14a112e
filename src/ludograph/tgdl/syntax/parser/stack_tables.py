"""Recognises the declaration of a table of stacks by its first tokens: `stack[row] market of card`."""

from collections.abc import Sequence

from ludograph.tgdl.syntax.lexer import TokenKind


def is_stack_table(texts: Sequence[str], kinds: Sequence[TokenKind], at: int, *, may_end: bool) -> bool:
    """Whether a table of stacks is declared at a token.

    `may_end`: also `stack[row] market;`, which would declare a variable in a block. The last token is neither
    a word, nor a number, nor a sign of a key, so that the search ends there.
    """
    if texts[at] != "stack" or texts[at + 1] != "[":
        return False
    at, is_list = at + 1, False
    while texts[at] == "[":
        at += 1
        is_list = is_list or texts[at] == "]"
        while kinds[at] in (TokenKind.WORD, TokenKind.NUMBER) or texts[at] == ".":
            at += 1
        if texts[at] != "]":
            return False
        at += 1
    if kinds[at] is not TokenKind.WORD:
        return False
    ends = (";",) if may_end and not is_list else ()
    return texts[at] == "of" or texts[at + 1] in ("of", ":", "{", *ends)
