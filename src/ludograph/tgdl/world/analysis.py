"""Static analysis of a program: the possible consequences of an action.

An action is safe if nothing in it, in the actions that it triggers, or at the end of its transaction can fail
or ask for a choice. Every offer of a safe action is legal, so the engine does not have to try it first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import CONDITION, OFFERS, QUEUED, Event, event_named
from ludograph.tgdl.program.types import ConstructType, ListType, TableType, Type
from ludograph.tgdl.syntax.traversal import CHILDREN
from ludograph.tgdl.world.world import World


def walk(node: Any) -> Iterator[Any]:
    """A node of the program and its descendants, in source order."""
    worklist = [node]
    pop, extend, children = worklist.pop, worklist.extend, CHILDREN
    while worklist:
        at = pop()
        kind = type(at)
        if kind is tuple:
            extend(at[::-1])
            continue
        parts = children[kind]
        if parts is not None:
            yield at
            extend(parts(at)[::-1])


def triggers_over_names(action: p.Action, phase: int | None) -> list[p.Trigger]:
    """The triggers of an action, or of a phase of it, over names (`trigger { A or B }`)."""
    triggers = action.triggers if phase is None else action.phases[phase].triggers
    return [each for each in triggers if not each.event and each.block and each.block.statements]


def reads_uninitialised(construct: p.Construct) -> bool:
    """Whether an initialiser may read attributes that are initialised later: through a verb or `this`."""
    initialisers = tuple(attribute.initial for attribute in construct.attributes)
    return any(isinstance(node, p.This | p.CallVerb) for node in walk(initialisers))


def walk_program(program: p.Program) -> Iterator[Any]:
    """All nodes of a program that run during play."""
    yield from walk((program.actions, program.verbs, program.turns, program.setups, program.constructs))
    yield from walk((program.board, program.constants, program.options))


def walk_with_calls(program: p.Program, *roots: Any) -> Iterator[Any]:
    """Some nodes and their descendants, and those of all verbs that they call, directly or indirectly."""
    yield from walk_into_calls(program, roots, set())


def walk_into_calls(program: p.Program, roots: Any, seen: set[int]) -> Iterator[Any]:
    """The same without the verbs in `seen`, to which the others are added."""
    overriding = find_overriding(program)
    worklist = [roots]
    while worklist:
        for node in walk(worklist.pop()):
            yield node
            if isinstance(node, p.CallVerb):
                for verb in call_targets(overriding, node):
                    if verb not in seen:
                        seen.add(verb)
                        worklist.append(program.verbs[verb].block)
                        worklist.append(program.verbs[verb].parameters)


def find_value_verb(program: p.Program) -> int | None:
    """The index of the verb `value(player p)`, which says how well a player stands; None if there is none."""
    return next((verb.index for verb in program.verbs if verb.owner is None and verb.name == "value"), None)


def find_resample_blocks(program: p.Program) -> tuple[int, ...]:
    """The indexes of the `resample` blocks, which draw secret attributes anew: verbs without a symbol."""
    return tuple(each.index for each in program.verbs if each.owner is None and each.name == "resample")


def secret_attributes(program: p.Program) -> Iterator[tuple[p.Construct, p.Attribute]]:
    """The attributes that some player may not see, except stacks."""
    for construct in program.constructs:
        for attribute in construct.attributes:
            if p.is_secret(construct, attribute) and not attribute.makes_stack:
                yield construct, attribute


def undrawn_secrets(program: p.Program) -> tuple[str, ...]:
    """The secret attributes if no block draws secrets anew, such as `seat.hand`."""
    if find_resample_blocks(program):
        return ()
    return tuple(f"{construct.name}.{attribute.name}" for construct, attribute in secret_attributes(program))


def forgotten_value(attribute: p.Attribute) -> p.Expression | None:
    """The initial value that a forgotten attribute gets.

    None: the value without an initial one, because the initial value creates something or reads other values.
    """
    initial = attribute.initial
    if initial is None or isinstance(attribute.type, ListType | TableType):
        return initial
    reads = (p.This, p.CallVerb, p.New, p.AttributeOf, p.Singleton, p.Ambient, p.Query)
    return None if any(isinstance(node, reads) for node in walk((initial,))) else initial


def has_greatest_payoff(program: p.Program) -> bool:
    """Whether no payoff is greater than that of a win alone: no payoffs are numbers of the rules."""
    return not any(isinstance(node, p.End) and node.kind == "finish" for node in walk_program(program))


def counts_wins_only(world: World) -> bool:
    """Whether a search counts who wins, not the payoffs of the rules: a `value` estimates chances to win."""
    return world.players > 1 and find_value_verb(world.program) is not None


def hides_anything(world: World) -> bool:
    """Whether the rules hide anything from players, or let them choose at the same time."""
    return world.has_secrets or any(each.phase.simultaneous for each in world.phases)


def find_overriding(program: p.Program) -> dict[int, list[int]]:
    """By verb: the verbs that directly override it."""
    found: dict[int, list[int]] = {}
    for verb in program.verbs:
        if verb.overrides is not None:
            found.setdefault(verb.overrides, []).append(verb.index)
    return found


def call_targets(overriding: Mapping[int, Sequence[int]], call: p.CallVerb) -> list[int]:
    """The possible targets of a call: the named verb and its overrides."""
    found = [call.verb]
    if not call.exact:
        for verb in found:  # it grows
            found += overriding.get(verb, ())
    return found


class VerbCalls:
    """Which verbs call which. Mutable: a question about all verbs is answered once.

    The bodies of verbs are not walked again for each caller: that would take the product of the number of
    callers and the number of verbs.
    """

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self._overriding = find_overriding(program)
        self._callers: dict[int, set[int]] | None = None
        self._known: dict[Callable[[Any], bool], frozenset[int]] = {}

    def has(self, test: Callable[[Any], bool], *roots: Any) -> bool:
        """Whether some nodes, their descendants, or those of a verb that they call, pass a test."""
        found = self._verbs_with(test)
        return any(
            test(node)
            or (
                isinstance(node, p.CallVerb)
                and any(verb in found for verb in call_targets(self._overriding, node))
            )
            for node in walk(roots)
        )

    def _verbs_with(self, test: Callable[[Any], bool]) -> frozenset[int]:
        """The verbs that contain a node that passes a test, or call such a verb."""
        known = self._known.get(test)
        if known is None:
            verbs = self.program.verbs
            found = {verb.index for verb in verbs if any(map(test, walk((verb.block, verb.parameters))))}
            waiting = list(found)
            while waiting:
                new = self._callers_of(waiting.pop()) - found
                found |= new
                waiting += new
            known = self._known[test] = frozenset(found)
        return known

    def _callers_of(self, verb: int) -> set[int]:
        if self._callers is None:
            self._callers = {}
            for caller in self.program.verbs:
                for node in walk((caller.block, caller.parameters)):
                    if isinstance(node, p.CallVerb):
                        for called in call_targets(self._overriding, node):
                            self._callers.setdefault(called, set()).add(caller.index)
        return self._callers.get(verb, set())


def passed_fields(program: p.Program, call: p.CallAction) -> list[tuple[int, Type, p.Variable]]:
    """The fields of the event that `base(…)` passes on: slot and type in the base, and the variable here.

    A field of another type in the base is left out, because an override may have other triggers.
    """
    if not call.passed:
        return []
    own = {variable.name: variable for variable in call.passed}
    bases = {construct.name: construct.base for construct in program.constructs}

    def fits(type: Type, wanted: Type) -> bool:
        while type != wanted and isinstance(type, ConstructType) and (base := bases.get(type.name)):
            type = ConstructType(base)
        return type == wanted

    return [
        (slot, type, own[name])
        for name, slot, type in program.actions[call.action].shared
        if name in own and fits(own[name].type, type)
    ]


def used_events(program: p.Program) -> set[Event]:
    """The events that trigger or offer actions."""
    triggers = (
        trigger
        for action in program.actions
        for trigger in _triggers(action)
        if trigger.event and trigger.event != CONDITION
    )
    found = {(trigger.event, bool(trigger.actions)) for trigger in triggers}
    return {event_named(kind, of_action=of_action) for kind, of_action in found}


class Analysis:
    """The possible consequences of the actions of one program.

    The consequences of an action are everything that may run after its effects in the same transaction: the
    actions that it triggers, phases, turns and goals.
    """

    def __init__(self, program: p.Program) -> None:
        self._calls = VerbCalls(program)
        consequences: list[Any] = [turn.default for turn in program.turns]
        consequences += [(phase.effect, phase.inputs) for turn in program.turns for phase in turn.phases]
        for action in program.actions:
            triggered = [trigger for trigger in _triggers(action) if trigger.event not in OFFERS]
            if action.is_goal or any(not each.event or each.event in QUEUED for each in triggered):
                consequences += [action.effects, action.phases, action.inputs]
        self.has_safe_consequences = self._cannot_fail_or_ask(*consequences)
        """Whether no consequence of an action can fail or ask for a choice."""
        if any(phase.simultaneous for turn in program.turns for phase in turn.phases):
            # The last choice of a simultaneous phase also runs the effects of all other choices.
            consequences += [(action.effects, action.phases) for action in program.actions]
        self._has_deterministic_consequences = self._has_no_chance(*consequences)

    def is_safe(self, action: p.Action) -> bool:
        """Whether an action can be offered without a trial run."""
        if not self.has_safe_consequences or action.specifier is not p.Specifier.PLAIN or action.phases:
            return False
        if any(known.mode is not p.InputMode.ASKED for known in action.inputs):
            return False
        return self._cannot_fail_or_ask(action.effects)

    def is_deterministic(self, action: p.Action) -> bool:
        """Whether neither an action nor its consequences use chance."""
        return self._has_deterministic_consequences and self._has_no_chance(
            action.inputs, action.effects, action.phases
        )

    def _has_no_chance(self, *roots: Any) -> bool:
        return not self._calls.has(_takes_chance, *roots)

    def can_cancel(self, action: p.Action) -> bool:
        return self._calls.has(_cancels, action.effects, action.phases)

    def _cannot_fail_or_ask(self, *roots: Any) -> bool:
        return not self._calls.has(_may_fail_or_ask, *roots)


def _takes_chance(node: Any) -> bool:
    return isinstance(node, p.Random) or (
        isinstance(node, p.Apply | p.Mutate) and node.operation.facts.takes_chance
    )


def _cancels(node: Any) -> bool:
    return isinstance(node, p.Cancel)


def _may_fail_or_ask(node: Any) -> bool:
    return isinstance(node, p.Fail | p.Ask | p.CallAction | p.Cancel) or (
        isinstance(node, p.Input) and node.mode in (p.InputMode.ASKED, p.InputMode.AUTO)
    )


def _triggers(action: p.Action) -> Iterator[Any]:
    yield from action.triggers
    for phase in action.phases:
        yield from phase.triggers


def never_none(node: p.Expression) -> bool:
    """Whether the value of an expression is never none."""
    match node:
        case p.This() | p.Singleton() | p.Logic() | p.IsType() | p.MakeList() | p.MakeTable() | p.New():
            return True
        case p.Literal(value):
            return value is not None
        case p.Conditional(_, then, otherwise):
            return never_none(then) and never_none(otherwise)
        case p.Apply(operation) | p.Query(operation):
            return not operation.facts.may_be_none
        case _:
            return False


def charges_fuel_once(node: p.Apply) -> bool:
    """Whether a query charges the fuel for a position only once: for that of the game or of a named group."""
    return node.operation.facts.is_position and all(
        isinstance(operand, p.Singleton) for operand in node.operands
    )


def depends_on_viewer(world: World, verb: int) -> bool:
    """Whether the result of a verb may depend on the viewer. A spectator is no player."""
    found = world.viewer_dependence.get(verb)
    if found is None:
        block = world.program.verbs[verb].block
        found = world.viewer_dependence[verb] = any(
            isinstance(node, p.Ambient) and node.name == "player"
            for node in walk_with_calls(world.program, block)
        )
    return found


def merged_width(world: World, known: p.Input) -> int:
    """The fuel cost of comparing two candidates of an input that merges those that are alike; 0: it does not.

    An input merges interchangeable instances if a player chooses among them.
    """
    type = known.type.element if isinstance(known.type, ListType) else known.type
    if known.mode is not p.InputMode.ASKED or not isinstance(type, ConstructType):
        return 0
    kinds = [world.kinds[index].construct for index in world.subtypes.get(type.name, ())]
    return max((1 + len(kind.attributes) for kind in kinds if kind.interchangeable), default=0)
