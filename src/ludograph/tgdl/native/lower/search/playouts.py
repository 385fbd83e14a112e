"""Play-outs that the verb `value` guides: each move is the best of a few random ones.

A move is tried on a copy of the position. The best one is made again with the same random numbers.
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.status import STOPPED
from ludograph.tgdl.native.lower.driver.explore import header
from ludograph.tgdl.native.lower.driver.random_games import (
    Playout,
    begin_playout,
    find_chooser,
    go_on,
    mark_stuck,
    play_on_function,
    run_on_function,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.search.payoffs import payoffs_function
from ludograph.tgdl.native.lower.search.tree import Tree
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.world.analysis import find_value_verb
from ludograph.tgdl.world.memory import CHOOSING, OVER

GENERATOR_SIZE = 32
LEAST = -1e301
"""Less than any payoff."""


def can_guide(unit: CompilationUnit) -> bool:
    """Whether the rules value positions."""
    return find_value_verb(unit.world.program) is not None


@routine("search.play_guided", (PTR,))
def play_guided_function(b: Emitter, at: Local) -> None:
    """The function that plays from the base to the end, or up to the limit of moves of the search.

    If another player is asked within a move, the rest is random.
    """
    tree = Tree(b, at)
    limit = tree.get("playout_limit")
    walk = Playout(
        b.variable(BLOCK, "work"),
        b.variable(const(0), "prefix"),
        b.variable(const(-1, I32), "chooser"),
        b.variable(const(0, I1), "under_way"),
    )
    moves = b.variable(const(0), "moves")
    with b.loop("guided") as guided:
        b.leave_if(moves >= limit, guided)
        b.stop_if(b.get("stop", I64).ne(0), STOPPED)
        base = b.let(b.get("base", PTR))
        stage = header(b, base, "stage")
        b.leave_if(stage.eq(OVER), guided)
        with b.when(stage.ne(CHOOSING)):
            b.put("choice_count", const(0))
            (ran,) = b.call(run_on_function(b.unit), (CTX, walk.work, const(0)), (I32,))
            go_on(b, ran, walk)
            with b.when(walk.under_way):
                rest = (b.let(limit - moves), walk.prefix, walk.chooser)
                b.run(play_on_function(b.unit), rest, block=walk.work)
                b.leave(guided)
            b.again(guided)
        stuck = find_chooser(b, base, walk.work, walk.chooser)
        with b.when(stuck >= 0):
            mark_stuck(b, base, stuck)
            b.again(guided)
        _draw_best(b, tree, base, walk)
        _play_one(b, walk.work)
        played = b.let(b.get("base", PTR))
        b.set(walk.work, select(played.eq(base), walk.work, base))
        b.set(moves, moves + 1)
    b.done()


def _draw_best(b: Emitter, tree: Tree, base: Expression, walk: Playout) -> None:
    """Try a few random moves on copies of the base; the generator is then as it was before the best one."""
    generator = b.let(address(CTX, b.plan.context["rng"]))
    trial, kept = b.stack_slot(GENERATOR_SIZE), b.stack_slot(GENERATOR_SIZE)
    copied = b.let(b.get("script_base", PTR))
    chooser = b.let(widen(walk.chooser, I64) * 8)
    best = b.variable(const(LEAST, F64), "best")
    with b.count(tree.get("playout_choices")):
        b.copy(trial, generator, GENERATOR_SIZE)
        b.copy(copied, base, header(b, base, "heap_top"))
        b.put("base", copied)
        _play_one(b, walk.work)
        b.begin_run()
        b.run(payoffs_function(b.unit), (tree.payoffs,), (I32,), block=b.get("base", PTR))
        payoff = b.let(b.load(tree.payoffs, chooser, F64))
        with b.when(payoff > best):
            b.set(best, payoff)
            b.copy(kept, trial, GENERATOR_SIZE)
    b.copy(generator, kept, GENERATOR_SIZE)
    b.put("base", base)


def _play_one(b: Emitter, work: Expression) -> None:
    """Make one random move from the base."""
    begin_playout(b)
    b.run(play_on_function(b.unit), (const(1), const(0), const(-1, I32)), block=work)
    begin_playout(b)
