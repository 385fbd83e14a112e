"""Errors that can go to another process and back with everything they carry."""

from typing import Any


class Portable(Exception):
    """An error whose class is made of more than its message: pickled by what it holds."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.args), vars(self)


def _remake(kind: type[Portable], args: tuple[Any, ...]) -> Portable:
    """The error without its `__init__`, which wants other arguments; its attributes follow."""
    return kind.__new__(kind, *args)
