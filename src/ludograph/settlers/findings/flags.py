"""The flags of findings, the finding, and the parts of its messages.

Most flags mark positions that no game can reach. A flag that is documented as playable marks a position
that differs from the standard set but can be played.
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
    """A number is on desert, on sea or outside the island."""
    NUMBER_IMPOSSIBLE = "number-impossible"
    """Two dice cannot have this sum, or it is seven."""
    TERRAIN_COUNTS = "terrain-counts"
    """The land tiles are not those of the standard set. Playable; standard frame only."""
    NUMBER_COUNTS = "number-counts"
    """The numbers are not those of the standard set. Playable; standard frame only."""
    HARBOR_OFF_COAST = "harbor-off-coast"
    HARBOR_TWICE = "harbor-twice"
    """Two harbors on one side."""
    HARBORS_SHARE_CORNER = "harbors-share-corner"
    """Two harbors share a corner, unlike on any standard frame. Playable."""
    HARBORS_TOO_CLOSE = "harbors-too-close"
    """Fewer than two free sides are between two harbors. Playable; standard frame only."""
    HARBOR_PLACES = "harbor-places"
    """The harbors are not those of the frame in any rotation. Playable; standard frame only."""
    HARBOR_KINDS = "harbor-kinds"
    """The harbors are not those of the standard set. Playable; standard frame only."""
    EQUAL_NUMBERS_ADJACENT = "equal-numbers-adjacent"
    """Equal numbers are on neighbouring tiles. Playable; strict mode only."""
    RED_NUMBERS_ADJACENT = "red-numbers-adjacent"
    """Sixes or eights are on neighbouring tiles (rule 40). Playable; strict mode only."""

    # Players and pieces.
    PLAYER_COUNT = "player-count"
    """The position has fewer than two or more than six players."""
    PIECE_OFF_LAND = "piece-off-land"
    CORNER_SHARED = "corner-shared"
    SIDE_SHARED = "side-shared"
    BUILDINGS_TOO_CLOSE = "buildings-too-close"
    """The distance rule (rule 3)."""
    PIECES_OVERDRAWN = "pieces-overdrawn"
    """A player has placed more pieces than the supply has (rule 6)."""
    BUILDING_WITHOUT_ROAD = "building-without-road"
    """A village of the set-up gets a road at once, a later one needs a road first (rules 2 and 4)."""
    ROAD_WITHOUT_BUILDING = "road-without-building"
    """Every road is connected to a village of the set-up (rule 5)."""
    NETWORKS_APART = "networks-apart"
    """Each player starts two networks in the set-up; a third is impossible (rules 4 and 5)."""

    # The robber.
    ROBBER_MISSING = "robber-missing"
    ROBBER_OFF_LAND = "robber-off-land"
    ROBBER_MOVED_EARLY = "robber-moved-early"
    """The robber stays on the desert until the first roll."""
    ROBBER_NOT_MOVED = "robber-not-moved"
    """A player must steal, but the robber is still on its first tile (rule 15)."""

    # Hands, bank and deck.
    NEGATIVE_COUNT = "negative-count"
    BANK_OVERDRAWN = "bank-overdrawn"
    """The hands have more resource cards than the standard set (rule 18)."""
    DECK_OVERDRAWN = "deck-overdrawn"
    """More development cards are held and played than the standard set has (rule 37)."""
    HAND_BEFORE_ROLL = "hand-before-roll"
    """Before the first roll a hand is the yield of the second village (rule 1)."""
    INCOME_EXCEEDED = "income-exceeded"
    """The players hold and have paid more than the set-up and the rolls can have yielded."""

    # Awards.
    AWARD_HOLDER_UNKNOWN = "award-holder-unknown"
    ARMY_TOO_SMALL = "army-too-small"
    """The holder of the largest army has fewer than three knights (rule 35)."""
    ARMY_NOT_LARGEST = "army-not-largest"
    ARMY_UNCLAIMED = "army-unclaimed"
    ROAD_TOO_SHORT = "road-too-short"
    """The longest road has fewer than five roads in a row (rule 28)."""
    ROAD_NOT_LONGEST = "road-not-longest"
    ROAD_UNCLAIMED = "road-unclaimed"
    """No player has the longest road without a tie after a cut (rule 33)."""

    # Set-up and turns.
    TURN_BELOW_ONE = "turn-below-one"
    SETUP_ORDER = "setup-order"
    """The pieces placed do not follow the snake order (rule 1)."""
    SETUP_UNFINISHED = "setup-unfinished"
    """The set-up is complete, but a player does not have two buildings and two roads."""
    SETUP_OVER = "setup-over"
    """The pieces of the set-up must be placed, but the set-up is complete."""
    BUILT_TOO_EARLY = "built-too-early"
    """A player has more pieces than those of the set-up, but has had no turn to build."""
    CARDS_TOO_EARLY = "cards-too-early"
    """A player has development cards, but has had no earlier turn to buy them."""
    KNIGHTS_TOO_EARLY = "knights-too-early"
    """More knights than turns: one card in a turn, and not in the turn of its purchase (rules 9 and 10)."""
    BOUGHT_BEFORE_ROLL = "bought-before-roll"
    ACTING_PLAYER_UNKNOWN = "acting-player-unknown"
    """A player who does not exist acts in the turn of another (rule 39)."""

    # Duties.
    DISCARD_WITHOUT_SEVEN = "discard-without-seven"
    """A discard is due before the roll or after a purchase: discards directly follow the roll (rule 13)."""
    DISCARD_BY_NOBODY = "discard-by-nobody"
    DISCARDER_TWICE = "discarder-twice"
    DISCARDER_UNKNOWN = "discarder-unknown"
    DISCARD_SMALL_HAND = "discard-small-hand"
    """A player with seven cards or fewer must discard: possible with a lower limit, an option (rule 13)."""
    ROBBER_WITHOUT_CAUSE = "robber-without-cause"
    """Neither a seven nor a knight can have moved the robber now."""
    STEAL_FROM_NOBODY = "steal-from-nobody"
    """No opponent next to the robber has cards (rule 16)."""
    PLACE_NOTHING = "place-nothing"
    PLACE_SEVERAL = "place-several"
    """A bought piece is placed before the next is bought."""
    PLACE_BEFORE_ROLL = "place-before-roll"
    PLACE_WITHOUT_PIECE = "place-without-piece"
    PLACE_NOWHERE = "place-nowhere"
    """There is no place for the piece that must be placed."""
    FREE_PIECES_NOT_ROADS = "free-pieces-not-roads"
    """Only roads are ever free (rule 23)."""
    FREE_ROADS_TOO_MANY = "free-roads-too-many"
    FREE_ROADS_WITHOUT_PIECE = "free-roads-without-piece"
    FREE_ROADS_TOO_EARLY = "free-roads-too-early"
    """Road building was played, but the player has had no earlier turn to buy it (rule 10)."""
    DUTY_BESIDE_FREE_ROADS = "duty-beside-free-roads"
    """Every action that causes a duty ends the placement of free roads."""


class Finding(Struct, frozen=True):
    """One reason: its flag, a message, and the places that it concerns."""

    flag: Flag
    message: str
    places: tuple[Place, ...] = ()


def name_place(place: Place) -> str:
    """The HAN name of a place, or its coordinates where HAN has no name."""
    row, column, suffix = reading_order(place)
    if has_han_name(place) and max(row, column) < _HUGE:
        return han_name(place)
    return f"({digits(column)},{digits(row)}){suffix}"


def name_places(places: Iterable[Place]) -> str:
    return join_words(name_place(place) for place in places)


def name_goods(goods: Goods) -> str:
    """Goods as a phrase.

    >>> name_goods(Goods(wool=1, ore=2))
    '2 ore and 1 wool'
    """
    return join_words(f"{digits(count)} {kind.value}" for kind, count in goods.items()) or "nothing"


def join_words(words: Iterable[str]) -> str:
    """A list as a phrase.

    >>> join_words(["d4", "e4", "f4"])
    'd4, e4 and f4'
    """
    *most, last = tuple(words) or ("",)
    return f"{', '.join(most)} and {last}" if most else last


def count_word(count: int) -> str:
    """A small count as a word, a large count in digits."""
    return _COUNT_WORDS[count] if 0 <= count < len(_COUNT_WORDS) else digits(count)


def digits(count: int) -> str:
    """The digits of a number; a huge number is a word, because Python limits the conversion."""
    if abs(count) < _HUGE:
        return str(count)
    return "countless" if count > 0 else "minus countless"


def count_things(count: int, thing: str) -> str:
    """A count with its noun.

    >>> count_things(1, "city"), count_things(0, "road")
    ('one city', 'no roads')
    """
    if count == 1:
        return f"one {thing}"
    return f"{count_word(count)} {thing[:-1] + 'ies' if thing.endswith('y') else thing + 's'}"


_HUGE = 10**12
_COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
