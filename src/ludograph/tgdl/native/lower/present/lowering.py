"""Lowering of presentation code: a world in, LLVM text out.

`presentation_code` imports this file only if something has to be compiled.
"""

from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.lower.lowering import prepare, run_passes
from ludograph.tgdl.native.lower.present.moves import make_moves
from ludograph.tgdl.native.lower.present.views import make_views
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.syntax.garbage import without_garbage_collection


def lower_presentation(unit: CompilationUnit, *, verifies: bool) -> str:
    """The LLVM text of the code that writes the views and moves of a world."""
    with without_garbage_collection():
        return _lower(unit, verifies=verifies)


def _lower(unit: CompilationUnit, *, verifies: bool) -> str:
    prepare(unit)
    make_views(unit)
    make_moves(unit)
    unit.make_all()
    return emit(run_passes(unit, {"lowering": unit.module}, verifies=verifies))
