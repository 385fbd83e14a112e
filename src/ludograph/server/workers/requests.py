"""What the server asks its worker processes, as typed data. A frame is a length of four bytes and JSON."""

from msgspec import Struct

from ludograph.protocol.messages import SeatQuery
from ludograph.protocol.tables import CheckedSource, GameDetails
from ludograph.server.table_game import GameSetup, GameStanding, GameStep, ViewerUpdate


class WorkerRequest(Struct, frozen=True, tag=True):
    """The base class of requests; the answer of each is named in its description."""


class CheckSource(WorkerRequest, frozen=True):
    """Check a source: `SourceChecked`."""

    source: str


class OpenGame(WorkerRequest, frozen=True):
    """Begin a game after stored steps: `GameStanding`. The process then has this game."""

    source: str
    setup: GameSetup
    steps: tuple[GameStep, ...] = ()


class ApplyStep(WorkerRequest, frozen=True):
    """Make a step: `GameStanding`."""

    step: GameStep


class FindUpdates(WorkerRequest, frozen=True):
    """What has changed for the viewers: `ViewerUpdates`."""


class TakeSnapshot(WorkerRequest, frozen=True):
    """Everything that a viewer sees: `ViewerUpdate`."""

    viewer: int


class ForgetViewer(WorkerRequest, frozen=True):
    """Nobody looks any more: nothing."""

    viewer: int


class FindUndo(WorkerRequest, frozen=True):
    """The number of moves that an undo keeps: `FoundNumber`."""

    seat: int
    scope: str
    lines: int


class FindQuestion(WorkerRequest, frozen=True):
    """The id of the open question to a seat: `FoundTexts`, empty if there is none."""

    seat: int


class ReadText(WorkerRequest, frozen=True):
    """The moves that a text means: `FoundTexts`."""

    seat: int
    text: str


class AnswerQuery(WorkerRequest, frozen=True):
    """Answer a question of a seat that changes nothing: `FoundTexts`, the answer as JSON."""

    query: SeatQuery


class WriteRecord(WorkerRequest, frozen=True):
    """The record for a viewer: `FoundTexts`."""

    viewer: int | None


class LetBotChoose(WorkerRequest, frozen=True):
    """Let a bot choose for a seat, in a saved state or in the game of the process: `FoundTexts`.

    The first bot that can play the game plays it. The source is needed once for each digest.
    """

    seat: int
    bots: tuple[str, ...]
    seed: int
    name: str = ""
    digest: str = ""
    source: str = ""
    state: bytes = b""


class SourceChecked(Struct, frozen=True, tag=True):
    found: CheckedSource


class FoundNumber(Struct, frozen=True, tag=True):
    number: int | None


class FoundTexts(Struct, frozen=True, tag=True):
    texts: tuple[str, ...]


class ViewerUpdates(Struct, frozen=True, tag=True):
    updates: dict[int, ViewerUpdate]


class Opened(Struct, frozen=True, tag=True):
    """A game is open."""

    details: GameDetails
    standing: GameStanding


class StepProblem(Struct, frozen=True, tag=True):
    """The step is not possible; nothing has changed."""

    code: str
    message: str
    explanation: str


class WorkerProblem(Struct, frozen=True, tag=True):
    """The request cannot be done, and the process cannot be used for this game."""

    message: str


Requests = (
    CheckSource
    | OpenGame
    | ApplyStep
    | FindUpdates
    | TakeSnapshot
    | ForgetViewer
    | FindUndo
    | FindQuestion
    | ReadText
    | AnswerQuery
    | WriteRecord
    | LetBotChoose
)
Answers = (
    FoundNumber
    | FoundTexts
    | ViewerUpdates
    | Opened
    | StepProblem
    | WorkerProblem
    | SourceChecked
    | GameStanding
    | ViewerUpdate
)
