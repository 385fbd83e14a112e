"""Declarations: everything in a file that has a name, with its place, for outlines and references.

They come from the tree alone, so a file with errors has them too. A declaration knows the one that contains
it: an attribute is in a state, a variable in an action.
"""

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from ludograph.lsp.names.nodes import Placed, children
from ludograph.text import Span
from ludograph.tgdl.syntax import tree


class DeclarationKind(Enum):
    """The kinds of declarations, with their names in messages."""

    CONSTANT = "constant"
    OPTION = "option"
    ENUM = "enum"
    MEMBER = "enum member"
    STATE = "state"
    TILE = "tile"
    INTERACTABLE = "interactable"
    STACK = "stack"
    BOARD = "board"
    GROUP = "group"
    NODE = "node"
    TURN = "turn"
    PHASE = "phase"
    ACTION = "action"
    GOAL = "goal"
    VERB = "verb"
    ATTRIBUTE = "attribute"
    PARAMETER = "parameter"
    INPUT = "input"
    VARIABLE = "variable"
    ELEMENT = "element"
    PART = "named part"
    FIELD = "field"
    IMPORT = "import"
    SETUP = "setup"
    APPEARANCE = "appearance"
    TEST = "test"


K = DeclarationKind
LOCAL_KINDS = frozenset({K.PARAMETER, K.INPUT, K.VARIABLE, K.ELEMENT, K.PART, K.FIELD})
"""Kinds that only one action, verb or other body can use."""


class DeclaredName(Struct, frozen=True, eq=False):
    """A declared name. `whole` is its full text in the source, `owner` the declaration around it."""

    kind: DeclarationKind
    name: str
    file: int
    span: Span
    whole: Span
    owner: "DeclaredName | None"
    node: Placed

    @property
    def key(self) -> tuple[int, int]:
        """The file and the offset of the name: no two declarations have the same."""
        return self.file, self.span.start

    @property
    def is_local(self) -> bool:
        return self.kind in LOCAL_KINDS


CONSTRUCTS: dict[type, DeclarationKind] = {
    tree.State: K.STATE,
    tree.Tile: K.TILE,
    tree.Interactable: K.INTERACTABLE,
    tree.Stack: K.STACK,
    tree.Group: K.GROUP,
}
OTHERS: dict[type, DeclarationKind] = {
    **CONSTRUCTS,
    tree.Constant: K.CONSTANT,
    tree.Option: K.OPTION,
    tree.Enumeration: K.ENUM,
    tree.Turn: K.TURN,
    tree.TurnPhase: K.PHASE,
    tree.Action: K.ACTION,
    tree.Goal: K.GOAL,
    tree.Verb: K.VERB,
    tree.Attribute: K.ATTRIBUTE,
    tree.Parameter: K.PARAMETER,
    tree.Input: K.INPUT,
    tree.Declare: K.VARIABLE,
    tree.ForEach: K.VARIABLE,
    tree.ForRange: K.VARIABLE,
}
PARTS = (tree.Require, tree.Trigger, tree.Effect, tree.ActionPhase)


def collect_declarations(file: int, root: tree.File) -> list[DeclaredName]:
    """All declarations of a file in the order of the source."""
    found: list[DeclaredName] = []
    waiting: list[tuple[Placed, DeclaredName | None]] = [(root, None)]
    while waiting:
        node, owner = waiting.pop()
        inner = owner
        for one in _declared(file, node, owner):
            found.append(one)
            if one.node is node:
                inner = one
        below = list(children(node))
        waiting.extend((child, inner) for child in reversed(below))
        if isinstance(node, tree.Group) and inner is not None:
            found += _nodes_of_chains(file, node, inner)
    found.sort(key=lambda one: (one.span.start, -one.whole.end))
    return _without_repeated_parts(found)


def _declared(file: int, node: Placed, owner: DeclaredName | None) -> Iterator[DeclaredName]:
    """The declarations of a node itself."""

    def make(kind: DeclarationKind, word: tree.Word, whole: Span, of: DeclaredName | None) -> DeclaredName:
        return DeclaredName(kind, word.text, file, word.span, whole, of, node)

    kind = OTHERS.get(type(node))
    match node:
        case tree.Word() | tree.Path() | tree.Name() | tree.Number() | tree.Member():
            return
        case tree.Enumeration(name, values):
            whole = make(K.ENUM, name, node.span, owner)
            yield whole
            for word in values:
                yield DeclaredName(K.MEMBER, word.text, file, word.span, word.span, whole, word)
        case tree.Board(word):
            name = word or tree.Word("board", Span(node.span.start, min(node.span.start + 5, node.span.end)))
            yield make(K.BOARD, name, node.span, owner)
        case tree.Nodes(_, names):
            for name in names:
                yield DeclaredName(K.NODE, name.text, file, name.span, name.span, owner, name)
        case tree.Import(_, word) if word is not None:
            yield make(K.IMPORT, word, node.span, owner)
        case tree.Filter(type_name, word) if type_name is not None and word is not None:
            yield make(K.ELEMENT, word, node.span, owner)
        case tree.Setup():
            name = tree.Word("setup", Span(node.span.start, min(node.span.start + 5, node.span.end)))
            yield make(K.SETUP, name, node.span, owner)
        case tree.AppearanceBlock():
            name = tree.Word("appearance", Span(node.span.start, min(node.span.start + 10, node.span.end)))
            yield make(K.APPEARANCE, name, node.span, owner)
        case tree.RuleTest(name):
            inner = Span(name.span.start + 1, max(name.span.start + 1, name.span.end - 1))
            yield make(K.TEST, tree.Word(name.value, inner), node.span, owner)
        case tree.Require() | tree.Trigger() | tree.Effect() | tree.ActionPhase() if node.name is not None:
            yield make(K.PART, node.name, node.span, owner)
        case _ if kind is not None:
            word = node.name  # type: ignore[attr-defined]  # every class of `OTHERS` has a name
            if isinstance(word, tree.Word) and word.text:
                yield make(kind, word, node.span, owner)
        case _:
            return


def _nodes_of_chains(file: int, node: tree.Group, owner: DeclaredName) -> Iterator[DeclaredName]:
    """The nodes of a graph that only its links name: the first mention declares them."""
    if not isinstance(node.shape, tree.GraphShape):
        return
    known = {word.text for part in node.parts if isinstance(part, tree.Nodes) for word in part.names}
    for part in node.parts:
        if isinstance(part, tree.Chain):
            for place in (part.first, *(step.place for step in part.steps)):
                if isinstance(place, tree.Name) and place.text not in known:
                    known.add(place.text)
                    yield DeclaredName(K.NODE, place.text, file, place.span, place.span, owner, place)


def _without_repeated_parts(found: list[DeclaredName]) -> list[DeclaredName]:
    """Parts with one name in one action are one declaration: the first of them."""
    seen: set[tuple[int, str]] = set()
    kept: list[DeclaredName] = []
    for one in found:
        if one.kind is K.PART:
            key = (id(one.owner), one.name)
            if key in seen:
                continue
            seen.add(key)
        kept.append(one)
    return kept
