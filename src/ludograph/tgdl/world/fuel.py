"""Fuel: what an operation costs. A step costs one; long lists and long source texts cost more.

Without these costs a loop over statements that each copy a million elements would run for days before its
fuel is gone.
"""

from typing import Any

from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.topology import MOST_KNOWN
from ludograph.tgdl.world.world import World

GRAIN = 50
"""So many elements, or nodes of a text, cost one."""


def price(*texts: Any) -> int:
    """What it costs to run some of the program once: one, and one more for so many nodes in it."""
    return 1 + sum(1 for _ in walk(texts)) // GRAIN


FAR_TILE = 5
"""What a distance costs for each tile where it has to be searched."""


def distance_price(world: World, tiles: int) -> int:
    """What a distance costs: of small boards that never change all of them are known."""
    return FAR_TILE * tiles if world.changes or tiles > MOST_KNOWN else tiles // GRAIN


NEW_TILE = 5
"""What a change of the board costs for each tile."""
