"""Sentences as items: words, cards, dice and players' discs in a row, broken into lines if necessary."""

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ludograph.render.canvas import text_width
from ludograph.render.descriptions import (
    CARD_LETTERS,
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
from ludograph.render.looks import RESOURCE_TERRAINS
from ludograph.render.scenes.island.drawing import CARD_HEIGHT, CARD_WIDTH
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import ItemKind, SceneItem
from ludograph.settlers import Card, Goods, Piece, Resource

LINE_HEIGHT = 1.75
"""The minimum height of a line, in multiples of the font size."""
SPACE = 0.28
"""The breadth of a space, in multiples of the font size."""


class SentenceRun(Struct, frozen=True):
    """A thing in a sentence: an item around (0, 0) with its width and height, or a space without an item."""

    item: SceneItem | None
    width: float
    height: float


class PlacedSentence(Struct, frozen=True):
    """The items of a sentence, relative to its upper left corner, and its height."""

    items: tuple[SceneItem, ...]
    height: float


def lay_out_sentence(
    name: str, sentence: Sentence, size: float, max_width: float, theme: Theme, *, bold: bool = False
) -> PlacedSentence:
    """A sentence, starting with a capital letter, in lines that are no wider than `max_width`."""
    runs = [
        run
        for index, part in enumerate(sentence)
        for run in _list_runs(part, size, theme, is_first=index == 0)
    ]
    items: list[SceneItem] = []
    y = 0.0
    for row in _break_lines(runs, size, max_width, bold):
        height = max(
            size * LINE_HEIGHT, *(run.height + 4 for _, run in row if isinstance(run, SentenceRun)), 0
        )
        for x, run in row:
            if isinstance(run, str):
                width = min(_exact_width(run, size, bold), max_width - x)
                style = "words exact bold" if bold else "words exact"
                items.append(
                    SceneItem(
                        f"{name}.{len(items)}",
                        ItemKind.LABEL,
                        x,
                        y + height / 2,
                        width,
                        size,
                        text=run,
                        style=style,
                    )
                )
            elif run.item is not None:
                items.append(
                    replace(
                        run.item,
                        id=f"{name}.{len(items)}",
                        x=x + run.item.x,
                        y=y + height / 2 + run.item.y,
                    )
                )
        y += height
    return PlacedSentence(tuple(items), y)


def _break_lines(
    runs: list[SentenceRun | str], size: float, max_width: float, bold: bool
) -> list[list[tuple[float, SentenceRun | str]]]:
    """The runs in lines, each with its distance from the left; consecutive words become one text."""
    rows: list[list[tuple[float, SentenceRun | str]]] = [[]]
    x = 0.0
    for run in runs:
        width = run.width if isinstance(run, SentenceRun) else _exact_width(run, size, bold) + size * SPACE
        if rows[-1] and x + width > max_width:
            rows.append([])
            x = 0.0
        row = rows[-1]
        last = row[-1][1] if row else None
        if isinstance(run, str) and isinstance(last, str):
            row[-1] = (row[-1][0], f"{last} {run}")
        else:
            row.append((x, run))
        x += width
    return rows


def _exact_width(words: str, size: float, bold: bool) -> float:
    """The width that words get: that of a usual font, which is narrower than the widest."""
    return text_width(words, size, bold) * 0.88


def _list_runs(
    part: SentencePart, size: float, theme: Theme, *, is_first: bool
) -> Iterator[SentenceRun | str]:
    """The runs of a part: drawings, and words as text."""
    gap = size * 0.3
    match part:
        case str():
            yield from (part[:1].upper() + part[1:] if is_first else part).split()
        case Who(player, name):
            words = describe_player(player).split()
            yield name or (words[0].capitalize() if is_first else words[0])
            if player:
                radius = size * 0.65
                badge = badge_item("", radius + 2, 0, radius, player, theme)
                yield SentenceRun(badge, 2 * radius + 2 + gap, 2 * radius)
            else:
                yield words[1]
        case Goods():
            for resource, count in part.items():
                card = resource_card("", CARD_WIDTH / 2, 0, resource, count, theme)
                yield SentenceRun(card, CARD_WIDTH + 2, CARD_HEIGHT)
            yield SentenceRun(None, gap, 0) if part else "nothing"
        case ResourceShown(None):
            yield SentenceRun(development_card("", 13, 0, None, None, theme), CARD_WIDTH + gap, CARD_HEIGHT)
            yield from "a card".split()
        case ResourceShown(resource):
            assert resource is not None
            yield SentenceRun(resource_card("", 13, 0, resource, None, theme), CARD_WIDTH + gap, CARD_HEIGHT)
            yield resource.value
        case CardShown(card):
            yield SentenceRun(development_card("", 13, 0, card, None, theme), CARD_WIDTH + gap, CARD_HEIGHT)
            yield from ("a development card" if card is None else CARD_NAMES[card]).split()
        case DiceShown(value):
            if isinstance(value, int):
                yield format_number(value)
                return
            for face in value:
                die = SceneItem("", ItemKind.DIE, 13, 0, 27, 27, text=format_number(face))
                yield SentenceRun(die, 31, 27)
            yield from ("=", format_number(sum(value)))
        case Piece():
            yield SentenceRun(piece_icon("", 18, 0, part, None, theme), 42, 34)
        case _:
            assert_never(part)


# Items that sentences and the panel share


def badge_item(name: str, x: float, y: float, radius: float, player: int | None, theme: Theme) -> SceneItem:
    """A disc in a player's colour with the player's number; the bank has a B."""
    owner = theme.player(player)
    return SceneItem(
        name,
        ItemKind.MARK,
        x,
        y,
        2 * radius,
        2 * radius,
        text="?" if player is None else format_number(player) if player else "B",
        owner=owner,
        style=f"badge {theme.ink_on('nobody' if owner is None else f'p{owner}')}".strip(),
        title=describe_player(player),
    )


def resource_card(
    name: str,
    x: float,
    y: float,
    resource: Resource,
    count: int | None,
    theme: Theme,
    height: float = CARD_HEIGHT,
) -> SceneItem:
    """A card of a resource; with a count, that many of them."""
    ground = RESOURCE_TERRAINS[resource].value
    return SceneItem(
        name,
        ItemKind.CARD,
        x,
        y,
        height * CARD_WIDTH / CARD_HEIGHT,
        height,
        text="" if count is None else f"{resource.value[0].upper()}{format_number(count)}",
        symbol=ground,
        style="small resource empty" if count == 0 else "small resource",
        title=resource.value if count is None else f"{format_number(count)} {resource.value}",
    )


def development_card(
    name: str,
    x: float,
    y: float,
    card: Card | None,
    count: int | None,
    theme: Theme,
    height: float = CARD_HEIGHT,
) -> SceneItem:
    """A development card; face down if its kind is unknown."""
    kind = "development cards" if card is None else CARD_NAMES[card]
    style = "small empty" if count == 0 else f"small {theme.ink_on('card-back')}".strip()
    letter = CARD_LETTERS[card] if card is not None else ""
    return SceneItem(
        name,
        ItemKind.CARD,
        x,
        y,
        height * CARD_WIDTH / CARD_HEIGHT,
        height,
        text="" if count is None else f"{letter}{format_number(count)}",
        symbol="" if card is None else card.value,
        style=style,
        title=kind if count is None else f"{format_number(count)} {kind}",
    )


def piece_icon(
    name: str, x: float, y: float, piece: Piece, player: int | None, theme: Theme, size: float = 34
) -> SceneItem:
    """A piece off the board, without a number."""
    owner = theme.player(player)
    ground = "nobody" if owner is None else f"p{owner}"
    if piece is Piece.ROAD:
        reach, drop = size * 0.47, size * 0.18
        return SceneItem(
            name,
            ItemKind.ROAD,
            x,
            y,
            theme.road_width * size / 34,
            theme.outline * size / 34,
            ((x - reach, y + drop), (x + reach, y - drop)),
            owner=owner,
            style=theme.ink_on(ground),
            notes=_scaled(theme.patterns[-1 if owner is None else owner], size / 34),
        )
    return SceneItem(
        name,
        ItemKind.PIECE,
        x,
        y,
        size,
        size,
        symbol=piece.value,
        owner=owner,
        style=f"building {theme.ink_on(ground)}".strip(),
        notes=("0", f"{theme.outline:g}"),
    )


def _scaled(pattern: tuple[str, ...], scale: float) -> tuple[str, ...]:
    """The pattern of a smaller road."""
    return tuple(" ".join(f"{float(number) * scale:.3g}" for number in each.split()) for each in pattern)
