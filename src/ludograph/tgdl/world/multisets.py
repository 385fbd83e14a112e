"""Filters of multisets: which of them read nothing of the table but the number of their own key.

Such a filter decides about each key and each number separately, so both engines test it once for each and
then compute which sums can be reached. The other filters are tested while the engines search.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.world.analysis import walk


def split_filters(known: p.Input) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The indexes of the key filters of a multiset: those of a single number, and the others."""
    own = tuple(index for index, block in enumerate(known.filters) if _reads_own_number(known, block))
    return own, tuple(index for index in range(len(known.filters)) if index not in own)


def _reads_own_number(known: p.Input, block: p.Block) -> bool:
    """Whether a filter reads the table only as `table[key]`. It can assign neither of them."""
    slots = (known.slot, known.filter_slot)
    reads = entries = 0
    for node in walk(block):
        match node:
            case p.Apply(Operation.AT, (p.Variable(table), p.Variable(key))) if (table, key) == slots:
                entries += 1
            case p.Variable(slot) if slot == known.slot:
                reads += 1
            case _:
                continue
    return reads == entries
