"""Messages of a table's socket: JSON objects whose `type` names their kind.

A client gives each message an id of its own; the server answers every message with exactly one `ack`,
`refusal`, `answer`, `forms`, `moment` or `pong` that has this id. Events are numbered per stream: one stream
for each seat, and one for spectators (`seat` is null).
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ludograph.protocol.forms import SeatForm
from ludograph.protocol.tables import SeatNumber, TableLogEntry, TableStatus

VERSION = 1
"""The version of the protocol."""
MAX_MESSAGE = 16_384
"""The greatest number of bytes of a message to the server."""

MessageId = Annotated[str, Meta(min_length=1, max_length=40)]
QuestionId = Annotated[str, Meta(max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=4000)]


# From clients


class OpenStream(Struct, frozen=True, tag_field="type", tag="open", forbid_unknown_fields=True):
    """Open the stream of a seat, or that of spectators; go on after an event if the epoch is the same."""

    id: MessageId
    seat: SeatNumber | None = None
    epoch: Annotated[str, Meta(max_length=40)] = ""
    after: Annotated[int, Meta(ge=0)] = 0


class MakeChoices(Struct, frozen=True, tag_field="type", tag="choose", forbid_unknown_fields=True):
    """Answer a question, and the questions that follow it: one candidate's text for each."""

    id: MessageId
    seat: SeatNumber
    question: QuestionId
    choices: Annotated[tuple[MoveText, ...], Meta(min_length=1, max_length=200)]


class PlayText(Struct, frozen=True, tag_field="type", tag="play", forbid_unknown_fields=True):
    """Play a whole move by its text; Hexil also reads HAN. It replaces an unfinished move of the seat."""

    id: MessageId
    seat: SeatNumber
    text: MoveText
    question: QuestionId = ""
    """The move is refused as late if another question is open; empty: it is played anyway."""


class RequestUndo(Struct, frozen=True, tag_field="type", tag="undo", forbid_unknown_fields=True):
    """Undo a step of an unfinished move, one's last turn, or all moves after the first `kept`."""

    id: MessageId
    seat: SeatNumber
    scope: Literal["step", "turn", "to"]
    kept: Annotated[int, Meta(ge=0)] = 0


class AnswerUndo(Struct, frozen=True, tag_field="type", tag="answer_undo", forbid_unknown_fields=True):
    """Agree to an undo that another seat asked for, or refuse it."""

    id: MessageId
    seat: SeatNumber
    request: str
    agrees: bool


class AskWhy(Struct, frozen=True, tag_field="type", tag="why", forbid_unknown_fields=True):
    """Ask why a move or an answer is not possible now: `e2.play(to: e5)`, or `(to: e5)` during a move."""

    id: MessageId
    seat: SeatNumber
    text: MoveText


class AskWhyItem(Struct, frozen=True, tag_field="type", tag="why_item", forbid_unknown_fields=True):
    """Ask why an item of the scene cannot be chosen now."""

    id: MessageId
    seat: SeatNumber
    item: Annotated[str, Meta(min_length=1, max_length=400)]
    begun: Annotated[str, Meta(max_length=400)] = ""
    """The action that the player has begun to enter, such as `e2.play`."""


class AskForms(Struct, frozen=True, tag_field="type", tag="forms", forbid_unknown_fields=True):
    """Ask for the moves of a seat that no list contains, with their questions."""

    id: MessageId
    seat: SeatNumber


class ShowMoment(Struct, frozen=True, tag_field="type", tag="look", forbid_unknown_fields=True):
    """Ask for the picture after the first `kept` moves of the log, as the seat or a spectator sees it."""

    id: MessageId
    kept: Annotated[int, Meta(ge=0)]
    seat: SeatNumber | None = None


class SendChat(Struct, frozen=True, tag_field="type", tag="chat", forbid_unknown_fields=True):
    """Say something to everybody at the table; spectators too may, with `seat` null."""

    id: MessageId
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: SeatNumber | None = None


class Ping(Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """A sign of life; the server closes a socket that is silent for a minute."""

    id: MessageId


SeatQuery = AskWhy | AskWhyItem | AskForms | ShowMoment
"""Questions about a game that change nothing."""

ClientMessage = OpenStream | MakeChoices | PlayText | RequestUndo | AnswerUndo | SeatQuery | SendChat | Ping


# From the server

RefusalCode = Literal["malformed", "forbidden", "late", "illegal", "fault", "stage", "limit", "unavailable"]


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """The first message: the table, and the seats of this session."""

    protocol: int
    table: TableStatus
    seats: tuple[int, ...]


class SeatQuestion(Struct, frozen=True, omit_defaults=True):
    """What a seat is asked, or may do now; the choices are in its scene."""

    id: str
    """Identifies the question; an answer to another one is refused as late."""
    chosen: tuple[str, ...]
    """The answers of the unfinished move so far, which others do not see."""
    is_asked: bool
    """Whether the game waits for the seat; otherwise it may act, but need not."""
    is_forced: bool = False
    """Whether there is only one choice, and neither chance nor a secret follows: a client may take it."""


class LogChange(Struct, frozen=True):
    """A change of the log: the first `kept` entries stay, and these follow."""

    kept: int
    entries: tuple[TableLogEntry, ...]


class ChatLine(Struct, frozen=True):
    name: str
    seat: int | None
    text: str
    time: int


class UndoRequest(Struct, frozen=True):
    """An undo that waits for the consent of seats."""

    id: str
    seat: int
    kept: int
    """The number of moves that would stay."""
    waits_for: tuple[int, ...]


class StreamEvent(Struct, frozen=True, tag_field="type", tag="event", omit_defaults=True):
    """A numbered event of a stream. A missing field means no change; in a snapshot, none."""

    seat: int | None
    number: int
    epoch: str | UnsetType = UNSET
    """In a snapshot: the name of the stream, to go on with it after a broken connection."""
    scene: Raw | UnsetType = UNSET
    """The whole scene, in a snapshot and when changes cannot express what has changed."""
    changes: Raw | UnsetType = UNSET
    """The changes of the scene."""
    question: SeatQuestion | UnsetType | None = UNSET
    log: LogChange | UnsetType = UNSET
    waiting: tuple[int, ...] | UnsetType = UNSET
    """The seats that the table waits for."""
    undo: UndoRequest | UnsetType | None = UNSET
    chat: tuple[ChatLine, ...] | UnsetType = UNSET
    """New lines; in a snapshot the last ones."""
    table: TableStatus | UnsetType = UNSET


class Acknowledgement(Struct, frozen=True, tag_field="type", tag="ack", omit_defaults=True):
    """The message was done, and it is stored."""

    id: str
    number: int | None = None
    """The number of the last event of the stream; everything that the message did has been sent."""


class MessageRefused(Struct, frozen=True, tag_field="type", tag="refusal"):
    """The message did nothing."""

    id: str | None
    """Null if the message could not be read."""
    code: RefusalCode
    message: str
    explanation: str = ""
    """For an illegal move: the condition of the rules with its values."""


class WhyAnswer(Struct, frozen=True, tag_field="type", tag="answer"):
    """Why a move is not possible; an empty message if it is."""

    id: str
    message: str
    explanation: str = ""


class FormsAnswer(Struct, frozen=True, tag_field="type", tag="forms"):
    """The moves of the seat that no list contains."""

    id: str
    forms: tuple[SeatForm, ...]
    turn: int | None = None
    """The seat whose turn it is: that of the player who makes offers, not of those who answer them."""


class MomentAnswer(Struct, frozen=True, tag_field="type", tag="moment"):
    """A picture of an earlier position."""

    id: str
    scene: Raw


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    id: str


QueryAnswer = WhyAnswer | FormsAnswer | MomentAnswer

ServerMessage = Welcome | StreamEvent | Acknowledgement | MessageRefused | QueryAnswer | Pong
