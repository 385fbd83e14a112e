"""Checking a loaded memory: every cell has a valid value, and all cells are consistent."""

from itertools import pairwise
from math import copysign
from typing import Any

from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, KeyType, ListType, TableType, Type
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.fuel_costs import check_state, content
from ludograph.tgdl.reference.instances import stacks_in
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.ranges import check_range
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import has_setup
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.faults import STOP, Fault
from ludograph.tgdl.world.table_keys import key_count, may_grow
from ludograph.tgdl.world.topology import Edits
from ludograph.tgdl.world.values import MAX_LIST_LENGTH, MAX_NUMBER, MAX_WITHIN, has_type
from ludograph.tgdl.world.world import World


class BadState(ValueError):
    """The input is not a state of this game; the message gives the reason."""


class BadPosition(BadState):
    """The data are not a position of this game."""


def check_memory(world: World, memory: mem.Memory) -> None:
    """Raise BadState unless the memory is one that play could produce."""
    _check_header(world, memory)
    run = Run(world, memory)
    for instance in memory.instances:
        _check_attributes(run, instance)
        switched = memory.cells[instance.extra + mem.SWITCHES]
        if not _are_switches(world, switched, instance):
            raise BadState(f"the actions of {ref(world, instance)} that are switched off make no sense")
        _check_extra(world, memory, instance)
    _check_places(world, memory)
    try:
        check_state(run, NOWHERE)
    except Fault as fault:
        raise BadState(fault.message) from None


def _check_attributes(run: Run, instance: mem.Instance) -> None:
    world = run.world
    for attribute in instance.kind.construct.attributes:
        value = run.cells[instance.offset + attribute.slot]
        name = f"{ref(world, instance)}.{attribute.name}"
        if not _is_small_enough(value):
            raise BadState(f"{name} has too many elements, or lists that are nested too deeply")
        if not is_value(world, run.memory, value, attribute.type):
            raise BadState(f"{name} cannot be {describe(value)}")
        if attribute.makes_stack:
            _check_stacks(run, instance, list(stacks_in(value)), name)
        if value is not None and (instance.kind.name, attribute.slot) in world.ranges:
            try:
                check_range(run, instance, attribute.slot, value, NOWHERE)
            except Fault as fault:
                raise BadState(fault.message) from None


def _check_stacks(run: Run, holder: mem.Instance, stacks: list[Any], name: str) -> None:
    """Check the stacks of an attribute. Those of a table are in the order of creation."""
    if not all(isinstance(stack, mem.Instance) for stack in stacks):
        raise BadState(f"{name} must be a stack" if len(stacks) == 1 else f"{name} must be stacks")
    if any(run.cells[stack.extra + mem.HOLDER] is not holder for stack in stacks):
        raise BadState(f"{name} is a stack that belongs elsewhere")
    if any(one.number >= other.number for one, other in pairwise(stacks)):
        raise BadState(f"{name} has its stacks in another order")


def _is_small_enough(value: Any) -> bool:
    """Whether a list is not larger or deeper than play could make it."""
    return not isinstance(value, tuple) or 0 <= content(value) <= MAX_WITHIN


def describe(value: object) -> str:
    """A value for a message, cut to 80 characters."""
    if value is None:
        return "none"
    try:
        return repr(value)[:80]
    except ValueError:  # Python does not format numbers with so many digits
        return "a number of thousands of digits"


def _check_header(world: World, memory: mem.Memory) -> None:
    cells = memory.cells
    count = world.players
    if cells[mem.STAGE] not in (0, 1, 2, 3) or isinstance(cells[mem.STAGE], bool):
        raise BadState("the stage of the game makes no sense")
    if not _is_player(cells[mem.ACTIVE], count):
        raise BadState("the active player makes no sense")
    turn, phase = cells[mem.TURN], cells[mem.PHASE]
    if world.turns:
        if not _is_player(turn, len(world.turns)):
            raise BadState("there is no such turn")
        has_phases = world.turns[turn].first is not None
        if has_phases != (phase is not None) or (
            phase is not None and not _is_player(phase, len(world.phases))
        ):
            raise BadState("there is no such phase")
        if phase is not None and world.phases[phase].turn != turn:
            raise BadState("the phase is of another turn")
    elif turn is not None or phase is not None:
        raise BadState("the game has no turns")
    for place, word in ((mem.OUT, "out"), (mem.DROPPED, "dropped")):
        if not _is_sorted(cells[place], count):
            raise BadState(f"the players who are {word} make no sense")
    stuck = cells[mem.STUCK]
    if not isinstance(stuck, tuple) or not all(_is_player(player, count) for player in stuck):
        raise BadState("the stuck players make no sense")
    if cells[mem.STAGE] == mem.STUCK_STAGE and not stuck:
        raise BadState("no player is stuck")
    counted = (
        stuck[:-1] if cells[mem.STAGE] == mem.STUCK_STAGE else stuck
    )  # the last one is resolved now, perhaps again
    if len(set(counted)) < len(counted):
        raise BadState("a player is stuck twice")
    if not _are_switches(world, cells[mem.SWITCHED], None):
        raise BadState("the actions that are switched off make no sense")
    if cells[mem.SETUP] is not None and not has_setup(world, cells[mem.SETUP]):
        raise BadState(f"there is no setup {describe(cells[mem.SETUP])}")
    _check_result(world, cells[mem.RESULT], is_over=cells[mem.STAGE] == 3)
    _check_sealed(world, memory)
    if cells[mem.EDITS] is not None:
        if not (isinstance(cells[mem.EDITS], Edits) and world.changes):
            raise BadState("the board cannot be changed like this")
        _check_edits(world, cells[mem.EDITS])


def _check_edits(world: World, edits: Edits) -> None:
    """Check that the changes of a board are in canonical form, because positions compare them."""
    groups = {kind.name for kind in world.kinds if kind.construct.kind is ConstructKind.GROUP}
    planned = {place.tile for plan in world.plans for place in plan.tiles}
    placed = {tile for tile, *_ in edits.placed}
    linked = {(start, end) for start, end, _ in edits.links}
    if not groups.issuperset(edits.absent) or not groups.issuperset(group for _, group, *_ in edits.placed):
        raise BadState("a group whose tiles have changed is not known")
    if not planned.issuperset(edits.taken):
        raise BadState("a tile is taken from the board that was never on it")
    if any(abs(number) > MAX_NUMBER for _, _, *spot in edits.placed for number in spot):
        raise BadState("a tile lies too far away")
    is_once = len(placed) == len(edits.placed) and len(linked) == len(edits.links)
    if not is_once or edits != edits.canonical() or edits == Edits():
        raise BadState("the changes of the board are not in canonical form")


def _check_sealed(world: World, memory: mem.Memory) -> None:
    """Check the sealed choices: for each player an action and the values of its inputs."""
    sealed = memory.cells[mem.SEALED]
    if not isinstance(sealed, tuple):
        raise BadState("the sealed choices make no sense")
    phase = memory.cells[mem.PHASE]
    if sealed and (phase is None or not world.phases[phase].phase.simultaneous):
        raise BadState("choices are sealed in a phase that keeps none")
    for entry in sealed:
        if not isinstance(entry, tuple) or len(entry) != 2 or not _is_player(entry[0], world.players):
            raise BadState("a sealed choice makes no sense")
        player, made = entry
        if not isinstance(made, tuple) or not made or not isinstance(made[0], tuple):
            raise BadState("a sealed choice is not an action")
        opener, *values = made
        _check_opener(world, opener)
        offers = {(offer.action, offer.part) for offer in world.offers if offer.event == Event.CHOICE.kind}
        if opener[0] != player or (opener[1], opener[3]) not in offers:
            raise BadState("a sealed choice is not an action that its player is offered")
        inputs = [prompt.input for prompt in world.actions[opener[1]].prompts]
        if len(values) != len(inputs):
            raise BadState("a sealed choice has too few or too many values")
        for known, value in zip(inputs, values, strict=True):
            is_fine = (
                known.optional
                if value is None
                else _is_small_enough(value) and is_value(world, memory, value, known.type, is_older=True)
            )
            if not is_fine:
                raise BadState(f"'{known.name}' of a sealed choice cannot be {describe(value)}")
    if len({entry[0] for entry in sealed}) < len(sealed):
        raise BadState("a player has two sealed choices")


def _check_result(world: World, result: Any, *, is_over: bool) -> None:
    if (result is not None) != is_over:
        raise BadState("a game is over when it has a result, and only then")
    if result is None:
        return
    if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], tuple):
        raise BadState("the result makes no sense")
    kind, values = result
    if kind == "finish":
        if len(values) != world.players or not all(is_number(value) for value in values):
            raise BadState("the payoffs make no sense")
    elif kind not in ("win", "draw") or not values or not _is_sorted(values, world.players):
        raise BadState("the result makes no sense")


def is_opener(choice: Any) -> bool:
    """Whether a choice has the form of an action: its player, number, instance and part."""
    return (
        isinstance(choice, tuple)
        and len(choice) == 4
        and type(choice[0]) is type(choice[1]) is int
        and (choice[2] is None or isinstance(choice[2], mem.Instance))
        and (choice[3] is None or isinstance(choice[3], str))
    )


def check_choices(world: World, memory: mem.Memory, choices: Any) -> None:
    """Raise BadState unless these have the form of choices of one transaction."""
    if not isinstance(choices, tuple):
        raise BadState("the choices make no sense")
    for place, choice in enumerate(choices):
        if place == 0 and memory.cells[mem.STAGE] == mem.CHOOSING:
            if not isinstance(choice, tuple):
                raise BadState("the choices that were saved cannot be made")
            _check_opener(world, choice)
        elif choice is not STOP and not (_is_small_enough(choice) and _is_any(world, choice)):
            raise BadState("a choice makes no sense")


def _check_opener(world: World, choice: Any) -> None:
    if (
        not is_opener(choice)
        or not _is_player(choice[0], world.players)
        or not _is_player(choice[1], len(world.program.actions))
    ):
        raise BadState("a choice of an action makes no sense")
    owner = world.program.actions[choice[1]].owner
    this = choice[2]
    if (owner is None) != (this is None) or (this is not None and owner not in this.kind.ancestry):
        raise BadState("an action is chosen of a thing that does not have it")


def is_value(world: World, memory: mem.Memory, value: Any, type: Type, *, is_older: bool = False) -> bool:
    """Whether a value belongs to a declared type.

    With `is_older`, a table may lack the entries of tiles that were created later. Lists and tables are never
    none.
    """
    if value is None:
        return not isinstance(type, ListType | TableType)
    match type:
        case Basic.PLAYER:
            return _is_player(value, world.players)
        case Basic.PHASE:
            return _is_player(value, len(world.phases))
        case Basic.DECIMAL:
            return is_number(value)
        case Basic.OBJECT:
            return _is_any(world, value)
        case EnumType(name):
            return any(value is member for member in world.members[name])
        case ListType(element):
            return (
                isinstance(value, tuple)
                and len(value) <= MAX_LIST_LENGTH
                and all(is_value(world, memory, item, element, is_older=is_older) for item in value)
            )
        case TableType(key, element):
            return (
                isinstance(value, tuple)
                and _has_keys(world, memory, len(value), key, is_older=is_older)
                and all(is_value(world, memory, item, element, is_older=is_older) for item in value)
            )
        case _:
            return has_type(value, type)


def _has_keys(world: World, memory: mem.Memory, length: int, key: KeyType, *, is_older: bool) -> bool:
    count = key_count(world, memory, key)
    may_lack = is_older and isinstance(key, ConstructType) and may_grow(world, key.name)
    return length <= count if may_lack else length == count


def is_number(value: Any) -> bool:
    """Whether this is a decimal: finite, and not minus zero."""
    return (
        isinstance(value, float)
        and -MAX_NUMBER <= value <= MAX_NUMBER
        and (value != 0 or copysign(1, value) > 0)
    )


def _is_any(world: World, value: Any) -> bool:
    """Whether this is a valid value of type object: engines use the numbers in it without checks."""
    match value:
        case None | bool() | str() | mem.EnumMember() | mem.PositionHash() | mem.Instance():
            return True
        case float():
            return is_number(value)
        case int():
            return 0 <= value < max(world.players, len(world.phases))
        case tuple():
            return len(value) <= MAX_LIST_LENGTH and all(_is_any(world, item) for item in value)
        case _:
            return False


def _is_player(value: Any, count: int) -> bool:
    return type(value) is int and 0 <= value < count


def _are_switches(world: World, values: Any, instance: mem.Instance | None) -> bool:
    """Whether values are numbers of actions, then of conditions of the instance (None: of the game)."""
    first = len(world.program.actions)
    if not _is_sorted(values, first + len(world.conditions)):
        return False
    owned = [world.conditions[each - first].action for each in values if each >= first]
    if instance is None:
        return all(world.program.actions[action].owner is None for action in owned)
    return all(action in instance.kind.construct.actions for action in owned)


def _is_sorted(values: Any, count: int) -> bool:
    return (
        isinstance(values, tuple)
        and all(_is_player(value, count) for value in values)
        and list(values) == sorted(set(values))
    )


def _check_extra(world: World, memory: mem.Memory, instance: mem.Instance) -> None:
    at, cells = instance.extra, memory.cells
    match instance.kind.construct.kind:
        case ConstructKind.LOCAL:
            if cells[at + mem.OWNER] is not None and not _is_player(cells[at + mem.OWNER], world.players):
                raise BadState(f"{ref(world, instance)} has no such player")
        case ConstructKind.GROUP_STATE:
            if not _is_sorted(cells[at + mem.OWNER], world.players):
                raise BadState(f"{ref(world, instance)} has no such players")
        case ConstructKind.TILE:
            _check_list(cells[at + mem.HELD], f"the list of pieces on {ref(world, instance)}", placeable=True)
            holds = instance.kind.construct.holds
            if holds is not None and sum(holds in piece.kind.ancestry for piece in cells[at + mem.HELD]) > 1:
                raise BadState(f"{ref(world, instance)} holds more than one {holds}")
        case ConstructKind.INTERACTABLE:
            place = cells[at + mem.PLACE]
            is_place = isinstance(place, mem.Instance) and place.kind.construct.kind in (
                ConstructKind.TILE,
                ConstructKind.STACK,
            )
            if place is not None and not is_place:
                raise BadState(f"{ref(world, instance)} lies nowhere that makes sense")
        case ConstructKind.STACK:
            for part in (mem.BOTTOM, mem.POOL, mem.TOP):
                _check_list(cells[at + part], f"the list of cards in {ref(world, instance)}", placeable=False)
            pool = cells[at + mem.POOL]
            if [card.number for card in pool] != sorted(card.number for card in pool):
                raise BadState(f"the shuffled cards of {ref(world, instance)} are in no order")
            element = instance.kind.construct.element
            for card in (*cells[at + mem.BOTTOM], *pool, *cells[at + mem.TOP]):
                if element is not None and element not in card.kind.ancestry:
                    raise BadState(f"{card!r} does not belong in {ref(world, instance)}")
            if cells[at + mem.HOLDER] is not None and not _holds(memory, cells[at + mem.HOLDER], instance):
                raise BadState(f"{ref(world, instance)} belongs to nothing that has it")
        case _:
            pass


def _holds(memory: mem.Memory, holder: Any, stack: mem.Instance) -> bool:
    return isinstance(holder, mem.Instance) and any(
        each.makes_stack and stack in stacks_in(memory.cells[holder.offset + each.slot])
        for each in holder.kind.construct.attributes
    )


def _check_list(values: Any, what: str, *, placeable: bool) -> None:
    if not isinstance(values, tuple):
        raise BadState(f"{what} is not a list")
    for value in values:
        fits = isinstance(value, mem.Instance) and value.kind.construct.kind is ConstructKind.INTERACTABLE
        if not fits or not (value.kind.construct.placeable if placeable else value.kind.construct.stackable):
            raise BadState(f"{what} contains something else")


def _check_places(world: World, memory: mem.Memory) -> None:
    """Check that every piece is in exactly one place, which is the place in its own cell."""
    found: dict[mem.Instance, mem.Instance] = {}
    for instance in memory.instances:
        parts: tuple[int, ...] = ()
        if instance.kind.construct.kind is ConstructKind.TILE:
            parts = (mem.HELD,)
        elif instance.kind.construct.kind is ConstructKind.STACK:
            parts = (mem.BOTTOM, mem.POOL, mem.TOP)
        for part in parts:
            for piece in memory.cells[instance.extra + part]:
                if piece in found:
                    raise BadState(f"{piece!r} lies in two places")
                found[piece] = instance
    for instance in memory.instances:
        if instance.kind.construct.kind is ConstructKind.INTERACTABLE:
            if memory.cells[instance.extra + mem.PLACE] is not found.get(instance):
                raise BadState(f"{ref(world, instance)} is not at the place that it names")
