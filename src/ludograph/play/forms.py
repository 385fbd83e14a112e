"""Forms: moves that are in no list because they have too many variants, with the questions that they ask.

A player fills in a form and plays the move by its text. Each field is one question; the values are those that
are possible if the other fields have usual values, so the rules may still refuse the move.
"""

from typing import Literal

from msgspec import Struct


class FormField(Struct, frozen=True, omit_defaults=True):
    """A question of a move."""

    kind: Literal["value", "list", "table"]
    """One of the values, several of them, or a number for each of them."""
    name: str
    """The input."""
    values: tuple[str, ...]
    """The texts of the values; of a table, of its keys."""
    key: str = ""
    """Inside a loop: the value of the loop's variable, which distinguishes questions with the same name."""
    least: int = 0
    most: int | None = None
    """The bounds of the number of elements, or of the sum of the table."""
    names_players: bool = False
    """Whether the values are players."""


class MoveForm(Struct, frozen=True):
    """A move with its questions in their order."""

    action: str
    """The text of the action, with the thing that it is used on."""
    fields: tuple[FormField, ...]
