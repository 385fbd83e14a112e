"""The interface of compiled code: constants that its callers and the code generator share.

A process that runs an already compiled game imports this file, but not the code generator.
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
    "resolve_stuck_from",
    "replay",
)
"""The functions that Python calls."""
TABLE = "checked.table"
"""The function of checked code that stores the addresses of all constant data in the context."""

QUESTIONS: dict[str, int] = {
    "random": 1_000_000,
    "card": 1_000_001,
    "shuffle": 1_000_002,
    "effect": 1_000_003,
}
"""The numbers of questions without an input."""
TYPES_AT = 20
"""The bit position of the type number of the outcomes in a question of chance."""

LIST, OFFTURN, SAMPLE, OPENERS = range(4)
"""The mode of listing: all moves, moves out of turn, moves to sample from, only the actions."""
ACTIVE = -2
"""Denotes the active player."""
OWN = 0x7FFFFFFF
"""Denotes the number of the player, in an action of the player's own state."""
DRAWS = 1 << 51
"""In a request: choices of chance after the given choices are drawn."""
WATCHES = 1 << 52
"""In a request: the move must change a number of the active player by a given amount."""
PARTIAL = 1 << 53
"""In a request: the move need not be complete."""
ANY = -1
"""Denotes any question."""

SLICE: Final = 1024
"""The fuel between two interrupt polls."""
STACKS = (1 << 19, 1 << 26, 1 << 30)
"""Bytes of stack: the amount that every thread has left, and the sizes for dedicated threads."""

PLAIN, BLOCK, ARENA = range(3)
"""Kinds of regions: all bytes are accessible, a block up to its heap top, an arena up to its allocation."""
REGION_SIZE = 24
"""Bytes of an entry of the table: start, end, kind."""


def request_of(before: int, own: int, count: int, player: int, *, draws: bool) -> int:
    """The request word of a call.

    The first `before` choices were made earlier; those up to `own` are the player's, up to `count` chance's.
    """
    assert count < 1 << 14, "a move has too many choices"
    return before | own << 14 | count << 28 | (player + 2) << 42 | (DRAWS if draws else 0)


def record_size(players: int) -> int:
    """Bytes of the record of a random game: moves, kind of result, winners, payoffs."""
    return 16 + kind_of_seats(players).size + 8 * players
