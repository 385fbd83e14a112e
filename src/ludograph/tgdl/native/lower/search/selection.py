"""Selection: which edge of a node an iteration follows.

An edge that was not tried yet comes first, drawn at random. Of many edges, a node tries only as many as its
visits allow, and the others later (progressive widening). Then UCT selects the edge with the greatest upper
confidence bound of the mean payoff of the node's own chooser. The exploration term is scaled to the range
of the payoffs that the search has seen, so that it fits any payoffs. A proven edge has no exploration term.
"""

from ludograph.tgdl.native.ir.builder import const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.search_tree import AVAILABLE, PROVEN
from ludograph.tgdl.native.lower.actions.chance import need_below
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import CTX
from ludograph.tgdl.native.lower.search.tree import Tree, has_information_sets

INFINITE = 1e300
WIDTH = 8.0
"""After n visits, a node has tried at most WIDTH * sqrt(n + 1) edges."""


@routine("search.select", (PTR, I64), gives=(I32,))
def select_function(b: Emitter, at: Local, node: Local) -> None:
    """The function that selects an edge; gives its index."""
    tree = Tree(b, at)
    if has_information_sets(b.unit):
        _select_available(b, tree, node)
        return
    count, tried = tree.node(node, "edge_count"), tree.node(node, "tried")
    is_flat = b.let(tree.get("is_flat").ne(0))
    width = _width(b, b.let(b.as_decimal(tree.node(node, "visits"))))
    with b.when((tried < count) & (is_flat | (b.as_decimal(tried) < width))):
        left = b.let(widen(count - tried, I64))
        (drawn,) = b.call(need_below(b.unit), (CTX, left), (I64,))
        b.done(b.let(widen(drawn, I32) + tried))
    chooser = b.let(widen(tree.node(node, "chooser"), I64))
    visits = b.as_decimal(tree.node(node, "visits"))
    logarithm = b.let(intrinsic("log", intrinsic("maxnum", visits, const(1.0, F64))))
    breadth = b.let(tree.get("high") - tree.get("low"))
    scale = select(breadth > const(0.0, F64), breadth, const(1.0, F64))
    factor = b.variable(tree.get("exploration") * scale, "factor")
    best = b.variable(const(-INFINITE, F64), "best")
    chosen = b.variable(const(0, I32), "chosen")
    with b.count(tried) as (index, _):
        edge = tree.edge_at(node, index)
        times = b.let(b.as_decimal(tree.edge(edge, "visits")))
        score = b.variable(const(INFINITE, F64), "score")
        with b.when(is_flat):
            b.set(score, const(0.0, F64) - times)
        with b.otherwise():
            with b.when((tree.edge(edge, "flags") & PROVEN).ne(0)):
                child = tree.place(tree.edge(edge, "child"))
                b.set(score, b.load(tree.node_payoffs(child), b.let(chooser * 8), F64))
            with b.otherwise():
                with b.when(times > const(0.0, F64)):
                    bonus = factor * intrinsic("sqrt", logarithm / times)
                    b.set(score, tree.edge(edge, "total") / times + bonus)
        with b.when(score > best):
            b.set(best, score)
            b.set(chosen, index)
    b.done(chosen)


def _select_available(b: Emitter, tree: Tree, node: Local) -> None:
    """Select among the legal edges of an information set; only their visits count."""
    count = tree.node(node, "edge_count")
    total, untried = b.variable(const(0, I32), "total"), b.variable(const(0, I32), "untried")
    with b.count(count) as (index, _):
        edge = tree.edge_at(node, index)
        with b.when((tree.edge(edge, "flags") & AVAILABLE).ne(0)):
            visits = b.let(tree.edge(edge, "visits"))
            b.set(total, total + visits)
            b.set(untried, untried + select(visits.eq(0), const(1, I32), const(0, I32)))
    wanted = b.variable(const(-1, I32), "wanted")
    is_flat = b.let(tree.get("is_flat").ne(0))
    width = _width(b, b.let(b.as_decimal(total)))
    tried = b.let(b.as_decimal(tree.node(node, "available") - untried))
    with b.when((untried > 0) & (is_flat | (tried < width))):
        (drawn,) = b.call(need_below(b.unit), (CTX, b.let(widen(untried, I64))), (I64,))
        b.set(wanted, widen(drawn, I32))
    logarithm = b.let(intrinsic("log", intrinsic("maxnum", b.as_decimal(total), const(1.0, F64))))
    breadth = b.let(tree.get("high") - tree.get("low"))
    scale = select(breadth > const(0.0, F64), breadth, const(1.0, F64))
    factor = b.variable(tree.get("exploration") * scale, "factor")
    best, chosen = b.variable(const(-INFINITE, F64), "best"), b.variable(const(0, I32), "chosen")
    with b.count(count) as (index, _):
        edge = tree.edge_at(node, index)
        with b.when((tree.edge(edge, "flags") & AVAILABLE).ne(0)):
            visits = b.let(tree.edge(edge, "visits"))
            with b.when(visits.eq(0)):
                with b.when(wanted.eq(0)):
                    b.done(index)
                b.set(wanted, wanted - 1)  # below zero: not now
            with b.otherwise():
                times = b.let(b.as_decimal(visits))
                score = b.variable(const(0.0, F64) - times, "score")
                with b.when(~is_flat):
                    bonus = factor * intrinsic("sqrt", logarithm / times)
                    b.set(score, tree.edge(edge, "total") / times + bonus)
                with b.when(score > best):
                    b.set(best, score)
                    b.set(chosen, index)
    b.done(chosen)


def _width(b: Emitter, visits: Expression) -> Expression:
    """The number of edges that a node with so many visits may have tried."""
    return b.let(intrinsic("sqrt", visits + const(1.0, F64)) * const(WIDTH, F64))
