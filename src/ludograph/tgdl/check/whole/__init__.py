"""What needs the whole program: fillings, offers, secrets, commit points, tests that come late, and more."""

from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.commit_points import check_commits
from ludograph.tgdl.check.whole.default_blocks import check_fillings
from ludograph.tgdl.check.whole.offers import check_offers, check_order
from ludograph.tgdl.check.whole.open_choices import check_open_choices
from ludograph.tgdl.check.whole.secrets import check_secrets
from ludograph.tgdl.check.whole.unreachable_parts import check_started
from ludograph.tgdl.program import Program


def check_whole(world: SymbolTable, program: Program) -> None:
    check_fillings(world, program)
    check_offers(world, program)
    check_started(world, program)
    check_secrets(world, program)
    check_open_choices(world, program)
    check_commits(world, program)
    check_order(world, program)
