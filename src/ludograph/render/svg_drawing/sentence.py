"""Sentences in SVG: words, cards, dice and players' discs in a row, broken into lines if necessary."""

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct

from ludograph.render.canvas import fit_size, group, moved, text, text_width
from ludograph.render.descriptions import (
    CARD_NAMES,
    CardShown,
    DiceShown,
    ResourceShown,
    Sentence,
    SentencePart,
    Who,
    describe_player,
    format_number,
)
from ludograph.render.looks import Looks
from ludograph.render.svg_drawing.symbols import (
    CARD_HEIGHT,
    CARD_WIDTH,
    development_card,
    die,
    piece_symbol,
    player_badge,
    resource_card,
)
from ludograph.settlers import Goods, Piece

LINE_HEIGHT = 1.75
"""The minimum height of a line, in multiples of the font size."""
SPACE = 0.28


class Drawn(Struct, frozen=True):
    """A drawing from its upper left corner, and its size."""

    svg: str
    width: float
    height: float


def draw_sentence(sentence: Sentence, size: float, max_width: float, looks: Looks) -> Drawn:
    """A sentence, starting with a capital letter, in lines that are no wider than `max_width`."""
    items = [
        item
        for index, part in enumerate(sentence)
        for item in _draw_part(part, size, looks, is_first=index == 0)
    ]
    parts: list[str] = []
    y = 0.0
    for row in _break_lines(items, size, max_width):
        height = max(size * LINE_HEIGHT, *(item.height + 4 for _, item in row if isinstance(item, Drawn)), 0)
        for x, item in row:
            if isinstance(item, Drawn):
                parts.append(moved(x, y + (height - item.height) / 2, item.svg) if item.svg else "")
            else:
                fitting = fit_size(item, size, max_width)
                parts.append(text(x, y + height / 2, item, fitting, text_anchor="start", fill=looks.ink))
        y += height
    return Drawn(group(*parts), max_width, y)


def _break_lines(
    items: list[Drawn | str], size: float, max_width: float
) -> list[list[tuple[float, Drawn | str]]]:
    """The items in lines, each item with its distance from the left; consecutive words become one text."""
    rows: list[list[tuple[float, Drawn | str]]] = [[]]
    x = 0.0
    for item in items:
        width = item.width if isinstance(item, Drawn) else text_width(item, size) + size * SPACE
        if rows[-1] and x + width > max_width:
            rows.append([])
            x = 0.0
        row = rows[-1]
        last = row[-1][1] if row else None
        if isinstance(item, str) and isinstance(last, str):
            row[-1] = (row[-1][0], f"{last} {item}")
        else:
            row.append((x, item))
        x += width
    return rows


def _draw_part(part: SentencePart, size: float, looks: Looks, *, is_first: bool) -> Iterator[Drawn | str]:
    """The items of a part: drawings, and words as text."""
    gap = size * 0.3
    match part:
        case str():
            yield from (part[:1].upper() + part[1:] if is_first else part).split()
        case Who(player):
            words = describe_player(player).split()
            yield words[0].capitalize() if is_first else words[0]
            badge = moved(size * 0.7, size * 0.7, player_badge(player, looks, radius=size * 0.65))
            yield Drawn(badge, size * 1.4 + gap, size * 1.4) if player else words[1]
        case Goods():
            for resource, count in part.items():
                yield Drawn(resource_card(resource, looks, count), CARD_WIDTH + 2, CARD_HEIGHT)
            yield Drawn("", gap, 0) if part else "nothing"
        case ResourceShown(None):
            yield Drawn(development_card(None, looks), CARD_WIDTH + gap, CARD_HEIGHT)
            yield from "a card".split()
        case ResourceShown(resource):
            assert resource is not None
            yield Drawn(resource_card(resource, looks), CARD_WIDTH + gap, CARD_HEIGHT)
            yield resource.value
        case CardShown(card):
            yield Drawn(development_card(card, looks), CARD_WIDTH + gap, CARD_HEIGHT)
            yield from ("a development card" if card is None else CARD_NAMES[card]).split()
        case DiceShown(value):
            if isinstance(value, int):
                yield format_number(value)
                return
            for face in value:
                yield Drawn(moved(13, 13, die(face, looks)), 31, 26)
            yield from ("=", format_number(sum(value)))
        case Piece():
            yield Drawn(moved(20, 17, piece_symbol(part, None, looks)), 42, 34)
        case _:
            assert_never(part)
