"""The legend in a terminal: the action, the turn, a table of the players, and a key."""

from textwrap import wrap

from msgspec import Struct

from ludograph.render.descriptions import (
    CARD_LETTERS,
    CARD_NAMES,
    describe_omitted,
    describe_turn,
    format_number,
    format_plain,
)
from ludograph.render.looks import Looks
from ludograph.render.scenes.island.contents import IslandContents
from ludograph.render.terminal_drawing.grid import PLAIN, Style, Styled, StyledRow
from ludograph.render.terminal_drawing.island import Glyphs, player_style
from ludograph.settlers import Card, Piece, Position, Resource

BOLD = Style(bold=True)


class LegendLine(Struct, frozen=True):
    """A row of the table before the widths of its columns are known."""

    name: Styled
    marker: str
    groups: tuple[tuple[str, ...], ...]
    remark: str = ""


def legend_rows(contents: IslandContents, glyphs: Glyphs, looks: Looks) -> tuple[StyledRow, ...]:
    """Rows of text below the board; none for an island alone."""
    rows: list[StyledRow] = []
    if contents.caption:
        rows += _paragraph(format_plain(contents.caption), BOLD)
    if contents.position is not None:
        rows += _paragraph(format_plain(describe_turn(contents.position)), PLAIN)
        if contents.position.seats:
            rows += _table(contents.position, glyphs, looks)
            rows += _key(glyphs)
    if contents.omitted:
        rows += _paragraph(describe_omitted(contents.omitted).rstrip("."), PLAIN)
    return tuple(rows)


def _paragraph(words: str, style: Style) -> list[StyledRow]:
    """A sentence with its capital letter and full stop, in lines of at most 78 columns."""
    return [(Styled(line, style),) for line in wrap(words[:1].upper() + words[1:] + ".", 78)]


def _table(position: Position, glyphs: Glyphs, looks: Looks) -> list[StyledRow]:
    header = LegendLine(
        Styled(""),
        " ",
        (
            (glyphs.village, glyphs.city, glyphs.road),
            tuple(resource.value[0].upper() for resource in Resource),
            tuple(CARD_LETTERS[card] for card in Card),
            ("knights",),
        ),
    )
    lines = [header]
    lines += (_player_line(position, player, glyphs, looks) for player in range(1, position.players + 1))
    bank = tuple(format_number(position.bank[resource]) for resource in Resource)
    lines.append(LegendLine(Styled("bank"), " ", ((), bank)))
    widths = _widths(lines)
    name_width = max(len(line.name.text) for line in lines)
    return [_row(line, name_width, widths) for line in lines]


def _player_line(position: Position, player: int, glyphs: Glyphs, looks: Looks) -> LegendLine:
    seat, left = position.seat(player), position.pieces_left(player)
    awards = (("largest army", position.largest_army), ("longest road", position.longest_road))
    return LegendLine(
        Styled(f"player {player}", player_style(player, looks)),
        glyphs.current if player == position.current else " ",
        (
            tuple(format_number(left[piece]) for piece in Piece),
            tuple(_count(seat.goods[resource]) for resource in Resource),
            tuple(_count(seat.cards[card]) for card in Card),
            (_count(seat.knights),),
        ),
        ", ".join(name for name, holder in awards if holder == player),
    )


def _count(count: int) -> str:
    return format_number(count) if count else "-"


def _widths(lines: list[LegendLine]) -> list[list[int]]:
    groups = max((line.groups for line in lines), key=len)
    return [
        [
            max(
                len(line.groups[group][column])
                for line in lines
                if len(line.groups) > group and line.groups[group]
            )
            for column in range(len(groups[group]))
        ]
        for group in range(len(groups))
    ]


def _row(line: LegendLine, name_width: int, widths: list[list[int]]) -> StyledRow:
    cells = []
    for group, columns in enumerate(widths):
        texts = (
            line.groups[group] if group < len(line.groups) and line.groups[group] else ("",) * len(columns)
        )
        cells.append(" ".join(text.rjust(width) for text, width in zip(texts, columns, strict=True)))
    rest = " " * (name_width - len(line.name.text)) + "   " + "   ".join(cells)
    if line.remark:
        rest += f"   {line.remark}"
    return (Styled(f"{line.marker} ", BOLD), line.name, Styled(rest.rstrip(), PLAIN))


def _key(glyphs: Glyphs) -> list[StyledRow]:
    pieces = f"{glyphs.village} villages, {glyphs.city} cities and {glyphs.road} roads not placed yet"
    resources = ", ".join(f"{resource.value[0].upper()} {resource.value}" for resource in Resource)
    cards = ", ".join(f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in Card)
    return [(Styled(f"  {words}"),) for words in (pieces, resources, cards)]
