"""The options of a game, in Python and in the header lines of a record."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from ludograph.hexil.positions import Unplayable


class Options(TypedDict, total=False):
    """The options of a game; an option that is not given has its default."""

    points: int
    """The points needed to win; default 10."""
    limit: int
    """A player with more cards than this discards half of them on a seven; default 7."""
    friendly: bool
    """The robber spares players with no more than two visible points."""
    trades: Literal["nobody", "bank_only", "everyone"]
    beginners: bool
    """The island of the rule book instead of a random one."""
    strict: bool
    """On a random island equal numbers are never neighbours; sixes and eights never are in any case."""
    special: bool
    """Five and six players have a special building phase after each turn, instead of pairs."""
    shape: int
    """Which tiles of the frame are land, a binary digit for each; an island or a position defines it already.
    """


USUAL_POINTS = 10
USUAL_LIMIT = 7
MAX_POINTS = 20
TRADES: tuple[Literal["nobody", "bank_only", "everyone"], ...] = ("nobody", "bank_only", "everyone")
_NUMBERS: tuple[Literal["points", "limit"], ...] = ("points", "limit")
_BOOLEANS: tuple[Literal["friendly", "beginners", "strict", "special"], ...] = (
    "friendly",
    "beginners",
    "strict",
    "special",
)
_BOOLEAN_WORDS = {"yes": True, "no": False}


def options_to_headers(options: Options) -> tuple[tuple[str, str], ...]:
    """Options as header lines; the start position has the shape.

    >>> options_to_headers({"points": 12, "friendly": True})
    (('Points', '12'), ('Friendly', 'yes'))
    """
    words = {value: word for word, value in _BOOLEAN_WORDS.items()}
    return tuple(
        (name.capitalize(), words[value] if isinstance(value, bool) else str(value))
        for name, value in options.items()
        if name != "shape"
    )


def options_from_headers(headers: Mapping[str, str]) -> Options:
    """The inverse of `options_to_headers`; other headers are ignored.

    >>> options_from_headers({"Event": "An example", "Points": "12", "Trades": "bank_only"})
    {'points': 12, 'trades': 'bank_only'}
    """
    options: Options = {}
    for number in _NUMBERS:
        if (value := headers.get(number.capitalize())) is not None:
            if not (value.isascii() and value.isdigit() and len(value) < 5):
                raise Unplayable(f'the header {number.capitalize()} is a whole number, not "{value}"')
            options[number] = int(value)
    for name in _BOOLEANS:
        if (value := headers.get(name.capitalize())) is not None:
            if value not in _BOOLEAN_WORDS:
                raise Unplayable(f'the header {name.capitalize()} is "yes" or "no", not "{value}"')
            options[name] = _BOOLEAN_WORDS[value]
    if (value := headers.get("Trades")) is not None:
        found = next((each for each in TRADES if each == value), None)
        if found is None:
            raise Unplayable(f'the header Trades is {", ".join(TRADES)}, not "{value}"')
        options["trades"] = found
    return options
