"""The command that searches for differences: the same games on both engines, step by step.

    python -m tests.tgdl.native.differential                      every game of the shelf
    python -m tests.tgdl.native.differential chess hex --games 50 --seed 7
    python -m tests.tgdl.native.differential --programs 500       random programs
    python -m tests.tgdl.native.differential --replay FILE        what a report says

A difference is shrunk to the shortest list of steps (and the smallest program) that shows it, and printed as
a text that `--replay` plays again.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludograph.games import find_source, list_games
from ludograph.text import Source
from ludograph.tgdl import check_source, compile_source
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.execution import Outgrown, TooLarge
from ludograph.tgdl.program import Program
from ludograph.tgdl.reference.building import BadOption
from ludograph.tgdl.world.faults import Fault
from tests.tgdl.native.programs import random_program, smaller_programs
from tests.tgdl.native.shrinking import shrink_numbers
from tests.tgdl.native.sides import PLACES, Setting, Sides
from tests.tgdl.native.table_games import write_table_game
from tests.tgdl.native.twins import Difference

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "hexil": (
        {"trades": "bank_only"},
        {"trades": "bank_only", "points": 5, "friendly": True, "beginners": True},
        {"trades": "bank_only", "limit": 3, "strict": True},
    ),
    "liars-dice": ({}, {"dice": 2}),
    "pig": ({}, {"target": 20}),
    "go": ({}, {"komi": 0.5}),
}
STEPS = {"hexil": 60, "chess": 40, "go": 40, "hex": 40, "backgammon": 40, "othello": 40}
CANNOT = (Unsupported, ForeignText, Unrepresentable, Outgrown, TooLarge)
"""Why the native engine may not support a game."""


@dataclass(frozen=True, slots=True)
class Report:
    """A difference, with everything that is needed to reproduce it."""

    game: str | None
    """The name of a game of the shelf; None: the program is given."""
    text: str
    setting: Setting
    numbers: tuple[int, ...]
    difference: str

    def __str__(self) -> str:
        setting = self.setting
        rows = [f"game: {self.game}"] if self.game is not None else []
        if setting.players is not None:
            rows.append(f"players: {setting.players}")
        rows += [f"option.{name}: {value}" for name, value in setting.options]
        if setting.fuel is not None:
            rows.append(f"fuel: {setting.fuel}")
        rows.append(f"steps: {' '.join(map(str, self.numbers))}")
        rows += [f"difference: {line}" for line in self.difference.splitlines()[:3]]
        return "\n".join([*(f"// {row}" for row in rows), self.text])


ROW = re.compile(r"// (game|players|option\.\w+|fuel|steps): (.*)")


def parse_report(text: str) -> Report:
    """The game of a report."""
    found = dict(ROW.findall(text))
    options = tuple(
        (name.removeprefix("option."), _plain(value))
        for name, value in found.items()
        if name.startswith("option.")
    )
    players, fuel = (int(found[name]) if name in found else None for name in ("players", "fuel"))
    numbers = tuple(map(int, found.get("steps", "").split()))
    return Report(found.get("game"), text, Setting(players, options, None, fuel), numbers, "")


def _plain(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else text


def load_program(report: Report) -> Program | None:
    if report.game is not None:
        found = find_source(report.game)
        return compile_source(found.source, found.read)
    return check_source(Source(report.text, "game.tgdl"), lambda _: None)[0]


def difference_of(sides: Sides, numbers: Sequence[int]) -> str:
    """The difference in a game with these steps; None if there is none."""
    try:
        sides.play(numbers)
    except Difference as difference:
        return str(difference)
    return ""


# Games of the shelf


def settings_of(name: str, program: Program) -> Iterator[Setting]:
    """For every number of players and some options."""
    for options in OPTIONS.get(name, ({},)):
        for players in program.players:
            yield Setting(players, tuple(options.items()))


def compare_game(name: str, games: int, seed: int, steps: int | None = None) -> tuple[int, Report | None]:
    """Play random games of the shelf; gives how many steps they had, and the first difference."""
    found = find_source(name)
    program = compile_source(found.source, found.read)
    settings = list(settings_of(name, program))
    known: dict[int, Sides] = {}
    total = 0
    for number in range(games):
        place = (seed + number) % len(settings)
        if place not in known:
            known[place] = Sides(program, settings[place], level=1)
        numbers = random_numbers(random.Random(f"{name} {seed} {number}"), steps or STEPS.get(name, 80))
        try:
            total += known[place].play(numbers)
        except Difference:
            return total, _shrunk(name, known[place], numbers)
    return total, None


def _shrunk(name: str, sides: Sides, numbers: list[int]) -> Report:
    numbers = shrink_numbers(numbers, lambda trial: bool(difference_of(sides, trial)))
    return Report(name, "", sides.setting, tuple(numbers), difference_of(sides, numbers))


def random_numbers(draws: random.Random, count: int) -> list[int]:
    """Random steps: most are plain moves, some try something else."""
    return [
        draws.randrange(PLACES) + PLACES * (draws.randrange(32) if draws.random() < 0.2 else 0)
        for _ in range(count)
    ]


# Random programs


def compare_program(
    text: str, draws: random.Random, *, games: int = 3, steps: int = 12, shrinks: bool = True
) -> Report | bool:
    """Play a random program; returns whether both engines ran it, or the shrunk difference.

    One in three runs as users have it, after all passes and unchecked; a difference there is not shrunk.
    """
    program, _ = check_source(Source(text, "game.tgdl"), lambda _: None)
    if program is None:
        return False
    players = draws.choice(program.players)
    setting = Setting(players if players <= 8 else None, (), None, draws.choice((20_000, 20_000, 300)))
    checked = len(text) % 3 != 0
    try:
        sides = Sides(program, setting, checked=checked, level=0 if checked else 1)
    except (*CANNOT, BadOption, Fault):
        return False
    for _ in range(games):
        numbers = random_numbers(draws, steps)
        try:
            shown = difference_of(sides, numbers)
        except CANNOT:
            return False
        if shown:
            report = Report(None, text, setting, tuple(numbers), shown)
            return shrink_program(report) if shrinks and checked else report
    return True


def shrink_program(report: Report, seconds: float = 90) -> Report:
    """A smaller program, and fewer steps, that still show a difference."""
    end = time.monotonic() + seconds
    numbers = list(report.numbers)
    text, shown, is_smaller = report.text, report.difference, True
    while is_smaller and time.monotonic() < end:
        is_smaller = False
        place = 0
        while place < len(trials := smaller_programs(text)) and time.monotonic() < end:
            found = _shown_by(trials[place], report.setting, numbers)
            if found:
                text, shown, is_smaller = trials[place], found, True
            else:
                place += 1
    numbers = shrink_numbers(
        numbers, lambda trial: bool(_shown_by(text, report.setting, trial)), seconds=seconds / 2
    )
    shown = _shown_by(text, report.setting, numbers) or shown
    return Report(None, text, report.setting, tuple(numbers), shown)


def _shown_by(text: str, setting: Setting, numbers: list[int]) -> str:
    try:
        program, _ = check_source(Source(text, "game.tgdl"), lambda _: None)
        if program is None:
            return ""
        return difference_of(Sides(program, setting, checked=True), numbers)
    except (*CANNOT, BadOption, Fault, ValueError):
        return ""


# The command


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="differential", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="games of the shelf (all, if none is named)")
    parser.add_argument("--games", type=int, default=10, help="games of each (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="steps of a game at the most")
    parser.add_argument("--programs", type=int, help="play so many random programs instead")
    parser.add_argument("--tables", type=int, help="play so many random games with boards and cards instead")
    parser.add_argument("--replay", type=Path, help="play again what a report says")
    chosen = parser.parse_args(arguments)
    if chosen.replay is not None:
        return _replay(chosen.replay.read_text(encoding="utf-8"))
    if chosen.programs is not None:
        return _compare_programs(chosen.seed, chosen.programs)
    if chosen.tables is not None:
        return _compare_tables(chosen.seed, chosen.tables)
    differs = 0
    for name in chosen.names or list_games():
        began = time.monotonic()
        total, report = compare_game(name, chosen.games, chosen.seed, chosen.steps)
        seconds = time.monotonic() - began
        print(f"{name}: {chosen.games} games, {total} steps, {seconds:.0f} s", flush=True)
        if report is not None:
            differs += 1
            print(report, flush=True)
    return 1 if differs else 0


def _replay(text: str) -> int:
    report = parse_report(text)
    program = load_program(report)
    if program is None:
        print("the program has errors")
        return 2
    shown = difference_of(Sides(program, report.setting, checked=report.game is None), report.numbers)
    print(shown or "the engines agree")
    return 1 if shown else 0


def _compare_programs(seed: int, count: int) -> int:
    def compare(number: int) -> Report | bool:
        draws = random.Random(f"program {number}")
        return compare_program(random_program(draws), draws)

    return _compare_all(seed, count, compare)


def _compare_tables(seed: int, count: int) -> int:
    def compare(number: int) -> Report | bool:
        draws = random.Random(f"table {number}")
        return compare_program(write_table_game(draws), draws, steps=40)

    return _compare_all(seed, count, compare)


def _compare_all(seed: int, count: int, compare: Callable[[int], Report | bool]) -> int:
    ran = differs = 0
    for number in range(seed, seed + count):
        report = compare(number)
        ran += report is True
        if isinstance(report, Report):
            differs += 1
            print(f"// seed: {number}\n{report}\n---", flush=True)
    print(f"{count} programs, {ran} ran the same on both engines, {differs} did not")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
