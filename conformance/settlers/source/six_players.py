"""Five and six players: pairs, and the special building phase (row 39)."""

from conformance.settlers.cases import Option
from conformance.settlers.source.tables import (
    Change,
    deck,
    gains,
    gives,
    illegal,
    legal,
    pays,
    road,
    seat,
    table,
    uses,
)
from ludograph.notation import hsn
from ludograph.settlers import Cards, Player, Position

# An island of 30 tiles that chance may deal; nobody has placed anything on it.
ISLAND = hsn.parse(
    "[4SSSS/3SGBOS/2SLBLLS/1SLWBLDS/SGWWBOLS/SDOGBWS1/SGWWOS2/SGOGS3/SSSS4]"
    "[/8,5,11/2,10,12,5/9,4,10,8/6,10,12,3,3,9/11,8,4,5/6,3,4,2/11,9,6]"
    "[e2nw,Bf2ne,Gh2w,c4nw,h4w,Lb5w,g6nw,Ob7w,We8nw,a9ne,Wc9ne]"
    "[|||||][|||||][|||||]g4[|||||][|||||][0|0|0|0|0|0]0 0 1 . P[V,R] . ."
).island
# North corners are never neighbours of each other.
PLACES = ("d4 e2", "d6 g3", "f4 c5", "f6 g5", "d8 e7", "b7 b6")
SPECIAL: dict[str, Option] = {"special": True}


def six(hands: dict[int, str] | None = None, cards: dict[int, str] | None = None) -> Position:
    """Six players; player 1 has rolled."""
    seats = [
        seat(
            " ".join(f"{tile}n" for tile in tiles.split()),
            " ".join(f"{tile}ne" for tile in tiles.split()),
            (hands or {}).get(number, ""),
            cards=(cards or {}).get(number, ""),
        )
        for number, tiles in enumerate(PLACES, 1)
    ]
    return table(*seats, island=ISLAND, robber="g4")


def turn_over(at: Position) -> Position:
    """The next player rolls."""
    return at.replace(turn=at.turn + 1, rolled=False, acting=None)


def acts(player: int) -> Change:
    """A player acts in the turn of another one."""
    return lambda at: at.replace(acting=Player(player))


def keeps(player: int, letter: str) -> Change:
    """A card that was bought in this turn."""

    def change(at: Position) -> Position:
        held = zip(at.seat(player).cards.counts, deck(letter).counts, strict=True)
        return at.replace_seat(player, cards=Cards(*map(sum, held)))

    return change


CASES = (
    legal(
        "39-both-of-a-pair-end-the-turn",
        "the player three seats on takes a turn without a roll; then the next player rolls",
        six(),
        "E E",
        turn_over,
    ),
    legal(
        "39-the-second-builds",
        "the player three seats on may build",
        six({4: "BL"}),
        "E Br Pr(f6nw) E",
        pays(4, "BL"),
        road(4, "f6nw"),
        turn_over,
    ),
    legal(
        "39-the-second-buys-a-card",
        "a card that was bought in this part of the turn can be played later",
        six({4: "GOW"}),
        "E BDm E",
        pays(4, "GOW"),
        keeps(4, "m"),
        turn_over,
    ),
    legal(
        "39-the-second-trades-with-the-bank",
        "the player three seats on may trade with the bank, and has a harbor for any three of a kind",
        six({4: "B3"}),
        "E T(B3)(G)0 E",
        pays(4, "B3"),
        gains(4, "G"),
        turn_over,
    ),
    legal(
        "39-the-second-plays-a-card",
        "each of the two may play a development card",
        six({2: "O2"}, {1: "m", 4: "m"}),
        "Um(O) E Um(O) E",
        uses("m"),
        gives(2, 1, "O2"),
        acts(4),
        uses("m"),
        gives(1, 4, "O2"),
        turn_over,
    ),
    illegal(
        "39-the-second-does-not-roll", "the player three seats on does not roll the dice", six(), "E R(1+1)"
    ),
    illegal(
        "39-the-second-trades-with-nobody-else",
        "the player three seats on trades with the bank only",
        six({4: "B", 2: "O"}),
        "E T(B)(O)2",
    ),
    illegal(
        "39-the-second-has-one-card-a-turn",
        "the player three seats on plays one development card at most",
        six(cards={4: "mm"}),
        "E Um(O) Um(B)",
    ),
    illegal(
        "39-the-next-player-must-roll",
        "after the two parts of a turn the next player must roll",
        six(),
        "E E E",
    ),
    legal(
        "39-special-all-others-end",
        "in the special building phase all other players act in turn",
        six(),
        "E E E E E E",
        turn_over,
        options=SPECIAL,
    ),
    legal(
        "39-special-building",
        "in the special building phase everybody may build and buy",
        six({2: "GOW", 4: "BL"}),
        "E BDk E E Br Pr(f6nw) E E E",
        pays(2, "GOW"),
        keeps(2, "k"),
        pays(4, "BL"),
        road(4, "f6nw"),
        turn_over,
        options=SPECIAL,
    ),
    illegal(
        "39-special-no-cards",
        "in the special building phase no cards are played",
        six(cards={2: "m"}),
        "E Um(O)",
        options=SPECIAL,
    ),
    illegal(
        "39-special-no-bank-trade",
        "in the special building phase nobody trades with the bank",
        six({2: "B4"}),
        "E T(B4)(G)0",
        options=SPECIAL,
    ),
    illegal(
        "39-special-no-trade",
        "in the special building phase nobody trades with other players",
        six({2: "B", 3: "O"}),
        "E T(B)(O)3",
        options=SPECIAL,
    ),
)
