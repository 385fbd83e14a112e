"""Syntax tree: `appearance` blocks, which tell how to draw a game and are no part of the rules."""

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.expressions import ErrorNode, Expression, Path, Text, Word
from ludograph.tgdl.syntax.tree.statements import Message


class Hint(Struct, frozen=True, eq=False):
    """`colour "#a43";`, `pips number;`, `cards;`. A single string is a message, other values are a list."""

    name: Word
    values: tuple[Expression, ...]
    message: Message | None
    span: Span


class SpriteColour(Struct, frozen=True, eq=False):
    """`b black;`: the colour of a letter of a sprite."""

    letter: Word
    colour: Expression
    span: Span


class SpriteGrid(Struct, frozen=True, eq=False):
    """`sprite { ".b."; "bbb"; b black; }`: rows of letters, and the colours of the letters."""

    name: Word
    rows: tuple[Text, ...]
    colours: tuple[SpriteColour, ...]
    span: Span


class HintTarget(Struct, frozen=True, eq=False):
    """`seat.hand { hints }`. Its parts may be the targets inside it: attributes, members, actions."""

    path: Path
    parts: tuple["Hint | SpriteGrid | HintTarget | ErrorNode", ...]
    span: Span


class PlayerColours(Struct, frozen=True, eq=False):
    """`players blue, "#d55e00";` in an appearance block."""

    colours: tuple[Expression, ...]
    span: Span


class AppearanceBlock(Struct, frozen=True, eq=False):
    """`appearance { players …; targets }`."""

    parts: tuple[PlayerColours | HintTarget | ErrorNode, ...]
    span: Span
