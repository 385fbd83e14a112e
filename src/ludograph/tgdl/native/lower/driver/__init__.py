"""The driver: the exported functions of the code, which Python calls."""

from ludograph.tgdl.native.lower.driver import commit
from ludograph.tgdl.native.lower.driver.explore import make_explorers
from ludograph.tgdl.native.lower.driver.perft import make_counters
from ludograph.tgdl.native.lower.driver.random_games import make_players
from ludograph.tgdl.native.lower.unit import Unit

SOURCES = commit.SOURCES
"""The functions that offer actions."""


def make_driver(unit: Unit) -> None:
    """Emit all exported functions."""
    make_explorers(unit)
    make_players(unit)
    make_counters(unit)
    commit.make_committers(unit)
