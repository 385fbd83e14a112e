"""Fuel costs of operations on lists and states, and comparison, whose cost depends on the values.

A step costs 1. An operation on a long list costs more, in proportion to the number of elements, so that the
time of a run is bounded by its fuel.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ludograph.tgdl.program.types import ListType, TableType, Type
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.limits import MAX_IN_STATE
from ludograph.tgdl.world.memory import ConstructInfo, EnumMember
from ludograph.tgdl.world.values import (
    MAX_LIST_DEPTH,
    MAX_WITHIN,
    are_alike,
    element_of,
    holds_lists,
    is_compound,
    is_flat,
    same,
)
from ludograph.tgdl.world.world import CellCount, ElementCounters

Pay = Callable[[Run, Any], None]
Equal = Callable[[Run, Any, Any], bool]


def relatives_of(run: Run, construct: str) -> int:
    """The number of instances of all constructs related to a construct, in play or not."""
    families = run.memory.families
    return sum([len(families[index]) for index in run.world.relatives[construct]])


def pay(run: Run, count: int, site: Site) -> None:
    """Pay for an operation on so many elements."""
    if count >= fuel.GRAIN:
        run.spend(count // fuel.GRAIN, site)


def tile_count(run: Run) -> int:
    """The number of tiles, on the board or not."""
    return relatives_of(run, "tile")


def size_of(run: Run) -> int:
    """The size of a state: the cells of all instances and the elements of all lists and tables."""
    families = run.memory.families
    cells = sum(
        [width * sum([len(families[index]) for index in kin]) for kin, width in run.world.cell_counts]
    )
    return cells + _elements_in(run) if run.world.element_counters else cells


def copy_payment(type: Type, site: Site) -> Pay | None:
    """A function that pays for copying a value of a type; None: it is neither list nor table."""
    if not is_compound(type):
        return None
    count = element_counter(type)

    def pay_for(run: Run, value: Any) -> None:
        if value is not None:
            pay(run, count(value), site)

    return pay_for


def new_list_payment(type: Type, site: Site) -> Pay:
    """A function that pays for a new or changed list or table and checks its size."""
    if not holds_lists(type):
        known = copy_payment(type, site)
        assert known is not None, "the type is a list or table"
        return known
    count = element_counter(type)

    def charge(run: Run, value: Any) -> None:
        found = count(value)
        if found > MAX_WITHIN:
            message = f"a list has at most {MAX_WITHIN} elements, those of the lists in it included"
            run.fault("TG0505", message, site)
        if found < 0:
            run.fault("TG0505", f"lists are nested at most {MAX_LIST_DEPTH} deep", site)
        pay(run, found, site)

    return charge


def element_counter(type: Type) -> Callable[[Any], int]:
    """A function that counts the elements of a list or table, including nested ones."""
    if is_flat(type):
        return len
    if isinstance(type, ListType | TableType) and is_flat(element_of(type)):
        return lambda value: len(value) + sum(map(len, value))
    return content


def content(value: Any) -> int:
    """The number of elements of a value, including nested ones; 0 if it is neither list nor table.

    Lists are shared, so a few statements can create an exponentially large one. The count therefore stops
    above the limit, and it is negative if lists are nested too deeply.
    """
    count, level = 0, [value] if isinstance(value, tuple) else []
    for _ in range(MAX_LIST_DEPTH):
        count += sum(map(len, level))
        if count > MAX_WITHIN:
            return count  # stop before visiting so many
        level = [item for items in level for item in items if isinstance(item, tuple)]
        if not level:
            return count
    return -1


def check_state(run: Run, site: Site) -> None:
    """Check the size of a state. Attributes may share a long list, so a state can be too large to save."""
    most = run.world.most_in_state
    if _elements_in(run) > most:
        strings = "" if most == MAX_IN_STATE else ", because they can hold long strings"
        message = f"the lists and tables of a state have at most {most} elements together{strings}"
        run.fault("TG0519", message, site)


def _elements_in(run: Run) -> int:
    total, cells = 0, run.cells
    for kind, attributes in run.world.element_counters:
        for thing in run.memory.families[kind]:
            for slot, count in attributes:
                value = cells[thing.offset + slot]
                if value is not None:
                    total += count(value)
    return total


def cell_counts_of(
    kinds: tuple[ConstructInfo, ...], relatives: Mapping[str, tuple[int, ...]]
) -> tuple[CellCount, ...]:
    """Constructs with a common root, and the number of cells of the widest of them."""
    families = {relatives[kind.name]: None for kind in kinds}
    return tuple((kin, max(kinds[index].width for index in kin)) for kin in families)


def element_counters_of(kinds: tuple[ConstructInfo, ...]) -> tuple[ElementCounters, ...]:
    """For each construct: its list and table attributes, each with a function that counts elements."""
    found = [
        (
            kind.index,
            tuple(
                (each.slot, element_counter(each.type))
                for each in kind.construct.attributes
                if is_compound(each.type)
            ),
        )
        for kind in kinds
    ]
    return tuple((index, attributes) for index, attributes in found if attributes)


# Comparison


def equality(first: Type, second: Type, site: Site) -> Equal:
    """A function for `==` of values of two types. Comparing lists of equal length costs fuel."""
    if not is_compound(first) and not is_compound(second):
        return lambda run, one, other: same(one, other)
    if is_flat(first) and is_flat(second) and are_alike(element_of(first), element_of(second)):

        def flat(run: Run, one: Any, other: Any) -> bool:
            if one is None or other is None or len(one) != len(other):
                return False
            pay(run, len(one), site)
            return bool(one == other) and None not in one

        return flat
    return lambda run, one, other: _equal(run, one, other, site)


def equality_inside(first: Type, second: Type, site: Site) -> Equal:
    """A function for `==` of an element of a list and a value."""
    equal = equality(first, second, site)
    if not is_compound(first) or not is_compound(second):
        return equal

    def inside(run: Run, one: Any, other: Any) -> bool:
        if isinstance(one, tuple) and isinstance(other, tuple):
            run.spend(1, site)
        return equal(run, one, other)

    return inside


def _equal(run: Run, first: Any, second: Any, site: Site) -> bool:
    if not isinstance(first, tuple):
        return same(first, second)
    if not isinstance(second, tuple) or len(first) != len(second):
        return False
    pay(run, len(first) * fuel.GENERAL, site)
    for one, other in zip(first, second, strict=True):
        kind = type(one)
        if kind is not type(other) or one is None:
            return False
        if kind is tuple:
            run.spend(1, site)
            if not _equal(run, one, other, site):
                return False
        elif one != other or (kind is EnumMember and one.enum != other.enum):
            return False
    return True
