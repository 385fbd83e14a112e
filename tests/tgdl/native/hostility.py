"""Hostile programs: mutants of the corpus that still pass the checker, run natively by another process.

    .venv/bin/python -m tests.tgdl.native.hostility --programs 1000 --seed 1

Numbers become extreme, statements are doubled, left out and put elsewhere, words change places. Each program
is played at random in checked code, then in the code that everybody runs, from its beginning and from states
whose bytes were changed. A process that dies, hangs, notices an access outside of its memory or does not come
to the same both times has found something, and the program is shown.
"""

import argparse
import contextlib
import faulthandler
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import Broken, ExecutionContext, Failure, Outgrown, Stopped, TooLarge
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize
from ludograph.tgdl.world.memory import Memory
from tests.language.runner import cases

EXTREMES = (
    *("0", "1", "2", "3", "0.5", "0.999999999", "63", "64", "127", "128", "255", "256", "1000", "65535"),
    *("65536", "70000", "999999", "1000000", "1000001", "2147483647", "2147483648", "4294967296"),
    *("9007199254740993", "9223372036854775807", "9223372036854775808", "9" * 40, "(0 - 1)", "(0 - 0.5)"),
    *("(0 - 9223372036854775808)", "(10 ^ 300)", "(0 - 10 ^ 300)", "(2 ^ 0.5)"),
)
MODULE = "tests.tgdl.native.hostility"
FUEL = 30_000
MOVES = 6
GAMES = 3
SECONDS_OF_COUNTING = 0.2
PATIENCE = 120
"""Seconds that one program may take; compiling is most of it."""
SPOILT = 4
"""States with changed bytes, for each program."""
SEPARATOR = "\n\0\n"


def corpus() -> list[str]:
    """The programs of the corpus that have one file."""
    return [case.text for case in cases() if len(case.files) == 1]


def mutants(texts: list[str], seed: int) -> Iterator[str]:
    """Without end: programs that pass the checker, each different from its original."""
    chance = random.Random(seed)
    while True:
        text = chance.choice(texts)
        mutant = text
        for _ in range(chance.randint(1, 4)):
            mutant = mutated(mutant, chance)
        if mutant != text and check_source(Source(mutant))[0] is not None:
            yield mutant


def mutated(text: str, chance: random.Random) -> str:
    """A source with one change, which may be no program any more."""
    lexed = tokenize(Source(text))
    pieces = list(lexed.pieces)
    numbers = [place for place, kind in enumerate(lexed.kinds) if kind is TokenKind.NUMBER]
    words = [place for place, kind in enumerate(lexed.kinds) if kind is TokenKind.WORD]
    ends = [place + 1 for place, piece in enumerate(pieces) if piece in (";", "{", "}")]
    way = chance.choice("nnnnwdlm")
    if way == "n" and numbers:
        pieces[chance.choice(numbers)] = chance.choice(EXTREMES)
    elif way == "w" and words:
        pieces[chance.choice(words)] = pieces[chance.choice(words)]
    elif len(ends) > 1:
        first = chance.randrange(len(ends) - 1)
        start, end = ends[first], ends[first + 1]
        statement = pieces[start:end]
        if way in "dm":  # doubled, here or anywhere
            to = end if way == "d" else chance.choice(ends)
            pieces[to:to] = statement
        else:
            del pieces[start:end]
    return "".join(pieces)


# Playing


def play(text: str, seed: int) -> str:
    """The harm that one program does to the native engine; None: no harm."""
    program, _ = check_source(Source(text))
    assert program is not None
    try:
        game = Game(program, fuel=FUEL)
        state = game.new(seed=seed)
        state_of_setup = game.new()
    except (Fault, ValueError):
        return ""
    found = []
    for checked in (True, False):
        try:
            engine = Engine(world_of(state), memory_of(state), checked=checked)
            found.append(_outcome(engine, memory_of(state_of_setup), seed))
            found += [_outcome(engine, memory, seed) for memory in spoilt(game, state.to_bytes(), seed)]
        except (Unsupported, ForeignText, Unrepresentable):
            return ""
        except Broken as broken:
            return f"broken: {broken}"
    half = len(found) // 2
    return "" if found[:half] == found[half:] else f"checked code does otherwise: {found}"


def _outcome(engine: Engine, memory: Memory, seed: int) -> object:
    try:
        start = engine.block(memory)
    except (ForeignText, Unrepresentable):
        return "unrepresentable"
    results: list[object] = []
    place = ExecutionContext(engine, run_with_stack)
    works: tuple[Callable[[], object], ...] = (
        lambda: [*place.games(start, seed, GAMES, MOVES)],
        lambda: place.play(start, Generator(seed), MOVES)[0].cells,
    )
    for work in works:
        try:
            results.append(repr(work()))
        except Failure as failure:
            results.append(failure.code)
        except (Outgrown, TooLarge) as reason:
            results.append(type(reason).__name__)
    _count_for_a_while(place, start)
    return results


def _count_for_a_while(place: ExecutionContext, start: bytes) -> None:
    """Many choices of chance make too many sequences to count."""
    timer = threading.Timer(SECONDS_OF_COUNTING, place.stop)
    timer.start()
    with contextlib.suppress(Failure, Outgrown, TooLarge, Stopped):
        place.perft(start, 2)
    timer.cancel()


def spoilt(game: Game, data: bytes, seed: int) -> Iterator[Memory]:
    """States with changed bytes that are still valid states."""
    chance = random.Random(seed)
    for _ in range(SPOILT):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            changed[chance.randrange(len(changed))] = chance.choice((0, 1, 2, 127, 128, 254, 255))
        try:
            yield memory_of(game.from_bytes(bytes(changed)))
        except ValueError:
            continue


def _play_all(path: Path, first: int, seed: int) -> None:
    """In a separate process: run every program from one on; print its number before and any error after."""
    programs = path.read_text(encoding="utf-8").split(SEPARATOR)
    for number, program in enumerate(programs[first:], first):
        print(f"program {number}", flush=True)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        found = play(program, seed + number)
        faulthandler.cancel_dump_traceback_later()
        if found:
            print(f"found {number} {found}", flush=True)


def trouble(programs: list[str], seed: int) -> dict[str, str]:
    """The programs that harmed the native engine, and how."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "programs"
        path.write_text(SEPARATOR.join(programs), encoding="utf-8")
        first = 0
        while first < len(programs):
            command = [sys.executable, "-X", "faulthandler", "-m", MODULE, "--play", str(path)]
            command += ["--first", str(first), "--seed", str(seed)]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            last = first
            for line in ran.stdout.splitlines():
                word, number, *rest = line.split(" ", 2)
                last = int(number)
                if word == "found":
                    found[programs[last]] = " ".join(rest)
            if ran.returncode:
                found[programs[last]] = f"the process ended with {ran.returncode}: {ran.stderr[-3000:]}"
            first = last + 1
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Hostile programs on the native engine.")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--play", type=Path)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args(arguments)
    if given.play is not None:
        _play_all(given.play, given.first, given.seed)
        return 0
    programs = list(islice(mutants(corpus(), given.seed), given.programs))
    found = trouble(programs, given.seed)
    for program, what in found.items():
        print(f"{program}\n\n→ {what}\n{'-' * 80}")
    print(f"{len(programs)} programs, {len(found)} of them hostile with success")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
