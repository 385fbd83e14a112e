"""A bot of Ludograph for another program: messages of the game in, the moves of the bot out.

The state of the game is played again from the moves in the view. So a bot that looks ahead can play games
without secrets; in other games, only `random` can, because nobody tells the program what is hidden.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, assert_never

import msgspec

from ludograph.bots import BotSpecification
from ludograph.games import Game, State
from ludograph.play import CHANCE, Bot, Generator, Seat
from ludograph.play.changes import apply_changes
from ludograph.play.game import IllegalMove
from ludograph.programs.messages import (
    GAME_MESSAGES,
    VERSION,
    AnswerRefused,
    Chosen,
    Hello,
    Over,
    ProgramMessage,
    ProgramNote,
    ProgramQuestion,
    Quit,
    Ready,
)


class BotHost:
    """Answers the messages of one game with the moves of a bot. Mutable."""

    def __init__(self, kind: BotSpecification, load: Callable[[str], Game | None], seed: int = 0) -> None:
        self._kind = kind
        self._load = load
        self._random = Generator(seed)
        self._bot: Bot | None = None
        self._state: State | None = None
        self._start: State | None = None
        self._view: dict[str, Any] = {}
        self._player = 0

    def answer(self, line: bytes) -> tuple[list[ProgramMessage], bool]:
        """The answers to a line, and whether the game goes on; raises msgspec.DecodeError."""
        message = GAME_MESSAGES.decode(line)
        match message:
            case Hello():
                return [Ready(f"Ludograph {self._kind.text}"), *self._begin(message)], True
            case ProgramQuestion():
                return list(self._choose(message)), True
            case AnswerRefused():
                return [], True
            case Over() | Quit():
                return [], False
            case _:
                assert_never(message)

    def _begin(self, hello: Hello) -> Iterator[ProgramNote]:
        self._player = hello.player
        if hello.protocol != VERSION:
            yield ProgramNote(f"protocol {hello.protocol} is not known here; the moves are drawn at random")
            return
        game = self._load(hello.game)
        if game is None or game.rules != hello.rules:
            yield ProgramNote(f"the rules of {hello.game} are not known here; the moves are drawn at random")
            return
        self._start = game.new(
            players=hello.players, options=hello.options, setup=hello.setup, position=hello.position
        )
        self._state = self._start.copy()
        self._bot = self._kind.make(self._random, time.monotonic)
        if self._kind.name != "random" and self._state.has_secrets():
            yield ProgramNote(f"{hello.game} has secrets, so the moves are drawn at random")
            self._state = None

    def _choose(self, question: ProgramQuestion) -> Iterator[ProgramMessage]:
        self._view = question.view or apply_changes(self._view, question.changes or {})
        if self._state is not None and self._bot is not None:
            try:
                self._follow(self._view["moves"])
                seat = Seat(self._state, self._player)
                yield self._first_choice(question, self._bot.choose(seat).choices[0].text, seat)
                return
            except (IllegalMove, ValueError, AssertionError) as error:
                self._state = None
                yield ProgramNote(f"the game does not follow the rules that are known here: {error}")
        if question.moves:
            yield Chosen(question.id, move=question.moves[self._random.below(len(question.moves))])
        else:
            yield Chosen(question.id, index=self._random.below(len(question.candidates)))

    def _first_choice(self, question: ProgramQuestion, text: str, seat: Seat) -> Chosen:
        """One choice at a time, so that the bot thinks again before the next one."""
        assert self._state is not None
        index = question.candidates.index(text)
        self._state.choose(seat.question.candidates[index])
        return Chosen(question.id, index=index)

    def _follow(self, moves: list[str]) -> None:
        """Bring the state to the moves in the view; after an undo the game is played again from its start."""
        assert self._state is not None and self._start is not None
        if self._state.under_way() is not None:
            return
        own: list[str] = self._state.view(self._player)["moves"]
        if moves[: len(own)] != own:
            self._state, own = self._start.copy(), []
        for line in moves[len(own) :]:
            who, _, text = line.partition(": ")
            self._state.push(text, CHANCE if who == "*" else int(who))


def encode_line(message: ProgramMessage) -> bytes:
    return msgspec.json.encode(message) + b"\n"
