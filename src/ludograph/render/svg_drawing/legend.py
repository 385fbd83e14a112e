"""The legend in SVG, below the board: the action, the turn, and the cards and pieces of every player.

It is laid out 640 units wide and scaled to the width of the picture, so that it is equally readable below a
large and a small board.
"""

from ludograph.geometry.plane import Point
from ludograph.render.canvas import fit_size, group, line, moved, path, rect, text
from ludograph.render.descriptions import (
    CARD_LETTERS,
    CARD_NAMES,
    describe_omitted,
    describe_turn,
    format_number,
)
from ludograph.render.island_scene import IslandScene
from ludograph.render.looks import Looks
from ludograph.render.svg_drawing.sentence import Drawn, draw_sentence
from ludograph.render.svg_drawing.symbols import (
    CARD_WIDTH,
    development_card,
    piece_symbol,
    player_badge,
    resource_card,
)
from ludograph.settlers import Card, Cards, Goods, Piece, Pieces, Position, Resource

WIDTH = 640.0
MARGIN = 14.0
ROW = 45.0
CARD_STEP = CARD_WIDTH + 2.0

LEFT_AT, GOODS_AT, CARDS_AT, KNIGHTS_AT, AWARDS_AT = 50.0, 191.0, 346.0, 501.0, 547.0

SWORD = "M0,-11L2.2,-7V3H5.8V5.8H1.7V11H-1.7V5.8H-5.8V3H-2.2V-7Z"


def draw_legend(scene: IslandScene, looks: Looks) -> Drawn:
    """Caption, turn, and a row for each player; nothing for an island alone."""
    blocks: list[Drawn] = []
    max_width = WIDTH - 2 * MARGIN
    position = scene.position
    if scene.caption:
        blocks.append(_inset(draw_sentence(scene.caption, 19, max_width, looks)))
    if position is not None:
        blocks.append(_inset(draw_sentence(describe_turn(position), 16, max_width, looks)))
        if position.seats:
            blocks.append(_draw_headings(looks))
            blocks += (_draw_player(position, player, looks) for player in range(1, position.players + 1))
            blocks.append(_draw_bank(position, looks))
    if scene.omitted:
        blocks.append(_inset(draw_sentence((describe_omitted(scene.omitted),), 14, max_width, looks)))
    if not blocks:
        return Drawn("", WIDTH, 0)
    parts: list[str] = []
    y = 8.0
    for block in blocks:
        parts.append(moved(0, y, block.svg))
        y += block.height
    return Drawn(group(*parts), WIDTH, y + 8)


def _inset(block: Drawn) -> Drawn:
    return Drawn(moved(MARGIN, 0, block.svg), WIDTH, block.height)


def _draw_headings(looks: Looks) -> Drawn:
    headings = (
        (LEFT_AT, "pieces left"),
        (GOODS_AT, "resources"),
        (CARDS_AT, "development cards"),
        (KNIGHTS_AT, "knights"),
    )
    words = (text(x, 10, heading, 12, text_anchor="start", fill=looks.quiet_ink) for x, heading in headings)
    return Drawn(group(*words), WIDTH, 20)


def _draw_player(position: Position, player: int, looks: Looks) -> Drawn:
    seat = position.seat(player)
    is_current = player == position.current
    middle = ROW / 2
    parts = [
        rect(4, 1, WIDTH - 8, ROW - 2, rx=8, fill=looks.current) if is_current else _rule(looks),
        # The arrow marks the current player without colour too.
        path(f"M6,{middle - 6}L13,{middle}L6,{middle + 6}Z", fill=looks.ink) if is_current else "",
        moved(29, middle, player_badge(player, looks)),
        *_draw_left(position.pieces_left(player), player, looks),
        *_draw_goods(seat.goods, looks),
        *_draw_cards(seat.cards, looks),
        moved(KNIGHTS_AT + 10, middle, path(SWORD, fill=looks.ink)),
        _figure(KNIGHTS_AT + 20, seat.knights, 22, looks),
        *_draw_awards(position, player, looks),
    ]
    return Drawn(group(*parts), WIDTH, ROW)


def _draw_bank(position: Position, looks: Looks) -> Drawn:
    label = text(LEFT_AT, ROW / 2, "bank", 15, text_anchor="start", fill=looks.ink)
    badge = moved(29, ROW / 2, player_badge(0, looks))
    goods = _draw_goods(position.bank, looks)
    return Drawn(group(_rule(looks), badge, label, *goods, *_draw_key(looks)), WIDTH, ROW)


def _draw_key(looks: Looks) -> list[str]:
    """The letters of the development cards, under their column."""
    names = [f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in Card]
    lines = (", ".join(names[:3]) + ",", ", ".join(names[3:]))
    return [
        text(CARDS_AT, ROW / 2 - 7 + row * 15, line, 12, text_anchor="start", fill=looks.quiet_ink)
        for row, line in enumerate(lines)
    ]


def _draw_left(pieces: Pieces, player: int, looks: Looks) -> list[str]:
    parts: list[str] = []
    for piece, x in zip(Piece, (LEFT_AT, LEFT_AT + 39, LEFT_AT + 84), strict=True):
        parts.append(moved(x + 10, ROW / 2, piece_symbol(piece, player, looks, labelled=False), scale=0.66))
        parts.append(_figure(x + (21 if piece is Piece.VILLAGE else 26), pieces[piece], 20, looks))
    return parts


def _draw_goods(goods: Goods, looks: Looks) -> list[str]:
    return [
        moved(GOODS_AT + index * CARD_STEP, 4, resource_card(resource, looks, goods[resource]))
        for index, resource in enumerate(Resource)
    ]


def _draw_cards(cards: Cards, looks: Looks) -> list[str]:
    return [
        moved(CARDS_AT + index * CARD_STEP, 4, development_card(card, looks, cards[card]))
        for index, card in enumerate(Card)
    ]


def _draw_awards(position: Position, player: int, looks: Looks) -> list[str]:
    awards = (("largest army", position.largest_army), ("longest road", position.longest_road))
    held = [name for name, holder in awards if holder == player]
    parts: list[str] = []
    for index, name in enumerate(held):
        y = ROW / 2 + (index - (len(held) - 1) / 2) * 20
        parts.append(rect(AWARDS_AT, y - 9, 87, 18, rx=5, fill=looks.ink))
        parts.append(text(AWARDS_AT + 43.5, y, name, 10.5, fill=looks.pale_ink, font_weight="bold"))
    return parts


def _figure(x: float, count: int, max_width: float, looks: Looks) -> str:
    label = format_number(count)
    size = fit_size(label, 16, max_width)
    weight = "bold" if count else "normal"
    fill = looks.ink if count else looks.quiet_ink
    return text(x, ROW / 2, label, size, text_anchor="start", fill=fill, font_weight=weight)


def _rule(looks: Looks) -> str:
    return line(Point(MARGIN, 0), Point(WIDTH - MARGIN, 0), stroke=looks.panel_line, stroke_width=1)
