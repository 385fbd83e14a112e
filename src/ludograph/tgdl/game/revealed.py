"""Showing: what players have come to see since an earlier state that was hidden from them then.

A thing or an attribute that was there before, unseen; and an attribute that was seen, but holds now what came
from a secret. For the latter the transactions are run once more: a run knows which those are.
"""

from collections.abc import Iterator

from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.game.trace import parts_since
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import execute, room_for_calls
from ludograph.tgdl.reference.visibility import sees, sees_attribute, sees_thing
from ludograph.tgdl.world.memory import Instance, differs


def shown_since(course: ReferenceHistory, before: Snapshot, begin: int, player: int) -> Iterator[str]:
    """The names of all that a player has come to see since the game stood as it did before.

    `begin` is the place in the log of the first choice since.
    """
    if not course.standing.world.has_secrets:
        return
    then, now = before.look(), course.standing.look()
    with room_for_calls(then), room_for_calls(now):
        for instance in then.memory.instances:
            yield from _newly_seen(then, now, instance, player)
    for first, last in parts_since(course, begin):
        base, choices = course.runs[last + 1]
        known = len(choices) - (last + 1 - first)
        run = execute(course.standing.world, base, choices, known=known).run
        with room_for_calls(run):
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
    """The attributes that a run has changed to something secret, and that a player sees."""
    for instance in run.memory.instances:
        for attribute in instance.kind.construct.attributes:
            at = instance.offset + attribute.slot
            if player in run.taints.get(at, (player,)):
                continue
            is_copied = at >= len(run.known.cells) or differs(run.cells[at], run.known.cells[at])
            if is_copied and sees(run, instance, attribute.slot, player):
                yield f"{ref(run.world, instance)}.{attribute.name}"
