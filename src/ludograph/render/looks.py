"""Looks: the table of colours, sizes and fonts for all pictures.

To change the looks, pass a changed table: `svg(island, looks=replace(LOOKS, sea="#224466"))`. Colour is never
the only difference. Terrains also differ by their symbol, players by the number on their buildings and the
pattern along their roads, 6 and 8 by size, weight and pips. Lengths are in units of the drawing; a tile is
100 units high.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from ludograph.render.colour import check_colour
from ludograph.settlers import Resource, Terrain


class TerrainLook(Struct, frozen=True):
    """The colours of a terrain: its ground, and the darker and lighter tone of its symbol."""

    ground: str
    shade: str
    light: str

    def __post_init__(self) -> None:
        for colour in (self.ground, self.shade, self.light):
            check_colour(colour)


class PlayerLook(Struct, frozen=True):
    """The look of a player's pieces: their colour, and the dashes of the line along the roads."""

    colour: str
    dashes: tuple[float, ...] | None
    """Alternating lengths of line and gap; one zero draws an unbroken line, None no line at all."""
    breadth: float = 3
    """The breadth of the line."""
    core: float = 0
    """The breadth of the middle of the line that has the player's colour, so that there are two lines."""

    def __post_init__(self) -> None:
        check_colour(self.colour)


TERRAINS: Mapping[Terrain, TerrainLook] = MappingProxyType(
    {
        Terrain.HILLS: TerrainLook("#D5855C", "#8C4526", "#F0B796"),
        Terrain.FIELDS: TerrainLook("#F3CC57", "#97690A", "#FBE6A2"),
        Terrain.FOREST: TerrainLook("#3D7C4F", "#1C4A2D", "#79B386"),
        Terrain.MOUNTAINS: TerrainLook("#98A0B3", "#4E566B", "#F2F5FA"),
        Terrain.PASTURE: TerrainLook("#B5DC82", "#4F7A2A", "#FFFFFF"),
        Terrain.DESERT: TerrainLook("#EADFC0", "#A58C52", "#F8F2E0"),
        Terrain.SEA: TerrainLook("#8FC3E3", "#5E9CC4", "#B9DCF0"),
    }
)

RESOURCE_TERRAINS: Mapping[Resource, Terrain] = MappingProxyType(
    {terrain.yields: terrain for terrain in Terrain if terrain.yields is not None}
)
"""A resource looks like the terrain that produces it."""

PLAYERS: tuple[PlayerLook, ...] = (
    PlayerLook("#C0271D", None),
    PlayerLook("#0B63B5", (0,)),
    PlayerLook("#FFFFFF", (7, 4)),
    PlayerLook("#FFAE00", (0.1, 7), breadth=5),
    PlayerLook("#45B8A2", (3, 5), breadth=10),
    PlayerLook("#2A2233", (0,), breadth=7, core=3),
)


COLOUR_FIELDS = (
    *("sea", "blank", "beach", "seam", "pier", "token", "ink", "pale_ink", "hot", "robber", "highlight"),
    *("arrow", "panel", "panel_line", "quiet_ink", "current", "card_back"),
)


class Looks(Struct, frozen=True):
    """All colours, sizes and fonts of a picture."""

    terrains: Mapping[Terrain, TerrainLook] = field(default_factory=lambda: TERRAINS)
    players: tuple[PlayerLook, ...] = PLAYERS
    """In turn order; a seventh player looks like the first, with another number."""
    nobody: PlayerLook = PlayerLook("#9AA0A6", None)
    """For a piece or card of the bank, or of an unknown player."""

    sea: str = "#7DB7DB"
    """The background of the board."""
    blank: str = "#EFEDE6"
    """A tile with unknown terrain."""
    beach: str = "#F6EBCB"
    seam: str = "#FBF5E2"
    """The line between two tiles."""
    pier: str = "#7A5330"

    token: str = "#FFFBEE"
    ink: str = "#1D2430"
    """Text, and the outline of pieces."""
    pale_ink: str = "#FFFFFF"
    """Text on dark ground, and the line around the outline of pieces."""
    hot: str = "#B3131B"
    """The most frequent numbers."""
    robber: str = "#2B2B33"
    highlight: str = "#E5007D"
    arrow: str = "#4B0FA8"

    panel: str = "#FBF8F0"
    """The background of the legend."""
    panel_line: str = "#D9D1BD"
    quiet_ink: str = "#5C6068"
    """Headings in the legend, and zeros."""
    current: str = "#FFE9A8"
    """The row of the player to move."""
    card_back: str = "#6B4E9B"
    """Development cards."""

    font: str = "sans-serif"
    number_size: float = 20
    hot_number_size: float = 25
    coordinate_size: float = 12
    small_coordinate_size: float = 7
    """Coordinates of corners and sides."""
    road_width: float = 10
    outline: float = 2.2
    """The dark line around pieces."""
    halo: float = 2
    """The pale line around that."""

    def __post_init__(self) -> None:
        for name in COLOUR_FIELDS:
            check_colour(getattr(self, name))
        if not _FONT.fullmatch(self.font):
            raise ValueError(f"{self.font!r} is not a list of fonts such as Verdana, sans-serif")
        if not self.players:
            raise ValueError("looks need at least one player's colour")

    def player(self, player: int | None) -> PlayerLook:
        """The look of a player, counted from 1; the neutral look for 0 and None."""
        return self.players[(player - 1) % len(self.players)] if player else self.nobody

    def resource(self, resource: Resource) -> TerrainLook:
        return self.terrains[RESOURCE_TERRAINS[resource]]


_FONT = re.compile(r"[A-Za-z0-9 ,'\"_-]{1,200}")
LOOKS = Looks()

HOT_NUMBERS = frozenset({6, 8})


def pips(number: int) -> int:
    """The number of rolls of two dice, of 36, that give a sum.

    >>> pips(8), pips(2), pips(7), pips(99)
    (5, 1, 6, 0)
    """
    return max(0, 6 - abs(7 - number))
