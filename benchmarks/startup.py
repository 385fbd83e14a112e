"""The start-up time of commands and of the library: CPU time above that of an empty Python program.

    python3 dev.py bench startup        # or: python -m benchmarks.startup [--rounds N] [--json] [--check]

The figure is the user and system time of the whole process, the best of some rounds, minus that of
`python -c pass` in the same rounds. Games come from the cache. Python caches its bytecode as usual, even if
PYTHONDONTWRITEBYTECODE is set.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 10

RACE = """game "Race to ten";
global state race
{
  decimal count = 0;
  action add
  {
    trigger on player choice;
    input decimal number from 1 to 3 { count + number <= 10 }
    effect { count += number; if count == 10 win player; pass; }
  }
}
"""

FIRST_MOVE = "import ludograph; s = ludograph.load({game}).new({players}); s.push(s.legal_moves[0])"


def commands(race: str) -> dict[str, tuple[list[str], float]]:
    """A command or call, and its limit in seconds."""
    line = [sys.executable, "-m", "ludograph"]

    def first_move(game: str, players: str) -> list[str]:
        return [sys.executable, "-c", FIRST_MOVE.format(game=game, players=players)]

    return {
        "`ludograph games`": ([*line, "games"], 0.1),
        "`ludograph check`, ten lines": ([*line, "check", race], 0.3),
        "`ludograph play tic-tac-toe`": ([*line, "play", "tic-tac-toe"], 0.3),
        "`ludograph play hexil`, 4 players": ([*line, "play", "hexil"], 0.4),
        "`ludograph simulate tic-tac-toe -n 10`": ([*line, "simulate", "tic-tac-toe", "-n", "10"], 0.3),
        "`load`, first move of chess": (first_move("'chess'", ""), 0.3),
        "the same, native engine": (first_move("'chess', engine='native'", ""), 0.3),
        "`load`, first move of Hexil, 4 players": (first_move("'hexil'", "4, seed=1"), 0.4),
        "the same, on the native engine": (first_move("'hexil', engine='native'", "4, seed=1"), 0.4),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how many rounds (default: {ROUNDS})")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if something takes too long")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        race = Path(folder, "race.tgdl")
        race.write_text(RACE, encoding="utf-8")
        wanted = commands(str(race))
        found = measure({name: command for name, (command, _) in wanted.items()}, folder, options.rounds)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        show(found, {name: must for name, (_, must) in wanted.items()})
    late = [name for name, (_, must) in wanted.items() if found[name] > must]
    return 1 if options.check and late else 0


def measure(wanted: dict[str, list[str]], cache: str, rounds: int) -> dict[str, float]:
    """Seconds of each command above those of an empty program, measured alternately."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["LUDOGRAPH_CACHE"] = str(Path(cache, "cache"))
    every = {"": [sys.executable, "-c", "pass"], **wanted}
    for command in every.values():  # fills the cache
        spend(command, environment)
    best = dict.fromkeys(every, float("inf"))
    for _ in range(rounds):
        for name, command in every.items():
            best[name] = min(best[name], spend(command, environment))
    return {name: best[name] - best[""] for name in wanted}


def spend(command: list[str], environment: dict[str, str]) -> float:
    """The CPU time of a process with an empty standard input."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(found: dict[str, float], must: dict[str, float]) -> None:
    print(f"CPU seconds above `python -c pass`, Python {platform.python_version()}\n")
    print("| command or call | seconds | must |")
    print("|---|---|---|")
    for name, seconds in found.items():
        print(f"| {name} | {seconds:.3f} | < {must[name]:g} |")


if __name__ == "__main__":
    raise SystemExit(main())
