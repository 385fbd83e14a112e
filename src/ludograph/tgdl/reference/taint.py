"""Veils: which secrets may be behind a value that is told, also where it came through variables and calls.

A message shows a value to whoever may see everything that it came from. Of what was read in the same frame
that can be asked when the message is written: whether the player sees this attribute of that thing. What came
from elsewhere, as an argument or by a thing that is not the same any more, nobody is shown.

Attributes are followed too: those that something secret is written to anywhere are *mixed*. Which of them
hold a secret since the transaction began, the run knows.
"""

from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.program.declarations import is_secret
from ludograph.tgdl.program.events import OFFERS
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.syntax.traversal import CHILDREN, walk
from ludograph.tgdl.world.analysis import passed_fields, versions

WHO_SAW: Final = -1
"""Stands for the slot where an answer is behind a value."""
UNTOLD: Final = object()
"""Stands for a mixed attribute of a thing that cannot be told any more: it may be any."""
Read = tuple[Any, int]
"""A thing, as the frame gives it, and a slot of it; or an answer that only some saw; or UNTOLD."""
PLACES: Final = -1
"""Stands for a cell: where things lie, and whose they are."""
Key = tuple[str, int]
"""An attribute: the name of a construct, and a slot; or where things lie."""
WHERE: Final[Key] = ("", PLACES)


# What the classes of nodes have to do with values that are told, so that most nodes are passed over at once.
STORING: Final = frozenset(
    {p.Declare, p.Assign, p.Mutate, p.ForEach, p.Query, p.ForRange, p.Input, p.Trigger}
)
WRITING: Final = frozenset({p.Assign, p.Mutate, p.New, p.Move, p.Apply})
CALLING: Final = frozenset({p.CallVerb, p.CallAction})
TESTING: Final = frozenset({p.If, p.While, p.ForEach, p.ForRange})
OPEN_TO_ALL: Final = frozenset(
    {p.Literal, p.Singleton, p.Setting, p.NamedTile, p.NamedPart, p.This, p.Ambient, NoneType, str}
)
"""Nothing secret is behind these."""


class _Body(Struct):
    """Where the values of the slots of one frame come from. Mutable while it is learnt."""

    sources: dict[int, list[Any]] = field(default_factory=dict)
    """Expressions of the same frame, or what was heard."""
    foreign: dict[int, list[tuple["_Body", Any]]] = field(default_factory=dict)
    """Expressions of the frames of callers."""
    tests: list[Any] = field(default_factory=list)
    """What decides whether it is carried out at all, where an event starts it."""
    above: list[tuple["_Body", tuple[Any, ...]]] = field(default_factory=list)
    """Its callers, each with the tests that lead to the call."""
    writes: dict[int, tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    """What writes to attributes, with the tests that lead there."""


class _Heard(Struct, frozen=True):
    """What a change of an attribute tells."""

    trigger: p.Trigger


class _First(Struct, frozen=True):
    """An attribute of a new thing, and its value."""

    key: Key
    value: p.Expression


class _Look(Struct, frozen=True):
    """A node to look at, and how it is reached."""

    body: _Body
    node: Any
    is_direct: bool = False
    """It is worked out when it is told."""
    this: p.Expression | None = None
    """What `this` is, told in the frame of the message; None: nothing that can be told there."""
    is_called: bool = False
    """Its arguments are looked at where the call is."""
    loops: tuple[p.Query, ...] = ()
    """The queries around it: their elements are not there any more when it is told."""


class TaintAnalysis:
    """What is behind the values of one program. Mutable: it learns the program at first."""

    def __init__(
        self,
        program: p.Program,
        is_secret: Callable[[p.AttributeOf], bool],
        constructs: Callable[[Type], list[p.Construct]],
    ) -> None:
        self.program = program
        self._is_secret = is_secret
        self._constructs_of = constructs
        self._known_keys: dict[tuple[Type, int], frozenset[Key]] = {}
        self._known_unseen: dict[tuple[Type, int], bool] = {}
        self.mixed: set[Key] = set()
        """The attributes that something secret is written to,"""
        self.born: set[Key] = set()
        """and those that have it from their beginning."""
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
        for action, body in zip(program.actions, self._actions, strict=True):
            body.tests += _starting(action)
        self._mix()

    def behind(self, root: object, node: p.Expression) -> tuple[Read, ...] | None:
        """The secrets that a value in an action, verb or the like comes from; None: nobody may be told."""
        here = p.This(node.type, node.span)
        return self._search([_Look(self._bodies[id(root)], node, is_direct=True, this=here)])

    def behind_write(self, root: object, node: Any) -> tuple[Read, ...] | None:
        """The same of what is written to an attribute or put somewhere, and of what decides whether it is."""
        body = self._bodies[id(root)]
        if not self._keys(node) <= self.mixed:
            return ()
        return self._search(_looks(body, *body.writes[id(node)]))

    def _search(self, waiting: list[_Look]) -> tuple[Read, ...] | None:
        found: list[Read] = []
        seen: set[tuple[int, int]] = set()
        while waiting:
            look = waiting.pop()
            match look.node:
                case p.Input():
                    if look.is_called or look.this is None:
                        return None
                    found.append((look.node, WHO_SAW))
                    continue
                case _Heard(trigger):
                    if self._tells(trigger, is_secret):
                        return None
                    if self._tells(trigger, self._is_mixed_one):
                        found.append((UNTOLD, WHO_SAW))
                    continue
                case p.AttributeOf():
                    is_unseen = self._is_unseen(look.node)
                    if is_unseen or self._is_mixed(look.node):
                        read = _read(look)
                        if read is None and is_unseen:
                            return None
                        found.append(read or (UNTOLD, WHO_SAW))
                case p.Apply(operation) if operation.facts.reads_whereabouts and WHERE in self.mixed:
                    found.append((PLACES, WHO_SAW))
                case _:
                    pass
            further = self._further(look, seen)
            if further is None:
                return None
            waiting += further
        return tuple(found)

    def _has_secrets(self, waiting: list[_Look], clean: set[tuple[int, int, bool]]) -> bool:
        """Whether a search finds anything. What it went through in vain is `clean` from then on."""
        seen: set[tuple[int, int]] = set()
        passed: set[tuple[int, int, bool]] = set()
        while waiting:
            look = waiting.pop()
            node = look.node
            key = id(look.body), id(node), look.is_called
            if key in clean or key in passed:
                continue
            passed.add(key)
            match node:
                case p.Input():
                    return True
                case _Heard(trigger):
                    if self._tells(trigger, is_secret) or self._tells(trigger, self._is_mixed_one):
                        return True
                    continue
                case p.AttributeOf():
                    if self._is_unseen(node) or self._is_mixed(node):
                        return True
                case p.Apply(operation) if operation.facts.reads_whereabouts and WHERE in self.mixed:
                    return True
                case _:
                    pass
            further = self._further(look, seen)
            if further is None:
                return True
            waiting += further
        clean |= passed
        return False

    def _further(self, look: _Look, seen: set[tuple[int, int]]) -> list[_Look] | None:
        """What is to be looked at behind a node; None: a secret that nobody may be told."""
        node, body = look.node, look.body

        def inside(*nodes: Any) -> list[_Look]:
            return [
                _Look(body, each, look.is_direct, look.this, look.is_called, look.loops)
                for each in nodes
                if type(each) not in OPEN_TO_ALL
            ]

        match node:
            case p.Apply(operation, (p.AttributeOf(target), *_)) if operation.facts.is_public:
                return inside(target)
            case p.Random(visible=visible) if visible is not None:
                return None
            case p.Variable(slot):
                return self._behind_variable(look, slot, seen)
            case p.Query(_, source):
                loops = (*look.loops, node)
                return [*inside(source), replace(look, node=node.body, loops=loops)]
            case p.New(_, count):
                return [] if count is None else inside(count)  # what it holds is asked of the thing itself
            case p.CallVerb(index, receiver):
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

    def _behind_variable(self, look: _Look, slot: int, seen: set[tuple[int, int]]) -> list[_Look]:
        body = look.body
        # What a called verb keeps in variables is in its block, and what it is given at the call.
        if look.is_called or not _is_new(seen, body, slot):
            return []
        found = [_Look(body, each, this=look.this) for each in body.sources.get(slot, ())]
        return found + [_Look(caller, each) for caller, each in body.foreign.get(slot, ())]

    # Attributes

    def _mix(self) -> None:
        """Learn which attributes are mixed, until no more are because of others."""
        beginnings = [
            ((one.name, attribute.slot), [_Look(_Body(), attribute.initial)])
            for one in self.program.constructs
            for attribute in one.attributes
        ]
        writes = [(body, *write) for body in self._bodies.values() for write in body.writes.values()]
        clean: set[tuple[int, int, bool]] = set()
        count = -1
        while count != len(self.mixed):
            count = len(self.mixed)
            for body, node, tests in writes:
                keys = self._keys(node)
                known = self.born if isinstance(node, _First) else self.mixed
                if not keys <= known and self._has_secrets(_looks(body, node, tests), clean):
                    self._add_mixed(keys, clean)
                    known |= keys
            for key, looks in beginnings:
                if key not in self.born and self._has_secrets(list(looks), clean):
                    self._add_mixed(frozenset((key,)), clean)
                    self.born.add(key)

    def _add_mixed(self, keys: frozenset[Key], clean: set[tuple[int, int, bool]]) -> None:
        if not keys <= self.mixed:
            self.mixed |= keys
            clean.clear()  # what was searched in vain so far may read these

    def _keys(self, node: Any) -> frozenset[Key]:
        """The attributes that a node writes to."""
        match node:
            case _First(key):
                return frozenset((key,))
            case p.Move() | p.Apply():
                return frozenset((WHERE,))
            case _:
                return self._keys_of(node.place.root)

    def _keys_of(self, root: p.AttributeOf) -> frozenset[Key]:
        known = self._known_keys.get((root.target.type, root.slot))
        if known is None:
            found = self._constructs_of(root.target.type)
            known = frozenset((one.name, root.slot) for one in found)
            self._known_keys[root.target.type, root.slot] = known
        return known

    def _is_mixed(self, root: p.AttributeOf) -> bool:
        return not self._keys_of(root).isdisjoint(self.mixed)

    def _is_unseen(self, root: p.AttributeOf) -> bool:
        key = root.target.type, root.slot
        if key not in self._known_unseen:
            self._known_unseen[key] = self._is_secret(root)
        return self._known_unseen[key]

    def _is_mixed_one(self, construct: p.Construct, attribute: p.Attribute) -> bool:
        return (construct.name, attribute.slot) in self.mixed

    # Learning

    def _learn(self, root: Any, body: _Body) -> None:
        waiting: list[tuple[Any, tuple[Any, ...]]] = [(root, ())]
        while waiting:
            node, tests = waiting.pop()
            kind = type(node)
            if kind is tuple:
                deeper = tests
                for each in node:
                    waiting.append((each, deeper))
                    if type(each) in TESTING or type(each) is tuple:
                        deeper = (*deeper, *_leaving(each))
                continue
            if kind in STORING:
                for slot, value in self._stores(node):
                    body.sources.setdefault(slot, []).extend((value, *tests))
            if kind in WRITING:
                for write in _writes(node):
                    body.writes[id(node if write is node else write.value)] = (write, tests)
            if kind in CALLING:
                for callee in self._callees(node):
                    callee.above.append((body, tests))
                for callee, slot, value in self._hands(node):
                    callee.foreign.setdefault(slot, []).extend((body, each) for each in (value, *tests))
            deeper = tests
            if kind in TESTING:
                deeper = (*tests, *_tests_of(node))
                if kind is not p.If:
                    deeper = (*deeper, *_leaving(node.body))
            waiting.extend((each, deeper) for each in _parts(node))

    def _stores(self, node: Any) -> Iterator[tuple[int, Any]]:
        """The slots of its frame that a node writes to, and what."""
        match node:
            case p.Declare(slot, _, value):
                yield slot, value
            case p.Assign(place, value) if isinstance(place.root, p.Variable):
                yield place.root.slot, value
            case p.Mutate(place, _, operands) if isinstance(place.root, p.Variable):
                for each in operands:
                    yield place.root.slot, each
            case p.ForEach(slot, source) | p.Query(_, source, slot):
                yield slot, source
            case p.ForRange(slot, low, high):
                yield slot, low
                yield slot, high
            case p.Input(mode=p.InputMode.ASKED):
                if node.visible is not None:
                    yield node.slot, node
            case p.Input():
                for part in (node.source, node.low, node.high, *node.filters, *node.list_filters):
                    if part is not None:
                        yield node.slot, part
            case p.Trigger():
                if node.event == "change":
                    for name, slot in node.fields:
                        if name in ("old", "new"):
                            yield slot, _Heard(node)
            case _:
                pass

    def _tells(self, trigger: p.Trigger, is_meant: Callable[[p.Construct, p.Attribute], bool]) -> bool:
        """Whether an attribute whose changes are heard may be such a one."""
        constructs = self._constructs
        return any(
            trigger.attribute in (None, attribute.slot) and is_meant(constructs[name], attribute)
            for name in trigger.listens
            if name in constructs
            for attribute in constructs[name].attributes
        )

    def _hands(self, node: Any) -> Iterator[tuple[_Body, int, Any]]:
        """What a call hands over: to whom, for which slot, and what."""
        match node:
            case p.CallVerb():
                bodies, callees = self._verbs, versions(self.program, node)
            case p.CallAction(index):
                bodies, callees = self._actions, self._action_versions(node)
                for slot, _, variable in passed_fields(self.program, node):
                    yield self._actions[index], slot, variable
            case _:
                return
        for place, argument in enumerate(node.arguments):
            if argument is not None:
                for callee in callees:
                    yield bodies[callee], self._slot(bodies, callee, place), argument

    def _callees(self, node: Any) -> list[_Body]:
        """The bodies that a node may call."""
        match node:
            case p.CallVerb():
                return [self._verbs[verb] for verb in versions(self.program, node)]
            case p.CallAction():
                return [self._actions[action] for action in self._action_versions(node)]
            case _:
                return []

    def _action_versions(self, node: p.CallAction) -> list[int]:
        return [node.action, *(() if node.exact else self._overriding(node.action))]

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


def _starting(action: p.Action) -> Iterator[Any]:
    """What decides whether an event starts an action."""
    triggers = [*action.triggers, *(each for phase in action.phases for each in phase.triggers)]
    heard = [each for each in triggers if each.event and each.event not in OFFERS]
    for trigger in heard:
        if trigger.block is not None:
            yield trigger.block
        if trigger.event == "change":
            yield _Heard(trigger)
    if heard:
        yield from (require.block for require in action.requires)


def _tests_of(node: Any) -> tuple[Any, ...]:
    """What decides whether that which is inside a node is carried out, and how often."""
    match node:
        case p.If(condition) | p.While(condition):
            return (condition,)
        case p.ForEach(_, source):
            return (source,)
        case p.ForRange(_, low, high):
            return (low, high)
        case _:
            return ()


def _leaving(node: Any) -> Iterator[Any]:
    """The tests inside statements that decide whether what follows them is carried out."""
    waiting: list[tuple[Any, tuple[Any, ...], bool]] = [(node, (), False)]
    while waiting:
        one, tests, in_loop = waiting.pop()
        deeper = (*tests, *_tests_of(one))
        match one:
            case tuple():
                waiting.extend((each, tests, in_loop) for each in one)
            case p.If(_, then, otherwise):
                waiting += [(then, deeper, in_loop), (otherwise, deeper, in_loop)]
            case p.While() | p.ForEach() | p.ForRange():
                waiting.append((one.body, deeper, True))
            case p.Return():
                yield from tests
            case p.Break() | p.Continue() if not in_loop:
                yield from tests
            case _:
                pass


def _writes(node: Any) -> Iterator[Any]:
    """What a node writes to attributes."""
    match node:
        case p.Assign(place) | p.Mutate(place) if isinstance(place.root, p.AttributeOf):
            yield node
        case p.New(construct, _, values):
            yield from (_First((construct, slot), value) for slot, value in values)
        case _ if shifts(node):
            yield node
        case _:
            pass


def shifts(node: Any) -> bool:
    """Whether a node puts something elsewhere, or gives it to another player."""
    return isinstance(node, p.Move) or (isinstance(node, p.Apply) and node.operation.facts.moves_things)


def _looks(body: _Body, node: Any, tests: tuple[Any, ...]) -> list[_Look]:
    """All that is behind what a node writes: values, where they go, and what decides whether they do."""
    here = p.This(Basic.OBJECT, Span(0, 0))
    match node:
        case p.Assign(place, value):
            direct: tuple[Any, ...] = (value, place.root.target, *place.indexes)  # type: ignore[union-attr]
        case p.Mutate(place, _, operands):
            direct = (*operands, place.root.target, *place.indexes)  # type: ignore[union-attr]
        case _First(_, value):
            direct = (value,)
        case p.Move(_, to):
            # That a card is put on a secret stack, everybody sees.
            direct = (to.target if isinstance(to, p.AttributeOf) else to,)
        case _:
            direct = node.operands[1:] if node.operation.facts.changes_owner else ()
    found = [_Look(body, each, is_direct=True, this=here) for each in direct]
    found += [_Look(body, each, this=here) for each in (*tests, *body.tests)]
    waiting, seen = [body], {id(body)}
    while waiting:
        for caller, leading in waiting.pop().above:
            found += [_Look(caller, each) for each in leading]
            if id(caller) not in seen:
                seen.add(id(caller))
                found += [_Look(caller, each) for each in caller.tests]
                waiting.append(caller)
    return found


def _parts(node: Any) -> tuple[Any, ...]:
    """What a node consists of."""
    if isinstance(node, tuple):
        return node
    below = CHILDREN[type(node)]
    return () if below is None else below(node)


def _is_new(seen: set[tuple[int, int]], body: _Body, key: int) -> bool:
    if (id(body), key) in seen:
        return False
    seen.add((id(body), key))
    return True


def _is_steady(target: p.Expression) -> bool:
    """Whether it gives the same thing later in the same effect."""
    match target:
        case p.This() | p.Singleton() | p.Apply(Operation.STATE_OF, (p.Ambient("player"),)):
            return True
        case _:
            return False


def _read(look: _Look) -> Read | None:
    """A secret as it can be asked for in the frame of the message."""
    target, slot = look.node.target, look.node.slot
    if look.this is None:
        return None
    if look.is_called:
        return (look.this, slot) if isinstance(target, p.This) else None
    if _is_steady(target):
        return target, slot
    return (target, slot) if look.is_direct and not look.loops else _read_of_each(look)


def _read_of_each(look: _Look) -> Read | None:
    """A secret of the elements of a query: of all that it goes through."""
    target, slot = look.node.target, look.node.slot
    if not look.is_direct:
        return None
    if not _of_elements(look, target):
        return target, slot
    for loop in look.loops:
        if (
            isinstance(target, p.Variable)
            and loop.slot == target.slot
            and loop.operation is not Operation.REGION
        ):
            return None if _of_elements(look, loop.source) else (loop.source, slot)
    return None


def _of_elements(look: _Look, node: p.Expression) -> bool:
    """Whether an expression reads the elements of the queries that it stands in."""
    bound = {loop.slot for loop in look.loops}
    return any(isinstance(one, p.Variable) and one.slot in bound for one in walk(node))


def _receiver(look: _Look, receiver: p.Expression | None) -> p.Expression | None:
    """The thing whose verb is called, in the words of the frame of the message."""
    if receiver is None or isinstance(receiver, p.This):
        return look.this
    if look.is_called or look.this is None:
        return None
    if _is_steady(receiver):
        return receiver
    return receiver if look.is_direct and not _of_elements(look, receiver) else None
