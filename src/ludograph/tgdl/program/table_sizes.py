"""Sizes of tables: their limits, and the replacement of named sizes by numbers.

The size of a table may be the name of an option, or of a constant that depends on options or on the number of
players. A configuration of a game replaces each name by its number first. Only the checker and this module
handle such names: during play the key of a table is a number of entries, an enum, `player` or a tile.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from ludograph.tgdl.program.types import Basic, EnumType, ListType, Size, TableType, Type
from ludograph.tgdl.syntax.traversal import child_field_names

MAX_TABLE_SIZE = 65_535
MAX_ENTRIES = 1_000_000

TOO_MANY_ENTRIES = f"a table has at most {MAX_ENTRIES:,} entries in all its dimensions"
TOO_MANY_STACKS = f"a table of stacks has at most {MAX_TABLE_SIZE:,} stacks"

SizeOf = Callable[[str], int]
AnyNode = TypeVar("AnyNode")


def fault_of_size(number: float | None) -> tuple[str, str] | None:
    """The error code and message if a table cannot have so many entries; None if it can."""
    if number is not None and number > MAX_TABLE_SIZE:
        return "TG0396", f"a table has at most {MAX_TABLE_SIZE:,} entries"
    if number is None or number < 1 or number != int(number):
        return "TG0324", "a table has a whole number of entries, at least 1"
    return None


def count_entries(type: Type, members: Callable[[str], int], players: int) -> int:
    """The number of entries of a table, as far as it is known, without the elements of lists in it.

    `members` gives the number of members of an enum.
    """
    match type:
        case TableType(int() as size, value):
            return size * count_entries(value, members, players)
        case TableType(EnumType(enum), value):
            return members(enum) * count_entries(value, members, players)
        case TableType(key, value):
            return (players if key is Basic.PLAYER else 1) * count_entries(value, members, players)
        case _:
            return 1


def names_of_sizes(type: Type) -> tuple[str, ...]:
    """The options and constants that are table sizes in a type, outermost first."""
    match type:
        case TableType(Size(name), value):
            return (name, *names_of_sizes(value))
        case TableType(_, inner) | ListType(inner):
            return names_of_sizes(inner)
        case _:
            return ()


def with_sizes(node: AnyNode, size_of: SizeOf) -> AnyNode:
    """A program node or type in which numbers replace all named sizes.

    A node without named sizes stays the same object, and shared nodes stay shared.
    """
    made: dict[int, Any] = {}
    worklist: list[Any] = [node]
    while worklist:
        one = worklist[-1]
        if id(one) not in made:
            parts = _parts(one)
            left = [part for part in parts if _is_node(part) and id(part) not in made]
            if left:
                worklist.extend(left)
                continue
            made[id(one)] = _remade(one, parts, made, size_of)
        worklist.pop()
    found: AnyNode = made[id(node)]
    return found


def _is_node(value: Any) -> bool:
    return type(value) is tuple or FIELDS[type(value)] is not None


def _parts(node: Any) -> tuple[Any, ...]:
    if type(node) is tuple:
        return node
    return tuple([getattr(node, name) for name in FIELDS[type(node)] or ()])


def _remade(node: Any, parts: tuple[Any, ...], made: dict[int, Any], size_of: SizeOf) -> Any:
    if isinstance(node, Size):
        return size_of(node.name)
    new = tuple([made.get(id(part), part) if _is_node(part) else part for part in parts])
    changed = [place for place, part in enumerate(parts) if new[place] is not part]
    if not changed:
        return node
    if type(node) is tuple:
        return new
    names = FIELDS[type(node)] or ()
    return replace(node, **{names[place]: new[place] for place in changed})


class _Fields(dict[type, tuple[str, ...] | None]):
    """By class: the fields that may hold nodes or types; None for a class that is not a node."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        found = child_field_names(kind)
        self[kind] = found
        return found


FIELDS = _Fields()
