"""Actions as a whole: which are ever offered, and what may not happen in simultaneous phases."""

from ludograph.tgdl.checker.world import World
from ludograph.tgdl.nodes import walk
from ludograph.tgdl.program import (
    Action,
    Ask,
    CallVerb,
    Fail,
    If,
    Input,
    InputMode,
    Program,
    Random,
    Variable,
)


def check_offers(world: World, program: Program) -> None:
    _check_never_offered(world, program)
    _check_simultaneous(world, program)


def _check_never_offered(world: World, program: Program) -> None:
    """An action without a trigger runs only when it is called."""
    for action in program.actions:
        if action.is_goal or action.overrides is not None or action.file != 0:
            continue
        triggers = [*action.triggers, *(one for phase in action.phases for one in phase.triggers)]
        if triggers or _is_used(world, action.index) or not action.name:
            continue
        node = world.actions[action.index].node
        if any(True for part in node.parts if type(part).__name__ == "Trigger"):
            continue  # its trigger had an error of its own
        hint = "give it `trigger on player choice;`"
        world.warn(
            "TG0404",
            f"the action '{action.name}' has no trigger and is never called",
            node.name.span,
            0,
            hint,
        )


def _is_used(world: World, index: int) -> bool:
    waiting = [index]
    while waiting:
        facts = world.actions[waiting.pop()]
        if facts.used:
            return True
        waiting += facts.overridden_by
    return False


def _check_simultaneous(world: World, program: Program) -> None:
    """What players do at the same time is kept until all have chosen: its effects can ask nobody."""
    phases = {
        (turn.name, phase.name) for turn in program.turns for phase in turn.phases if phase.simultaneous
    }
    if not phases:
        return
    asking = asking_verbs(program)
    for action in program.actions:
        offers = [trigger for trigger in action.triggers if trigger.event == "choice"]
        if not any(not trigger.phases or phases.intersection(trigger.phases) for trigger in offers):
            continue
        for node in _effect_nodes(action):
            message = "a simultaneous phase keeps its actions until all are in: their effects can ask nobody"
            if isinstance(node, Ask) and node.input.mode is InputMode.ASKED:
                world.error("TG0375", message, node.span, action.file, "make it an input of the action")
            elif isinstance(node, CallVerb) and node.verb in asking:
                world.error(
                    "TG0375", message, node.span, action.file, f"'{program.verbs[node.verb].name}' asks"
                )


def check_order(world: World, program: Program) -> None:
    """A hint for a `fail` behind a question on which it does not depend: searching for a way costs time."""
    for action in program.actions:
        for effect in action.effects:
            asked = [one for one in action.inputs if one.mode is InputMode.ASKED]
            for statement in effect.block.statements:
                if isinstance(statement, Ask):
                    asked.append(statement.input)
                    continue
                if not isinstance(statement, If):
                    break
                if len(statement.then) != 1 or not isinstance(statement.then[0], Fail) or statement.otherwise:
                    break
                nodes = list(walk(statement.condition))
                slots = {node.slot for node in nodes if isinstance(node, Variable)}
                if any(isinstance(node, Random) for node in nodes):
                    break  # what chance decides cannot be tested before it
                if asked and asked[-1].slot not in slots:
                    _say_earlier(world, action, asked[-1], statement)


def _say_earlier(world: World, action: Action, asked: Input, statement: If) -> None:
    message = f"this does not depend on '{asked.name}', which is asked before it"
    hint = f"test it before '{asked.name}' is asked, or in a `require`"
    notes = ((asked.span, "asked here"),)
    world.say("hint", "TG0491", message, statement.span, action.file, hint, notes)


def _effect_nodes(action: Action) -> list[object]:
    effects = [*action.effects, *(one for phase in action.phases for one in phase.effects)]
    return [node for effect in effects for node in walk(effect)]


def asking_verbs(program: Program) -> set[int]:
    """Verbs that ask a player, or call one that does."""
    calls: dict[int, set[int]] = {}
    asking: set[int] = set()
    for verb in program.verbs:
        nodes = list(walk(verb.block))
        if any(isinstance(node, Ask) and node.input.mode is InputMode.ASKED for node in nodes):
            asking.add(verb.index)
        for node in nodes:
            if isinstance(node, CallVerb):
                calls.setdefault(node.verb, set()).add(verb.index)
    waiting = list(asking)
    while waiting:
        for caller in calls.get(waiting.pop(), ()):
            if caller not in asking:
                asking.add(caller)
                waiting.append(caller)
    return asking
