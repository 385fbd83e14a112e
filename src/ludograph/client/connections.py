"""Connections to a table: a stream of events in, messages out, over a socket that is opened again by itself.

A message that gets no answer is sent again with the same id after the connection was opened again; the server
does it once.
"""

import itertools
import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgspec
from msgspec import UNSET
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from ludograph.protocol.forms import SeatForm
from ludograph.protocol.messages import (
    Acknowledgement,
    AnswerUndo,
    AskForms,
    AskWhy,
    AskWhyItem,
    ChatLine,
    ClientMessage,
    FormsAnswer,
    MakeChoices,
    MessageRefused,
    MomentAnswer,
    OpenStream,
    Ping,
    PlayText,
    Pong,
    QueryAnswer,
    RequestUndo,
    SeatQuestion,
    SendChat,
    ServerMessage,
    ShowMoment,
    StreamEvent,
    UndoRequest,
    Welcome,
    WhyAnswer,
)
from ludograph.protocol.tables import TableLogEntry, TableStatus
from ludograph.render.scenes.items import SceneChoices
from ludograph.render.scenes.messages import SceneChanges, SceneMessage, apply_scene_changes

SERVER_MESSAGES: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
ATTEMPTS = 6
FIRST_PAUSE = 0.1
CLOSE_SECONDS = 1.0
"""A connection that is closed because nothing arrives any more does not say goodbye either."""


class ConnectionLost(Exception):
    """The server cannot be reached, or it closed the connection for good."""


class RefusedByServer(Exception):
    """The server refused a message."""

    def __init__(self, refusal: MessageRefused) -> None:
        super().__init__(refusal.message)
        self.code = refusal.code
        self.message = refusal.message
        self.explanation = refusal.explanation


class SeatConnection:
    """What a seat, or a spectator (`seat` None), sees of a table. Mutable: `wait` brings new events."""

    def __init__(
        self,
        address: str,
        headers: dict[str, str],
        seat: int | None,
        *,
        timeout: float = 30.0,
        watch: Callable[[str], None] | None = None,
    ) -> None:
        """`watch` is called with every text that arrives."""
        self.seat = seat
        self.timeout = timeout
        self.table: TableStatus | None = None
        self.scene: SceneMessage | None = None
        self.question: SeatQuestion | None = None
        self.log: tuple[TableLogEntry, ...] = ()
        self.chat: tuple[ChatLine, ...] = ()
        self.waiting: tuple[int, ...] = ()
        self.undo: UndoRequest | None = None
        self.number = 0
        """The number of the last event."""
        self.snapshots = 0
        """How often everything was sent anew."""
        self._address = address
        self._headers = headers
        self._watch = watch
        self._epoch = ""
        self._ids = itertools.count()
        self._prefix = secrets.token_hex(4)
        self._opened = ExitStack()
        self._socket: ClientConnection | None = None
        self._answers: dict[str, Any] = {}
        self.reopen()

    def __enter__(self) -> "SeatConnection":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket = None
        self._opened.close()

    def reopen(self) -> None:
        """Connect, again if necessary, and go on after the last event."""
        pause = FIRST_PAUSE
        for attempt in range(ATTEMPTS):
            self.close()
            try:
                connecting = connect(
                    self._address,
                    additional_headers=self._headers,
                    open_timeout=self.timeout,
                    close_timeout=CLOSE_SECONDS,
                    compression=None,
                    max_size=None,
                    proxy=None,
                    ping_interval=None,  # the server pings
                )
                self._socket = self._opened.enter_context(connecting)
                message = OpenStream(self._next_id(), self.seat, self._epoch, self.number)
                self._answer_to(message)
                return
            except RefusedByServer:
                self.close()
                raise
            except (OSError, WebSocketException) as error:
                self.close()
                if attempt == ATTEMPTS - 1:
                    raise ConnectionLost(str(error)) from None
            time.sleep(pause)
            pause *= 2

    # Messages

    def choose(self, *choices: str) -> Acknowledgement:
        """Answer the open question, and those that follow it."""
        question = "" if self.question is None else self.question.id
        return self._do(MakeChoices(self._next_id(), self._own_seat(), question, choices))

    def play(self, text: str, *, only_now: bool = False) -> Acknowledgement:
        """Play a whole move by its text; Hexil also reads HAN.

        With `only_now`, the move is refused if something has changed since the last event.
        """
        return self._do(self.message_to_play(text, only_now=only_now))

    def message_to_play(self, text: str, *, only_now: bool = False) -> PlayText:
        """The message of `play`, for `ask`; sent again, it is done once."""
        question = self.question.id if only_now and self.question is not None else ""
        return PlayText(self._next_id(), self._own_seat(), text, question)

    def why_not(self, text: str) -> WhyAnswer:
        """Why a move is not possible; an empty message if it is."""
        answer = self.ask(AskWhy(self._next_id(), self._own_seat(), text))
        assert isinstance(answer, WhyAnswer)
        return answer

    def why_not_item(self, item: str, begun: str = "") -> WhyAnswer:
        """Why an item of the scene cannot be chosen; an empty message if the rules give no reason."""
        answer = self.ask(AskWhyItem(self._next_id(), self._own_seat(), item, begun))
        assert isinstance(answer, WhyAnswer)
        return answer

    def forms(self) -> tuple[SeatForm, ...]:
        """The moves of the seat that no list contains, with their questions."""
        answer = self.ask(AskForms(self._next_id(), self._own_seat()))
        assert isinstance(answer, FormsAnswer)
        return answer.forms

    def look_at(self, kept: int) -> SceneMessage:
        """The scene after the first moves of the log."""
        answer = self.ask(ShowMoment(self._next_id(), kept, self.seat))
        assert isinstance(answer, MomentAnswer)
        return msgspec.json.decode(answer.scene, type=SceneMessage)

    def take_back(self) -> Acknowledgement:
        """Take back the last answer of an unfinished move."""
        return self._do(RequestUndo(self._next_id(), self._own_seat(), "step"))

    def undo_turn(self) -> Acknowledgement:
        """Undo the last turn, if everybody concerned agrees."""
        return self._do(RequestUndo(self._next_id(), self._own_seat(), "turn"))

    def undo_to(self, kept: int) -> Acknowledgement:
        """Undo all moves after the first `kept`, if everybody concerned agrees."""
        return self._do(RequestUndo(self._next_id(), self._own_seat(), "to", kept))

    def answer_undo(self, *, agrees: bool) -> Acknowledgement:
        """Agree to the open request for an undo, or refuse it."""
        request = "" if self.undo is None else self.undo.id
        return self._do(AnswerUndo(self._next_id(), self._own_seat(), request, agrees))

    def say(self, text: str) -> Acknowledgement:
        return self._do(SendChat(self._next_id(), text, self.seat))

    def ping(self) -> None:
        self.ask(Ping(self._next_id()))

    @property
    def choices(self) -> SceneChoices:
        """What the seat can do now."""
        return SceneChoices() if self.scene is None else self.scene.choices

    def _own_seat(self) -> int:
        assert self.seat is not None, "a spectator cannot play"
        return self.seat

    def _next_id(self) -> str:
        return f"{self._prefix}.{next(self._ids)}"

    def _do(self, message: ClientMessage) -> Acknowledgement:
        answer = self.ask(message)
        assert isinstance(answer, Acknowledgement)
        return answer

    def ask(self, message: ClientMessage) -> Acknowledgement | QueryAnswer | Pong:
        """Send a message until it is answered; RefusedByServer if it is refused."""
        for _ in range(ATTEMPTS):
            try:
                return self._answer_to(message)
            except (OSError, WebSocketException):
                self.reopen()
        raise ConnectionLost("the server does not answer")

    def _answer_to(self, message: ClientMessage) -> Acknowledgement | QueryAnswer | Pong:
        assert self._socket is not None
        self._socket.send(msgspec.json.encode(message).decode())
        deadline = time.monotonic() + self.timeout
        while message.id not in self._answers:
            self._receive(max(0.0, deadline - time.monotonic()))
        answer = self._answers.pop(message.id)
        if isinstance(answer, MessageRefused):
            raise RefusedByServer(answer)
        assert isinstance(answer, Acknowledgement | QueryAnswer | Pong)
        return answer

    # Events

    def wait(self, until: "Callable[[SeatConnection], bool] | None" = None, timeout: float = 30.0) -> None:
        """Wait for the next message, or until a condition is true; TimeoutError if it never is."""
        deadline = time.monotonic() + timeout
        if until is None:
            self._wait_once(deadline)
            return
        while not until(self):
            self._wait_once(deadline)

    def _wait_once(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the table has not changed in time")
        try:
            self._receive(left)
        except (ConnectionError, WebSocketException):
            self.reopen()

    def _receive(self, timeout: float) -> None:
        assert self._socket is not None
        text = self._socket.recv(timeout)
        assert isinstance(text, str)
        if self._watch is not None:
            self._watch(text)
        match SERVER_MESSAGES.decode(text):
            case StreamEvent() as event:
                self._apply(event)
            case Welcome() as welcome:
                self.table = welcome.table
            case MessageRefused(None) as refusal:
                raise RefusedByServer(refusal)
            case answer:
                self._answers[str(answer.id)] = answer

    def _apply(self, event: StreamEvent) -> None:
        is_snapshot = event.epoch is not UNSET
        if not is_snapshot and event.number != self.number + 1:
            if event.number <= self.number:
                return  # repeated
            raise ConnectionResetError("events are missing")
        self.number = event.number
        if event.epoch is not UNSET:
            self._epoch = event.epoch
            self.snapshots += 1
            self.log = ()
            self.chat = ()
        if event.scene is not UNSET:
            self.scene = msgspec.json.decode(event.scene, type=SceneMessage)
        if event.changes is not UNSET:
            assert self.scene is not None
            self.scene = apply_scene_changes(
                self.scene, msgspec.json.decode(event.changes, type=SceneChanges)
            )
        if event.question is not UNSET:
            self.question = event.question
        if event.log is not UNSET:
            self.log = (*self.log[: event.log.kept], *event.log.entries)
        if event.waiting is not UNSET:
            self.waiting = event.waiting
        if event.undo is not UNSET:
            self.undo = event.undo
        if event.chat is not UNSET:
            self.chat = (*self.chat, *event.chat)
        if event.table is not UNSET:
            self.table = event.table
