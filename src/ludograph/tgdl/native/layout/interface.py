"""The interface of compiled code: what its callers and the code that makes it both know.

Whoever runs a game that was compiled before imports this file, and none of those that lower a program.
"""

from typing import Final

from ludograph.tgdl.native.layout.representations import kind_of_seats

EXPORTS = (
    "execute",
    "asked_now",
    "explore",
    "list_from",
    "ask_from",
    "offers_now",
    "playout",
    "batch",
    "perft",
    "commit",
    "settle_from",
    "replay",
)
"""The functions that are called from outside."""
TABLE = "checked.table"
"""The function of checked code that puts the addresses of all constant data into the context."""

QUESTIONS: dict[str, int] = {
    "random": 1_000_000,
    "card": 1_000_001,
    "shuffle": 1_000_002,
    "effect": 1_000_003,
}
"""Questions that belong to no input."""
TYPES_AT = 20
"""Bits of a question of chance before the number of the type of its outcomes."""

LIST, OFFTURN, SAMPLE, OPENERS = range(4)
"""What is wanted of a player: all moves, those out of turn, moves to sample from, only the actions."""
ACTIVE = -2
"""Stands for the player whose turn it is."""
OWN = 0x7FFFFFFF
"""Stands for the number of the player, in an action of the player's own state."""
DRAWS = 1 << 51
"""In a request: what chance is asked behind the choices is drawn."""
WATCHES = 1 << 52
"""In a request: it is said what a number of the active player must do."""
PARTIAL = 1 << 53
"""In a request: the move need not be complete."""
ANY = -1
"""Stands for whatever question is asked."""

SLICE: Final = 1024
"""So much fuel is used between two pauses."""
STACKS = (1 << 19, 1 << 26, 1 << 30)
"""Bytes of stack: what every thread of every system has left, and what is wanted of threads made for it."""

PLAIN, BLOCK, ARENA = range(3)
"""Kinds of regions: all may be used, a block up to the top of its heap, an arena up to what is taken."""
REGION_SIZE = 24
"""Bytes of an entry of the table: where it begins, where it ends, its kind."""


def request_of(made: int, own: int, count: int, player: int, *, draws: bool) -> int:
    """How choices are to be taken, as one word.

    So many were made since the base; those up to `own` are the player's, up to `count` chance's.
    """
    assert count < 1 << 14, "a move of so many choices"
    return made | own << 14 | count << 28 | (player + 2) << 42 | (DRAWS if draws else 0)


def record_size(players: int) -> int:
    """Bytes that tell how a game went: moves, how it ended, who, and the payoffs."""
    return 16 + kind_of_seats(players).size + 8 * players
