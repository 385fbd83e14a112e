"""Commit points: after chance or another player's choice nothing is taken back, so a `fail` stops the game.

An action's statements are followed in their order, loops twice, so that what comes later in a round counts
as coming before its beginning. What depends on values is not followed: a warning is about what can happen.
"""

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import walk

ANY_STACK = "stack"


class Way(Struct, frozen=True):
    """What a verb can do on some way through it."""

    commits: bool
    fails: bool


def check_commits(world: SymbolTable, program: p.Program) -> None:
    """Warn of every `fail` that can come after a choice that is never taken back."""
    shuffled = shuffled_stacks(world, program)
    ways = _ways(program, shuffled)
    for action in program.actions:
        walker = _Walker(world, action.file, ways, shuffled)
        _follow_effects(walker, action)
        for phase in action.phases:
            _follow_effects(walker, phase)
    for verb in program.verbs:
        _Walker(world, verb.file, ways, shuffled).follow(verb.block.statements)


def _follow_effects(walker: "_Walker", part: p.Action | p.ActionPhase) -> None:
    """The effects of an action or phase as they follow each other; those that exclude each other do not."""
    excluding = part.specifier is p.Specifier.PLAIN or (
        part.specifier is p.Specifier.CHOICE and part.choices == 1
    )
    before = walker.at
    for effect in part.effects:
        if effect.name is None or not excluding:
            walker.follow(effect.block.statements)
    after = walker.at
    start = before if part.specifier is p.Specifier.PLAIN else after
    for name in dict.fromkeys(effect.name for effect in part.effects if effect.name and excluding):
        walker.at = start
        for effect in part.effects:
            if effect.name == name:
                walker.follow(effect.block.statements)
        after = after or walker.at
    walker.at = after


def shuffled_stacks(world: SymbolTable, program: p.Program) -> frozenset[str]:
    """The names of all types of stack, one of which may be shuffled somewhere in the program."""
    found: set[str] = set()
    for node in walk((program.actions, program.verbs, program.setups, program.turns)):
        if isinstance(node, p.Apply) and node.operation.facts.shuffles_stack:
            type = node.operands[0].type
            assert isinstance(type, ConstructType)
            found |= _kinds(world, type.name)
    return frozenset(
        name for name in (*world.constructs, ANY_STACK) if not found.isdisjoint(_kinds(world, name))
    )


def _kinds(world: SymbolTable, name: str) -> set[str]:
    """A construct and all derived from it; of the word `stack` all of them."""
    derived = world.of_word(name) if name == ANY_STACK else world.derived(name)
    return {facts.name for facts in derived}


def _ways(program: p.Program, shuffled: frozenset[str]) -> dict[int, Way]:
    """For every verb: whether it, or one that it calls, commits or fails."""
    commits: set[int] = set()
    fails: set[int] = set()
    callers: dict[int, set[int]] = {}
    for verb in program.verbs:
        for node in walk(verb.block):
            if isinstance(node, p.Fail):
                fails.add(verb.index)
            elif is_commit(node, shuffled):
                commits.add(verb.index)
            elif isinstance(node, p.CallVerb):
                callers.setdefault(node.verb, set()).add(verb.index)
    for found in (commits, fails):
        waiting = list(found)
        while waiting:
            for caller in callers.get(waiting.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    waiting.append(caller)
    return {verb.index: Way(verb.index in commits, verb.index in fails) for verb in program.verbs}


def is_commit(node: object, shuffled: frozenset[str]) -> bool:
    """Whether chance or another player decides something here."""
    match node:
        case p.Random():
            return True
        case p.Apply(operation, operands) if operation.facts.takes_card:
            # Only of a shuffled stack; shuffling itself only forgets the order.
            type = operands[0].type
            return isinstance(type, ConstructType) and type.name in shuffled
        case p.Mutate(_, operation):
            return operation.facts.takes_chance
        case p.Ask(asked):
            return is_asked_of_another(asked)
        case _:
            return False


def is_asked_of_another(asked: p.Input) -> bool:
    """Whether another than the acting player is asked."""
    return asked.mode is p.InputMode.ASKED and not isinstance(asked.chooser, p.Ambient | None)


class _Walker(Struct, eq=False):
    """Follows statements. Mutable: where the way was committed, if it was."""

    world: SymbolTable
    file: int
    ways: dict[int, Way]
    shuffled: frozenset[str]
    at: Span | None = None

    def follow(self, statements: tuple[p.Statement, ...]) -> None:
        for statement in statements:
            self._follow_one(statement)

    def _follow_one(self, statement: p.Statement) -> None:
        match statement:
            case p.If(condition, then, otherwise):
                self._look(condition)
                before = self.at
                self.follow(then)
                after, self.at = self.at, before
                self.follow(otherwise)
                self.at = self.at or after
            case p.While(condition, body, step):
                self._rounds(condition, body, step)
            case p.ForEach(_, source, body):
                self._look(source)
                self._rounds(None, body, ())
            case p.ForRange(_, low, high, body):
                self._look(low)
                self._look(high)
                self._rounds(None, body, ())
            case p.Fail():
                if self.at is not None:
                    self._warn(statement.span)
            case _:
                self._look(statement)

    def _rounds(
        self, condition: p.Expression | None, body: tuple[p.Statement, ...], step: tuple[p.Statement, ...]
    ) -> None:
        """A loop; a second round tells something new only if the way was committed in the first."""
        before = self.at
        for _ in range(2):
            self._look(condition)
            self.follow(body)
            self.follow(step)
            if (before is None) == (self.at is None):
                break

    def _look(self, node: object) -> None:
        for one in walk(node):
            if isinstance(one, p.CallVerb):
                way = self.ways[one.verb]
                if self.at is not None and way.fails:
                    self._warn(one.span)
                if way.commits:
                    self.at = self.at or one.span
            elif is_commit(one, self.shuffled):
                self.at = self.at or _span(one)

    def _warn(self, span: Span) -> None:
        assert self.at is not None
        message = "this can fail after chance or another player has decided: then the game stops unfinished"
        self.world.warn("TG0406", message, span, self.file, "test it before", ((self.at, "decided here"),))


def _span(node: object) -> Span:
    assert isinstance(node, p.Random | p.Mutate | p.Ask | p.Apply)
    return node.span
