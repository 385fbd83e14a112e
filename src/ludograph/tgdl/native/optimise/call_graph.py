"""The call graph of a world: recursive verbs, waiting actions, replayed effects."""

from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import QUEUED
from ludograph.tgdl.world.analysis import call_targets, find_overriding, walk, walk_program
from ludograph.tgdl.world.world import World

DEEPEST = 1000
"""The limit of the call depth."""


def may_wait(world: World) -> bool:
    """Whether actions may wait for the end of the effect that triggered them."""
    return any(
        event in QUEUED and any(each.when is p.When.AFTER for each in listeners)
        for (event, _), listeners in world.listeners.items()
    )


def may_replay(world: World) -> bool:
    """Whether effects may be executed again with the same choices."""
    return any(
        (isinstance(node, p.Cancel) and node.effect != "all")
        or (isinstance(node, p.Action | p.ActionPhase) and node.specifier is p.Specifier.SIMULTANEOUS)
        for node in walk_program(world.program)
    )


def find_flat_verbs(world: World) -> frozenset[int]:
    """Verbs whose call depth has a static bound: no recursive verb reaches them or is reached by them.

    If actions start other actions, there is no static bound for any verb.
    """
    program = world.program
    nests = any(event in QUEUED for event, _ in world.listeners) or any(
        isinstance(node, p.CallAction) for node in walk((program.actions, program.verbs, program.turns))
    )
    if nests or len(program.verbs) > DEEPEST // 2:
        return frozenset()
    overriding = find_overriding(program)
    calls = {
        verb.index: {
            other
            for node in walk((verb.block, verb.parameters))
            if isinstance(node, p.CallVerb)
            for other in call_targets(overriding, node)
        }
        for verb in program.verbs
    }
    below = {verb: _reached(calls, verb) for verb in calls}
    deep = {verb for verb in calls if verb in below[verb]}
    inside = {other for verb in deep for other in below[verb]}
    return frozenset(verb for verb in calls if verb not in inside and not below[verb] & deep)


def _reached(calls: dict[int, set[int]], start: int) -> set[int]:
    """The verbs that a verb reaches."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        new = calls[waiting.pop()] - found
        found |= new
        waiting += new
    return found
