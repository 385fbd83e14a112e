"""Forms for moves that no list contains, such as any offer of a trade."""

from typing import Literal

from msgspec import Struct


class SeatField(Struct, frozen=True, omit_defaults=True):
    """A question of a move."""

    kind: Literal["value", "list", "table"]
    """One of the values, several of them, or a number for each of them."""
    name: str
    """The input."""
    values: tuple[str, ...]
    """The possible values, as they are written in the text of the move; of a table, its keys."""
    key: str = ""
    """Fields with the same name and different keys together are a table, with one number for each key."""
    label: str = ""
    """The words of the author for the key."""
    colour: str = ""
    value_labels: tuple[str, ...] = ()
    """The words of the author for the values."""
    least: int = 0
    most: int | None = None
    """The bounds of the number of elements of a list, or of the sum of a table."""
    given: int = 0
    """The number to begin with."""
    names_players: bool = False
    """Whether the values are numbers of seats."""


class SeatForm(Struct, frozen=True, omit_defaults=True):
    """A move that a seat may write. Its text is the action with its fields in their order."""

    action: str
    label: str = ""
    fields: tuple[SeatField, ...] = ()
    refusal: str = ""
    """Why the move is not possible now; then it has no fields."""
    is_trade: bool = False
    """Whether the move offers some things for others, as far as the server can tell without the fields."""
