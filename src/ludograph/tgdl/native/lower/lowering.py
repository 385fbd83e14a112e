"""Lowering: a world in, its intermediate form or the text of its code out.

This file imports everything that makes code. `engine` imports it when something has to be compiled, because a
game that was compiled before runs without it.
"""

from collections.abc import Callable

from msgspec import Struct

from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.ir.nodes import Module, verify
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.actions.actions import perform_function
from ludograph.tgdl.native.lower.actions.chance_types import find_chance_types
from ludograph.tgdl.native.lower.board.tile_tables import count_keys
from ludograph.tgdl.native.lower.dead_code import tidied
from ludograph.tgdl.native.lower.driver.entry_points import make_driver
from ludograph.tgdl.native.lower.event_sources import SOURCES
from ludograph.tgdl.native.lower.memory_checks import with_checks
from ludograph.tgdl.native.lower.stack_depth import with_stack_guards
from ludograph.tgdl.native.lower.things.viewers import find_stored
from ludograph.tgdl.native.lower.unit import Unit
from ludograph.tgdl.native.lower.values.expressions import lower_expression
from ludograph.tgdl.native.lower.values.objects import convert, keep_object
from ludograph.tgdl.native.lower.values.statements import lower_statements
from ludograph.tgdl.world.analysis import used_events
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


class Lowered(Struct, frozen=True):
    """The text of some code, and what is known of checked code."""

    text: str
    sites: tuple[str, ...] = ()
    """What each test is about, by its number."""
    sizes: tuple[int, ...] = ()
    """Of the constant data, in the order of the table of their addresses."""


def lower(unit: Unit, *, verifies: bool) -> Lowered:
    """The text of a world's code. The intermediate form of checked code is verified in any case."""
    verifies = verifies or unit.checked
    lower_all(unit)
    module = _verified(unit.module, verifies)
    sites: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    if unit.checked:
        tested = with_checks(module, unit.plan)
        sites, sizes = tested.sites, tested.sizes
        module = _verified(tested.module, verifies)
    for change in PASSES:
        module = _verified(change(module, unit.plan), verifies)
    return Lowered(emit(module), sites, sizes)


def _verified(module: Module, verifies: bool) -> Module:
    """What a pass has made."""
    if verifies:
        verify(module)
    return module


def prepare(unit: Unit) -> None:
    """Make a unit ready to lower what the author wrote."""
    unit.lower = lower_expression
    unit.lower_statements = lower_statements
    unit.performer = perform_function
    unit.convert = convert
    unit.keep_object = keep_object
    unit.count_keys = count_keys
    unit.stored = find_stored(unit.world)
    unit.chance_types = find_chance_types(unit.world, unit.plan)


def lower_all(unit: Unit) -> None:
    """Lower everything of a world."""
    lacking = used_events(unit.world.program) - SOURCES.keys()
    assert not lacking, f"native code never raises {', '.join(sorted(event.name for event in lacking))}"
    prepare(unit)
    make_driver(unit)
    unit.make_all()


PASSES: tuple[Callable[[Module, Plan], Module], ...] = (tidied, with_stack_guards)
"""What is done to the intermediate form before it becomes LLVM's."""


def module_of(world: World, sample: Memory) -> Module:
    """The intermediate form of a world, as it is compiled."""
    unit = Unit(world, plan_of(world, sample))
    lower_all(unit)
    module = unit.module
    for change in PASSES:
        module = change(module, unit.plan)
    return module
