"""The edges of a node: listing the moves of its player, taking one, removing one, and the nodes after it."""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.interface import SAMPLE
from ludograph.tgdl.native.layout.search_tree import (
    AVAILABLE,
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
from ludograph.tgdl.native.lower.search.tree import Tree, has_information_sets


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
    if has_information_sets(b.unit):
        edge = tree.edge_at(node, place)
        _store_step(tree, node, edge, plies)
        b.done(edge)
        return
    with b.when(index >= tried):
        with b.when(index.ne(tried)):
            tree.swap_edges(tree.edge_at(node, index), tree.edge_at(node, tried))
        b.set(place, tried)
        tree.set_node(node, "tried", tried + 1)
    edge = tree.edge_at(node, place)
    _store_step(tree, node, edge, plies)
    b.done(edge)


def _store_step(tree: Tree, node: Expression, edge: Expression, plies: Expression) -> None:
    """Add a node and its edge to the path of the iteration."""
    b = tree.b
    row = b.let(address(tree.at, plies * 8 + path_offset(b.world.players)))
    b.store(row, 0, tree.reference(node))
    b.store(row, 4, tree.reference(edge))


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


# Information sets


@routine("search.refresh", (PTR, I64, I64, I32), gives=(I32,))
def refresh_function(b: Emitter, at: Local, node: Local, prefix: Local, chooser: Local) -> None:
    """The function that marks the legal edges of an information set; gives 0 if the tree is full.

    Moves that were never legal before get new edges.
    """
    tree = Tree(b, at)
    with b.count(tree.node(node, "edge_count")) as (index, _):
        edge = tree.edge_at(node, index)
        tree.set_edge(edge, "flags", b.let(tree.edge(edge, "flags") & ~AVAILABLE))
    tree.set_node(node, "available", const(0, I32))
    tree.set_node(node, "flags", b.let(tree.node(node, "flags") | EXPANDED))
    cursor = b.variable(const(0, I32), "cursor")
    with b.when(prefix > 0):
        b.put("choice_count", prefix)
        (ran,) = b.call(run_on_function(b.unit), (CTX, BLOCK, prefix), (I32,))
        b.stop_if(ran.ne(NEED), ran)
        values = b.let(b.get("need_values", PTR))
        with b.count(b.get("need_count", I64)) as (place, _):
            word = b.let(address(values, place * 8))
            _mark(b, at, node, word, const(1), const(UNSURE | AVAILABLE, I32), cursor)
        b.done(const(1, I32))
    b.refuel()
    b.run(moves_function(b.unit), (const(0), chooser, const(SAMPLE, I32)))
    count = b.let(b.get("move_count", I64))
    index_of_moves = b.let(b.get("index", PTR))
    with b.count(count) as (place, _):
        row = b.let(b.load_word(index_of_moves, place, PTR))
        head = b.let(b.load(row, 0, I64))
        unsure = select((head >> 32).ne(0), const(UNSURE | AVAILABLE, I32), const(AVAILABLE, I32))
        _mark(b, at, node, b.let(address(row, 8)), b.let(head & 0xFFFFFFFF), b.let(unsure), cursor)
    with b.when(count.eq(0)):
        _mark(b, at, node, at, const(STUCK), const(AVAILABLE, I32), cursor)
    b.done(const(1, I32))


def _mark(
    b: Emitter,
    at: Expression,
    node: Expression,
    words: Expression,
    length: Expression,
    flags: Expression,
    cursor: Local,
) -> None:
    """Mark the edge with some choices as legal; the function ends if a new one does not fit.

    The cursor is the edge after the last one: moves are listed in about the same order each time.
    """
    arguments = (at, node, words, length, flags, cursor)
    (found,) = b.run(mark_function(b.unit), arguments, (I32,))
    b.done_if(found < 0, const(0, I32))
    b.set(cursor, found + 1)


@routine("search.mark", (PTR, I64, PTR, I64, I32, I32), gives=(I32,))
def mark_function(
    b: Emitter, at: Local, node: Local, words: Local, length: Local, flags: Local, cursor: Local
) -> None:
    """The function that marks an edge, and adds it if it is new; gives its index, -1 if the tree is full."""
    tree = Tree(b, at)
    count = b.let(tree.node(node, "edge_count"))
    place = b.variable(cursor, "place")
    with b.count(count):
        with b.when(place >= count):
            b.set(place, const(0, I32))
        edge = tree.edge_at(node, place)
        same = b.variable(widen(tree.edge(edge, "length"), I64).eq(length), "same")
        with b.when(same):
            known = tree.words(edge)
            with b.count(length) as (each, label):
                with b.when(b.load_word(known, each).ne(b.load_word(words, each))):
                    b.set(same, const(0, I1))
                    b.leave(label)
        with b.when(same):
            tree.set_edge(edge, "flags", flags)
            tree.set_node(node, "available", tree.node(node, "available") + 1)
            b.done(place)
        b.set(place, place + 1)
    capacity = b.let(tree.node(node, "capacity"))
    with b.when(count >= capacity):
        larger = b.let(select(capacity.eq(0), const(8, I32), capacity * 2))
        first = tree.allocate(b.let(widen(larger, I64) * EDGE_SIZE))
        b.done_if(first.eq(0), const(-1, I32))
        old = tree.place(tree.node(node, "edges"))
        b.copy(b.let(address(at, first)), b.let(address(at, old)), b.let(widen(count, I64) * EDGE_SIZE))
        tree.set_node(node, "edges", tree.reference(first))
        tree.set_node(node, "capacity", larger)
    edge = tree.edge_at(node, count)
    with b.when(length > 0):
        to = tree.allocate(b.let(length * 8))
        b.done_if(to.eq(0), const(-1, I32))
        b.copy(b.let(address(at, to)), words, b.let(length * 8))
        tree.set_edge(edge, "words", tree.reference(to))
    tree.set_edge(edge, "length", b.let(widen(length, I32)))
    tree.set_edge(edge, "flags", flags)
    tree.set_node(node, "edge_count", count + 1)
    tree.set_node(node, "tried", count + 1)
    tree.set_node(node, "available", tree.node(node, "available") + 1)
    b.done(count)


@routine("search.exclude", (PTR, I64, I32))
def exclude_function(b: Emitter, at: Local, node: Local, index: Local) -> None:
    """The function that marks an edge of an information set as not legal in this iteration."""
    tree = Tree(b, at)
    edge = tree.edge_at(node, index)
    tree.set_edge(edge, "flags", b.let(tree.edge(edge, "flags") & ~AVAILABLE))
    tree.set_node(node, "available", tree.node(node, "available") - 1)
    b.done()


# Outcomes


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
