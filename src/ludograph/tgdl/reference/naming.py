"""Naming: the text of values, instances and choices, and the way back from text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from ludograph.play import CHANCE, Choice, Kind, Question
from ludograph.play.choices import MoveWord, answers
from ludograph.play.log import ALL, Viewer
from ludograph.text import cut
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.reference.instance_names import (
    NOBODY,
    Texts,
    alike_key,
    alike_siblings,
    distinct_texts,
    given_name,
    numbered,
    reader_of,
)
from ludograph.tgdl.reference.instances import attribute_of_stack, in_play, owner_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import keys_of
from ludograph.tgdl.reference.visibility import readers_of
from ludograph.tgdl.world.faults import STOP, NeedChoice
from ludograph.tgdl.world.limits import MAX_LETTERS
from ludograph.tgdl.world.memory import HELD, HOLDER, OWNER, PLACE, EnumMember, Instance, PositionHash
from ludograph.tgdl.world.values import scalar_text
from ludograph.tgdl.world.world import World

KINDS = {"input": Kind.INPUT, "pick": Kind.PICK, "chance": Kind.CHANCE, "effect": Kind.EFFECT}
MAX_SHOWN = 100
"""The greatest number of elements of a value in a message."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""The accepted spellings of a number in a move."""
RECEIVERS = frozenset({ConstructKind.TILE, ConstructKind.INTERACTABLE})
OfferedAction = tuple[int, Instance | None, str | None]
"""An action, its instance, and the named part that is offered."""


def name_of(run: Run, instance: Instance, reader: Viewer = NOBODY) -> str:
    """The name of an instance in messages.

    A tile has the name of its place. A piece alone on a tile has the name of the tile. Another interactable
    has its name by its attributes (`named`) with a number, if the reader may see it. A local state has the
    name of its player if the player has no other of the construct, and a stack in it the name of the state.
    An instance that the rules name by its construct (the first of several group states) has that name. Any
    other instance has the name of its construct and a number.
    """
    kind = instance.kind.construct.kind
    if kind is ConstructKind.TILE:
        return run.topology.name.get(instance) or repr(instance)
    if kind is ConstructKind.INTERACTABLE:
        place = _own_tile(run, instance)
        if place is not None:
            return run.topology.name.get(place) or repr(place)
        name = given_name(run, instance, reader)
        return repr(instance) if name is None else numbered(name, instance)
    if kind is ConstructKind.STACK:
        return _name_of_stack(run, instance)
    if kind is ConstructKind.LOCAL and len(run.memory.families[instance.kind.index]) > 1:
        owner = owner_of(run, instance)
        others = [each for each in run.memory.families[instance.kind.index] if each is not instance]
        if owner is not None and all(owner_of(run, each) != owner for each in others):
            return f"{instance.kind.name}[{owner}]"
    elif len(run.memory.families[instance.kind.index]) == 1:
        return instance.kind.name
    return _lasting_name(run.world, instance)


def _name_of_stack(run: Run, stack: Instance) -> str:
    """The name of a stack: `deck`, `market[low]`, `seat[1].hand`, `seat[1].rows[0]`, `a1.seeds`."""
    holder, name = locate_stack(run, stack)
    return name if holder is None else f"{name_of(run, holder)}.{name}"


def locate_stack(run: Run, stack: Instance) -> tuple[Instance | None, str]:
    """The holder of a stack, or None, and its name there: `hand`, `rows[0]`."""
    holder = run.cells[stack.extra + HOLDER]
    construct = stack.kind.construct
    if holder is None and construct.table is not None:
        table = run.world.stack_tables[construct.name]
        return None, f"{construct.name}{_keys_text(run, table, construct.table, stack)}"
    attribute = None if holder is None else attribute_of_stack(run, holder, stack)
    if attribute is None:  # a top-level stack, or the holder is not complete yet
        return None, _lasting_name(run.world, stack)
    keys = _keys_text(run, run.cells[holder.offset + attribute.slot], attribute.type, stack)
    return holder, f"{attribute.name}{keys}"


def _keys_text(run: Run, value: Any, type: Type, stack: Instance) -> str | None:
    """The keys of a stack in a table, in brackets; "" if the value is the stack, None if it is not in it."""
    if not isinstance(type, TableType):
        return "" if value is stack else None
    for place, each in enumerate(value):
        inner = _keys_text(run, each, type.value, stack)
        if inner is not None:
            return f"[{text_of(run, keys_of(run, type.key)[place])}]{inner}"
    return None


def _own_tile(run: Run, instance: Instance) -> Instance | None:
    """The tile on which a piece is alone."""
    place: Instance | None = run.cells[instance.extra + PLACE]
    if place is None or place.kind.construct.kind is not ConstructKind.TILE:
        return None
    return place if len(run.cells[place.extra + HELD]) == 1 else None


def _texts_of(run: Run, instance: Instance, reader: Viewer) -> Texts:
    """The texts of an instance among candidates, the preferred one first."""
    is_named = instance.kind.construct.names and _own_tile(run, instance) is None
    name = given_name(run, instance, reader) if is_named else None
    if name is None:
        return (name_of(run, instance),)
    return name, numbered(name, instance), repr(instance)


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


def text_of(run: Run, value: Any, reader: Viewer = NOBODY) -> str:
    """The text of a value in a message, and of a value that is no instance in a move."""
    match value:
        case None:
            return "none"
        case Instance():
            return name_of(run, value, reader)
        case tuple():
            return f"{{{', '.join(text_of(run, item, reader) for item in value)}}}"
        case _:
            return scalar_text(value)


def typed_text(run: Run, value: Any, type: Type, reader: Viewer = NOBODY) -> str:
    """The text of a value in a message: as `text_of`, with names of phases and shortened long lists."""
    return _shortened(run, value, type, [MAX_SHOWN], reader)


def _shortened(run: Run, value: Any, type: Type, left: list[int], reader: Viewer) -> str:
    """The text of a value with at most `left` elements, counting nested lists."""
    if value is not None and type is Basic.PHASE:
        return phase_name(run.world, value)
    if not isinstance(value, tuple):
        return cut(text_of(run, value, reader), MAX_LETTERS)
    inner: Type = Basic.OBJECT
    if isinstance(type, ListType | TableType):
        inner = type.element if isinstance(type, ListType) else type.value
    texts: list[str] = []
    for item in value:
        if left[0] == 0:
            texts.append(f"… {len(value) - len(texts):,} more")
            break
        left[0] -= 1
        texts.append(_shortened(run, item, inner, left, reader))
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


def action_text(run: Run, value: OfferedAction, reader: Viewer = NOBODY) -> str:
    """The text of an offered action: its receiver (if it needs one), its name, and the named part."""
    compiled, this, part = value
    name = run.world.program.actions[compiled].name
    text = name if part is None else f"{name}.{part}"
    if this is not None and this.kind.construct.kind in RECEIVERS:
        receiver = repr(this) if _is_tile_meant(run, name, this) else _receiver_text(run, name, this, reader)
        return f"{receiver}.{text}"
    if this is None or _is_only(run, name, this):
        return text
    same_construct = len(run.memory.families[this.kind.index]) > 1 and _is_shared(run, this)
    receiver = _lasting_name(run.world, this) if same_construct else this.kind.name
    return f"{receiver}.{text}"


def _receiver_text(run: Run, name: str, this: Instance, reader: Viewer) -> str:
    """The text of a tile or piece before the name of its action.

    The name of a piece is alone if no other thing of that name, which the reader may use, has such an action.
    """
    texts = _texts_of(run, this, reader)
    if len(texts) == 1:
        return texts[0]
    others: dict[Instance, Texts] = {}
    for index in dict.fromkeys(offer.action for offer in run.world.offers):
        action = run.world.program.actions[index]
        if action.name != name or action.owner is None:
            continue
        for other in in_play(run, action.owner):
            construct = other.kind.construct
            is_rival = construct.kind in RECEIVERS and index in construct.actions and other is not this
            if is_rival and owner_of(run, other) in (None, reader):
                others[other] = _texts_of(run, other, reader)
    return distinct_texts([texts], others.values())[0]


def other_names(run: Run, instance: Instance) -> Iterator[str]:
    """The alternative names of an instance: in messages, in data and in the rules."""
    yield repr(instance)
    kind = instance.kind.construct.kind
    if kind not in RECEIVERS:
        name = name_of(run, instance)
        yield name
        if kind is ConstructKind.STACK and not name.endswith("]"):  # the name in older records
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


def other_action_texts(run: Run, value: OfferedAction) -> Iterator[str]:
    """The alternative texts of an offered action: with the other names of its instance."""
    compiled, this, part = value
    if this is None:
        return
    name = run.world.program.actions[compiled].name
    text = name if part is None else f"{name}.{part}"
    receivers = (repr(this),) if _is_tile_meant(run, name, this) else other_names(run, this)
    yield from (f"{receiver}.{text}" for receiver in receivers)


def named_action_texts(run: Run, value: OfferedAction, reader: Viewer) -> Iterator[str]:
    """The texts of an offered action with the name of its instance, with and without its number."""
    compiled, this, part = value
    if this is None:
        return
    name = run.world.program.actions[compiled].name
    text = name if part is None else f"{name}.{part}"
    yield from (f"{receiver}.{text}" for receiver in _texts_of(run, this, reader)[:-1])


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
    if not run.world.names_things:
        return None
    return _find_by_name(run, word, values, name)


def _find_by_name(
    run: Run, word: MoveWord, values: Sequence[Any], name: Callable[[Any], Choice]
) -> tuple[Any, Choice] | None:
    """The candidate that a word means by the name of its instance, or of one that is interchangeable.

    If several candidates have the name, they must be alike; the first one is meant.
    """
    meant = candidates_named(run, word, values, name)
    if meant:
        keys = {alike_key(run, thing, choice.chooser) for _, choice, thing in meant}
        is_clear = len(meant) == 1 or (len(keys) == 1 and None not in keys)
        return meant[0][:2] if is_clear else None
    for value in values:
        if isinstance(value, Instance):
            choice = name(value)
            for sibling in alike_siblings(run, value, choice.chooser):
                texts = (*_texts_of(run, sibling, reader_of(choice.chooser)), repr(sibling))
                if any(answers(word, replace(choice, text=text)) for text in texts):
                    return value, choice
    return None


def candidates_named(
    run: Run, word: MoveWord, values: Sequence[Any], name: Callable[[Any], Choice]
) -> list[tuple[Any, Choice, Instance]]:
    """The candidates whose instance has the name that a word gives, with or without its number."""
    found: list[tuple[Any, Choice, Instance]] = []
    for value in values:
        choice = name(value)
        is_action = choice.kind is Kind.ACTION
        thing = value[2] if is_action else value
        if not isinstance(thing, Instance):
            continue
        reader = reader_of(choice.chooser)
        texts: Iterable[str] = _texts_of(run, thing, reader)[:-1]
        if is_action:
            texts = named_action_texts(run, value[1:], reader)
        if any(answers(word, replace(choice, text=text)) for text in texts):
            found.append((value, choice, thing))
    return found


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


def opener_of(run: Run, chooser: int, value: OfferedAction) -> Choice:
    """An action that a player may start, as a choice."""
    compiled, this, part = value
    parts = [offer.part for offer in run.world.offers if offer.action == compiled]
    code = (compiled, -1 if this is None else this.number, parts.index(part) if part in parts else 0)
    action = run.world.program.actions[compiled].name
    return Choice(chooser, Kind.ACTION, action, code, action_text(run, value, reader_of(chooser)))


def choice_of(run: Run, chooser: int, need: NeedChoice, value: Any) -> Choice:
    """A candidate of a question as a choice, with names in the current state of the run."""
    key = loop_key(run, need)
    if value is STOP:
        return Choice(chooser, Kind.STOP, need.name, None, "", need.index, key)
    if need.kind == "effect":
        return Choice(chooser, Kind.EFFECT, need.name, code_of(value), str(value))
    # None instead of a list differs from a list that contains none.
    found = Kind.INPUT if need.kind == "pick" and value is None else KINDS[need.kind]
    if found is Kind.PICK and need.origin is not None and need.origin.prompt.input.is_multiset:
        found = Kind.ADD
    text = _candidate_text(run, need, value)
    if found is Kind.INPUT and isinstance(value, tuple):
        text = f"({text})"  # one value: braces alone would mean several
    return Choice(chooser, found, need.name, code_of(value), text, need.index, key)


def _candidate_text(run: Run, need: NeedChoice, value: Any) -> str:
    """The text of a candidate. An instance has its name, if no other candidate has the same."""
    if not isinstance(value, Instance) or not value.kind.construct.names:
        return _value_text(run, need, value)
    if need.texts is None:
        need.texts = _name_candidates(run, need)
    text = need.texts.get(value)
    if text is None:  # it is no candidate: a message explains why
        others = [_texts_among(run, need, each) for each in need.values if each is not STOP]
        text = distinct_texts([_texts_among(run, need, value)], others)[0]
    return text


def _name_candidates(run: Run, need: NeedChoice) -> dict[Instance, str]:
    """The texts of the instances among the candidates of a question.

    The elements that a list already has count too, unless they are interchangeable.
    """
    values = [value for value in need.values if value is not STOP]
    taken = [each for each in getattr(need.origin, "taken", ()) if isinstance(each, Instance)]
    others = [_texts_among(run, need, each) for each in taken if not each.kind.construct.interchangeable]
    texts = distinct_texts([_texts_among(run, need, value) for value in values], others)
    return {value: text for value, text in zip(values, texts, strict=True) if isinstance(value, Instance)}


def _texts_among(run: Run, need: NeedChoice, value: Any) -> Texts:
    if isinstance(value, Instance):
        return _texts_of(run, value, reader_of(need.chooser))
    return (_value_text(run, need, value),)


def _value_text(run: Run, need: NeedChoice, value: Any) -> str:
    return object_text(run, value) if need.is_mixed else text_of(run, value)


def plain_text(run: Run, choice: Choice, value: Any) -> tuple[Instance, str] | None:
    """The instance of a choice, and a text of the choice that reveals no name; None: its text does not."""
    if not run.world.names_things:
        return None
    thing = value[2] if choice.kind is Kind.ACTION else value
    if not isinstance(thing, Instance) or len(_texts_of(run, thing, ALL)) == 1:
        return None
    return thing, action_text(run, value[1:]) if choice.kind is Kind.ACTION else name_of(run, thing)


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
