"""Commit points: after chance or another player's choice nothing is taken back, so a `fail` stops the game.

An action's statements are followed in their order, loops twice, so that what comes later in a round counts
as coming before its beginning. What depends on values is not followed: a warning is about what can happen.
"""

from dataclasses import dataclass

from ludograph.text import Span
from ludograph.tgdl.checker.world import World
from ludograph.tgdl.library import Operation
from ludograph.tgdl.nodes import walk
from ludograph.tgdl.program import (
    Ambient,
    Apply,
    Ask,
    CallVerb,
    Expression,
    Fail,
    ForEach,
    ForRange,
    If,
    InputMode,
    Mutate,
    Program,
    Random,
    Statement,
    While,
)

CHANCE = frozenset({Operation.SHUFFLE})


@dataclass(frozen=True, slots=True)
class Way:
    """What a verb can do on some way through it."""

    commits: bool
    fails: bool


def check_commits(world: World, program: Program) -> None:
    """Warn of every `fail` that can come after a choice that is never taken back."""
    ways = _ways(program)
    for action in program.actions:
        walker = _Walker(world, action.file, ways)
        for effect in (*action.effects, *(one for phase in action.phases for one in phase.effects)):
            walker.follow(effect.block.statements)
    for verb in program.verbs:
        _Walker(world, verb.file, ways).follow(verb.block.statements)


def _ways(program: Program) -> dict[int, Way]:
    """For every verb: whether it, or one that it calls, commits or fails."""
    commits: set[int] = set()
    fails: set[int] = set()
    callers: dict[int, set[int]] = {}
    for verb in program.verbs:
        for node in walk(verb.block):
            if isinstance(node, Fail):
                fails.add(verb.index)
            elif _is_commit(node):
                commits.add(verb.index)
            elif isinstance(node, CallVerb):
                callers.setdefault(node.verb, set()).add(verb.index)
    for found in (commits, fails):
        waiting = list(found)
        while waiting:
            for caller in callers.get(waiting.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    waiting.append(caller)
    return {verb.index: Way(verb.index in commits, verb.index in fails) for verb in program.verbs}


def _is_commit(node: object) -> bool:
    match node:
        case Random():
            return True
        case Mutate(_, operation):
            return operation in CHANCE
        case Ask(asked):
            own = asked.chooser is None or isinstance(asked.chooser, Ambient)
            return asked.mode is InputMode.ASKED and not own
        case _:
            return False


@dataclass(slots=True, eq=False)
class _Walker:
    """Follows statements. Mutable: where the way was committed, if it was."""

    world: World
    file: int
    ways: dict[int, Way]
    at: Span | None = None

    def follow(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            self._follow_one(statement)

    def _follow_one(self, statement: Statement) -> None:
        match statement:
            case If(condition, then, otherwise):
                self._look(condition)
                before = self.at
                self.follow(then)
                after, self.at = self.at, before
                self.follow(otherwise)
                self.at = self.at or after
            case While(condition, body, step):
                self._rounds(condition, body, step)
            case ForEach(_, source, body):
                self._look(source)
                self._rounds(None, body, ())
            case ForRange(_, low, high, body):
                self._look(low)
                self._look(high)
                self._rounds(None, body, ())
            case Fail():
                if self.at is not None:
                    self._warn(statement.span)
            case _:
                self._look(statement)

    def _rounds(
        self, condition: Expression | None, body: tuple[Statement, ...], step: tuple[Statement, ...]
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
            if isinstance(one, CallVerb):
                way = self.ways[one.verb]
                if self.at is not None and way.fails:
                    self._warn(one.span)
                if way.commits:
                    self.at = self.at or one.span
            elif isinstance(one, Apply) and one.operation is Operation.STACK_SHUFFLE:
                continue
            elif _is_commit(one):
                self.at = self.at or _span(one)

    def _warn(self, span: Span) -> None:
        assert self.at is not None
        message = "this can fail after chance or another player has decided: then the game stops unfinished"
        self.world.warn("TG0406", message, span, self.file, "test it before", ((self.at, "decided here"),))


def _span(node: object) -> Span:
    assert isinstance(node, Random | Mutate | Ask)
    return node.span
