"""Identity as a key: a large immutable value is found quickly, without looking at what is in it."""

from typing import Any


class Same:
    """A value that is equal to itself only."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value
