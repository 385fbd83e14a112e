"""A memory for the items of tiles: most tiles of a scene look as they did in the scene before.

A tile is remembered only if its items follow from the tile, from the pieces on it and from the layout. So the
memory can be shared by all tables and viewers: whoever sees the same, gets the same.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from ludograph.play.material import Material
from ludograph.render.scenes.boards import TileSpot
from ludograph.render.scenes.hints import GameHints
from ludograph.render.scenes.identity import Same
from ludograph.render.scenes.items import SceneItem
from ludograph.render.scenes.looks_of_things import STATE_ROLES, SeenThing, ViewReader

PLAIN_TYPES = frozenset({"decimal", "bool", "enum", "player"})
DEPTHS = {"side": 1, "corner": 2}
MAX_TILES = 20_000
"""The number of tiles that the memory of a board remembers."""

Remembered = tuple[tuple[SceneItem, ...], tuple[tuple[str, str], ...]]
"""The items of a tile, and the details for the panel with their places."""


class TileMemory:
    """The items of the tiles of one board, by what is on them. Mutable."""

    def __init__(self, material: Material, hints: GameHints) -> None:
        states = {kind.name for kind in material.kinds if kind.role in STATE_ROLES}
        is_possible = all(target.partition(".")[0] in states for target in hints.looking_elsewhere)
        self._kinds = frozenset(
            kind.name
            for kind in material.kinds
            if is_possible
            and kind.role in ("tile", "interactable")
            and all(attribute.type.base in PLAIN_TYPES for attribute in kind.attributes)
        )
        self._found: dict[object, Remembered] = {}
        self._ordered: tuple[Mapping[str, TileSpot], list[tuple[str, TileSpot]]] = ({}, [])

    def in_order(self, spots: Mapping[str, TileSpot]) -> list[tuple[str, TileSpot]]:
        """The tiles in the order of drawing: sides above cells, and corners above both."""
        if self._ordered[0] is not spots:
            ordered = sorted(spots.items(), key=lambda each: DEPTHS.get(each[1].form, 0))
            self._ordered = spots, ordered
        return self._ordered[1]

    def key(
        self, reader: ViewReader, name: str, thing: SeenThing, pieces: Sequence[str], *facts: object
    ) -> object | None:
        """What the items of a tile depend on; None if they cannot be remembered."""
        if thing["is"] not in self._kinds:
            return None
        if not pieces:
            return name, msgspec.msgpack.encode(thing), facts
        things = [reader.things[piece] for piece in pieces]
        if any(each["is"] not in self._kinds for each in things):
            return None
        return name, msgspec.msgpack.encode((thing, pieces, things)), facts

    def find(self, key: object) -> Remembered | None:
        return self._found.get(key)

    def keep(self, key: object, found: Remembered) -> None:
        if len(self._found) >= MAX_TILES:
            self._found.clear()
        self._found[key] = found


@lru_cache(maxsize=32)
def tile_memory(material: Same, hints: Same, spots: Same) -> TileMemory:
    """The memory of a board: of a layout with the hints of a game."""
    return TileMemory(material.value, hints.value)
