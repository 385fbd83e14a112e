"""Tests of the rules: how each starts a game, what it plays, and what it expects."""

from ludograph.text import Span
from ludograph.tgdl.program.expressions import Expression
from ludograph.tgdl.program.types import Basic, ListType, Type
from ludograph.tgdl.syntax.traversal import ProgramNode

CHANCE_CHOOSER = -1

EXPECTED_NAMES: dict[str, Type] = {
    "moves": ListType(Basic.STRING),
    "asked": ListType(Basic.PLAYER),
    "winners": ListType(Basic.PLAYER),
    "ended": Basic.BOOL,
}
"""The names that only expectations have, in the order of their slots: the texts of the legal moves of all
asked players, the asked players, the winners, and whether the game has ended."""


class PlayedMove(ProgramNode, frozen=True):
    """A move that must be legal."""

    chooser: int
    text: str
    span: Span


class RefusedMove(ProgramNode, frozen=True):
    """A move that must be refused, with a reason that contains some words."""

    chooser: int
    text: str
    words: str | None
    span: Span


class Expectation(ProgramNode, frozen=True):
    """A condition that must hold. The operands of a comparison are shown when it does not."""

    condition: Expression
    span: Span


TestStep = PlayedMove | RefusedMove | Expectation


class GameSettings(ProgramNode, frozen=True):
    """The arguments of a new game."""

    players: int | None = None
    options: tuple[tuple[str, float | bool | str], ...] = ()
    setup: str | None = None
    seed: int | None = None
    position: str | None = None
    outcomes: tuple[str, ...] | None = None
    """Moves of chance to be made in order, whenever chance is asked; after them the seed decides."""


class RuleTest(ProgramNode, frozen=True):
    """`test "a frog never hops onto a frog" { … }`."""

    name: str
    settings: GameSettings
    steps: tuple[TestStep, ...]
    frame: int
    """The slots of the expectations."""
    span: Span
    name_span: Span
