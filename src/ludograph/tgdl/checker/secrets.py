"""Secrets: what a player is shown as a choice must not depend on what the player may not see.

Filters, requires and lists of candidates decide what is offered, so whoever is asked learns from them. A test
in an effect does so too, if a question or a failure depends on it and nothing was decided before by chance or
another player. A reader may look into what is its own: the private parts of `this` in a state's action, and
of its own state. A public verb and the length of a stack are known to all, whatever they look at.
"""

from dataclasses import dataclass

from ludograph.text import Span
from ludograph.tgdl.checker.graphs import components
from ludograph.tgdl.checker.world import World
from ludograph.tgdl.events import OFFERS
from ludograph.tgdl.library import Operation
from ludograph.tgdl.nodes import walk
from ludograph.tgdl.program import (
    Action,
    Ambient,
    Apply,
    Ask,
    AttributeOf,
    CallVerb,
    ConstructKind,
    Expression,
    Fail,
    If,
    Input,
    InputMode,
    Mutate,
    Program,
    Random,
    Secrecy,
    Singleton,
    Statement,
    This,
)
from ludograph.tgdl.types import ConstructType

# What belongs to a player offers its actions to that player only, so `this` is the reader's own.
OWNED = (ConstructKind.LOCAL, ConstructKind.TILE, ConstructKind.INTERACTABLE)
PUBLIC_LOOKS = frozenset({Operation.STACK_LENGTH, Operation.OWNER})
STACK_LOOKS = frozenset({Operation.TOP, Operation.CARDS})


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that a body reads: its words, and whether it is only secret from others than the owner."""

    words: str
    span: Span
    file: int


def check_secrets(world: World, program: Program) -> None:
    if not _has_secrets(world):
        return
    finder = _Finder(world, program)
    for action in program.actions:
        _check_action(world, finder, action)
    for verb in program.verbs:
        for node in walk(verb.block):
            if isinstance(node, Ask):
                _check_input(world, finder, node.input, verb.file, own=False)


def _has_secrets(world: World) -> bool:
    return any(
        facts.secrecy is not Secrecy.PUBLIC
        or any(
            one.secrecy is not Secrecy.PUBLIC or one.visible is not None for one in facts.attributes.values()
        )
        for facts in world.constructs.values()
    )


def _check_action(world: World, finder: "_Finder", action: Action) -> None:
    if not any(trigger.event in OFFERS for trigger in action.triggers):
        return
    owner = world.constructs.get(action.owner or "")
    own = owner is not None and owner.kind in OWNED
    for require in action.requires:
        finder.report(require.block, action.file, own=own, where="this require")
    for one in action.inputs:
        _check_input(world, finder, one, action.file, own=own)
    decided = any(_is_asked_of_another(one) for one in action.inputs)
    for effect in (*action.effects, *(one for phase in action.phases for one in phase.effects)):
        for node in walk(effect):
            if isinstance(node, Ask):
                _check_input(world, finder, node.input, action.file, own=own)
            elif isinstance(node, Fail):
                finder.report(node.message, action.file, own=own, where="this message")
        if not decided:
            _check_ways(finder, effect.block.statements, action.file, own=own)


def _check_ways(finder: "_Finder", statements: tuple[Statement, ...], file: int, *, own: bool) -> bool:
    """What is asked or fails before anything is decided is known from the list of moves already.

    Says whether the statements may decide something: chance, or the choice of another player.
    """
    for statement in statements:
        match statement:
            case If(condition, then, otherwise):
                if any(finder.shows(one) for one in (*then, *otherwise)):
                    finder.report(condition, file, own=own, where="what is asked or fails here")
                inner = [_check_ways(finder, part, file, own=own) for part in (then, otherwise)]
                if any(inner) or finder.decides(condition):
                    return True
            case _ if finder.decides(statement):
                return True
            case _:
                pass
    return False


def _is_asked_of_another(asked: Input) -> bool:
    return asked.mode is InputMode.ASKED and not isinstance(asked.chooser, Ambient | None)


def _check_input(world: World, finder: "_Finder", asked: Input, file: int, *, own: bool) -> None:
    if asked.mode is not InputMode.ASKED:
        return
    match asked.chooser:
        case None | Ambient():
            pass
        case Apply(Operation.OWNER, (This(),)) | AttributeOf(This(), "player"):
            own = True  # whoever is asked, it is the owner
        case _:
            own = False
    for part in (asked.source, asked.low, asked.high, asked.least, asked.most):
        if part is not None:
            finder.report(part, file, own=own, where="what is offered")
    for filter in (*asked.filters, *asked.list_filters):
        finder.report(filter, file, own=own, where="this filter")


class _Finder:
    """Finds secrets in bodies, through the verbs that they call. Mutable: it remembers verbs."""

    def __init__(self, world: World, program: Program) -> None:
        self.world = world
        self.program = program
        self._known: dict[tuple[int, bool], Leak | None] = {}
        self._showing: set[int] = set()
        self._deciding: set[int] = set()
        self._learn()

    def _learn(self) -> None:
        """What every verb shows, callees first; verbs that call each other are looked at twice."""
        graph = {
            verb.index: [node.verb for node in walk(verb.block) if isinstance(node, CallVerb)]
            for verb in self.program.verbs
        }
        for group in components(graph):
            for index in group * (2 if len(group) > 1 else 1):
                verb = self.program.verbs[index]
                for own in (False, True):
                    self._known[index, own] = self.find(verb.block, verb.file, own=own)
                if self.shows(verb.block):
                    self._showing.add(index)
                if self.decides(verb.block):
                    self._deciding.add(index)

    def shows(self, body: object) -> bool:
        """Whether a body asks the acting player or fails: that decides which moves are listed."""
        for node in walk(body):
            match node:
                case Fail():
                    return True
                case Ask(asked) if asked.mode is InputMode.ASKED and not _is_asked_of_another(asked):
                    return True
                case CallVerb(index) if index in self._showing:
                    return True
                case _:
                    pass
        return False

    def decides(self, body: object) -> bool:
        """Whether chance or another player may decide something: no list of moves looks behind that."""
        for node in walk(body):
            match node:
                case Random():
                    return True
                case Ask(asked) if _is_asked_of_another(asked):
                    return True
                case Mutate(_, Operation.SHUFFLE):
                    return True
                case CallVerb(index) if index in self._deciding:
                    return True
                case _:
                    pass
        return False

    def report(self, body: object, file: int, *, own: bool, where: str) -> None:
        leak = self.find(body, file, own=own)
        if leak is None:
            return
        self.world.warn(
            "TG0407",
            f"{where} shows {leak.words} to a player who may not see it",
            leak.span,
            file,
            "a `public verb` says that everybody may know what it tells",
        )

    def find(self, body: object, file: int, *, own: bool) -> Leak | None:
        """The first secret that a body reads; `own`: `this` belongs to the reader."""
        waiting: list[object] = [body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Apply) and node.operation in PUBLIC_LOOKS:
                first = node.operands[0]
                if isinstance(first, AttributeOf):
                    waiting.append(first.target)
                    continue
            leak = self._of_node(node, file, own=own)
            if leak is not None:
                return leak
            waiting.extend(reversed(_children(node)))
        return None

    def _of_node(self, node: object, file: int, *, own: bool) -> Leak | None:
        match node:
            case AttributeOf(target, name):
                return self._of_attribute(node, target, name, file, own=own)
            case Apply(operation, (Singleton() as stack, *_)) if operation in STACK_LOOKS:
                facts = self.world.construct_of(stack.type)
                if facts is not None and facts.secrecy is not Secrecy.PUBLIC:
                    return Leak(f"the {facts.secrecy.value} stack '{facts.name}'", node.span, file)
                return None
            case CallVerb(index, receiver):
                is_own = receiver is not None and self._is_own(receiver, own=own)
                inner = self._of_verb(index, own=is_own if receiver is not None else own)
                return Leak(inner.words, node.span, file) if inner is not None else None
            case _:
                return None

    def _of_attribute(
        self, node: AttributeOf, target: Expression, name: str, file: int, *, own: bool
    ) -> Leak | None:
        if not isinstance(target.type, ConstructType):
            return None
        facts = self.world.constructs.get(target.type.name)
        attribute = facts.attributes.get(name) if facts is not None else None
        if facts is None or attribute is None:
            return None
        is_open = attribute.secrecy is Secrecy.PUBLIC
        if is_open and attribute.visible is None:
            return None
        if (is_open or attribute.secrecy is Secrecy.PRIVATE) and self._is_own(target, own=own):
            return None
        what = f"'{name}' of {facts.name}, which only some see," if is_open else ""
        secret = f"the {attribute.secrecy.value} '{name}' of {facts.name}"
        return Leak(what or secret, node.span, file)

    def _is_own(self, target: Expression, *, own: bool) -> bool:
        match target:
            case This():
                return own
            case Apply(Operation.STATE_OF, (Ambient("player"),)):
                return True
            case _:
                return False

    def _of_verb(self, index: int, *, own: bool) -> Leak | None:
        verb = self.program.verbs[index]
        if verb.is_public:
            return None
        return self._known.get((index, own))


def _children(node: object) -> list[object]:
    if isinstance(node, tuple):
        return list(node)
    names = getattr(type(node), "__dataclass_fields__", None)
    if names is None:
        return []
    return [getattr(node, name) for name in names if name not in ("span", "type")]
