"""What the server asks the processes of replays, as typed data."""

from msgspec import Struct

from ludograph.protocol.replays import BestMoves, NewVariation, ReplayChoices, ReplayFrames, ReplayText
from ludograph.server.replays.documents import (
    DescribedGame,
    NodeValue,
    ReadReplay,
    ReplayDocument,
    ReplayNodes,
    VariedGame,
    WantedText,
)


class ReplayRequest(Struct, frozen=True, tag=True):
    """The base class of requests; the answer of each is named in its description."""


class ReadGame(ReplayRequest, frozen=True):
    """Read a text: `GameRead`."""

    wanted: WantedText


class DescribeGame(ReplayRequest, frozen=True):
    """Everything but the pictures: `GameDescribed`. With `first`, only the nodes from this number on."""

    first: int = 0


class ShowFrames(ReplayRequest, frozen=True):
    """Frames of the line to a node: `FramesShown`."""

    node: int
    first: int
    count: int
    view: str


class WriteText(ReplayRequest, frozen=True):
    """A text of a node or of the line to it: `TextWritten`."""

    node: int
    wanted: str
    view: str


class ShowChoices(ReplayRequest, frozen=True):
    """What a seat can do: `ChoicesShown`."""

    node: int
    seat: int | None
    answers: tuple[str, ...] = ()


class PlayVariation(ReplayRequest, frozen=True):
    """Play another move: `VariationPlayed`."""

    wanted: NewVariation
    seed: int


class FindBest(ReplayRequest, frozen=True):
    """The best moves: `BestFound`."""

    node: int
    seconds: float


class EvaluateNodes(ReplayRequest, frozen=True):
    """What a bot expects at some nodes: `NodesEvaluated`."""

    nodes: tuple[int, ...]
    seconds: float


ReplayRequests = (
    DescribeGame | ShowFrames | WriteText | ShowChoices | PlayVariation | FindBest | EvaluateNodes
)


class ReplayJob(Struct, frozen=True, tag=True):
    """A request about a replay. The process keeps the games of the last replays."""

    replay: str
    document: ReplayDocument
    nodes: ReplayNodes
    request: ReplayRequests


Jobs = ReadGame | ReplayJob


class GameRead(Struct, frozen=True, tag=True):
    found: ReadReplay


class GameDescribed(Struct, frozen=True, tag=True):
    found: DescribedGame


class FramesShown(Struct, frozen=True, tag=True):
    found: ReplayFrames


class TextWritten(Struct, frozen=True, tag=True):
    found: ReplayText


class ChoicesShown(Struct, frozen=True, tag=True):
    found: ReplayChoices


class VariationPlayed(Struct, frozen=True, tag=True):
    found: VariedGame


class BestFound(Struct, frozen=True, tag=True):
    found: BestMoves


class NodesEvaluated(Struct, frozen=True, tag=True):
    found: tuple[NodeValue, ...]


class JobRefused(Struct, frozen=True, tag=True):
    """The answer to a job that failed, with an error message for the user."""

    message: str


JobAnswers = (
    GameRead
    | GameDescribed
    | FramesShown
    | TextWritten
    | ChoicesShown
    | VariationPlayed
    | BestFound
    | NodesEvaluated
    | JobRefused
)
