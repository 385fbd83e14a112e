"""The types of outcomes of chance: a question of chance has the number of the type of its outcomes."""

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.program import ConstructKind, Random
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.world import World


def find_chance_types(world: World, plan: Plan) -> tuple[Type, ...]:
    """The types of outcomes of chance in a world, by number."""
    found: dict[Type, None] = {Basic.DECIMAL: None}
    for node in walk_program(world.program):
        if isinstance(node, Random):
            found[node.type] = None
    for family in plan.families:
        if family.kind is ConstructKind.STACK:
            found[plan.card_type(family)] = None
    return tuple(found)
