"""Lowering: a world in, its IR or its LLVM text out.

This file imports the whole code generator. `engine` imports it only if something has to be compiled: stored
code runs without it.
"""

from collections.abc import Callable

from msgspec import Struct

from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.ir.nodes import Module
from ludograph.tgdl.native.ir.verifier import verify_last
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.actions.actions import perform_function
from ludograph.tgdl.native.lower.actions.chance_types import find_chance_types
from ludograph.tgdl.native.lower.board.tile_tables import count_keys
from ludograph.tgdl.native.lower.dead_code import remove_dead_code
from ludograph.tgdl.native.lower.driver.entry_points import make_driver
from ludograph.tgdl.native.lower.event_sources import SOURCES
from ludograph.tgdl.native.lower.memory_checks import add_memory_checks
from ludograph.tgdl.native.lower.stack_depth import add_stack_guards
from ludograph.tgdl.native.lower.things.viewers import find_stored
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.lower.values.expressions import lower_expression
from ludograph.tgdl.native.lower.values.objects import convert, keep_object
from ludograph.tgdl.native.lower.values.statements import lower_statements
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.world.analysis import used_events
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


class Lowered(Struct, frozen=True):
    """The LLVM text of a world, and the tables of checked code."""

    text: str
    sites: tuple[str, ...] = ()
    """The description of each memory check, by number."""
    sizes: tuple[int, ...] = ()
    """The sizes of the constant data, in the order of the table of their addresses."""


def lower(unit: CompilationUnit, *, verifies: bool) -> Lowered:
    """The LLVM text of a world. The IR of checked code is always verified."""
    return lower_unit(unit, _make_all, verifies=verifies or unit.checked)


def lower_unit(
    unit: CompilationUnit, make: Callable[[CompilationUnit], object], *, verifies: bool
) -> Lowered:
    """The LLVM text of the exported functions that `make` emits, and of all that they need."""
    with without_garbage_collection():
        return _lower(unit, make, verifies=verifies)


def _lower(unit: CompilationUnit, make: Callable[[CompilationUnit], object], *, verifies: bool) -> Lowered:
    lower_all(unit, make)
    modules = {"lowering": unit.module}
    sites: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    if unit.checked:
        tested = add_memory_checks(unit.module, unit.plan)
        sites, sizes = tested.sites, tested.sizes
        modules["add_memory_checks"] = tested.module
    return Lowered(emit(run_passes(unit, modules, verifies=verifies)), sites, sizes)


def run_passes(unit: CompilationUnit, modules: dict[str, Module], *, verifies: bool) -> Module:
    """Run all passes over the last of the modules, and verify the result if that is wanted.

    `modules` has a module for each step so far. If the result is malformed, the error names the first step
    that made a malformed module.
    """
    *_, module = modules.values()
    for change in PASSES:
        module = modules[change.__name__] = change(module, unit.plan)
    if verifies:
        verify_last(modules)
    return module


def prepare(unit: CompilationUnit) -> None:
    """Set the lowering functions of a unit."""
    unit.lower = lower_expression
    unit.lower_statements = lower_statements
    unit.performer = perform_function
    unit.convert = convert
    unit.keep_object = keep_object
    unit.count_keys = count_keys
    unit.stored = find_stored(unit.world)
    unit.chance_types = find_chance_types(unit.world, unit.plan)


def lower_all(unit: CompilationUnit, make: Callable[[CompilationUnit], object]) -> None:
    """Lower the functions that `make` emits, and all that they need."""
    prepare(unit)
    make(unit)
    unit.make_all()


def _make_all(unit: CompilationUnit) -> None:
    lacking = used_events(unit.world.program) - SOURCES.keys()
    assert not lacking, f"native code never raises {', '.join(sorted(event.name for event in lacking))}"
    make_driver(unit)


PASSES: tuple[Callable[[Module, Plan], Module], ...] = (remove_dead_code, add_stack_guards)
"""The passes over the IR before it is emitted."""


def module_of(world: World, sample: Memory) -> Module:
    """The IR of a world after all passes."""
    unit = CompilationUnit(world, plan_of(world, sample))
    lower_all(unit, _make_all)
    module = unit.module
    for change in PASSES:
        module = change(module, unit.plan)
    return module
