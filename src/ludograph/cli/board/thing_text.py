"""Descriptions of things in any game: a card in a hand, the value of an attribute."""

from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import ConstructKind

WIDEST_VALUE = 60

Thing = Mapping[str, Any]
"""A thing as a player sees it: its attributes by name, `is` for its kind, `at` for its place."""

FACTS = ("is", "at", "player")
"""Entries of a thing that are not attributes."""


def construct_kind(state: State, thing: Thing) -> ConstructKind:
    return world_of(state).kind[thing["is"]].construct.kind


def format_card(card: Thing, *, holder: int | None = None, named: bool = False) -> str:
    """The description of a card: `hearts 10`; with its kind if `named`, or if it has no attributes to show.

    The owner is left out if it is the holder.
    """
    words = [describe_attributes(card)]
    if named or not words[0]:
        words.insert(0, str(card["is"]))
    owner = card.get("player")
    if owner is not None and owner != holder:
        words.append(f"of player {owner}")
    return " ".join(word for word in words if word)


def describe_attributes(card: Thing) -> str:
    """The attributes of a thing: `hearts 10`, `tall not dark`; neither its kind nor its owner.

    A single flag is shown only if it is true. Of several flags those that are false are shown too.
    """
    flags = [key for key, value in card.items() if isinstance(value, bool)]
    words = []
    for key, value in card.items():
        if key in FACTS or value is None:
            continue
        if not isinstance(value, bool):
            words.append(format_value(value, {}))
        elif value:
            words.append(key)
        elif len(flags) > 1:
            words.append(f"not {key}")
    return " ".join(words)


def format_value(value: object, things: Mapping[str, Thing]) -> str:
    """The value of an attribute; a piece or card with its description."""
    match value:
        case None:
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case list():
            text = f"{{{', '.join(format_value(item, things) for item in value)}}}"
        case str() if value in things and "at" in things[value]:
            words = describe_attributes(things[value])
            text = f"{value} ({words})" if words else value
        case _:
            text = str(value)
    return text if len(text) <= WIDEST_VALUE else text[: WIDEST_VALUE - 1] + "…"
