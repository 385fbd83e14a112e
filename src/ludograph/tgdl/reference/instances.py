"""Instances: which are in play, their owners, their creation, and the places of pieces."""

from collections.abc import Callable, Iterator
from typing import Any

from ludograph.tgdl.program import Attribute, ConstructKind
from ludograph.tgdl.program.types import ConstructType, TableType, Type
from ludograph.tgdl.reference.fuel_costs import pay, relatives_of
from ludograph.tgdl.reference.ranges import check_range
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import grow_tables
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.world import THIS


def find_in_play(run: Run, construct: str, site: Site) -> tuple[mem.Instance, ...]:
    """The instances in play, as `in_play`, and pay the fuel for visiting all of them."""
    pay(run, relatives_of(run, construct), site)
    return in_play(run, construct)


def find_off(run: Run, construct: str, site: Site) -> tuple[mem.Instance, ...]:
    """The interactables that are on no tile and in no stack, in order of creation."""
    pay(run, relatives_of(run, construct), site)
    cells, families = run.cells, run.memory.families
    found = [
        each
        for index in run.world.subtypes[construct]
        for each in families[index]
        if cells[each.extra + mem.PLACE] is None
    ]
    found.sort(key=lambda instance: instance.number)
    return tuple(found)


def in_play(run: Run, construct: str) -> tuple[mem.Instance, ...]:
    """The instances in play of a construct and of those derived from it, in order of creation."""
    subtypes = run.world.subtypes[construct]
    families = run.memory.families
    if len(subtypes) == 1:
        kind = run.world.kinds[subtypes[0]].construct.kind
        return _present(run, kind, families[subtypes[0]])
    found: list[mem.Instance] = []
    for index in subtypes:
        found += _present(run, run.world.kinds[index].construct.kind, families[index])
    found.sort(key=lambda instance: instance.number)
    return tuple(found)


def _present(run: Run, kind: ConstructKind, family: list[mem.Instance]) -> tuple[mem.Instance, ...]:
    cells = run.cells
    match kind:
        case ConstructKind.INTERACTABLE:
            return tuple([each for each in family if cells[each.extra + mem.PLACE] is not None])
        case ConstructKind.LOCAL:
            return tuple([each for each in family if cells[each.extra + mem.OWNER] is not None])
        case ConstructKind.TILE if run.world.changes:
            groups = run.topology.group
            return tuple([each for each in family if each in groups])
        case _:
            return tuple(family)


def owner_of(run: Run, instance: mem.Instance) -> int | None:
    """The owner of an instance: of a local state, of the holder of a stack, or its attribute `player`."""
    kind = instance.kind.construct.kind
    cells = run.cells
    owner: int | None = None
    if kind is ConstructKind.LOCAL:
        owner = cells[instance.extra + mem.OWNER]
    elif kind is ConstructKind.STACK:
        holder = cells[instance.extra + mem.HOLDER]
        owner = None if holder is None else owner_of(run, holder)
    else:
        slot = mem.player_slot(instance.kind)
        owner = None if slot is None else cells[instance.offset + slot]
    return owner


def members_of(run: Run, state: mem.Instance) -> tuple[int, ...]:
    """The players of a state."""
    held = run.cells[state.extra + mem.OWNER]
    if state.kind.construct.kind is ConstructKind.LOCAL:
        return () if held is None else (held,)
    return held if isinstance(held, tuple) else ()


def local_state(run: Run, construct: str, player: int, site: Site) -> mem.Instance | None:
    """The local or group state of a construct that a player has."""
    pay(run, relatives_of(run, construct), site)
    for index in run.world.subtypes[construct]:
        if run.world.kinds[index].construct.kind not in mem.HAVE_PLAYERS:
            continue
        for state in run.memory.families[index]:
            held = run.cells[state.extra + mem.OWNER]
            if held == player if not isinstance(held, tuple) else player in held:
                return state
    return None


def create(
    run: Run,
    kind: mem.ConstructInfo,
    site: Site,
    values: tuple[tuple[int, Any], ...] = (),
    player: int | None = None,
) -> mem.Instance:
    """Create an instance: run its initialisers in order, then store the given values."""
    if len(run.memory.families[kind.index]) >= mem.MAX_FAMILY_SIZE:
        run.fault("TG0510", f"there are {mem.MAX_FAMILY_SIZE} instances of {kind.name} already", site)
    initialiser = run.world.initialisers[kind.name]
    if initialiser.cost:
        run.spend(initialiser.cost, site)
    instance = run.memory.create(kind)
    run.cells = run.memory.cells
    initialise(run, instance, site, player)
    for slot in initialiser.stacks:
        for stack in stacks_in(run.cells[instance.offset + slot]):
            fill_stack(run, stack, player)
    if run.world.growing_tables and kind.construct.kind is ConstructKind.TILE:
        grow_tables(run, instance, site)
    for slot, value in values:
        check_range(run, instance, slot, value, site)
        run.cells[instance.offset + slot] = value
    for slot in run.world.tainted_at_creation().get(kind.name, ()):
        run.taints[instance.offset + slot] = frozenset()
    if run.is_revealing:
        sealed = range(instance.offset, instance.offset + len(kind.construct.attributes))
        run.sealed_taints |= dict.fromkeys(sealed, frozenset())
    return instance


def initialise(
    run: Run,
    instance: mem.Instance,
    site: Site,
    player: int | None,
    left_out: frozenset[int] = frozenset(),
) -> None:
    """Run the initialisers of an instance, except those of the slots `left_out`."""
    initialiser = run.world.initialisers[instance.kind.name]
    frame: list[Any] = [None] * (initialiser.frame + 3)
    frame[-2] = player
    frame[THIS] = instance
    for slot, code in initialiser.blanks:
        run.cells[instance.offset + slot] = code(run, frame)
    ranges, name = run.world.ranges, instance.kind.name
    for slot, first in initialiser.values:
        if slot in left_out:
            continue
        if isinstance(first, ConstructType | TableType):
            value = _own_stacks(run, instance, first, site)
        else:
            value = first(run, frame)
        known = ranges.get((name, slot)) if ranges else None
        if known is not None:
            check_range(run, instance, slot, value, known[2])
        run.cells[instance.offset + slot] = value


def _own_stacks(run: Run, holder: mem.Instance, type: ConstructType | TableType, site: Site) -> Any:
    """Create a stack that an instance owns, or a table of them. They are filled after all initialisers."""

    def make(construct: str) -> mem.Instance:
        stack = create(run, run.world.kind[construct], site)
        run.cells[stack.extra + mem.HOLDER] = holder
        return stack

    return make_stacks(run, type, make)


def make_stacks(run: Run, type: Type, make: Callable[[str], mem.Instance]) -> Any:
    """A stack of a construct, or a table of stacks, one for each key in order."""
    if isinstance(type, TableType):
        count = key_count(run.world, run.memory, type.key)
        return tuple([make_stacks(run, type.value, make) for _ in range(count)])
    assert isinstance(type, ConstructType)
    return make(type.name)


def stacks_in(value: Any) -> Iterator[mem.Instance]:
    """The stacks of an attribute: one, or those of a table."""
    if isinstance(value, tuple):
        for each in value:
            yield from stacks_in(each)
    else:
        yield value


def attribute_of_stack(run: Run, holder: mem.Instance, stack: mem.Instance) -> Attribute | None:
    """The attribute of a holder that is a stack, or a table with the stack; None if there is none."""
    for attribute in holder.kind.construct.attributes:
        if attribute.makes_stack and stack in stacks_in(run.cells[holder.offset + attribute.slot]):
            return attribute
    return None


def fill_stack(run: Run, stack: mem.Instance, player: int | None) -> None:
    """Fill a stack with its default content. That uses no chance and triggers no events."""
    filling = stack.kind.construct.filling
    if filling is None:
        return
    function = run.world.verbs[filling]
    frame: list[Any] = [None] * (function.frame + 3)
    frame[-2] = player
    frame[THIS] = stack
    run.enter(function.call)
    run.is_pure += 1
    run.silent += 1
    value = function.code(run, frame)
    run.silent -= 1
    run.is_pure -= 1
    cards = value if function.is_expression else frame[-3]
    run.leave()
    known = tuple([card for card in cards or () if card is not None])
    for card in known:
        run.cells[card.extra + mem.PLACE] = stack
    run.cells[stack.extra + mem.TOP] += known


def remove_piece(run: Run, piece: mem.Instance) -> mem.Instance | None:
    """Remove a piece from its place and return the place."""
    cells = run.cells
    place = cells[piece.extra + mem.PLACE]
    if place is None:
        return None
    at = place.extra
    if place.kind.construct.kind is ConstructKind.TILE:
        cells[at + mem.HELD] = _without(cells[at + mem.HELD], piece)
    else:
        for part in (mem.TOP, mem.POOL, mem.BOTTOM):
            if piece in cells[at + part]:
                cells[at + part] = _without(cells[at + part], piece)
    cells[piece.extra + mem.PLACE] = None
    found: mem.Instance = place
    return found


def _without(pieces: tuple[mem.Instance, ...], piece: mem.Instance) -> tuple[mem.Instance, ...]:
    if pieces[-1] is piece:
        return pieces[:-1]
    place = pieces.index(piece)
    return pieces[:place] + pieces[place + 1 :]


def put_on_tile(run: Run, piece: mem.Instance, tile: mem.Instance, site: Site) -> None:
    """Put a piece without a place on a tile. A tile that `holds` a construct has room for one of it."""
    cells = run.cells
    held = cells[tile.extra + mem.HELD]
    holds = tile.kind.construct.holds
    if holds is not None and holds in piece.kind.ancestry:
        for other in held:
            if holds in other.kind.ancestry:
                message = f"{run.topology.name.get(tile, tile)} already holds a {holds}"
                run.fault("TG0509", message, site)
    cells[tile.extra + mem.HELD] = (*held, piece)
    cells[piece.extra + mem.PLACE] = tile
