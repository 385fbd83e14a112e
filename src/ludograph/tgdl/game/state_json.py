"""Positions as JSON: encoding of a state as data that people can read and write, and decoding.

`instances` has the instances that exist at the start, by name; `new` has those created in play, in order.
Keys with `@` describe the instance itself: `@is`, `@at`, `@players`, `@off`, `@met`, `@bottom`, `@shuffled`,
`@top`, `@holds`. A key that is left out has its value from before the setup, so a position composed by hand
can be short.
"""

import json
from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.game.state_bytes import check_edits
from ludograph.tgdl.game.state_check import BadPosition, BadState, check_choices, check_memory, describe
from ludograph.tgdl.game.state_json_values import (
    ValueReader,
    scalar_to_json,
    shorten_for_message,
    tagged_choice,
    value_to_json,
)
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.instances import create, initialise, put_on_tile, remove_piece, stacks_in
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import empty
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.topology import Edits
from ludograph.tgdl.world.world import World

FORMAT = 1
MAX_DIGITS = 1000
"""The limit for a whole number; decimals have at most 309 digits."""
STAGES = ("setup", "play", "stuck", "over")
KEYS = tuple(
    "format game rules players options stage active turn phase instances new "
    "out stuck dropped result sealed off met setup board choices".split()
)
STACK_PARTS = (("@bottom", mem.BOTTOM), ("@shuffled", mem.POOL), ("@top", mem.TOP))


def parse_json(text: str) -> object:
    """Data from JSON text; BadPosition if it is not valid JSON."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_reject_constant,
            parse_int=_parse_whole_number,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadPosition(f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}: {where}") from None
    except ValueError as error:
        raise BadPosition(f"this is not JSON: {error}") from None
    except RecursionError:
        message = "lists and objects are nested too deeply"
        raise BadPosition(f"this is not the JSON of a position: {message}") from None


def _parse_whole_number(text: str) -> int:
    """A whole number; for too many digits it raises before Python does, with our message."""
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number has {len(text):,} digits, and at most {MAX_DIGITS:,} are read")
    return int(text)


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that occurs twice is an error, because it would be ambiguous."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {duplicate!r} is there twice")
    return found


def _reject_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")


# Writing


def memory_to_json(world: World, memory: mem.Memory, choices: tuple[Any, ...] = ()) -> dict[str, object]:
    """A complete state as data."""
    cells = memory.cells
    assert world.start is not None
    first = len(world.start.instances)
    data: dict[str, object] = {
        "format": FORMAT,
        "game": world.program.name,
        "rules": world.program.rules,
        "players": world.players,
        "options": {name: scalar_to_json(value) for name, value in sorted(world.options.items())},
        "stage": STAGES[cells[mem.STAGE]],
        "active": cells[mem.ACTIVE],
    }
    if cells[mem.TURN] is not None:
        data["turn"] = world.turns[cells[mem.TURN]].turn.name
    if cells[mem.PHASE] is not None:
        data["phase"] = world.phases[cells[mem.PHASE]].phase.name
    for key, place in (("out", mem.OUT), ("stuck", mem.STUCK), ("dropped", mem.DROPPED)):
        if cells[place]:
            data[key] = list(cells[place])
    if cells[mem.RESULT] is not None:
        data["result"] = [cells[mem.RESULT][0], [scalar_to_json(value) for value in cells[mem.RESULT][1]]]
    if cells[mem.SEALED]:
        data["sealed"] = [
            [player, [tagged_choice(world, item) for item in made]] for player, made in cells[mem.SEALED]
        ]
    data |= _switches_to_json(world, cells[mem.SWITCHED], "")
    if cells[mem.SETUP] is not None:
        data["setup"] = cells[mem.SETUP]
    if cells[mem.EDITS] is not None:
        data["board"] = _edits_to_json(world, cells[mem.EDITS])
    data["instances"] = {
        ref(world, each): instance_to_json(world, memory, each) for each in memory.instances[:first]
    }
    data["new"] = [
        {"@is": each.kind.name, **instance_to_json(world, memory, each)} for each in memory.instances[first:]
    ]
    if choices:
        data["choices"] = [tagged_choice(world, choice) for choice in choices]
    return data


def initial_instance(world: World, name: str) -> mem.Instance:
    """An instance that exists at the start of a game, by its name in data; KeyError if there is none.

    A singleton or a name like `man#3` is found without a search.
    """
    start = world.start
    assert start is not None
    candidate = world.singletons.get(name)
    construct, _, number = name.partition("#")
    if candidate is None and construct in world.kind and number.isdecimal():
        members = start.families[world.kind[construct].index]
        candidate = members[int(number) - 1] if 0 < int(number) <= len(members) else None
    for each in start.instances if candidate is None else (candidate,):
        if ref(world, each) == name:
            return each
    raise KeyError(name)


def _switches_to_json(world: World, numbers: tuple[int, ...], prefix: str) -> dict[str, list[int]]:
    """The actions that are switched off, and the conditions that held at their last test."""
    first = len(world.program.actions)
    off = [each for each in numbers if each < first]
    met = [each - first for each in numbers if each >= first]
    return {f"{prefix}{key}": found for key, found in (("off", off), ("met", met)) if found}


def instance_to_json(
    world: World, memory: mem.Memory, instance: mem.Instance, wanted: tuple[str, ...] = ()
) -> dict[str, object]:
    """The attributes of an instance and its `@` keys; with `wanted`, only these attributes."""
    cells, at, first = memory.cells, instance.extra, instance.offset
    attributes = instance.kind.construct.attributes
    if wanted:
        found = {
            each.name: value_to_json(world, cells[first + each.slot], each.type)
            for each in attributes
            if each.name in wanted
        }
        if len(found) < len(wanted) and not found.keys() >= set(wanted):
            unknown = next(name for name in wanted if name not in found)
            raise KeyError(f"{instance.kind.name} has no attribute {unknown!r}")
        return found
    data: dict[str, object] = {}
    match instance.kind.construct.kind:
        case ConstructKind.INTERACTABLE:
            place = cells[at + mem.PLACE]
            if place is not None and place.kind.construct.kind is ConstructKind.TILE:
                data["@at"] = ref(world, place)
        case ConstructKind.LOCAL:
            data["@player"] = cells[at + mem.OWNER]
        case ConstructKind.GROUP_STATE:
            data["@players"] = list(cells[at + mem.OWNER])
        case ConstructKind.TILE if len(cells[at + mem.HELD]) > 1:
            data["@holds"] = [ref(world, piece) for piece in cells[at + mem.HELD]]
        case ConstructKind.STACK:
            for key, part in STACK_PARTS:
                data[key] = [ref(world, card) for card in cells[at + part]]
            if cells[at + mem.HOLDER] is not None:
                data["@holder"] = ref(world, cells[at + mem.HOLDER])
        case _:
            pass
    data |= _switches_to_json(world, cells[at + mem.SWITCHES], "@")
    for each in attributes:
        data[each.name] = value_to_json(world, cells[first + each.slot], each.type)
    return data


def _edits_to_json(world: World, edits: Edits) -> dict[str, object]:
    return {
        "placed": [[ref(world, tile), group, row, column] for tile, group, row, column in edits.placed],
        "taken": [ref(world, tile) for tile in edits.taken],
        "absent": list(edits.absent),
        "links": [[ref(world, first), ref(world, second), cost] for first, second, cost in edits.links],
    }


# Reading


def memory_from_json(world: World, data: object) -> tuple[mem.Memory, tuple[Any, ...]]:
    """Decode a memory, and the choices of its open move; raises BadPosition with the reason."""
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
        self.values = ValueReader(world, self.memory)
        self.stacked: set[mem.Instance] = set()

    def read(self, data: object) -> tuple[mem.Memory, tuple[Any, ...]]:
        position = self._object(data, "a position")
        self._check_keys(position)
        rules = position.get("rules")
        if position.get("format", FORMAT) != FORMAT:
            raise BadPosition(f"this position is in format {describe(position['format'])}, not {FORMAT}")
        if rules is not None and rules != self.world.program.rules:
            raise BadPosition("this position was saved under other rules")
        new = self._list(position.get("new", []), "new")
        instances = self._object(position.get("instances", {}), "instances")
        for entry in new:
            self._create(self._object(entry, "a new instance"))
        self.values.learn_names()
        first = len(self.memory.instances) - len(new)
        entries_of = [
            (self.values.thing(name, "instances"), self._object(entry, name))
            for name, entry in instances.items()
        ]
        entries_of += [
            (instance, self._object(entry, "a new instance"))
            for instance, entry in zip(self.memory.instances[first:], new, strict=True)
        ]
        for instance, entry in entries_of:
            self._read_attributes(instance, entry)
        for instance, entry in entries_of:
            self._read_placement(instance, entry)
        for instance, entry in entries_of:
            self._read_contents(instance, entry)
        self._assign_stack_holders()
        self._read_header(position)
        choices = tuple(
            self.values.choice(item, "choices") for item in self._list(position.get("choices", []), "choices")
        )
        check_memory(self.world, self.memory)
        check_choices(self.world, self.memory, choices)
        return self.memory, choices

    def _check_keys(self, position: Mapping[str, Any]) -> None:
        """Check that all keys are known and that the position belongs to this world."""
        unknown = next((key for key in position if key not in KEYS), None)
        if unknown is not None:
            raise BadPosition(f"a position has no {unknown!r}; it has {', '.join(KEYS)}")
        if position.get("players", self.world.players) != self.world.players:
            raise BadPosition(
                f"this position is for {describe(position['players'])} players, not {self.world.players}"
            )
        for name, value in self._object(position.get("options", {}), "options").items():
            if name not in self.world.options or scalar_to_json(self.world.options[name]) != value:
                raise BadPosition(f"this position is for the option {name} = {describe(value)}")

    def _create(self, entry: Mapping[str, Any]) -> None:
        name = entry.get("@is")
        kind = self.world.kind.get(name) if isinstance(name, str) else None
        if kind is None or len(self.memory.families[kind.index]) >= mem.MAX_FAMILY_SIZE:
            raise BadPosition(f"there is no construct {describe(name)}")
        # The stacks that an instance creates have their own entries.
        makes_stacks = any(attribute.makes_stack for attribute in kind.construct.attributes)
        if makes_stacks or kind.construct.kind in (ConstructKind.STACK, ConstructKind.GLOBAL):
            self._create_bare(kind)
        elif creating := self.world.initialisers[kind.name].creating:
            # So have the instances that its initial values create.
            made = self._create_bare(kind)
            self.run.cells = self.memory.cells
            initialise(self.run, made, NOWHERE, None, creating)
        else:
            create(self.run, kind, NOWHERE)
        self.run.cells = self.memory.cells

    def _create_bare(self, kind: mem.ConstructInfo) -> mem.Instance:
        """Create an instance without attribute values; lists and tables are empty, not none."""
        made = self.memory.create(kind)
        for attribute in kind.construct.attributes:
            self.memory.cells[made.offset + attribute.slot] = empty(attribute.type)(self.run, [])
        return made

    def _read_attributes(self, instance: mem.Instance, entry: Mapping[str, Any]) -> None:
        slots = {attribute.name: attribute for attribute in instance.kind.construct.attributes}
        for name, value in entry.items():
            if name.startswith("@"):
                continue
            attribute = slots.get(name)
            if attribute is None:
                raise BadPosition(f"{ref(self.world, instance)} has no attribute {describe(name)}")
            where = f"{ref(self.world, instance)}.{name}"
            found = self.values.value(value, attribute.type, where)
            self.memory.cells[instance.offset + attribute.slot] = found

    def _read_placement(self, instance: mem.Instance, entry: Mapping[str, Any]) -> None:
        cells, at = self.memory.cells, instance.extra
        kind = instance.kind.construct.kind
        allowed = {"@is", "@off", "@met"}
        cells[at + mem.SWITCHES] = self._read_switches(entry, "@")
        match kind:
            case ConstructKind.INTERACTABLE:
                allowed |= {"@at"}
                if "@at" in entry:
                    remove_piece(self.run, instance)
                    if entry["@at"] is not None:
                        tile = self.values.thing(entry["@at"], "@at")
                        if (
                            tile.kind.construct.kind is not ConstructKind.TILE
                            or not instance.kind.construct.placeable
                        ):
                            raise BadPosition(
                                f"{ref(self.world, instance)} cannot stand on {describe(entry['@at'])}"
                            )
                        put_on_tile(self.run, instance, tile, NOWHERE)
            case ConstructKind.LOCAL:
                allowed |= {"@player"}
                if "@player" in entry:
                    cells[at + mem.OWNER] = entry["@player"]
            case ConstructKind.GROUP_STATE:
                allowed |= {"@players"}
                if "@players" in entry:
                    cells[at + mem.OWNER] = tuple(self._list(entry["@players"], "@players"))
            case ConstructKind.TILE:
                allowed |= {"@holds"}
            case ConstructKind.STACK:
                allowed |= {"@bottom", "@shuffled", "@top", "@holder"}
            case _:
                pass
        for key in entry:
            if key.startswith("@") and key not in allowed:
                raise BadPosition(f"{ref(self.world, instance)} has no {key!r}")

    def _read_contents(self, instance: mem.Instance, entry: Mapping[str, Any]) -> None:
        """Set the cards of a stack, and the order of the pieces on a tile."""
        cells, at = self.memory.cells, instance.extra
        if "@holder" in entry and entry["@holder"] is not None:
            cells[at + mem.HOLDER] = self.values.thing(entry["@holder"], "@holder")
        if "@holds" in entry:
            order = tuple(self.values.thing(name, "@holds") for name in self._list(entry["@holds"], "@holds"))
            if {*order} != {*cells[at + mem.HELD]} or len(order) != len(cells[at + mem.HELD]):
                raise BadPosition(f"{ref(self.world, instance)} has other pieces on it than '@holds' lists")
            cells[at + mem.HELD] = order
        if any(key in entry for key, _ in STACK_PARTS):
            for card in (*cells[at + mem.BOTTOM], *cells[at + mem.POOL], *cells[at + mem.TOP]):
                remove_piece(self.run, card)
            for key, part in STACK_PARTS:
                cards = tuple(self.values.thing(name, key) for name in self._list(entry.get(key, []), key))
                for card in cards:
                    if card.kind.construct.kind is not ConstructKind.INTERACTABLE:
                        raise BadPosition(f"{card!r} is not a card")
                    if card in self.stacked:
                        raise BadPosition(f"{card!r} lies in two places")
                    self.stacked.add(card)
                    remove_piece(self.run, card)
                    cells[card.extra + mem.PLACE] = instance
                cells[at + part] = cards

    def _assign_stack_holders(self) -> None:
        """Give a new stack without `@holder` to the instance that names it."""
        cells = self.memory.cells
        for instance in self.memory.instances:
            for attribute in instance.kind.construct.attributes:
                value = cells[instance.offset + attribute.slot] if attribute.makes_stack else None
                for stack in stacks_in(value):
                    if isinstance(stack, mem.Instance) and cells[stack.extra + mem.HOLDER] is None:
                        cells[stack.extra + mem.HOLDER] = instance

    def _read_switches(self, data: Mapping[str, Any], prefix: str) -> tuple[Any, ...]:
        """The actions that are switched off, and the conditions that held at their last test."""
        off, met = (self._list(data.get(f"{prefix}{key}", []), f"{prefix}{key}") for key in ("off", "met"))
        first = len(self.world.program.actions)
        if any(type(each) is not int or each >= first for each in off) or any(
            type(each) is not int or each < 0 for each in met
        ):
            raise BadPosition(f"`{prefix}off` and `{prefix}met` are numbers of actions and conditions")
        return (*off, *(first + each for each in met))

    def _read_header(self, position: Mapping[str, Any]) -> None:
        world, cells = self.world, self.memory.cells
        stage = position.get("stage", "over" if position.get("result") is not None else "play")
        if stage not in STAGES:
            raise BadPosition(f"there is no stage {describe(stage)}")
        cells[mem.STAGE] = STAGES.index(stage)
        cells[mem.ACTIVE] = position.get("active", 0)
        if "turn" in position or "phase" in position:
            self._read_turn(position.get("turn"), position.get("phase"))
        for key, place in (
            ("out", mem.OUT),
            ("stuck", mem.STUCK),
            ("dropped", mem.DROPPED),
        ):
            cells[place] = tuple(self._list(position.get(key, []), key))
        cells[mem.SWITCHED] = self._read_switches(position, "")
        cells[mem.SETUP] = position.get("setup")
        if position.get("result") is not None:
            cells[mem.RESULT] = self._read_result(position["result"])
        cells[mem.SEALED] = self._read_sealed(position.get("sealed", []))
        if "board" in position:
            cells[mem.EDITS] = self._read_edits(self._object(position["board"], "board"))
        if stage == "setup" and not world.program.setups:
            cells[mem.STAGE] = mem.CHOOSING

    def _read_result(self, data: object) -> tuple[Any, tuple[Any, ...]]:
        result = self._list(data, "result")
        if len(result) != 2:
            raise BadPosition("a result is a kind and its players or payoffs")
        values = self._list(result[1], "result")
        if result[0] == "finish":
            values = [self.values.value(value, Basic.DECIMAL, "result") for value in values]
        return result[0], tuple(values)

    def _read_sealed(self, data: object) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
        """The sealed choices of a simultaneous phase, by player."""
        sealed = []
        for entry in self._list(data, "sealed"):
            player, items = self._row(entry, 2, "sealed")
            choices = tuple(self.values.choice(item, "sealed") for item in self._list(items, "sealed"))
            sealed.append((player, choices))
        return tuple(sealed)

    def _read_turn(self, turn: Any, phase: Any) -> None:
        world, cells = self.world, self.memory.cells
        if turn is not None:
            found = [each.index for each in world.turns if each.turn.name == turn]
            if not found:
                raise BadPosition(f"there is no turn {describe(turn)}")
            cells[mem.TURN], cells[mem.PHASE] = found[0], world.turns[found[0]].first
        if phase is not None:
            phases = [each for each in world.phases if each.phase.name == phase]
            phases = [each for each in phases if turn is None or each.turn == cells[mem.TURN]]
            if not phases:
                raise BadPosition(f"there is no phase {describe(phase)}")
            cells[mem.PHASE], cells[mem.TURN] = phases[0].index, phases[0].turn

    def _read_edits(self, data: Mapping[str, Any]) -> Edits | None:
        def rows(key: str, width: int) -> list[list[Any]]:
            return [self._row(row, width, key) for row in self._list(data.get(key, []), key)]

        edits = Edits(
            tuple((self.values.thing(row[0], "board"), *row[1:]) for row in rows("placed", 4)),
            tuple(self.values.thing(name, "board") for name in self._list(data.get("taken", []), "taken")),
            tuple(self._list(data.get("absent", []), "absent")),
            tuple(
                (
                    self.values.thing(row[0], "board"),
                    self.values.thing(row[1], "board"),
                    None if row[2] is None else self.values.value(row[2], Basic.DECIMAL, "board"),
                )
                for row in rows("links", 3)
            ),
        )
        check_edits(edits)
        return None if edits == Edits() else edits.canonical()

    def _object(self, data: object, what: str) -> dict[str, Any]:
        if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
            raise BadPosition(f"{what} must be an object, not {shorten_for_message(data)}")
        return data

    def _row(self, data: object, width: int, what: str) -> list[Any]:
        row = self._list(data, what)
        if len(row) != width:
            raise BadPosition(f"a row of {what} has {width} parts, not {len(row)}")
        return row

    def _list(self, data: object, what: str) -> list[Any]:
        if not isinstance(data, list | tuple):
            raise BadPosition(f"{what} must be a list, not {shorten_for_message(data)}")
        return list(data)
