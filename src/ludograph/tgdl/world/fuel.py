"""Fuel costs of operations. A step costs 1. Long lists and large program parts cost more.

Without these costs, a loop of statements that each copy a million elements would run for days before its fuel
runs out.
"""

from typing import Any

from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.topology import MAX_TILES_OF_CACHED_DISTANCES
from ludograph.tgdl.world.world import World

GRAIN = 50
"""The number of elements, or of program nodes, that cost 1."""


def price(*texts: Any) -> int:
    """The fuel cost of running parts of the program once: 1, plus 1 per `GRAIN` nodes."""
    return 1 + sum(1 for _ in walk(texts)) // GRAIN


FAR_TILE = 5
"""The fuel cost per tile of a distance that has to be searched."""


def distance_price(world: World, tiles: int) -> int:
    """The fuel cost of a distance. On small boards that never change, all distances are cached."""
    return FAR_TILE * tiles if world.changes or tiles > MAX_TILES_OF_CACHED_DISTANCES else tiles // GRAIN


NEW_TILE = 5
"""The fuel cost per tile of a change of the board."""
