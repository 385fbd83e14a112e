"""Lowering of search code: a world in, LLVM text out.

`search_code` imports this file only if something has to be compiled.
"""

from ludograph.tgdl.native.lower.lowering import Lowered, lower_unit
from ludograph.tgdl.native.lower.search.iterations import make_search
from ludograph.tgdl.native.lower.search.payoffs import make_values
from ludograph.tgdl.native.lower.search.resampling import can_resample, make_resample
from ludograph.tgdl.native.lower.unit import CompilationUnit


def lower_search(unit: CompilationUnit, *, verifies: bool) -> Lowered:
    """The LLVM text of the code that searches the games of a world.

    The IR of checked code is always verified.
    """
    return lower_unit(unit, _make_all, verifies=verifies or unit.checked)


def _make_all(unit: CompilationUnit) -> None:
    make_search(unit)
    make_values(unit)
    if can_resample(unit):
        make_resample(unit)
