"""The set-up (rows 1 to 3)."""

from conformance.settlers.source.tables import (
    gains,
    illegal,
    legal,
    must_place,
    nothing_due,
    road,
    seat,
    setup,
    village,
)
from ludograph.settlers import Piece, Seat

PLACED = must_place(Piece.ROAD)
NEXT = must_place(Piece.VILLAGE, Piece.ROAD)

EMPTY = Seat()
ONE = seat("d4n", "d4ne")
TWO = seat("b6n", "b6ne")
THREE = seat("f5n", "f5nw")
# Three players have placed once; the third has placed twice, the second too.
THREE_TWICE = seat("f5n d7n", "f5nw d7nw", "W")
TWO_TWICE = seat("b6n g1s", "b6ne f2ne", "L")

CASES = (
    legal(
        "01-first-village-yields-nothing",
        "the first village of a player yields no cards",
        setup(EMPTY, EMPTY, EMPTY),
        "Pv(d6n)",
        village(1, "d6n"),
        PLACED,
    ),
    legal(
        "01-first-round-forwards",
        "in the first round the players place in turn: after the first comes the second",
        setup(ONE, EMPTY, EMPTY),
        "Pv(b6n)",
        village(2, "b6n"),
        PLACED,
    ),
    legal(
        "01-road-passes-the-set-up-on",
        "a road completes a placement, and the next player places",
        setup(ONE, seat("b6n", ""), EMPTY, must="R"),
        "Pr(b6ne)",
        road(2, "b6ne"),
        NEXT,
    ),
    legal(
        "01-last-player-places-twice",
        "the last player begins the second round at once; a second village yields a card of each tile",
        setup(ONE, TWO, THREE),
        "Pv(d6n)",
        village(3, "d6n"),
        gains(3, "GW2"),
        PLACED,
    ),
    legal(
        "01-second-round-backwards",
        "in the second round the players place in the opposite order",
        setup(ONE, TWO, THREE_TWICE),
        "Pv(g1s)",
        village(2, "g1s"),
        gains(2, "L"),
        PLACED,
    ),
    legal(
        "01-backwards-from-the-last-player",
        "after both placements of the last player the one before it places again",
        setup(ONE, TWO, THREE),
        "Pv(d7n) Pr(d7nw) Pv(g1s)",
        village(3, "d7n"),
        gains(3, "W"),
        road(3, "d7nw"),
        village(2, "g1s"),
        gains(2, "L"),
        PLACED,
    ),
    legal(
        "01-second-village-at-two-tiles",
        "the second village yields one card of each producing tile at it: of two tiles two cards",
        setup(ONE, TWO_TWICE, THREE_TWICE),
        "Pv(c3n)",
        village(1, "c3n"),
        gains(1, "GO"),
        PLACED,
    ),
    legal(
        "01-second-village-at-one-tile",
        "the second village yields one card of each producing tile at it: of one tile one card",
        setup(ONE, TWO_TWICE, THREE_TWICE),
        "Pv(d2n)",
        village(1, "d2n"),
        gains(1, "O"),
        PLACED,
    ),
    legal(
        "01-second-village-at-the-desert",
        "the desert yields nothing, and the robber on it takes nothing from the tiles beside it",
        setup(seat("c3n", "c3ne"), TWO_TWICE, THREE_TWICE),
        "Pv(d4n)",
        village(1, "d4n"),
        gains(1, "BW"),
        PLACED,
    ),
    legal(
        "01-second-village-at-equal-tiles",
        "two tiles of one kind yield two cards of it",
        setup(ONE, TWO_TWICE, THREE_TWICE),
        "Pv(b5n)",
        village(1, "b5n"),
        gains(1, "GL2"),
        PLACED,
    ),
    legal(
        "01-first-player-begins",
        "after the last road of the set-up the first player begins, and rolls",
        setup(seat("d4n c3n", "d4ne", "GO"), TWO_TWICE, THREE_TWICE, must="R"),
        "Pr(c3ne)",
        road(1, "c3ne"),
        nothing_due,
    ),
    illegal(
        "01-village-before-road",
        "a village is placed before its road",
        setup(EMPTY, EMPTY),
        "Pr(d4ne)",
    ),
    illegal(
        "01-one-village-at-a-time",
        "after a village comes its road, not another village",
        setup(seat("d4n", ""), EMPTY, must="R"),
        "Pv(b6n)",
    ),
    illegal(
        "01-no-roll-in-the-set-up",
        "nobody rolls before the set-up is over",
        setup(ONE, TWO, THREE),
        "R(3+4)",
    ),
    illegal(
        "01-nothing-bought-in-the-set-up",
        "nothing is bought in the set-up",
        setup(ONE, TWO_TWICE),
        "Br",
    ),
    illegal(
        "01-no-passing-in-the-set-up",
        "nobody passes in the set-up",
        setup(ONE, EMPTY),
        "E",
    ),
    legal(
        "02-road-at-the-new-village",
        "a road of the set-up touches the village just placed",
        setup(ONE, seat("b6n g1s", "b6ne", "L"), must="R"),
        "Pr(g2w)",
        road(2, "g2w"),
        NEXT,
    ),
    illegal(
        "02-road-at-the-first-village",
        "the second road of the set-up touches the second village, not the first",
        setup(ONE, seat("b6n g1s", "b6ne", "L"), must="R"),
        "Pr(b6nw)",
    ),
    illegal(
        "02-road-that-goes-on-from-the-first",
        "the second road of the set-up touches the second village; to go on from the first is not enough",
        setup(ONE, seat("b6n g1s", "b6ne", "L"), must="R"),
        "Pr(c6w)",
    ),
    illegal(
        "02-road-far-away",
        "a road of the set-up touches the village just placed",
        setup(seat("d4n", ""), EMPTY, must="R"),
        "Pr(e4w)",
    ),
    legal(
        "03-two-sides-apart-in-the-set-up",
        "two sides between villages are enough",
        setup(ONE, EMPTY),
        "Pv(d5n)",
        village(2, "d5n"),
        PLACED,
    ),
    illegal(
        "03-next-corner-in-the-set-up",
        "no village on a corner next to another village",
        setup(ONE, EMPTY),
        "Pv(e3s)",
    ),
    illegal(
        "03-next-corner-without-a-road",
        "the distance rule asks for corners, not for roads: no road leads from d4n to e2s",
        setup(ONE, EMPTY),
        "Pv(e2s)",
    ),
    illegal(
        "03-next-to-the-own-village",
        "the distance rule holds between own villages too",
        setup(ONE, TWO_TWICE),
        "Pv(d3s)",
    ),
    illegal(
        "03-same-corner",
        "no village where another stands",
        setup(ONE, EMPTY),
        "Pv(d4n)",
    ),
)
