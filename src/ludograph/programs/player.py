"""Another program as a player: a seat in, its moves out.

A crash, a bad answer, silence or a flood loses the seat's move, never the game: then the move is drawn at
random. A program that has ended or was stopped plays the rest of the game like this.
"""

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from ludograph.bots import parse_bot
from ludograph.play import Bot, Clock, Generator, Move, Seat
from ludograph.play.changes import find_changes
from ludograph.play.choices import Kind
from ludograph.programs.messages import (
    PROGRAM_MESSAGES,
    VERSION,
    AnswerRefused,
    Chosen,
    GameMessage,
    Hello,
    Over,
    ProgramQuestion,
    Quit,
    Ready,
)
from ludograph.programs.process import SECONDS_TO_QUIT, ProgramFailed, ProgramProcess

PREFIX = "exec:"
SECONDS_TO_START = 10.0
SECONDS_TO_MOVE = 10.0
MAX_MOVES = 1000
"""The most complete moves of a question; a question with more has its candidates only."""
MAX_NOTES = 1000

Complain = Callable[[str], None]


class ProgramBot:
    """Plays a seat by another program. Mutable: the program runs until `close`."""

    def __init__(
        self,
        command: list[str],
        generator: Generator,
        *,
        seconds: float = SECONDS_TO_MOVE,
        complain: Complain = lambda _: None,
    ) -> None:
        self._command = command
        self._generator = generator
        self._seconds = seconds
        self._complain = complain
        self._process: ProgramProcess | None = None
        self._is_gone = False
        self._number = 0
        self._view: dict[str, Any] | None = None

    def choose(self, seat: Seat) -> Move:
        """The move of the program; a random one if it has none."""
        if not self._is_gone:
            try:
                found = self._ask(seat)
                if found is not None:
                    return found
            except ProgramFailed as reason:
                self._complain(f"{shlex.join(self._command)}: {reason}; its moves are drawn at random now")
                self.close(seconds=0)
        moves = seat.legal_moves
        return moves[self._generator.below(len(moves))]

    def finish(self, payoffs: tuple[float, ...] | None) -> None:
        """Tell the program the end of the game, and end it."""
        self._tell(Over(payoffs))
        self.close()

    def close(self, seconds: float = SECONDS_TO_QUIT) -> None:
        """End the program; it has some seconds to end by itself."""
        self._is_gone = True
        if self._process is not None:
            self._tell(Quit())
            self._process.close(seconds)
            self._process = None

    def _tell(self, message: GameMessage) -> None:
        if self._process is not None:
            with suppress(ProgramFailed):  # it may have ended already
                self._process.send(msgspec.json.encode(message), time.monotonic() + 1)

    def _ask(self, seat: Seat) -> Move | None:
        """The answer of the program to the open question; None if it was refused."""
        if self._process is None:
            self._start(seat)
        assert self._process is not None
        deadline = time.monotonic() + self._seconds
        question, view = seat.question, dict(seat.view)
        moves = seat.legal_moves if question.kind is Kind.ACTION else None
        texts = None if moves is None else tuple(move.text for move in islice(moves, MAX_MOVES + 1))
        self._number += 1
        message = ProgramQuestion(
            self._number,
            self._seconds,
            question.name,
            tuple(choice.text for choice in question.candidates),
            None if texts is None or len(texts) > MAX_MOVES else texts,
            view if self._view is None else None,
            None if self._view is None else find_changes(self._view, view),
        )
        self._view = view
        self._process.send(msgspec.json.encode(message), deadline)
        answer = self._receive(deadline)
        problem = f"it answered question {answer.id}, not {self._number}"
        if answer.id == self._number:
            if answer.index is not None and 0 <= answer.index < len(question.candidates):
                return Move((question.candidates[answer.index],))
            found = None if moves is None or answer.move is None else _find_move(moves, answer.move)
            if found is not None:
                return found
            chosen = answer.index if answer.move is None else answer.move
            problem = f"it chose {chosen!r}, which is not possible"
        self._complain(f"{shlex.join(self._command)}: {problem}; this move is drawn at random")
        self._tell(AnswerRefused(self._number, problem))
        return None

    def _start(self, seat: Seat) -> None:
        self._process = ProgramProcess(self._command)
        record = seat.history
        hello = Hello(
            VERSION,
            record.game,
            record.rules,
            seat.players,
            seat.player,
            dict(record.options),
            record.setup,
            record.position,
        )
        deadline = time.monotonic() + SECONDS_TO_START
        self._process.send(msgspec.json.encode(hello), deadline)
        while not isinstance(self._decode(self._process.receive(deadline)), Ready):
            pass

    def _receive(self, deadline: float) -> Chosen:
        assert self._process is not None
        for _ in range(MAX_NOTES):
            message = self._decode(self._process.receive(deadline))
            if isinstance(message, Chosen):
                return message
        raise ProgramFailed("it sent a thousand notes instead of an answer")

    def _decode(self, line: bytes) -> object:
        try:
            return PROGRAM_MESSAGES.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ProgramFailed(f"it sent a line that is not a message ({error})") from None


def _find_move(moves: Any, text: str) -> Move | None:
    return next((move for move in moves if move.text == text), None) if text in moves else None


def parse_player(text: str) -> str:
    """The usual form of a player: a bot, or `exec:` with a command; a ValueError says what is wrong."""
    if not text.startswith(PREFIX):
        return parse_bot(text).text
    _split_command(text)
    return text


def make_bot(text: str, generator: Generator, clock: Clock, complain: Complain = lambda _: None) -> Bot:
    """The bot, or the program, of a text that `parse_player` accepts."""
    if text.startswith(PREFIX):
        return ProgramBot(_split_command(text), generator, complain=complain)
    return parse_bot(text).make(generator, clock)


def _split_command(text: str) -> list[str]:
    try:
        command = shlex.split(text.removeprefix(PREFIX))
    except ValueError as error:
        raise ValueError(f"the command in '{text}' is not complete: {error}") from None
    if not command:
        raise ValueError('after exec: follows the command of a program, such as exec:"./mybot --fast"')
    return command
