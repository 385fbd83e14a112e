"""Reading and writing a search tree from native code; `layout/search_tree.py` describes its memory."""

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.search_tree import (
    EDGE_AT,
    EDGE_SIZE,
    NODE_AT,
    NODE_SIZE,
    TREE_AT,
    TREE_SIZE,
    node_size,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.world.analysis import hides_anything

DECIMALS = frozenset({"exploration", "low", "high", "total"})
WORDS = frozenset({"key"})


def has_information_sets(unit: CompilationUnit) -> bool:
    """Whether nodes are information sets, because the game has secrets."""
    return hides_anything(unit.world)


class Tree(Struct, frozen=True):
    """A tree as a function sees it. Nodes and edges are offsets in bytes."""

    b: Emitter
    at: Expression
    """The address of the header."""

    # The header

    def get(self, name: str) -> Expression:
        return self.b.load(self.at, TREE_AT[name], F64 if name in DECIMALS else I64)

    def put(self, name: str, value: Expression) -> None:
        self.b.store(self.at, TREE_AT[name], value)

    @property
    def payoffs(self) -> Expression:
        """The address of the payoffs at the end of the current iteration."""
        return address(self.at, TREE_SIZE)

    # Nodes and edges

    def node(self, node: Expression, name: str) -> Expression:
        return self._load(node, NODE_AT[name], I64 if name in WORDS else I32)

    def set_node(self, node: Expression, name: str, value: Expression) -> None:
        self._store(node, NODE_AT[name], value)

    def node_payoffs(self, node: Expression) -> Expression:
        """The address of the payoffs of a proven node."""
        return self.b.let(address(self.at, node + NODE_SIZE))

    def edge(self, edge: Expression, name: str) -> Expression:
        return self._load(edge, EDGE_AT[name], F64 if name in DECIMALS else I32)

    def set_edge(self, edge: Expression, name: str, value: Expression) -> None:
        self._store(edge, EDGE_AT[name], value)

    def place(self, reference: Expression) -> Expression:
        """The offset in bytes of a stored reference."""
        return self.b.let(widen(reference, I64, signed=False) << 3)

    def reference(self, place: Expression) -> Expression:
        """The form in which an offset is stored."""
        return self.b.let(widen(place >> 3, I32))

    def edge_at(self, node: Expression, index: Expression) -> Expression:
        """The edge of a node with an index."""
        first = self.place(self.node(node, "edges"))
        return self.b.let(first + widen(index, I64) * EDGE_SIZE)

    def words(self, edge: Expression) -> Expression:
        """The address of the choices of an edge."""
        return self.b.let(address(self.at, self.place(self.edge(edge, "words"))))

    def move_edge(self, target: Expression, source: Expression) -> None:
        """Copy an edge over another."""
        self.b.copy(self._address(target), self._address(source), EDGE_SIZE)

    def swap_edges(self, one: Expression, other: Expression) -> None:
        room = self.b.stack_slot(EDGE_SIZE)
        self.b.copy(room, self._address(one), EDGE_SIZE)
        self.move_edge(one, other)
        self.b.copy(self._address(other), room, EDGE_SIZE)

    def _address(self, place: Expression) -> Expression:
        return self.b.let(address(self.at, place))

    def _load(self, place: Expression, offset: int, kind: object) -> Expression:
        return self.b.load(self._address(place), offset, kind)  # type: ignore[arg-type]

    def _store(self, place: Expression, offset: int, value: Expression) -> None:
        self.b.store(self._address(place), offset, value)

    def allocate(self, size: Expression) -> Expression:
        """The offset of new zeroed bytes; 0 if the tree is full."""
        (found,) = self.b.run(allocate_function(self.b.unit), (self.at, size), (I64,))
        return found

    def new_node(self, chooser: Expression, key: Expression) -> Expression:
        """A new node; 0 if the tree is full."""
        found = self.allocate(const(node_size(self.b.world.players)))
        with self.b.when(found.ne(0)):
            self.set_node(found, "chooser", chooser)
            self.set_node(found, "key", key)
        return found


@routine("search.allocate", (PTR, I64), gives=(I64,))
def allocate_function(b: Emitter, at: Local, size: Local) -> None:
    """The function that allocates bytes of a tree. The memory of a new tree is zero."""
    tree = Tree(b, at)
    place = tree.get("top")
    end = b.let(place + ((size + 7) & -8))
    with b.when(end.ugt(tree.get("capacity")), unlikely=True):
        b.done(const(0))
    tree.put("top", end)
    b.done(place)
