"""What a tree search of a state needs beside the native code: its settings, and the slow searches."""

from collections.abc import Callable

from msgspec.structs import replace

from ludograph.play import Generator, Search, SearchSettings
from ludograph.play.game import State
from ludograph.play.merged_search import MergedSearch, run_in_turn, seeds_of
from ludograph.play.sampled_search import MAX_SAMPLES, SampledSearch
from ludograph.play.search import MAX_THREADS, exploration_of, playout_limit_of
from ludograph.play.tree_search import TreeSearch
from ludograph.tgdl.program import Program
from ludograph.tgdl.world.analysis import find_value_verb, has_greatest_payoff


def complete_settings(program: Program, settings: SearchSettings) -> SearchSettings:
    """The settings with those that depend on whether the rules value positions.

    A ValueError says which setting has no meaning.
    """
    if not 1 <= settings.threads <= MAX_THREADS:
        raise ValueError(f"the number of threads is between 1 and {MAX_THREADS}, not {settings.threads}")
    if settings.playout_choices < 1:
        raise ValueError(f"a play-out has at least one choice for each move, not {settings.playout_choices}")
    has_value = find_value_verb(program) is not None
    return replace(
        settings,
        exploration=exploration_of(settings, has_value=has_value),
        playout_limit=playout_limit_of(settings, has_value=has_value),
    )


def start_reference_search(state: State, program: Program, settings: SearchSettings, seed: int) -> Search:
    """A search on any engine, written in Python; its trees grow in turn."""
    has_greatest = has_greatest_payoff(program)
    wins_only = state.players > 1 and find_value_verb(program) is not None
    trees = [
        TreeSearch(state, settings, each, has_greatest_payoff=has_greatest, counts_wins_only=wins_only)
        for each in seeds_of(seed, settings.threads)
    ]
    return trees[0] if len(trees) == 1 else MergedSearch(trees, run_in_turn)


def start_sampled_search(
    state: State,
    player: int,
    settings: SearchSettings,
    seed: int,
    start_full_search: Callable[[State, SearchSettings, int], Search],
) -> Search:
    """Searches of several states that look the same to a player.

    `start_full_search` begins a search that knows everything about its state.
    """
    smaller = replace(settings, memory=settings.memory // MAX_SAMPLES)

    def start_sample(generator: Generator) -> Search:
        sample = state.resample(player, generator)
        for other in sample.asked:
            if other != player:
                # In a simultaneous phase the player does not know the choices of the others.
                moves = sample.legal_moves_of(other)
                sample.push(moves[generator.below(len(moves))], other)
        return start_full_search(sample, smaller, generator.word() >> 1)

    return SampledSearch(start_sample, seed)
