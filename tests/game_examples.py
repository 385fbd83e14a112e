"""Runs the game examples of the documentation: programs in TGDL, their diagnostics, and play.

A block `tgdl` is a complete program. With `more`, its declarations replace those of the same name in the
previous program; new ones are appended. A file name such as `pond.tgdl` also writes the program to that file.

A block `diagnostics` directly after the program shows all its diagnostics. Without such a block the program
must have none. Warnings about unused names count only if a block shows them.

A block `play` plays the previous program. It continues where the last block stopped, unless a new program
came between. Each line is a command; the expected result follows `→`, and `...` matches anything:

    new players=3 seed=4 dice=2      start a new game
    0: grid[1][1].mark               a legal move; `*: random(3)` is a random value
    0: grid[9][9].mark → reason      a move that is refused or causes a fault
    moves → a, b                     all moves of the first player asked; `moves 1`: of player 1
    asked, phase, result, chance     the players who are asked, and so on
    view 1 seat#2 → data             a thing as player 1 sees it
    2 + 3 * 4 → 14                   anything else is an expression
"""

import doctest
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludograph.games.files import reader_below
from ludograph.play import CHANCE, IllegalMove
from ludograph.text import Diagnostic, Source
from ludograph.tgdl import SourceError, check_source, compile_source
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.parser import parse
from ludograph.tgdl.syntax.tree.declarations import Declaration
from ludograph.tgdl.world.faults import Fault

UNUSED = frozenset({"TG0401", "TG0402", "TG0404", "TG0412"})
UNDRAWN = "TG0493"
"""A hint about secrets that bots cannot draw anew; most examples have no block `resample`."""
MOVE = re.compile(r"(\*|[0-9]+): (.+)")
PROBE = "\nglobal state example_of_a_value {{ public verb value() {{ return {}; }} }}\n"


@dataclass
class GameExamples:
    """The program and the state for the next block (mutable)."""

    folder: Path
    program: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    state: State | None = None

    def check(self, text: str, attributes: tuple[str, ...], shown: str | None) -> list[str]:
        """The differences between the diagnostics of a program and those in the document."""
        file = next((word for word in attributes if word.endswith(".tgdl")), None)
        unknown = [word for word in attributes if word not in (file, "more")]
        if unknown:
            return [f"`{unknown[0]}` is not an attribute of a tgdl block"]
        program = merge(self.program, text) if "more" in attributes else text
        if file is not None:
            target = self.folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(program, encoding="utf-8")
        if shown is None:
            self.program, self.state, self.settings = program, None, {}
        said = check_source(Source(program, file or ""), reader_below(self.folder))[1]
        said = tuple(each for each in said if each.code != UNDRAWN or each.code in (shown or ""))
        problems = compare("check", shown or "", _pictures(said, shown or ""))
        if shown is None and not problems:
            problems += _style(text)
        return problems

    def play(self, text: str) -> list[str]:
        """The differences between the results of a `play` block and those in the document."""
        problems: list[str] = []
        if check_source(Source(self.program), reader_below(self.folder))[0] is None:
            return ["the program has errors"]
        for line in text.splitlines():
            command, arrow, expected = (part.strip() for part in line.partition("→"))
            if command:
                found = self._run_line(command)
                if arrow or found:
                    problems += compare(command, expected, found)
        return problems

    def _run_line(self, command: str) -> str:
        """Run one line and return its result; empty after a move."""
        words = command.split()
        if words[0] == "new":
            self.settings = _settings(words[1:])
            self.state = None
            return ""
        move = MOVE.fullmatch(command)
        try:
            state = self._current_state()
            match words:
                case _ if move is not None:
                    return _play(state, CHANCE if move[1] == "*" else int(move[1]), move[2])
                case ["moves", *who]:
                    moves = state.legal_moves_of(int(who[0])) if who else state.legal_moves
                    return ", ".join(each.text for each in moves)
                case ["asked"]:
                    return ", ".join(str(player) for player in state.asked) or "nobody"
                case ["phase"]:
                    return state.phase() or "none"
                case ["result"]:
                    return "none" if state.result is None else state.result.text
                case ["payoffs"]:
                    return ", ".join(f"{each:g}" for each in state.payoffs or ())
                case ["chance"]:
                    return ", ".join(f"{choice.text} {chance}" for choice, chance in state.outcomes())
                case ["view", player, thing]:
                    things: Any = state.view(int(player))["things"]
                    return json.dumps(things[thing]) if thing in things else "not seen"
                case _:
                    return self._value(state, command)
        except SourceError as error:
            return str(error)
        except IllegalMove as error:
            return str(error)
        except Fault as fault:
            return f"error[{fault.code}]: {fault.message}"

    def _current_state(self) -> State:
        if self.state is None:
            self.state = self._game(self.program).new(**self.settings)
        return self.state

    def _game(self, program: str) -> Game:
        return Game(compile_source(Source(program), reader_below(self.folder)), fuel=1_000_000)

    def _value(self, state: State, expression: str) -> str:
        """Evaluate an expression: add a verb to the game and replay the moves."""
        probe = self._game(self.program + PROBE.format(expression))
        trial = probe.new(**{**self.settings, "seed": None})
        for move in state.record.moves:
            trial.push(move.text, move.chooser)
        things: Any = trial.view(trial.active())["things"]
        return _plain(things["example_of_a_value"]["value()"])


def merge(before: str, changes: str) -> str:
    """A program with new or replaced declarations."""
    old, new = _declarations(before), _declarations(changes)
    if old is None or new is None:
        return f"{before}\n{changes}"
    for key, text in new.items():
        # A replaced declaration keeps the blank lines before it; a new one gets one.
        blank = re.match("\n*", old[key]) if key in old else None
        old[key] = ("\n" if blank is None else blank[0]) + text.lstrip("\n")
    return "".join(old.values())


def compare(command: str, expected: str, found: str) -> list[str]:
    wanted, got = (
        "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) for text in (expected, found)
    )
    if doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        return []
    return [f"{command}\nExpected:\n{wanted}\nGot:\n{got}\n"]


def _pictures(said: tuple[Diagnostic, ...], shown: str) -> str:
    counted = [each for each in said if each.code not in UNUSED or each.code in shown]
    return "\n".join(each.picture() for each in counted)


def _style(text: str) -> list[str]:
    """The differences from the formatted source."""
    return compare("fmt", text, format_source(Source(text)).text)


def _declarations(text: str) -> dict[tuple[str, str], str] | None:
    """The declarations of a source by kind and name, each with the comments before it."""
    parsed = parse(Source(text))
    if any(each.severity == "error" for each in parsed.diagnostics):
        return None
    found: dict[tuple[str, str], str] = {}
    start = 0
    for node in parsed.tree.declarations:
        end = text.find("\n", node.span.end) + 1 or len(text)
        found[_key(node)] = text[start:end]
        start = end
    return found


def _key(node: Declaration) -> tuple[str, str]:
    name: object = getattr(node, "file", None) or getattr(node, "name", None)
    return type(node).__name__, str(getattr(name, "text", getattr(name, "value", "")))


def _settings(words: list[str]) -> dict[str, Any]:
    """The arguments of `Game.new` from words such as players=3; unknown names are options."""
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in ("players", "seed"):
            found[name] = int(value)
        elif name == "setup":
            found[name] = value
        else:
            found.setdefault("options", {})[name] = json.loads(value)
    return found


def _play(state: State, player: int, text: str) -> str:
    try:
        state.push(text, player)
    except IllegalMove as error:
        return str(state.why_not(text) or error)
    return ""


def _plain(value: object) -> str:
    """A value of a view in the syntax of TGDL."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return f"{{{', '.join(_plain(item) for item in value)}}}"
        case _:
            return str(value)
