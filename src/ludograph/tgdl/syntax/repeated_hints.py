"""Repeated hints: a hint about a spelling is given once for each spelling and file, with the count.

A newcomer writes `&&` wherever others write `and`. One hint is enough, at the first use.
"""

from collections.abc import Sequence
from dataclasses import replace

from ludograph.text.diagnostic import Diagnostic

# The codes of hints about spellings.
SPELLING_CODES = frozenset(("TG0250", "TG0251", "TG0252", "TG0253", "TG0490"))


def once_per_spelling(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics in their order; equal hints about a spelling in one file become the first of them."""
    counts: dict[tuple[int, str, str, str], int] = {}
    for one in found:
        counts[_spelling(one)] = counts.get(_spelling(one), 0) + 1
    kept: list[Diagnostic] = []
    for one in found:
        count = counts.get(_spelling(one), 0)
        if one.code not in SPELLING_CODES or count == 1:
            kept.append(one)
        elif count > 1:
            counts[_spelling(one)] = 0
            kept.append(replace(one, message=f"{one.message} ({count} times in this file)"))
    return kept


def _spelling(hint: Diagnostic) -> tuple[int, str, str, str]:
    return id(hint.source), hint.code, hint.message, hint.hint
