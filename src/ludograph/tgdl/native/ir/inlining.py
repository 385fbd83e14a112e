"""The choice of the functions to inline: the lengths and calls of all functions in, a set of names out.

Inlining must not make a module much longer, whatever the author wrote. For example, verbs that each call the
next one twice would double the module at every level. So there is a limit on the added lines, which grows
with the module.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from msgspec import Struct

from ludograph.tgdl.native.ir.cycles import find_cycles
from ludograph.tgdl.native.ir.nodes import Function

INLINE_LINES = 150
"""Functions with fewer lines are inlined."""

INLINE_LINES_IN_LARGE = 25
HOT_INLINE_LINES, HOT_INLINE_TOTAL = 80, 320
"""Hot functions with fewer lines are inlined too, if all their copies together have fewer lines than this."""

LARGE = 18_000
"""A module with more lines is large."""

MAX_INLINED_LENGTH = 2_000
"""A function that has more lines than this after inlining is not inlined itself."""

ADDED_LINES = 20_000
"""Inlining may add half of the lines of the module, plus this number."""


class WrittenFunction(Struct, frozen=True):
    """A function, the number of its lines, and the functions that it calls with the number of calls."""

    function: Function
    lines: int
    calls: Mapping[str, int]


class Inlining(Struct, frozen=True):
    """Which functions of a module are inlined, and what follows from that."""

    is_large: bool
    """Whether the module is large."""
    inlined: frozenset[str]
    lengths: Mapping[str, int]
    """The lines of each function after inlining."""

    @property
    def lines(self) -> int:
        """The lines of the whole module after inlining."""
        return sum(lines for name, lines in self.lengths.items() if name not in self.inlined)


def find_inlined(written: Sequence[WrittenFunction]) -> Inlining:
    """Find the functions that are always inlined: small functions that are not recursive.

    Callees are inlined first, so the length of an inlined function includes what is inlined into it. The
    length multiplied by the number of calls is therefore an upper bound of the lines that it adds.
    """
    total = sum(each.lines for each in written)
    is_large = total > LARGE
    calls: Counter[str] = Counter()
    for each in written:
        calls.update(each.calls)
    few = {
        each.function.name: each
        for each in written
        if not each.function.exported
        and not each.function.apart
        and _is_small(each, calls[each.function.name], is_large=is_large)
    }
    left = ADDED_LINES + total // 2
    inlined: set[str] = set()
    lengths: dict[str, int] = {}
    small_calls = {name: [other for other in each.calls if other in few] for name, each in few.items()}
    for name, *others in find_cycles(small_calls):
        if others or name in few[name].calls:
            continue  # it is recursive
        lengths[name] = _length_with(few[name], inlined, lengths)
        added = lengths[name] * calls[name]
        if lengths[name] <= MAX_INLINED_LENGTH and added <= left:
            inlined.add(name)
            left -= added
    for each in written:
        lengths[each.function.name] = _length_with(each, inlined, lengths)
    return Inlining(is_large, frozenset(inlined), lengths)


def _length_with(one: WrittenFunction, inlined: Set[str], lengths: Mapping[str, int]) -> int:
    """The lines of a function together with those of the functions that are inlined into it."""
    return one.lines + sum(count * lengths[name] for name, count in one.calls.items() if name in inlined)


def _is_small(one: WrittenFunction, calls: int, *, is_large: bool) -> bool:
    """Whether a function is small enough to inline: the limit is higher for hot functions with few calls."""
    return one.lines < (INLINE_LINES_IN_LARGE if is_large else INLINE_LINES) or (
        one.function.often and one.lines < HOT_INLINE_LINES and one.lines * calls < HOT_INLINE_TOTAL
    )
