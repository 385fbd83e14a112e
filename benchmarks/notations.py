"""Reading and writing notations, compared with python-chess in the same run.

    python3 dev.py bench                # or: python -m benchmarks.notations [--seconds 2] [--json] [--check]

Single thread, CPU time. The two sides of a ratio are measured alternately, and the ratio is that of
the medians, so that a busy machine slows both. The report describes the inputs, the tables that
outlive a call, and the limits that were missed. With --check a missed limit gives exit code 1.
"""

import argparse
import gc
import json
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import chess

from ludograph.notation import han, hsn
from ludograph.settlers import Action, Cards, Goods, Position, Seat, standard_island
from ludograph.settlers.goods import Pieces, Player, Resource, Terrain
from ludograph.settlers.places import LAND, LAND_CORNERS, LAND_SIDES
from ludograph.settlers.standard import NUMBER_SET, TERRAIN_SET

Work = Callable[[], int]
"""Processes some items and returns their number."""

ROUNDS = 15
EACH_KIND = 100
POSITIONS = 300


KEPT = """Only tables of constants outlive a call. They are made at import: the interned places of the
standard frame with their names, also with each terrain, number and harbor; the texts of small counts and
of the 36 rolls; and the actions without data. No result, text or hand is cached."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure and its limit; a figure without a limit is only reported."""

    name: str
    figure: float
    at_least: float | None = None
    below: float | None = None

    @property
    def is_missed(self) -> bool:
        return (self.at_least is not None and self.figure < self.at_least) or (
            self.below is not None and self.figure >= self.below
        )

    @property
    def demand(self) -> str:
        if self.at_least is not None:
            return f"must be ≥ {self.at_least:g}"
        return f"must be < {self.below:g}" if self.below is not None else ""

    @property
    def line(self) -> str:
        demand = f" ({self.demand})" if self.demand else ""
        return f"{self.name}{demand}{'   <-- MISSED' if self.is_missed else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure (default 2)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if a limit is missed")
    options = parser.parse_args()
    rng = random.Random(1)
    texts = Texts.make(rng)
    rates = measure(works(texts, rng), options.seconds)
    ratios = [
        Limit("HAN actions parsed / SAN moves parsed", rates["han.parse"] / rates["san.parse"], at_least=3),
        Limit("HSN positions parsed / FENs parsed", rates["hsn.parse"] / rates["fen.parse"], at_least=1),
        Limit("HAN formatted / HAN parsed", rates["han.format"] / rates["han.parse"], at_least=1),
        Limit("HSN formatted / HSN parsed", rates["hsn.format"] / rates["hsn.parse"], at_least=1),
        Limit("HAN actions written / SAN moves written", rates["han.format"] / rates["san.write"]),
        Limit("HSN positions written / FENs written", rates["hsn.format"] / rates["fen.write"]),
    ]
    starts = [
        Limit("import ludograph", start_up(["-c", "import ludograph"]), below=30),
        Limit("ludograph --help", start_up(["-m", "ludograph", "--help"]), below=120),
    ]
    missed = [limit.name for limit in (*ratios, *starts) if limit.is_missed]
    if options.json:
        report = {
            "texts": texts.counts,
            "kept": KEPT,
            "per_second": rates,
            "ratios": {limit.line: limit.figure for limit in ratios},
            "start_up_ms": {limit.line: limit.figure for limit in starts},
            "missed": missed,
        }
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        print_report(texts, rates, ratios, starts, missed)
    return 1 if missed and options.check else 0


def print_report(
    texts: "Texts", rates: dict[str, float], ratios: list[Limit], starts: list[Limit], missed: list[str]
) -> None:
    print(f"Python {platform.python_version()}, python-chess {chess.__version__}, {platform.machine()}\n")
    print(f"{texts.describe()}\n\n{KEPT}\n")
    for name, rate in rates.items():
        print(f"{name:<12} {rate:>12,.0f} /s")
    print()
    for limit in ratios:
        print(f"{limit.figure:>7.2f} ×  {limit.line}")
    print()
    for limit in starts:
        print(f"{limit.figure:>6.0f} ms  {limit.line}, over `python -c pass`")
    print(f"\nMISSED: {', '.join(missed)}" if missed else "\nEvery limit is kept.")


@dataclass(frozen=True, slots=True)
class Texts:
    """The inputs: equally many actions of each kind, and distinct positions."""

    actions: dict[str, list[str]]
    positions: list[str]

    @staticmethod
    def make(rng: random.Random) -> "Texts":
        actions = {kind: action_texts(kind, rng) for kind in KINDS}
        positions = dict.fromkeys(hsn.format(random_position(rng)) for _ in range(POSITIONS))
        return Texts(actions, list(positions))

    @property
    def counts(self) -> dict[str, int]:
        """The number of distinct texts for each kind of action, and of distinct positions."""
        distinct = {kind: len(set(texts)) for kind, texts in self.actions.items()}
        return {**distinct, "positions": len(self.positions)}

    def describe(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.counts.items() if kind != "positions")
        actions = sum(map(len, self.actions.values()))
        return (
            f"Read are {actions:,} actions, {EACH_KIND} of each of {len(KINDS)} kinds, and "
            f"{len(self.positions)} positions, all distinct.\n"
            f"Actions are as distinct as their kind allows (there are 21 rolls, 19 tiles, one E); "
            f"of {EACH_KIND} each:\n{kinds}."
        )


def works(texts: Texts, rng: random.Random) -> dict[str, Work]:
    """The work that is measured."""
    actions = [text for of_kind in texts.actions.values() for text in of_kind]
    rng.shuffle(actions)
    parsed_actions: list[Action] = [han.parse(text) for text in actions]
    positions = texts.positions
    parsed_positions = [hsn.parse(text) for text in positions]
    boards, sans, moves = chess_positions(rng, 20)
    fens = [board.fen() for board in boards]

    def over(items: list[str], call: Callable[[str], object]) -> Work:
        def work() -> int:
            for item in items:
                call(item)
            return len(items)

        return work

    def parse_sans() -> int:
        for board, san in zip(boards, sans, strict=True):
            board.parse_san(san)
        return len(sans)

    def write_sans() -> int:
        for board, move in zip(boards, moves, strict=True):
            board.san(move)
        return len(moves)

    def write_fens() -> int:
        for board in boards:
            board.fen()
        return len(boards)

    def format_actions() -> int:
        for action in parsed_actions:
            han.format(action)
        return len(parsed_actions)

    def format_positions() -> int:
        for position in parsed_positions:
            hsn.format(position)
        return len(parsed_positions)

    return {
        "han.parse": over(actions, han.parse),
        "san.parse": parse_sans,
        "hsn.parse": over(positions, hsn.parse),
        "fen.parse": over(fens, chess.Board),
        "han.format": format_actions,
        "san.write": write_sans,
        "hsn.format": format_positions,
        "fen.write": write_fens,
    }


def measure(todo: dict[str, Work], seconds: float) -> dict[str, float]:
    """Items per second of each work: the median of alternating rounds."""
    for work in todo.values():
        work()
    gc.collect()
    rounds: dict[str, list[float]] = {name: [] for name in todo}
    for _ in range(ROUNDS):
        for name, work in todo.items():
            done, start = 0, time.process_time()
            while (spent := time.process_time() - start) < seconds / ROUNDS:
                done += work()
            rounds[name].append(done / spent)
    return {name: statistics.median(values) for name, values in rounds.items()}


KINDS = (
    *("R", "R?", "M", "D", "S", "S?", "Bv", "Bc", "Br", "Bd"),
    *("Pv", "Pc", "Pr", "Uk", "Uy", "Um", "Uo", "T", "E"),
)
_LAND_NAMES = [f"{'abcdefg'[tile.q + 3]}{tile.r + 4}" for tile in LAND]


def action_texts(kind: str, rng: random.Random) -> list[str]:
    """A number of texts of one kind of action, distinct as far as there are enough."""
    found = dict.fromkeys(action_text(kind, rng) for _ in range(50 * EACH_KIND))
    distinct = list(found)[:EACH_KIND]
    return [distinct[index % len(distinct)] for index in range(EACH_KIND)]


def action_text(kind: str, rng: random.Random) -> str:
    """A text of one kind of action, with random details."""
    formula = _formula(rng)
    match kind:
        case "R":
            low, high = sorted((rng.randint(1, 6), rng.randint(1, 6)))
            return f"R({low}+{high})"
        case "M":
            return f"M({rng.choice(_LAND_NAMES)})"
        case "D":
            return f"{rng.randint(1, 4)}D({formula})"
        case "S":
            return f"S({rng.choice('BGLOW')}){rng.randint(1, 4)}"
        case "S?":
            return f"S?{rng.randint(1, 4)}"
        case "Pv" | "Pc":
            return f"{kind}({rng.choice(_LAND_NAMES)}{rng.choice('ns')})"
        case "Pr":
            return f"Pr({rng.choice(_LAND_NAMES)}{rng.choice(('ne', 'nw', 'w'))})"
        case "Uy":
            return f"Uy({''.join(sorted(rng.sample('BGLOW', 2)))})"
        case "Um":
            return f"Um({rng.choice('BGLOW')})"
        case "T":
            return f"T({formula})({_formula(rng)}){rng.randint(0, 4)}"
        case _:
            return kind


def _formula(rng: random.Random) -> str:
    kinds = sorted(rng.sample("BGLOW", rng.randint(1, 3)))
    return "".join(kind + rng.choice(("", "", "2", "3")) for kind in kinds)


def random_position(rng: random.Random) -> Position:
    """A random position of two to four players, between the set-up and the end of a game."""
    terrain = [kind for kind, count in TERRAIN_SET.items() for _ in range(count)]
    numbers = [number for number, count in NUMBER_SET.items() for _ in range(count)]
    harbors: list[Resource | None] = [*Resource, None, None, None, None]
    for pile in (terrain, numbers, harbors):
        rng.shuffle(pile)
    corners, sides = list(LAND_CORNERS), list(LAND_SIDES)
    rng.shuffle(corners)
    rng.shuffle(sides)
    age = rng.random()
    seats = [
        Seat(
            cities=tuple(corners.pop() for _ in range(round(age * rng.randint(0, 4)))),
            villages=tuple(corners.pop() for _ in range(2 + round(age * rng.randint(0, 2)))),
            roads=tuple(sides.pop() for _ in range(2 + round(age * rng.randint(2, 13)))),
            goods=Goods(*(max(0, rng.randint(-2, 4)) for _ in Resource)),
            cards=Cards(*(max(0, rng.randint(-3, 2)) for _ in range(5))) if age > 0.3 else Cards(),
            knights=round(age * rng.randint(0, 5)),
        )
        for _ in range(rng.randint(2, 4))
    ]
    island = standard_island(tuple(terrain), tuple(numbers), tuple(harbors))
    desert = next(place for place, kind in island.terrain if kind is Terrain.DESERT)
    return Position(
        island,
        tuple(seats),
        desert,
        largest_army=rng.choice((None, Player(1))) if age > 0.5 else None,
        longest_road=rng.choice((None, Player(2))) if age > 0.4 else None,
        turn=1 + round(90 * age),
        rolled=rng.random() < 0.5,
        bought=Cards(knight=rng.choice((0, 0, 1))),
        may_place=Pieces(road=rng.choice((0, 0, 0, 2))),
    )


def chess_positions(rng: random.Random, games: int) -> tuple[list[chess.Board], list[str], list[chess.Move]]:
    """Every position of some random games of at most 80 half-moves, and the move played there."""
    boards, sans, moves = [], [], []
    for _ in range(games):
        board = chess.Board()
        for _ in range(80):
            legal = list(board.legal_moves)
            if not legal:
                break
            move = rng.choice(legal)
            boards.append(board.copy(stack=False))
            sans.append(board.san(move))
            moves.append(move)
            board.push(move)
    return boards, sans, moves


def start_up(arguments: list[str], runs: int = 15) -> float:
    """Milliseconds of a process above those of `python -c pass`: the difference of the medians."""

    def run(what: list[str]) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *what], check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - start) * 1000

    with_it, without = [], []
    for _ in range(runs):
        with_it.append(run(arguments))
        without.append(run(["-c", "pass"]))
    return statistics.median(with_it) - statistics.median(without)


if __name__ == "__main__":
    sys.exit(main())
