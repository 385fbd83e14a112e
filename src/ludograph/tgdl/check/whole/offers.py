"""Checks of actions: whether they are ever offered, and what they may do in simultaneous phases."""

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.flow.calls import BodyEffect, EffectSummaries, effects_of, sealed_actions
from ludograph.tgdl.syntax.traversal import walk

FAILURES = BodyEffect.FAILS | BodyEffect.REFUSES


def check_offers(world: SymbolTable, program: p.Program, effects: EffectSummaries) -> None:
    _check_never_offered(world, program)
    _check_simultaneous(world, program, effects)


def _check_never_offered(world: SymbolTable, program: p.Program) -> None:
    """Warn of actions that have no trigger and that nothing calls."""
    for action in program.actions:
        if action.is_goal or action.overrides is not None or action.file != 0:
            continue
        triggers = [*action.triggers, *(one for phase in action.phases for one in phase.triggers)]
        if triggers or _is_used(world, action.index) or not action.name:
            continue
        node = world.actions[action.index].node
        if any(True for part in node.parts if type(part).__name__ == "Trigger"):
            continue  # its trigger has an error
        hint = "add `trigger on player choice;`"
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
        if facts.used or facts.inherited_by:
            return True
        waiting += facts.overridden_by
    return False


def _check_simultaneous(world: SymbolTable, program: p.Program, effects: EffectSummaries) -> None:
    """Report questions and failures in the effects of simultaneous phases.

    The effects run when all have chosen, so they can ask nobody. A failure would refuse the last choice
    because of the sealed choices of the others.
    """
    sealed = sealed_actions(program)
    for action in program.actions:
        if action.index not in sealed:
            continue
        message = (
            "the effects of a simultaneous phase run after all players have chosen: they cannot ask a player"
        )
        specifiers = (action.specifier, *(phase.specifier for phase in action.phases))
        if p.Specifier.CHOICE in specifiers:
            name = world.actions[action.index].node.name.span
            world.error("TG0375", message, name, action.file, "make the choice an input of the action")
        for effect in effects_of(action):
            file = action.file if effect.file is None else effect.file
            for node in walk(effect):
                match node:
                    case p.Ask(asked) if asked.mode is p.InputMode.ASKED:
                        hint = "move it to the inputs of the action"
                        world.error("TG0375", message, node.span, file, hint)
                    case p.CallVerb() | p.CallAction() if BodyEffect.ASKS in effects.of_call(node):
                        hint = f"'{effects.graph.name(node)}' asks a player"
                        world.error("TG0375", message, node.span, file, hint)
                    case p.Fail():
                        _warn_of_failure(world, "this fails", node.span, file)
                    case p.CallVerb() | p.CallAction() if effects.of_call(node) & FAILURES:
                        _warn_of_failure(world, f"'{effects.graph.name(node)}' fails", node.span, file)
                    case _:
                        pass


def _warn_of_failure(world: SymbolTable, what: str, span: Span, file: int) -> None:
    message = (
        f"{what} only after all players have chosen, "
        "so the choices of others can make the last choice illegal"
    )
    world.warn("TG0414", message, span, file, "test it in a `require` or a filter, before the choice")


def check_test_order(world: SymbolTable, program: p.Program) -> None:
    """Hint at a `fail` after a question that it does not depend on: it makes the search for moves longer."""
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
                    break  # the outcome of chance cannot be tested earlier
                if asked and asked[-1].slot not in slots:
                    _suggest_earlier_test(world, action, asked[-1], statement)


def _suggest_earlier_test(world: SymbolTable, action: p.Action, asked: p.Input, statement: p.If) -> None:
    message = f"this does not depend on '{asked.name}', which is asked before it"
    hint = f"test it before '{asked.name}' is asked, or in a `require`"
    notes = ((asked.span, "asked here"),)
    world.report("hint", "TG0491", message, statement.span, action.file, hint, notes)
