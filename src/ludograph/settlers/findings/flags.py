"""The kinds of finding, a finding, and the words that their messages are made of.

Two sorts stand side by side: what no game can reach, and what the box does not hold but one
could play with all the same. Each flag of the second sort says so.
"""

from collections.abc import Iterable

from msgspec import Struct

from ludograph.geometry.hex_places import reading_order
from ludograph.settlers.goods import Goods, NamedValue
from ludograph.settlers.names import han_name, has_han_name
from ludograph.settlers.places import Place


class Flag(NamedValue):
    """The kinds of finding; the values are stable names."""

    # The island.
    NO_LAND = "no-land"
    TILE_TWICE = "tile-twice"
    """One tile is listed more than once."""
    NUMBER_TWICE = "number-twice"
    """One tile has more than one number."""
    NUMBER_MISSING = "number-missing"
    """A tile that produces has no number."""
    NUMBER_MISPLACED = "number-misplaced"
    """A number lies on desert, on sea or outside the island."""
    NUMBER_IMPOSSIBLE = "number-impossible"
    """Two dice never make this number, or it is the robber's seven."""
    TERRAIN_COUNTS = "terrain-counts"
    """Not the 19 land tiles of the box. Playable; asked on the standard frame only."""
    NUMBER_COUNTS = "number-counts"
    """Not the 18 numbers of the box. Playable; asked on the standard frame only."""
    HARBOR_OFF_COAST = "harbor-off-coast"
    HARBOR_TWICE = "harbor-twice"
    """Two harbors on one side."""
    HARBORS_SHARE_CORNER = "harbors-share-corner"
    """Playable, but no frame of the box is like this."""
    HARBORS_TOO_CLOSE = "harbors-too-close"
    """Fewer than two free sides between harbors. Playable; asked on the standard frame only."""
    HARBOR_PLACES = "harbor-places"
    """Not where the frame of the box has them, however it is turned. Playable; standard frame only."""
    HARBOR_KINDS = "harbor-kinds"
    """Not the nine harbors of the box. Playable; asked on the standard frame only."""
    EQUAL_NUMBERS_ADJACENT = "equal-numbers-adjacent"
    """Equal numbers on neighbours. Playable; asked in strict mode only."""
    RED_NUMBERS_ADJACENT = "red-numbers-adjacent"
    """Sixes and eights on neighbours (rule 40). Playable; asked in strict mode only."""

    # Players and pieces.
    PLAYER_COUNT = "player-count"
    """The game is for two to six players."""
    PIECE_OFF_LAND = "piece-off-land"
    CORNER_SHARED = "corner-shared"
    SIDE_SHARED = "side-shared"
    BUILDINGS_TOO_CLOSE = "buildings-too-close"
    """The distance rule (rule 3)."""
    PIECES_OVERDRAWN = "pieces-overdrawn"
    """More pieces than a player has (rule 6)."""
    BUILDING_WITHOUT_ROAD = "building-without-road"
    """Set-up villages get a road at once, later ones need one first (rules 2 and 4)."""
    ROAD_WITHOUT_BUILDING = "road-without-building"
    """Every road goes back to a village of the set-up (rule 5)."""
    NETWORKS_APART = "networks-apart"
    """The set-up starts two networks a player, and no third can come about (rules 4 and 5)."""

    # The robber.
    ROBBER_MISSING = "robber-missing"
    ROBBER_OFF_LAND = "robber-off-land"
    ROBBER_MOVED_EARLY = "robber-moved-early"
    """It stays on the desert until somebody has rolled."""
    ROBBER_NOT_MOVED = "robber-not-moved"
    """Somebody may steal, but the robber has not left its first place (rule 15)."""

    # Hands, bank and deck.
    NEGATIVE_COUNT = "negative-count"
    BANK_OVERDRAWN = "bank-overdrawn"
    """More resource cards in the hands than in the box (rule 18)."""
    DECK_OVERDRAWN = "deck-overdrawn"
    """More development cards held and played than in the box (rule 37)."""
    HAND_BEFORE_ROLL = "hand-before-roll"
    """Before the first roll a hand is what the second village gave (rule 1)."""
    INCOME_EXCEEDED = "income-exceeded"
    """More held and paid for than the set-up and so many rolls can have brought."""

    # Awards.
    AWARD_HOLDER_UNKNOWN = "award-holder-unknown"
    ARMY_TOO_SMALL = "army-too-small"
    """Largest army with fewer than three knights (rule 35)."""
    ARMY_NOT_LARGEST = "army-not-largest"
    ARMY_UNCLAIMED = "army-unclaimed"
    ROAD_TOO_SHORT = "road-too-short"
    """Longest road with fewer than five in a row (rule 28)."""
    ROAD_NOT_LONGEST = "road-not-longest"
    ROAD_UNCLAIMED = "road-unclaimed"
    """Somebody should hold the longest road: only a cut that leaves a tie sets it aside (rule 33)."""

    # Set-up and turns.
    TURN_BELOW_ONE = "turn-below-one"
    SETUP_ORDER = "setup-order"
    """The pieces placed do not follow the snake order (rule 1)."""
    SETUP_UNFINISHED = "setup-unfinished"
    """The set-up is over, and somebody has not two buildings and two roads."""
    SETUP_OVER = "setup-over"
    """The pieces of the set-up are owed, and the game has begun."""
    BUILT_TOO_EARLY = "built-too-early"
    """More than the set-up's pieces, and no turn yet to build them in."""
    CARDS_TOO_EARLY = "cards-too-early"
    """Development cards, and no earlier turn to buy them in."""
    KNIGHTS_TOO_EARLY = "knights-too-early"
    """More knights than turns: one card a turn, never the turn it was bought (rules 9 and 10)."""
    BOUGHT_BEFORE_ROLL = "bought-before-roll"

    # Duties.
    DISCARD_WITHOUT_SEVEN = "discard-without-seven"
    """Nobody has rolled, or something was bought since: discards come straight after the roll (rule 13)."""
    DISCARD_BY_NOBODY = "discard-by-nobody"
    DISCARDER_TWICE = "discarder-twice"
    DISCARDER_UNKNOWN = "discarder-unknown"
    DISCARD_SMALL_HAND = "discard-small-hand"
    """Seven cards or fewer: fine in a game with a lower limit, which is an option (rule 13)."""
    ROBBER_WITHOUT_CAUSE = "robber-without-cause"
    """No seven and no knight can have moved it now."""
    STEAL_FROM_NOBODY = "steal-from-nobody"
    """No opponent at the robber has cards (rule 16)."""
    PLACE_NOTHING = "place-nothing"
    PLACE_SEVERAL = "place-several"
    """A bought piece is placed before the next is bought."""
    PLACE_BEFORE_ROLL = "place-before-roll"
    PLACE_WITHOUT_PIECE = "place-without-piece"
    PLACE_NOWHERE = "place-nowhere"
    """The piece that must be placed fits nowhere."""
    FREE_PIECES_NOT_ROADS = "free-pieces-not-roads"
    """Only roads are ever free (rule 23)."""
    FREE_ROADS_TOO_MANY = "free-roads-too-many"
    FREE_ROADS_WITHOUT_PIECE = "free-roads-without-piece"
    FREE_ROADS_TOO_EARLY = "free-roads-too-early"
    """Road building was played, and no earlier turn to buy it in (rule 10)."""
    DUTY_BESIDE_FREE_ROADS = "duty-beside-free-roads"
    """Whatever brings a duty ends the placing of free roads."""


class Finding(Struct, frozen=True):
    """One reason: its kind, a message in words, and the places it speaks of."""

    flag: Flag
    message: str
    places: tuple[Place, ...] = ()


def name_place(place: Place) -> str:
    """The HAN name of a place, or its coordinates where HAN has no name."""
    row, column, suffix = reading_order(place)
    if has_han_name(place) and max(row, column) < _COUNTLESS:
        return han_name(place)
    return f"({digits(column)},{digits(row)}){suffix}"


def name_places(places: Iterable[Place]) -> str:
    return join_words(name_place(place) for place in places)


def name_goods(goods: Goods) -> str:
    """A hand in words.

    >>> name_goods(Goods(wool=1, ore=2))
    '2 ore and 1 wool'
    """
    return join_words(f"{digits(count)} {kind.value}" for kind, count in goods.items()) or "nothing"


def join_words(words: Iterable[str]) -> str:
    """A list as one says it.

    >>> join_words(["d4", "e4", "f4"])
    'd4, e4 and f4'
    """
    *most, last = tuple(words) or ("",)
    return f"{', '.join(most)} and {last}" if most else last


def count_word(count: int) -> str:
    """A small count as one says it, a large one in digits."""
    return _COUNT_WORDS[count] if 0 <= count < len(_COUNT_WORDS) else digits(count)


def digits(count: int) -> str:
    """A number as one writes it; Python refuses to write endless ones, so those get a word."""
    if abs(count) < _COUNTLESS:
        return str(count)
    return "countless" if count > 0 else "minus countless"


def count_things(count: int, thing: str) -> str:
    """So many of something.

    >>> count_things(1, "city"), count_things(0, "road")
    ('one city', 'no roads')
    """
    if count == 1:
        return f"one {thing}"
    return f"{count_word(count)} {thing[:-1] + 'ies' if thing.endswith('y') else thing + 's'}"


_COUNTLESS = 10**12
_COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
