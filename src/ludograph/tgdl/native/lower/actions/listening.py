"""The listeners of an event, by the construct of the instance that it is about.

A long effect may fire an event at many places, and the event may have many listeners. Facts that depend on
the listeners alone are therefore computed once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.world import Listener, World


class ListeningGroup(Struct, frozen=True, eq=False):
    """The listeners that an event starts."""

    number: int
    """It identifies the listeners and `whose`."""
    listeners: tuple[Listener, ...]
    whose: tuple[str, ...]
    used: frozenset[str]
    """The fields of the event that a listener reads."""


def find_listening(
    b: Emitter,
    about: Value,
    listeners_of: Callable[[ConstructInfo], Sequence[Listener]],
    when: p.When,
) -> list[tuple[Family, list[tuple[ListeningGroup, list[ConstructInfo]]]]]:
    """For each family of an instance, the constructs that have the same listeners."""
    found = []
    for family, kinds in possible_constructs(b, about):
        groups: dict[int, tuple[ListeningGroup, list[ConstructInfo]]] = {}
        for kind in kinds:
            chosen = tuple(each for each in listeners_of(kind) if each.when is when)
            whose = tuple(_whose(b.world, each, kind) for each in chosen)
            if any(each != "nobody" for each in whose):
                group = listening_group(b.unit, chosen, whose)
                groups.setdefault(group.number, (group, []))[1].append(kind)
        found.append((family, list(groups.values())))
    return found


def listening_group(
    unit: CompilationUnit, listeners: tuple[Listener, ...], whose: tuple[str, ...]
) -> ListeningGroup:
    known: dict[Any, ListeningGroup] = unit.once("listening", dict)
    # By identity: two listeners may be equal, and comparing them takes long.
    key = tuple(map(id, listeners)), whose
    if key not in known:
        used = frozenset(field for each in listeners for field, _ in each.fields)
        known[key] = ListeningGroup(len(known), listeners, whose, used)
    return known[key]


def possible_constructs(b: Emitter, about: Value) -> list[tuple[Family, list[ConstructInfo]]]:
    """The possible constructs of an instance."""
    assert isinstance(about.type, ConstructType)
    name = about.type.name
    subtypes = b.world.subtypes[name] if name in b.world.kind else None
    return [
        (family, [kind for kind in family.kinds if subtypes is None or kind.index in subtypes])
        for family in b.plan.families_of(name)
    ]


def listeners_of_event(world: World, event: Event, kind: ConstructInfo) -> tuple[Listener, ...]:
    """The listeners of an event of a construct; the board also receives the events of its groups."""
    listeners = world.listeners.get((event.kind, kind.name), ())
    board = world.singletons.get("board")
    if kind.construct.kind is not p.ConstructKind.GROUP or board is None:
        return listeners
    others = world.listeners.get((event.kind, board.kind.name), ())
    return listeners + tuple(each for each in others if each not in listeners)


def _whose(world: World, listener: Listener, kind: ConstructInfo) -> str:
    """Whose action an event of an instance starts: its own, that of all instances, or nobody's."""
    owner = world.program.actions[listener.action].owner
    if owner is None:
        return "all"
    if owner in kind.ancestry:
        return "own"
    return "nobody" if listener.trigger.target in world.kind[owner].ancestry else "all"
