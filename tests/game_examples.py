"""Runs the game examples of the documentation: programs in TGDL, what is said about them, and play.

A block `tgdl` is a program of its own. With `more`, each declaration in it replaces the one of that name in
the program before, or comes at its end. A name such as `pond.tgdl` also writes the program into that file.

A block `diagnostics` right after shows everything that is said about the program. Without one nothing may be
said, except that something is not used (yet): those warnings count only where they are shown.

A block `play` plays the program before it. It goes on where the last one stopped, unless a new program came
between. One thing a line, `→` before what comes of it, `...` for anything:

    new players=3 seed=4 dice=2      begin again
    0: grid[1][1].mark               a move, which must be legal; of chance: *: random(3)
    0: grid[9][9].mark → reason      a move that is refused, or goes wrong
    moves → a, b                     all moves of the first asked; `moves 1`: of player 1
    asked, phase, result, chance     who is asked, and so on
    view 1 seat#2 → data             what player 1 sees of a thing
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
MOVE = re.compile(r"(\*|[0-9]+): (.+)")
PROBE = "\nglobal state example_of_a_value {{ public verb value() {{ return {}; }} }}\n"


@dataclass
class GameExamples:
    """The program and the state that the next block goes on with (so it is mutable)."""

    folder: Path
    program: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    state: State | None = None

    def check(self, text: str, attributes: tuple[str, ...], shown: str | None) -> list[str]:
        """Differences between what is said about a program and what the document shows of it."""
        file = next((word for word in attributes if word.endswith(".tgdl")), None)
        unknown = [word for word in attributes if word not in (file, "more")]
        if unknown:
            return [f"`{unknown[0]}` is nothing that a tgdl block can be"]
        program = merge(self.program, text) if "more" in attributes else text
        if file is not None:
            target = self.folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(program, encoding="utf-8")
        if shown is None:
            self.program, self.state, self.settings = program, None, {}
        said = check_source(Source(program, file or ""), reader_below(self.folder))[1]
        problems = compare("check", shown or "", _pictures(said, shown or ""))
        if shown is None and not problems:
            problems += _style(text)
        return problems

    def play(self, text: str) -> list[str]:
        """Differences between what a block of play shows and what happens."""
        problems: list[str] = []
        if check_source(Source(self.program), reader_below(self.folder))[0] is None:
            return ["the program has errors"]
        for line in text.splitlines():
            command, arrow, expected = (part.strip() for part in line.partition("→"))
            if command:
                found = self._obey(command)
                if arrow or found:
                    problems += compare(command, expected, found)
        return problems

    def _obey(self, command: str) -> str:
        """What comes of one line; nothing if a move was made."""
        words = command.split()
        if words[0] == "new":
            self.settings = _settings(words[1:])
            self.state = None
            return ""
        move = MOVE.fullmatch(command)
        try:
            state = self._now()
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

    def _now(self) -> State:
        if self.state is None:
            self.state = self._game(self.program).new(**self.settings)
        return self.state

    def _game(self, program: str) -> Game:
        return Game(compile_source(Source(program), reader_below(self.folder)), fuel=1_000_000)

    def _value(self, state: State, expression: str) -> str:
        """An expression in the state: the same game with one more verb, brought to the same point."""
        probe = self._game(self.program + PROBE.format(expression))
        trial = probe.new(**{**self.settings, "seed": None})
        for move in state.record.moves:
            trial.push(move.text, move.chooser)
        things: Any = trial.view(trial.active())["things"]
        return _plain(things["example_of_a_value"]["value()"])


def merge(before: str, changes: str) -> str:
    """A program with some declarations new or replaced."""
    old, new = _declarations(before), _declarations(changes)
    if old is None or new is None:
        return f"{before}\n{changes}"
    for key, text in new.items():
        # What is replaced keeps the blank lines before it, what is new gets one.
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
    """Examples are written as the formatter writes."""
    return compare("fmt", text, format_source(Source(text)).text)


def _declarations(text: str) -> dict[tuple[str, str], str] | None:
    """The declarations of a text by kind and name, each with the comments before it and its last line."""
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
    """The arguments of `Game.new` from words such as players=3; what is none of them is an option."""
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
    """A value of a view as TGDL writes it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return f"{{{', '.join(_plain(item) for item in value)}}}"
        case _:
            return str(value)
