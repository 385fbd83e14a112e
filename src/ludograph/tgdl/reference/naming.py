"""Naming: the text of values, instances and choices, and the way back from text."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ludograph.play import CHANCE, Choice, Kind, Question
from ludograph.play.choices import MoveWord, answers
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.reference.instances import in_play, owner_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.visibility import readers_of
from ludograph.tgdl.world.faults import STOP, NeedChoice
from ludograph.tgdl.world.memory import HELD, HOLDER, OWNER, PLACE, EnumMember, Instance, PositionHash
from ludograph.tgdl.world.values import format_number
from ludograph.tgdl.world.world import World

KINDS = {"input": Kind.INPUT, "pick": Kind.PICK, "chance": Kind.CHANCE, "effect": Kind.EFFECT}
MOST_SHOWN = 100
"""The greatest number of elements of a value in a message."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""The accepted spellings of a number in a move."""
RECEIVERS = frozenset({ConstructKind.TILE, ConstructKind.INTERACTABLE})


def name_of(run: Run, instance: Instance) -> str:
    """The name of an instance in messages and moves.

    A tile has the name of its place. A piece alone on a tile has the name of the tile. A local state has the
    name of its player if the player has no other of the construct, and a stack in it the name of the state.
    An instance that the rules name by its construct (the first of several group states) has that name. Any
    other instance has the name of its construct and a number.
    """
    kind = instance.kind.construct.kind
    if kind is ConstructKind.TILE:
        return run.topology.name.get(instance) or repr(instance)
    if kind is ConstructKind.INTERACTABLE:
        place = run.cells[instance.extra + PLACE]
        if place is not None and place.kind.construct.kind is ConstructKind.TILE:
            if len(run.cells[place.extra + HELD]) == 1:
                return run.topology.name.get(place) or repr(place)
    elif kind is ConstructKind.STACK and (holder := run.cells[instance.extra + HOLDER]) is not None:
        return f"{name_of(run, holder)}.{instance.kind.name.rpartition('.')[2]}"
    elif kind is ConstructKind.LOCAL and len(run.memory.families[instance.kind.index]) > 1:
        owner = owner_of(run, instance)
        others = [each for each in run.memory.families[instance.kind.index] if each is not instance]
        if owner is not None and all(owner_of(run, each) != owner for each in others):
            return f"{instance.kind.name}[{owner}]"
    elif len(run.memory.families[instance.kind.index]) == 1:
        return instance.kind.name
    return _lasting_name(run.world, instance)


def ref(world: World, instance: Instance) -> str:
    """The name of an instance in data. It never changes."""
    name = world.topology.name.get(instance)
    if name is not None:
        group = world.topology.group[instance]
        return name if "[" in name else f"{group}.{name}"
    return _lasting_name(world, instance)


def _lasting_name(world: World, instance: Instance) -> str:
    is_named = world.singletons.get(instance.kind.name) is instance
    return instance.kind.name if is_named else repr(instance)


def text_of(run: Run, value: Any) -> str:
    """The text of a value in a move or a message."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case float():
            return format_number(value)
        case EnumMember():
            return value.name
        case PositionHash():
            return f"position {int(value):032x}"
        case int():
            return str(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            escaped = escaped.replace("\n", "\\n").replace("\r", "\\r")
            return f'"{escaped}"'
        case Instance():
            return name_of(run, value)
        case tuple():
            return f"{{{', '.join(text_of(run, item) for item in value)}}}"
        case _:
            return str(value)


def typed_text(run: Run, value: Any, type: Type) -> str:
    """The text of a value in a message: as `text_of`, with names of phases and shortened long lists."""
    return _shortened(run, value, type, [MOST_SHOWN])


def _shortened(run: Run, value: Any, type: Type, left: list[int]) -> str:
    """The text of a value with at most `left` elements, counting nested lists."""
    if value is not None and type is Basic.PHASE:
        return phase_name(run.world, value)
    if not isinstance(value, tuple):
        return text_of(run, value)
    inner: Type = Basic.OBJECT
    if isinstance(type, ListType | TableType):
        inner = type.element if isinstance(type, ListType) else type.value
    texts: list[str] = []
    for item in value:
        if left[0] == 0:
            texts.append(f"… {len(value) - len(texts):,} more")
            break
        left[0] -= 1
        texts.append(_shortened(run, item, inner, left))
    return f"{{{', '.join(texts)}}}"


def phase_name(world: World, number: int) -> str:
    """The name of a phase; with the name of its turn if another turn has a phase of the same name."""
    compiled_phase = world.phases[number]
    same = [each for each in world.phases if each.phase.name == compiled_phase.phase.name]
    return (
        compiled_phase.phase.name
        if len(same) == 1
        else f"{world.turns[compiled_phase.turn].turn.name}.{compiled_phase.phase.name}"
    )


def action_text(run: Run, value: tuple[int, Instance | None, str | None]) -> str:
    """The text of an offered action: its receiver (if it needs one), its name, and the named part."""
    compiled, this, part = value
    name = run.world.program.actions[compiled].name
    text = name if part is None else f"{name}.{part}"
    if this is not None and this.kind.construct.kind in RECEIVERS:
        receiver = repr(this) if _is_tile_meant(run, name, this) else name_of(run, this)
        return f"{receiver}.{text}"
    if this is None or _is_only(run, name, this):
        return text
    same_construct = len(run.memory.families[this.kind.index]) > 1 and _is_shared(run, this)
    receiver = _lasting_name(run.world, this) if same_construct else this.kind.name
    return f"{receiver}.{text}"


def other_names(run: Run, instance: Instance) -> Iterator[str]:
    """The alternative names of an instance: in messages, in data and in the rules."""
    yield repr(instance)
    kind = instance.kind.construct.kind
    if kind not in RECEIVERS:
        yield name_of(run, instance)
        if kind is ConstructKind.STACK:  # the name in older records
            yield f"{instance.kind.name}[{owner_of(run, instance)}]"
        return
    place = instance
    if kind is ConstructKind.INTERACTABLE:
        place = run.cells[instance.extra + PLACE]
        if place is None or name_of(run, instance) != run.topology.name.get(place):
            return
    if place in run.topology.group:
        group, row, column = (getattr(run.topology, key)[place] for key in ("group", "row", "column"))
        yield f"{group}.{run.topology.name[place]}"
        if row is not None and column is not None:
            yield f"{group}[{int(row)}][{int(column)}]"


def other_action_texts(run: Run, value: tuple[int, Instance | None, str | None]) -> Iterator[str]:
    """The alternative texts of an offered action: with the other names of its instance."""
    compiled, this, part = value
    if this is None:
        return
    name = run.world.program.actions[compiled].name
    text = name if part is None else f"{name}.{part}"
    receivers = (repr(this),) if _is_tile_meant(run, name, this) else other_names(run, this)
    yield from (f"{receiver}.{text}" for receiver in receivers)


def find_answer(
    run: Run, word: MoveWord, values: Sequence[Any], name: Callable[[Any], Choice]
) -> tuple[Any, Choice] | None:
    """The first candidate that a word of a move matches, with its choice: by its text, else by another name.

    Every spelling of a number matches it. The value of an action begins with the player who starts it.
    """
    for value in values:
        choice = name(value)
        if answers(word, choice):
            return value, choice
    number = float(word.text) if NUMBER.fullmatch(word.text) else None
    for value in values:
        choice = name(value)
        if isinstance(value, float) and value == number:
            others = iter((word.text,))
        elif choice.kind is Kind.ACTION:
            others = other_action_texts(run, value[1:])
        elif isinstance(value, Instance):
            others = other_names(run, value)
        else:
            others = iter((text_of(run, value),))
        if any(answers(word, replace(choice, text=text)) for text in others):
            return value, choice
    return None


def _is_tile_meant(run: Run, name: str, this: Instance) -> bool:
    """Whether the tile under a piece has an action with this name, so that the piece needs its own name."""
    if this.kind.construct.kind is not ConstructKind.INTERACTABLE:
        return False
    place = run.cells[this.extra + PLACE]
    if place is None or place.kind.construct.kind is not ConstructKind.TILE:
        return False
    actions = run.world.program.actions
    return any(actions[index].name == name for index in place.kind.construct.actions)


def _is_only(run: Run, name: str, this: Instance) -> bool:
    """Whether the name of an action is unique among the actions of a player and of the game."""
    found: set[tuple[int, Instance | None]] = set()
    for offer in run.world.offers:
        action = run.world.program.actions[offer.action]
        if action.name != name:
            continue
        if action.owner is None:
            found.add((offer.action, None))
            continue
        for other in in_play(run, action.owner):
            construct = other.kind.construct
            if construct.kind in RECEIVERS or action.index not in construct.actions:
                continue
            if _share(run, this, other):
                found.add((offer.action, other))
    return len(found) <= 1


def _is_shared(run: Run, this: Instance) -> bool:
    family = run.memory.families[this.kind.index]
    return sum(_share(run, this, other) for other in family) > 1


def _share(run: Run, this: Instance, other: Instance) -> bool:
    """Whether some player may use the actions of both instances."""
    first, second = _players_of(run, this), _players_of(run, other)
    return first is None or second is None or not first.isdisjoint(second)


def _players_of(run: Run, this: Instance) -> frozenset[int] | None:
    """The players who may use the actions of an instance; None: all."""
    if this.kind.construct.kind is ConstructKind.GROUP_STATE:
        return frozenset(run.cells[this.extra + OWNER])
    owner = owner_of(run, this)
    return None if owner is None else frozenset((owner,))


def code_of(value: Any) -> Any:
    """A value as plain data, for `Choice.value`."""
    match value:
        case Instance():
            return value.number
        case EnumMember():
            return int(value)
        case _:
            return value


def opener_of(run: Run, chooser: int, value: tuple[int, Instance | None, str | None]) -> Choice:
    """An action that a player may start, as a choice."""
    compiled, this, part = value
    parts = [offer.part for offer in run.world.offers if offer.action == compiled]
    code = (compiled, -1 if this is None else this.number, parts.index(part) if part in parts else 0)
    action = run.world.program.actions[compiled].name
    return Choice(chooser, Kind.ACTION, action, code, action_text(run, value))


def choice_of(run: Run, chooser: int, need: NeedChoice, value: Any) -> Choice:
    """A candidate of a question as a choice, with names in the current state of the run."""
    key = loop_key(run, need)
    if value is STOP:
        return Choice(chooser, Kind.STOP, need.name, None, "", need.index, key)
    if need.kind == "effect":
        return Choice(chooser, Kind.EFFECT, need.name, code_of(value), str(value))
    # None instead of a list differs from a list that contains none.
    found = Kind.INPUT if need.kind == "pick" and value is None else KINDS[need.kind]
    text = object_text(run, value) if need.is_mixed else text_of(run, value)
    if found is Kind.INPUT and isinstance(value, tuple):
        text = f"({text})"  # one value: braces alone would mean several
    return Choice(chooser, found, need.name, code_of(value), text, need.index, key)


def loop_key(run: Run, need: NeedChoice) -> str:
    """The values of the enclosing loop variables of a question, outermost first."""
    origin = need.origin
    if origin is None or not origin.prompt.keys:
        return ""
    frame, chooser = origin.frame, need.chooser
    return ", ".join(
        typed_text(run, frame[slot], type)
        if guards == () or chooser in readers_of(run, frame, guards)
        else "?"
        for slot, type, guards in origin.prompt.keys
    )


def object_text(run: Run, value: Any) -> str:
    """As `text_of`, but unambiguous among values of several types: 1, player 1 and a member differ."""
    match value:
        case tuple():
            return f"{{{', '.join(object_text(run, item) for item in value)}}}"
        case EnumMember():
            return f"{value.enum}.{value.name}"
        case bool() | PositionHash():
            return text_of(run, value)
        case int():
            return f"player {value}"
        case _:
            return text_of(run, value)


def question_of(run: Run, need: NeedChoice, values: list[Any]) -> Question:
    """A question as players see it, with the given candidates."""
    choices = tuple(choice_of(run, need.chooser, need, value) for value in values)
    kind = {"pick": Kind.INPUT}.get(need.kind) or KINDS[need.kind]
    weights = tuple(need.weights or ()) if need.chooser == CHANCE else ()
    return Question(need.chooser, kind, need.name, choices, weights, need.seen_by, loop_key(run, need))
