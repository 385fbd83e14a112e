"""Veils: which secrets may be behind a value that is told, also where it came through variables and calls.

A message shows a value to whoever may see everything that it came from. Of what was read in the same frame
that can be asked when the message is written: whether the player sees this attribute of that thing. What came
from elsewhere, as an argument or by a thing that is not the same any more, nobody is shown.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ludograph.tgdl.interpreter.analysis import passed_fields, versions
from ludograph.tgdl.library import PUBLIC_LOOKS, Operation
from ludograph.tgdl.nodes import BELOW
from ludograph.tgdl.program import (
    Ambient,
    Apply,
    Assign,
    Attribute,
    AttributeOf,
    CallAction,
    CallVerb,
    Construct,
    Declare,
    Expression,
    ForEach,
    ForRange,
    If,
    Input,
    InputMode,
    Mutate,
    Program,
    Query,
    Random,
    Secrecy,
    Singleton,
    This,
    Trigger,
    Variable,
    While,
)

WHO_SAW: Final = -1
"""Stands for the slot where an answer is behind a value."""
SECRET: Final = object()
"""A source that nobody may be told of."""
Read = tuple[Expression | Input, int]
"""A thing, as the frame gives it, and the slot of an attribute of it; or an answer that only some saw."""


@dataclass(slots=True)
class _Body:
    """Where the values of the slots of one frame come from. Mutable while it is learnt."""

    sources: dict[int, list[Any]] = field(default_factory=dict)
    """Expressions of the same frame, or SECRET."""
    foreign: dict[int, list[tuple["_Body", Any]]] = field(default_factory=dict)
    """Expressions of the frames of callers."""


@dataclass(frozen=True, slots=True)
class _Look:
    """A node to look at, and how it is reached."""

    body: _Body
    node: Any
    is_direct: bool = False
    """It is worked out when it is told."""
    this: Expression | None = None
    """What `this` is, told in the frame of the message; None: nothing that can be told there."""
    is_called: bool = False
    """Its arguments are looked at where the call is."""


def is_secret(construct: Construct, attribute: Attribute) -> bool:
    """Whether there may be players who do not see an attribute."""
    secrecies = (construct.secrecy, attribute.secrecy)
    return attribute.visible is not None or any(one is not Secrecy.PUBLIC for one in secrecies)


class Veils:
    """What is behind the values of one program. Mutable: it learns the program at first."""

    def __init__(self, program: Program, is_secret: Callable[[AttributeOf], bool]) -> None:
        self.program = program
        self._is_secret = is_secret
        self._constructs = {construct.name: construct for construct in program.constructs}
        self._verbs = [_Body() for _ in program.verbs]
        self._actions = [_Body() for _ in program.actions]
        self._bodies: dict[int, _Body] = {}
        roots: list[tuple[Any, _Body]] = [
            *zip(program.verbs, self._verbs, strict=True),
            *zip(program.actions, self._actions, strict=True),
            *((one, _Body()) for one in (*program.setups, *program.turns)),
        ]
        for root, body in roots:
            self._bodies[id(root)] = body
            self._learn(root, body)

    def behind(self, root: object, node: Expression) -> tuple[Read, ...] | None:
        """The secrets that a value in an action, verb or the like comes from; None: nobody may be told."""
        body = self._bodies[id(root)]
        here = This(node.type, node.span)
        found: list[Read] = []
        seen: set[tuple[int, int]] = set()
        waiting = [_Look(body, node, is_direct=True, this=here)]
        while waiting:
            look = waiting.pop()
            if isinstance(look.node, Input):
                if look.is_called or look.this is None:
                    return None
                found.append((look.node, WHO_SAW))
                continue
            if isinstance(look.node, AttributeOf) and self._is_secret(look.node):
                read = _read(look)
                if read is None:
                    return None
                found.append(read)
            further = self._further(look, seen)
            if further is None:
                return None
            waiting += further
        return tuple(found)

    def _further(self, look: _Look, seen: set[tuple[int, int]]) -> list[_Look] | None:
        """What is to be looked at behind a node; None: a secret that nobody may be told."""
        node, body = look.node, look.body

        def inside(*nodes: Any) -> list[_Look]:
            return [_Look(body, each, look.is_direct, look.this, look.is_called) for each in nodes]

        match node:
            case Apply(operation, (AttributeOf(target), *_)) if operation in PUBLIC_LOOKS:
                return inside(target)
            case Random(visible=visible) if visible is not None:
                return None
            case Variable(slot):
                return self._behind_variable(look, slot, seen)
            case CallVerb(index, receiver):
                if self.program.verbs[index].is_public:
                    return inside(*node.arguments)
                this = _receiver(look, receiver)
                called = [
                    _Look(self._verbs[verb], self.program.verbs[verb].block, this=this, is_called=True)
                    for verb in versions(self.program, node)
                    if _is_new(seen, self._verbs[verb], -1 if this is None else id(this))
                ]
                return [*called, *inside(*node.arguments), *([] if receiver is None else inside(receiver))]
            case _:
                return inside(*_parts(node))

    def _behind_variable(self, look: _Look, slot: int, seen: set[tuple[int, int]]) -> list[_Look] | None:
        body = look.body
        # What a called verb keeps in variables is in its block, and what it is given at the call.
        if look.is_called or not _is_new(seen, body, slot):
            return []
        sources = body.sources.get(slot, [])
        if SECRET in sources:
            return None
        found = [_Look(body, each, this=look.this) for each in sources]
        return found + [_Look(caller, each) for caller, each in body.foreign.get(slot, ())]

    # Learning

    def _learn(self, root: Any, body: _Body) -> None:
        waiting: list[tuple[Any, tuple[Any, ...]]] = [(root, ())]
        while waiting:
            node, tests = waiting.pop()
            for slot, value in self._stores(node):
                body.sources.setdefault(slot, []).extend((value, *tests))
            for callee, slot, value in self._hands(node):
                callee.foreign.setdefault(slot, []).extend((body, each) for each in (value, *tests))
            deeper = tests
            match node:
                case If(condition) | While(condition):
                    deeper = (*tests, condition)
                case ForEach(_, source):
                    deeper = (*tests, source)
                case ForRange(_, low, high):
                    deeper = (*tests, low, high)
                case _:
                    pass
            waiting.extend((each, deeper) for each in _parts(node))

    def _stores(self, node: Any) -> Iterator[tuple[int, Any]]:
        """The slots of its frame that a node writes to, and what."""
        match node:
            case Declare(slot, _, value):
                yield slot, value
            case Assign(place, value) if isinstance(place.root, Variable):
                yield place.root.slot, value
            case Mutate(place, _, operands) if isinstance(place.root, Variable):
                for each in operands:
                    yield place.root.slot, each
            case ForEach(slot, source) | Query(_, source, slot):
                yield slot, source
            case ForRange(slot, low, high):
                yield slot, low
                yield slot, high
            case Input(mode=InputMode.ASKED):
                if node.visible is not None:
                    yield node.slot, node
            case Input():
                for part in (node.source, node.low, node.high, *node.filters, *node.list_filters):
                    if part is not None:
                        yield node.slot, part
            case Trigger():
                if node.event == "change" and self._tells_secret(node):
                    for name, slot in node.fields:
                        if name in ("old", "new"):
                            yield slot, SECRET
            case _:
                pass

    def _tells_secret(self, trigger: Trigger) -> bool:
        """Whether an attribute whose changes are heard may be a secret."""
        constructs = self._constructs
        return any(
            trigger.attribute in (None, attribute.slot) and is_secret(constructs[name], attribute)
            for name in trigger.listens
            if name in constructs
            for attribute in constructs[name].attributes
        )

    def _hands(self, node: Any) -> Iterator[tuple[_Body, int, Any]]:
        """What a call hands over: to whom, for which slot, and what."""
        match node:
            case CallVerb():
                bodies, callees = self._verbs, versions(self.program, node)
            case CallAction(index):
                bodies = self._actions
                callees = [index, *(() if node.exact else self._overriding(index))]
                for slot, _, variable in passed_fields(self.program, node):
                    yield self._actions[index], slot, variable
            case _:
                return
        for place, argument in enumerate(node.arguments):
            if argument is not None:
                for callee in callees:
                    yield bodies[callee], self._slot(bodies, callee, place), argument

    def _slot(self, bodies: list[_Body], callee: int, place: int) -> int:
        inputs = (
            self.program.verbs[callee].parameters
            if bodies is self._verbs
            else self.program.actions[callee].inputs
        )
        return inputs[place].slot if place < len(inputs) else -1

    def _overriding(self, index: int) -> Iterator[int]:
        """The actions that stand for another one in derived things."""
        found = {index}
        for action in self.program.actions:
            if action.overrides in found:
                found.add(action.index)
                yield action.index


def _parts(node: Any) -> tuple[Any, ...]:
    """What a node consists of."""
    if isinstance(node, tuple):
        return node
    below = BELOW[type(node)]
    return () if below is None else below(node)


def _is_new(seen: set[tuple[int, int]], body: _Body, key: int) -> bool:
    if (id(body), key) in seen:
        return False
    seen.add((id(body), key))
    return True


def _is_steady(target: Expression) -> bool:
    """Whether it gives the same thing later in the same effect."""
    match target:
        case This() | Singleton() | Apply(Operation.STATE_OF, (Ambient("player"),)):
            return True
        case _:
            return False


def _read(look: _Look) -> Read | None:
    """A secret as it can be asked for in the frame of the message."""
    target, slot = look.node.target, look.node.slot
    if look.this is None:
        return None
    if look.is_called:
        return (look.this, slot) if isinstance(target, This) else None
    return (target, slot) if look.is_direct or _is_steady(target) else None


def _receiver(look: _Look, receiver: Expression | None) -> Expression | None:
    """The thing whose verb is called, in the words of the frame of the message."""
    if receiver is None or isinstance(receiver, This):
        return look.this
    if look.is_called or look.this is None:
        return None
    return receiver if look.is_direct or _is_steady(receiver) else None
