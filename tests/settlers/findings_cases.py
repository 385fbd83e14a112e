"""Positions for the tests of the findings: legal ones to start from, and cases that break one rule.

A case holds the wrong position, the flags it must raise and no others, and a near miss that is legal.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Finding,
    Flag,
    Goods,
    Harbor,
    Pieces,
    Player,
    Position,
    Resource,
    Seat,
)
from ludograph.settlers.names import maybe_han_place


@dataclass(frozen=True, slots=True)
class Case:
    flag: Flag
    wrong: Position
    fine: Position


def flags(findings: Iterable[Finding]) -> set[Flag]:
    return {finding.flag for finding in findings}


def tile(name: str) -> Hex:
    place = maybe_han_place(name)
    assert isinstance(place, Hex)
    return place


def corners(names: str) -> tuple[HexCorner, ...]:
    places = [maybe_han_place(name) for name in names.split()]
    assert all(isinstance(place, HexCorner) for place in places)
    return tuple(place for place in places if isinstance(place, HexCorner))


def sides(names: str) -> tuple[HexSide, ...]:
    places = [maybe_han_place(name) for name in names.split()]
    assert all(isinstance(place, HexSide) for place in places)
    return tuple(place for place in places if isinstance(place, HexSide))


def harbors(names: str) -> tuple[Harbor, ...]:
    """Harbors as HSN writes them: `Of3ne` for ore, `d2nw` for any."""
    kinds = {"B": "brick", "G": "grain", "L": "lumber", "O": "ore", "W": "wool"}
    return tuple(
        Harbor(sides(name.lstrip("BGLOW"))[0], Resource(kinds[name[0]]) if name[0] in kinds else None)
        for name in names.split()
    )


START = Position(
    BEGINNERS_ISLAND,
    (
        Seat((), corners("c3n d5s"), sides("d2w d6nw"), Goods(grain=2, wool=1)),
        Seat((), corners("d3n c5n"), sides("e2w d4w"), Goods(lumber=1, ore=1)),
        Seat((), corners("e3n c4n"), sides("f2w c4nw"), Goods(brick=1, grain=1, lumber=1)),
    ),
    tile("d4"),
)
"""Three players after the set-up, before the first roll."""

LATE = START.replace(turn=100, rolled=True).replace_seat(1, roads=sides("d2w d2nw d6nw"))
"""Player 1 after the roll of a late turn, with a corner (d2n) for a third village."""

FIVE_1 = sides("d2w d2nw d2ne e2nw e2ne d6nw")
FIVE_2 = sides("e2w d4w c5nw c5w b6nw b6w")
FIVE_3 = sides("f2w c4nw c4w b5nw b5w a6ne")
"""Roads of each player with five in a row."""

EVEN = LATE.replace_seat(1, roads=FIVE_1).replace_seat(2, roads=FIVE_2).replace_seat(3, roads=FIVE_3)
ASIDE = EVEN.replace_seat(3, villages=corners("e3n c4n b5s"))
"""Player 3 has cut the road of player 2 on b5s, the others are even: no player has the longest road."""

FIFTEEN = sides("d2w d6nw d2nw d2ne e2nw e2ne d6w c6ne d6ne e5w d5ne d5w d5nw e5nw e5ne")
ALL_PAVED = LATE.replace_seat(1, roads=FIFTEEN).replace(longest_road=Player(1))
"""Player 1 has no road left."""

SEED = Position(
    BEGINNERS_ISLAND.replace(
        numbers={tile("f4"): 9}, harbors=harbors("d2nw e2nw c3w Of3ne Bg4w Wb5w Le6nw a7ne Gc7nw")
    ),
    (
        Seat(
            (),
            corners("c3n d5s"),
            sides("d2w d6nw"),
            Goods(brick=5, ore=2, wool=1),
            Cards(knight=2, monopoly=1),
        ),
        Seat((), corners("d3n c5n"), sides("e2w d4w"), Goods(), Cards(knight=1), 3),
        Seat(corners("e3n"), corners("c4n"), sides("f2w c4ne"), Goods(grain=2, wool=1), Cards(point=2), 2),
    ),
    tile("d4"),
    largest_army=Player(2),
    longest_road=Player(1),
    turn=2,
    rolled=True,
    may_place=Pieces(road=2),
)
"""The complete example of the HSN specification."""
