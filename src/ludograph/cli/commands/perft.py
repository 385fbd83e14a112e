"""`ludograph perft`: count the sequences of a number of moves."""

import struct
import sys
import time
from argparse import Namespace

from ludograph.cli.engine_selection import OpenedGame, open_with_engine
from ludograph.cli.game_opening import report_rule_faults
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.streams import print_message
from ludograph.cli.terminal import progress_bar
from ludograph.games.engines import perft
from ludograph.games.starts import CompiledStart
from ludograph.play import CHANCE, Generator
from ludograph.tgdl.game.game import State
from ludograph.tgdl.native.layout.plan import HEADER_AT
from ludograph.tgdl.world.memory import CHOOSING, OVER

MAX_DEALS = 10**9
"""With more deals than this, counting would take too long."""
EXACT_DEALS = 10**5
"""Up to about so many deals are counted exactly for the message."""
SPLIT_DEPTH = 3
"""From this depth on, a terminal shows progress: the moves at the start are counted one by one."""


def run(arguments: Namespace) -> int:
    opened = open_with_engine(arguments, seed=arguments.seed)
    if opened is None:
        return USAGE
    start_time = time.perf_counter()
    with report_rule_faults(opened.name):
        if arguments.seed is None and _may_begin_with_chance(opened):
            _describe_deals(opened)
        count = _count(opened, arguments.depth)
    seconds = time.perf_counter() - start_time
    if arguments.json:
        write_json({"game": opened.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return SUCCESS


def _find_state(opened: OpenedGame) -> State:
    return opened.start.state() if isinstance(opened.start, CompiledStart) else opened.start


# Chance before the first move


def _may_begin_with_chance(opened: OpenedGame) -> bool:
    """Whether chance may choose first. A start from the cache tells it without its rules."""
    if not isinstance(opened.start, CompiledStart):
        return opened.start.asked == (CHANCE,)
    (stage,) = struct.unpack_from("<i", opened.start.block, HEADER_AT["stage"])
    return stage not in (CHOOSING, OVER)


def _describe_deals(opened: OpenedGame) -> None:
    """Report the number of deals before the first move; refuse to count too many of them."""
    state = _find_state(opened)
    if state.asked != (CHANCE,):
        return
    deals = _estimate_deals(state)
    if deals > MAX_DEALS:
        known = f"about {deals:.1e} deals" if deals < 10**300 else "more than 1e300 deals"
        raise CommandError(
            f"{opened.name} begins with chance: there are {known}, too many to count; "
            "--seed S samples one of them, for example --seed 1",
            USAGE,
        )
    known = f"about {deals:,}"
    if deals <= EXACT_DEALS:
        known = f"{perft(opened.start, 0, engine=opened.engine):,}"
    print_message(
        f"note: {opened.name} begins with chance: there are {known} deals, and all are counted; "
        "--seed S samples one"
    )


def _estimate_deals(state: State) -> int:
    """The number of sequences of chance before the first move.

    It is exact if every outcome leaves the same number of further outcomes, as in a shuffled stack.
    """
    trial, generator, deals = state.copy(), Generator(0), 1
    while trial.asked == (CHANCE,) and deals < 10**300:
        candidates = trial.candidates()
        deals *= len(candidates)
        trial.choose(candidates[generator.below(len(candidates))])
    return deals


# Counting


def _count(opened: OpenedGame, depth: int) -> int:
    if depth < SPLIT_DEPTH or sys.stderr is None or not sys.stderr.isatty():
        return perft(opened.start, depth, engine=opened.engine)
    state = _find_state(opened)
    left = depth if state.asked == (CHANCE,) else depth - 1
    children = list(state.children())
    if len(children) < 2 or not all(child.can_be_restarted() for child in children):
        return perft(opened.start, depth, engine=opened.engine)
    total = 0
    with progress_bar(len(children)) as step:
        for child in children:
            total += perft(child, left, engine=opened.engine)
            step()
    return total
