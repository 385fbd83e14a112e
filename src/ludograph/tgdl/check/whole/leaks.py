"""Leaks: where a body reads what a player may not see, also through the verbs that it calls.

A reader may look into what is its own: the private parts of `this` in an action that is offered to its owner,
and of its own state. A public verb and the length of a stack are known to all, whatever they look at.
"""

from collections.abc import Mapping

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.graphs import components
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import walk

NOTHING_KNOWN: Mapping[int, "Leak"] = {}


class Leak(Struct, frozen=True):
    """A secret that a body reads: its words, and where."""

    words: str
    span: Span


class Finder:
    """Finds secrets in bodies, through the verbs that they call. Mutable: it remembers verbs."""

    def __init__(self, world: SymbolTable, program: p.Program) -> None:
        self.world = world
        self.program = program
        self._known: dict[tuple[int, bool], Leak | None] = {}
        self._learn()

    def _learn(self) -> None:
        """What every verb looks at, callees first; verbs that call each other are looked at twice."""
        graph = {
            verb.index: [node.verb for node in walk(verb.block) if isinstance(node, p.CallVerb)]
            for verb in self.program.verbs
        }
        for group in components(graph):
            for index in group * (2 if len(group) > 1 else 1):
                for own in (False, True):
                    self._known[index, own] = self.find(self.program.verbs[index].block, own=own)

    def find(self, body: object, *, own: bool, holding: Mapping[int, Leak] = NOTHING_KNOWN) -> Leak | None:
        """The first secret that a body reads; `own`: `this` is the reader's; variables may hold some."""
        waiting: list[object] = [body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, p.Apply) and node.operation.facts.is_public:
                first = node.operands[0]
                if isinstance(first, p.AttributeOf):
                    waiting.append(first.target)
                    continue
            leak = self._of_node(node, own=own, holding=holding)
            if leak is not None:
                return leak
            waiting.extend(reversed(_children(node)))
        return None

    def is_own(self, target: p.Expression | None, *, own: bool) -> bool:
        """Whether the receiver of a call, or the target of a look, belongs to the reader; none is `this`."""
        match target:
            case None | p.This():
                return own
            case p.Apply(Operation.STATE_OF, (p.Ambient("player"),)):
                return True
            case _:
                return False

    def _of_node(self, node: object, *, own: bool, holding: Mapping[int, Leak]) -> Leak | None:
        match node:
            case p.AttributeOf(target, name):
                return self._of_attribute(node, target, name, own=own)
            case p.Apply(operation, (p.Singleton() as stack, *_)) if operation.facts.shows_cards:
                facts = self.world.construct_of(stack.type)
                if facts is not None and facts.secrecy is not p.Secrecy.PUBLIC:
                    return Leak(f"the {facts.secrecy.value} stack '{facts.name}'", node.span)
                return None
            case p.CallVerb(index, receiver):
                inner = self._of_verb(index, own=self.is_own(receiver, own=own))
                return Leak(inner.words, node.span) if inner is not None else None
            case p.Variable(slot) if slot in holding:
                return Leak(holding[slot].words, node.span)
            case _:
                return None

    def _of_attribute(
        self, node: p.AttributeOf, target: p.Expression, name: str, *, own: bool
    ) -> Leak | None:
        if not isinstance(target.type, ConstructType):
            return None
        facts = self.world.constructs.get(target.type.name)
        attribute = facts.attributes.get(name) if facts is not None else None
        if facts is None or attribute is None:
            return None
        is_open = attribute.secrecy is p.Secrecy.PUBLIC
        if is_open and attribute.visible is None:
            return None
        if (is_open or attribute.secrecy is p.Secrecy.PRIVATE) and self.is_own(target, own=own):
            return None
        what = f"'{name}' of {facts.name}, which only some see," if is_open else ""
        secret = f"the {attribute.secrecy.value} '{name}' of {facts.name}"
        return Leak(what or secret, node.span)

    def _of_verb(self, index: int, *, own: bool) -> Leak | None:
        verb = self.program.verbs[index]
        if verb.is_public:
            return None
        return self._known.get((index, own))


def _children(node: object) -> list[object]:
    if isinstance(node, tuple):
        return list(node)
    names = getattr(type(node), "__struct_fields__", None)
    if names is None:
        return []
    return [getattr(node, name) for name in names if name not in ("span", "type")]
