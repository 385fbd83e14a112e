"""Tables of data: list literals whose rows the author has put on lines of their own.

    decimal[][] costs = {
      { 1, 2, 3 },
      { 4, 5, 6 }
    };

A table contains only literals, names and lists of these. Its braces end and begin lines, or it is a list of
lists with one list on each line. Its rows stay as the author wrote them. Any other list is one line, or is
broken where it is too long.
"""

import re
from collections.abc import Container, Mapping, Sequence

_DATA = re.compile(r'[\w.,{}"-].*', re.DOTALL)
_NOT_DATA = frozenset({"new", "random", "->"})


def find_rows(texts: Sequence[str], first: int, last: int, line_starts: Container[int]) -> Mapping[int, int]:
    """The tokens that begin a line in the tables of a range, each with its depth of indentation.

    `line_starts`: the tokens that begin a line now.
    """
    found: dict[int, int] = {}
    at = first
    while at <= last:
        if texts[at] == "{":
            closing = _find_closing(texts, at, last)
            if closing is None:
                break
            if all(map(_is_data, texts[at:closing])):
                found.update(_rows_of(texts, at, closing, 0, line_starts))
                at = closing
        at += 1
    return found


def _is_data(text: str) -> bool:
    return _DATA.fullmatch(text) is not None and text not in _NOT_DATA


def _find_closing(texts: Sequence[str], opening: int, last: int) -> int | None:
    depth = 0
    for index in range(opening, last + 1):
        depth += (texts[index] == "{") - (texts[index] == "}")
        if not depth:
            return index
    return None


def _rows_of(
    texts: Sequence[str], opening: int, closing: int, depth: int, line_starts: Container[int]
) -> dict[int, int]:
    """The rows of the table between two braces; empty if the list is not a table."""
    elements = [opening + 1]
    inner: dict[int, int] = {}
    has_lists_only = True
    at = opening + 1
    while at < closing:
        if at in line_starts and at != opening + 1 and texts[at - 1] != ",":
            return {}
        if texts[at] == "{":
            end = _find_closing(texts, at, closing)
            assert end is not None
            inner |= _rows_of(texts, at, end, depth + 1, line_starts)
            at = end
        elif texts[at] != ",":
            has_lists_only = False
        elif at + 1 < closing:
            elements.append(at + 1)
        at += 1
    starts = [element for element in elements if element in line_starts]
    has_braces_apart = opening + 1 in line_starts and closing in line_starts
    has_one_list_a_line = has_lists_only and set(elements[1:]) <= set(starts)
    if set(elements[1:]).isdisjoint(starts) or not (has_braces_apart or has_one_list_a_line):
        return {}
    return {opening + 1: depth + 1, **dict.fromkeys(starts, depth + 1), **inner, closing: depth}
