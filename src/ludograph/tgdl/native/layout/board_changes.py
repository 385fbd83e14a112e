"""The encoding of changed boards: the changes of play, and the topology derived from them."""

import struct
from math import isnan
from typing import Any

from ludograph.tgdl.native.ir.nodes import F64, I32, I64
from ludograph.tgdl.native.layout.coordinate_table import coordinate_table
from ludograph.tgdl.native.layout.plan import Family, Plan
from ludograph.tgdl.native.layout.representations import NAN, NUMBER, WIDE, Rep
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.world.memory import EDITS, Instance, Memory
from ludograph.tgdl.world.topology import Edits, Topology
from ludograph.tgdl.world.world import World

WORDS = Rep("small", (I64,), I64, 8)
LINK = struct.Struct("<qqqd")
"""A changed link: the creation numbers of both tiles, their numbers in their families, the weight."""


def topology_of(world: World, memory: Memory) -> Topology:
    edits = memory.cells[EDITS]
    return world.topology if edits is None else Topology(world.plans, world.links, edits)


def edits_of(memory: Memory) -> Edits:
    edits = memory.cells[EDITS]
    return edits if isinstance(edits, Edits) else Edits()


class BoardState:
    """The columns of a changing board in the block of one memory."""

    def __init__(self, plan: Plan, memory: Memory) -> None:
        self.plan = plan
        self.world = plan.world
        self.edits = edits_of(memory)
        self.topology = topology_of(plan.world, memory)
        self._placed = {tile: (group, row, column) for tile, group, row, column in self.edits.placed}
        self._plans = {each.name: each for each in self.topology.plans}

    def extras(self, family: Family, thing: Instance) -> dict[Any, Any]:
        """The topology columns of a tile or group; a list comes with the representation of its elements."""
        match family.kind:
            case ConstructKind.TILE:
                return self._of_tile(thing)
            case ConstructKind.GROUP:
                return self._of_group(thing)
            case _:
                return {}

    def _of_tile(self, tile: Instance) -> dict[Any, Any]:
        topology, item = self.topology, self.plan.rep(ConstructType("tile"))
        placed, own = self._placed.get(tile), topology.group.get(tile)
        found: dict[Any, Any] = {
            "taken": tile in self.edits.taken,
            "placed": None if placed is None else self.world.kind[placed[0]].index,
            "placed_row": None if placed is None else placed[1],
            "placed_column": None if placed is None else placed[2],
            "group": None if own is None else self.world.kind[own].index,
            "row": topology.row.get(tile),
            "column": topology.column.get(tile),
            "adjacent": (topology.adjacent.get(tile, ()), item),
            "ways": (topology.next.get(tile, ()), item),
            "weights": (tuple(topology.links.get(tile, {}).values()), NUMBER),
        }
        for key in self.plan.place_lists:
            found[key] = (getattr(topology, key).get(tile, ()), item)
        return found

    def _of_group(self, group: Instance) -> dict[Any, Any]:
        plan = self._plans.get(group.kind.name)
        places = () if plan is None else plan.tiles
        spots = [
            [NAN if number is None else float(number) for number in numbers]
            for numbers in ([place.row for place in places], [place.column for place in places])
        ]
        return {
            "absent": group.kind.name in self.edits.absent,
            "tiles": ([place.tile for place in places], self.plan.rep(ConstructType("tile"))),
            "rows": (spots[0], NUMBER),
            "columns": (spots[1], NUMBER),
            "spots": (coordinate_table(*spots), WORDS),
        }

    def lists(self, number_of: Any) -> tuple[list[int], list[int]]:
        """The added tiles, and the words of the changed links; `number_of` returns the number of a tile."""
        placed = [number_of(tile) for tile, *_ in self.edits.placed]
        words: list[int] = []
        for start, end, weight in self.edits.links:
            order = start.number << 32 | end.number
            entry = LINK.pack(order, number_of(start), number_of(end), NAN if weight is None else weight)
            words += struct.unpack("<4q", entry)
        return placed, words


def read_edits(plan: Plan, things: dict[int, list[Instance]], data: bytes) -> Edits | None:
    """Decode the board changes of a block; None if there are none."""
    placed: list[tuple[Instance, str, int, int]] = []
    taken: list[Instance] = []
    absent: list[str] = []
    for family in plan.families:
        for number, thing in enumerate(things[family.index]):
            if family.kind is ConstructKind.TILE:
                group = _read(family, "placed", number, data)
                if group >= 0:
                    spot = [_read(family, f"placed_{key}", number, data) for key in ("row", "column")]
                    placed.append((thing, plan.world.kinds[group].name, int(spot[0]), int(spot[1])))
                if _read(family, "taken", number, data) == 1:
                    taken.append(thing)
            elif family.kind is ConstructKind.GROUP and _read(family, "absent", number, data) == 1:
                absent.append(thing.kind.name)
    links = tuple(_read_links(plan, things, data))
    edits = Edits(tuple(placed), tuple(taken), tuple(absent), links).canonical()
    return None if edits == Edits() else edits


def _read(family: Family, key: str, number: int, data: bytes) -> Any:
    column = family.columns[key]
    assert column.rep.stored is not None
    form = {F64: "<d", I32: "<i", I64: "<q"}.get(column.rep.stored, "<b" if column.stride == 1 else "<h")
    return struct.unpack_from(form, data, column.offset + number * column.stride)[0]


def _read_links(
    plan: Plan, things: dict[int, list[Instance]], data: bytes
) -> list[tuple[Instance, Instance, float | None]]:
    start, length = struct.unpack_from("<ii", data, plan.edits["links"])
    found = []
    rep = plan.rep(ConstructType("tile"))
    families = plan.families_of("tile")
    for place in range(0, length, 4):
        _, first, second, weight = LINK.unpack_from(data, start + 8 * place)
        ends = [
            things[number >> 32][number & 0xFFFFFFFF] if rep is WIDE else things[families[0].index][number]
            for number in (first, second)
        ]
        found.append((ends[0], ends[1], None if isnan(weight) else weight))
    return found
