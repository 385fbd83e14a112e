"""The levels of the settlers player: what it looks at, and how far."""

from msgspec import Struct


class Level(Struct, frozen=True):
    """How much a settlers player thinks."""

    width: int
    """The number of states that a plan keeps after each of its moves; 0: only the next move is compared."""
    depth: int
    """The number of moves that a plan has at most."""
    samples: int
    """The number of states that are drawn where hidden cards matter."""
    sees_rivals: bool
    """Whether the chances of the others count, or only the own value."""
    looks_ahead_in_opening: bool
    makes_offers: bool
    remembers: bool = False
    """Whether guesses of hidden cards follow from the history, and not only from what is visible now."""
    max_judged: int = 1_500
    """The number of states that one decision may judge; then the best so far is chosen."""
    noise: float = 0.0
    """The most that a wrong guess adds to the value of a state."""


LEVELS: dict[str, Level] = {
    "easy": Level(2, 2, 1, sees_rivals=False, looks_ahead_in_opening=False, makes_offers=False, noise=1.5),
    "medium": Level(4, 3, 1, sees_rivals=False, looks_ahead_in_opening=False, makes_offers=False, noise=0.2),
    "hard": Level(24, 9, 4, sees_rivals=True, looks_ahead_in_opening=True, makes_offers=True, remembers=True),
}
"""The levels by name, the weakest first."""
