"""The entry points of native code: all functions that are called from outside."""

from ludograph.tgdl.native.lower.driver.commit import make_committers
from ludograph.tgdl.native.lower.driver.explore import make_explorers
from ludograph.tgdl.native.lower.driver.perft import make_counters
from ludograph.tgdl.native.lower.driver.random_games import make_players
from ludograph.tgdl.native.lower.unit import CompilationUnit


def make_driver(unit: CompilationUnit) -> None:
    """All functions that are called from outside."""
    make_explorers(unit)
    make_players(unit)
    make_counters(unit)
    make_committers(unit)
