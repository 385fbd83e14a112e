"""The messages of the protocol: JSON objects, one on each line, whose `type` names their kind."""

from typing import Any

import msgspec
from msgspec import Struct

VERSION = 1
MAX_LINE = 1_000_000
"""The most bytes of a line that a program sends."""


# From the game to the program


class Hello(Struct, frozen=True, tag_field="type", tag="hello", omit_defaults=True):
    """The first message: the game and the program's seat."""

    protocol: int
    game: str
    rules: str
    """The hash of the rules."""
    players: int
    player: int
    """The number of the program's seat."""
    options: dict[str, Any] = {}
    """The options of the game."""
    setup: str | None = None
    position: str | None = None
    """The start position as JSON text, if the game did not begin as usual and hides nothing."""


class ProgramQuestion(Struct, frozen=True, tag_field="type", tag="question", omit_defaults=True):
    """It is the program's turn. The view comes first as a whole, then as changes."""

    id: int
    seconds: float
    """The time for the answer."""
    name: str
    """The input that is asked for; `action` if a move begins."""
    candidates: tuple[str, ...]
    """The possible answers to the open question."""
    moves: tuple[str, ...] | None = None
    """All complete moves, if there are not too many."""
    view: dict[str, Any] | None = None
    changes: dict[str, Any] | None = None
    """The changes of the view since the last question."""


class AnswerRefused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The answer was not possible; the seat lost this move."""

    id: int
    message: str


class Over(Struct, frozen=True, tag_field="type", tag="over"):
    """The game is over."""

    payoffs: tuple[float, ...] | None


class Quit(Struct, frozen=True, tag_field="type", tag="quit"):
    """The program should end."""


# From the program to the game


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    """The answer to `hello`."""

    name: str = ""


class Chosen(Struct, frozen=True, tag_field="type", tag="choice"):
    """The answer to a question: a complete move by its text, or a candidate by its number."""

    id: int
    move: str | None = None
    index: int | None = None


class ProgramNote(Struct, frozen=True, tag_field="type", tag="note"):
    """A remark for people, which changes nothing."""

    text: str = ""


GameMessage = Hello | ProgramQuestion | AnswerRefused | Over | Quit
ProgramMessage = Ready | Chosen | ProgramNote
GAME_MESSAGES = msgspec.json.Decoder(GameMessage)
PROGRAM_MESSAGES = msgspec.json.Decoder(ProgramMessage)
