"""Two Lagoons once more, in plain Python and written apart: the ships by place, and what else there is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.games.peers.rivals import Rival, by_score

WEST = {"west[0][0]": "west[0][1] west[1][0]", "west[1][1]": "west[0][1] west[1][0] sw", "west[0][1]": "nw"}
EAST = {"east[1][1]": "east[0][1] east[1][0]", "east[0][0]": "east[0][1] east[1][0] ne", "east[1][0]": "se"}
SEA = {"n": "nw ne reef", "s": "se sw reef", "ne": "se", "nw": "sw"}
PAIRS = [(one, other) for one, others in (WEST | EAST | SEA).items() for other in others.split()]
PLACES = sorted({place for pair in PAIRS for place in pair})
BESIDE = {here: {a if b == here else b for a, b in PAIRS if here in (a, b)} for here in PLACES}
QUAYS = ("west[0][0]", "east[1][1]")


@dataclass(frozen=True, slots=True)
class Ship:
    owner: int
    is_raider: bool
    crates: int = 0


@dataclass(frozen=True, slots=True)
class Waters:
    """A position."""

    ships: dict[str, Ship]
    floating: dict[str, int]
    landed: tuple[int, int] = (0, 0)
    flag: int = 1
    is_ready: bool = True
    quiet: int = 0
    side: int = 0


def sail(waters: Waters, start: str, to: str) -> tuple[Waters, bool] | None:
    """Where a ship's way leads and whether it robs, or None if it may not go there."""
    ships = dict(waters.ships)
    ship = ships.pop(start)
    victim = ships.pop(to, None)
    quiet = waters.quiet
    if victim is not None:
        refuge = QUAYS[victim.owner]
        if not ship.is_raider or victim.owner == ship.owner or victim.crates == 0:
            return None
        if refuge in waters.ships:
            return None
        ships[refuge] = replace(victim, crates=0)
        ship = replace(ship, crates=ship.crates + victim.crates)
        quiet = 0
    if to == "reef" and ship.crates > 1:
        return None
    floating = waters.floating | ({to: 0} if to in waters.floating else {})
    taken = waters.floating.get(to, 0)
    ship = replace(ship, crates=ship.crates + taken)
    after = replace(waters, ships=ships, floating=floating, quiet=0 if taken else quiet)
    if victim is not None:
        after = replace(after, flag=waters.side, is_ready=True)
    if to == QUAYS[ship.owner] and ship.crates:
        landed = list(waters.landed)
        landed[ship.owner] += ship.crates
        after = replace(after, landed=(landed[0], landed[1]))
        after = replace(after, flag=1 - ship.owner, is_ready=True)
        ship = replace(ship, crates=0)
    ships[to] = ship
    return after, victim is not None


def ways(waters: Waters) -> Iterator[tuple[str, str]]:
    for start, ship in waters.ships.items():
        if ship.owner == waters.side:
            yield from ((start, to) for to in BESIDE[start])


def is_over(waters: Waters) -> bool:
    return max(waters.landed) >= 4 or waters.quiet == 60


def moves(waters: Waters) -> dict[str, Waters]:
    found: dict[str, Waters] = {}
    if is_over(waters):
        return found
    for start, to in ways(waters):
        # A move counts as quiet unless something is loaded on it.
        moved = sail(replace(waters, quiet=waters.quiet + 1), start, to)
        if moved is not None:
            found[f"{start}.sail(to: {to})"] = replace(moved[0], side=1 - waters.side)
        if waters.flag != waters.side or not waters.is_ready:
            continue
        signalled = sail(waters, start, to)
        if signalled is not None:
            after, robs = signalled
            is_ready = robs if after.flag == waters.side else True
            found[f"signal(s: {start}, to: {to})"] = replace(after, is_ready=is_ready)
    return found


def result(waters: Waters) -> str:
    for side in (0, 1):
        if waters.landed[side] >= 4:
            return f"win {side}"
    return by_score(*waters.landed)


START = Waters(
    {
        "west[0][1]": Ship(0, is_raider=False),
        "west[1][0]": Ship(0, is_raider=True),
        "east[1][0]": Ship(1, is_raider=False),
        "east[0][1]": Ship(1, is_raider=True),
    },
    dict.fromkeys("nw n ne se s sw reef".split(), 1),
)
TWO_LAGOONS = Rival(START, moves, result)
