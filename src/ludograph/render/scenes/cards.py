"""Cards: the face of a card from its attributes, and stacks of cards in a row."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ludograph.render.scenes.items import ItemKind, SceneItem, item_id, of_things
from ludograph.render.scenes.known_names import NUMBERED_RANKS, RANKS, find_suit
from ludograph.render.scenes.looks_of_things import SeenThing, ViewReader, format_number, is_blank, is_number

CARD_WIDTH = 46.0
CARD_HEIGHT = 64.0
MIN_STEP = 16.0
"""How far apart overlapping cards are at least, so that the corner of each is visible."""
MAX_CARDS = 80
MAX_BACKS = 12
"""The number of backs side by side."""


class CardFace(Struct, frozen=True):
    """What a card shows: a rank and a suit, or words."""

    rank: str = ""
    suit: str = ""
    colour: str = ""
    symbol: str = ""
    lines: tuple[str, ...] = ()


def card_face(reader: ViewReader, thing: SeenThing) -> CardFace:
    """The face of a card that is visible."""
    rank = suit = colour = symbol = ""
    lines: list[str] = []
    owner = thing.get("player")
    values = [(a, v) for a, v in reader.attributes(thing) if not (is_blank(v) and a.type.base != "decimal")]
    has_suit = any(a.type.base == "enum" and isinstance(v, str) and find_suit(v) for a, v in values)
    for attribute, value in values:
        if attribute.type.base == "enum" and isinstance(value, str):
            if has_suit and not suit and find_suit(value):
                suit = find_suit(value)
            elif has_suit and not rank and value.lower() in RANKS:
                rank = RANKS[value.lower()]
            else:
                colour = colour or reader.member_colour(attribute.type.name, value)
                symbol = symbol or reader.member_symbol(attribute.type.name, value)
                lines.append(reader.member_label(attribute.type.name, value))
        elif is_number(value) and attribute.type.base == "decimal" and not rank:
            is_named = has_suit and value in NUMBERED_RANKS
            rank = NUMBERED_RANKS[int(value)] if is_named else format_number(value)
        elif value is True:
            lines.append(attribute.name)
        elif value is not False:
            lines.append(f"{attribute.name} {reader.text(attribute.type, value)}")
    hints, kind = reader.hints, thing["is"]
    hinted = hints.symbol(kind, thing)
    rank = hints.text(kind, "label", thing) or hinted.letters or rank
    colour = hints.colour(kind, thing) or colour
    if hinted.name and hinted.name != suit:
        symbol = hinted.name
        suit = hinted.name if suit else ""
    if not rank and not suit and not lines:
        lines.append(thing["is"])
    if owner is not None:
        lines.append(f"player {owner}")
    return CardFace(rank, suit, colour, symbol, tuple(lines))


def card_item(reader: ViewReader, id: str, card: str | None, x: float, y: float) -> SceneItem:
    """A card with its middle at a point; None, or a card that nobody knows anything about, is a back."""
    thing = None if card is None else reader.things.get(card)
    if card is None or thing is None:
        return SceneItem(
            id, ItemKind.CARD, x, y, CARD_WIDTH, CARD_HEIGHT, style="back", title="a hidden card"
        )
    face = card_face(reader, thing)
    return SceneItem(
        id,
        ItemKind.CARD,
        x,
        y,
        CARD_WIDTH,
        CARD_HEIGHT,
        text=face.rank,
        symbol=face.suit or face.symbol,
        colour=face.colour,
        style="suit" if face.suit else "face",
        notes=face.lines,
        title=_card_title(reader, card, thing),
        of=of_things(card),
    )


def _card_title(reader: ViewReader, card: str, thing: SeenThing) -> str:
    words = [reader.text(attribute.type, value) for attribute, value in reader.attributes(thing)]
    return f"{thing['is']} {' '.join(words)}".strip()


def stack_items(
    reader: ViewReader, stack: str, label: str, x: float, y: float, width: float
) -> Iterator[SceneItem]:
    """The cards of a stack in a row from a point, as wide as allowed; backs show only their number."""
    thing = reader.things[stack]
    length = thing["length"]
    cards: Sequence[str] | None = thing.get("cards")
    if not length:
        yield SceneItem(
            item_id("empty", stack),
            ItemKind.CARD,
            x + CARD_WIDTH / 2,
            y + CARD_HEIGHT / 2,
            CARD_WIDTH,
            CARD_HEIGHT,
            style="empty",
            title=f"{label}: no cards",
            of=of_things(stack),
        )
        return
    if cards is None:
        is_row = reader.hints.is_set(thing["is"], "cards", thing)
        layers = min(length, MAX_BACKS if is_row else 3)
        step = stack_step(layers, width) if is_row else 3.0
        for layer in range(layers):
            is_top = layer == layers - 1
            yield SceneItem(
                item_id("back", stack, str(layer)),
                ItemKind.CARD,
                x + CARD_WIDTH / 2 + step * layer,
                y + CARD_HEIGHT / 2,
                CARD_WIDTH,
                CARD_HEIGHT,
                text=str(length) if is_top else "",
                colour=reader.hints.colour(thing["is"], thing),
                style="back",
                title=f"{label}: {length} hidden card{'' if length == 1 else 's'}",
                of=of_things(stack),
            )
        return
    drawn = cards[-_most_drawn(reader, thing) :]
    step = stack_step(len(drawn), width)
    for index, card in enumerate(drawn):
        # A card that the seat cannot see has no id of its own: its place in the stack identifies it.
        name = card if card in reader.things else f"{stack}.{index}"
        drawn_card = card_item(
            reader,
            item_id("card", name),
            card if card in reader.things else None,
            x + CARD_WIDTH / 2 + index * step,
            y + CARD_HEIGHT / 2,
        )
        yield replace(drawn_card, place=stack)


def _most_drawn(reader: ViewReader, stack: SeenThing) -> int:
    """The number of cards of a stack that are drawn: of a pile only the top one."""
    return 1 if reader.hints.is_set(stack["is"], "pile", stack) else MAX_CARDS


def stack_step(count: int, width: float) -> float:
    """The distance between the cards of a row that fits into a width, if the least distance allows it."""
    if count < 2:
        return 0.0
    return max(min(CARD_WIDTH + 4, (width - CARD_WIDTH) / (count - 1)), 3.0)


def stack_width(reader: ViewReader, stack: str, width: float) -> float:
    """The width of the items of a stack."""
    thing = reader.things[stack]
    length: int = thing["length"]
    if "cards" not in thing:
        is_row = reader.hints.is_set(thing["is"], "cards", thing)
        layers = min(length, MAX_BACKS if is_row else 3)
        return CARD_WIDTH + (stack_step(layers, width) if is_row else 3.0) * max(0, layers - 1)
    count = min(length, _most_drawn(reader, thing))
    return CARD_WIDTH + max(0, count - 1) * stack_step(count, width)
