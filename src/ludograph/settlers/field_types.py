"""Checks of the values that replace the fields of a position: msgspec and dataclasses do not check them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class FieldType(Struct, frozen=True):
    """The types that a field may have, and their description for a message."""

    description: str
    types: tuple[type, ...]
    optional: bool = False
    """Whether the field may be None."""
    is_tuple: bool = False
    """Whether the field is a tuple of values of these types."""

    def accepts(self, value: object) -> bool:
        """Whether a value has the type.

        >>> FieldType("a whole number", (int,)).accepts(7), FieldType("a whole number", (int,)).accepts(True)
        (True, False)
        """
        if self.is_tuple:
            return isinstance(value, tuple) and all(isinstance(item, self.types) for item in value)
        if value is None:
            return self.optional
        # A boolean is an integer in Python, but not a number of a game.
        return isinstance(value, self.types) and (not isinstance(value, bool) or bool in self.types)


def check_types(what: str, fields: Mapping[str, FieldType], changes: Mapping[str, Any]) -> None:
    """Raise TypeError for an unknown field, or a value of the wrong type."""
    for name, value in changes.items():
        field = fields.get(name)
        if field is None:
            raise TypeError(f"{what} has no field {name!r}; its fields are {', '.join(fields)}")
        if not field.accepts(value):
            shown = repr(value)
            shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
            raise TypeError(f"the field {name!r} of {what} is {field.description}, not {shown}")
