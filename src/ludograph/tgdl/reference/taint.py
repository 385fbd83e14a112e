"""Run-time taint: who may know a value, and who may know the attributes that a run has written.

The information-flow analysis gives a value its labels. A label becomes a guard: code that finds the thing
which holds the secret, or the players who saw it. A run evaluates the guards when it writes a message, and
when it writes a labelled value to an attribute. It remembers who may know the attribute until players have
seen its effects.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.flow.analysis import InformationFlow
from ludograph.tgdl.flow.bodies import BodyFlows, writes_place
from ludograph.tgdl.flow.calls import shuffled_stacks
from ludograph.tgdl.flow.labels import Label, LabelKind
from ludograph.tgdl.reference.inputs import viewers
from ludograph.tgdl.reference.run import PLACES, Run
from ludograph.tgdl.reference.visibility import readers_of
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.world import PLAYER, Closure, Frame, Guards, World

SEEN_BY: Final = -1
"""Stands for the slot in a guard that gives players, and not a thing."""
EFFECTFUL = (p.CallVerb, p.CallAction, p.Mutate, p.New, p.Random)
"""Nodes that may do more than give a value, besides the operations that change something."""

Compile = Callable[[p.Expression], Closure]


class Knowledge(Struct, frozen=True):
    """Who may know the value of a part of a condition: the guards, and the calls that have their own."""

    guards: Guards
    calls: tuple[p.CallVerb, ...] = ()


class TaintCompiler:
    """Compiles the guards of one world. It analyses the program when the first guard is needed."""

    def __init__(self, world: World) -> None:
        self.world = world

    @cached_property
    def flow(self) -> InformationFlow:
        return InformationFlow(self.world.program, with_taint=True)

    @cached_property
    def shuffled(self) -> frozenset[str]:
        """The types of stacks that may be shuffled somewhere."""
        return shuffled_stacks(self.world.program, self.flow.secrecies)

    def guards_of_value(self, root: object, part: p.Expression, compile: Compile) -> Guards:
        if not self.world.hides_values:
            return ()
        labels = self.flow.labels_of_value(root, part)
        return self._guards(labels, self.flow.body_of(root), compile)

    def knowledge_of(self, root: object, part: object, compile: Compile) -> Knowledge:
        """Who could evaluate a part alone.

        A called verb is not included: an explanation opens it with its receiver and its arguments. The labels
        of the parameters of a verb are those of the arguments, which belong to the part that calls it.
        """
        if not self.world.hides_values:
            return Knowledge(())
        if any(self._is_opaque(node) for node in walk(part)):
            return Knowledge(None)
        labels, calls = self.flow.labels_beside_calls(root, part, resolves=not isinstance(root, p.Verb))
        if any(label.kind is LabelKind.STACK for label in labels):
            return Knowledge(None)
        return Knowledge(self._guards(labels, self.flow.body_of(root), compile), calls)

    def _is_opaque(self, node: object) -> bool:
        """Whether a node may read a secret that has no label: the cards of a stack, or a whole position."""
        if isinstance(node, p.Random | p.Mutate | p.New | p.CallAction):
            return True
        if not isinstance(node, p.Apply):
            return False
        facts, operand = node.operation.facts, node.operands[0] if node.operands else None
        if facts.changes or facts.reads in ("group", "game"):
            return True
        if facts.takes_chance and getattr(operand and operand.type, "name", "") in self.shuffled:
            return True
        stack = None if operand is None else p.table_of_entry(operand)[0]
        is_public_stack = isinstance(stack, p.AttributeOf) or (
            isinstance(stack, p.Singleton) and self.flow.secrecies.secret_stack(stack) is None
        )
        reads_stack = facts.reads == "stacks" and not facts.is_public
        return reads_stack and self.flow.secrecies.has_secret_stacks and not is_public_stack

    def of_write(
        self, root: object, node: p.Assign | p.Mutate, compile: Compile
    ) -> Callable[[Run, Frame, Instance], None] | None:
        target = node.place.root
        if not self.world.hides_values or not isinstance(target, p.AttributeOf):
            return None
        add = self._adding(root, node, compile)
        if add is None:
            return None
        slot = target.slot
        return lambda run, frame, instance: add(run, frame, instance.offset + slot)

    def of_places(self, root: object, node: p.Statement, compile: Compile) -> Closure | None:
        if not self.world.hides_values or not isinstance(
            node, p.Move | p.Evaluate | p.Assign | p.Declare | p.Return
        ):
            return None
        found = [self._adding(root, each, compile) for each in walk(node) if writes_place(each)]
        adding = [add for add in found if add is not None]
        if not adding:
            return None

        def add_all(run: Run, frame: Frame) -> None:
            for add in adding:
                add(run, frame, PLACES)

        return add_all

    def tainted_at_creation(self) -> dict[str, list[int]]:
        """The slots that may hold a secret in new things, by construct."""
        found: dict[str, list[int]] = {}
        if self.world.hides_values:
            for construct, slot in self.flow.tainted_at_creation:
                found.setdefault(construct, []).append(slot)
        return found

    def secret_keys(self) -> frozenset[int]:
        """The inputs, by identity, in loops over something that not everybody may see."""
        program = self.world.program
        if not self.world.has_secrets:
            return frozenset()
        return frozenset(
            id(node)
            for root in (*program.verbs, *program.actions, *program.setups, *program.turns)
            for node in walk(root)
            if isinstance(node, p.Input)
            and any(
                self._has_labels(root, p.Variable(slot, "", type, node.span)) for slot, type in node.loops
            )
        )

    def _has_labels(self, root: object, node: p.Expression) -> bool:
        return any(label.kind is not LabelKind.STACK for label in self.flow.labels_of_value(root, node))

    def _adding(self, root: object, node: Any, compile: Compile) -> Callable[[Run, Frame, int], None] | None:
        """Records who may know a cell after a write; None: everybody."""
        labels, body = self.flow.labels_of_write(root, node), self.flow.body_of(root)
        guards = self._guards(labels, body, compile)
        if guards == ():
            return None
        # After a simultaneous phase everybody knows the choices in it, but still no other secrets.
        lasting = self._guards((one for one in labels if one.kind is not LabelKind.SEALED), body, compile)

        def add(run: Run, frame: Frame, cell: int) -> None:
            if lasting != ():
                run.add_taint(run.taints, cell, readers_of(run, frame, lasting))
            if run.is_revealing:
                run.add_taint(run.sealed_taints, cell, readers_of(run, frame, guards))

        return add

    def _guards(self, labels: Iterable[Label], body: BodyFlows, compile: Compile) -> Guards:
        guards: list[tuple[Closure, int]] = []
        for label in labels:
            match label.kind:
                case LabelKind.ATTRIBUTE:
                    assert label.holder is not None
                    if any(_is_effectful(node) for node in walk(label.holder)):
                        return None  # it cannot be evaluated once more
                    guards.append((compile(label.holder), label.slot))
                case LabelKind.TAINT:
                    guards.append((_who_knows_all_attributes, SEEN_BY))
                case LabelKind.PLACES:
                    guards.append((_who_knows_places, SEEN_BY))
                case LabelKind.ANSWER:
                    guards.append((_who_saw(body.hidden_inputs[label.slot], compile), SEEN_BY))
                case LabelKind.SEALED:
                    guards.append((_nobody_yet if label.holder is None else _chooser, SEEN_BY))
                case LabelKind.STACK:
                    pass  # a message checks each card that it names
                case _:
                    return None
        return tuple(guards)


def _is_effectful(node: object) -> bool:
    return isinstance(node, EFFECTFUL) or (isinstance(node, p.Apply) and node.operation.facts.changes)


def _everybody(run: Run) -> frozenset[int]:
    return frozenset(range(run.world.players))


def _who_knows_all_attributes(run: Run, frame: Frame) -> frozenset[int]:
    return _everybody(run).intersection(*run.known_taints.values())


def _who_knows_places(run: Run, frame: Frame) -> frozenset[int]:
    readers = run.known_taints.get(PLACES)
    return _everybody(run) if readers is None else readers


def _chooser(run: Run, frame: Frame) -> frozenset[int]:
    """Who knows the sealed choice of the player who acts in this frame."""
    return frozenset((frame[PLAYER],)) if run.is_revealing else _everybody(run)


def _nobody_yet(run: Run, frame: Frame) -> frozenset[int]:
    """Who knows the sealed choice of a player who cannot be named in this frame."""
    return frozenset() if run.is_revealing else _everybody(run)


def _who_saw(asked: p.Input, compile: Compile) -> Closure:
    """The players who saw the answer to an input."""
    assert asked.visible is not None
    visible = compile(asked.visible)
    chooser = None if asked.chooser is None else compile(asked.chooser)

    def who(run: Run, frame: Frame) -> frozenset[int]:
        answered = frame[PLAYER] if chooser is None else chooser(run, frame)
        return (viewers(run, frame, visible) or frozenset()) | {answered}

    return who
