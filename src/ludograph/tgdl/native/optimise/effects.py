"""What is known of an action before it runs: whether it can fail, and whether it can ask for more.

An action that can do neither needs no trial: each choice of its inputs is one complete move. One that can
only fail may be drawn first and tried then, which leaves all that succeed equally likely. Where an input
stands inside an effect, the conditions around it often tell from the inputs alone that it will not be asked.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import OFFERS, QUEUED
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.world.analysis import reached, walk


class Guard(Struct, frozen=True):
    """Conditions, and the truth that they must have, without which an input in an effect is not asked."""

    conditions: tuple[tuple[p.Expression, bool], ...]


class ActionEffects(Struct, frozen=True):
    """What an action can do."""

    fails: bool
    asks: bool
    guards: tuple[Guard, ...] | None
    """If it asks: one of these holds then. None: nothing is known."""


class EffectAnalysis:
    """The effects of the actions of a program. Mutable: each is analysed once, when it is first needed."""

    def __init__(self, program: p.Program) -> None:
        self._program = program
        self._known: dict[int, ActionEffects] = {}

    @cached_property
    def surroundings(self) -> ActionEffects:
        """What may follow any action."""
        roots = _surroundings(self._program)
        return ActionEffects(_fails(self._program, *roots), _asks(self._program, *roots), None)

    def of(self, action: p.Action) -> ActionEffects:
        found = self._known.get(action.index)
        if found is None:
            found = self._known[action.index] = _analyse(self._program, action, self.surroundings)
        return found


def _analyse(program: p.Program, action: p.Action, around: ActionEffects) -> ActionEffects:
    own = (action.effects, action.phases)
    is_plain = action.specifier is p.Specifier.PLAIN and not action.phases
    if not is_plain or around.asks:
        return ActionEffects(True, True, None)
    fails = around.fails or _fails(program, own)
    if not _asks(program, own):
        return ActionEffects(fails, False, ())
    return ActionEffects(fails, True, _guards(program, action))


def is_combinatorial(action: p.Action) -> bool:
    """Whether its complete moves are combinations: a list is chosen, or an input asked in a counted loop.

    Such moves are too many to be listed for each draw.
    """
    if any(isinstance(known.type, ListType) and known.mode is p.InputMode.ASKED for known in action.inputs):
        return True
    for node in walk((action.effects, action.phases)):
        if isinstance(node, p.ForEach | p.ForRange) and any(
            isinstance(each, p.Ask) for each in walk(node.body)
        ):
            return True
        if isinstance(node, p.Ask) and isinstance(node.input.type, ListType):
            return True
    return False


def _surroundings(program: p.Program) -> list[Any]:
    """What may follow any action: phases, defaults, goals, and all that is triggered."""
    found: list[Any] = [turn.default for turn in program.turns]
    found += [(phase.effect, phase.inputs) for turn in program.turns for phase in turn.phases]
    for action in program.actions:
        if action.is_goal or any(each.event in QUEUED for each in _heard(action)):
            found += [action.effects, action.phases, action.inputs]
    return found


def _fails(program: p.Program, *roots: Any) -> bool:
    return any(
        isinstance(node, p.Fail | p.Cancel | p.CallAction)
        or (isinstance(node, p.Input) and node.mode in (p.InputMode.ASKED, p.InputMode.AUTO))
        for node in reached(program, *roots)
    )


def _asks(program: p.Program, *roots: Any) -> bool:
    return any(
        isinstance(node, p.Ask | p.CallAction | p.Cancel)
        or (isinstance(node, p.Input) and node.mode is p.InputMode.ASKED)
        for node in reached(program, *roots)
    )


def _guards(program: p.Program, action: p.Action) -> tuple[Guard, ...] | None:
    """The guards of all inputs inside the effects; None if a verb asks, or the effects call actions."""
    inside = [node for node in walk(action.effects) if isinstance(node, p.Ask | p.CallAction | p.Cancel)]
    if not all(isinstance(node, p.Ask) for node in inside):
        return None
    for node in walk(action.effects):
        if isinstance(node, p.CallVerb) and _asks(program, node):
            return None
    moments = {each.when for other in program.actions for each in _heard(other)}
    if moments - {p.When.AFTER} or (moments and len(action.effects) > 1):
        return None  # what is triggered meanwhile may change anything
    inputs = {known.slot for known in action.inputs}
    found: list[Guard] = []
    before = Writes()
    for effect in action.effects:
        for conditions in _paths(program, effect.block.statements, (), before, inputs):
            found.append(Guard(conditions))
    return tuple(found) if found else None


def _heard(action: p.Action) -> Iterator[p.Trigger]:
    """The triggers of an action, and of its phases, by which events start it."""
    for each in (*action.triggers, *(each for phase in action.phases for each in phase.triggers)):
        if each.event and each.event not in OFFERS:
            yield each


class Writes:
    """What has been written so far. Mutable."""

    def __init__(self) -> None:
        self.slots: set[int] = set()
        self.moved = False
        self.edited = False
        """The board may be another."""
        self.other = False
        """There may be other things, or they may belong to others or lie elsewhere."""
        self.variables: set[int] = set()

    @property
    def is_empty(self) -> bool:
        return not (self.slots or self.moved or self.edited or self.other)

    def see(self, program: p.Program, node: Any) -> None:
        for inner in reached(program, node):
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
            elif isinstance(inner, p.Attach | p.New | p.Out) or (
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
    """For each input asked among some statements: the conditions around it that the inputs alone decide."""
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
        before.see(program, statement)


def _is_usable(condition: p.Expression, before: Writes, inputs: set[int]) -> bool:
    """Whether a condition means the same before the effect begins."""
    for node in walk(condition):
        match node:
            case p.Variable(slot):
                if slot not in inputs or slot in before.variables:
                    return False
            case p.AttributeOf():
                if node.slot in before.slots:
                    return False
            case p.Apply(operation):
                if operation.facts.takes_chance or not _means_the_same(operation, before):
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


def _means_the_same(operation: Operation, before: Writes) -> bool:
    """Whether an operation gives the same for the same operands after what has been written."""
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
