"""Attributes as text: which values are worth showing, and the names of the entries of tables."""

from collections.abc import Iterator, Sequence
from typing import Any

from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import memory_of, topology_of, world_of
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type


def is_blank(type: Type, value: object) -> bool:
    """Whether a value shows nothing: none, 0, no, an empty list, or a table of such values.

    Player 0 is not blank, and neither is the first member of an enum.
    """
    if value is None:
        return True
    match type:
        case Basic.DECIMAL | Basic.BOOL:
            return value in (0, False)
        case ListType():
            return value == []
        case TableType(_, inner) if isinstance(value, list):
            return all(is_blank(inner, item) for item in value)
        case _:
            return False


def table_entries(state: State, type: TableType, values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """The entries of a table, each with its name; blank entries for members and tiles are left out."""
    names = _entry_names(state, type)
    if len(names) != len(values):
        yield from (("", value) for value in values)
        return
    for name, value in zip(names, values, strict=True):
        if type.key is Basic.PLAYER or not is_blank(type.value, value):
            yield name, value


def _entry_names(state: State, type: TableType) -> list[str]:
    """What is written before each entry of a table; empty if the entries are only numbered."""
    match type.key:
        case EnumType(name):
            return [f"{member.name} " for member in world_of(state).members[name]]
        case Basic.PLAYER:
            return [f"player {player}: " for player in range(state.players)]
        case ConstructType(name) if name in world_of(state).kind:
            names = topology_of(state).name
            tiles = memory_of(state).families[world_of(state).kind[name].index]
            return [f"{names.get(tile, tile)} " for tile in tiles]
        case _:
            return []


def is_stack_table(state: State, type: TableType) -> bool:
    """Whether a table consists of stacks."""
    kind = world_of(state).kind.get(type.entry.name) if isinstance(type.entry, ConstructType) else None
    return kind is not None and kind.construct.kind is ConstructKind.STACK


def stack_entries(state: State, type: TableType, values: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The names of the stacks of a table in data, each with its keys: `low `, `player 0: high `."""
    names = _entry_names(state, type) or [f"{number}: " for number in range(len(values))]
    for name, value in zip(names, values, strict=True):
        if isinstance(type.value, TableType):
            for inner, stack in stack_entries(state, type.value, value):
                yield f"{name}{inner}", stack
        elif value is not None:
            yield name, value
