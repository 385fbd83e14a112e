"""Positions as JSON: a state as data that people can read and write, and back.

Things are named: a tile as in moves (`grid[0][4]`), a state or stack by its construct if there is one of it,
others by construct and number (`man#3`). `instances` has those that are there from the beginning, `new`
those made in play, in order. Keys with `@` are about the thing itself: `@is`, `@at`, `@players`, `@off`,
`@bottom`, `@shuffled`, `@top`, `@holds`. What is left out is as it is before setup, so a study can be short.
"""

import json
from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.interpreter.building import NOWHERE
from ludograph.tgdl.interpreter.faults import STOP, Fault
from ludograph.tgdl.interpreter.instances import create, put_on_tile, take_away
from ludograph.tgdl.interpreter.keys import key_count
from ludograph.tgdl.interpreter.naming import phase_name
from ludograph.tgdl.interpreter.places import check_range
from ludograph.tgdl.interpreter.run import Run
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.layout import Edits
from ludograph.tgdl.memory import (
    ACTIVE,
    BOTTOM,
    CHOOSING,
    DROPPED,
    EDITS,
    HELD,
    HOLDER,
    LARGEST_FAMILY,
    OUT,
    OVER,
    OWNER,
    PHASE,
    PLACE,
    POOL,
    RESULT,
    SEALED,
    SETUP,
    STAGE,
    STUCK,
    SWITCHED,
    SWITCHES,
    TOP,
    TURN,
    Instance,
    Member,
    Memory,
    Position,
)
from ludograph.tgdl.memory_bytes import check_edits
from ludograph.tgdl.memory_check import BadPosition, BadState, check_choices, check_memory
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.types import Basic, ConstructType, EnumType, ListType, TableType, Type

FORMAT = 1
STAGES = ("setup", "play", "stuck", "over")
STACK_PARTS = (("@bottom", BOTTOM), ("@shuffled", POOL), ("@top", TOP))


def parse_json(text: str) -> object:
    """Data from JSON text; BadPosition if it is none."""
    try:
        return json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadPosition(f"this is no JSON: {error}") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; which of two values of one key would be meant, nobody can say."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {double!r} is there twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def compact_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


# Writing


def memory_to_json(world: World, memory: Memory, choices: tuple[Any, ...] = ()) -> dict[str, object]:
    """A whole state as data."""
    cells = memory.cells
    assert world.start is not None
    first = len(world.start.instances)
    data: dict[str, object] = {
        "format": FORMAT,
        "game": world.program.name,
        "rules": world.program.rules,
        "players": world.players,
        "options": {name: _plain(value) for name, value in sorted(world.options.items())},
        "stage": STAGES[cells[STAGE]],
        "active": cells[ACTIVE],
    }
    if cells[TURN] is not None:
        data["turn"] = world.rounds[cells[TURN]].turn.name
    if cells[PHASE] is not None:
        data["phase"] = world.scenes[cells[PHASE]].phase.name
    for key, place in (("out", OUT), ("stuck", STUCK), ("dropped", DROPPED)):
        if cells[place]:
            data[key] = list(cells[place])
    if cells[RESULT] is not None:
        data["result"] = [cells[RESULT][0], [_plain(value) for value in cells[RESULT][1]]]
    if cells[SEALED]:
        data["sealed"] = [[player, [_tagged(world, item) for item in made]] for player, made in cells[SEALED]]
    if cells[SWITCHED]:
        data["off"] = list(cells[SWITCHED])
    if cells[SETUP] is not None:
        data["setup"] = cells[SETUP]
    if cells[EDITS] is not None:
        data["board"] = _edits_to_json(world, cells[EDITS])
    data["instances"] = {
        ref(world, each): instance_to_json(world, memory, each) for each in memory.instances[:first]
    }
    data["new"] = [
        {"@is": each.kind.name, **instance_to_json(world, memory, each)} for each in memory.instances[first:]
    ]
    if choices:
        data["choices"] = [_tagged(world, choice) for choice in choices]
    return data


def thing_to_json(world: World, memory: Memory, name: str) -> dict[str, object]:
    """One of the things that a game begins with, as it is in a whole state."""
    assert world.start is not None
    for each in memory.instances[: len(world.start.instances)]:
        if ref(world, each) == name:
            return instance_to_json(world, memory, each)
    raise KeyError(name)


def ref(world: World, instance: Instance) -> str:
    """The name of a thing in data: it never changes."""
    name = world.topology.name.get(instance)
    if name is not None:
        group = world.topology.group[instance]
        return name if "[" in name else f"{group}.{name}"
    if world.singletons.get(instance.kind.name) is instance:
        return instance.kind.name
    return repr(instance)


def instance_to_json(world: World, memory: Memory, instance: Instance) -> dict[str, object]:
    """The attributes of a thing, and where it is."""
    cells, at = memory.cells, instance.extra
    data: dict[str, object] = {}
    match instance.kind.construct.kind:
        case ConstructKind.INTERACTABLE:
            place = cells[at + PLACE]
            if place is not None and place.kind.construct.kind is ConstructKind.TILE:
                data["@at"] = ref(world, place)
        case ConstructKind.LOCAL:
            data["@player"] = cells[at + OWNER]
        case ConstructKind.GROUP_STATE:
            data["@players"] = list(cells[at + OWNER])
        case ConstructKind.TILE if len(cells[at + HELD]) > 1:
            data["@holds"] = [ref(world, piece) for piece in cells[at + HELD]]
        case ConstructKind.STACK:
            for key, part in STACK_PARTS:
                data[key] = [ref(world, card) for card in cells[at + part]]
            if cells[at + HOLDER] is not None:
                data["@holder"] = ref(world, cells[at + HOLDER])
        case _:
            pass
    if cells[at + SWITCHES]:
        data["@off"] = list(cells[at + SWITCHES])
    for attribute in instance.kind.construct.attributes:
        value = cells[instance.offset + attribute.slot]
        data[attribute.name] = value_to_json(world, value, attribute.type)
    return data


def value_to_json(world: World, value: Any, type: Type) -> object:
    """A value, as its declared type lets it be written."""
    if value is None:
        return None
    match type:
        case Basic.OBJECT:
            return _tagged(world, value)
        case ListType(element) | TableType(_, element):
            return [value_to_json(world, item, element) for item in value]
        case ConstructType():
            return ref(world, value)
        case Basic.POSITION:
            return f"{int(value):032x}"
        case Basic.PHASE:
            return phase_name(world, value)
        case _:
            return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Member):
        return value.name
    if isinstance(value, float) and value == int(value) and abs(value) < 2**53:
        return int(value)
    return value


def _tagged(world: World, value: Any) -> Any:
    """A value of no declared type, with what it is."""
    match value:
        case None | bool():
            return value
        case float():
            return _plain(value)
        case str():
            return {"text": value}
        case Member():
            return {"member": f"{value.enum}.{value.name}"}
        case Position():
            return {"position": f"{int(value):032x}"}
        case int():
            return {"player": value}
        case Instance():
            return {"thing": ref(world, value)}
        case (int(player), int(deed), this, part) if not isinstance(this, int | float):
            name = None if this is None else ref(world, this)
            return {"action": [player, deed, name, part]}
        case tuple():
            return [_tagged(world, item) for item in value]
        case _:
            assert value is STOP
            return {"stop": True}


def _edits_to_json(world: World, edits: Edits) -> dict[str, object]:
    return {
        "placed": [[ref(world, tile), group, row, column] for tile, group, row, column in edits.placed],
        "taken": [ref(world, tile) for tile in edits.taken],
        "absent": list(edits.absent),
        "links": [[ref(world, first), ref(world, second), cost] for first, second, cost in edits.links],
    }


# Reading


def memory_from_json(world: World, data: object) -> tuple[Memory, tuple[Any, ...]]:
    """A memory, and the choices made since, from data; BadPosition says what is wrong."""
    try:
        return _Reading(world).read(data)
    except BadPosition:
        raise
    except (BadState, Fault) as error:
        message = error.message if isinstance(error, Fault) else str(error)
        raise BadPosition(message) from None
    except RecursionError:
        raise BadPosition("the data are nested too deeply") from None


class _Reading:
    """Builds a memory from data. Mutable."""

    def __init__(self, world: World) -> None:
        assert world.start is not None
        self.world = world
        self.memory = world.start.copy()
        self.run = Run(world, self.memory)
        self.names: dict[str, Instance] = {}
        self.stacked: set[Instance] = set()

    def read(self, data: object) -> tuple[Memory, tuple[Any, ...]]:
        known = self._object(data, "a position")
        rules = known.get("rules")
        if known.get("format", FORMAT) != FORMAT:
            raise BadPosition(f"this position is in format {known['format']!r}, not {FORMAT}")
        if rules is not None and rules != self.world.program.rules:
            raise BadPosition("this position was saved under other rules")
        new = self._list(known.get("new", []), "new")
        instances = self._object(known.get("instances", {}), "instances")
        for entry in new:
            self._create(self._object(entry, "a new instance"))
        for instance in self.memory.instances:
            self.names[ref(self.world, instance)] = instance
            self.names.setdefault(repr(instance), instance)
        self._add_short_names()
        first = len(self.memory.instances) - len(new)
        entries_of = [
            (self._thing(name, "instances"), self._object(entry, name)) for name, entry in instances.items()
        ]
        entries_of += [
            (instance, self._object(entry, "a new instance"))
            for instance, entry in zip(self.memory.instances[first:], new, strict=True)
        ]
        for instance, entry in entries_of:
            self._attributes(instance, entry)
        for instance, entry in entries_of:
            self._place(instance, entry)
        for instance, entry in entries_of:
            self._contents(instance, entry)
        self._header(known)
        choices = tuple(
            self._untagged(item, "choices") for item in self._list(known.get("choices", []), "choices")
        )
        check_memory(self.world, self.memory)
        check_choices(self.world, choices)
        return self.memory, choices

    def _create(self, entry: Mapping[str, Any]) -> None:
        name = entry.get("@is")
        kind = self.world.kind.get(name) if isinstance(name, str) else None
        if kind is None or len(self.memory.families[kind.index]) >= LARGEST_FAMILY:
            raise BadPosition(f"there is no construct {name!r}")
        if kind.construct.kind in (ConstructKind.STACK, ConstructKind.GLOBAL):
            self.memory.create(kind)
        elif any(attribute.makes_stack for attribute in kind.construct.attributes):
            # Its stacks follow as entries of their own.
            self.memory.create(kind)
        else:
            create(self.run, kind, NOWHERE)
        self.run.cells = self.memory.cells

    def _attributes(self, instance: Instance, entry: Mapping[str, Any]) -> None:
        slots = {attribute.name: attribute for attribute in instance.kind.construct.attributes}
        for name, value in entry.items():
            if name.startswith("@"):
                continue
            attribute = slots.get(name)
            if attribute is None:
                raise BadPosition(f"{ref(self.world, instance)} has no attribute {name!r}")
            where = f"{ref(self.world, instance)}.{name}"
            found = self._value(value, attribute.type, where)
            if found is not None and (instance.kind.name, attribute.slot) in self.world.ranges:
                check_range(self.run, instance, attribute.slot, found, NOWHERE)
            self.memory.cells[instance.offset + attribute.slot] = found

    def _place(self, instance: Instance, entry: Mapping[str, Any]) -> None:
        cells, at = self.memory.cells, instance.extra
        kind = instance.kind.construct.kind
        allowed = {"@is", "@off"}
        if "@off" in entry:
            cells[at + SWITCHES] = tuple(self._list(entry["@off"], "@off"))
        match kind:
            case ConstructKind.INTERACTABLE:
                allowed |= {"@at"}
                if "@at" in entry:
                    take_away(self.run, instance)
                    if entry["@at"] is not None:
                        tile = self._thing(entry["@at"], "@at")
                        if (
                            tile.kind.construct.kind is not ConstructKind.TILE
                            or not instance.kind.construct.placeable
                        ):
                            raise BadPosition(f"{instance!r} cannot stand on {entry['@at']!r}")
                        put_on_tile(self.run, instance, tile, NOWHERE)
            case ConstructKind.LOCAL:
                allowed |= {"@player"}
                if "@player" in entry:
                    cells[at + OWNER] = entry["@player"]
            case ConstructKind.GROUP_STATE:
                allowed |= {"@players"}
                if "@players" in entry:
                    cells[at + OWNER] = tuple(self._list(entry["@players"], "@players"))
            case ConstructKind.TILE:
                allowed |= {"@holds"}
            case ConstructKind.STACK:
                allowed |= {"@bottom", "@shuffled", "@top", "@holder"}
            case _:
                pass
        for key in entry:
            if key.startswith("@") and key not in allowed:
                raise BadPosition(f"{ref(self.world, instance)} has no {key!r}")

    def _contents(self, instance: Instance, entry: Mapping[str, Any]) -> None:
        """What lies in a stack, and the order of pieces on a tile."""
        cells, at = self.memory.cells, instance.extra
        if "@holder" in entry and entry["@holder"] is not None:
            cells[at + HOLDER] = self._thing(entry["@holder"], "@holder")
        if "@holds" in entry:
            order = tuple(self._thing(name, "@holds") for name in self._list(entry["@holds"], "@holds"))
            if {*order} != {*cells[at + HELD]} or len(order) != len(cells[at + HELD]):
                raise BadPosition(f"{ref(self.world, instance)} does not hold what it says")
            cells[at + HELD] = order
        if any(key in entry for key, _ in STACK_PARTS):
            for card in (*cells[at + BOTTOM], *cells[at + POOL], *cells[at + TOP]):
                take_away(self.run, card)
            for key, part in STACK_PARTS:
                cards = tuple(self._thing(name, key) for name in self._list(entry.get(key, []), key))
                for card in cards:
                    if card.kind.construct.kind is not ConstructKind.INTERACTABLE:
                        raise BadPosition(f"{card!r} is no card")
                    if card in self.stacked:
                        raise BadPosition(f"{card!r} lies in two places")
                    self.stacked.add(card)
                    take_away(self.run, card)
                    cells[card.extra + PLACE] = instance
                cells[at + part] = cards

    def _header(self, known: Mapping[str, Any]) -> None:
        world, cells = self.world, self.memory.cells
        stage = known.get("stage", "over" if known.get("result") is not None else "play")
        if stage not in STAGES:
            raise BadPosition(f"there is no stage {stage!r}")
        cells[STAGE] = STAGES.index(stage)
        cells[ACTIVE] = known.get("active", 0)
        if "turn" in known or "phase" in known:
            self._turn(known.get("turn"), known.get("phase"))
        for key, place in (("out", OUT), ("stuck", STUCK), ("dropped", DROPPED), ("off", SWITCHED)):
            cells[place] = tuple(self._list(known.get(key, []), key))
        cells[SETUP] = known.get("setup")
        if known.get("result") is not None:
            result = self._list(known["result"], "result")
            if len(result) != 2:
                raise BadPosition("a result is a kind and its players or payoffs")
            values = self._list(result[1], "result")
            if result[0] == "finish":
                values = [self._value(value, Basic.DECIMAL, "result") for value in values]
            cells[RESULT] = (result[0], tuple(values))
        sealed = []
        for entry in self._list(known.get("sealed", []), "sealed"):
            player, made = (*self._list(entry, "sealed"), None, None)[:2]
            sealed.append(
                (player, tuple(self._untagged(item, "sealed") for item in self._list(made, "sealed")))
            )
        cells[SEALED] = tuple(sealed)
        if "board" in known:
            cells[EDITS] = self._edits(self._object(known["board"], "board"))
        if cells[STAGE] not in (CHOOSING, OVER) and not world.program.setups and cells[STAGE] == 0:
            cells[STAGE] = CHOOSING

    def _turn(self, turn: Any, phase: Any) -> None:
        world, cells = self.world, self.memory.cells
        if turn is not None:
            found = [each.index for each in world.rounds if each.turn.name == turn]
            if not found:
                raise BadPosition(f"there is no turn {turn!r}")
            cells[TURN], cells[PHASE] = found[0], world.rounds[found[0]].first
        if phase is not None:
            scenes = [scene for scene in world.scenes if scene.phase.name == phase]
            own = [scene for scene in scenes if turn is None or scene.turn == cells[TURN]]
            if not own:
                raise BadPosition(f"there is no phase {phase!r}")
            cells[PHASE], cells[TURN] = own[0].index, own[0].turn

    def _edits(self, data: Mapping[str, Any]) -> Edits:
        def rows(key: str) -> list[list[Any]]:
            return [self._list(row, key) for row in self._list(data.get(key, []), key)]

        edits = Edits(
            tuple((self._thing(row[0], "board"), *row[1:]) for row in rows("placed") if row),
            tuple(self._thing(name, "board") for name in self._list(data.get("taken", []), "taken")),
            tuple(self._list(data.get("absent", []), "absent")),
            tuple(
                (
                    self._thing(row[0], "board"),
                    self._thing(row[1], "board"),
                    None if row[2] is None else self._value(row[2], Basic.DECIMAL, "board"),
                )
                for row in rows("links")
                if len(row) == 3
            ),
        )
        check_edits(edits)
        return edits

    # Values

    def _value(self, data: Any, type: Type, where: str) -> Any:
        if data is None:
            return None
        match type:
            case Basic.DECIMAL if isinstance(data, int | float) and not isinstance(data, bool):
                if not -1.7976931348623157e308 <= data <= 1.7976931348623157e308:
                    raise BadPosition(f"{where} is no number")
                return float(data) + 0.0
            case Basic.BOOL if isinstance(data, bool):
                return data
            case Basic.STRING if isinstance(data, str):
                return data
            case Basic.PLAYER if isinstance(data, int) and not isinstance(data, bool):
                return data
            case Basic.PHASE:
                for number in range(len(self.world.scenes)):
                    if phase_name(self.world, number) == data:
                        return number
            case Basic.POSITION if isinstance(data, str):
                return self._position(data, where)
            case Basic.OBJECT:
                return self._untagged(data, where)
            case EnumType(name) if isinstance(data, str):
                for member in self.world.members[name]:
                    if member.name == data:
                        return member
            case ConstructType(name) if isinstance(data, str):
                thing = self._thing(data, where)
                if name in thing.kind.ancestry:
                    return thing
            case ListType(element) if isinstance(data, list):
                return tuple(self._value(item, element, where) for item in data)
            case TableType(key, element) if isinstance(data, list):
                if len(data) == key_count(self.world, self.run.memory, key):
                    return tuple(self._value(item, element, where) for item in data)
            case _:
                pass
        raise BadPosition(f"{where} cannot be {compact_json(data)[:80]}")

    def _position(self, text: str, where: str) -> Position:
        if len(text) != 32 or not all(letter in "0123456789abcdef" for letter in text):
            raise BadPosition(f"{where} is no position")
        return Position(int(text, 16))

    def _untagged(self, data: Any, where: str) -> Any:
        match data:
            case None | bool():
                return data
            case int() | float():
                return self._value(data, Basic.DECIMAL, where)
            case {"text": str(text)}:
                return text
            case {"member": str(text)}:
                enum, _, name = text.rpartition(".")
                return (
                    self._value(name, EnumType(enum), where)
                    if enum in self.world.members
                    else self._bad(where)
                )
            case {"position": str(text)}:
                return self._position(text, where)
            case {"player": int(player)}:
                return player
            case {"thing": str(name)}:
                return self._thing(name, where)
            case {"action": [int(player), int(deed), name, part]}:
                this = None if name is None else self._thing(name, where)
                return (player, deed, this, part)
            case {"stop": True}:
                return STOP
            case list():
                return tuple(self._untagged(item, where) for item in data)
            case _:
                return self._bad(where)

    def _bad(self, where: str) -> Any:
        raise BadPosition(f"a value in {where} cannot be read")

    def _add_short_names(self) -> None:
        """A tile may go by its name alone, as in a move, where no other tile or thing has it."""
        alone: dict[str, list[Instance]] = {}
        for tile, name in self.world.topology.name.items():
            alone.setdefault(name, []).append(tile)
        for name, tiles in alone.items():
            if len(tiles) == 1:
                self.names.setdefault(name, tiles[0])

    def _thing(self, name: Any, where: str) -> Instance:
        found = self.names.get(name) if isinstance(name, str) else None
        if found is None:
            raise BadPosition(f"there is nothing called {name!r} (in {where})")
        return found

    def _object(self, data: object, what: str) -> dict[str, Any]:
        if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
            raise BadPosition(f"{what} is an object")
        return data

    def _list(self, data: object, what: str) -> list[Any]:
        if not isinstance(data, list | tuple):
            raise BadPosition(f"{what} is a list")
        return list(data)
