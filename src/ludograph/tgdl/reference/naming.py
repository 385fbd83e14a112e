"""Naming: how values, things and choices are written, and read back."""

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
MOST_TOLD = 100
"""Elements of a value that a message tells."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""Every spelling of a number that is read in a move."""
RECEIVERS = frozenset({ConstructKind.TILE, ConstructKind.INTERACTABLE})


def name_of(run: Run, instance: Instance) -> str:
    """A tile by its place, a piece alone on a tile by the tile, others by construct and number.

    A state goes by its player if that player has no other of the kind, and a stack in it by the state. What
    the rules name by its construct, as the first of several group states, is called so everywhere.
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
    """The name of a thing in data: it never changes."""
    name = world.topology.name.get(instance)
    if name is not None:
        group = world.topology.group[instance]
        return name if "[" in name else f"{group}.{name}"
    return _lasting_name(world, instance)


def _lasting_name(world: World, instance: Instance) -> str:
    is_named = world.singletons.get(instance.kind.name) is instance
    return instance.kind.name if is_named else repr(instance)


def text_of(run: Run, value: Any) -> str:
    """A value as it is written in a move or a message."""
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
    """A value in a message: as `text_of`, but a phase by its name, and of long lists only the beginning."""
    return _shortened(run, value, type, [MOST_TOLD])


def _shortened(run: Run, value: Any, type: Type, left: list[int]) -> str:
    """The text of a value with no more elements than are left, lists in lists included."""
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
    """A phase by its name, with its turn's where another turn has one of the same name."""
    scene = world.scenes[number]
    same = [each for each in world.scenes if each.phase.name == scene.phase.name]
    return scene.phase.name if len(same) == 1 else f"{world.rounds[scene.turn].turn.name}.{scene.phase.name}"


def action_text(run: Run, value: tuple[int, Instance | None, str | None]) -> str:
    """An offered action: its receiver, if that is a tile or a piece, its name, and the named part."""
    deed, this, part = value
    name = run.world.program.actions[deed].name
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
    """What else a thing is called, where things are told, in data, and in the rules."""
    yield repr(instance)
    kind = instance.kind.construct.kind
    if kind not in RECEIVERS:
        yield name_of(run, instance)
        if kind is ConstructKind.STACK:  # as older records call it
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
    """What else an offered action may be called: by the other names of its thing."""
    deed, this, part = value
    if this is None:
        return
    name = run.world.program.actions[deed].name
    text = name if part is None else f"{name}.{part}"
    receivers = (repr(this),) if _is_tile_meant(run, name, this) else other_names(run, this)
    yield from (f"{receiver}.{text}" for receiver in receivers)


def find_answer(
    run: Run, word: MoveWord, values: Sequence[Any], name: Callable[[Any], Choice]
) -> tuple[Any, Choice] | None:
    """The first value that a word means, and the choice it is: by its own text, or else by another name.

    A number is meant however it is written.

    An action comes with who starts it in front, as the interpreter takes it.
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
    """Whether a piece that goes by its tile has an action of the same name as the tile itself."""
    if this.kind.construct.kind is not ConstructKind.INTERACTABLE:
        return False
    place = run.cells[this.extra + PLACE]
    if place is None or place.kind.construct.kind is not ConstructKind.TILE:
        return False
    actions = run.world.program.actions
    return any(actions[index].name == name for index in place.kind.construct.actions)


def _is_only(run: Run, name: str, this: Instance) -> bool:
    """Whether a name means the action of one thing, among those of its player and of the game."""
    found: set[tuple[int, Instance | None]] = set()
    for offer in run.world.offers:
        action = run.world.program.actions[offer.deed]
        if action.name != name:
            continue
        if action.owner is None:
            found.add((offer.deed, None))
            continue
        for other in in_play(run, action.owner):
            construct = other.kind.construct
            if construct.kind in RECEIVERS or action.index not in construct.actions:
                continue
            if _share(run, this, other):
                found.add((offer.deed, other))
    return len(found) <= 1


def _is_shared(run: Run, this: Instance) -> bool:
    family = run.memory.families[this.kind.index]
    return sum(_share(run, this, other) for other in family) > 1


def _share(run: Run, this: Instance, other: Instance) -> bool:
    """Whether one player may act with both."""
    first, second = _players_of(run, this), _players_of(run, other)
    return first is None or second is None or not first.isdisjoint(second)


def _players_of(run: Run, this: Instance) -> frozenset[int] | None:
    """Who may act with a thing; None: anybody."""
    if this.kind.construct.kind is ConstructKind.GROUP_STATE:
        return frozenset(run.cells[this.extra + OWNER])
    owner = owner_of(run, this)
    return None if owner is None else frozenset((owner,))


def code_of(value: Any) -> Any:
    """A value as plain data, for a choice's `value`."""
    match value:
        case Instance():
            return value.number
        case EnumMember():
            return int(value)
        case _:
            return value


def opener_of(run: Run, chooser: int, value: tuple[int, Instance | None, str | None]) -> Choice:
    """An action that a player may start, as a choice."""
    deed, this, part = value
    parts = [offer.part for offer in run.world.offers if offer.deed == deed]
    code = (deed, -1 if this is None else this.number, parts.index(part) if part in parts else 0)
    action = run.world.program.actions[deed].name
    return Choice(chooser, Kind.ACTION, action, code, action_text(run, value))


def choice_of(run: Run, chooser: int, need: NeedChoice, value: Any) -> Choice:
    """An answer to a question as a choice, named in the state that the run has come to."""
    key = loop_key(run, need)
    if value is STOP:
        return Choice(chooser, Kind.STOP, need.name, None, "", need.index, key)
    if need.kind == "effect":
        return Choice(chooser, Kind.EFFECT, need.name, code_of(value), str(value))
    # No list at all is an answer of its own, not a list with none in it.
    found = Kind.INPUT if need.kind == "pick" and value is None else KINDS[need.kind]
    text = object_text(run, value) if need.is_mixed else text_of(run, value)
    if found is Kind.INPUT and isinstance(value, tuple):
        text = f"({text})"  # one value, where braces would be several
    return Choice(chooser, found, need.name, code_of(value), text, need.index, key)


def loop_key(run: Run, need: NeedChoice) -> str:
    """The values of the variables of the loops that a question is asked in, the outermost first."""
    origin = need.origin
    if origin is None or not origin.asker.keys:
        return ""
    frame, chooser = origin.frame, need.chooser
    return ", ".join(
        typed_text(run, frame[slot], type)
        if guards == () or chooser in readers_of(run, frame, guards)
        else "?"
        for slot, type, guards in origin.asker.keys
    )


def object_text(run: Run, value: Any) -> str:
    """As `text_of`, where a value stands among others of other types: 1 is no player, nor a member."""
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
