"""Syntax tree: `test` blocks, which play a game and state what must happen. They are no part of the rules."""

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.expressions import ErrorNode, Expression, Number, Text, Word


class RawText(Struct, frozen=True, eq=False):
    """The text of a move or of a position, as it is in the source, without comments and line ends."""

    text: str
    span: Span


class StartPlayers(Struct, frozen=True, eq=False):
    """`players 3;` in a test."""

    count: Number
    span: Span


class StartOption(Struct, frozen=True, eq=False):
    """`option target = 10;` in a test."""

    name: Word
    value: Expression
    span: Span


class StartSetup(Struct, frozen=True, eq=False):
    """`setup duel;` in a test."""

    name: Word
    span: Span


class StartSeed(Struct, frozen=True, eq=False):
    """`seed 7;` in a test."""

    seed: Number
    span: Span


class StartPosition(Struct, frozen=True, eq=False):
    """`position { "active": 1 };` in a test."""

    position: RawText
    span: Span


class ForcedChance(Struct, frozen=True, eq=False):
    """`chance { random(4); random(2); }` in a test."""

    outcomes: tuple[RawText | ErrorNode, ...]
    span: Span


class PlayedMove(Struct, frozen=True, eq=False):
    """`0: a3.hop(to: b2);`; the chooser is None for `*`."""

    chooser: Number | None
    move: RawText
    span: Span


class RefusedMove(Struct, frozen=True, eq=False):
    """`1: refuses c1.hop(to: b2) "already";`."""

    chooser: Number | None
    move: RawText
    words: Text | None
    span: Span


class Expectation(Struct, frozen=True, eq=False):
    """`expect moves.length == 7;`."""

    condition: Expression
    span: Span


TestPart = (
    StartPlayers
    | StartOption
    | StartSetup
    | StartSeed
    | StartPosition
    | ForcedChance
    | PlayedMove
    | RefusedMove
    | Expectation
)


class RuleTest(Struct, frozen=True, eq=False):
    """`test "a frog never hops onto a frog" { … }`."""

    name: Text
    parts: tuple[TestPart | ErrorNode, ...]
    span: Span
