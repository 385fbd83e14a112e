"""Revealed information: what a player sees now and could not see in an earlier state.

It is an instance or attribute that was hidden, or a visible attribute whose new value comes from a secret.
For the latter the transactions are executed again: a run tracks the values that come from secrets.
"""

from collections.abc import Iterator

from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.game.trace import parts_since
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import deep_recursion, execute
from ludograph.tgdl.reference.visibility import sees, sees_attribute, sees_thing
from ludograph.tgdl.world.memory import Instance, differs


def shown_since(reference: ReferenceHistory, before: Snapshot, begin: int, player: int) -> Iterator[str]:
    """The names of all instances and attributes revealed to a player since a snapshot.

    `begin` is the position in the log of the first choice since.
    """
    if not reference.snapshot.world.has_secrets:
        return
    then, now = before.look(), reference.snapshot.look()
    with deep_recursion(then), deep_recursion(now):
        for instance in then.memory.instances:
            yield from _newly_seen(then, now, instance, player)
    for first, last in parts_since(reference, begin):
        base, choices = reference.runs[last + 1]
        known = len(choices) - (last + 1 - first)
        run = execute(reference.snapshot.world, base, choices, known=known).run
        with deep_recursion(run):
            yield from _copied(run, player)


def _newly_seen(then: Run, now: Run, instance: Instance, player: int) -> Iterator[str]:
    name = ref(now.world, instance)
    if not sees_thing(now, instance, player):
        return
    if not sees_thing(then, instance, player):
        yield name
        return
    for attribute in instance.kind.construct.attributes:
        if sees_attribute(now, instance, attribute, player):
            if not sees_attribute(then, instance, attribute, player):
                yield f"{name}.{attribute.name}"


def _copied(run: Run, player: int) -> Iterator[str]:
    """The visible attributes that a run has set to a value from a secret."""
    for instance in run.memory.instances:
        for attribute in instance.kind.construct.attributes:
            at = instance.offset + attribute.slot
            if player in run.taints.get(at, (player,)):
                continue
            is_copied = at >= len(run.known.cells) or differs(run.cells[at], run.known.cells[at])
            if is_copied and sees(run, instance, attribute.slot, player):
                yield f"{ref(run.world, instance)}.{attribute.name}"
