"""What a tree search of a state needs beside the native code: its settings, and the slow search."""

from msgspec.structs import replace

from ludograph.play import Search, SearchSettings
from ludograph.play.game import State
from ludograph.play.search import playout_limit_of
from ludograph.play.tree_search import TreeSearch
from ludograph.tgdl.program import Program
from ludograph.tgdl.world.analysis import find_value_verb, has_greatest_payoff


def complete_settings(program: Program, settings: SearchSettings) -> SearchSettings:
    """The settings with a limit of play-outs; it depends on whether the rules value positions."""
    is_guided = find_value_verb(program) is not None
    return replace(settings, playout_limit=playout_limit_of(settings, is_guided=is_guided))


def start_reference_search(state: State, program: Program, settings: SearchSettings, seed: int) -> Search:
    """A search on any engine, written in Python."""
    return TreeSearch(state, settings, seed, has_greatest_payoff=has_greatest_payoff(program))
