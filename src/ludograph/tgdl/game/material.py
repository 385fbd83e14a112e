"""The material of a world and the arrangement of a state: plain data for drawings, from the rules.

Chance has no names, so a die is found in the rules: an attribute that takes a value of `random 6`, or a list
of numbers that is called dice.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ludograph.geometry.hexes import Hex
from ludograph.geometry.squares import Square
from ludograph.play.material import (
    ActionMaterial,
    Arrangement,
    AttributeMaterial,
    EnumMaterial,
    GroupMaterial,
    HeldStack,
    InputMaterial,
    KindMaterial,
    LinkMaterial,
    Material,
    TileMaterial,
    ValueType,
)
from ludograph.tgdl import program as p
from ludograph.tgdl.program import GroupShape
from ludograph.tgdl.program.declarations import is_secret
from ludograph.tgdl.program.statements import InputMode
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.naming import locate_stack, ref
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import walk, walk_with_calls
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.topology import SQUARES, GroupPlan, TilePlan, Topology, axial_of, steps_of
from ludograph.tgdl.world.world import World

DICE_NAMES = frozenset({"dice", "die", "roll", "rolls", "rolled", "thrown", "eyes"})
SIDES_OF_A_DIE = 6
PLAYER_EVENTS = frozenset({"choice", "offturn", "aside"})


def material_of(world: World) -> Material:
    """The material of a world."""
    program = world.program
    thrown = _dice_attributes(program)
    return Material(
        game=program.name,
        rules=program.rules,
        players=world.players,
        enums=tuple(
            EnumMaterial(name, tuple(member.name for member in members))
            for name, members in world.members.items()
        ),
        kinds=tuple(_kind(world, construct, thrown) for construct in program.constructs),
        actions=tuple(
            _action(action)
            for action in program.actions
            if any(trigger.event in PLAYER_EVENTS for trigger in action.triggers)
        ),
        has_secrets=world.has_secrets or any(each.phase.simultaneous for each in world.phases),
        throws_dice=_throws_dice(program),
    )


def board_of(topology: Topology) -> Arrangement:
    """The arrangement of a board, without stacks."""
    links, walls = _find_links(topology)
    groups = tuple(_group(plan) for plan in topology.plans)
    return Arrangement(groups, tuple(links), tuple(walls))


def with_stacks(board: Arrangement, run: Run) -> Arrangement:
    """The same board with the holders of the stacks of the state that a run looks at."""
    stacks = tuple(_find_stacks(run))
    return replace(board, stacks=stacks) if stacks else board


# Kinds


def _kind(world: World, construct: p.Construct, thrown: set[tuple[str, int]]) -> KindMaterial:
    attributes = [
        AttributeMaterial(
            name=each.name,
            type=_value_type(each.type),
            is_secret=is_secret(construct, each),
            is_dice=(each.name, each.slot) in thrown or _is_called_dice(each),
        )
        for each in construct.attributes
    ]
    attributes += [
        AttributeMaterial(f"{name}()", _value_type(world.verbs[verb].verb.result))
        for name, verb in world.public_verbs[construct.name]
        if not world.verbs[verb].verb.parameters
    ]
    return KindMaterial(
        name=construct.name,
        role=construct.kind.value,
        ancestors=tuple(_ancestors(world, construct)),
        attributes=tuple(attributes),
        named_by=tuple(construct.attributes[slot].name for slot in construct.names),
        holds=construct.holds or "",
        element=construct.element or "",
        is_placeable=construct.placeable,
        is_stackable=construct.stackable,
    )


def _ancestors(world: World, construct: p.Construct) -> Iterator[str]:
    found: p.Construct | None = construct
    while found is not None:
        yield found.name
        found = world.kind[found.base].construct if found.base in world.kind else None


def _value_type(type: Type) -> ValueType:
    match type:
        case EnumType(name):
            return ValueType("enum", name)
        case ConstructType(name):
            return ValueType("thing", name)
        case ListType(element):
            return ValueType("list", element=_value_type(element))
        case TableType(key, value):
            known = key if isinstance(key, Basic | EnumType | ConstructType | ListType | TableType) else None
            return ValueType(
                "table", element=_value_type(value), key=None if known is None else _value_type(known)
            )
        case _:
            return ValueType(type.value)


def _action(action: p.Action) -> ActionMaterial:
    return ActionMaterial(
        action.name,
        action.owner or "",
        tuple(
            InputMaterial(each.name, _value_type(each.type), each.optional)
            for each in action.inputs
            if each.mode is InputMode.ASKED
        ),
    )


# Dice


def _is_called_dice(attribute: p.Attribute) -> bool:
    type = attribute.type.element if isinstance(attribute.type, ListType) else attribute.type
    return type is Basic.DECIMAL and attribute.name in DICE_NAMES


def _dice_attributes(program: p.Program) -> set[tuple[str, int]]:
    """The names and slots of attributes that directly take the value of a die."""
    found: set[tuple[str, int]] = set()
    for node in walk((program.actions, program.verbs, program.turns, program.setups)):
        match node:
            case p.Assign(p.Place(p.AttributeOf() as root), value):
                values: tuple[Any, ...] = (value,)
            case p.Mutate(p.Place(p.AttributeOf() as root), _, operands):
                values = operands
            case _:
                continue
        if any(_is_die(each) for value in values for each in walk(value)):
            found.add((root.attribute, root.slot))
    return found


def _throws_dice(program: p.Program) -> bool:
    """Whether every random number outside of the setup is a die."""
    numbers = [
        node
        for node in walk_with_calls(program, program.actions, program.turns)
        if isinstance(node, p.Random) and node.bound is not None
    ]
    return bool(numbers) and all(_is_die(node) for node in numbers)


def _is_die(node: object) -> bool:
    if not isinstance(node, p.Random) or not isinstance(node.bound, p.Literal):
        return False
    return node.bound.value == SIDES_OF_A_DIE


# The board


def _group(plan: GroupPlan) -> GroupMaterial:
    return GroupMaterial(
        name=plan.name,
        shape=plan.shape.value,
        tiles=tuple(
            TileMaterial(tile.name, tile.tile.kind.name, tile.row, tile.column, tuple(_cells(plan, tile)))
            for tile in plan.tiles
        ),
        of=plan.of or "",
    )


def _cells(plan: GroupPlan, tile: TilePlan) -> Iterator[tuple[int, int]]:
    if tile.place is not None:
        for cell in tile.place.cells:
            yield (cell.x, cell.y) if isinstance(cell, Square) else _axial(cell)
    elif tile.row is not None and tile.column is not None:
        if plan.shape in SQUARES:
            yield tile.column, tile.row
        else:
            yield _axial(axial_of(plan.shape, (tile.row, tile.column)))


def _axial(cell: Hex) -> tuple[int, int]:
    return cell.q, cell.r


def _find_links(topology: Topology) -> tuple[list[LinkMaterial], list[LinkMaterial]]:
    """The links that no shape implies, and the neighbours that are not linked."""
    links: list[LinkMaterial] = []
    walls: list[LinkMaterial] = []
    for plan in topology.plans:
        implied = dict(_implied_links(topology, plan))
        for tile in plan.tiles:
            start = tile.tile
            ends, neighbours = topology.links.get(start, {}), implied.get(start, ())
            for end in ends:
                is_back = start in topology.links.get(end, {})
                is_first = not is_back or start.number < end.number
                if end not in neighbours and is_first and end in topology.name:
                    links.append(LinkMaterial(tile.name, topology.name[end], is_back))
            for end in neighbours:
                is_open_back = start in topology.links.get(end, {})
                if end not in ends and (is_open_back or start.number < end.number):
                    walls.append(LinkMaterial(tile.name, topology.name[end], not is_open_back))
    return links, walls


def _implied_links(topology: Topology, plan: GroupPlan) -> Iterator[tuple[Instance, tuple[Instance, ...]]]:
    """The neighbours of each tile by the shape of its group; a graph implies none."""
    if plan.shape is GroupShape.GRAPH:
        return
    if plan.shape in (GroupShape.CORNERS, GroupShape.SIDES):
        tiles = {tile.place: tile.tile for tile in plan.tiles if tile.place is not None}
        for place, tile in tiles.items():
            yield tile, tuple(tiles[end] for end in place.neighbours if end in tiles)
        return
    at = topology.at[plan.name]
    for (row, column), tile in at.items():
        steps = [step for step in steps_of(plan.shape, row) if step is not None]
        places = [(row + down, column + right) for down, right in steps]
        yield tile, tuple(at[place] for place in places if place in at)


def _find_stacks(run: Run) -> Iterator[HeldStack]:
    names = run.topology.name
    for stack in run.memory.instances:
        if stack.kind.construct.kind is p.ConstructKind.STACK:
            holder, label = locate_stack(run, stack)
            if holder is None:
                name = ""
            else:
                name = names.get(holder) or ref(run.world, holder)
            yield HeldStack(ref(run.world, stack), name, label)
