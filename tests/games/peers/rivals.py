"""Shipped games once more, in plain Python and written apart, to compare rules with.

A position is a board by names of places and whatever else the game needs. `moves` gives, by their text, the
positions that a player can move to (none when the game is over), `result` what an end is worth.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Board = dict[str, int]


@dataclass(frozen=True, slots=True)
class Rival:
    start: Any
    moves: Callable[[Any], dict[str, Any]]
    result: Callable[[Any], str]


def count(rival: Rival, position: Any, depth: int) -> int:
    """The sequences of so many moves."""
    if depth == 0:
        return 1
    return sum(count(rival, after, depth - 1) for after in rival.moves(position).values())


def name(column: int, row: int) -> str:
    return f"{'abcdefghi'[column]}{row + 1}"


def place(text: str) -> tuple[int, int]:
    return "abcdefghi".index(text[0]), int(text[1:]) - 1


def by_score(first: float, second: float) -> str:
    return "draw" if first == second else f"win {int(first < second)}"


# Breakthrough: (board, side to move)


def breakthrough_winner(board: Board) -> int | None:
    for side, row in ((0, 8), (1, 1)):
        won = any(board.get(f"{column}{row}") == side for column in "abcdefgh")
        if won or (1 - side) not in board.values():
            return side
    return None


def breakthrough_moves(position: tuple[Board, int]) -> dict[str, Any]:
    board, side = position
    found: dict[str, Any] = {}
    if breakthrough_winner(board) is not None:
        return found
    for origin, owner in board.items():
        column, row = place(origin)
        for sideways in (-1, 0, 1):
            if owner != side or not 0 <= column + sideways < 8:
                continue
            target = name(column + sideways, row + (1 - 2 * side))
            if target not in board or (sideways and board[target] != side):
                after = {where: who for where, who in board.items() if where != origin} | {target: side}
                found[f"{origin}.step(to: {target})"] = (after, 1 - side)
    return found


BREAKTHROUGH = Rival(
    ({name(c, r): r // 4 for c in range(8) for r in (0, 1, 6, 7)}, 0),
    breakthrough_moves,
    lambda position: f"win {breakthrough_winner(position[0])}",
)

# Othello: (board, side to move)

WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def othello_placings(board: Board, side: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for start in (name(c, r) for c in range(8) for r in range(8)):
        turned: list[str] = []
        for x, y in WAYS:
            column, row = place(start)
            seen: list[str] = []
            while board.get(step := name_or_none(column := column + x, row := row + y)) == 1 - side:
                seen.append(step)
            if board.get(step) == side:
                turned += seen
        if turned and start not in board:
            found[f"{start}.place"] = board | dict.fromkeys([start, *turned], side)
    return found


def name_or_none(column: int, row: int) -> str:
    return name(column, row) if 0 <= column < 8 and 0 <= row < 8 else ""


def othello_moves(position: tuple[Board, int]) -> dict[str, Any]:
    board, side = position
    found: dict[str, Any] = {}
    for text, after in othello_placings(board, side).items():
        skips = not othello_placings(after, 1 - side) and othello_placings(after, side)
        found[text] = (after, side if skips else 1 - side)
    return found


def othello_result(position: tuple[Board, int]) -> str:
    discs = list(position[0].values())
    return by_score(discs.count(0), discs.count(1))


OTHELLO = Rival(({"d5": 0, "e4": 0, "d4": 1, "e5": 1}, 0), othello_moves, othello_result)

# Kalah: (seeds of a1…f1, home, f2…a2, home, side to move)


def kalah_moves(position: tuple[tuple[int, ...], int]) -> dict[str, Any]:
    seeds, side = position
    found: dict[str, Any] = {}
    if not any(seeds[:6]) or not any(seeds[7:13]):
        return found
    mine, theirs = 6 + 7 * side, 13 - 7 * side
    for pit in range(7 * side, 7 * side + 6):
        if not seeds[pit]:
            continue
        after = list(seeds)
        hand, after[pit], at = after[pit], 0, pit
        while hand:
            at = (at + 1) % 14
            if at != theirs:
                after[at] += 1
                hand -= 1
        if at // 7 == side and at != mine and after[at] == 1 and after[12 - at]:
            after[mine] += 1 + after[12 - at]
            after[at] = after[12 - at] = 0
        found[f"{'abcdef fedcba'[pit]}{side + 1}.sow"] = (tuple(after), side if at == mine else 1 - side)
    return found


KALAH = Rival(
    (((4,) * 6 + (0,)) * 2, 0),
    kalah_moves,
    lambda position: by_score(sum(position[0][:7]), sum(position[0][7:])),
)

# Hex: (board by row and column, side to move)


def hex_winner(board: dict[tuple[int, int], int]) -> int | None:
    for side in (0, 1):
        reached = [at for at, owner in board.items() if owner == side and at[side] == 0]
        known = set(reached)
        while reached:
            row, column = reached.pop()
            if (row, column)[side] == 10:
                return side
            for x, y in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
                step = (row + x, column + y)
                if step not in known and board.get(step) == side:
                    known.add(step)
                    reached.append(step)
    return None


def hex_moves(position: tuple[dict[tuple[int, int], int], int]) -> dict[str, Any]:
    board, side = position
    if hex_winner(board) is not None:
        return {}
    free = [(row, column) for row in range(11) for column in range(11) if (row, column) not in board]
    return {f"grid[{at[0]}][{at[1]}].claim": (board | {at: side}, 1 - side) for at in free}


HEX = Rival(({}, 0), hex_moves, lambda position: f"win {hex_winner(position[0])}")

# Go: (board, side to move, passes in a row, earlier boards)


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


POINTS = [name(column, row) for row in range(9) for column in range(9)]
BESIDE = {point: [other for other in POINTS if distance(place(point), place(other)) == 1] for point in POINTS}


def chain(board: Board, start: str) -> tuple[set[str], set[int | None]]:
    """The points joined to one by the same colour (or by being empty), and what lies around them."""
    joined, waiting = {start}, [start]
    around: set[int | None] = set()
    while waiting:
        for step in BESIDE[waiting.pop()]:
            if board.get(step) != board.get(start):
                around.add(board.get(step))
            elif step not in joined:
                joined.add(step)
                waiting.append(step)
    return joined, around


def go_moves(position: tuple[Board, int, int, frozenset[Any]]) -> dict[str, Any]:
    board, side, passes, past = position
    if passes == 2:
        return {}
    found: dict[str, Any] = {"stand": (board, 1 - side, passes + 1, past)}
    for point in POINTS:
        if point in board:
            continue
        after = board | {point: side}
        for beside in BESIDE[point]:
            joined, around = chain(after, beside)
            if after.get(beside) == 1 - side and None not in around:
                after = {at: owner for at, owner in after.items() if at not in joined}
        key = frozenset(after.items())
        if None in chain(after, point)[1] and key not in past:
            found[f"{point}.play"] = (after, 1 - side, 0, past | {key})
    return found


def go_result(position: tuple[Board, int, int, frozenset[Any]]) -> str:
    board = position[0]
    area = [0.0, 7.5]
    for point in POINTS:
        for side in (0, 1):
            surrounded = point not in board and chain(board, point)[1] == {side}
            area[side] += board.get(point) == side or surrounded
    return by_score(*area)


GO = Rival(({}, 0, 0, frozenset()), go_moves, go_result)

# Nine men's morris: (board, men to place, side to move, moves without a capture)

MILLS = [
    line.split()
    for line in (
        "a1 d1 g1,b2 d2 f2,c3 d3 e3,a4 b4 c4,e4 f4 g4,c5 d5 e5,b6 d6 f6,a7 d7 g7,"
        "a1 a4 a7,b2 b4 b6,c3 c4 c5,d1 d2 d3,d5 d6 d7,e3 e4 e5,f2 f4 f6,g1 g4 g7"
    ).split(",")
]
SPOTS = sorted({spot for mill in MILLS for spot in mill})
Morris = tuple[Board, tuple[int, int], int, int]


def in_mill(board: Board, spot: str) -> bool:
    return any(spot in mill and len({board.get(each) for each in mill}) == 1 for mill in MILLS)


def linked(one: str, other: str) -> bool:
    return any(abs(mill.index(one) - mill.index(other)) == 1 for mill in MILLS if {one, other} <= {*mill})


def morris_landings(board: Board, side: int, spot: str) -> Iterator[tuple[str, Board, bool]]:
    if not in_mill(board, spot):
        yield "", board, False
        return
    foes = [at for at, owner in board.items() if owner != side]
    for taken in [at for at in foes if not in_mill(board, at)] or foes:
        yield taken, {at: owner for at, owner in board.items() if at != taken}, True


def morris_moves(position: Morris) -> dict[str, Any]:
    board, reserve, side, quiet = position
    found: dict[str, Any] = {}
    men = [at for at, owner in board.items() if owner == side]
    free = [spot for spot in SPOTS if spot not in board]
    if len(men) + reserve[side] < 3 or quiet == 100:
        return found
    if reserve[side]:
        left = (reserve[0] - (side == 0), reserve[1] - (side == 1))
        for spot in free:
            for taken, after, _ in morris_landings(board | {spot: side}, side, spot):
                found[f"{spot}.place{f'(taken: {taken})' if taken else ''}"] = (after, left, 1 - side, 0)
        return found
    for origin in men:
        for spot in free:
            if len(men) > 3 and not linked(origin, spot):
                continue
            moved = {at: owner for at, owner in board.items() if at != origin} | {spot: side}
            for taken, after, captures in morris_landings(moved, side, spot):
                text = f"{origin}.slide(to: {spot}{f', taken: {taken}' if taken else ''})"
                found[text] = (after, reserve, 1 - side, 0 if captures else quiet + 1)
    return found


MORRIS = Rival(
    ({}, (9, 9), 0, 0),
    morris_moves,
    lambda position: "draw" if position[3] == 100 else f"win {1 - position[2]}",
)

# Backgammon: only the rule that as many dice as possible are played, by trying all ways

Men = tuple[int, ...]


def steps(men: Men, foes: Men, die: int) -> Iterator[tuple[int, Men]]:
    """Where a man can be moved from, pips counted from home (0: off, 25: the bar), and what it leaves."""
    last = max((pip for pip in range(26) if men[pip]), default=0)
    for pip in [25] if men[25] else range(1, 25):
        to = pip - die
        open_point = foes[25 - to] < 2 if to > 0 else last <= 6 and (to == 0 or pip == last)
        if men[pip] and open_point:
            after = list(men)
            after[pip] -= 1
            after[max(to, 0)] += 1
            yield pip, tuple(after)


def plays(men: Men, foes: Men, dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to play dice on, to where nothing more can be played."""
    stuck = True
    for die in set(dice):
        rest = list(dice)
        rest.remove(die)
        for pip, after in steps(men, foes, die):
            stuck = False
            yield from (((pip, die), *more) for more in plays(after, foes, tuple(rest)))
    if stuck:
        yield ()


def backgammon_first_steps(men: Men, foes: Men, dice: tuple[int, ...]) -> set[tuple[int, int]]:
    """The first steps of the plays that use most dice, and the higher if only one can be used."""
    ways = set(plays(men, foes, dice))
    most = max(len(way) for way in ways)
    best = [way for way in ways if len(way) == most and way]
    if most == 1 and len(set(dice)) == 2:
        highest = max(way[0][1] for way in best)
        best = [way for way in best if way[0][1] == highest]
    return {way[0] for way in best}
