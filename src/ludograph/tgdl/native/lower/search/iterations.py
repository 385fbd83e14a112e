"""Monte Carlo tree search: iterations of selection, expansion, play-out and backing up.

An iteration begins with a copy of the searched block and plays the moves of the tree on it. So a node needs
no block of its own, and chance is drawn anew: an edge leads to one node for each sequence of outcomes. A
node gets its edges at its second visit. They are listed as for a random game: a move that may fail or ask
is tried when it is first selected. A failed one is removed, and the further choices of a compound move are
nodes of their own.
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, PTR, Expression, Local, binary, wrapped
from ludograph.tgdl.native.layout.search_tree import (
    AVAILABLE,
    EDGE_SIZE,
    EXPANDED,
    KEY_FACTOR,
    KEY_SHIFT,
    MAX_DEPTH,
    PROVEN,
    STUCK,
    UNSURE,
    path_offset,
)
from ludograph.tgdl.native.layout.status import FAILED, GROW, STOPPED
from ludograph.tgdl.native.lower.driver.explore import header
from ludograph.tgdl.native.lower.driver.random_games import (
    Playout,
    begin_playout,
    find_chooser,
    go_on,
    has_chance,
    mark_stuck,
    play_on_function,
    reset_stuck_cycle,
    run_in_place,
    run_on_function,
    seed_generator,
    step_function,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.search.backing_up import back_up_function
from ludograph.tgdl.native.lower.search.edges import (
    add_stuck_edge,
    child_function,
    exclude_function,
    expand_function,
    mark_function,
    refresh_function,
    remove_function,
    take_function,
)
from ludograph.tgdl.native.lower.search.payoffs import payoffs_function
from ludograph.tgdl.native.lower.search.playouts import can_guide, play_guided_function
from ludograph.tgdl.native.lower.search.resampling import can_resample
from ludograph.tgdl.native.lower.search.selection import select_function
from ludograph.tgdl.native.lower.search.tree import Tree, has_information_sets
from ludograph.tgdl.world.memory import CHOOSING, OVER

OVER_CHOOSER = -2
"""The chooser of a node at the end of the game."""
DONE, AGAIN = 0, 1
"""The end of an iteration: it was completed; or it found that a move is not legal, and has to begin again."""


@routine("search", (PTR, PTR, PTR, I64, PTR, I64), exported=True)
def make_search(
    b: Emitter, own: Local, start: Local, words: Local, count: Local, at: Local, iterations: Local
) -> None:
    """Emit the exported function: iterations from a block and choices since, until the root is proven."""
    tree = Tree(b, at)
    b.stop_if(count + 1 >= b.get("choice_capacity", I64), GROW)
    with b.count(iterations):
        b.stop_if(b.get("stop", I64).ne(0), STOPPED)
        root = tree.get("root")
        flags = tree.node(root, "flags")
        b.done_if((flags & PROVEN).ne(0))
        seed_generator(b, b.let(tree.get("seed") + tree.get("iterations")))
        with b.loop("tries") as tries:
            b.stop_if(b.get("stop", I64).ne(0), STOPPED)
            (found,) = b.run(iterate_function(b.unit), (own, start, words, count, at), (I32,))
            b.leave_if(found.eq(DONE), tries)
        tree.put("iterations", tree.get("iterations") + 1)
    b.done()


@routine("search.iterate", (PTR, PTR, PTR, I64, PTR), gives=(I32,))
def iterate_function(b: Emitter, own: Local, start: Local, words: Local, count: Local, at: Local) -> None:
    """The function that runs one iteration; gives DONE or AGAIN."""
    tree = Tree(b, at)
    b.copy(own, start, header(b, start, "heap_top"))
    information = has_information_sets(b.unit)
    if can_resample(b.unit):
        observer = b.let(widen(tree.get("observer"), I32))
        with b.when(observer >= 0):
            b.run("resample", (start, observer), block=own)
    b.put("base", own)
    b.put("saved", b.get("saved_start", PTR))
    b.copy(b.get("choices", PTR), words, b.let(count * 8))
    begin_playout(b)
    walk = Playout(
        b.variable(BLOCK, "work"),
        b.variable(count, "prefix"),
        b.variable(widen(tree.get("root_chooser"), I32), "chooser"),
        b.variable(count > 0, "under_way"),
    )
    node = b.variable(tree.get("root"), "node")
    edge = b.variable(const(0), "edge")
    key = b.variable(const(0), "key")
    given = b.variable(const(1 << 62), "given")
    plies = b.variable(const(0), "plies")
    refreshed = b.variable(const(0), "refreshed")
    with b.loop("descent") as descent:
        if has_chance(b.unit) and not information:
            _hash_chance(b, given, key)
        with b.when(~walk.under_way):
            base = b.get("base", PTR)
            stage = header(b, base, "stage")
            with b.when(stage.eq(OVER)):
                b.set(walk.chooser, const(OVER_CHOOSER, I32))
            with b.otherwise():
                with b.when(stage.ne(CHOOSING)):
                    b.put("choice_count", const(0))
                    b.set(given, const(0))
                    (ran,) = b.call(run_on_function(b.unit), (CTX, walk.work, const(0)), (I32,))
                    go_on(b, ran, walk)
                    b.again(descent)
                stuck = find_chooser(b, base, walk.work, walk.chooser)
                with b.when(stuck >= 0):
                    mark_stuck(b, base, stuck)
                    b.again(descent)
        with b.when(edge.ne(0)):
            (found,) = b.run(child_function(b.unit), (at, edge, key, walk.chooser), (I64,))
            b.set(node, found)
            b.set(edge, const(0))
            b.leave_if(node.eq(0), descent)  # the tree is full
        b.leave_if(walk.chooser.eq(OVER_CHOOSER) | (plies >= MAX_DEPTH), descent)
        b.leave_if((tree.node(node, "flags") & PROVEN).ne(0), descent)
        is_root = b.let(node.eq(tree.get("root")))
        with b.when((tree.node(node, "flags") & EXPANDED).eq(0)):
            b.leave_if(tree.node(node, "visits").eq(0) & ~is_root, descent)
            with b.when(tree.get("is_flat").ne(0) & ~is_root):
                b.leave(descent)
            if not information:
                _expand(b, tree, node, walk, descent)
        if information:
            with b.when(refreshed.ne(node)):
                _refresh(b, tree, node, walk, descent)
                b.set(refreshed, node)
            with b.when(tree.node(node, "available").eq(0)):
                with b.when(walk.under_way):
                    _give_up(b, tree, plies, walk)
                stuck_edge = (at, node, at, const(STUCK), const(AVAILABLE, I32), const(0, I32))
                (marked,) = b.run(mark_function(b.unit), stuck_edge, (I32,))
                b.leave_if(marked < 0, descent)
        else:
            with b.when(tree.node(node, "edge_count").eq(0)):
                with b.when(walk.under_way):
                    _give_up(b, tree, plies, walk)
                add_stuck_edge(tree, node)
        (index,) = b.run(select_function(b.unit), (at, node), (I32,))
        chosen = tree.edge_at(node, index)
        length = b.let(widen(tree.edge(chosen, "length"), I64))
        is_unsure = b.let((tree.edge(chosen, "flags") & UNSURE).ne(0))
        b.set(key, const(0))
        with b.when(~is_unsure):
            (taken,) = b.run(take_function(b.unit), (at, node, index, plies), (I64,))
            b.set(edge, taken)
            b.set(plies, plies + 1)
        with b.when(length.eq(STUCK), unlikely=True):
            b.set(given, const(1 << 62))
            mark_stuck(b, b.get("base", PTR), walk.chooser)
            b.again(descent)
        whole = b.let(walk.prefix + length)
        b.stop_if(whole + 1 >= b.get("choice_capacity", I64), GROW)
        to = b.let(address(b.get("choices", PTR), walk.prefix * 8))
        b.copy(to, tree.words(select_edge(b, edge, chosen)), b.let(length * 8))
        b.put("choice_count", whole)
        b.set(given, whole)
        with b.when(~walk.under_way & ~is_unsure):
            run_in_place(b, descent)
        (ran,) = b.call(run_on_function(b.unit), (CTX, walk.work, whole), (I32,))
        with b.when(is_unsure):
            with b.when(ran.eq(FAILED)):
                remove = exclude_function if information else remove_function
                b.run(remove(b.unit), (at, node, index))
                b.again(descent)
            (taken,) = b.run(take_function(b.unit), (at, node, index, plies), (I64,))
            b.set(edge, taken)
            b.set(plies, plies + 1)
        reset_stuck_cycle(b)
        go_on(b, ran, walk)
    _evaluate(b, tree, walk, node, plies)
    b.run(back_up_function(b.unit), (at, node, plies))
    b.done(const(DONE, I32))


def _expand(b: Emitter, tree: Tree, node: Expression, walk: Playout, descent: str) -> None:
    """List the edges of a node; the descent ends if the tree is full."""
    expansion = (tree.at, node, walk.prefix, walk.chooser)
    (is_expanded,) = b.run(expand_function(b.unit), expansion, (I32,), block=walk.work)
    b.leave_if(is_expanded.eq(0), descent)


def _refresh(b: Emitter, tree: Tree, node: Expression, walk: Playout, descent: str) -> None:
    """Mark the legal edges of an information set; the descent ends if the tree is full."""
    expansion = (tree.at, node, walk.prefix, walk.chooser)
    (is_complete,) = b.run(refresh_function(b.unit), expansion, (I32,), block=walk.work)
    b.leave_if(is_complete.eq(0), descent)


def select_edge(b: Emitter, edge: Expression, chosen: Expression) -> Expression:
    """The current place of the selected edge: it may have been moved when it was taken."""
    return b.let(select(edge.ne(0), edge, chosen))


def _hash_chance(b: Emitter, given: Local, key: Local) -> None:
    """Add the outcomes of chance that the last run has drawn to the key of the next node."""
    choices = b.get("choices", PTR)
    with b.count(b.get("choice_count", I64), first=given) as (place, _):
        mixed = b.let((key ^ b.load_word(choices, place)) * wrapped(KEY_FACTOR, I64) + 1)
        b.set(key, mixed ^ (mixed >> KEY_SHIFT))
    b.set(given, const(1 << 62))


def _give_up(b: Emitter, tree: Tree, plies: Expression, walk: Playout) -> None:
    """No answer leads to a complete move: remove the choice before, and begin the iteration again."""
    with b.when(plies.eq(0), unlikely=True):
        b.put("choice_count", walk.prefix)
        b.fault("TG0512")
    row = b.let(address(tree.at, plies * 8 + (path_offset(b.world.players) - 8)))
    node, edge = tree.place(b.load(row, 0, I32)), tree.place(b.load(row, 4, I32))
    if has_information_sets(b.unit):
        # The move is legal with other secrets: it only counts as lost once.
        tree.set_edge(edge, "visits", tree.edge(edge, "visits") + 1)
        tree.set_edge(edge, "total", tree.edge(edge, "total") - const(1.0, F64))
        b.done(const(AGAIN, I32))
        return
    first = tree.place(tree.node(node, "edges"))
    index = widen(binary("udiv", edge - first, const(EDGE_SIZE)), I32)
    b.run(remove_function(b.unit), (tree.at, node, b.let(index)))
    b.done(const(AGAIN, I32))


def _evaluate(b: Emitter, tree: Tree, walk: Playout, node: Expression, plies: Expression) -> None:
    """Find the payoffs of the position where the descent ended."""
    players = b.world.players
    is_known = b.variable(const(0, I1), "is_known")
    with b.when(node.ne(0)):
        b.set(is_known, (tree.node(node, "flags") & PROVEN).ne(0))
    with b.when(is_known):
        b.copy(b.let(tree.payoffs), tree.node_payoffs(node), 8 * players)
    with b.otherwise():
        is_over = b.let(walk.chooser.eq(OVER_CHOOSER))
        with b.when(~is_over):
            with b.when(walk.under_way):
                arguments = (CTX, walk.work, walk.prefix, walk.chooser)
                (ran,) = b.call(step_function(b.unit), arguments, (I32,))
                with b.when(ran.eq(FAILED)):
                    _give_up(b, tree, plies, walk)
                go_on(b, ran, walk)
            b.put("played", const(0))
            is_random = b.variable(const(1, I1), "is_random")
            if can_guide(b.unit):
                b.set(is_random, walk.under_way | (tree.get("playout_choices") <= 1))
                with b.when(~is_random):
                    b.run(play_guided_function(b.unit), (tree.at,), block=walk.work)
            with b.when(is_random):
                given = select(walk.under_way, walk.prefix, const(0))
                rest = (tree.get("playout_limit"), b.let(given), walk.chooser)
                b.run(play_on_function(b.unit), rest, block=walk.work)
        out = b.let(tree.payoffs)
        b.begin_run()
        (ended,) = b.run(payoffs_function(b.unit), (out,), (I32,), block=b.get("base", PTR))
        is_certain = const(0, I1) if has_information_sets(b.unit) else is_over & node.ne(0)
        with b.when(is_certain):
            tree.set_node(node, "flags", const(PROVEN, I32))
            b.copy(tree.node_payoffs(node), out, 8 * players)
        with b.when(ended.ne(0)):
            for player in range(players):
                payoff = b.load(out, 8 * player, F64)
                with b.when(payoff < tree.get("low")):
                    tree.put("low", payoff)
                with b.when(payoff > tree.get("high")):
                    tree.put("high", payoff)
