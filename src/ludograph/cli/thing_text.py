"""Things of any game in words: a card in a hand, the value of an attribute."""

from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import ConstructKind

WIDEST_VALUE = 60

Thing = Mapping[str, Any]
"""A thing as a player sees it: its attributes by name, `is` for its kind, `at` for its place."""

FACTS = ("is", "at", "player")
"""What a thing has besides what its kind says of it."""


def kind_of(state: State, thing: Thing) -> ConstructKind:
    return world_of(state).kind[thing["is"]].construct.kind


def card_text(card: Thing, *, holder: int | None = None, named: bool = False) -> str:
    """What a thing says of itself: `hearts 10`; its kind too, if that is wanted or there is nothing else.

    Whose it is need not be said where its holder is known.
    """
    words = [card_words(card)]
    if named or not words[0]:
        words.insert(0, str(card["is"]))
    owner = card.get("player")
    if owner is not None and owner != holder:
        words.append(f"of player {owner}")
    return " ".join(word for word in words if word)


def card_words(card: Thing) -> str:
    """What the attributes of a thing say: `hearts 10`, `tall not dark`; nothing of its kind and its player.

    A truth alone is a mark: it is said if it holds. Of several also those that do not hold are.
    """
    truths = [key for key, value in card.items() if isinstance(value, bool)]
    words = []
    for key, value in card.items():
        if key in FACTS or value is None:
            continue
        if not isinstance(value, bool):
            words.append(value_text(value, {}))
        elif value:
            words.append(key)
        elif len(truths) > 1:
            words.append(f"not {key}")
    return " ".join(words)


def value_text(value: object, things: Mapping[str, Thing]) -> str:
    """A value of an attribute; a piece or card with what it says of itself."""
    match value:
        case None:
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case list():
            text = f"{{{', '.join(value_text(item, things) for item in value)}}}"
        case str() if value in things and "at" in things[value]:
            words = card_words(things[value])
            text = f"{value} ({words})" if words else value
        case _:
            text = str(value)
    return text if len(text) <= WIDEST_VALUE else text[: WIDEST_VALUE - 1] + "…"
