"""Tensors from views: what a seat may know in, a flat array of numbers with named planes out.

A tensor is made from the view alone, so it contains nothing that the seat may not know. Its planes depend on
the game, the players and the options, never on the position. Values outside of the range of a plane, and
things that did not exist at the start, have no element of their own.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ludograph.adapters.arrays import Array, zero_floats
from ludograph.games import State
from ludograph.play.material import AttributeMaterial, ValueType
from ludograph.tgdl.native.layout.environments import TensorColumn, TensorLayout

MAX_LIST_LENGTH = 16
"""The elements of a list that a tensor contains; further ones are left out."""


class Plane(Struct, frozen=True):
    """One part of a tensor."""

    name: str
    start: int
    labels: tuple[str, ...]
    """The meaning of each element."""

    @property
    def size(self) -> int:
        return len(self.labels)


class _Column(Struct, frozen=True):
    """The elements of one value: one number, or one element for each of its values."""

    attribute: str
    form: str
    """As in `TensorColumn`."""
    labels: tuple[str, ...]
    values: Mapping[object, int]
    """The element of each value; empty: the value is a number."""
    is_list: bool = False
    keys: tuple[str, ...] = ()
    """The keys of a table of numbers."""


class ObservationEncoder:
    """Turns the views of one game into tensors. Immutable after it was made."""

    def __init__(self, start: State) -> None:
        material, arrangement = start.material(), start.arrangement()
        self.players = material.players
        self._material = material
        self._tiles = {tile.name: tile.kind for group in arrangement.groups for tile in group.tiles}
        self._columns = {kind.name: tuple(self._columns_of(kind.attributes)) for kind in material.kinds}
        things = start.view()["things"]
        instances = start.to_json()["instances"]
        assert isinstance(instances, dict)
        self._cards = tuple(name for name in instances if self._is_card(name.partition("#")[0]))
        self._stacks = tuple(held.stack for held in arrangement.stacks)
        self._singles = tuple(
            name
            for name, thing in things.items()
            if self._role(thing["is"]) in ("global state", "local state", "group state", "group", "board")
            and self._columns[thing["is"]]
        )
        self._kinds_of_singles = {name: things[name]["is"] for name in self._singles}
        self._pieces = tuple(
            kind for kind in material.kinds if kind.role == "interactable" and kind.is_placeable
        )
        self._starts: dict[str, int] = {}
        self.planes = tuple(self._lay_out())
        self.size = sum(plane.size for plane in self.planes)

    def encode(self, view: Mapping[str, Any]) -> Array:
        """The tensor of a view."""
        tensor = zero_floats(self.size)
        self.encode_into(view, tensor)
        return tensor

    def encode_into(self, view: Mapping[str, Any], tensor: Array) -> None:
        """Write the tensor of a view into an array of zeros."""
        observer = view.get("you")
        if observer is not None:
            tensor[self._starts["you"] + observer] = 1
        for player in view.get("asked", ()):
            if player >= 0:
                tensor[self._starts["asked"] + player] = 1
        if view.get("active") is not None:
            tensor[self._starts["active"] + view["active"]] = 1
        things = view["things"]
        for name, thing in things.items():
            kind = thing["is"]
            if f"thing {name}" in self._starts:
                self._write(tensor, self._starts[f"thing {name}"], kind, thing)
            place = thing.get("at")
            if isinstance(place, str) and place in self._tiles:
                at = self._starts.get(f"{kind} on {place}")
                if at is not None:
                    tensor[at] += 1
                    self._write(tensor, at + 1, kind, thing)
            at = self._starts.get(f"stack {name}")
            if at is not None:
                tensor[at] = thing.get("length", 0)
                for card in thing.get("cards", ()):
                    index = self._starts.get(f"card {card}")
                    if index is not None:
                        tensor[at + 1 + index] = 1

    def layout(self) -> TensorLayout:
        """The places of all elements, for native code that writes the same tensors."""
        columns = {
            kind: tuple(
                TensorColumn(
                    column.attribute,
                    len(column.labels),
                    column.form,
                    column.labels if column.form == "tile" else (),
                )
                for column in columns
            )
            for kind, columns in self._columns.items()
        }
        return TensorLayout(self.size, dict(self._starts), columns)

    # The layout

    def _lay_out(self) -> Iterator[Plane]:
        seats = tuple(f"player {player}" for player in range(self.players))
        at = 0

        def plane(name: str, labels: tuple[str, ...]) -> Plane:
            nonlocal at
            self._starts[name] = at
            made = Plane(name, at, labels)
            at += len(labels)
            return made

        for name in ("you", "asked", "active"):
            yield plane(name, seats)
        for name in self._singles:
            yield plane(f"thing {name}", self._labels(self._kinds_of_singles[name]))
        for name, kind in self._tiles.items():
            if self._columns[kind]:
                yield plane(f"thing {name}", self._labels(kind))
            for piece in self._pieces:
                yield plane(f"{piece.name} on {name}", ("number", *self._labels(piece.name)))
        for index, card in enumerate(self._cards):
            self._starts[f"card {card}"] = index
        for stack in self._stacks:
            yield plane(f"stack {stack}", ("length", *self._cards))

    def _labels(self, kind: str) -> tuple[str, ...]:
        return tuple(
            f"{column.attribute} {label}".strip() for column in self._columns[kind] for label in column.labels
        )

    def _role(self, kind: str) -> str:
        return self._material.kind(kind).role

    def _is_card(self, name: str) -> bool:
        return any(kind.name == name and kind.is_stackable for kind in self._material.kinds)

    def _columns_of(self, attributes: tuple[AttributeMaterial, ...]) -> Iterator[_Column]:
        for attribute in attributes:
            column = self._column(attribute.name, attribute.type)
            if column is not None:
                yield column

    def _column(self, name: str, type: ValueType) -> _Column | None:
        material = self._material
        match type.base:
            case "decimal" | "integer":
                return _Column(name, "number", ("",), {})
            case "bool":
                return _Column(name, "bool", ("",), {True: 0})
            case "player":
                seats: dict[object, int] = {player: player for player in range(material.players)}
                return _Column(name, "member", tuple(f"player {player}" for player in seats), seats)
            case "enum":
                members = material.members(type.name)
                return _Column(name, "member", members, {member: at for at, member in enumerate(members)})
            case "thing" if material.kind(type.name).role == "tile":
                tiles = tuple(
                    tile
                    for tile, kind in self._tiles.items()
                    if type.name in (kind, *material.kind(kind).ancestors)
                )
                return _Column(name, "tile", tiles, {tile: index for index, tile in enumerate(tiles)})
            case "table" if type.key is not None and type.key.base == "enum" and _is_number(type.element):
                members = material.members(type.key.name)
                return _Column(name, "keys", members, {}, keys=members)
            case "table" if type.key is not None and type.key.base == "player" and _is_number(type.element):
                keys = tuple(str(player) for player in range(material.players))
                return _Column(name, "keys", keys, {}, keys=keys)
            case "list" | "table" if type.key is None and _is_number(type.element):
                labels = ("length", *(str(index) for index in range(MAX_LIST_LENGTH)))
                return _Column(name, "list", labels, {}, is_list=True)
            case _:
                return None

    def _write(self, tensor: Array, at: int, kind: str, thing: Mapping[str, Any]) -> None:
        """Write the attributes of a thing that the seat sees."""
        for column in self._columns[kind]:
            value = thing.get(column.attribute)
            if value is None:
                pass
            elif column.is_list:
                if isinstance(value, list):
                    tensor[at] = len(value)
                    for index, element in enumerate(value[:MAX_LIST_LENGTH]):
                        tensor[at + 1 + index] = _as_number(element)
            elif column.keys:
                for index, element in enumerate(_table_values(value, column.keys)):
                    tensor[at + index] = _as_number(element)
            elif column.values:
                element = column.values.get(value)
                if element is not None:
                    tensor[at + element] = 1
            else:
                tensor[at] = _as_number(value)
            at += len(column.labels)


def _is_number(type: ValueType | None) -> bool:
    return type is not None and type.base in ("decimal", "integer", "bool")


def _table_values(value: object, keys: tuple[str, ...]) -> list[object]:
    if isinstance(value, dict):
        return [value.get(key) for key in keys]
    return list(value[: len(keys)]) if isinstance(value, list) else []


def _as_number(value: object) -> float:
    if isinstance(value, (bool, int, float)):
        return float(value)
    return 0.0
