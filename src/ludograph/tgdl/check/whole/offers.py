"""Actions as a whole: which are ever offered, and what may not happen in simultaneous phases."""

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.implicit_flows import effects_of, refusable
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.syntax.traversal import walk


def check_offers(world: SymbolTable, program: p.Program) -> None:
    _check_never_offered(world, program)
    _check_simultaneous(world, program)


def _check_never_offered(world: SymbolTable, program: p.Program) -> None:
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


def _is_used(world: SymbolTable, index: int) -> bool:
    waiting = [index]
    while waiting:
        facts = world.actions[waiting.pop()]
        if facts.used:
            return True
        waiting += facts.overridden_by
    return False


def _check_simultaneous(world: SymbolTable, program: p.Program) -> None:
    """What players do at the same time is kept until all have chosen: its effects can ask nobody.

    Nor should they fail: that would refuse the choice of the last for what the others chose in secret.
    """
    phases = {
        (turn.name, phase.name) for turn in program.turns for phase in turn.phases if phase.simultaneous
    }
    if not phases:
        return
    asking, failing = asking_bodies(program), failing_bodies(program)
    for action in program.actions:
        offers = [trigger for trigger in action.triggers if trigger.event == Event.CHOICE.kind]
        if not any(not trigger.phases or phases.intersection(trigger.phases) for trigger in offers):
            continue
        message = "a simultaneous phase keeps its actions until all are in: their effects can ask nobody"
        specifiers = (action.specifier, *(phase.specifier for phase in action.phases))
        if p.Specifier.CHOICE in specifiers:
            name = world.actions[action.index].node.name.span
            world.error("TG0375", message, name, action.file, "make the choice an input of the action")
        for effect in effects_of(action):
            file = action.file if effect.file is None else effect.file
            for node in walk(effect):
                match node:
                    case p.Ask(asked) if asked.mode is p.InputMode.ASKED:
                        hint = "make it an input of the action"
                        world.error("TG0375", message, node.span, file, hint)
                    case p.CallVerb(verb) if verb in asking:
                        hint = f"'{program.verbs[verb].name}' asks"
                        world.error("TG0375", message, node.span, file, hint)
                    case p.CallAction(index, _, arguments) if _asks(program, asking, index, arguments):
                        hint = f"'{program.actions[index].name}' asks"
                        world.error("TG0375", message, node.span, file, hint)
                    case p.Fail():
                        _warn_of_failure(world, "this fails", node.span, file)
                    case p.CallVerb(verb) if verb in failing:
                        _warn_of_failure(world, f"'{program.verbs[verb].name}' fails", node.span, file)
                    case p.CallAction(index) if len(program.verbs) + index in failing or any(
                        refusable(program.actions[index].inputs, node)
                    ):
                        _warn_of_failure(world, f"'{program.actions[index].name}' fails", node.span, file)
                    case _:
                        pass


def _asks(
    program: p.Program, asking: set[int], index: int, arguments: tuple[p.Expression | None, ...]
) -> bool:
    """Whether a called action asks somebody: for an input that is not given, or in its effects."""
    inputs = program.actions[index].inputs
    left = [one for one, given in zip(inputs, arguments, strict=False) if given is None]
    return len(program.verbs) + index in asking or any(one.mode is p.InputMode.ASKED for one in left)


def _warn_of_failure(world: SymbolTable, what: str, span: Span, file: int) -> None:
    message = f"{what} only when all have chosen, and refuses the last of them for what the others chose"
    world.warn("TG0414", message, span, file, "test it in a `require` or a filter, before it is chosen")


def check_order(world: SymbolTable, program: p.Program) -> None:
    """A hint for a `fail` behind a question on which it does not depend: searching for a way costs time."""
    for action in program.actions:
        for effect in action.effects:
            asked = [one for one in action.inputs if one.mode is p.InputMode.ASKED]
            for statement in effect.block.statements:
                if isinstance(statement, p.Ask):
                    asked.append(statement.input)
                    continue
                if not isinstance(statement, p.If):
                    break
                if (
                    len(statement.then) != 1
                    or not isinstance(statement.then[0], p.Fail)
                    or statement.otherwise
                ):
                    break
                nodes = list(walk(statement.condition))
                slots = {node.slot for node in nodes if isinstance(node, p.Variable)}
                if any(isinstance(node, p.Random) for node in nodes):
                    break  # what chance decides cannot be tested before it
                if asked and asked[-1].slot not in slots:
                    _say_earlier(world, action, asked[-1], statement)


def _say_earlier(world: SymbolTable, action: p.Action, asked: p.Input, statement: p.If) -> None:
    message = f"this does not depend on '{asked.name}', which is asked before it"
    hint = f"test it before '{asked.name}' is asked, or in a `require`"
    notes = ((asked.span, "asked here"),)
    world.report("hint", "TG0491", message, statement.span, action.file, hint, notes)


def asking_bodies(program: p.Program) -> set[int]:
    """Verbs, and actions by number behind them, that ask a player in their statements."""
    bodies = [*(verb.block for verb in program.verbs), *(effects_of(action) for action in program.actions)]
    asking = {
        number
        for number, body in enumerate(bodies)
        if any(isinstance(node, p.Ask) and node.input.mode is p.InputMode.ASKED for node in walk(body))
    }
    return _with_callers(program, asking)


def failing_bodies(program: p.Program) -> set[int]:
    """Verbs, and actions by number behind them, that may fail when they are called."""
    first = len(program.verbs)
    failing = {
        verb.index for verb in program.verbs if any(_fails(program, node) for node in walk(verb.block))
    }
    for action in program.actions:
        if action.requires or any(_fails(program, node) for node in walk(effects_of(action))):
            failing.add(first + action.index)
    return _with_callers(program, failing)


def _fails(program: p.Program, node: object) -> bool:
    return isinstance(node, p.Fail) or (
        isinstance(node, p.CallAction) and any(refusable(program.actions[node.action].inputs, node))
    )


def _with_callers(program: p.Program, found: set[int]) -> set[int]:
    """Some verbs and actions, and all that call one of them."""
    first = len(program.verbs)
    calls: dict[int, set[int]] = {}
    bodies: list[tuple[int, object]] = [(verb.index, verb.block) for verb in program.verbs]
    bodies += [(first + action.index, effects_of(action)) for action in program.actions]
    for number, body in bodies:
        for node in walk(body):
            if isinstance(node, p.CallVerb):
                calls.setdefault(node.verb, set()).add(number)
            elif isinstance(node, p.CallAction):
                calls.setdefault(first + node.action, set()).add(number)
    waiting = list(found)
    while waiting:
        for caller in calls.get(waiting.pop(), ()):
            if caller not in found:
                found.add(caller)
                waiting.append(caller)
    return found
