"""Reads the conformance corpus: files with many small programs and their expectations as comments.

README.md in this folder describes the format. A program is checked, and all its diagnostics must be expected.
Then `script` plays it on the given engine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source
from ludograph.tgdl.program import Program

FOLDER = Path(__file__).resolve().parent
DIAGNOSTICS = ("error", "warning", "hint")
ON_LINES = ("expect", "fault")
"""Expectations of play that refer to their own line."""
STEPS = (
    *("new", "play", "choose", "undo", "moves", "candidates", "outcomes", "refused", "asked", "active"),
    *("words", "explained"),
    *("phase", "turn", "value", "view", "resample", "result", "payoffs", "perft", "record", "rules"),
)
"""Expectations that run in order, as a script."""
UNUSED = ("TG0401", "TG0402", "TG0412")
"""Warnings about unused names, which programs that are played need not expect."""
UNDRAWN = "TG0493"
"""A hint about secrets that bots cannot draw anew; most small programs have no block `resample`."""
KINDS = "|".join((*DIAGNOSTICS, *ON_LINES, *STEPS))
START = rf"//\s*(?:{KINDS})(?:\s+\d+)?:"
EXPECTATION = re.compile(rf"//\s*({KINDS})(?:\s+(\d+))?:\s*(.*?)\s*(?={START}|$)")
LIKE_EXPECTATION = re.compile(r"//\s*([a-z]+)(?:\s+\d+)?:(?:\s|$)")
DIAGNOSTIC = re.compile(r'(TG\d{4})(?:\s+"(.*)")?')
FILE = re.compile(r"//\s*file:\s*(\S+)\s*")


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expectation on a line: a diagnostic (`code` and part of the message), a value or a step (`text`)."""

    kind: str
    file: str
    line: int
    text: str
    player: int | None = None
    """The player of a step such as `view 1: …`."""

    @property
    def code(self) -> str:
        found = DIAGNOSTIC.fullmatch(self.text)
        assert found is not None, f'line {self.line}: write `{self.kind}: TG0000 "message"`, not {self.text}'
        return found[1]

    @property
    def message(self) -> str:
        found = DIAGNOSTIC.fullmatch(self.text)
        return (found[2] or "") if found is not None else ""

    def is_met_by(self, diagnostic: Diagnostic) -> bool:
        severity = "error" if self.kind == "fault" else self.kind
        return (
            (severity, self.code, self.line) == (diagnostic.severity, diagnostic.code, diagnostic.line)
            and self.file == diagnostic.source.name
            and self.message in diagnostic.message
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One small program. Its first file is the game; lines are counted in each file."""

    path: Path
    line: int
    title: str
    files: tuple[Source, ...]
    expectations: tuple[Expectation, ...]

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(FOLDER).with_suffix('').as_posix()}:{self.line}"

    @property
    def text(self) -> str:
        return "".join(file.text for file in self.files).strip("\n")

    @property
    def is_played(self) -> bool:
        """Whether the program has expectations of play."""
        return any(one.kind not in DIAGNOSTICS for one in self.expectations)

    def check(self) -> tuple[Program | None, tuple[Diagnostic, ...]]:
        """The program and all its diagnostics."""
        texts = {file.name: file.text for file in self.files[1:]}
        return check_source(self.files[0], texts.get)

    def picture(self, diagnostic: Diagnostic) -> str:
        """A diagnostic with lines counted from the start of the program."""
        return replace(diagnostic, source=structs.replace(diagnostic.source, first_line=1)).picture()

    def said(self, found: tuple[Diagnostic, ...]) -> list[str]:
        """The diagnostics of the program, as users read them."""
        return [self.picture(one) for one in found if self._must_be_expected(one)]

    def _must_be_expected(self, diagnostic: Diagnostic) -> bool:
        return not (diagnostic.code == UNDRAWN or (self.is_played and diagnostic.code in UNUSED))

    def problems(self) -> list[str]:
        """Unexpected diagnostics and unmet expectations."""
        return self.problems_of(*self.check())

    def problems_of(self, program: Program | None, found: tuple[Diagnostic, ...]) -> list[str]:
        """The same for a program that has been checked."""
        missing = [one for one in self.expectations if one.kind in DIAGNOSTICS]
        problems: list[str] = []
        for diagnostic in found:
            met = next((one for one in missing if one.is_met_by(diagnostic)), None)
            if met is not None:
                missing.remove(met)
            elif self._must_be_expected(diagnostic):
                problems.append("unexpected:\n" + diagnostic.picture())
        problems += [f"line {one.line}: there was no {one.kind}: {one.text}" for one in missing]
        if program is None and self.is_played:
            problems.append(f"line {self.line}: a program with errors cannot be played")
        return problems


def cases(folder: Path = FOLDER) -> Iterator[Case]:
    """All programs of the corpus."""
    for path in sorted(folder.rglob("*.tgdl")):
        yield from cases_of(path)


def cases_of(path: Path) -> Iterator[Case]:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or lines[at].rstrip() == "---":
            if "".join(lines[start:at]).strip():
                yield _case(path, lines[start:at], start + 1)
            start = at + 1


def _case(path: Path, lines: list[str], first: int) -> Case:
    while not lines[0].strip():
        lines, first = lines[1:], first + 1
    title = lines[0].strip().removeprefix("//").strip() if lines[0].startswith("//") else ""
    files: list[Source] = []
    expectations: list[Expectation] = []
    name, begin = "game.tgdl", 0
    for at in range(len(lines) + 1):
        header = FILE.fullmatch(lines[at].rstrip()) if at < len(lines) else None
        if at == len(lines) or header is not None:
            is_main = not files
            text = "".join(lines[begin:at])
            files.append(Source(text, name, first + begin if is_main else 1))
            for number, line in enumerate(lines[begin:at], files[-1].first_line):
                if not (title and is_main and number == first):
                    expectations += _expectations(line.rstrip(), name, number)
        if header is not None:
            name, begin = header[1], at + 1
    return Case(path, first, title, tuple(files), tuple(expectations))


def _expectations(line: str, file: str, number: int) -> Iterator[Expectation]:
    for found in EXPECTATION.finditer(line):
        yield Expectation(found[1], file, number, found[3], None if found[2] is None else int(found[2]))
    like = LIKE_EXPECTATION.match(line.strip())
    # A misspelt expectation would be an ordinary comment and never fail.
    assert like is None or like[1] in KINDS.split("|"), f"line {number}: there is no expectation `{like[1]}`"
