"""Fuel costs of operations. A step costs 1. Long lists and large program parts cost more.

Without these costs, a loop of statements that each copy a million elements would run for days before its fuel
runs out.
"""

from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.topology import MAX_TILES_OF_CACHED_DISTANCES
from ludograph.tgdl.world.values import are_alike, is_compound
from ludograph.tgdl.world.world import World

GRAIN = 50
"""The number of elements that cost 1."""
CODE_GRAIN = 10
"""The weight of the program nodes that cost 1."""


def price(*texts: Any) -> int:
    """The fuel cost of running parts of the program once: 1, plus 1 per `CODE_GRAIN` of their weight."""
    return 1 + sum(map(weight, walk(texts))) // CODE_GRAIN


def weight(node: Any) -> int:
    """The work of a node in units of a plain one, without its parts and without long lists."""
    kind = type(node)
    if kind is p.Apply:
        facts = node.operation.facts
        if facts.fuel == "compared" and not any(is_compound(each.type) for each in node.operands):
            return 1
        found: int = facts.weight
        return found
    if kind is p.Place:
        return 1 + ENTRY * len(node.indexes)
    if kind is p.Message:
        return 1 + message_weight(node)
    return WEIGHTS.get(kind, 1)


ENTRY = 20
"""The weight of an index in the target of an assignment: it changes a list or table inside of another."""
WEIGHTS: dict[type, int] = {
    p.IsType: 5,
    p.AsType: 5,
    p.Query: 10,
    p.Random: 10,
    p.MakeTable: 10,
    p.Out: 10,
    p.BackIn: 10,
    p.Ask: 20,
    p.Mutate: 20,
    p.CallAction: 20,
    p.RunEffects: 20,
    p.Link: 40,
    p.Attach: 40,
    p.Move: 40,
    p.New: 40,
}
"""The weights of nodes that take longer than a plain one."""
LETTERS = 20
"""The number of letters of a message that weigh 1."""


def message_weight(message: p.Message) -> int:
    """The weight of writing a message: by its letters, and for each value by the most that is written."""
    return sum(
        len(part) // LETTERS if isinstance(part, str) else 100 if is_compound(part.type) else 10
        for part in message.parts
    )


ACTION = 5
"""The fuel cost of starting an action."""
TRIGGER = 10
"""The fuel cost of testing a trigger whose event happened."""
GENERAL = 10
"""The number of elements that a comparison of values of any type counts for each element.

Lists of numbers, players, members or things are compared much faster.
"""


def comparison_effort(element: Type, wanted: Type) -> int:
    """The number of elements that a comparison of an element with a value counts."""
    return 1 if are_alike(element, wanted) else GENERAL


FAR_TILE = 5
"""The fuel cost per tile of a distance that has to be searched. Each link costs 1."""
MAX_LINKS_OF_CACHED_DISTANCES = 10_000


def distance_price(world: World, tiles: int, changed_links: int = 0) -> int:
    """The fuel cost of a distance. On small boards that never change, all distances are cached."""
    links = world.topology.link_count
    if has_cached_distances(world, tiles):
        return (tiles + links) // GRAIN
    return FAR_TILE * tiles + links + changed_links


def has_cached_distances(world: World, tiles: int) -> bool:
    """Whether the distances of a board are searched once and kept."""
    is_small = tiles <= MAX_TILES_OF_CACHED_DISTANCES
    return not world.changes and is_small and world.topology.link_count <= MAX_LINKS_OF_CACHED_DISTANCES


REACHED = 5
"""The number of elements that each link counts which `region` follows."""


NEW_TILE = 5
"""The fuel cost per tile of a change of the board."""
