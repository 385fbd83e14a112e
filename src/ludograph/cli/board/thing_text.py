"""Descriptions of things in any game: a card in a hand, the value of an attribute."""

from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.reference.instance_names import SEPARATOR
from ludograph.tgdl.world.values import scalar_text

MAX_VALUE_WIDTH = 60

Thing = Mapping[str, Any]
"""A thing as a player sees it: its attributes by name, `is` for its kind, `at` for its place."""

FACTS = ("is", "at", "player")
"""Entries of a thing that are not attributes."""


def construct_kind(state: State, thing: Thing) -> ConstructKind:
    return world_of(state).kind[thing["is"]].construct.kind


def format_card(state: State, card: Thing, *, holder: int | None = None, named: bool = False) -> str:
    """The description of a card: `hearts 10`; with its kind if `named`, or if it has no attributes to show.

    The owner is left out if it is the holder.
    """
    words = [describe_attributes(state, card)]
    if named or not words[0]:
        words.insert(0, str(card["is"]))
    owner = card.get("player")
    if owner is not None and owner != holder:
        words.append(f"of player {owner}")
    return " ".join(word for word in words if word)


def describe_attributes(state: State, card: Thing) -> str:
    """The attributes of a thing: `hearts 10`, `tall not dark`; neither its kind nor its owner.

    The name of a thing, as in moves, replaces the attributes that it consists of. Empty lists are left out. A
    single flag is shown only if it is true. Of several flags those that are false are shown too.
    """
    name, parts = _name_of(state, card)
    flags = [key for key, value in card.items() if isinstance(value, bool) and key not in parts]
    words = [name] if name else []
    for key, value in card.items():
        if key in FACTS or key in parts or value is None or value == []:
            continue
        if not isinstance(value, bool):
            words.append(format_value(state, value, {}))
        elif value:
            words.append(key)
        elif len(flags) > 1:
            words.append(f"not {key}")
    return " ".join(words)


def _name_of(state: State, thing: Thing) -> tuple[str, frozenset[str]]:
    """The name of a thing by its attributes (`named`), and these attributes; empty if it has none to show."""
    construct = world_of(state).kind[thing["is"]].construct
    attributes = [construct.attributes[slot] for slot in construct.names]
    values = [thing.get(each.name) for each in attributes]
    if not values or any(value is None for value in values):
        return "", frozenset()
    texts = [
        scalar_text(value) if each.type in (Basic.STRING, Basic.BOOL) else str(value)
        for each, value in zip(attributes, values, strict=True)
    ]
    return SEPARATOR.join(texts), frozenset(each.name for each in attributes)


def format_value(state: State, value: object, things: Mapping[str, Thing]) -> str:
    """The value of an attribute; a piece or card with its description."""
    match value:
        case None:
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case list():
            text = f"{{{', '.join(format_value(state, item, things) for item in value)}}}"
        case str() if value in things and "at" in things[value]:
            words = describe_attributes(state, things[value])
            is_named = bool(_name_of(state, things[value])[0])
            text = words if is_named else f"{value} ({words})" if words else value
        case _:
            text = str(value)
    return text if len(text) <= MAX_VALUE_WIDTH else text[: MAX_VALUE_WIDTH - 1] + "…"
