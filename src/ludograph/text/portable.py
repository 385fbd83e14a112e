"""Exceptions that can be pickled with all their attributes."""

from typing import Any


class Portable(Exception):
    """An exception whose constructor takes other arguments than its message; pickled by its attributes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.args), vars(self)


def _remake(kind: type[Portable], args: tuple[Any, ...]) -> Portable:
    """Create the exception without `__init__`; its attributes are restored afterwards."""
    return kind.__new__(kind, *args)
