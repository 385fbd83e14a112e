"""Resources of the HTTP API for replays: stored games with their frames, variations and analysis.

A replay is a tree of positions. Node 0 is the start; each other node is a move of a player with the chance
after it. The first nodes are the game as it was given, the others belong to variations.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ludograph.protocol.tables import MAX_SOURCE, Request, ShortText, TableId, Title

MAX_TEXT = 400_000
"""The greatest number of characters of a game that is given as text."""
MAX_NODES = 6_000
"""Of a replay, with its variations."""
MAX_NOTE = 1_000
MAX_FRAMES = 100
"""Of one answer."""

NodeNumber = Annotated[int, Meta(ge=0, lt=MAX_NODES)]
ViewName = Annotated[str, Meta(max_length=20)]
VariationText = Annotated[str, Meta(max_length=2_000)]
FindingSeverity = Literal["error", "warning", "note"]


# Opening a replay


class NewReplay(Request, frozen=True):
    """Open a replay: of a text, of a table whose game is over, or as a copy of another replay."""

    text: Annotated[str, Meta(max_length=MAX_TEXT)] = ""
    """A game in any notation, or the record of a game."""
    name: Annotated[str, Meta(max_length=200)] = ""
    """The name of the file; its suffix may tell the notation."""
    notation: Annotated[str, Meta(max_length=20)] = ""
    """Empty: it is guessed."""
    source: Annotated[str, Meta(max_length=MAX_SOURCE)] = ""
    """The rules of a record whose game is not shipped."""
    lenient: bool = False
    """Read older spellings, and leave out what the rules do not allow."""
    number: Annotated[int, Meta(ge=1, le=100_000)] = 1
    """Of a text with several games: which of them."""
    title: ShortText = ""
    table: TableId | None = None
    copy: TableId | None = None


class ReplayFinding(Struct, frozen=True):
    """What was noticed in a text, with its place; without a place, the line is 0."""

    severity: FindingSeverity
    message: str
    code: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""


class ReplayNode(Struct, frozen=True):
    """A move with the chance after it; node 0 is the start."""

    node: int
    parent: int
    """Node 0 has the parent −1."""
    seat: int
    """Who moves; −1 is chance."""
    text: str
    """The move and the chance after it, in the notation of the rules."""
    words: str = ""
    """The move in words, if the game has any."""
    notation: str = ""
    """The move in the notation of the game, if it has one of its own."""
    note: str = ""
    is_variation: bool = False
    numbers: tuple[tuple[float, ...], ...] = ()
    """For each series of the replay, a number for each player."""


class ReplayView(Struct, frozen=True):
    """A way to see the game: as everybody, as a player, or with all hands open."""

    name: ViewName
    title: str


class ReplayFormat(Struct, frozen=True):
    """A text that can be saved."""

    name: str
    title: str


class ReplayStatus(Struct, frozen=True):
    """A replay without its pictures."""

    id: str
    title: str
    game: str
    """The name of the shipped game; empty for another one."""
    game_title: str
    players: int
    names: tuple[str, ...]
    """Of the players; empty ones are unknown."""
    is_own: bool
    """Whether this session may change it. Others change a copy."""
    created: int
    given_as: str
    """The notation of the text, or `record`."""
    result: str | None
    findings: tuple[ReplayFinding, ...]
    nodes: tuple[ReplayNode, ...]
    series: tuple[str, ...]
    """The names of the numbers of the nodes."""
    views: tuple[ReplayView, ...]
    """The first one is the usual one."""
    formats: tuple[ReplayFormat, ...]


class OpenedReplay(Struct, frozen=True):
    """The new replay, or none if the text cannot be read; the findings say why."""

    replay: ReplayStatus | None
    findings: tuple[ReplayFinding, ...] = ()


class ReplaySummary(Struct, frozen=True):
    """A replay in a list."""

    id: str
    title: str
    game_title: str
    created: int
    variations: int
    """The number of nodes in variations."""


class ReplayList(Struct, frozen=True):
    replays: tuple[ReplaySummary, ...]


# Looking


class ReplayFrame(Struct, frozen=True, omit_defaults=True):
    """The picture of a node: a whole scene, or the changes from the frame before; see docs/pictures.md."""

    node: int
    scene: Raw | UnsetType = UNSET
    changes: Raw | UnsetType = UNSET


class ReplayFrames(Struct, frozen=True):
    """Some frames of the line that leads to a node, in order; the first has a whole scene."""

    frames: tuple[ReplayFrame, ...]


class ReplayText(Struct, frozen=True):
    """A game, a position or a picture as text."""

    text: str
    file_name: str
    losses: tuple[str, ...] = ()
    """What the notation cannot express."""


# Variations


class ReplayOutcome(Struct, frozen=True):
    """What chance may bring: its text, and words for people."""

    text: str
    words: str


class ReplayChoices(Struct, frozen=True):
    """What can be done at a node, or after some answers there."""

    seat: int
    """The number of the player who chooses; −1 if the game is over."""
    scene: Raw | UnsetType = UNSET
    """The scene for this seat, with its choices."""
    chosen: tuple[str, ...] = ()
    outcomes: tuple[ReplayOutcome, ...] = ()
    """If chance decides next: what it may bring. The scene has no choices then."""


class NewVariation(Request, frozen=True):
    """Play another move at a node: a whole move by its text, or by answers to its questions.

    Chance: `outcomes` are what it brings, in order; with `draw`, what they leave open is drawn at random.
    """

    node: NodeNumber
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    """Null: who is asked first."""
    text: VariationText = ""
    """Hexil also reads HAN, which may mean several moves."""
    choices: Annotated[tuple[VariationText, ...], Meta(max_length=200)] = ()
    outcomes: Annotated[tuple[VariationText, ...], Meta(max_length=200)] = ()
    draw: bool = False


class PlayedVariation(Struct, frozen=True):
    """The new nodes, if the move is complete; otherwise what has to be chosen next."""

    nodes: tuple[ReplayNode, ...] = ()
    """The last one is the position after the move; a move that was played there before is not added."""
    choices: ReplayChoices | None = None


class EditReplay(Request, frozen=True):
    """Change a replay: its title, the note of a node, or the variations."""

    title: Title | None = None
    node: NodeNumber | None = None
    note: Annotated[str, Meta(max_length=MAX_NOTE)] | None = None
    """The new note of the node."""
    remove: bool = False
    """Whether the node, which is in a variation, is removed with everything after it."""


class DeletedReplay(Struct, frozen=True):
    id: str


class NoFields(Request, frozen=True):
    """A request that says everything in its address."""


# Analysis


class AnalysePosition(Request, frozen=True):
    """Ask a bot for the best moves at a node."""

    node: NodeNumber
    seconds: Annotated[float, Meta(gt=0, le=5)] = 1.0


class BestMove(Struct, frozen=True):
    """A move that the bot has searched."""

    text: str
    words: str
    notation: str
    payoff: float
    """What the player may expect: 1 is a win and −1 a loss in most games."""
    share: float
    """The part of the search that went into it."""
    is_proven: bool
    is_pick: bool = False
    """Whether the strongest bot for this game plays it."""
    choices: tuple[str, ...] = ()
    """If the text is only the beginning of a move: its answers."""


class BestMoves(Struct, frozen=True):
    seat: int
    """The number of the player who chooses; −1 if nobody does."""
    iterations: int
    moves: tuple[BestMove, ...]
    """The best first."""


class WantedEvaluation(Request, frozen=True):
    """Let a bot evaluate the line that leads to a node, in the background; ask again for the progress."""

    node: NodeNumber


class Evaluation(Struct, frozen=True):
    """How the bot sees a line so far."""

    done: int
    total: int
    payoffs: dict[str, tuple[float, ...]]
    """For each evaluated node: what each player may expect, as far as it is known there."""
