"""Backing up: the payoffs at the end of an iteration are added to the edges of its path.

An edge without chance is proven if the node after it is proven. A node is proven if its chooser can win at
once, or if all its edges are proven: then the best of them counts. A proven payoff replaces the one of the
play- out.
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.search_tree import HAS_CHANCE, PROVEN, path_offset
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.search.tree import Tree
from ludograph.tgdl.world.analysis import counts_wins_only, has_greatest_payoff


@routine("search.back_up", (PTR, I64, I64))
def back_up_function(b: Emitter, at: Local, leaf: Local, plies: Local) -> None:
    """The function that adds the payoffs of the iteration to its path."""
    tree = Tree(b, at)
    payoffs = b.let(tree.payoffs)
    below = b.variable(leaf, "below")
    with b.when(leaf.ne(0)):
        tree.set_node(leaf, "visits", tree.node(leaf, "visits") + 1)
    with b.count(plies) as (place, _):
        row = b.let(address(at, (plies - place) * 8 + (path_offset(b.world.players) - 8)))
        node, edge = tree.place(b.load(row, 0, I32)), tree.place(b.load(row, 4, I32))
        chooser = b.let(widen(tree.node(node, "chooser"), I64) * 8)
        is_proven = b.variable(const(0, I1), "is_proven")
        with b.when(below.ne(0)):
            has_chance = (tree.edge(edge, "flags") & HAS_CHANCE).ne(0)
            b.set(is_proven, (tree.node(below, "flags") & PROVEN).ne(0) & ~has_chance)
        with b.when(is_proven):
            tree.set_edge(edge, "flags", b.let(tree.edge(edge, "flags") | PROVEN))
            _prove(b, tree, node, below, chooser)
            with b.when((tree.node(node, "flags") & PROVEN).ne(0)):
                b.copy(payoffs, tree.node_payoffs(node), 8 * b.world.players)
        tree.set_node(node, "visits", tree.node(node, "visits") + 1)
        tree.set_edge(edge, "visits", tree.edge(edge, "visits") + 1)
        tree.set_edge(edge, "total", tree.edge(edge, "total") + b.load(payoffs, chooser, F64))
        b.set(below, node)
    b.done()


def _prove(b: Emitter, tree: Tree, node: Expression, below: Expression, chooser: Expression) -> None:
    """Prove a node if the edge to a proven node below it decides what its chooser does."""
    best = b.variable(below, "best")
    payoff = b.variable(b.load(tree.node_payoffs(below), chooser, F64), "payoff")
    is_decided = b.variable(const(0, I1), "is_decided")
    if counts_wins_only(b.world) or has_greatest_payoff(b.world.program):
        b.set(is_decided, payoff >= const(1.0, F64))
    count = tree.node(node, "edge_count")
    with b.when(~is_decided & tree.node(node, "tried").eq(count)):
        b.set(is_decided, const(1, I1))
        with b.count(count) as (index, label):
            edge = tree.edge_at(node, index)
            with b.when((tree.edge(edge, "flags") & PROVEN).eq(0)):
                b.set(is_decided, const(0, I1))
                b.leave(label)
            child = tree.place(tree.edge(edge, "child"))
            other = b.load(tree.node_payoffs(child), chooser, F64)
            is_better = b.let(other > payoff)
            b.set(payoff, select(is_better, other, payoff))
            b.set(best, select(is_better, child, best))
    with b.when(is_decided):
        tree.set_node(node, "flags", b.let(tree.node(node, "flags") | PROVEN))
        b.copy(tree.node_payoffs(node), tree.node_payoffs(best), 8 * b.world.players)
