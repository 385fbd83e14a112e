"""Reading and writing the records of games; `layout/environments.py` describes their memory."""

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address
from ludograph.tgdl.native.ir.nodes import I64, PTR, Expression
from ludograph.tgdl.native.layout.environments import (
    ANSWER_SIZE,
    HEADER_AT,
    MOVE_SIZE,
    RECORD_AT,
    RECORD_SIZE,
)
from ludograph.tgdl.native.lower.emitter import Emitter

ADDRESSES = frozenset(
    "records start signature ranges table no_questions actions tensors masks rewards terminated truncated "
    "illegal players mask_row".split()
)


class BatchHeader(Struct, frozen=True):
    """The header as a function sees it."""

    b: Emitter
    at: Expression

    def get(self, name: str) -> Expression:
        return self.b.load(self.at, HEADER_AT[name], PTR if name in ADDRESSES else I64)

    def put(self, name: str, value: Expression) -> None:
        self.b.store(self.at, HEADER_AT[name], value)

    def row(self, name: str, index: Expression, size: Expression | int) -> Expression:
        """The address of the row of a game in an array."""
        return self.b.let(address(self.get(name), self.b.let(index * size)))


class GameRecord(Struct, frozen=True):
    """The record of a game as a function sees it."""

    games: BatchHeader
    at: Expression

    @property
    def b(self) -> Emitter:
        return self.games.b

    def get(self, name: str) -> Expression:
        return self.b.load(self.at, RECORD_AT[name], I64)

    def put(self, name: str, value: Expression) -> None:
        self.b.store(self.at, RECORD_AT[name], value)

    @property
    def generator(self) -> Expression:
        return self.b.let(address(self.at, RECORD_AT["rng"]))

    @property
    def pending(self) -> Expression:
        """The address of the choices since the block."""
        return self.b.let(address(self.at, RECORD_SIZE))

    def answer(self, index: Expression) -> Expression:
        """The address of an answer."""
        first = self._after_pending()
        return self.b.let(address(self.at, first + index * ANSWER_SIZE))

    def move(self, index: Expression) -> Expression:
        """The address of a stored move."""
        first = self._after_pending() + self.games.get("answer_capacity") * ANSWER_SIZE
        return self.b.let(address(self.at, first + index * MOVE_SIZE))

    def _after_pending(self) -> Expression:
        return self.games.get("pending_capacity") * 8 + RECORD_SIZE

    def block(self, which: Expression) -> Expression:
        """The address of one of the two blocks."""
        games = self.games
        lists = games.get("answer_capacity") * ANSWER_SIZE + games.get("move_capacity") * MOVE_SIZE
        place = self._after_pending() + lists + which * games.get("block_capacity")
        return self.b.let(address(self.at, self.b.let(place)))
