"""Resources of the HTTP API: games, sessions, tables and seats as JSON objects.

Requests forbid unknown fields. The document of the API (`server/openapi.py`) is made from these types.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_SOURCE = 200_000
"""The greatest number of characters of an uploaded game."""

PersonName = Annotated[str, Meta(min_length=1, max_length=40)]
Title = Annotated[str, Meta(min_length=1, max_length=80)]
ShortText = Annotated[str, Meta(max_length=80)]
OptionSetting = bool | int | float | ShortText
TableId = Annotated[str, Meta(pattern="^[a-z2-7]{26}$")]
Entropy = Annotated[str, Meta(pattern="^[0-9a-f]{32,64}$")]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]

SeatKind = Literal["person", "open", "bot"]
Stage = Literal["waiting", "playing", "over", "stopped"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of what clients send."""


# Games


class GameOption(Struct, frozen=True):
    """An option of a game: its default, and the allowed values or range."""

    name: str
    default: bool | float | str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class GameSummary(Struct, frozen=True):
    """A shipped game."""

    name: str
    title: str
    players: tuple[int, ...]


class GameList(Struct, frozen=True):
    games: tuple[GameSummary, ...]


class GameDetails(Struct, frozen=True):
    """What a table of the game needs to know."""

    name: str
    title: str
    players: tuple[int, ...]
    options: tuple[GameOption, ...]
    setups: tuple[str, ...]
    rules: str
    """The hash of the rules."""
    has_secrets: bool


class SourceText(Request, frozen=True):
    """The source of a game in TGDL."""

    source: Annotated[str, Meta(min_length=1, max_length=MAX_SOURCE)]


class SourceProblem(Struct, frozen=True):
    """An error or warning of a source, with its place; lines and columns begin at 1."""

    code: str
    severity: str
    message: str
    line: int
    column: int
    hint: str = ""


class CheckedSource(Struct, frozen=True):
    """The result of a check: the problems, and the game if there is no error."""

    problems: tuple[SourceProblem, ...]
    game: GameDetails | None = None


# Sessions


class SessionName(Request, frozen=True):
    """The name that others see."""

    name: PersonName


class SessionStatus(Struct, frozen=True):
    """Who the server takes you for. The secret of the session is in a cookie that scripts cannot read."""

    name: str


# Tables


class NewSeat(Request, frozen=True):
    """A seat of a new table.

    `me` is the creator (several times for several people at one screen), `open` anybody who finds the table,
    `invited` whoever has the link of the seat, `bot` a bot.
    """

    kind: Literal["me", "open", "invited", "bot"]
    bot: Annotated[str, Meta(max_length=20)] = ""
    """The level of a bot: one of `GET /api/bots`."""
    name: ShortText = ""


class NewTable(Request, frozen=True):
    """A new table with a shipped game (`game`) or an uploaded one (`source`)."""

    game: Annotated[str, Meta(max_length=60)] = ""
    source: Annotated[str, Meta(max_length=MAX_SOURCE)] = ""
    players: Annotated[int, Meta(ge=1, le=64)] | None = None
    options: Annotated[dict[ShortText, OptionSetting], Meta(max_length=50)] = {}
    setup: ShortText | None = None
    seats: Annotated[tuple[NewSeat, ...], Meta(max_length=64)] = ()
    """Default: the creator at the first seat, the others open."""
    title: ShortText = ""
    listed: bool = False
    """Whether the lobby shows the table; otherwise only a link leads to it."""
    spectators: bool = True
    chat: bool = True
    takeover_seconds: Annotated[int, Meta(ge=30, le=604_800)] | None = None
    """A bot takes over a seat whose player was away for so long while the table waited; null: never."""
    entropy: Entropy | None = None
    """The creator's contribution to luck."""


class SeatStatus(Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: int
    kind: SeatKind
    name: str
    bot: str = ""
    """The level of the bot."""
    online: bool = False
    is_taken_over: bool = False
    """Whether a bot plays for an absent player."""


class LuckStatus(Struct, frozen=True):
    """Verifiable luck: what is published before, at the start, and after the game."""

    commitment: str
    """SHA-256 of the server's secret, published before anybody contributes."""
    entropies: tuple[str, ...] = ()
    """What the seats contributed; published when the game starts."""
    secret: str | None = None
    """The server's secret, published after the game."""


class TableStatus(Struct, frozen=True):
    """A table as everybody sees it."""

    id: str
    title: str
    game: str
    """The name of the shipped game; empty for an uploaded one."""
    game_title: str
    rules: str
    """The hash of the rules."""
    players: int
    options: dict[str, bool | float | str]
    setup: str | None
    seats: tuple[SeatStatus, ...]
    stage: Stage
    listed: bool
    spectators: bool
    chat: bool
    takeover_seconds: int | None
    luck: LuckStatus
    created: int
    """Seconds since 1970, in UTC."""
    result: str | None = None
    problem: str = ""
    """Why a table is stopped."""


class SeatLink(Struct, frozen=True):
    """A link for whoever shall take a seat: the key follows `#`, so that no server log contains it."""

    seat: int
    key: str
    path: str


class OwnTable(Struct, frozen=True):
    """A table with what only this session may know."""

    table: TableStatus
    seats: tuple[int, ...]
    """The seats of this session."""
    links: tuple[SeatLink, ...] = ()
    """The links of invited seats; only the creator gets them."""


class TableList(Struct, frozen=True):
    tables: tuple[OwnTable, ...]


class TakeSeat(Request, frozen=True):
    """Take a seat: an open one, or an invited one with its key."""

    seat: SeatNumber | None = None
    """Null: any open seat, or the one of the key."""
    key: Annotated[str, Meta(max_length=64)] = ""
    name: ShortText = ""
    entropy: Entropy | None = None
    """A contribution to luck; see docs/server.md."""


class LeaveSeat(Request, frozen=True):
    """Leave a seat: before the start it becomes open, later a bot may take it over."""

    seat: SeatNumber


class BotLevel(Struct, frozen=True):
    """A level of bots."""

    name: str
    description: str


class BotList(Struct, frozen=True):
    bots: tuple[BotLevel, ...]


class TableRecord(Struct, frozen=True):
    """The record of a table: after the game everything, before it what the reader may know."""

    record: str
    is_complete: bool
    source: str
    """The source of the game."""


class TableLogEntry(Struct, frozen=True):
    """A line of the log of a table; undone moves stay in it."""

    kind: Literal["move", "undo"]
    seat: int
    """The chooser of a move (−1: chance), or the seat that asked for the undo."""
    text: str
    """The move in notation; `?` stands for what the reader may not know."""
    kept: int | None = None
    """Of an undo: the number of moves that stay; later ones do not count any more."""
    notation: str | UnsetType = UNSET
    """The move in the game's own notation, such as HAN, with what chance gave after it."""


class ApiError(Struct, frozen=True):
    """Why a request failed."""

    code: str
    message: str
