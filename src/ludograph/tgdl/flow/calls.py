"""The call graph of a program, and the effects of its bodies: questions, failures, chance.

Bodies are numbered: verbs come first, then actions. So the number of an action's body is the number of verbs
plus the index of the action.
"""

from collections.abc import Iterator
from enum import Flag, auto

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.flow.secrecy import Secrecies
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, Type
from ludograph.tgdl.syntax.traversal import walk

ANY_STACK = "stack"
CallNode = p.CallVerb | p.CallAction
NODES_WITH_EFFECTS = frozenset({p.Ask, p.Fail, p.Random, p.Apply, p.Mutate, p.CallVerb, p.CallAction})
"""The classes of nodes that may have effects; other nodes, which are most, are skipped."""


class BodyEffect(Flag):
    """The possible effects of a body, including those of the bodies that it calls."""

    ASKS = auto()
    """It asks a player."""
    ASKS_ACTOR = auto()
    """It asks the acting player."""
    FAILS = auto()
    """It runs a `fail`."""
    REFUSES = auto()
    """A require, or an input of a called action, may refuse."""
    COMMITS = auto()
    """Chance or another player decides something, so the acting player cannot go back."""


NOTHING = BodyEffect(0)
VISIBLE_EFFECTS = BodyEffect.ASKS_ACTOR | BodyEffect.FAILS | BodyEffect.REFUSES
"""The effects that the acting player can see: the list of moves depends on them."""


class CallGraph:
    """The bodies that every call may run."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.first_action = len(program.verbs)
        self._verbs = _with_overrides({verb.index: verb.overrides for verb in program.verbs})
        self._actions = _with_overrides({action.index: action.overrides for action in program.actions})

        self._owned_stacks = frozenset(each.stack for one in program.constructs for each in one.attributes)

    def is_owned_stack(self, type: Type) -> bool:
        """Whether a type is that of the stacks of an attribute."""
        return isinstance(type, ConstructType) and type.name in self._owned_stacks

    def targets(self, call: CallNode) -> list[int]:
        """The numbers of the bodies that a call may run: the named one first, then those that override it."""
        if isinstance(call, p.CallVerb):
            return [call.verb] if call.exact else self._verbs[call.verb]
        first = self.first_action
        return [first + each for each in ([call.action] if call.exact else self._actions[call.action])]

    def parameters(self, body: int) -> tuple[p.Input, ...]:
        """The parameters of a verb, or the inputs of an action."""
        if body < self.first_action:
            return self.program.verbs[body].parameters
        return self.program.actions[body - self.first_action].inputs

    def arguments(self, call: CallNode, target: int) -> Iterator[tuple[int, p.Expression]]:
        """The arguments of a call to a body, each after the slot of its parameter."""
        for parameter, argument in zip(self.parameters(target), call.arguments, strict=False):
            if argument is not None:
                yield parameter.slot, argument
        if isinstance(call, p.CallAction) and call.passed:
            passed = {variable.name: variable for variable in call.passed}
            for name, slot, _ in self.program.actions[target - self.first_action].shared:
                if name in passed:
                    yield slot, passed[name]

    def name(self, call: CallNode) -> str:
        if isinstance(call, p.CallVerb):
            return self.program.verbs[call.verb].name
        return self.program.actions[call.action].name


class EffectSummaries(Struct):
    """The effects of every verb and action."""

    secrecies: Secrecies
    graph: CallGraph
    shuffled: frozenset[str]
    """The types of stacks that may be shuffled somewhere."""
    of_bodies: list[BodyEffect] = field(default_factory=list)

    @classmethod
    def of(cls, program: p.Program) -> "EffectSummaries":
        secrecies = Secrecies.of(program)
        found = cls(secrecies, CallGraph(program), shuffled_stacks(program, secrecies))
        callers: dict[int, list[int]] = {}
        bodies: list[tuple[BodyEffect, object]] = [(NOTHING, verb.block) for verb in program.verbs]
        for action in program.actions:
            is_refusing = any(require.name is None for require in action.requires)
            bodies.append((BodyEffect.REFUSES if is_refusing else NOTHING, effects_of(action)))
        for number, (effects, body) in enumerate(bodies):
            for node in walk(body):
                if type(node) in NODES_WITH_EFFECTS and (more := found.of_node(node)) is not NOTHING:
                    effects |= more
                if isinstance(node, CallNode):
                    for target in found.graph.targets(node):
                        callers.setdefault(target, []).append(number)
            found.of_bodies.append(effects)
        worklist = list(range(len(found.of_bodies)))
        while worklist:
            number = worklist.pop()
            for caller in callers.get(number, ()):
                joined = found.of_bodies[caller] | found.of_bodies[number]
                if joined != found.of_bodies[caller]:
                    found.of_bodies[caller] = joined
                    worklist.append(caller)
        return found

    def of_node(self, node: object) -> BodyEffect:
        """The effects of one node, without those of the bodies that it calls."""
        match node:
            case p.Ask(asked):
                return _effect_of_input(asked)
            case p.CallAction(action):
                inputs = self.graph.program.actions[action].inputs
                effects = BodyEffect.REFUSES if any(refusable_arguments(inputs, node)) else NOTHING
                for asked, given in zip(inputs, node.arguments, strict=False):
                    if given is None:
                        effects |= _effect_of_input(asked)
                return effects
            case p.Fail():
                return BodyEffect.FAILS
            case _:
                return BodyEffect.COMMITS if self.is_chance(node) else NOTHING

    def of_call(self, call: CallNode) -> BodyEffect:
        """The effects of a call, including those of the bodies that it may run."""
        effects = self.of_node(call)
        for target in self.graph.targets(call):
            effects |= self.of_bodies[target]
        return effects

    def is_chance(self, node: object) -> bool:
        """Whether chance chooses something here."""
        match node:
            case p.Random():
                return True
            case p.Apply(operation, operands) if operation.facts.takes_card:
                type = operands[0].type
                return isinstance(type, ConstructType) and type.name in self.shuffled
            case p.Mutate(_, operation):
                return operation.facts.takes_chance
            case _:
                return False


def simultaneous_phases(program: p.Program) -> set[tuple[str, str]]:
    """The turns and names of the phases in which players choose at the same time."""
    return {(turn.name, phase.name) for turn in program.turns for phase in turn.phases if phase.simultaneous}


def sealed_actions(program: p.Program) -> frozenset[int]:
    """The actions that players may choose in a simultaneous phase."""
    phases = simultaneous_phases(program)
    return frozenset(
        action.index
        for action in program.actions
        for trigger in action.triggers
        if phases
        and trigger.event == Event.CHOICE.kind
        and (not trigger.phases or phases.intersection(trigger.phases))
    )


def effects_of(action: p.Action) -> tuple[p.Effect, ...]:
    """The effects of an action and of its phases."""
    return (*action.effects, *(one for phase in action.phases for one in phase.effects))


def refusable_arguments(
    inputs: tuple[p.Input, ...], call: p.CallAction
) -> Iterator[tuple[p.Input, p.Expression]]:
    """The inputs of a called action that may refuse their arguments, with the arguments."""
    for asked, given in zip(inputs, call.arguments, strict=False):
        if given is not None and asked.is_narrow and not _is_always_allowed(asked, given):
            yield asked, given


def asks_actor(asked: p.Input) -> bool:
    """Whether an input asks the acting player."""
    return asked.mode is p.InputMode.ASKED and isinstance(asked.chooser, p.Ambient | None)


def asks_another(asked: p.Input) -> bool:
    """Whether an input asks a player who may be another than the acting one."""
    return asked.mode is p.InputMode.ASKED and not isinstance(asked.chooser, p.Ambient | None)


def _effect_of_input(asked: p.Input) -> BodyEffect:
    if asked.mode is not p.InputMode.ASKED:
        return NOTHING
    return BodyEffect.ASKS | (BodyEffect.ASKS_ACTOR if asks_actor(asked) else BodyEffect.COMMITS)


def _is_always_allowed(asked: p.Input, given: p.Expression) -> bool:
    """Whether a literal number lies between literal bounds."""
    low, value, high = (_literal_number(one) for one in (asked.low, given, asked.high))
    if asked.filters or asked.source is not None or low is None or value is None or high is None:
        return False
    return low <= value <= high and (value - low) % 1 == 0


def _literal_number(node: p.Expression | None) -> float | None:
    match node:
        case p.Literal(int() | float() as value) if not isinstance(value, bool):
            return value
        case p.Apply(Operation.NEGATE, (p.Literal(int() | float() as value),)):
            return -value
        case _:
            return None


def _with_overrides(overrides: dict[int, int | None]) -> dict[int, list[int]]:
    """For every verb or action: itself, and all that override it, directly or indirectly."""
    direct: dict[int, list[int]] = {}
    for index, base in overrides.items():
        if base is not None:
            direct.setdefault(base, []).append(index)
    found: dict[int, list[int]] = {}
    for index in overrides:
        versions = [index]
        for each in versions:
            versions += [one for one in direct.get(each, ()) if one not in versions]
        found[index] = versions
    return found


def shuffled_stacks(program: p.Program, secrecies: Secrecies) -> frozenset[str]:
    """The names of the types of stack that may be shuffled somewhere in the program."""

    def kinds(name: str) -> set[str]:
        if name == ANY_STACK:
            return {one.name for one in program.constructs if one.kind is p.ConstructKind.STACK}
        return {one.name for one in secrecies.derived.get(name, ())}

    found: set[str] = set()
    for node in walk((program.actions, program.verbs, program.setups, program.turns)):
        if isinstance(node, p.Apply) and node.operation.facts.shuffles_stack:
            type = node.operands[0].type
            assert isinstance(type, ConstructType)
            found |= kinds(type.name)
    names = (*secrecies.constructs, ANY_STACK)
    return frozenset(name for name in names if not found.isdisjoint(kinds(name)))
