"""The memory of many games that native code steps together: a header, and a record for each game.

Python allocates the memory and the arrays. The header has their addresses and sizes; native code moves
`next` forward, so that a call that ran out of memory goes on with the game where it stopped.
"""

from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct

from ludograph.tgdl.native.ir.nodes import layout_of

HEADER = {
    "count": 8,
    "next": 8,
    "steps": 8,
    "records": 8,
    "record_size": 8,
    "pending_capacity": 8,
    "answer_capacity": 8,
    "move_capacity": 8,
    "prepared": 8,
    "mask_row": 8,
    "block_capacity": 8,
    "start": 8,
    "start_size": 8,
    "first_chooser": 8,
    "first_mask": 8,
    "signature": 8,
    "ranges": 8,
    "range_count": 8,
    "has_unique_names": 8,
    "table": 8,
    "table_mask": 8,
    "no_questions": 8,
    "stride": 8,
    "choice_limit": 8,
    "spare": 8,
    "action_count": 8,
    "least": 8,
    "lacking": 8,
    "unnumbered": 8,
    "actions": 8,
    "tensors": 8,
    "tensor_size": 8,
    "masks": 8,
    "rewards": 8,
    "terminated": 8,
    "truncated": 8,
    "illegal": 8,
    "players": 8,
}
"""The header. `steps`: whether actions are played, or only games begun. `start`: the block before the setup;
or the block after it, if it is the same in every game, with `first_chooser` (otherwise -1) and `first_mask`.
`signature`: a block; names are the same in every block that has the same bytes in some `ranges`.
`has_unique_names`: whether these bytes are those of the start. `table`: the numbers of answers.
`no_questions`: words that accept every question. `spare`: the first spare action. `least`: the reward of an
illegal action. `prepared`: what playing an action has already found for the same game, whose mask is at
`mask_row`. `lacking`: which memory is too small. `unnumbered`: how many games have answers
that Python has to number. The others are addresses of arrays, with one row for each game."""

RECORD = {
    "stage": 8,
    "current": 8,
    "seed": 8,
    "chooser": 8,
    "is_open": 8,
    "mask": 8,
    "pending_count": 8,
    "answer_count": 8,
    "move_count": 8,
    "choice_count": 8,
    "is_unnumbered": 8,
    "rng": 32,
}
"""A game: what has to be done next, which of its two blocks is current, its seed, who chooses, whether a
question of a transaction is open, the choosers as bits, the numbers of choices since the block, of answers,
of stored moves and of choices in this game, whether Python has to number the answers, and its generator. The
choices since the block, the answers, the stored moves and the two blocks follow."""

HEADER_AT, HEADER_SIZE = layout_of(HEADER)
RECORD_AT, RECORD_SIZE = layout_of(RECORD)

ANSWER_SIZE = 32
"""An answer: its choice word, its action (-1: Python numbers it), and its key of two words."""
MOVE_SIZE = 16
"""A stored move: its first choice, and the choice after it."""
ENTRY_SIZE = 24
"""An entry of the table: a key of two words, and the action; -1: the actions lack it."""
NOT_LISTED = -1
"""In `move_count`: the answers after a first choice are listed when it is made."""
UNKNOWN = -2
"""The result of a key that the table lacks."""
NO_KEY = 0
"""The first word of a key whose text depends on more than the key."""
ACTION_KEY, ANSWER_KEY = 1 << 56, 2 << 56
ON_TILE, BY_NAME = 1 << 48, 2 << 48
"""In the first word of a key: the text is that of a tile, or a name by attributes."""
MAX_PLAYERS = 62
MAX_LISTED = 4096
"""With more complete moves, Python finds the answers that lead to one."""
MAX_CHANCE_RUNS = 1000
"""The transactions of chance in a row that a game may have."""


class NextStep(IntEnum):
    """What has to be done for a game next."""

    STEP = 0
    BEGIN = 1
    PRESENT = 2
    CONTINUE = 3
    """The player goes on with a move, and sees the same as before."""


class Prepared(IntEnum):
    """What playing an action has found for the presentation."""

    NOTHING = 0
    QUESTION = 1
    """The run up to the open question: its block is the one that is not current."""
    MOVES = 2
    """The legal moves are listed."""
    ANSWERS = 3
    """The answers are in the record."""
    OPENERS = 4
    """The first choices of the legal moves are listed."""


class Lacking(IntEnum):
    """Which memory of a record is too small."""

    NOTHING = 0
    PENDING = 1
    ANSWERS = 2
    BLOCK = 3
    CHANCE = 4
    """None: there were too many choices of chance in a row."""


class TensorColumn(Struct, frozen=True):
    """Elements of a tensor for one attribute."""

    attribute: str
    size: int
    form: str
    """"number", "bool", "member" (one element for each), "tile", "keys" (a table of numbers), "list"."""
    tiles: tuple[str, ...] = ()
    """The tiles of the elements."""


class TensorLayout(Struct, frozen=True):
    """Where a tensor has what a view shows."""

    size: int
    starts: Mapping[str, int]
    """The first elements: of `you`, `asked`, `active`, `thing NAME`, `KIND on TILE`, `stack NAME`; for
    `card NAME` the index among the cards of a stack."""
    columns: Mapping[str, tuple[TensorColumn, ...]]
    """The columns of each construct."""

    def key(self) -> str:
        """Everything that the code depends on."""
        return repr((self.size, sorted(self.starts.items()), sorted(self.columns.items())))
