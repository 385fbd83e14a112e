"""Keys of tables: their order, and the entries of tiles that are created during play.

A table has exactly one entry per key. Players, members of enums and numbers are fixed, but the program may
create tiles during play. In an attribute, a new tile gets the entry of the declaration. A table elsewhere
that was read before the tile was created gets none for it, or an empty list or table.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, KeyType, ListType, TableType, Type
from ludograph.tgdl.reference.fuel_costs import size_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.table_keys import key_count, may_grow
from ludograph.tgdl.world.world import PLAYER, THIS, Closure, GrowingTable, World

Complete = Callable[[Run, Any], Any]


def empty(type: Type) -> Closure:
    """The default value of a type: an empty list, a table of default values, otherwise none."""
    match type:
        case ListType():
            return lambda run, frame: ()
        case TableType(key, inner):
            fill = empty(inner)
            return lambda run, frame: (fill(run, frame),) * key_count(run.world, run.memory, key)
        case _:
            return lambda run, frame: None


def completer(world: World, type: Type, *, fills: bool = False) -> Complete | None:
    """A function that adds the missing entries for tiles created since; None: no entry can be missing.

    With `fills`, it also replaces none elements by empty lists and tables.
    """
    if not isinstance(type, ListType | TableType) or not (fills or world.made_tiles):
        return None
    inner = type.element if isinstance(type, ListType) else type.value
    within = completer(world, inner, fills=fills)
    nothing = empty(inner)
    key = type.key if isinstance(type, TableType) else None
    grows = isinstance(key, ConstructType) and may_grow(world, key.name)
    fills = fills and isinstance(inner, ListType | TableType)
    if within is None and not grows and not fills:
        return None

    def complete(run: Run, value: Any) -> Any:
        if value is None:
            return None
        if within is not None:
            value = tuple([within(run, item) for item in value])
        if fills:
            value = tuple([nothing(run, []) if item is None else item for item in value])
        missing = key_count(run.world, run.memory, key) - len(value) if grows and key is not None else 0
        return value + (nothing(run, []),) * missing if missing > 0 else value

    return complete


def has_keys(run: Run, value: Any, type: Type) -> bool:
    """Whether a list that is cast to a table type has an entry for every key.

    The last entries of a table over tiles may be missing, for tiles created since. A number in an object that
    is cast to a player or a phase must be smaller than the number of players or phases.
    """
    if type is Basic.PLAYER or type is Basic.PHASE:
        count = run.world.players if type is Basic.PLAYER else len(run.world.phases)
        return value is None or value < count
    if not isinstance(value, tuple) or not isinstance(type, ListType | TableType):
        return True
    if isinstance(type, TableType):
        count = key_count(run.world, run.memory, type.key)
        may_lack = isinstance(type.key, ConstructType) and may_grow(run.world, type.key.name)
        if len(value) > count or (len(value) < count and not may_lack):
            return False
    inner = type.element if isinstance(type, ListType) else type.value
    return all(has_keys(run, item, inner) for item in value)


def keys_of(run: Run, key: KeyType) -> tuple[Any, ...]:
    """The keys of a table, in order."""
    match key:
        case int():
            return tuple(float(number) for number in range(key))
        case EnumType(name):
            return run.world.members[name]
        case ConstructType(name):
            families = run.memory.families
            tiles = [tile for index in run.world.subtypes[name] for tile in families[index]]
            return tuple(sorted(tiles, key=_number))
        case _:
            return tuple(range(run.world.players))


def place_of(run: Run, construct: str, tile: Instance) -> int:
    """The index of a tile that was created during play: after all earlier ones."""
    families = run.memory.families
    return sum(
        bisect_left(families[index], tile.number, key=_number) for index in run.world.subtypes[construct]
    )


def grow_tables(run: Run, tile: Instance, site: Site) -> None:
    """Add an entry for a new tile to every table attribute."""
    for growing in run.world.growing_tables:
        for holder in run.memory.families[growing.kind]:
            if holder is tile:
                continue  # its own tables are new
            at = holder.offset + growing.slot
            frame: list[Any] = [None] * (growing.frame + 3)
            frame[PLAYER], frame[THIS] = None, holder
            run.cells[at] = _grown(run, run.cells[at], growing, growing.type, tile, frame)
    run.spend(size_of(run), site)


def _grown(run: Run, value: Any, growing: GrowingTable, type: Type, tile: Instance, frame: list[Any]) -> Any:
    if value is None:
        return None
    match type:
        case ListType(inner) | TableType(_, inner):
            entries = tuple([_grown(run, item, growing, inner, tile, frame) for item in value])
            if isinstance(type, TableType) and isinstance(type.key, ConstructType):
                if type.key.name in tile.kind.ancestry:
                    return (*entries, growing.entries[type](run, frame))
            return entries
        case _:
            return value


def _number(tile: Instance) -> int:
    return tile.number
