"""Parts of actions that nothing starts: effects and phases that can never run."""

from collections.abc import Sequence

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.syntax.traversal import walk


def check_unreachable_parts(world: SymbolTable, program: p.Program) -> None:
    """Warn of parts that cannot run, in the actions of the game's own file.

    A called action runs as a whole. An action that overrides or inherits another one shares its parts and
    triggers with it. Nothing but its conditions starts a goal. After an error a trigger may be missing.
    """
    if world.reports.errors:
        return
    for action in program.actions:
        facts = world.actions[action.index]
        if action.file != 0 or facts.shares_parts:
            continue
        if action.is_goal:
            _check_effects(world, action, action, runs_whole=True)
        elif action.triggers or facts.used:
            _check_action(world, action, is_called=facts.used)


def _check_action(world: SymbolTable, action: p.Action, *, is_called: bool) -> None:
    runs_whole = is_called or _starts_unnamed(action.triggers)
    _check_effects(world, action, action, runs_whole=runs_whole)
    for phase in action.phases:
        if phase.triggers:
            _check_effects(world, action, phase, runs_whole=_starts_unnamed(phase.triggers))
        elif runs_whole:
            _check_effects(world, action, phase, runs_whole=True)
        else:
            message = f"this phase never runs: all triggers of '{action.name}' start named parts"
            _warn(world, message, phase.span, "phase", "a trigger without `for` starts the whole action")


def _check_effects(
    world: SymbolTable, action: p.Action, stage: p.Action | p.ActionPhase, *, runs_whole: bool
) -> None:
    started = {trigger.name for trigger in stage.triggers}
    if runs_whole:
        started |= {
            name for node in walk(stage.effects) if isinstance(node, p.RunEffects) for name in node.names
        }
    for effect in stage.effects:
        if effect.name in started or (runs_whole and _belongs_to_whole(effect, stage.specifier)):
            continue
        if effect.name is None:
            what = "this phase" if isinstance(stage, p.ActionPhase) else f"'{action.name}'"
            message = f"this effect never runs: all triggers of {what} start named parts"
            hint = "a trigger without `for` starts the effects without a name"
        else:
            message = f"this effect never runs: no trigger is for '{effect.name}'"
            event = "" if action.is_goal else "on … "
            block = " { … }" if action.is_goal else ";"
            hint = f"write `trigger {event}for {effect.name}{block}`"
        _warn(world, message, effect.span, "effect", hint)


def _starts_unnamed(triggers: Sequence[p.Trigger]) -> bool:
    return any(trigger.name is None for trigger in triggers)


def _belongs_to_whole(effect: p.Effect, specifier: p.Specifier) -> bool:
    """Whether an effect runs when the whole action runs."""
    return effect.name is None or specifier is not p.Specifier.PLAIN


def _warn(world: SymbolTable, message: str, span: Span, word: str, hint: str) -> None:
    world.warn("TG0404", message, Span(span.start, span.start + len(word)), 0, hint)
