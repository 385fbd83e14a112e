"""The grid of a terminal picture: styled characters at lines and columns, joined into rows.

Tiles are 12 columns apart and rows of tiles 4 lines apart. That is close to regular hexagons if a character
is twice as high as it is wide.
"""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole


class Style(Struct, frozen=True):
    """The style of text: `#rrggbb` or a name, None for the terminal's default."""

    colour: str | None = None
    background: str | None = None
    bold: bool = False


PLAIN = Style()


class Styled(Struct, frozen=True):
    """A run of text in one style."""

    text: str
    style: Style = PLAIN


StyledRow = tuple[Styled, ...]


class TerminalPicture(Struct, frozen=True):
    """A picture in rows of styled runs."""

    rows: tuple[StyledRow, ...]

    def plain(self) -> str:
        """The picture without colour; each line ends with a newline."""
        return "".join("".join(run.text for run in row).rstrip() + "\n" for row in self.rows)

    def __str__(self) -> str:
        return self.plain()


class GridSpot(Struct, frozen=True):
    """A line and a column; both may be negative while a picture is drawn."""

    line: int
    column: int

    def moved(self, lines: int, columns: int) -> "GridSpot":
        """The spot so many lines below and columns to the right."""
        return GridSpot(self.line + lines, self.column + columns)


HALF_WIDTH = 6
"""The distance from the middle of a tile to its left and right side, in columns."""
TIP = 3
"""The distance from the middle of a tile to its upper and lower corner, in lines."""


def find_spot(place: Hex | HexCorner | HexSide) -> GridSpot:
    """The grid position of the middle of a place."""
    match place:
        case Hex(q, r):
            return GridSpot(4 * r, HALF_WIDTH * (2 * q + r))
        case HexCorner(cell, pole):
            return find_spot(cell).moved(-TIP if pole is Pole.NORTH else TIP, 0)
        case HexSide(cell, Face.WEST):
            return find_spot(cell).moved(0, -HALF_WIDTH)
        case HexSide(cell, face):
            return find_spot(cell).moved(
                1 - TIP, -HALF_WIDTH // 2 if face is Face.NORTH_WEST else HALF_WIDTH // 2
            )


class Grid:
    """The characters of a picture while it is drawn. Mutable; exists during one call of `terminal`."""

    def __init__(self) -> None:
        self._grounds: dict[GridSpot, str] = {}
        self._characters: dict[GridSpot, Styled] = {}

    def paint(self, spot: GridSpot, width: int, background: str) -> None:
        """Set the background colour of `width` columns, independently of the text."""
        for column in range(width):
            self._grounds[spot.moved(0, column)] = background

    def ground_at(self, spot: GridSpot) -> str | None:
        """The background colour of a spot, if it was set."""
        return self._grounds.get(spot)

    def write(self, spot: GridSpot, text: str, style: Style = PLAIN) -> None:
        """Write from a spot to the right, over existing characters."""
        for column, character in enumerate(text):
            self._characters[spot.moved(0, column)] = Styled(character, style)

    def mark(self, spot: GridSpot, character: str, style: Style) -> None:
        """Change one character, unless a player's piece is there."""
        here = self._characters.get(spot)
        if here is None or here.style.background is None:
            self._characters[spot] = Styled(character, style)

    def is_free(self, spot: GridSpot, width: int) -> bool:
        """Whether `width` columns have no text, and no text with a background directly beside them."""
        if any(spot.moved(0, column) in self._characters for column in range(width)):
            return False
        beside = (self._characters.get(spot.moved(0, column)) for column in (-1, width))
        return all(found is None or found.style.background is None for found in beside)

    def rows(self) -> tuple[StyledRow, ...]:
        """The lines from top to bottom, starting at the leftmost column."""
        used = self._grounds.keys() | self._characters.keys()
        if not used:
            return ()
        left = min(spot.column for spot in used)
        ends: dict[int, int] = {}
        for spot in used:
            ends[spot.line] = max(ends.get(spot.line, left), spot.column)
        lines = range(min(ends), max(ends) + 1)
        return tuple(tuple(self._runs(line, left, ends.get(line, left - 1))) for line in lines)

    def _runs(self, line: int, left: int, right: int) -> Iterator[Styled]:
        """The characters of a line, with neighbours of the same style joined."""
        text, style = "", PLAIN
        for column in range(left, right + 1):
            spot = GridSpot(line, column)
            written = self._characters.get(spot, Styled(" "))
            ground = written.style.background or self._grounds.get(spot)
            here = Style(written.style.colour, ground, written.style.bold)
            if here != style and text:
                yield Styled(text, style)
                text = ""
            text, style = text + written.text, here
        if text:
            yield Styled(text, style)
