"""Longest road, largest army and winning (rows 28 to 36)."""

from conformance.settlers.source.tables import (
    city,
    first,
    illegal,
    largest_army,
    legal,
    longest_road,
    must_move_robber,
    pays,
    road,
    seat,
    second,
    table,
    turn_ends,
    uses,
    village,
)
from ludograph.settlers import Seat

# Round the desert from d4n to d3s; d4nw closes the ring.
RING = "d4ne e4w d5nw c5ne d4w"
# Along the coast: in the south from d7n, in the east from f2n, in the west from b4s.
SOUTH = "d7nw c7ne c7nw b7ne b7nw a7ne"
EAST = "f2ne g2w f3ne g3w f4ne g4w"
WEST = "a5ne b4w b4nw c3w c3nw d2w d2nw"

BUILD = "BL"


def part(roads: str, length: int) -> str:
    """The first roads of a row."""
    return " ".join(roads.split()[:length])


def ringer(length: int, hand: str = "") -> Seat:
    return seat("d4n d4s", part(f"{RING} d4nw", length), hand)


SOUTHERNER = seat("d7n b7n", part(SOUTH, 5))
EASTERNER = seat("f2n f3n", part(EAST, 5))
# Builds a village at b4n, in the middle of the road along the western coast: three remain of it, and four.
CUTTER = seat("b5n e6n", "c4w b4ne e6nw", "BGLW")
WESTERNER = seat("d2n a5n", WEST)
# Nine roads, of which the cut leaves five and four.
LONG_WESTERNER = seat("d2n a5n", f"a6ne b5w {WEST}")
CUT = (pays(1, "BGLW"), village(1, "b4n"))
# The first has cut the fourth's road at b4n, and the second and third are left with six each.
SET_ASIDE = (
    seat("d4n b5n b4n", f"{part(RING, 4)} c4w b4ne", BUILD),
    seat("d7n b7n", SOUTH, BUILD),
    seat("f2n f3n", EAST),
    WESTERNER,
)
# The same at d5n; now the second's road along the coast is to be cut.
SET_ASIDE_BEFORE_A_CUT = (
    seat("b5n d5n", "c4w b4ne d5ne", "BGLW"),
    seat("d1s a5n", part(WEST, 6)),
    seat("f2n f3n", EAST),
    seat("d4n c5n", RING),
)
# Three points, and five with the longest road.
WAITING = seat("d4n", RING, cities="d4s")
KNIGHTS = first(cards="k", knights=2)

CASES = (
    legal(
        "28-four-are-not-enough",
        "the longest road needs five in a row",
        table(ringer(3, BUILD)),
        "Br Pr(c5ne)",
        pays(1, BUILD),
        road(1, "c5ne"),
    ),
    legal(
        "28-five-are-enough",
        "the longest road needs five in a row",
        table(ringer(4, BUILD)),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
        longest_road(1),
    ),
    legal(
        "28-branches-are-not-added",
        "three arms of two roads make a trail of four, not of six",
        table(seat("d4n d5n", "d4ne e4w d4nw d4w e3w", BUILD)),
        "Br Pr(e3nw)",
        pays(1, BUILD),
        road(1, "e3nw"),
    ),
    legal(
        "28-no-road-twice",
        "a ring of six with a tail of one is seven: no road is walked twice",
        table(ringer(6, BUILD), seat("d7n b7n", f"{SOUTH} b6w"), longest=2),
        "Br Pr(e3w)",
        pays(1, BUILD),
        road(1, "e3w"),
    ),
    legal(
        "28-a-corner-twice",
        "a trail may pass a corner twice: tail and ring are seven, more than six",
        table(ringer(6, BUILD), seat("d7n b7n", SOUTH), longest=2),
        "Br Pr(e3w)",
        pays(1, BUILD),
        road(1, "e3w"),
        longest_road(1),
    ),
    legal(
        "29-a-loop-counts-in-full",
        "a ring round a tile is six",
        table(ringer(5, BUILD), SOUTHERNER, longest=2),
        "Br Pr(d4nw)",
        pays(1, BUILD),
        road(1, "d4nw"),
        longest_road(1),
    ),
    legal(
        "30-own-village-in-the-middle",
        "own buildings do not break a road",
        table(seat("d4n d5n", part(RING, 4), BUILD)),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
        longest_road(1),
    ),
    legal(
        "30-own-city-in-the-middle",
        "own buildings do not break a road",
        table(seat("d4n", part(RING, 4), BUILD, cities="d4s")),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
        longest_road(1),
    ),
    legal(
        "30-village-of-another-in-the-middle",
        "the village of another breaks a road: two and three",
        table(seat("d4n c5n", part(RING, 4), BUILD), seat("d5n g1s", "d5ne f2ne")),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
    ),
    legal(
        "30-city-of-another-in-the-middle",
        "the city of another breaks a road as a village does",
        table(seat("d4n c5n", part(RING, 4), BUILD), seat("g1s", "d5ne f2ne", cities="d5n")),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
    ),
    legal(
        "31-last-edge-at-another",
        "the road that ends at the building of another counts",
        table(seat("d5n c5n", "e4w d5nw c5ne d4w", BUILD), seat("d4n g1s", "e3w f2ne")),
        "Br Pr(d4nw)",
        pays(1, BUILD),
        road(1, "d4nw"),
        longest_road(1),
    ),
    legal(
        "31-both-edges-at-another",
        "a ring that begins and ends at the building of another is six",
        table(seat("d5n c5n", RING, BUILD), seat("d4n g1s", "e3w f2ne"), SOUTHERNER, longest=3),
        "Br Pr(d4nw)",
        pays(1, BUILD),
        road(1, "d4nw"),
        longest_road(1),
    ),
    legal(
        "32-equal-is-not-longer",
        "the award is taken over by a longer road only",
        table(ringer(4, BUILD), SOUTHERNER, longest=2),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
    ),
    legal(
        "32-longer-takes-over",
        "the award is taken over by a longer road",
        table(seat("d4n d5n", f"{part(RING, 4)} d4w", BUILD), SOUTHERNER, longest=2),
        "Br Pr(e3w)",
        pays(1, BUILD),
        road(1, "e3w"),
        longest_road(1),
    ),
    # Cuts
    legal(
        "33-tied-holder-keeps-it",
        "after a cut the holder keeps the award if nobody has more",
        table(CUTTER, LONG_WESTERNER, ringer(5), longest=2),
        "Bv Pv(b4n)",
        *CUT,
        rows=(34,),
    ),
    legal(
        "33-single-longest-takes-it",
        "after a cut the award goes to the only one who has the longest road now",
        table(CUTTER, WESTERNER, ringer(5), longest=2),
        "Bv Pv(b4n)",
        *CUT,
        longest_road(3),
        rows=(34,),
    ),
    legal(
        "33-tie-among-others",
        "after a cut that leaves a tie among others the award is set aside",
        table(CUTTER, WESTERNER, ringer(5), EASTERNER, longest=2),
        "Bv Pv(b4n)",
        *CUT,
        longest_road(None),
        rows=(34,),
    ),
    legal(
        "33-nobody-at-five",
        "after a cut that leaves nobody five in a row the award is set aside",
        table(CUTTER, WESTERNER, ringer(3), longest=2),
        "Bv Pv(b4n)",
        *CUT,
        longest_road(None),
        rows=(34,),
    ),
    legal(
        "33-cut-of-another-than-the-holder",
        "a cut of another's road does not touch the holder",
        table(CUTTER, seat("d1s a5n", part(WEST, 6)), seat("f2n f3n", EAST), longest=3),
        "Bv Pv(b4n)",
        *CUT,
        rows=(34,),
    ),
    legal(
        "33-set-aside-and-five-are-not-the-most",
        "while it is set aside, it goes to nobody who has not the only longest road",
        table(*SET_ASIDE),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
    ),
    legal(
        "33-set-aside-and-one-gets-ahead",
        "while it is set aside, it goes to the only longest road",
        table(*SET_ASIDE, current=2),
        "Br Pr(b6w)",
        pays(2, BUILD),
        road(2, "b6w"),
        longest_road(2),
    ),
    legal(
        "33-set-aside-and-a-cut-decides",
        "while it is set aside, a cut may leave an only longest road",
        table(*SET_ASIDE_BEFORE_A_CUT),
        "Bv Pv(b4n)",
        *CUT,
        longest_road(3),
        rows=(34,),
    ),
    legal(
        "34-village-on-the-own-road",
        "an own village in the middle of the own road changes nothing",
        table(seat("d4n c5n", RING, "BGLW"), longest=1),
        "Bv Pv(d5n)",
        pays(1, "BGLW"),
        village(1, "d5n"),
    ),
    # The largest army
    legal(
        "35-third-knight",
        "three knights are an army",
        table(KNIGHTS),
        "Uk",
        uses("k"),
        largest_army(1),
        must_move_robber,
    ),
    legal(
        "35-second-knight",
        "two knights are none",
        table(first(cards="k", knights=1)),
        "Uk",
        uses("k"),
        must_move_robber,
    ),
    legal(
        "35-as-many-are-not-more",
        "the award is taken over by more knights only",
        table(KNIGHTS, second(knights=3), largest=2),
        "Uk",
        uses("k"),
        must_move_robber,
    ),
    legal(
        "35-more-take-over",
        "the award is taken over by more knights",
        table(first(cards="k", knights=3), second(knights=3), largest=2),
        "Uk",
        uses("k"),
        largest_army(1),
        must_move_robber,
    ),
    legal(
        "35-holder-grows",
        "the holder keeps the award",
        table(first(cards="k", knights=3), second(knights=2), largest=1),
        "Uk",
        uses("k"),
        must_move_robber,
    ),
    # Winning
    legal(
        "36-off-turn-points-wait",
        "who reaches the points in the turn of another has not won yet",
        table(CUTTER, WESTERNER, WAITING, longest=2),
        "Bv Pv(b4n)",
        *CUT,
        longest_road(3),
        rows=(33,),
        options={"points": 5},
    ),
    legal(
        "36-still-waiting",
        "points reached off turn wait through the turns of the others",
        table(CUTTER, WESTERNER, WAITING, longest=2),
        "Bv Pv(b4n) E",
        *CUT,
        longest_road(3),
        turn_ends,
        rows=(33,),
        options={"points": 5},
    ),
    legal(
        "36-won-when-the-turn-begins",
        "points reached off turn win when the own turn begins",
        table(CUTTER, WESTERNER, WAITING, longest=2),
        "Bv Pv(b4n) E R(1+1) E",
        *CUT,
        longest_road(3),
        turn_ends,
        turn_ends,
        winner=3,
        rows=(33,),
        options={"points": 5},
    ),
    legal(
        "36-won-by-a-village",
        "who reaches the points in the own turn wins at once",
        table(first("BGLW", roads="d4ne e4w c3ne")),
        "Bv Pv(d5n)",
        pays(1, "BGLW"),
        village(1, "d5n"),
        winner=1,
        options={"points": 3},
    ),
    legal(
        "36-won-by-a-city",
        "who reaches the points in the own turn wins at once",
        table(first("G2O3")),
        "Bc Pc(d4n)",
        pays(1, "G2O3"),
        city(1, "d4n"),
        winner=1,
        options={"points": 3},
    ),
    legal(
        "36-won-by-the-longest-road",
        "who reaches the points in the own turn wins at once: two villages and the longest road are four",
        table(ringer(4, BUILD)),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
        longest_road(1),
        winner=1,
        options={"points": 4},
    ),
    legal(
        "36-not-yet",
        "one point less does not win",
        table(ringer(4, BUILD)),
        "Br Pr(d4w)",
        pays(1, BUILD),
        road(1, "d4w"),
        longest_road(1),
        options={"points": 5},
    ),
    illegal(
        "36-nothing-after-the-end",
        "when somebody has won, nobody does anything more",
        table(first("BGLW", roads="d4ne e4w c3ne")),
        "Bv Pv(d5n) E",
        options={"points": 3},
    ),
)
