"""The names of instances by their attributes (`named`), for a reader, and instances that are alike.

A reader reads a name only if the reader may see the instance and the attributes of its name. Then the
instance has three texts: its name, its name with its number, and its construct with its number. Among the
candidates of a question it has the first of them that no other candidate has.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ludograph.play import CHANCE
from ludograph.play.log import ALL, Viewer
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.visibility import sees_attribute, sees_thing
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import PLACE, SWITCHES, Instance
from ludograph.tgdl.world.values import comparison_key, scalar_text

NOBODY: Final = -3
"""A reader who may see no name."""
SEPARATOR: Final = "-"
"""Between the parts of a name."""

Texts = tuple[str, ...]
"""The texts of a candidate, the preferred one first. The last one belongs to no other candidate."""


def reader_of(chooser: int) -> Viewer:
    """The reader of the candidates of a chooser. Chance sees everything."""
    return ALL if chooser == CHANCE else chooser


def given_name(run: Run, instance: Instance, reader: Viewer) -> str | None:
    """The name of an instance by its attributes; None if it has none, or if the reader may not see it."""
    slots = instance.kind.construct.names
    if not slots or reader == NOBODY or not sees_slots(run, instance, slots, reader):
        return None
    values = [run.cells[instance.offset + slot] for slot in slots]
    if any(value is None for value in values):
        return None
    return SEPARATOR.join(map(scalar_text, values))


def sees_slots(run: Run, instance: Instance, slots: Iterable[int], reader: Viewer) -> bool:
    """Whether a reader may see an instance and some of its attributes. It costs no fuel.

    A fault in a `visible to` means no.
    """
    if reader == ALL or not run.world.has_secrets:
        return True
    fuel, run.fuel = run.fuel, run.world.fuel
    spent, depth, calls = run.spent_once, run.depth, len(run.calls)
    run.is_pure += 1
    attributes = instance.kind.construct.attributes
    try:
        return sees_thing(run, instance, reader) and all(
            sees_attribute(run, instance, attributes[slot], reader) for slot in slots
        )
    except Fault:
        return False
    finally:
        run.fuel, run.spent_once, run.depth = fuel, spent, depth
        del run.calls[calls:]
        run.is_pure -= 1


def reader_of_message(run: Run, things: Iterable[Instance], player: int) -> Viewer:
    """The reader of a message to a player that shows some instances.

    A name that the player reads only because of changes that may be undone is not shown.
    """
    then = run.then
    if then is None:
        return player
    known = then.memory.instances
    for thing in things:
        existed = thing.number < len(known) and known[thing.number] is thing
        if existed and thing.kind.construct.names and given_name(then, thing, player) is None:
            return NOBODY
    return player


def name_viewers(run: Run, instance: Instance) -> frozenset[Viewer]:
    """The viewers who may read the name of an instance; None among them is a spectator."""
    viewers: tuple[Viewer, ...] = (None, *range(run.world.players))
    return frozenset(viewer for viewer in viewers if given_name(run, instance, viewer) is not None)


def numbered(name: str, instance: Instance) -> str:
    """A name with the number of the instance among those of its construct."""
    return f"{name}#{instance.ordinal + 1}"


def distinct_texts(candidates: Sequence[Texts], others: Iterable[Texts] = ()) -> list[str]:
    """For each candidate its first text that no other candidate has; otherwise its last one.

    >>> distinct_texts([("guard", "guard#1", "card#1"), ("guard", "guard#2", "card#2"), ("king", "king#3")])
    ['guard#1', 'guard#2', 'king']
    """
    counts = Counter(text for texts in (*candidates, *others) for text in set(texts))
    return [next((text for text in texts if counts[text] == 1), texts[-1]) for texts in candidates]


# Instances that are alike


def alike_key(run: Run, instance: Instance, chooser: int) -> tuple[Any, ...] | None:
    """Two instances are alike to a chooser if their keys are equal and not None.

    They are of one construct, in the same place, and equal in all attributes, and the chooser sees all of
    that: otherwise the number of candidates could reveal a secret.
    """
    kind = instance.kind
    slots = range(len(kind.construct.attributes))
    if chooser != CHANCE and run.world.has_secrets and not _sees_all(run, instance, chooser):
        return None
    values = tuple(comparison_key(run.cells[instance.offset + slot]) for slot in slots)
    return kind.index, run.cells[instance.extra + PLACE], run.cells[instance.extra + SWITCHES], values


def _sees_all(run: Run, instance: Instance, player: int) -> bool:
    """Whether a player may see an instance and all its attributes. It costs no fuel."""
    fuel = run.fuel
    run.is_pure += 1
    seen = sees_thing(run, instance, player) and all(
        sees_attribute(run, instance, attribute, player) for attribute in instance.kind.construct.attributes
    )
    run.is_pure -= 1
    run.fuel = fuel
    return seen


def alike_classes(run: Run, values: Sequence[Any], chooser: int) -> list[int]:
    """For each value the index of the first interchangeable value that is alike, or its own index."""
    first: dict[Any, int] = {}
    found: list[int] = []
    for index, value in enumerate(values):
        key = None
        if isinstance(value, Instance) and value.kind.construct.interchangeable:
            key = alike_key(run, value, chooser)
        found.append(index if key is None else first.setdefault(key, index))
    return found


def alike_siblings(run: Run, instance: Instance, chooser: int) -> list[Instance]:
    """The other instances that are interchangeable with an instance."""
    if not instance.kind.construct.interchangeable:
        return []
    key = alike_key(run, instance, chooser)
    if key is None:
        return []
    family = run.memory.families[instance.kind.index]
    return [each for each in family if each is not instance and alike_key(run, each, chooser) == key]
