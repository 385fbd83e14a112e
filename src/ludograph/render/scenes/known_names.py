"""Names that games commonly use: the symbols and colours that a reader expects for them.

A name matches if the whole name, or one of its words (`war_ship`), is in the table; a plural matches too.
"""

from collections.abc import Iterable, Sequence

SYMBOLS = {
    "pawn": "pawn",
    "knight": "knight",
    "horse": "knight",
    "bishop": "bishop",
    "rook": "rook",
    "castle": "rook",
    "tower": "rook",
    "queen": "queen",
    "king": "king",
    "disc": "disc",
    "disk": "disc",
    "man": "disc",
    "men": "disc",
    "checker": "disc",
    "draught": "disc",
    "counter": "disc",
    "stone": "stone",
    "seed": "stone",
    "bead": "stone",
    "marble": "stone",
    "meeple": "meeple",
    "worker": "meeple",
    "farmer": "meeple",
    "person": "meeple",
    "explorer": "meeple",
    "thief": "pawn",
    "robber": "pawn",
    "house": "house",
    "village": "house",
    "settlement": "house",
    "hut": "house",
    "city": "city",
    "town": "city",
    "ship": "ship",
    "boat": "ship",
    "cube": "cube",
    "crate": "cube",
    "box": "cube",
    "goods": "cube",
    "crown": "crown",
    "flag": "flag",
    "star": "star",
    "heart": "heart",
    "spade": "spade",
    "club": "club",
    "diamond": "diamond",
}

COLOURS = {
    "red": "#C8372D",
    "vermilion": "#D55E00",
    "orange": "#E69F00",
    "yellow": "#F0D84A",
    "green": "#2E8B57",
    "blue": "#2F6DB5",
    "sky": "#56B4E9",
    "purple": "#7B4FA3",
    "violet": "#7B4FA3",
    "pink": "#DD7FB0",
    "brown": "#8A5A35",
    "black": "#26262B",
    "dark": "#3A3A42",
    "white": "#FFFFFF",
    "light": "#F4F1EA",
    "ivory": "#FBF6E6",
    "grey": "#8A8F98",
    "gray": "#8A8F98",
    "gold": "#D9A520",
    "silver": "#B8BEC8",
    "bronze": "#B0763A",
    "copper": "#B5683A",
    "brick": "#B5532F",
    "clay": "#B5532F",
    "hill": "#C98258",
    "lumber": "#3D7C4F",
    "wood": "#3D7C4F",
    "timber": "#3D7C4F",
    "forest": "#3D7C4F",
    "wool": "#A6D07A",
    "sheep": "#A6D07A",
    "pasture": "#A6D07A",
    "meadow": "#A6D07A",
    "grass": "#A6D07A",
    "grain": "#EFC54F",
    "wheat": "#EFC54F",
    "corn": "#EFC54F",
    "field": "#EFC54F",
    "hay": "#EFC54F",
    "plain": "#DDE3B0",
    "prairie": "#DDE3B0",
    "steppe": "#DDE3B0",
    "swamp": "#7F8F63",
    "marsh": "#7F8F63",
    "jungle": "#2F6B43",
    "road": "#D3C5A3",
    "ore": "#929BB0",
    "iron": "#7D8698",
    "rock": "#929BB0",
    "mountain": "#929BB0",
    "coal": "#3A3A42",
    "desert": "#E8DCBB",
    "sand": "#E8DCBB",
    "sea": "#8FC3E3",
    "water": "#8FC3E3",
    "ocean": "#6FA9D0",
    "lake": "#8FC3E3",
    "river": "#8FC3E3",
    "ice": "#CFE6F2",
    "snow": "#F2F6FA",
    "lava": "#C8502D",
    "fire": "#D8632F",
    "earth": "#9A7450",
    "air": "#CFE3EE",
    "ruby": "#B92C4A",
    "emerald": "#2F9A68",
    "sapphire": "#2F5FB5",
    "onyx": "#33323A",
    "pearl": "#EFE9E1",
    "amber": "#DE9A2B",
    "jade": "#3F9A7A",
    "coin": "#D9A520",
    "money": "#D9A520",
}

SUITS = {
    "club": "club",
    "spade": "spade",
    "heart": "heart",
    "diamond": "diamond",
}
RED_SUITS = frozenset({"heart", "diamond"})

RANKS = {
    "ace": "A",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "jack": "J",
    "knave": "J",
    "queen": "Q",
    "king": "K",
}
NUMBERED_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K", 14: "A"}

POINT_NAMES = frozenset({"point", "intersection", "crossing", "node"})
"""Tiles with these names are drawn where lines cross, as in Go."""

ENUM_COLOURS = (
    *("#7FB3D5", "#E8A87C", "#8FC9A0", "#E5D17A", "#C39BD3", "#F1B7CF"),
    *("#9FB6C3", "#C9B18F", "#A8D5C8", "#D6A5A0", "#B5C77A", "#A9A6E0"),
)
"""Grounds of enum members without a known colour, in the order of the members."""


def find_symbol(names: Iterable[str]) -> str:
    """The symbol of the first name that has one; empty if none has.

    >>> find_symbol(["place", "war_ships"]), find_symbol(["grid"])
    ('ship', '')
    """
    return _find(SYMBOLS, names)


def find_colour(name: str, members: tuple[str, ...] = ()) -> str:
    """The colour of a member of an enum: a known one, or one by its place among the members."""
    found = _find(COLOURS, (name,))
    if found or name not in members:
        return found
    taken = {_find(COLOURS, (member,)) for member in members}
    free = [colour for colour in ENUM_COLOURS if colour not in taken]
    return free[members.index(name) % len(free)]


def find_suit(name: str) -> str:
    """The suit that a name means; empty if none."""
    return _find(SUITS, (name,))


def _find(table: dict[str, str], names: Iterable[str]) -> str:
    for name in names:
        lowered = name.lower()
        for word in (lowered, *lowered.replace("-", "_").split("_")):
            for form in (
                word,
                word.removesuffix("s"),
                word.removesuffix("es"),
                f"{word[:-3]}y" if word.endswith("ies") else word,
            ):
                if form in table:
                    return table[form]
    return ""


def has_name(names: Sequence[str], player: int) -> bool:
    return player < len(names) and bool(names[player])


def name_player(names: Sequence[str], player: int) -> str:
    """What a player is called.

    >>> name_player(("Ann",), 0), name_player((), 1)
    ('Ann', 'Player 1')
    """
    return names[player] if has_name(names, player) else f"Player {player}"
