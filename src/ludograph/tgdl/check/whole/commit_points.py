"""Commit points: nothing is undone after chance or another player has chosen, so a `fail` stops the game.

The check follows the statements of an action in order, and loops twice: a later statement of one round runs
before an earlier statement of the next. It does not evaluate conditions: it warns of all that can happen.
"""

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.flow.calls import BodyEffect, EffectSummaries
from ludograph.tgdl.syntax.traversal import walk

DECISIONS = p.Random | p.Mutate | p.Ask | p.Apply


def check_commit_points(world: SymbolTable, program: p.Program, effects: EffectSummaries) -> None:
    """Warn of every `fail` that can run after a decision that is never undone."""
    for action in program.actions:
        walker = _Walker(world, action.file, effects)
        _follow_effects(walker, action)
        for phase in action.phases:
            _follow_effects(walker, phase)
    for verb in program.verbs:
        _Walker(world, verb.file, effects).follow(verb.block.statements)


def _follow_effects(walker: "_Walker", part: p.Action | p.ActionPhase) -> None:
    """Follow the effects of an action or phase in order; of effects that exclude each other, each alone."""
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


class _Walker(Struct, eq=False):
    """Follows statements. Mutable: it knows the first commit point so far."""

    world: SymbolTable
    file: int
    effects: EffectSummaries
    at: Span | None = None

    def follow(self, statements: tuple[p.Statement, ...]) -> None:
        for statement in statements:
            self._follow_one(statement)

    def _follow_one(self, statement: p.Statement) -> None:
        match statement:
            case p.If(condition, then, otherwise):
                self._visit(condition)
                before = self.at
                self.follow(then)
                after, self.at = self.at, before
                self.follow(otherwise)
                self.at = self.at or after
            case p.While(condition, body, step):
                self._follow_loop(condition, body, step)
            case p.ForEach(_, source, body):
                self._visit(source)
                self._follow_loop(None, body, ())
            case p.ForRange(_, low, high, body):
                self._visit(low)
                self._visit(high)
                self._follow_loop(None, body, ())
            case p.Fail():
                if self.at is not None:
                    self._warn(statement.span)
            case _:
                self._visit(statement)

    def _follow_loop(
        self, condition: p.Expression | None, body: tuple[p.Statement, ...], step: tuple[p.Statement, ...]
    ) -> None:
        """Follow a loop; a second round matters only if the first one has a commit point."""
        before = self.at
        for _ in range(2):
            self._visit(condition)
            self.follow(body)
            self.follow(step)
            if (before is None) == (self.at is None):
                break

    def _visit(self, node: object) -> None:
        for one in walk(node):
            if isinstance(one, p.CallVerb):
                effects = self.effects.of_call(one)
                if self.at is not None and BodyEffect.FAILS in effects:
                    self._warn(one.span)
                if BodyEffect.COMMITS in effects:
                    self.at = self.at or one.span
            elif isinstance(one, DECISIONS) and BodyEffect.COMMITS in self.effects.of_node(one):
                self.at = self.at or one.span

    def _warn(self, span: Span) -> None:
        assert self.at is not None
        message = "this can fail after chance or another player has chosen, which stops the game unfinished"
        self.world.warn(
            "TG0406", message, span, self.file, "test it before that choice", ((self.at, "chosen here"),)
        )
