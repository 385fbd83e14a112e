"""Ludograph makes games out of text and text out of games.

    >>> import ludograph
    >>> text, losses = ludograph.convert("R(2+3) Uk M(d4) S(O)2 E", "han", "han", dialect="2023")
    >>> text
    'R(2+3) UDk Md4 SO2 E'

The rooms behind the door are imported when they are first used.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph.games import list_games, load
    from ludograph.notation.convert import Notation, convert
    from ludograph.notation.guess import guess_notation
    from ludograph.notation.results import Loss, LossKind, Reading, Unwritable, Writing
    from ludograph.notation.stream import read_records
    from ludograph.text import BadText, Diagnostic, Nonsense, TextError

__all__ = [
    "BadText",
    "Diagnostic",
    "Loss",
    "LossKind",
    "Nonsense",
    "Notation",
    "Reading",
    "TextError",
    "Unwritable",
    "Writing",
    "convert",
    "guess_notation",
    "list_games",
    "load",
    "read_records",
]

_WHERE = {
    "BadText": "ludograph.text",
    "Diagnostic": "ludograph.text",
    "Nonsense": "ludograph.text",
    "TextError": "ludograph.text",
    "Loss": "ludograph.notation.results",
    "LossKind": "ludograph.notation.results",
    "Reading": "ludograph.notation.results",
    "Unwritable": "ludograph.notation.results",
    "Writing": "ludograph.notation.results",
    "Notation": "ludograph.notation.convert",
    "convert": "ludograph.notation.convert",
    "guess_notation": "ludograph.notation.guess",
    "read_records": "ludograph.notation.stream",
    "list_games": "ludograph.games.shelf",
    "load": "ludograph.games.loading",
}


def __getattr__(name: str) -> object:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
