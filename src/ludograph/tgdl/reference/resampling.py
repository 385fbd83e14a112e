"""Resampling: another memory that looks the same to one player, with everything hidden drawn anew.

The cards in stacks that the player does not see are dealt anew among these stacks; each stack keeps its
number of cards. The other secrets are attributes. They get their initial values, and then the `resample`
blocks of the rules draw them anew. Sealed choices of other players are removed, so that these players choose
again. So the result depends only on what the player sees, and on the generator.
"""

from collections.abc import Iterable
from typing import Any

from ludograph.play import Generator
from ludograph.tgdl.program import Attribute, ConstructKind
from ludograph.tgdl.program.declarations import is_secret
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import deep_recursion
from ludograph.tgdl.reference.visibility import sees_attribute, sees_stack, sees_thing
from ludograph.tgdl.world.analysis import find_resample_blocks, forgotten_value
from ludograph.tgdl.world.memory import BOTTOM, PLACE, POOL, SEALED, TOP, Instance, Memory
from ludograph.tgdl.world.world import World

PARTS = (BOTTOM, POOL, TOP)


def resample(
    world: World, memory: Memory, player: int, generator: Generator, fixed: Iterable[Any] = ()
) -> Memory:
    """The memory with everything hidden drawn anew; the cards in `fixed` keep their places."""
    run = Run(world, memory)
    found = memory.copy()
    kept = {value for value in fixed if isinstance(value, Instance)}
    groups: dict[str | None, list[Instance]] = {}
    # In the order of the native engine, so that the same generator deals the same cards.
    for stack in sorted(memory.instances, key=lambda each: (each.kind.index, each.number)):
        construct = stack.kind.construct
        if construct.kind is ConstructKind.STACK and not sees_stack(run, stack, player):
            groups.setdefault(construct.element, []).append(stack)
    for stacks in groups.values():
        _deal(run, found, stacks, player, kept, generator)
    if memory.cells[SEALED]:
        found.cells[SEALED] = tuple(each for each in memory.cells[SEALED] if each[0] == player)
    blocks = find_resample_blocks(world.program)
    if blocks:
        _forget(run, found, player)
        _draw(world, found, blocks, player, generator)
    return found


def _forget(run: Run, found: Memory, player: int) -> None:
    """Give the attributes that the player does not see their initial values."""
    for instance in found.instances:
        kind = instance.kind
        for attribute in kind.construct.attributes:
            if not is_secret(kind.construct, attribute) or attribute.makes_stack:
                continue
            if not sees_attribute(run, instance, attribute, player):
                found.cells[instance.offset + attribute.slot] = _initial(run, instance, attribute)


def _initial(run: Run, instance: Instance, attribute: Attribute) -> Any:
    """The initial value of an attribute."""
    if forgotten_value(attribute) is None:
        return () if isinstance(attribute.type, ListType) else None
    initialiser = run.world.initialisers[instance.kind.name]
    code = dict(initialiser.values)[attribute.slot]
    assert callable(code)
    frame: list[Any] = [None] * (initialiser.frame + 3)
    frame[-1] = instance
    return code(run, frame)


def _draw(world: World, found: Memory, blocks: tuple[int, ...], player: int, generator: Generator) -> None:
    """Run the `resample` blocks; they trigger no events, and the generator answers chance."""
    run = Run(world, found)
    run.silent = 1
    run.dealer = lambda _, need: need.values[generator.pick(need.weights or [1] * len(need.values))]
    with deep_recursion(run):
        run.is_pure = 0  # chance is allowed here
        for block in blocks:
            function = world.verbs[block]
            frame: list[Any] = [None] * (function.frame + 3)
            frame[-2] = player
            function.code(run, frame)


def _deal(
    run: Run, found: Memory, stacks: list[Instance], player: int, kept: set[Instance], generator: Generator
) -> None:
    """Deal the hidden cards of some stacks anew among them."""
    cells = run.cells
    cards = [card for stack in stacks for part in PARTS for card in cells[stack.extra + part]]
    hidden = [card for card in cards if card not in kept and not sees_thing(run, card, player)]
    hidden.sort(key=lambda card: card.number)
    for index in range(len(hidden) - 1, 0, -1):
        other = generator.below(index + 1)
        hidden[index], hidden[other] = hidden[other], hidden[index]
    moved = set(hidden)
    for stack in stacks:
        for part in PARTS:
            dealt = [hidden.pop() if card in moved else card for card in cells[stack.extra + part]]
            if part == POOL:
                dealt.sort(key=lambda card: card.number)  # in order of creation
            found.cells[stack.extra + part] = tuple(dealt)
            for card in dealt:
                found.cells[card.extra + PLACE] = stack
