"""The panel below an island: the action, the turn, a row for each player, the bank, the prices and a key.

It is a table, so that players can be compared: points, resources, the size of the hand, development cards,
and at the right the army, the longest road and the pieces that are left.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ludograph.render.canvas import shorten, text_width
from ludograph.render.descriptions import CARD_LETTERS, CARD_NAMES, Sentence, format_number
from ludograph.render.scenes.island.sentences import (
    badge_item,
    development_card,
    lay_out_sentence,
    piece_icon,
    resource_card,
)
from ludograph.render.scenes.island.shown import ShownGame, ShownSeat
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import ItemKind, SceneItem, item_id
from ludograph.settlers import BANK, Buy, Card, Goods, Piece, Resource
from ludograph.settlers.standings import PRICES

MIN_PANEL_WIDTH = 560.0
MARGIN = 14.0
ACTION_ROW, ROW, BANK_ROW, HEADINGS, PRICE_ROW = 42.0, 53.0, 46.0, 18.0, 32.0
BADGE_AT, POINTS_AT, GOODS_AT, HAND_AT, CARDS_AT, FACTS_AT = 33.0, 68.0, 105.0, 252.0, 289.0, 426.0
CARD_STEP = 29.0
NAME_ROW = 15.0
"""The height of a name above the row of a player."""
FIGURE, SMALL, KEY = 13.0, 12.0, 12.0
"""Sizes of text."""
BACKGROUND, FRONT = 0, 1
"""The layers of the panel."""
PRICE_CARD = 24.0
"""The height of a card in the prices."""


class SeatChange(Struct, frozen=True):
    """What the last action changed of a seat or of the bank."""

    goods: tuple[int, ...] = (0,) * len(Resource)
    cards: tuple[int, ...] = (0,) * len(Card)
    held: int = 0
    """By how much the hand grew or shrank; shown if the kinds of the cards are not."""
    unplayed: int = 0
    points: int = 0
    knights: int = 0


NO_CHANGE = SeatChange()


class PanelLayout(Struct, frozen=True):
    """The items of the panel, and its height."""

    items: tuple[SceneItem, ...]
    height: float


def lay_out_panel(
    game: ShownGame,
    changes: dict[int, SeatChange],
    sentences: Iterable[tuple[str, Sentence]],
    top: float,
    width: float,
    theme: Theme,
) -> PanelLayout:
    """The panel of a game, below `top`. Changes are those of players, and of the bank under the number 0."""
    items: list[SceneItem] = []
    y = top + 8
    for name, sentence in sentences:
        is_action = name == "action"
        placed = lay_out_sentence(
            name, sentence, 17 if is_action else 15, width - 2 * MARGIN, theme, bold=name == "turn"
        )
        # The row of an action always has space for cards, so that the steps of a game have the same size.
        height = max(placed.height, ACTION_ROW) if is_action else placed.height
        items += _moved(placed.items, MARGIN, y + (height - placed.height) / 2)
        y += height
    if game.seats:
        items += _headings(y)
        y += HEADINGS
        for player, seat in enumerate(game.seats, start=1):
            change = changes.get(player, NO_CHANGE)
            name = game.names[player - 1] if game.names else ""
            above = NAME_ROW if name else 0.0
            if name:
                items += _moved([_name_item(name, player, width)], 0, y)
            row = _seat_row(game, seat, player, change, width, theme, above)
            items += _moved(row, 0, y + above)
            y += ROW + above
        items += _moved(_bank_row(game, changes.get(BANK, NO_CHANGE), width, theme), 0, y)
        y += BANK_ROW
        items += _moved(_price_row(width, theme), 0, y)
        y += PRICE_ROW + 2 * KEY + 8
    return PanelLayout(tuple(items), y + 6 - top)


def _moved(items: Iterable[SceneItem], x: float, y: float) -> Iterator[SceneItem]:
    for item in items:
        points = tuple((a + x, b + y) for a, b in item.points)
        layer = BACKGROUND if item.kind is ItemKind.BOX and item.style.startswith("row") else FRONT
        yield replace(item, x=item.x + x, y=item.y + y, points=points, layer=layer)


def _headings(y: float) -> Iterator[SceneItem]:
    headings = (
        ("points", POINTS_AT, "middle"),
        ("resources", GOODS_AT - 14, "start"),
        ("cards", HAND_AT, "middle"),
        ("development cards", CARDS_AT - 14, "start"),
        ("knights, road, pieces left", FACTS_AT, "start"),
    )
    for name, x, anchor in headings:
        yield _words(f"heading.{name}", x, y + 9, name, SMALL - 0.5, f"{anchor} quiet")


def _words(name: str, x: float, y: float, words: str, size: float, style: str, width: float = 0) -> SceneItem:
    return SceneItem(
        name.replace(" ", "-").replace(",", ""),
        ItemKind.LABEL,
        x,
        y,
        width,
        size,
        text=words,
        style=f"words {style}",
        layer=FRONT,
    )


def _name_item(name: str, player: int, width: float) -> SceneItem:
    """The name of a player, above the row of the player."""
    room = width - 2 * MARGIN - 60
    shown = shorten(name, FIGURE, room, bold=True)
    item = _words(item_id("name", f"player{player - 1}"), MARGIN + 6, 11, shown, FIGURE, "bold start", room)
    return replace(item, title=name)


def _seat_row(
    game: ShownGame,
    seat: ShownSeat,
    player: int,
    change: SeatChange,
    width: float,
    theme: Theme,
    above: float = 0.0,
) -> Iterator[SceneItem]:
    """A row; its ground begins so far above it that a name fits in."""
    name, middle = f"seat.{player}", ROW / 2
    is_current = player in (game.current, game.winner)
    if is_current:
        yield SceneItem(
            f"{name}.row",
            ItemKind.BOX,
            6,
            1 - above,
            width - 12,
            ROW - 2 + above,
            owner=player - 1,
            style="row current",
        )
        # The arrow or star marks the row without colour too.
        symbol = "star" if player == game.winner else "arrow"
        title = "has won" if player == game.winner else "to move"
        yield _symbol(f"{name}.mark", 13, middle, symbol, 15, title)
    else:
        yield SceneItem(f"{name}.row", ItemKind.BOX, MARGIN, -above, width - 2 * MARGIN, 1, style="row line")
    yield badge_item(f"{name}.badge", BADGE_AT, middle, 13, player, theme)
    points = format_number(seat.points)
    yield _words(f"{name}.points", POINTS_AT, middle, points, 23, "middle bold", 34)
    yield from _delta(f"{name}.points", POINTS_AT + 16, middle - 16, change.points)
    yield from _goods(name, seat.goods, seat.held, change, middle, theme)
    held = format_number(seat.held)
    style = "middle bold" if seat.held else "middle quiet"
    yield _words(f"{name}.held", HAND_AT, middle, held, 17, style, 34)
    if seat.goods is not None:
        yield from _delta(f"{name}.held", HAND_AT + 14, middle - 16, change.held - sum(change.goods))
    yield from _cards(name, seat, change, middle, theme)
    yield from _facts(game, seat, player, change, theme)


def _goods(
    name: str, goods: Goods | None, held: int, change: SeatChange, y: float, theme: Theme
) -> Iterator[SceneItem]:
    """A card for each resource, or one card that is face down if the hand is hidden."""
    if goods is None:
        x = GOODS_AT + 2 * CARD_STEP
        hidden = development_card(f"{name}.hand", x, y, None, None, theme)
        yield replace(
            hidden,
            symbol="",
            text=format_number(held),
            title=f"{format_number(held)} hidden resource cards",
            style="small resource" if held else "small resource empty",
        )
        yield from _delta(f"{name}.hand", x + 12, y - 16, change.held)
        return
    for index, resource in enumerate(Resource):
        x = GOODS_AT + index * CARD_STEP
        yield resource_card(f"{name}.{resource.value}", x, y, resource, goods.counts[index], theme)
        yield from _delta(f"{name}.{resource.value}", x + 5, y - 17, change.goods[index])


def _cards(name: str, seat: ShownSeat, change: SeatChange, y: float, theme: Theme) -> Iterator[SceneItem]:
    """A card for each kind of development card; those bought in this turn follow a plus sign."""
    if seat.cards is None:
        x = CARDS_AT + 2 * CARD_STEP
        hidden = development_card(f"{name}.unplayed", x, y, None, seat.unplayed, theme)
        yield replace(hidden, title=f"{format_number(seat.unplayed)} hidden development cards")
        yield from _delta(f"{name}.unplayed", x + 12, y - 16, change.unplayed)
        return
    for index, card in enumerate(Card):
        held, bought = seat.cards.counts[index], seat.bought.counts[index]
        x = CARDS_AT + index * CARD_STEP
        item = development_card(f"{name}.{card.value}", x, y, card, held + bought, theme)
        if bought:
            item = replace(
                item,
                text=f"{CARD_LETTERS[card]}{format_number(held) if held else ''}+{format_number(bought)}",
                title=f"{format_number(held)} {CARD_NAMES[card]}, {format_number(bought)} bought this turn",
            )
        yield item
        yield from _delta(f"{name}.{card.value}", x + 5, y - 17, change.cards[index])
    hidden_gain = change.unplayed - sum(change.cards)
    yield from _delta(f"{name}.unplayed", CARDS_AT + 5 * CARD_STEP - 8, y - 16, hidden_gain)


def _facts(
    game: ShownGame, seat: ShownSeat, player: int, change: SeatChange, theme: Theme
) -> Iterator[SceneItem]:
    """Three lines: the army, the longest road, and the pieces that are left."""
    name, x = f"seat.{player}", FACTS_AT
    top, middle, bottom = 10.5, ROW / 2, ROW - 10.5
    yield _symbol(f"{name}.sword", x + 8, top, "sword", 15, "knights played")
    yield _figure(f"{name}.knights", x + 22, top, seat.knights)
    yield from _delta(f"{name}.knights", x + 42, top, change.knights)
    yield piece_icon(f"{name}.road", x + 8, middle, Piece.ROAD, player, theme, 17)
    if seat.road_length is not None:
        yield _figure(f"{name}.length", x + 22, middle, seat.road_length)
    for award, holder, y in (
        ("largest army", game.largest_army, top),
        ("longest road", game.longest_road, middle),
    ):
        if holder == player:
            yield SceneItem(
                f"{name}.{award.replace(' ', '-')}",
                ItemKind.BOX,
                x + 41,
                y - 7.5,
                81,
                15,
                text=award,
                style="award",
                owner=player - 1,
            )
    for piece, left, count_at, size in (
        (Piece.VILLAGE, 8.0, 22.0, 18.0),
        (Piece.CITY, 48.0, 62.0, 18.0),
        (Piece.ROAD, 89.0, 104.0, 17.0),
    ):
        count = seat.left[piece]
        icon = piece_icon(f"{name}.{piece.value}-icon", x + left, bottom, piece, player, theme, size)
        words = "cities" if piece is Piece.CITY else f"{piece.value}s"
        yield replace(icon, title=f"{format_number(count)} {words} left")
        yield _figure(f"{name}.{piece.value}s-left", x + count_at, bottom, count)


def _figure(name: str, x: float, y: float, count: int) -> SceneItem:
    return _words(name, x, y, format_number(count), FIGURE, "bold" if count else "quiet", 22)


def _symbol(name: str, x: float, y: float, symbol: str, size: float, title: str) -> SceneItem:
    return SceneItem(name, ItemKind.PIECE, x, y, size, size, symbol=symbol, style="panel-symbol", title=title)


def _delta(name: str, x: float, y: float, count: int) -> Iterator[SceneItem]:
    """A gain or loss beside what has changed."""
    if not count:
        return
    words = f"+{format_number(count)}" if count > 0 else f"−{format_number(-count)}"
    width = text_width(words, 11, bold=True) + 7
    title = f"{'gains' if count > 0 else 'loses'} {format_number(abs(count))}"
    yield SceneItem(f"{name}.change", ItemKind.LABEL, x, y, width, 14, text=words, style="delta", title=title)


def _bank_row(game: ShownGame, change: SeatChange, width: float, theme: Theme) -> Iterator[SceneItem]:
    middle = BANK_ROW / 2
    yield SceneItem("bank.row", ItemKind.BOX, MARGIN, 0, width - 2 * MARGIN, 1, style="row line")
    yield badge_item("bank.badge", BADGE_AT, middle, 13, BANK, theme)
    yield _words("bank.name", POINTS_AT, middle, "bank", FIGURE, "middle")
    if game.bank is not None:
        yield from _goods("bank", game.bank, game.bank.total, change, middle, theme)
    if game.cards_left is not None:
        x = CARDS_AT
        yield development_card("bank.cards", x, middle, None, game.cards_left, theme)
        yield _words("bank.cards-left", x + 22, middle, "left to buy", FIGURE, "quiet")
        yield from _delta("bank.cards", x + 8, middle - 15, change.unplayed)


@lru_cache(maxsize=32)
def _price_row(width: float, theme: Theme) -> tuple[SceneItem, ...]:
    """What each purchase costs, and a key of the letters on cards."""
    items = [SceneItem("prices.row", ItemKind.BOX, MARGIN, 0, width - 2 * MARGIN, 1, style="row line")]
    y, x = PRICE_ROW / 2 + 1, MARGIN + 2
    items.append(_words("prices.name", x, y, "costs", FIGURE, "start"))
    x += 52
    card_step = PRICE_CARD * 27 / 37 + 1.5
    names = []
    for purchase, price in PRICES.items():
        name = f"price.{purchase.piece.value}" if isinstance(purchase, Buy) else "price.card"
        if isinstance(purchase, Buy):
            icon = piece_icon(name, x + 12, y, purchase.piece, None, theme, 20)
            names.append(purchase.piece.value)
        else:
            icon = development_card(name, x + 13, y, None, None, theme, PRICE_CARD)
            names.append("development card")
        items.append(replace(icon, title=f"the price of a {names[-1]}"))
        x += 37
        for number, resource in enumerate(each for each, count in price.items() for _ in range(count)):
            card = resource_card(f"{name}.{number}", x, y, resource, None, theme, PRICE_CARD)
            items.append(card)
            x += card_step
        x += 10
    y = PRICE_ROW + 8
    keys = [f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in Card]
    first = ", ".join(f"{resource.value[0].upper()} {resource.value}" for resource in Resource)
    items.append(_words("key.1", MARGIN + 2, y, first, KEY, "quiet", width - 2 * MARGIN - 4))
    second = f"{', '.join(keys)}; +1 bought this turn"
    items.append(_words("key.2", MARGIN + 2, y + KEY + 4, second, KEY, "quiet", width - 2 * MARGIN - 4))
    return tuple(items)


def find_changes(before: ShownGame, after: ShownGame) -> dict[int, SeatChange]:
    """What is different between two games, for each player and the bank (0)."""
    changes = {
        player: _find_change(old, new)
        for player, (old, new) in enumerate(zip(before.seats, after.seats, strict=False), start=1)
    }
    if before.bank is not None and after.bank is not None:
        gone = 0
        if before.cards_left is not None and after.cards_left is not None:
            gone = after.cards_left - before.cards_left
        changes[BANK] = SeatChange(_differences(before.bank.counts, after.bank.counts), unplayed=gone)
    return {player: change for player, change in changes.items() if change != NO_CHANGE}


def _find_change(old: ShownSeat, new: ShownSeat) -> SeatChange:
    goods = cards = NO_CHANGE.goods
    if old.goods is not None and new.goods is not None:
        goods = _differences(old.goods.counts, new.goods.counts)
    if old.cards is not None and new.cards is not None:
        # Cards bought in one turn are ordinary cards in the next.
        cards = _differences(_all_cards(old), _all_cards(new))
    return SeatChange(
        goods,
        cards,
        new.held - old.held,
        new.unplayed - old.unplayed,
        new.points - old.points,
        new.knights - old.knights,
    )


def _differences(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(after - before for before, after in zip(old, new, strict=True))


def _all_cards(seat: ShownSeat) -> tuple[int, ...]:
    assert seat.cards is not None
    return tuple(map(sum, zip(seat.cards.counts, seat.bought.counts, strict=True)))
