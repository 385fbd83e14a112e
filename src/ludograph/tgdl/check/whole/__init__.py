"""Checks of the whole program: default blocks, offers, secrets, commit points, players and turns."""

from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.acting_players import check_acting_players
from ludograph.tgdl.check.whole.bot_verbs import check_bot_verbs
from ludograph.tgdl.check.whole.commit_points import check_commit_points
from ludograph.tgdl.check.whole.default_blocks import check_default_blocks
from ludograph.tgdl.check.whole.empty_lists import check_empty_lists
from ludograph.tgdl.check.whole.initial_instances import check_initial_instances
from ludograph.tgdl.check.whole.offers import check_offers, check_test_order
from ludograph.tgdl.check.whole.open_choices import check_open_choices
from ludograph.tgdl.check.whole.secrets import check_secrets
from ludograph.tgdl.check.whole.turn_ends import check_turn_ends
from ludograph.tgdl.check.whole.unreachable_parts import check_unreachable_parts
from ludograph.tgdl.flow.calls import EffectSummaries
from ludograph.tgdl.program import Program


def check_whole(world: SymbolTable, program: Program) -> None:
    effects = EffectSummaries.of(program)
    check_default_blocks(world, program)
    check_initial_instances(world, program)
    check_offers(world, program, effects)
    check_unreachable_parts(world, program)
    check_secrets(world, program, effects)
    check_open_choices(world, program, effects)
    check_commit_points(world, program, effects)
    check_test_order(world, program)
    check_acting_players(world, program)
    check_empty_lists(world, program)
    check_turn_ends(world, program)
    check_bot_verbs(world, program)
