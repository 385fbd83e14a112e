"""Visibility: what players may see of things, by the secrecy of attributes, stacks and constructs."""

from typing import Any

from ludograph.tgdl.program import Attribute, ConstructKind, Secrecy
from ludograph.tgdl.reference.instances import attribute_of_stack, members_of, owner_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import HOLDER, PLACE, Instance
from ludograph.tgdl.world.world import Frame, Guards


def sees_attribute(run: Run, instance: Instance, attribute: Attribute, player: int | None) -> bool:
    """Whether a player may see an attribute of a thing.

    A spectator (None) sees what is public, and what a `visible to` shows to all players.
    """
    rule = run.world.visible.get((instance.kind.name, attribute.slot))
    if rule is not None:
        frame: list[Any] = [None] * (instance.kind.construct.frame + 3)
        frame[-2], frame[-1] = owner_of(run, instance), instance
        seen = rule(run, frame)
        named = seen if isinstance(seen, tuple) else (seen,)
        if player is None:
            return all(each in named for each in range(run.world.players))
        return player in named
    secrecy = attribute.secrecy
    if secrecy is Secrecy.PUBLIC:
        secrecy = instance.kind.construct.secrecy
    return _may_see(run, instance, secrecy, player)


def _may_see(run: Run, instance: Instance, secrecy: Secrecy, player: int | None) -> bool:
    match secrecy:
        case Secrecy.PUBLIC:
            return True
        case Secrecy.HIDDEN:
            return False
        case _:
            if player is None:
                return False
            if instance.kind.construct.kind is ConstructKind.GROUP_STATE:
                return player in members_of(run, instance)
            if instance.kind.construct.kind is ConstructKind.STACK:
                holder = run.cells[instance.extra + HOLDER]
                return holder is not None and _may_see(run, holder, secrecy, player)
            return owner_of(run, instance) == player


def sees_stack(run: Run, stack: Instance, player: int | None) -> bool:
    """Whether a player may see the cards of a stack, by its own secrecy and its attribute's."""
    if not _may_see(run, stack, stack.kind.construct.secrecy, player):
        return False
    holder = run.cells[stack.extra + HOLDER]
    attribute = None if holder is None else attribute_of_stack(run, holder, stack)
    return attribute is None or sees_attribute(run, holder, attribute, player)


def sees_thing(run: Run, instance: Instance, player: int | None) -> bool:
    """Whether a player may see a thing at all: nobody sees a piece in a stack whose cards are secret."""
    if instance.kind.construct.kind is not ConstructKind.INTERACTABLE:
        return True
    place = run.cells[instance.extra + PLACE]
    if place is None or place.kind.construct.kind is not ConstructKind.STACK:
        return True
    return sees_stack(run, place, player)


def sees(run: Run, instance: Instance | None, slot: int, player: int) -> bool:
    """Whether a player may see a thing and this attribute of it."""
    if instance is None:
        return False
    attribute = instance.kind.construct.attributes[slot]
    return sees_thing(run, instance, player) and sees_attribute(run, instance, attribute, player)


def may_read(run: Run, holder: Any, slot: int, player: int) -> bool:
    """Whether a player may know a value that came from a guard: from an attribute, or from players.

    The holder is the thing with the attribute, several such things, or the set of players who know the value.
    """
    if isinstance(holder, frozenset):
        return player in holder
    if isinstance(holder, tuple):
        return all(may_read(run, each, slot, player) for each in holder)
    if not sees(run, holder, slot, player):
        return False
    readers = run.known_taints.get(holder.offset + slot)
    return (readers is None or player in readers) and _saw_before(run, holder, slot, player)


def may_name(run: Run, instance: Instance, player: int) -> bool:
    """Whether a message to a player may name a thing."""
    if not sees_thing(run, instance, player):
        return False
    then = run.then
    return then is None or not _existed(then, instance) or sees_thing(then, instance, player)


def _saw_before(run: Run, instance: Instance, slot: int, player: int) -> bool:
    """Whether a player saw an attribute in the last state that players know: later changes may be undone."""
    then = run.then
    return then is None or not _existed(then, instance) or sees(then, instance, slot, player)


def _existed(then: Run, instance: Instance) -> bool:
    instances = then.memory.instances
    return instance.number < len(instances) and instances[instance.number] is instance


def evaluate_guards(run: Run, frame: Frame, guards: Guards) -> list[tuple[Any, int]] | None:
    """The holders and slots that guards give; None: nobody may know the value. It costs no fuel."""
    if guards is None:
        return None
    fuel, run.fuel = run.fuel, run.world.fuel
    spent, depth, calls = run.spent_once, run.depth, len(run.calls)
    run.is_pure += 1
    try:
        return [(holder(run, frame), slot) for holder, slot in guards]
    except Fault:
        return None  # a thing on the way to a holder is none
    finally:
        run.fuel, run.spent_once, run.depth = fuel, spent, depth
        del run.calls[calls:]
        run.is_pure -= 1


def readers_of(run: Run, frame: Frame, guards: Guards) -> frozenset[int]:
    """The players who may know a value with these guards."""
    holders = evaluate_guards(run, frame, guards)
    if holders is None:
        return frozenset()
    return frozenset(
        player for player in range(run.world.players) if all(may_read(run, *each, player) for each in holders)
    )


def all_see_attribute(run: Run, instance: Instance, attribute: Attribute) -> bool:
    """Whether all readers of a trace may see an attribute of a thing."""
    return all(
        sees_thing(run, instance, player) and sees_attribute(run, instance, attribute, player)
        for player in run.readers
    )


def all_see_stack(run: Run, stack: Instance) -> bool:
    """Whether all readers of a trace may see the cards of a stack."""
    return all(sees_stack(run, stack, player) for player in run.readers)


def all_saw_thing(run: Run, instance: Instance) -> bool:
    """Whether all readers of a trace see a thing now, or saw it before the transaction."""
    states = [run]
    if run.then is not None and _existed(run.then, instance):
        states.append(run.then)
    return all(any(sees_thing(state, instance, player) for state in states) for player in run.readers)
