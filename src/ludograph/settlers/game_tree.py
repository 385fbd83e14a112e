"""A game as a tree of nodes: each node has an event, its comments, and the events that may follow it.

The first of the following nodes continues the line, the others start variations. A tree can be changed, for
example by a program that analyses a game. A `Record` is the same as immutable data, with its main line as a
flat list.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ludograph.settlers.actions import Action
from ludograph.settlers.goods import Player
from ludograph.settlers.position import Position
from ludograph.settlers.record import MAX_VARIATION_DEPTH, Act, Commented, Event, Record, Variation
from ludograph.settlers.visitors import RecordVisitor, visit_record

AnyResult = TypeVar("AnyResult")


class GameNode:
    """An event of a game with the events that may follow it. Mutable.

    >>> from ludograph.settlers.actions import EndTurn, Roll
    >>> tree = GameTree()
    >>> roll = tree.add_variation(Roll((3, 4)), comment="a seven")
    >>> other = tree.add_variation(Roll((1, 2)))
    >>> end = other.add_variation(EndTurn())
    >>> [node.action for node in tree.main_line()]
    [Roll(value=(3, 4))]
    >>> end.promote_to_main()
    >>> [node.action for node in tree.main_line()]
    [Roll(value=(1, 2)), EndTurn()]
    """

    def __init__(self, event: Event | None = None, parent: "GameNode | None" = None) -> None:
        self.event = event
        """The event; None for the root, which is a `GameTree`."""
        self.parent = parent
        self.variations: list[GameNode] = []
        """The nodes that may follow; the first of them continues the line."""
        self.comments: list[str] = []
        """The comments after the event."""
        self.starting_comments: list[str] = []
        """The comments before the event, at the start of a variation."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.event!r}, {len(self.variations)} variations>"

    # Reading

    @property
    def action(self) -> Action | None:
        """The action of the event; None if it is not an action."""
        return self.event.action if isinstance(self.event, Act) else None

    @property
    def player(self) -> Player | None:
        """The player of the action, if the event names the player."""
        return self.event.player if isinstance(self.event, Act) else None

    @property
    def depth(self) -> int:
        """The number of events from the start of the game to this node."""
        return sum(1 for _ in self.ancestors())

    def root(self) -> "GameTree":
        """The root of the tree; ValueError if the node was removed from its tree."""
        top = self
        while top.parent is not None:
            top = top.parent
        if not isinstance(top, GameTree):
            raise ValueError("this node does not belong to a game tree")
        return top

    def end(self) -> "GameNode":
        """The last node of the line that continues from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def next(self) -> "GameNode | None":
        """The node that continues the line; None at its end."""
        return self.variations[0] if self.variations else None

    def main_line(self) -> "Iterator[GameNode]":
        """The nodes after this one, to the end of the line that continues from here."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def ancestors(self) -> "Iterator[GameNode]":
        """The nodes before this one, up to the root; the nearest comes first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def line(self) -> "tuple[GameNode, ...]":
        """The nodes from the start of the game to this one, without the root."""
        nodes = [self, *self.ancestors()]
        return tuple(reversed(nodes[:-1]))

    def nodes(self) -> "Iterator[GameNode]":
        """This node and all nodes after it; each line is followed to its end before its variations."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.variations)

    def is_end(self) -> bool:
        """Whether no node follows."""
        return not self.variations

    def is_main_line(self) -> bool:
        """Whether the node is in the main line of its tree."""
        return all(child is parent.variations[0] for parent, child in self._steps())

    def starts_variation(self) -> bool:
        """Whether another node continues the line at this point."""
        return self.parent is not None and self.parent.variations[0] is not self

    def has_variation(self, key: "int | Action | GameNode") -> bool:
        """Whether a node follows: by its index, its action, or the node itself."""
        return self._maybe_index(key) is not None

    def variation(self, key: "int | Action | GameNode") -> "GameNode":
        """The following node by its index, its action, or the node itself; KeyError if there is none."""
        return self.variations[self._index(key)]

    __getitem__ = variation

    def __contains__(self, key: "int | Action | GameNode") -> bool:
        return self.has_variation(key)

    # Changing

    def add_variation(
        self, event: Event | Action, *, player: Player | None = None, comment: str = ""
    ) -> "GameNode":
        """Add a node after this one, behind those that are there; returns it.

        A comment belongs in `comments`, so it is no event of a node.
        """
        if isinstance(event, Commented):
            raise TypeError("a comment is added to the comments of a node")
        if not isinstance(event, Event | Action):
            raise TypeError(f"a node has an event or an action, not {event!r}")
        known = event if isinstance(event, Event) else Act(event, player)
        node = GameNode(known, self)
        if comment:
            node.comments.append(comment)
        self.variations.append(node)
        return node

    def add_main_variation(
        self, event: Event | Action, *, player: Player | None = None, comment: str = ""
    ) -> "GameNode":
        """Add a node after this one that continues the line; returns it."""
        node = self.add_variation(event, player=player, comment=comment)
        self.promote_to_first(node)
        return node

    def add_line(self, events: Iterable[Event | Action], *, comment: str = "") -> "GameNode":
        """Add a line of nodes after this one; returns the last one, which gets the comment."""
        node = self
        for event in events:
            node = node.add_variation(event)
        if comment:
            node.comments.append(comment)
        return node

    def promote(self, key: "int | Action | GameNode") -> None:
        """Move a following node one place towards the front."""
        index = self._index(key)
        if index > 0:
            self.variations.insert(index - 1, self.variations.pop(index))

    def demote(self, key: "int | Action | GameNode") -> None:
        """Move a following node one place towards the back."""
        index = self._index(key)
        if index < len(self.variations) - 1:
            self.variations.insert(index + 1, self.variations.pop(index))

    def promote_to_first(self, key: "int | Action | GameNode") -> None:
        """Make a following node the one that continues the line."""
        self.variations.insert(0, self.variations.pop(self._index(key)))

    def promote_to_main(self) -> None:
        """Make this node and the nodes before it part of the main line."""
        for parent, child in self._steps():
            parent.promote_to_first(child)

    def remove_variation(self, key: "int | Action | GameNode") -> "GameNode":
        """Remove a following node with everything after it; returns the node, which has no parent then."""
        node = self.variations.pop(self._index(key))
        node.parent = None
        return node

    def _steps(self) -> "Iterator[tuple[GameNode, GameNode]]":
        """Each node from this one up to the root, after its parent."""
        node = self
        while node.parent is not None:
            yield node.parent, node
            node = node.parent

    def _index(self, key: "int | Action | GameNode") -> int:
        index = self._maybe_index(key)
        if index is None:
            raise KeyError(f"no such variation: {key!r}")
        return index

    def _maybe_index(self, key: "int | Action | GameNode") -> int | None:
        if isinstance(key, int):
            return key if 0 <= key < len(self.variations) else None
        for index, node in enumerate(self.variations):
            if node is key or (not isinstance(key, GameNode) and node.action == key):
                return index
        return None


class GameTree(GameNode):
    """The root of a game tree, with the headers and the start position. Mutable.

    The comments of the root come before the first event. Two trees are equal if their records are.
    """

    def __init__(self, start: Position | None = None, headers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__()
        self.start = start
        self.headers: dict[str, str] = dict(headers)

    @staticmethod
    def from_record(record: Record) -> "GameTree":
        """The tree of a record; ValueError if a variation replaces no event.

        >>> tree = GameTree.from_record(Record((Commented("nothing happened"),)))
        >>> tree.comments, tree.is_end()
        (['nothing happened'], True)
        """
        tree = GameTree(record.start, record.headers)
        _add_events(tree, record.events, record.variations, is_main_line=True)
        return tree

    def record(self, *, variations: bool = True) -> Record:
        """The record of the tree, or of its main line; ValueError if variations nest too deep."""
        events, lines = _read_line(self, self.comments, with_variations=variations, depth=0)
        return Record(events, self.start, tuple(self.headers.items()), lines)

    def accept(self, visitor: RecordVisitor[AnyResult]) -> AnyResult:
        """Show the game to a visitor; returns the result of the visitor."""
        return visit_record(self.record(), visitor)

    def copy(self) -> "GameTree":
        """An independent copy of the tree."""
        return GameTree.from_record(self.record())

    def __eq__(self, other: object) -> bool:
        return self.record() == other.record() if isinstance(other, GameTree) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a tree is mutable

    def __reduce__(self) -> tuple[object, ...]:
        return GameTree.from_record, (self.record(),)


def _add_events(
    parent: GameNode, events: tuple[Event, ...], variations: tuple[Variation, ...], *, is_main_line: bool
) -> None:
    """Add a line of events with their variations after a node."""
    node, before = parent, list[str]()
    parents: dict[int, GameNode] = {}
    for index, event in enumerate(events):
        if not isinstance(event, Commented):
            parents[index] = node
            node = node.add_variation(event)
            node.starting_comments, before = before, []
        elif node is parent and not is_main_line:
            before.append(event.text)
        else:
            node.comments.append(event.text)
    for variation in variations:
        if variation.at not in parents or all(isinstance(event, Commented) for event in variation.events):
            raise ValueError(f"a variation replaces an event by another, not event {variation.at + 1}")
        _add_events(parents[variation.at], variation.events, variation.variations, is_main_line=False)


def _read_line(
    parent: GameNode, before: Iterable[str], *, with_variations: bool, depth: int
) -> tuple[tuple[Event, ...], tuple[Variation, ...]]:
    """The events that continue the line from a node, after comments, and their variations."""
    events: list[Event] = [Commented(text) for text in before]
    found: list[Variation] = []
    node = parent
    while node.variations:
        following, *others = node.variations
        others = others if with_variations else []
        at = len(events) + len(following.starting_comments)
        for other in others:
            found.append(_read_variation(other, at, depth + 1))
        _add_node(following, events)
        node = following
    return tuple(events), tuple(found)


def _read_variation(node: GameNode, at: int, depth: int) -> Variation:
    """The variation that starts with a node."""
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(f"variations nest at most {MAX_VARIATION_DEPTH} deep")
    events: list[Event] = []
    _add_node(node, events)
    first = len(events)
    following, variations = _read_line(node, (), with_variations=True, depth=depth)
    moved = tuple(Variation(each.at + first, each.events, each.variations) for each in variations)
    return Variation(at, (*events, *following), moved)


def _add_node(node: GameNode, events: list[Event]) -> None:
    assert node.event is not None, "only the root has no event"
    events += [Commented(text) for text in node.starting_comments]
    events.append(node.event)
    events += [Commented(text) for text in node.comments]
