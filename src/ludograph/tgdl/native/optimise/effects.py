"""Effect analysis: whether an action can fail, and whether it can ask for further choices.

An action that can do neither needs no trial run: each choice of its inputs is one complete move. An action
that can only fail can be sampled first and tried then (rejection sampling), so that all legal moves are
equally likely. If an input is inside an effect, the conditions around it often depend only on the inputs of
the action; then they decide whether it is asked.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import OFFERS, QUEUED
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.world.analysis import VerbCalls, walk, walk_into_calls


class Guard(Struct, frozen=True):
    """Conditions, with the boolean that each must have, without which an input in an effect is not asked."""

    conditions: tuple[tuple[p.Expression, bool], ...]


class ActionEffects(Struct, frozen=True):
    """The effect summary of an action."""

    fails: bool
    asks: bool
    guards: tuple[Guard, ...] | None
    """If the action asks, one of these guards holds. None: nothing is known."""


class ActionEffectAnalysis:
    """The effects of the actions of a program. Mutable: each is analysed once, when it is first needed."""

    def __init__(self, program: p.Program) -> None:
        self._program = program
        self._calls = VerbCalls(program)
        self._known: dict[int, ActionEffects] = {}

    @cached_property
    def surroundings(self) -> ActionEffects:
        """The effects that may follow any action."""
        roots = _surroundings(self._program)
        return ActionEffects(self._calls.has(_may_fail, *roots), self._calls.has(_may_ask, *roots), None)

    @cached_property
    def _moments(self) -> frozenset[p.When]:
        """When triggers start actions."""
        return frozenset(each.when for action in self._program.actions for each in _event_triggers(action))

    def of(self, action: p.Action) -> ActionEffects:
        found = self._known.get(action.index)
        if found is None:
            found = self._known[action.index] = self._analyse(action)
        return found

    def _analyse(self, action: p.Action) -> ActionEffects:
        own, around = (action.effects, action.phases), self.surroundings
        is_plain = action.specifier is p.Specifier.PLAIN and not action.phases
        if not is_plain or around.asks:
            return ActionEffects(True, True, None)
        fails = around.fails or self._calls.has(_may_fail, own)
        if not self._calls.has(_may_ask, own):
            return ActionEffects(fails, False, ())
        return ActionEffects(fails, True, self._guards(action))

    def _guards(self, action: p.Action) -> tuple[Guard, ...] | None:
        """The guards of all inputs in the effects; None if a verb asks, or if the effects call actions."""
        if any(isinstance(node, p.RunEffects) for node in walk(action.effects)):
            return None
        inside = [node for node in walk(action.effects) if isinstance(node, p.Ask | p.CallAction | p.Cancel)]
        if not all(isinstance(node, p.Ask) for node in inside):
            return None
        for node in walk(action.effects):
            if isinstance(node, p.CallVerb) and self._calls.has(_may_ask, node):
                return None
        if self._moments - {p.When.AFTER} or (self._moments and len(action.effects) > 1):
            return None  # a triggered action may change anything before
        inputs = {known.slot for known in action.inputs}
        found: list[Guard] = []
        before = Writes()
        for effect in action.effects:
            for conditions in _paths(self._program, effect.block.statements, (), before, inputs):
                found.append(Guard(conditions))
        return tuple(found) if found else None


def is_combinatorial(action: p.Action) -> bool:
    """Whether the complete moves are combinations: a list is chosen, or an input is asked in a counted loop.

    There are too many such moves to list them for each sample.
    """
    if any(known.is_picked for known in action.inputs):
        return True
    for node in walk((action.effects, action.phases)):
        if isinstance(node, p.ForEach | p.ForRange) and any(
            isinstance(each, p.Ask) for each in walk(node.body)
        ):
            return True
        if isinstance(node, p.Ask) and node.input.is_picked:
            return True
    return False


def _surroundings(program: p.Program) -> list[Any]:
    """The code that may run after any action: phases, defaults, goals, and triggered actions."""
    found: list[Any] = [turn.default for turn in program.turns]
    found += [(phase.effect, phase.inputs) for turn in program.turns for phase in turn.phases]
    for action in program.actions:
        if action.is_goal or any(each.event in QUEUED for each in _event_triggers(action)):
            found += [action.effects, action.phases, action.inputs]
    return found


def _may_fail(node: Any) -> bool:
    return isinstance(node, p.Fail | p.Cancel | p.CallAction) or (
        isinstance(node, p.Input) and node.mode in (p.InputMode.ASKED, p.InputMode.AUTO)
    )


def _may_ask(node: Any) -> bool:
    return isinstance(node, p.Ask | p.CallAction | p.Cancel) or (
        isinstance(node, p.Input) and node.mode is p.InputMode.ASKED
    )


def _event_triggers(action: p.Action) -> Iterator[p.Trigger]:
    """The triggers of an action and its phases by which events start it."""
    for each in (*action.triggers, *(each for phase in action.phases for each in phase.triggers)):
        if each.event and each.event not in OFFERS:
            yield each


class Writes:
    """The write set of some statements. Mutable."""

    def __init__(self) -> None:
        self.slots: set[int] = set()
        self.moved = False
        self.edited = False
        """The board may have changed."""
        self.other = False
        """Instances may be new, or have other owners or places."""
        self.variables: set[int] = set()
        self._verbs: set[int] = set()
        """The verbs whose writes are included."""

    @property
    def is_empty(self) -> bool:
        return not (self.slots or self.moved or self.edited or self.other)

    def add(self, program: p.Program, node: Any) -> None:
        for inner in walk_into_calls(program, node, self._verbs):
            if isinstance(inner, p.Assign | p.Mutate):
                root = inner.place.root
                if isinstance(root, p.Variable):
                    self.variables.add(root.slot)
                elif isinstance(root, p.AttributeOf):
                    self.slots.add(root.slot)
            elif isinstance(inner, p.Move):
                self.moved = True
            elif isinstance(inner, p.Link) or (
                isinstance(inner, p.Apply) and inner.operation.facts.changes_board
            ):
                self.edited = self.moved = True
            elif isinstance(inner, p.Attach | p.BackIn | p.New | p.Out) or (
                isinstance(inner, p.Apply) and inner.operation.facts.changes
            ):
                self.other = True


def _paths(
    program: p.Program,
    statements: Sequence[p.Statement],
    conditions: tuple[tuple[p.Expression, bool], ...],
    before: Writes,
    inputs: set[int],
) -> Iterator[tuple[tuple[p.Expression, bool], ...]]:
    """For each input in some statements: the conditions around it that depend only on the inputs."""
    for statement in statements:
        match statement:
            case p.Ask():
                yield conditions
            case p.If(condition, then, otherwise):
                usable = _is_usable(condition, before, inputs)
                yes = (*conditions, (condition, True)) if usable else conditions
                no = (*conditions, (condition, False)) if usable else conditions
                yield from _paths(program, then, yes, before, inputs)
                yield from _paths(program, otherwise, no, before, inputs)
            case _:
                if any(isinstance(node, p.Ask) for node in walk(statement)):
                    yield conditions
        before.add(program, statement)


def _is_usable(condition: p.Expression, before: Writes, inputs: set[int]) -> bool:
    """Whether a condition has the same value before the effect begins."""
    for node in walk(condition):
        match node:
            case p.Variable(slot):
                if slot not in inputs or slot in before.variables:
                    return False
            case p.AttributeOf():
                if node.slot in before.slots:
                    return False
            case p.Apply(operation):
                if operation.facts.takes_chance or not _is_unaffected(operation, before):
                    return False
            case (
                p.Ambient() | p.Literal() | p.Logic() | p.NamedTile() | p.Setting() | p.Singleton() | p.This()
            ):
                pass
            case _ if hasattr(node, "span"):
                return False
            case _:
                pass
    return True


def _is_unaffected(operation: Operation, before: Writes) -> bool:
    """Whether the writes do not change the result of an operation on the same operands."""
    if before.is_empty:
        return True
    match operation.facts.reads:
        case "nothing":
            return not operation.facts.changes
        case "board":
            return not before.edited
        case "places":
            return not (before.moved or before.other)
        case _:
            return False
