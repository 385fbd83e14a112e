"""Lines: the course of a game on the native engine, one immutable link for every move.

A link holds the block that the last transaction left, the choices made since, who is asked, and the link
before. So a copy of a state shares everything with it, and to take a move back is to go to the link before.
"""

import struct
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ludograph.play import CHANCE, Generator
from ludograph.tgdl.memory import CHOOSING, OVER, STAGE, Memory
from ludograph.tgdl.native.choosing import choices_of
from ludograph.tgdl.native.committer import Chance, Committed, Committer, Words
from ludograph.tgdl.native.committing import ANY, DRAWS, request_of
from ludograph.tgdl.native.exploring import LIST, OFFTURN
from ludograph.tgdl.native.phrases import Phrase

MOST_CHANCE = 900
"""More choices of chance in a row are left to the reference engine, which counts them."""


class Root:
    """What all links of a line share. Never changed."""

    __slots__ = ("committer", "draws", "in_order", "phrases", "row")

    def __init__(self, committer: Committer, block: bytes, *, draws: bool, row: int) -> None:
        self.committer = committer
        self.phrases = committer.phrases
        self.draws = draws
        """Whether the game has a generator that answers chance."""
        self.in_order = committer.phrases.has_seats_in_order(block)
        """Whether states belong to the players in their order."""
        self.row = row
        """How many choices chance had made in a row, in the beginning."""


class Line(NamedTuple):
    """Where a game stands, and the line of moves that led there."""

    root: Root
    before: "Line | None"
    block: bytes
    """As the last transaction left it, when those who are stuck have been told."""
    words: Words
    """The choices made since."""
    mask: int
    """Who is asked between transactions, as bits."""
    chooser: int | None
    """Who is asked within one."""
    drawn: Chance | None
    """The generator that drew, after that: the own one, or one that was lent."""
    player: int
    """Who made the last move."""
    made: Words
    """Its choices, and those of the chance after it."""
    own: int
    """How many of them are the player's."""

    def __eq__(self, other: object) -> bool:
        return self is other  # not link by link down to the first

    def __hash__(self) -> int:
        return id(self)

    @property
    def committer(self) -> Committer:
        return self.root.committer

    @property
    def chance(self) -> Chance | None:
        """The generator that answers chance in this game."""
        return self.drawn if self.root.draws else None

    def generator(self) -> Generator | None:
        """The same, to draw from."""
        return None if self.chance is None else Generator.from_state(self.chance)

    @property
    def last(self) -> int:
        """Who made the last choice."""
        return CHANCE if len(self.made) > self.own else self.player

    @property
    def begins(self) -> bool:
        """Whether a player's move began with the last move's choices."""
        before = self.before
        if before is None or self.player == CHANCE:
            return False
        return not before.words or before.last != self.player

    def is_row_of_chance(self) -> bool:
        """Whether chance has made so many choices in a row that somebody has to count them."""
        link, row = self, 0
        while link.before is not None and row <= MOST_CHANCE:
            if link.player != CHANCE:
                return row + len(link.made) - link.own > MOST_CHANCE
            row += len(link.made)
            link = link.before
        return row + link.root.row > MOST_CHANCE

    @property
    def choosers(self) -> tuple[int, ...]:
        """Who may choose now, the first asked first; empty when the game is over."""
        if self.chooser is not None:
            return (self.chooser,)
        return self.committer.asked(self.mask, self.committer.active(self.block))

    @property
    def is_over(self) -> bool:
        return self.chooser is None and not self.mask

    def can_take(self, listed: "Line") -> bool:
        """Whether choices mean here what they mean where they were listed."""
        if listed.block is self.block:
            return True
        return listed.root is self.root and self.committer.keeps_numbers

    def decoded(self) -> tuple[Memory, tuple[Any, ...]]:
        """The base and the choices since, as the reference engine takes them."""
        memory = self.committer.engine.memory(self.block)
        return memory, self.meaning(memory, self.words)

    def meaning(self, memory: Memory, words: Words) -> tuple[Any, ...]:
        """Choices since the base as the reference engine takes them: it asks for them in the same order."""
        committer = self.committer
        return choices_of(committer.plan, memory, words, partial(committer.candidates, self.block))

    # Going on

    def after(
        self, player: int, words: Words, given: Words = (), questions: Words | None = None
    ) -> "Line | None":
        """The next link, when a player has made these choices and chance has given that.

        None where the reference engine has to say what is: the move is not legal, or the rules are at fault.
        `questions` says which question each of the choices answers.
        """
        made = len(self.words)
        own = made + len(words)
        count = own + len(given)
        everything = (*self.words, *words, *given)
        asked = (ANY,) * count if questions is None else (*(ANY,) * made, *questions, *(ANY,) * len(given))
        packed = struct.pack(f"<{2 * count}q", *everything, *asked)
        chance = self.chance
        request = request_of(made, own, count, player, draws=chance is not None)
        found = self.root.committer.commit(self.block, packed, request, chance)
        return None if found is None else self._link(found, player, (*words, *given), len(words))

    def say(self, phrase: Phrase, player: int | None = None, chance: Chance | None = None) -> "Line | None":
        """The next link, when a phrase is the move of a player, or else of the one whose turn it is.

        A generator draws what the phrase leaves open.

        None where the reference engine has to say what is.
        """
        root, block = self.root, self.block
        if self.chooser is not None or (phrase.by_seat and not root.in_order):
            return None
        if phrase.phrases is not root.phrases:
            return None
        committer = root.committer
        if player is None:
            request, player = phrase.request, block[committer.active_at]
        else:
            request = phrase.request_by(player)
        made = phrase.opened.get(player) or phrase.made_by(player)
        if root.draws:
            chance, request = self.drawn, request | DRAWS
        elif chance is None:
            # As most moves: a transaction that comes to its end, in which chance draws nothing.
            after, asked = committer.commit_briefly(block, phrase.packed, request)
            if after is not None:
                return _new_line(Line, (root, self, after, (), asked, None, None, player, made, phrase.own))
        found = committer.commit(block, phrase.packed, request, chance)
        if found is None:
            return None if phrase.full is None else self.say(phrase.full, player, chance)
        return self._link(found, player, made, phrase.own)

    def _link(self, found: Committed, player: int, made: Words, own: int) -> "Line | None":
        block, mask, chooser, choices, drawn = found
        if choices is not None:
            made = choices[len(self.words) :]
        if block is None:
            assert choices is not None
            link = Line(self.root, self, self.block, choices, mask, chooser, drawn, player, made, own)
        else:
            link = Line(self.root, self, block, (), mask, chooser, drawn, player, made, own)
        if chooser == CHANCE and self.root.draws:
            return None  # the generator answers in a transaction of its own
        if (len(made) > MOST_CHANCE or player == CHANCE) and link.is_row_of_chance():
            return None
        return link

    def moves(self, player: int) -> list[Words] | None:
        """The further choices of every complete move of a player; None: the reference engine has to say."""
        made = len(self.words)
        if player == CHANCE:
            candidates = self.committer.candidates(self.block, self.words)
            return None if candidates is None else [(word,) for word in candidates]
        is_out_of_turn = self.chooser is None and not self.mask >> player & 1
        way = OFFTURN if is_out_of_turn else LIST
        found = self.committer.moves(self.block, self.words, player, way)
        return found if not made or found is None else [words[made:] for words in found]


_new_line: Callable[[type[Line], tuple[Any, ...]], Line] = tuple.__new__  # twice as fast as Line(...)


def begin_line(
    committer: Committer, memory: Memory, choosers: tuple[int, ...], chance: Chance | None, row: int
) -> Line | None:
    """A line that begins here, after so many choices of chance; None in the middle of a transaction."""
    if memory.cells[STAGE] not in (CHOOSING, OVER):
        return None
    mask = sum(1 << player for player in choosers)
    block = committer.engine.block(memory)
    root = Root(committer, block, draws=chance is not None, row=row)
    return Line(root, None, block, (), mask, None, chance, CHANCE, (), 0)
