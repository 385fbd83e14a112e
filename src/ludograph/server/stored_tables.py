"""What the database has of a table, as typed data, and what others may see of it."""

import base64
import secrets
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from ludograph.play.luck import commit_luck
from ludograph.protocol.tables import LuckStatus, SeatKind, SeatStatus, Stage, TableStatus
from ludograph.server.table_game import GameSetup

GUEST = "guest"
"""The name of people who have not said theirs."""


class StoredSeat(Struct, frozen=True, omit_defaults=True):
    """A seat of a stored table."""

    kind: SeatKind
    session: str = ""
    """The digest of the session that sits there."""
    name: str = ""
    bot: str = ""
    key: str = ""
    """The key of the link to an invited seat."""
    entropy: str = ""
    is_taken_over: bool = False


class StoredTable(Struct, frozen=True, omit_defaults=True):
    """A stored table."""

    id: str
    created: int
    creator: str
    title: str
    game: str
    """The name of the shipped game; empty for an uploaded one."""
    game_title: str
    source: str
    """The digest of the source."""
    rules: str
    players: int
    options: dict[str, bool | int | float | str]
    setup: str | None
    seats: tuple[StoredSeat, ...]
    secret: str
    """The secret of the luck, as hexadecimal digits."""
    stage: Stage
    listed: bool
    spectators: bool
    chat: bool
    takeover_seconds: int | None = None
    result: str | None = None
    problem: str = ""

    def game_setup(self) -> GameSetup:
        entropies = tuple(seat.entropy for seat in self.seats)
        names = tuple(shown_name(number, seat) for number, seat in enumerate(self.seats))
        return GameSetup(self.players, self.options, self.setup, self.secret, entropies, names)

    def seats_of(self, session: str) -> tuple[int, ...]:
        return tuple(number for number, seat in enumerate(self.seats) if seat.session == session and session)

    def may_watch(self, session: str) -> bool:
        """Whether a session may see what spectators see."""
        return (
            self.spectators or self.stage == "over" or self.creator == session or bool(self.seats_of(session))
        )

    def status(self, online: frozenset[str]) -> TableStatus:
        """What everybody may know, with the sessions that are connected now."""
        has_started = self.stage != "waiting"
        luck = LuckStatus(
            commit_luck(bytes.fromhex(self.secret)),
            tuple(seat.entropy for seat in self.seats) if has_started else (),
            self.secret if self.stage == "over" else None,
        )
        seats = tuple(
            SeatStatus(number, seat.kind, seat.name, seat.bot, seat.session in online, seat.is_taken_over)
            for number, seat in enumerate(self.seats)
        )
        return TableStatus(
            self.id,
            self.title,
            self.game,
            self.game_title,
            self.rules,
            self.players,
            self.options,
            self.setup,
            seats,
            self.stage,
            self.listed,
            self.spectators,
            self.chat,
            self.takeover_seconds,
            luck,
            self.created,
            self.result,
            self.problem,
        )


def shown_name(number: int, seat: StoredSeat) -> str:
    """What the player of a seat is called in scenes and messages: bots with their level, guests by number."""
    if seat.kind == "bot" and seat.bot:
        return f"{seat.name} ({seat.bot})"
    return f"Player {number + 1}" if seat.name in ("", GUEST) else seat.name


class StoredChat(Struct, frozen=True, omit_defaults=True):
    """A stored line of chat."""

    name: str
    text: str
    time: int
    seat: int | None = None


class StoredEntry(Struct, frozen=True):
    """What happened at a table; `session` and `message` identify the message that caused it."""

    number: int
    kind: Literal["step", "chat"]
    session: str
    message: str
    data: str


def digest_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def encode_stored(value: object) -> str:
    return msgspec.json.encode(value).decode()


def new_table_id() -> str:
    """128 random bits in small letters and digits."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
