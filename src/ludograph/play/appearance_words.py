"""The words of appearances: the names of hints, colours, symbols, styles and keys.

The checker of the language accepts exactly these words, and a drawing knows all of them. A colour becomes
`#rrggbb` when a game is checked, so a drawing sees no names of colours.
"""

from collections.abc import Mapping
from types import MappingProxyType

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        # Okabe and Ito: distinguishable with every kind of colour blindness.
        "blue": "#0072b2",
        "vermilion": "#d55e00",
        "green": "#009e73",
        "orange": "#e69f00",
        "sky": "#56b4e9",
        "pink": "#cc79a7",
        "yellow": "#f0e442",
        # Others.
        "black": "#1f2328",
        "white": "#fbfaf6",
        "grey": "#8c949e",
        "silver": "#c9ced6",
        "slate": "#4e566b",
        "red": "#c0271d",
        "crimson": "#9b1b30",
        "rose": "#f2b8b5",
        "brown": "#7a4a24",
        "tan": "#d2a56d",
        "sand": "#eadfc0",
        "wood": "#d9a866",
        "walnut": "#8f5a32",
        "maple": "#f0d5a6",
        "ivory": "#f4ead2",
        "cream": "#fbf3dd",
        "gold": "#d4a017",
        "olive": "#7c8a2e",
        "lime": "#b5dc82",
        "forest": "#3d7c4f",
        "felt": "#2f7d54",
        "teal": "#1b7f8c",
        "sea": "#8fc3e3",
        "navy": "#1d3557",
        "indigo": "#4b4aa5",
        "purple": "#7b3f98",
        "violet": "#b39ddb",
    }
)

SYMBOLS: frozenset[str] = frozenset(
    # chess
    "pawn knight bishop rook queen king "
    # other pieces
    "man crown stone disc meeple house cube ship tower flag "
    # settlers
    "village city road robber harbor brick grain lumber ore wool "
    # cards and dice
    "club diamond heart spade card die coin gem "
    # signs
    "circle ring dot square triangle star hexagon pentagon cross plus arrow bolt sun moon sword shield tree "
    "mountain drop flame".split()
)

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "plain": "tiles with thin borders, and nothing else",
        "checkered": "tiles of two colours, by turns",
        "lines": "pieces on the crossings of lines, and no tiles",
        "points": "the long triangles of backgammon",
        "pits": "round hollows",
        "terrain": "tiles as land in a sea",
        "wood": "a wooden board",
        "felt": "a table with green cloth",
        "paper": "a sheet of paper",
        "stone": "a stone board",
    }
)

NAMED_KEYS: frozenset[str] = frozenset("space enter tab up down left right escape".split())
"""The keys with names; every other key is one letter or digit."""
