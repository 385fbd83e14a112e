"""Terminal pictures of a view: the island, and the cards and points of the players.

`render` draws the island. A view hides hands that a position has, so this module draws the table of players.
"""

from collections.abc import Mapping
from textwrap import wrap

from ludograph.hexil.view import SeenSeat, View, seen_position
from ludograph.notation.formulas import format_formula
from ludograph.render import LOOKS, CoordinateSystem, Style, Styled, TerminalPicture, terminal
from ludograph.render.descriptions import describe_cards, describe_goods, describe_player
from ludograph.render.terminal_drawing.grid import PLAIN
from ludograph.render.terminal_drawing.island import ASCII, UNICODE, Glyphs, player_style
from ludograph.settlers import Player
from ludograph.settlers.places import Place

WIDTH = 78

_BOLD = Style(bold=True)
_COLUMNS = ("points", "cards", "dev.", "knights", "roads", "villages", "cities")
_LEFT = "   left: "


def island_picture(
    view: View, labels: Mapping[Place, str] | None = None, *, unicode: bool = True
) -> TerminalPicture:
    """The island with its pieces and the tiles named as in HAN; `labels` are drawn on free places."""
    return terminal(
        seen_position(view),
        coordinates=CoordinateSystem.HAN,
        labels=labels,
        legend=False,
        unicode=unicode,
    )


def seats_picture(view: View, *, unicode: bool = True) -> TerminalPicture:
    """A line for each player, the bank, and the player's own hand."""
    glyphs = UNICODE if unicode else ASCII
    head = " " * 13 + "  ".join(_COLUMNS[:4]) + _LEFT + "  ".join(_COLUMNS[4:])
    rows: list[tuple[Styled, ...]] = [(Styled(head),)]
    for number, seat in enumerate(view.seats, 1):
        rows.append(_seat_row(view, Player(number), seat, glyphs))
    awards = (("largest army", view.largest_army), ("longest road", view.longest_road))
    held = [f"{describe_player(holder)} has the {name}" for name, holder in awards if holder is not None]
    if held:
        rows += _lines("; ".join(held), PLAIN)
    goods = ", ".join(f"{count} {kind.value}" for kind, count in view.bank.items()) or "no goods"
    cards = "1 dev. card" if view.cards_left == 1 else f"{view.cards_left} dev. cards"
    rows += _lines(f"bank: {goods}, {cards}", PLAIN)
    if view.player is not None:
        rows += _lines(hand_text(view), _BOLD)
    return TerminalPicture(tuple(rows))


def hand_text(view: View) -> str:
    """The player's own cards, in words and as a formula of HAN."""
    assert view.player is not None, "a spectator has no cards"
    own = view.seats[view.player - 1]
    assert own.goods is not None
    assert own.cards is not None
    assert own.bought is not None
    goods = f" ({format_formula(own.goods)})" if own.goods else ""
    parts = [f"you hold {describe_goods(own.goods)}{goods}"]
    if own.cards.total:
        parts.append(f"development cards: {describe_cards(own.cards)}")
    if own.bought.total:
        parts.append(f"bought this turn: {describe_cards(own.bought)}")
    secret = own.cards.point + own.bought.point
    if secret:
        parts.append(f"with them {own.points + secret} points")
    return "; ".join(parts)


def _seat_row(view: View, player: Player, seat: SeenSeat, glyphs: Glyphs) -> tuple[Styled, ...]:
    left = seen_position(view).pieces_left(player)
    numbers = (
        *(seat.points, seat.held, seat.unplayed, seat.knights),
        *(left.road, left.village, left.city),
    )
    cells = [str(number).rjust(len(word)) for number, word in zip(numbers, _COLUMNS, strict=True)]
    text = "  ".join(cells[:4]) + " " * len(_LEFT) + "  ".join(cells[4:])
    return (
        Styled(f"{glyphs.current if player == view.turn else ' '} ", _BOLD),
        Styled(describe_player(player), player_style(player, LOOKS)),
        Styled(f"   {text}"),
    )


def _lines(text: str, style: Style) -> list[tuple[Styled, ...]]:
    return [(Styled(line, style),) for line in wrap(text, WIDTH, subsequent_indent="  ")]
