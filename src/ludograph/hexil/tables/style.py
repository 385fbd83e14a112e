"""Tables of Hexil: what a viewer sees of a game as an island, and moves in HAN.

Everything is made from views of the rules, so neither a scene nor a line of HAN contains what the viewer does
not see. The items of a scene stand for the things of the rules, so a client needs no knowledge of the game.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ludograph.games import State
from ludograph.hexil.captions import describe_moves
from ludograph.hexil.layout import Layout
from ludograph.hexil.scenes import find_layout, scene_of_view
from ludograph.hexil.tables.moves import write_moves
from ludograph.hexil.view import View, make_view
from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import Sentence
from ludograph.render.scenes.island.places import find_point, id_of
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem, StaticScene, of_things
from ludograph.settlers import Harbor, HexCorner, HexSide, Player

TARGETS = 6
"""The layer of the corners and sides that can be chosen, above everything on the island."""
CORNER_SIZE, SIDE_SIZE = 30.0, 26.0


class HexilTable:
    """How a table of Hexil looks and reads. Mutable: it keeps what never changes at its table."""

    def __init__(self) -> None:
        self._layout: Layout | None = None
        self._harbors: tuple[Harbor, ...] | None = None
        self._static: dict[tuple[SceneItem, ...], tuple[SceneItem, ...]] = {}

    def scene(
        self,
        state: State,
        view: Mapping[str, Any],
        previous: Mapping[str, Any] | None,
        names: Sequence[str],
    ) -> Scene:
        """The scene of a view, with what is new since the previous view of the same viewer."""
        layout = self._layout_of(state)
        caption: Sentence = ()
        before = None
        if previous is not None:
            before = _read_view(previous, layout)
            caption = describe_moves(view["moves"][len(previous["moves"]) :], layout)
        scene = scene_of_view(_read_view(view, layout), previous=before, caption=caption, names=names)
        items = tuple(_with_subject(item) for item in scene.changing.items)
        return Scene(self._with_places(scene.static, layout), replace(scene.changing, items=items))

    def notations(self, state: State, moves: Sequence[str], first: int) -> tuple[str, ...]:
        """The moves of a view from the first one on, each in HAN with what chance gave after it.

        Deals between players, which HAN does not have, are in words. The text is empty for chance, which
        belongs to the move before it, and for a move that has neither.
        """
        layout = self._layout_of(state)
        if self._harbors is None:
            self._harbors = _read_view(state.view(), layout).island.harbors
        return tuple(write_moves(moves, first, layout, self._harbors))

    def _layout_of(self, state: State) -> Layout:
        if self._layout is None:
            self._layout = find_layout(state)
        return self._layout

    def _with_places(self, static: StaticScene, layout: Layout) -> StaticScene:
        """The static scene with an item for every corner and side, and with what the tiles stand for."""
        items = self._static.get(static.items)
        if items is None:
            names = {f"tile.{id_of(tile)}": name for name, tile in layout.tiles}
            known = [
                replace(item, of=of_things(names[item.id])) if item.id in names else item
                for item in static.items
            ]
            items = (*known, *_place_items(static, layout))
            self._static = {static.items: items}
        return replace(static, items=items)


def _read_view(data: Mapping[str, Any], layout: Layout) -> View:
    ending, winners = data.get("result") or ("", ())
    winner = Player(winners[0] + 1) if ending == "win" and winners else None
    return make_view({**data, "you": None}, layout, (), (), winner)


# What items stand for


def _place_items(static: StaticScene, layout: Layout) -> Iterator[SceneItem]:
    """Items for the corners and sides. They show nothing; clients mark those that can be chosen."""
    tile = next(item for item in static.items if item.kind is ItemKind.TERRAIN)
    place = next(place for _, place in layout.tiles if f"tile.{id_of(place)}" == tile.id)
    x, y = find_point(place)
    left, top = tile.x - x, tile.y - y
    for name, side in layout.sides:
        yield _place_item("side", name, side, left, top, SIDE_SIZE)
    for name, corner in layout.corners:
        yield _place_item("corner", name, corner, left, top, CORNER_SIZE)


def _place_item(
    kind: str, name: str, place: HexCorner | HexSide, left: float, top: float, size: float
) -> SceneItem:
    x, y = find_point(place)
    return SceneItem(
        f"{kind}.{id_of(place)}",
        ItemKind.CELL,
        x + left,
        y + top,
        size,
        size,
        style="side",
        title=f"{kind} {place_name(place)}",
        of=of_things(name),
        layer=TARGETS,
    )


_SEAT = re.compile(r"seat\.([1-6])\.(?:badge|hand)")
_GOODS = re.compile(r"seat\.[1-6]\.(brick|grain|lumber|ore|wool)")


def _with_subject(item: SceneItem) -> SceneItem:
    """A badge stands for its player, and a resource in a hand that is visible for the resource."""
    if seat := _SEAT.fullmatch(item.id):
        number = int(seat[1])
        return replace(item, of=(f"player {number - 1}", *of_things(f"seat#{number}")))
    if goods := _GOODS.fullmatch(item.id):
        return replace(item, of=(f"member resource.{goods[1]}",))
    return item
