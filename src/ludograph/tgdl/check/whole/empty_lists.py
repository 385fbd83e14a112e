"""Conditions about pieces and cards that are not in play, in lists that contain only those in play.

`token.all` lists the tokens on tiles, so `token.all.where(t: t.tile == none)` is always empty.
"""

from collections.abc import Iterator

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, ListType, describe
from ludograph.tgdl.syntax.traversal import ProgramNode, walk


def check_empty_lists(world: SymbolTable, program: p.Program) -> None:
    for part, file in parts_with_files(program):
        for node in walk(part):
            match node:
                case p.Query(_, p.Apply(Operation.INSTANCES) as source, slot, condition):
                    conditions = list(_joined(condition))
                case p.ForEach(slot, p.Apply(Operation.INSTANCES) as source, (p.If(condition), *_)):
                    conditions = list(_joined(condition))
                case _:
                    continue
            for one in conditions:
                _check(world, source, slot, one, file)


def parts_with_files(program: p.Program) -> Iterator[tuple[ProgramNode, int]]:
    """The parts of actions, and all other bodies, each with the file of its spans."""
    for action in program.actions:
        parts: tuple[p.Input | p.Require | p.Trigger | p.Effect | p.ActionPhase, ...]
        parts = (*action.inputs, *action.requires, *action.triggers, *action.effects, *action.phases)
        for part in parts:
            yield part, action.file if part.file is None else part.file
    for body in program.verbs:
        yield body, body.file
    for setup in program.setups:
        yield setup, setup.file
    for turn in program.turns:
        yield turn, turn.file


def _joined(condition: p.Expression | None) -> Iterator[p.Expression]:
    """The conditions that are joined with `and`."""
    waiting = [] if condition is None else [condition]
    while waiting:
        one = waiting.pop()
        if isinstance(one, p.Logic) and one.operator == "and":
            waiting += (one.right, one.left)
        else:
            yield one


def _check(world: SymbolTable, source: p.Apply, slot: int, condition: p.Expression, file: int) -> None:
    match condition:
        case p.Apply(Operation.IS_NONE, (p.Apply(place, (p.Variable(of),)),)) if of == slot:
            where = place_of_all(world, source, place)
        case _:
            return
    if where:
        assert isinstance(source.type, ListType)
        name = describe(source.type.element)
        message = f"this condition is always false: every {name} of `{name}.all` is {where}"
        world.warn("TG0405", message, condition.span, file, f"`{name}.off` lists the others")


def place_of_all(world: SymbolTable, source: p.Apply, place: Operation) -> str:
    """Where all things of a list `T.all` are, if a condition about their tile or stack tests it; else ""."""
    element = source.type.element if isinstance(source.type, ListType) else None
    if not isinstance(element, ConstructType) or element.name not in world.constructs:
        return ""
    kinds = list(world.derived(element.name))
    if kinds[0].kind is not p.ConstructKind.INTERACTABLE:
        return ""
    if place is Operation.TILE_OF and not any(one.stackable for one in kinds):
        return "on a tile"
    if place is Operation.STACK_OF and not any(one.placeable for one in kinds):
        return "in a stack"
    return ""
