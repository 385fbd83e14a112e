"""Runs the `console` examples of the documentation without a shell, so that they work on every system.

It supports `ludograph`, `cat`, `echo` and `head`, pipes, `< file`, `<<< text`, `> file`, a backslash at the
end of a line, and `echo $?`. It reports anything else as an error.
"""

import doctest
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LUDOGRAPH = {"ludograph": [sys.executable, "-m", "ludograph"]}


class UnknownCommandError(Exception):
    """The example uses a command or an operator that is not supported."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One program of a pipe with its redirected input and output."""

    words: tuple[str, ...]
    given: str | None
    written_to: str | None


@dataclass
class Console:
    """The working folder and the exit code of the last command (mutable)."""

    folder: Path
    programs: Mapping[str, Sequence[str]] = field(default_factory=lambda: LUDOGRAPH)
    code: int = 0

    def differences(self, transcript: str) -> list[str]:
        """Run the commands of a transcript; report each whose output differs from the lines after it."""
        if not transcript.startswith("$ "):
            return ["a console example begins with a command after `$ `"]
        found: list[str] = []
        for command, expected in _exchanges(transcript):
            if self.code and command != "echo $?":
                found.append(
                    f"the command before `$ {command}` ended with {self.code}; show it with `$ echo $?`"
                )
            try:
                output = self.run(command)
            except (UnknownCommandError, OSError) as error:
                self.code = 0
                found.append(f"$ {command}\n{error}")
                continue
            found += _difference(command, expected, output)
        if self.code:
            found.append(f"the last command ended with {self.code}; show it with `$ echo $?`")
            self.code = 0
        return found

    def run(self, command: str) -> str:
        """The visible output: the error output of all programs, and the output of the last one."""
        complaints, passed_on = "", ""
        for stage in self._stages(command):
            given = passed_on if stage.given is None else stage.given
            passed_on, complaint, code = self._run_stage(stage.words, given)
            complaints += complaint
            self.code = code
            if stage.written_to is not None:
                (self.folder / stage.written_to).write_bytes(passed_on.encode())
                passed_on = ""
        return complaints + passed_on

    def _stages(self, command: str) -> list[Stage]:
        lexer = shlex.shlex(command, posix=True, punctuation_chars="|<>&;")
        lexer.whitespace_split = True
        lexer.commenters = ""
        stages, words = [], list[str]()
        given: str | None = None
        written_to: str | None = None
        tokens = iter(lexer)
        for token in tokens:
            match token:
                case "|":
                    stages.append(Stage(tuple(words), given, written_to))
                    words, given, written_to = [], None, None
                case "<":
                    given = (self.folder / next(tokens, "")).read_bytes().decode()
                case "<<<":
                    given = next(tokens, "") + "\n"
                case ">":
                    written_to = next(tokens, "")
                case _ if set(token) <= set("|<>&;"):
                    raise UnknownCommandError(f"{token} is not supported in examples")
                case _:
                    words.append(str(self.code) if token == "$?" else token)
        return [*stages, Stage(tuple(words), given, written_to)]

    def _run_stage(self, words: tuple[str, ...], given: str) -> tuple[str, str, int]:
        match words:
            case ("echo", *rest):
                return " ".join(rest) + "\n", "", 0
            case ("cat", *files):
                texts = [(self.folder / file).read_bytes().decode() for file in files]
                return "".join(texts) if files else given, "", 0
            case ("head", "-n", count):
                return "".join(given.splitlines(keepends=True)[: int(count)]), "", 0
            case (name, *rest) if name in self.programs:
                return self._run_program([*self.programs[name], *rest], given)
            case _:
                raise UnknownCommandError(f"{' '.join(words[:1])} is not a command that examples run")

    def _run_program(self, command: list[str], given: str) -> tuple[str, str, int]:
        settings = {"PYTHONUTF8": "1", "COLUMNS": "100", "NO_COLOR": "1"}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **settings},
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.stdout, done.stderr, done.returncode


def _exchanges(transcript: str) -> list[tuple[str, str]]:
    """The commands, each with its expected output."""
    joined = transcript.replace("\\\n", "")
    exchanges = [text.partition("\n") for text in ("\n" + joined).split("\n$ ")[1:]]
    return [(command.strip(), text) for command, _, text in exchanges]


def _difference(command: str, expected: str, output: str) -> list[str]:
    """Compare without trailing blanks and blank lines at the end, because editors remove these."""
    wanted, got = (
        "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n") + "\n"
        for text in (expected, output)
    )
    if doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        return []
    return [f"$ {command}\nExpected:\n{wanted}Got:\n{got}"]
