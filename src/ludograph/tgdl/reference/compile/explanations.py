"""Explanations: the part of a condition that a move does not meet, and the author's words for players.

The input is a condition, and a run and frame in which it is false. The output names the part that failed: one
operand of an `and`, a comparison inside a verb that the condition calls, an element of a query.

A player knows the rules and that the move was refused. So an explanation may choose between parts only by
values that the player may know: then the player could make the same choice, and naming the part reveals
nothing. Otherwise it names the whole condition.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from msgspec.structs import replace

from ludograph.play.record import HIDDEN
from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import COMPARISON, Operation
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.inputs import resolve
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.seen_values import may_see, value_text, values_seen
from ludograph.tgdl.reference.taint import Knowledge
from ludograph.tgdl.reference.visibility import may_name
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.faults import Failed, Fault, NeedChoice
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.world import THIS, Closure, Explanation, Frame, ReadValue

FUEL = 200_000
"""The fuel of one explanation: a fraction of a second."""
MAX_STEPS = 500
"""The greatest number of parts, elements and statements that one explanation looks at."""
MAX_CALLS = 12
"""The greatest depth of verbs that one explanation opens."""
MAX_PLACES = 3
"""The greatest number of calls and elements that a reason names."""
MAX_ALTERNATIVES = 3
COMPARISONS = frozenset((*COMPARISON.values(), Operation.EQUAL))


class ConditionExplainer:
    """Explains one condition. Mutable: it compiles the parts of the condition on demand."""

    def __init__(self, compiler: Compiler, block: p.Block) -> None:
        compiler.inputs |= _variables(block)
        self._scope = _Scope(compiler)
        self._block = block
        self._verbs: dict[int, _Scope] = {}

    def explain(self, run: Run, frame: Frame, player: int) -> Explanation:
        """Why the condition is false, as far as the player may know. It costs no fuel."""
        fuel, spent, depth, calls = run.fuel, run.spent_once, run.depth, len(run.calls)
        run.fuel = FUEL
        run.is_pure += 1
        try:
            search = _Search(run, player, self._verbs)
            words = search.words(self._scope, self._block.refusal, frame)
            try:
                found = search.open_block(self._scope, self._block, frame, ())
            except _FAILURES:
                found = Explanation()
            return replace(found, words=words or found.words)
        finally:
            run.fuel, run.spent_once, run.depth = fuel, spent, depth
            del run.calls[calls:]
            run.is_pure -= 1


class _Closed(Exception):
    """A part cannot be opened: it depends on a secret, or it is too large."""


_FAILURES = (Fault, Failed, NeedChoice, _Closed)


class _Scope:
    """A body whose parts are explained: an action, a verb, a turn. Mutable: it caches compiled parts."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self._codes: dict[int, Closure] = {}
        self._knowledge: dict[int, Knowledge] = {}
        self._reads: dict[int, tuple[ReadValue, ...]] = {}

    @classmethod
    def of_verb(cls, compiler: Compiler, verb: p.Verb) -> "_Scope":
        inner = compiler.fresh()
        inner.file, inner.body = verb.file, verb
        inner.inputs = _variables(verb.block)
        return cls(inner)

    def in_file(self, file: int | None) -> "_Scope":
        if file is None or file == self.compiler.file:
            return self
        inner = copy(self.compiler)
        inner.file = file
        return _Scope(inner)

    def value(self, node: p.Expression, run: Run, frame: Frame) -> Any:
        code = self._codes.get(id(node))
        if code is None:
            code = self._codes[id(node)] = self.compiler.expression(node)
        return code(run, frame)

    def execute(self, statement: p.Statement, run: Run, frame: Frame) -> None:
        code = self._codes.get(id(statement))
        if code is None:
            code = self.compiler.effect(p.Block((statement,), statement.span))
            self._codes[id(statement)] = code
        code(run, frame)

    def knowledge(self, node: object) -> Knowledge:
        found = self._knowledge.get(id(node))
        if found is None:
            c = self.compiler
            found = self._knowledge[id(node)] = c.taint.knowledge_of(c.body, node, c.expression)
        return found

    def reads(self, node: p.Expression) -> tuple[ReadValue, ...]:
        found = self._reads.get(id(node))
        if found is None:
            found = self._reads[id(node)] = self.compiler.reads_of(node)
        return found


Places = tuple[str, ...]
"""The calls and elements around a part, innermost first: "in can_use(knight)", "for c = card#3"."""


class _Search:
    """One explanation to one player. Mutable: it counts its steps."""

    def __init__(self, run: Run, player: int, verbs: dict[int, _Scope]) -> None:
        self.run = run
        self.player = player
        self._verbs = verbs
        self._steps = 0
        self._calls = 0

    # Words

    def words(self, scope: _Scope, message: p.Message | None, frame: Frame) -> str:
        """The author's words; `?` for a value that the player may not see, or that cannot be read."""
        if message is None:
            return ""
        slots = [node.slot for node in walk(message) if isinstance(node, p.Query)]
        missing = max([slot + 1 for slot in slots], default=0) - (len(frame) - 3)
        frame = [*frame[:-3], *([None] * missing), *frame[-3:]]
        return "".join(
            part if isinstance(part, str) else self._placeholder(scope, part, frame) for part in message.parts
        )

    def _placeholder(self, scope: _Scope, part: p.Expression, frame: Frame) -> str:
        try:
            if not self._may_know(scope, part, frame):
                return HIDDEN
            value = scope.value(part, self.run, frame)
        except _FAILURES:
            return HIDDEN
        if isinstance(value, str):
            return value
        return typed_text(self.run, value, part.type) if self._may_name(value) else HIDDEN

    def _may_name(self, value: Any) -> bool:
        named = value if isinstance(value, tuple) else (value,)
        return all(may_name(self.run, each, self.player) for each in named if isinstance(each, Instance))

    # What the player may know

    def _may_know(self, scope: _Scope, node: object, frame: Frame) -> bool:
        """Whether the player could evaluate a part alone."""
        if not self.run.world.hides_values:
            return True
        self._step()
        known = scope.knowledge(node)
        if not may_see(self.run, known.guards, frame, self.player):
            return False
        return all(self._may_know_call(scope, call, frame) for call in known.calls)

    def _may_know_call(self, scope: _Scope, call: p.CallVerb, frame: Frame) -> bool:
        inner_scope, verb, inner = self._enter(scope, call, frame)
        try:
            return self._may_know(inner_scope, verb.block, inner)
        finally:
            self._leave()

    # Opening

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise _Closed

    def open_block(self, scope: _Scope, block: p.Block, frame: Frame, places: Places) -> Explanation:
        """Why a block is false: the failed part of its result, or the condition of its `return false`."""
        match block.statements:
            case (p.Return(value),) if value is not None:
                return self._open(scope, value, frame, places, wanted=True)
        frame = list(frame)
        traced = _Trace(self, scope, frame)
        value = traced.run_to_return(block.statements)
        if value is None or (isinstance(value, p.Literal) and not traced.decisions):
            raise _Closed
        if isinstance(value, p.Literal):
            test, held = traced.decisions[-1]
            return self._open(scope, test, frame, places, wanted=not held)
        return self._open(scope, value, frame, places, wanted=True)

    def _open(
        self, scope: _Scope, node: p.Expression, frame: Frame, places: Places, *, wanted: bool
    ) -> Explanation:
        """Why an expression does not have the wanted value."""
        self._step()
        try:
            match node:
                case p.Apply(Operation.NOT, (operand,)) if operand.span != node.span:  # not `!=`
                    return self._open(scope, operand, frame, places, wanted=not wanted)
                case p.Logic():
                    return self._open_logic(scope, node, frame, places, wanted=wanted)
                case p.Conditional(condition, then, otherwise):
                    held = self.known_value(scope, condition, frame)
                    return self._open(scope, then if held else otherwise, frame, places, wanted=wanted)
                case p.CallVerb():
                    return self._open_call(scope, node, frame, places, wanted=wanted)
                case p.NamedPart(name) if wanted:
                    return self._open_named(scope, name, frame, places)
                case p.Query(Operation.ANY | Operation.ALL):
                    return self._open_query(scope, node, frame, places, wanted=wanted)
                case _:
                    pass
        except _FAILURES:
            pass
        return self._part(scope, node, frame, places, wanted=wanted)

    def _open_logic(
        self, scope: _Scope, node: p.Logic, frame: Frame, places: Places, *, wanted: bool
    ) -> Explanation:
        wanted = wanted if node.operator != "nand" else not wanted
        operands = _operands(node)
        if (node.operator != "or") != wanted:  # one of the operands would be enough
            is_open = any(isinstance(one, p.CallVerb | p.NamedPart) for one in operands)
            if not is_open or len(operands) > MAX_ALTERNATIVES:
                raise _Closed
            return _alternatives([self._open(scope, one, frame, places, wanted=wanted) for one in operands])
        secret: list[p.Expression] = []
        for operand in operands:
            try:
                value = self.known_value(scope, operand, frame)
            except _FAILURES:
                secret.append(operand)
                continue
            if bool(value) != wanted:
                return self._open(scope, operand, frame, places, wanted=wanted)
        # The player knows that all others hold, and so that this one does not.
        if len(secret) != 1:
            raise _Closed
        return self._open(scope, secret[0], frame, places, wanted=wanted)

    def known_value(self, scope: _Scope, node: p.Expression, frame: Frame) -> Any:
        """The value of a part that the player may know."""
        if not self._may_know(scope, node, frame):
            raise _Closed
        return scope.value(node, self.run, frame)

    def _open_named(self, scope: _Scope, name: str, frame: Frame, places: Places) -> Explanation:
        named = [one for one in scope.compiler.requires if one.name == name]
        for require in named:
            inner = scope.in_file(require.file)
            if len(named) > 1:
                if not self._may_know(inner, require.block, frame):
                    raise _Closed
                if inner.compiler.block(require.block)(self.run, frame):
                    continue
            words = self.words(inner, require.block.refusal, frame)
            found = self.open_block(inner, require.block, frame, places)
            return replace(found, words=words or found.words)
        raise _Closed

    def _open_query(
        self, scope: _Scope, node: p.Query, frame: Frame, places: Places, *, wanted: bool
    ) -> Explanation:
        items = self.known_value(scope, node.source, frame)
        # An `all` that fails, and an `any` that must not hold, fail for one element.
        if node.body is None or not isinstance(items, tuple):
            raise _Closed
        is_single = (node.operation is Operation.ALL) == wanted or len(items) == 1
        if not is_single:
            if items or not wanted:
                raise _Closed
            text = f"{scope.compiler.words(node)}: {scope.compiler.words(node.source)} is empty"
            return replace(
                self._part(scope, node, frame, places, wanted=wanted), reason=_placed(text, places)
            )
        inner = list(frame)
        for item in items:
            self._step()
            inner[node.slot] = item
            if bool(self.known_value(scope, node.body, inner)) != wanted:
                if not self._may_name(item):
                    raise _Closed
                text = value_text(self.run, item, _element_type(node), self.player)
                place = f"for {_element_name(node)} = {text}"
                return self._open(scope, node.body, inner, (place, *places), wanted=wanted)
        raise _Closed

    # Verbs

    def _enter(self, scope: _Scope, node: p.CallVerb, frame: Frame) -> tuple[_Scope, p.Verb, Frame]:
        """The scope and the frame of a called verb."""
        run = self.run
        self._step()
        self._calls += 1
        try:
            if self._calls > MAX_CALLS:
                raise _Closed
            this = frame[THIS] if node.receiver is None else scope.value(node.receiver, run, frame)
            index = node.verb
            if this is not None and not node.exact and node.receiver is not None:
                index = run.world.dispatch.get((this.kind.name, index), index)
            verb = run.world.program.verbs[index]
            inner = [None] * verb.frame
            inner += (None, frame[-2], this)
            prompts = run.world.verbs[index].prompts
            for parameter, prompt, argument in zip(verb.parameters, prompts, node.arguments, strict=True):
                if argument is None:
                    resolve(run, prompt, inner)
                else:
                    inner[parameter.slot] = scope.value(argument, run, frame)
        except _FAILURES:
            self._leave()
            raise
        known = self._verbs.get(index)
        if known is None:
            known = self._verbs[index] = _Scope.of_verb(scope.compiler, verb)
        return known, verb, inner

    def _leave(self) -> None:
        self._calls -= 1

    def _open_call(
        self, scope: _Scope, node: p.CallVerb, frame: Frame, places: Places, *, wanted: bool
    ) -> Explanation:
        inner_scope, verb, inner = self._enter(scope, node, frame)
        words = self.words(inner_scope, verb.block.refusal, inner) if wanted else ""
        places = (f"in {scope.compiler.words(node)}", *places)
        try:
            if wanted:
                found = self.open_block(inner_scope, verb.block, inner, places)
            else:
                found = self._open_held(inner_scope, verb.block, inner, places)
        except _FAILURES:
            if not words:
                raise
            found = self._part(scope, node, frame, places[1:], wanted=wanted)
        finally:
            self._leave()
        return replace(found, words=words or found.words)

    def _open_held(self, scope: _Scope, block: p.Block, frame: Frame, places: Places) -> Explanation:
        """Why a verb that must not hold does."""
        match block.statements:
            case (p.Return(value),) if value is not None:
                return self._open(scope, value, frame, places, wanted=False)
            case _:
                raise _Closed

    # Parts

    def _part(
        self, scope: _Scope, node: p.Expression, frame: Frame, places: Places, *, wanted: bool
    ) -> Explanation:
        """A part that is not opened any further, with the values that it read."""
        text = scope.compiler.words(node)
        if not wanted:
            text = f"not {text}" if _is_plain(node) else f"not ({text})"
        seen = dict(values_seen(self.run, scope.reads(node), frame, self.player))
        for operand in _compared(node):
            seen.setdefault(scope.compiler.words(operand), self._placeholder(scope, operand, frame))
        site = scope.compiler.site(node.span)
        return Explanation(reason=_placed(text, places), seen=tuple(seen.items()), site=site)


class _Trace:
    """Runs the statements of a pure block to its `return`. Mutable: it collects the decisions on the way."""

    def __init__(self, search: _Search, scope: _Scope, frame: Frame) -> None:
        self._search = search
        self._scope = scope
        self._frame = frame
        self.decisions: list[tuple[p.Expression, bool]] = []
        """The conditions of the enclosing `if`s of the `return`, with their values."""
        self._left = False
        """Whether a `break` leaves the innermost loop."""
        self._skipped = False
        """Whether a `break` or `continue` skips the rest of the loop's body."""

    def run_to_return(self, statements: Sequence[p.Statement]) -> p.Expression | None:
        """The expression that is returned; None if the statements end without a `return`."""
        for statement in statements:
            found = self._run(statement)
            if found is not None or self._skipped:
                return found
        return None

    def _run(self, statement: p.Statement) -> p.Expression | None:
        search, scope, frame = self._search, self._scope, self._frame
        search._step()
        match statement:
            case p.Return(value):
                return value
            case p.If(condition, then, otherwise):
                held = bool(search.known_value(scope, condition, frame))
                self.decisions.append((condition, held))
                found = self.run_to_return(then if held else otherwise)
                if found is None:
                    self.decisions.pop()
                return found
            case p.ForEach(slot, source, body):
                return self._loop(slot, search.known_value(scope, source, frame), body)
            case p.ForRange(slot, low, high, body):
                first, last = (search.known_value(scope, end, frame) for end in (low, high))
                steps = range(min(int(last - first) + 1, MAX_STEPS + 1))
                return self._loop(slot, [first + step for step in steps], body)
            case p.While(condition, body, step):
                while search.known_value(scope, condition, frame):
                    search._step()
                    found = self._once(body)
                    if found is not None or self._left:
                        break
                    self.run_to_return(step)
                else:
                    found = None
                self._left = False
                return found
            case p.Break():
                self._left = self._skipped = True
                return None
            case p.Continue():
                self._skipped = True
                return None
            case p.Declare() | p.Assign():
                scope.execute(statement, self._search.run, frame)
                return None
            case _:
                raise _Closed

    def _loop(self, slot: int, items: Sequence[Any], body: Sequence[p.Statement]) -> p.Expression | None:
        found = None
        for item in items:
            self._search._step()
            self._frame[slot] = item
            found = self._once(body)
            if found is not None or self._left:
                break
        self._left = False
        return found

    def _once(self, body: Sequence[p.Statement]) -> p.Expression | None:
        found = self.run_to_return(body)
        self._skipped = False
        return found


def _variables(block: p.Block) -> set[tuple[int | None, str]]:
    """The slots and names of variables whose values can be shown.

    A part is explained in a frame that has its variables, and the elements of the queries around it.
    """
    return {(node.slot, node.name) for node in walk(block) if isinstance(node, p.Variable)}


def _operands(node: p.Logic) -> list[p.Expression]:
    """The operands of a chain of the same operator, in source order."""
    found: list[p.Expression] = []
    waiting: list[p.Expression] = [node.right, node.left]
    while waiting:
        one = waiting.pop()
        if isinstance(one, p.Logic) and one.operator == node.operator != "nand":
            waiting += (one.right, one.left)
        else:
            found.append(one)
    return found


def _alternatives(found: list[Explanation]) -> Explanation:
    """One of several parts would be enough."""
    seen = {name: value for one in found for name, value in one.seen or ()}
    reason = "one of these: " + "; ".join(dict.fromkeys(one.reason for one in found))
    return Explanation(reason=reason, seen=tuple(seen.items()), site=None)


def _placed(text: str, places: Places) -> str:
    return ", ".join((text, *places[:MAX_PLACES]))


def _compared(node: p.Expression) -> Iterator[p.Expression]:
    """The operands of a comparison whose values no attribute or input shows: counts, sums, calls."""
    if isinstance(node, p.Apply) and node.operation in COMPARISONS:
        for operand in node.operands:
            if isinstance(operand, p.Query | p.CallVerb | p.Conditional):
                yield operand


def _is_plain(node: p.Expression) -> bool:
    """Whether `not` needs no parentheses before an expression."""
    is_operator = isinstance(node, p.Apply) and bool(node.operation.facts.symbol)
    is_none_test = isinstance(node, p.Apply) and node.operation is Operation.IS_NONE
    return not (is_operator or is_none_test or isinstance(node, p.Logic | p.IsType))


def _element_name(node: p.Query) -> str:
    names = (one.name for one in walk(node.body) if isinstance(one, p.Variable) and one.slot == node.slot)
    return next(names, "it")


def _element_type(node: p.Query) -> Type:
    types = (one.type for one in walk(node.body) if isinstance(one, p.Variable) and one.slot == node.slot)
    return next(types, Basic.OBJECT)
