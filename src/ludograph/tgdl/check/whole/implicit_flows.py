"""Ways: what an effect asks or refuses shows the secrets that decide about it.

Until chance or another player has decided something, every way through an effect shows in the list of moves:
a test on a secret that leads to a question or a failure tells the secret. Statements are followed in their
order, into loops, and into the verbs and actions that they call; of these it is worked out once what they
ask, refuse and decide, callees first. Of values only variables are followed that hold a secret.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import constant_number
from ludograph.tgdl.check.graphs import components
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.commit_points import is_asked_of_another, is_commit, shuffled_stacks
from ludograph.tgdl.check.whole.leaks import Finder, Leak
from ludograph.tgdl.syntax.traversal import walk

Tell = Callable[[Leak, str], None]
"""Takes a secret that shows, and the words for what shows it."""
HERE = "what is asked or fails here"


def effects_of(action: p.Action) -> tuple[p.Effect, ...]:
    """The effects of an action and of its phases."""
    return (*action.effects, *(one for phase in action.phases for one in phase.effects))


def offered_parts(asked: p.Input) -> Iterator[tuple[str, p.Expression | p.Block]]:
    """What decides about the candidates of an input, and the words for it."""
    for part in (asked.source, asked.low, asked.high, asked.least, asked.most):
        if part is not None:
            yield "what is offered", part
    for filter in (*asked.filters, *asked.list_filters):
        yield "this filter", filter


class Body(Struct):
    """A verb or action as its callers know it. Mutable while it is worked out."""

    name: str
    inputs: tuple[p.Input, ...]
    requires: tuple[p.Require, ...]
    blocks: tuple[p.Block, ...]
    overridden_by: list[int]
    callees: list[int] = field(default_factory=list)
    shows: bool = False
    """Whether it asks the acting player, or fails."""
    decides: bool = False
    """Whether chance or another player decides something in it."""
    leaks: dict[bool, Leak | None] = field(default_factory=dict)
    """The secret that it asks or refuses by, for a reader who owns its thing (True) and for another."""
    for_others: Leak | None = None
    """The secret that its questions and messages show to a reader who does not own its thing."""
    deciding: set[int] = field(default_factory=set)
    """The slots of the inputs that a question or failure depends on."""


class Ways:
    """Which secrets the effects of a program show. Mutable: it learns all verbs and actions at first."""

    def __init__(self, world: SymbolTable, program: p.Program, finder: Finder) -> None:
        self.finder = finder
        self._shuffled = shuffled_stacks(world, program)
        self._first_action = first = len(program.verbs)
        self._bodies = [
            Body(verb.name, verb.parameters, (), (verb.block,), list(world.verbs[verb.index].overridden_by))
            for verb in program.verbs
        ]
        self._bodies += [
            Body(
                action.name,
                action.inputs,
                tuple(require for require in action.requires if require.name is None),
                tuple(effect.block for effect in effects_of(action)),
                [first + one for one in world.actions[action.index].overridden_by],
            )
            for action in program.actions
        ]
        self._learn_deeds()
        self._learn_leaks()

    def follow(self, effect: p.Effect, *, own: bool, tell: Tell) -> bool:
        """Tell what an effect shows; gives whether chance or another player may decide something in it."""
        return _Walker(self, own, tell).follow(effect.block.statements, later=False)

    # Learning

    def _learn_deeds(self) -> None:
        callers: dict[int, list[int]] = {}
        for number, body in enumerate(self._bodies):
            body.shows = bool(body.requires)
            for node in walk(body.blocks):
                body.shows = body.shows or _asks_or_fails(node)
                body.decides = body.decides or is_commit(node, self._shuffled)
                callee = self._number(node)
                if callee is not None:
                    body.callees.append(callee)
            body.callees += body.overridden_by
            for callee in body.callees:
                callers.setdefault(callee, []).append(number)
        for word in ("shows", "decides"):
            waiting = [number for number, body in enumerate(self._bodies) if getattr(body, word)]
            while waiting:
                for caller in callers.get(waiting.pop(), ()):
                    if not getattr(self._bodies[caller], word):
                        setattr(self._bodies[caller], word, True)
                        waiting.append(caller)

    def _learn_leaks(self) -> None:
        """Callees first; bodies that call each other are looked at twice."""
        graph = {number: body.callees for number, body in enumerate(self._bodies)}
        for group in components(graph):
            for number in group * (2 if len(group) > 1 else 1):
                self._learn_body(self._bodies[number])

    def _learn_body(self, body: Body) -> None:
        versions = [self._bodies[number] for number in body.overridden_by]
        slots = {one.slot for one in body.inputs}
        for own in (False, True):
            told: list[Leak] = []
            walker = _Walker(self, own, lambda leak, _: told.append(leak))  # noqa: B023
            for require in body.requires:
                walker.tell(require.block, "this require")
            for block in body.blocks:
                walker.follow(block.statements, later=False)
            told += [leak for one in versions if (leak := one.leaks.get(own)) is not None]
            body.leaks[own] = told[0] if told else None
            body.deciding |= walker.deciding & slots
        shown = self._shown_to_others(body)
        inherited = (one.for_others for one in versions if one.for_others is not None)
        body.for_others = next(shown, None) or next(inherited, None)

    def _shown_to_others(self, body: Body) -> Iterator[Leak]:
        for node in walk(body.blocks):
            match node:
                case p.Ask(asked) if _is_asked(asked):
                    parts: list[object] = [part for _, part in offered_parts(asked)]
                case p.Fail(message) | p.Cancel(_, message):
                    parts = [message]
                case p.CallVerb() | p.CallAction():
                    leak = self.shown_by_call(node, own=False)
                    if leak is not None and self.shown_by_call(node, own=True) is None:
                        yield leak
                    continue
                case _:
                    continue
            for part in parts:
                leak = self.finder.find(part, own=False)
                if leak is not None and self.finder.find(part, own=True) is None:
                    yield leak

    # What calls show

    def called(self, call: p.CallVerb | p.CallAction) -> Body:
        number = self._number(call)
        assert number is not None
        return self._bodies[number]

    def shown_by_call(self, call: p.CallVerb | p.CallAction, *, own: bool) -> Leak | None:
        """What the questions and messages of a called body show, if its thing is not the reader's."""
        if self.finder.is_own(call.receiver, own=own):
            return None
        leak = self.called(call).for_others
        return None if leak is None else Leak(leak.words, call.span)

    def not_given(self, call: p.CallAction) -> list[p.Input]:
        """The inputs that a call of an action leaves open."""
        inputs = self.called(call).inputs
        return [one for one, given in zip(inputs, call.arguments, strict=False) if given is None]

    def shows(self, node: object) -> bool:
        """Whether something asks the acting player or fails: that decides which moves are listed."""
        for one in walk(node):
            if _asks_or_fails(one):
                return True
            if isinstance(one, p.CallVerb | p.CallAction) and self.called(one).shows:
                return True
            if isinstance(one, p.CallAction) and any(_is_asked(each) for each in self.not_given(one)):
                return True
            if isinstance(one, p.CallAction) and any(refusable(self.called(one).inputs, one)):
                return True
        return False

    def decides(self, node: object) -> bool:
        """Whether chance or another player may decide something: no list of moves looks behind that."""
        for one in walk(node):
            if is_commit(one, self._shuffled):
                return True
            if isinstance(one, p.CallVerb | p.CallAction) and self.called(one).decides:
                return True
            if isinstance(one, p.CallAction) and any(
                is_asked_of_another(each) for each in self.not_given(one)
            ):
                return True
        return False

    def _number(self, node: object) -> int | None:
        match node:
            case p.CallVerb(index):
                return index
            case p.CallAction(index):
                return self._first_action + index
            case _:
                return None


class _Walker:
    """Follows the statements of one body. Mutable: it knows which variables hold a secret."""

    def __init__(self, ways: Ways, own: bool, tell: Tell) -> None:
        self.ways = ways
        self.own = own
        self._tell = tell
        self.holding: dict[int, Leak] = {}
        self.deciding: set[int] = set()

    def follow(self, statements: tuple[p.Statement, ...], *, later: bool) -> bool:
        """Gives whether something may be decided; `later`: behind them the player is asked, or it fails."""
        behind = [later]
        for statement in reversed(statements):
            behind.append(behind[-1] or self.ways.shows(statement))
        behind.reverse()
        return any(self._one(statement, behind[at + 1]) for at, statement in enumerate(statements))

    def _one(self, statement: p.Statement, later: bool) -> bool:
        match statement:
            case p.If(condition, then, otherwise):
                if self._look(condition):
                    return True
                if self.ways.shows((then, otherwise)) or (later and _leaves((*then, *otherwise))):
                    self.tell(condition, HERE)
                for slot in _written((then, otherwise)):
                    self._store(slot, condition)
                ways = [self.follow(part, later=later) for part in (then, otherwise)]
                return any(ways)
            case p.While(condition, body, step):
                return self._rounds((condition,), (*body, *step), later)
            case p.ForEach(slot, source, body):
                self._store(slot, source)
                return self._rounds((source,), body, later)
            case p.ForRange(slot, low, high, body):
                return self._rounds((low, high), body, later)
            case p.Declare(slot, _, value):
                self._store(slot, value)
            case p.Assign(place, value) if isinstance(place.root, p.Variable):
                self._store(place.root.slot, value)
            case p.Fail(message) | p.Cancel(_, message):
                self._say(message, "this message")
            case p.Ask(asked) if _is_asked(asked):
                for where, part in offered_parts(asked):
                    self._say(part, where)
            case _:
                pass
        return self._look(statement)

    def _rounds(self, limits: tuple[p.Expression, ...], body: tuple[p.Statement, ...], later: bool) -> bool:
        """A loop: how often it goes round is a test too."""
        if any(self._look(limit) for limit in limits):
            return True
        asks = self.ways.shows(body)
        for limit in limits if asks else ():
            self.tell(limit, HERE)
        return self.follow(body, later=later or asks)

    def _store(self, slot: int, value: p.Expression) -> None:
        leak = self.ways.finder.find(value, own=self.own, holding=self.holding)
        if leak is not None:
            self.holding[slot] = leak

    def _say(self, told: p.Message | p.Expression | p.Block, where: str) -> None:
        """What a message or question tells of variables; what it reads itself is found without following."""
        self.deciding |= {one.slot for one in walk(told) if isinstance(one, p.Variable)}
        finder = self.ways.finder
        leak = finder.find(told, own=self.own, holding=self.holding)
        if leak is not None and finder.find(told, own=self.own) is None:
            self._tell(leak, where)

    def _look(self, node: object) -> bool:
        """What the calls in a statement or expression show; gives whether it may decide something."""
        for one in walk(node):
            if isinstance(one, p.CallVerb | p.CallAction):
                self._call(one)
        return self.ways.decides(node)

    def _call(self, call: p.CallVerb | p.CallAction) -> None:
        body = self.ways.called(call)
        leak = body.leaks.get(self.ways.finder.is_own(call.receiver, own=self.own))
        where = f"what is asked or fails in '{body.name}'"
        if leak is not None:
            self._tell(Leak(leak.words, call.span), where)
        for asked, given in zip(body.inputs, call.arguments, strict=False):
            if given is not None and asked.slot in body.deciding:
                self.tell(given, where)
        if isinstance(call, p.CallAction):
            for asked, given in refusable(body.inputs, call):
                self.tell(given, where)
                self._tell_limits(call, asked, where)

    def _tell_limits(self, call: p.CallAction, asked: p.Input, where: str) -> None:
        """What a caller gives is refused by what bounds and filters of the called action read."""
        finder = self.ways.finder
        own = finder.is_own(call.receiver, own=self.own)
        for _, part in offered_parts(asked):
            leak = finder.find(part, own=own)
            if leak is not None:
                self._tell(Leak(leak.words, call.span), where)

    def tell(self, node: object, where: str) -> None:
        """A question or failure depends on this: tell if it reads a secret."""
        self.deciding |= {one.slot for one in walk(node) if isinstance(one, p.Variable)}
        leak = self.ways.finder.find(node, own=self.own, holding=self.holding)
        if leak is not None:
            self._tell(leak, where)


def refusable(inputs: tuple[p.Input, ...], call: p.CallAction) -> Iterator[tuple[p.Input, p.Expression]]:
    """The inputs of a called action that may refuse what they are given, and what that is."""
    for asked, given in zip(inputs, call.arguments, strict=False):
        if given is not None and asked.is_narrow and not _is_surely_between(asked, given):
            yield asked, given


def _is_surely_between(asked: p.Input, given: p.Expression) -> bool:
    """Whether a number that is written out lies between bounds that are."""
    numbers = [None if one is None else constant_number(one) for one in (asked.low, given, asked.high)]
    low, value, high = numbers
    if asked.filters or asked.source is not None or low is None or value is None or high is None:
        return False
    return low <= value <= high and (value - low) % 1 == 0


def _is_asked(asked: p.Input) -> bool:
    """Whether the acting player is asked."""
    return asked.mode is p.InputMode.ASKED and not is_asked_of_another(asked)


def _asks_or_fails(node: object) -> bool:
    return isinstance(node, p.Fail) or (isinstance(node, p.Ask) and _is_asked(node.input))


def _written(node: object) -> set[int]:
    """The variables that something inside gives a value."""
    found: set[int] = set()
    for one in walk(node):
        match one:
            case p.Assign(place) if isinstance(place.root, p.Variable):
                found.add(place.root.slot)
            case _:
                pass
    return found


def _leaves(statements: tuple[p.Statement, ...]) -> bool:
    """Whether some way through the statements goes not on behind them."""
    for statement in statements:
        match statement:
            case p.Return() | p.Break() | p.Continue():
                return True
            case p.If(_, then, otherwise):
                if _leaves((*then, *otherwise)):
                    return True
            case p.While() | p.ForEach() | p.ForRange():
                if any(isinstance(node, p.Return) for node in walk(statement)):
                    return True
            case _:
                pass
    return False
