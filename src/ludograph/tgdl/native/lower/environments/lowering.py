"""Lowering of environment code: a world and the layout of its tensors in, LLVM text out.

`environment_code` imports this file only if something has to be compiled.
"""

from ludograph.tgdl.native.layout.environments import TensorLayout
from ludograph.tgdl.native.lower.environments.stepping import make_step
from ludograph.tgdl.native.lower.lowering import Lowered, lower_unit
from ludograph.tgdl.native.lower.unit import CompilationUnit


def lower_environments(unit: CompilationUnit, layout: TensorLayout, *, verifies: bool) -> Lowered:
    """The LLVM text of the code that steps many games of a world.

    The IR of checked code is always verified.
    """
    return lower_unit(unit, lambda unit: make_step(unit, layout), verifies=verifies or unit.checked)
