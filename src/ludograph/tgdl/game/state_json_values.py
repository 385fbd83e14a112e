"""Values as JSON: numbers, instances, lists and so on as data, and back.

A value of a declared type is written in the form of that type; a value without a declared type has a tag.
Instances are named: a tile as in moves (`grid[0][4]`), a state or stack by its construct if there is only
one, others by construct and number (`man#3`).
"""

import json
from typing import Any

from ludograph.tgdl.game.state_check import BadPosition, describe, is_opener
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.naming import phase_name, ref
from ludograph.tgdl.world.faults import STOP
from ludograph.tgdl.world.memory import EnumMember, Instance, Memory, PositionHash
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.values import MAX_NUMBER, plain_number
from ludograph.tgdl.world.world import World


def compact_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def shorten_for_message(data: object) -> str:
    """Data for a message, cut to 80 characters."""
    try:
        return compact_json(data)[:80]
    except (ValueError, TypeError):  # too many digits, or not a JSON value
        return describe(data)


# Writing


def value_to_json(world: World, value: Any, type: Type) -> object:
    """A value in the form of its declared type."""
    if value is None:
        return None
    match type:
        case Basic.OBJECT:
            return tagged(world, value)
        case ListType(element) | TableType(_, element):
            return [value_to_json(world, item, element) for item in value]
        case ConstructType():
            return ref(world, value)
        case Basic.POSITION:
            return f"{int(value):032x}"
        case Basic.PHASE:
            return phase_name(world, value)
        case _:
            return scalar_to_json(value)


def scalar_to_json(value: Any) -> Any:
    """A number, boolean, text, player or enum member in its JSON form."""
    if isinstance(value, EnumMember):
        return value.name
    return plain_number(value) if isinstance(value, float) else value


def tagged(world: World, value: Any) -> Any:
    """A value without a declared type, with a tag."""
    match value:
        case None | bool():
            return value
        case float():
            return scalar_to_json(value)
        case str():
            return {"text": value}
        case EnumMember():
            return {"member": f"{value.enum}.{value.name}"}
        case PositionHash():
            return {"position": f"{int(value):032x}"}
        case int():
            return {"player": value}
        case Instance():
            return {"thing": ref(world, value)}
        case _:
            assert isinstance(value, tuple), "nothing else is a value"
            return [tagged(world, item) for item in value]


def tagged_choice(world: World, choice: Any) -> Any:
    """A choice of a transaction: an action, a value, or the end of a list."""
    if choice is STOP:
        return {"stop": True}
    if is_opener(choice):
        player, action_index, this, part = choice
        return {"action": [player, action_index, None if this is None else ref(world, this), part]}
    return tagged(world, choice)


# Reading


class ValueReader:
    """Reads values of a world. Mutable: it collects the names of instances."""

    def __init__(self, world: World, memory: Memory) -> None:
        self.world = world
        self.memory = memory
        self.names: dict[str, Instance] = {}

    def learn_names(self) -> None:
        """Collect the names of all instances; a tile also has its short name, if that is unique."""
        for instance in self.memory.instances:
            self.names[ref(self.world, instance)] = instance
            self.names.setdefault(repr(instance), instance)
        alone: dict[str, list[Instance]] = {}
        for tile, name in self.world.topology.name.items():
            alone.setdefault(name, []).append(tile)
        for name, tiles in alone.items():
            if len(tiles) == 1:
                self.names.setdefault(name, tiles[0])

    def value(self, data: Any, type: Type, where: str) -> Any:
        if data is None:
            return None
        match type:
            case Basic.DECIMAL if isinstance(data, int | float) and not isinstance(data, bool):
                if not -MAX_NUMBER <= data <= MAX_NUMBER:
                    raise BadPosition(f"{where} is not a number")
                return float(data) + 0.0
            case Basic.BOOL if isinstance(data, bool):
                return data
            case Basic.STRING if isinstance(data, str):
                return data
            case Basic.PLAYER if isinstance(data, int) and not isinstance(data, bool):
                return data
            case Basic.PHASE:
                for number in range(len(self.world.phases)):
                    if phase_name(self.world, number) == data:
                        return number
            case Basic.POSITION if isinstance(data, str):
                return self._position(data, where)
            case Basic.OBJECT:
                return self.untagged(data, where)
            case EnumType(name) if isinstance(data, str):
                for member in self.world.members[name]:
                    if member.name == data:
                        return member
            case ConstructType(name) if isinstance(data, str):
                thing = self.thing(data, where)
                if name in thing.kind.ancestry:
                    return thing
            case ListType(element) if isinstance(data, list):
                return tuple(self.value(item, element, where) for item in data)
            case TableType(key, element) if isinstance(data, list):
                if len(data) == key_count(self.world, self.memory, key):
                    return tuple(self.value(item, element, where) for item in data)
            case _:
                pass
        raise BadPosition(f"{where} cannot be {shorten_for_message(data)}")

    def _position(self, text: str, where: str) -> PositionHash:
        if len(text) != 32 or not all(letter in "0123456789abcdef" for letter in text):
            raise BadPosition(f"{where} is not a position")
        return PositionHash(int(text, 16))

    def choice(self, data: Any, where: str) -> Any:
        """A choice of a transaction; it is checked later."""
        match data:
            case {"action": [player, action_index, name, part]}:
                return (player, action_index, None if name is None else self.thing(name, where), part)
            case {"stop": True}:
                return STOP
            case _:
                return self.untagged(data, where)

    def untagged(self, data: Any, where: str) -> Any:
        match data:
            case None | bool():
                return data
            case int() | float():
                return self.value(data, Basic.DECIMAL, where)
            case {"text": str(text)}:
                return text
            case {"member": str(text)}:
                enum, _, name = text.rpartition(".")
                return (
                    self.value(name, EnumType(enum), where)
                    if enum in self.world.members
                    else self._bad(where)
                )
            case {"position": str(text)}:
                return self._position(text, where)
            case {"player": int(player)} if not isinstance(player, bool):
                return player
            case {"thing": str(name)}:
                return self.thing(name, where)
            case list():
                return tuple(self.untagged(item, where) for item in data)
            case _:
                return self._bad(where)

    def _bad(self, where: str) -> Any:
        raise BadPosition(f"a value in {where} cannot be read")

    def thing(self, name: Any, where: str) -> Instance:
        found = self.names.get(name) if isinstance(name, str) else None
        if found is None:
            raise BadPosition(f"there is nothing called {describe(name)} (in {where})")
        return found
