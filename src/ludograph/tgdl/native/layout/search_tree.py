"""The layout of a search tree: a header, then nodes and edges, in one piece of memory without pointers.

A node is a decision of a player. An edge is a move of that player, or one choice of a compound move. If
chance follows a move, its edge leads to one node for each outcome so far: they form a list. References are
offsets in units of 8 bytes, and 0 is none, so that a tree can be copied and read from Python.

In a game with secrets a node is an information set. What is hidden is drawn anew in each iteration, so that
the legal moves of a node may differ from visit to visit. Its edges are all moves so far; those that are legal
in the current iteration are marked. Outcomes of chance make no difference between its nodes.
"""

from ludograph.tgdl.native.ir.nodes import layout_of

MAX_DEPTH = 512
"""The number of edges that one iteration may follow; deeper positions are played out."""

TREE = {
    "top": 8,
    "capacity": 8,
    "exploration": 8,
    "low": 8,
    "high": 8,
    "iterations": 8,
    "seed": 8,
    "root": 8,
    "root_chooser": 8,
    "playout_limit": 8,
    "playout_choices": 8,
    "is_flat": 8,
    "observer": 8,
    "payoffs": 0,
}
"""The header: bytes in use and their limit, the settings of the search, the range of payoffs so far, and the
number of iterations. The payoffs at the end of the current iteration and its path follow."""

NODE = {
    "chooser": 4,
    "flags": 4,
    "visits": 4,
    "edge_count": 4,
    "tried": 4,
    "edges": 4,
    "next": 4,
    "available": 4,
    "capacity": 4,
    "spare": 4,
    "key": 8,
    "payoffs": 0,
}
"""A node: its chooser, its visits, its edges of which the first `tried` have been tried, the next outcome
of the same edge, and a hash of the outcomes of chance before it. An information set has the number of its
legal edges in the current iteration, and of the edges that its memory can hold. If the node is proven, its
payoffs follow."""

EDGE = {"visits": 4, "flags": 4, "total": 8, "child": 4, "words": 4, "length": 4, "spare": 4}
"""An edge: its visits, the sum of the payoffs of its chooser, the first node after it, and its choices."""

TREE_AT, TREE_SIZE = layout_of(TREE)
NODE_AT, NODE_SIZE = layout_of(NODE)
EDGE_AT, EDGE_SIZE = layout_of(EDGE)

EXPANDED, PROVEN, HAS_CHANCE, UNSURE, AVAILABLE = 1, 2, 4, 8, 16
"""Flags: the edges of a node are listed; the payoffs of a node, or after an edge, are certain; chance
follows the move of an edge; the move of an edge may fail or ask for more; the move of an edge is legal in
the current iteration (only in information sets)."""

KEY_FACTOR, KEY_SHIFT = 0x9E3779B97F4A7C15, 29
"""The hash of outcomes of chance: `key = (key ^ word) * KEY_FACTOR + 1; key ^= key >> KEY_SHIFT`."""

STUCK = -1
"""The length of the edge of a player who cannot move."""


def node_size(players: int) -> int:
    return NODE_SIZE + 8 * players


def path_offset(players: int) -> int:
    """The offset of the path of the current iteration: a node and an edge for each ply."""
    return TREE_SIZE + 8 * players


def first_node(players: int) -> int:
    """The offset of the first byte after the header."""
    return path_offset(players) + 8 * MAX_DEPTH
