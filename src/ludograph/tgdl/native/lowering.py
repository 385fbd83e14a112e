"""Lowering: a world in, its intermediate form or the text of its code out.

This file imports everything that makes code. `engine` imports it when something has to be compiled, because a
game that was compiled before runs without it.
"""

from collections.abc import Callable

from msgspec import Struct

from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.memory import Memory
from ludograph.tgdl.native.actions import perform_function
from ludograph.tgdl.native.chance_types import find_chance_types
from ludograph.tgdl.native.checking import with_checks
from ludograph.tgdl.native.driver import make_driver
from ludograph.tgdl.native.emit import emit
from ludograph.tgdl.native.engine import plan_of
from ludograph.tgdl.native.expressions import lower_expression
from ludograph.tgdl.native.ir import Module, verify
from ludograph.tgdl.native.keys import count_keys
from ludograph.tgdl.native.objects import convert, keep_object
from ludograph.tgdl.native.plan import Plan
from ludograph.tgdl.native.stack import with_stack_guards
from ludograph.tgdl.native.statements import lower_statements
from ludograph.tgdl.native.tidying import tidied
from ludograph.tgdl.native.unit import Unit
from ludograph.tgdl.native.viewers import find_stored


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
