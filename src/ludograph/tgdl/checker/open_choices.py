"""Choices that everybody sees, though what is chosen is kept in a place that not everybody may see."""

from collections.abc import Iterable

from ludograph.tgdl.checker.world import AttributeFacts, World
from ludograph.tgdl.nodes import walk
from ludograph.tgdl.program import (
    Ask,
    Assign,
    AttributeOf,
    Input,
    InputMode,
    Mutate,
    Place,
    Program,
    Secrecy,
    Variable,
)
from ludograph.tgdl.types import ConstructType


def check_open_choices(world: World, program: Program) -> None:
    """Warn of everything that is chosen in the open and stored as a secret."""
    for action in program.actions:
        effects = [*action.effects, *(one for phase in action.phases for one in phase.effects)]
        _check_body(world, action.inputs, [node for effect in effects for node in walk(effect)], action.file)
    for verb in program.verbs:
        _check_body(world, verb.parameters, list(walk(verb.block)), verb.file)


def _check_body(world: World, inputs: Iterable[Input], nodes: list[object], file: int) -> None:
    asked = [*inputs, *(node.input for node in nodes if isinstance(node, Ask))]
    open_ones = {one.slot: one for one in asked if one.mode is InputMode.ASKED and one.visible is None}
    for node in nodes if open_ones else ():
        match node:
            case Assign(place, Variable(slot), None):
                _check_store(world, open_ones.get(slot), place, file)
            case Mutate(place, _, operands):
                for operand in operands:
                    if isinstance(operand, Variable):
                        _check_store(world, open_ones.get(operand.slot), place, file)
            case _:
                pass


def _check_store(world: World, asked: Input | None, place: Place, file: int) -> None:
    attribute = _secret(world, place)
    if asked is None or attribute is None:
        return
    where = f"the {attribute.secrecy.value} '{attribute.name}' of {attribute.construct}"
    message = f"'{asked.name}' is stored in {where}, but everybody sees the choice"
    hint = f"write `visible to player` behind '{asked.name}'"
    notes = ((place.span, "stored here"),)
    world.warn("TG0407", message, asked.span, asked.file if asked.file is not None else file, hint, notes)


def _secret(world: World, place: Place) -> AttributeFacts | None:
    root = place.root
    if not isinstance(root, AttributeOf) or not isinstance(root.target.type, ConstructType):
        return None
    facts = world.constructs.get(root.target.type.name)
    attribute = facts.attributes.get(root.attribute) if facts is not None else None
    return attribute if attribute is not None and attribute.secrecy is not Secrecy.PUBLIC else None
