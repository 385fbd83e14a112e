"""The edges of a node: listing the moves of its player, taking one, removing one, and the nodes after it."""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.interface import SAMPLE
from ludograph.tgdl.native.layout.search_tree import (
    EDGE_SIZE,
    EXPANDED,
    HAS_CHANCE,
    STUCK,
    UNSURE,
    path_offset,
)
from ludograph.tgdl.native.layout.status import NEED
from ludograph.tgdl.native.lower.driver.explore import moves_function
from ludograph.tgdl.native.lower.driver.random_games import run_on_function
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.search.tree import Tree


@routine("search.expand", (PTR, I64, I64, I32), gives=(I32,))
def expand_function(b: Emitter, at: Local, node: Local, prefix: Local, chooser: Local) -> None:
    """The function that lists the edges of a node; gives 0 if the tree is full."""
    tree = Tree(b, at)
    with b.when(prefix > 0):
        # One choice of an open move: the candidates of the question, each of which may fail.
        b.put("choice_count", prefix)
        (ran,) = b.call(run_on_function(b.unit), (CTX, BLOCK, prefix), (I32,))
        b.stop_if(ran.ne(NEED), ran)
        count = b.get("need_count", I64)
        first = _reserve(tree, node, count, b.let(count * 8))
        words = b.let(first + count * EDGE_SIZE)
        b.copy(b.let(address(at, words)), b.get("need_values", PTR), b.let(count * 8))
        with b.count(count) as (place, _):
            edge = b.let(first + place * EDGE_SIZE)
            _set_words(tree, edge, b.let(words + place * 8), const(1), const(UNSURE, I32))
        b.done(const(1, I32))
    b.refuel()
    b.run(moves_function(b.unit), (const(0), chooser, const(SAMPLE, I32)))
    count = b.get("move_count", I64)
    index = b.get("index", PTR)
    length = b.variable(const(0), "length")
    with b.count(count) as (place, _):
        row = b.load_word(index, place, PTR)
        b.set(length, length + (b.load(row, 0, I64) & 0xFFFFFFFF))
    first = _reserve(tree, node, count, b.let(length * 8))
    words = b.variable(first + count * EDGE_SIZE, "words")
    with b.count(count) as (place, _):
        row = b.load_word(index, place, PTR)
        head = b.load(row, 0, I64)
        size = b.let(head & 0xFFFFFFFF)
        b.copy(b.let(address(at, words)), b.let(address(row, 8)), b.let(size * 8))
        flags = b.let(select((head >> 32).ne(0), const(UNSURE, I32), const(0, I32)))
        _set_words(tree, b.let(first + place * EDGE_SIZE), words, size, flags)
        b.set(words, words + size * 8)
    b.done(const(1, I32))


def _reserve(tree: Tree, node: Expression, count: Expression, length: Expression) -> Expression:
    """The first of new edges of a node, with memory for their choices; the function ends if there is none."""
    b = tree.b
    room = b.let(select(count.eq(0), const(1), count))  # a player who cannot move has an edge too
    first = tree.allocate(b.let(room * EDGE_SIZE + length))
    b.done_if(first.eq(0), const(0, I32))
    tree.set_node(node, "edges", tree.reference(first))
    tree.set_node(node, "edge_count", b.let(widen(count, I32)))
    tree.set_node(node, "flags", b.let(tree.node(node, "flags") | EXPANDED))
    return first


def _set_words(
    tree: Tree, edge: Expression, words: Expression, length: Expression, flags: Expression
) -> None:
    tree.set_edge(edge, "words", tree.reference(words))
    tree.set_edge(edge, "length", tree.b.let(widen(length, I32)))
    tree.set_edge(edge, "flags", flags)


def add_stuck_edge(tree: Tree, node: Expression) -> None:
    """Give a player who cannot move the edge that reports this."""
    b = tree.b
    edge = tree.edge_at(node, const(0))
    b.fill(b.let(address(tree.at, edge)), 0, EDGE_SIZE)
    tree.set_edge(edge, "length", const(STUCK, I32))
    tree.set_node(node, "edge_count", const(1, I32))
    tree.set_node(node, "tried", const(0, I32))


@routine("search.take", (PTR, I64, I32, I64), gives=(I64,))
def take_function(b: Emitter, at: Local, node: Local, index: Local, plies: Local) -> None:
    """The function that adds an edge to the path, after those that were tried before; gives its place."""
    tree = Tree(b, at)
    place = b.variable(index, "place")
    tried = tree.node(node, "tried")
    with b.when(index >= tried):
        with b.when(index.ne(tried)):
            tree.swap_edges(tree.edge_at(node, index), tree.edge_at(node, tried))
        b.set(place, tried)
        tree.set_node(node, "tried", tried + 1)
    edge = tree.edge_at(node, place)
    row = b.let(address(at, plies * 8 + path_offset(b.world.players)))
    b.store(row, 0, tree.reference(node))
    b.store(row, 4, tree.reference(edge))
    b.done(edge)


@routine("search.remove", (PTR, I64, I32))
def remove_function(b: Emitter, at: Local, node: Local, index: Local) -> None:
    """The function that removes an edge, because its move is not legal."""
    tree = Tree(b, at)
    place = b.variable(index, "place")
    tried = tree.node(node, "tried")
    with b.when(index < tried):
        b.set(place, tried - 1)
        tree.set_node(node, "tried", place)
        tree.move_edge(tree.edge_at(node, index), tree.edge_at(node, place))
    last = b.let(tree.node(node, "edge_count") - 1)
    tree.move_edge(tree.edge_at(node, place), tree.edge_at(node, last))
    tree.set_node(node, "edge_count", last)
    b.done()


@routine("search.child", (PTR, I64, I64, I32), gives=(I64,))
def child_function(b: Emitter, at: Local, edge: Local, key: Local, chooser: Local) -> None:
    """The function that finds or adds the node after an edge and some outcomes of chance.

    0: the tree is full.
    """
    tree = Tree(b, at)
    first = tree.edge(edge, "child")
    node = b.variable(tree.place(first), "node")
    with b.loop("outcomes") as outcomes:
        b.leave_if(node.eq(0), outcomes)
        is_same = b.variable(const(0, I1), "is_same")
        b.set(is_same, tree.node(node, "key").eq(key) & tree.node(node, "chooser").eq(chooser))
        b.done_if(is_same, node)
        b.set(node, tree.place(tree.node(node, "next")))
    with b.when(key.ne(0)):
        tree.set_edge(edge, "flags", b.let(tree.edge(edge, "flags") | HAS_CHANCE))
    found = tree.new_node(chooser, key)
    with b.when(found.ne(0)):
        tree.set_node(found, "next", first)
        tree.set_edge(edge, "child", tree.reference(found))
    b.done(found)
