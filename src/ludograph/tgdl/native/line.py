"""Lines: the course of a game on the native engine, one immutable link for every move.

A link holds the block that the last transaction left, the choices made since, who is asked, and the link
before. So a copy of a state shares everything with it, and to take a move back is to go to the link before.
"""

import struct
from typing import Any

from ludograph.play import CHANCE
from ludograph.tgdl.interpreter.transactions import execute
from ludograph.tgdl.memory import CHOOSING, OVER, STAGE, Memory
from ludograph.tgdl.native.choosing import opener_of
from ludograph.tgdl.native.committer import Chance, Committer, Words
from ludograph.tgdl.native.committing import ACTIVE, ANY, DRAWS, request_of
from ludograph.tgdl.native.exploring import LIST, OFFTURN
from ludograph.tgdl.native.phrases import Phrase

MOST_CHANCE = 900
"""More choices of chance in a row are left to the reference engine, which counts them."""


class Line:
    """Where a game stands, and the line of moves that led there. Never changed."""

    __slots__ = (
        "before",
        "begins",
        "block",
        "chance",
        "chooser",
        "committer",
        "drawn",
        "in_order",
        "last",
        "made",
        "mask",
        "root",
        "row",
        "words",
    )

    def __init__(
        self, committer: Committer, block: bytes, mask: int, chance: Chance | None, row: int = 0
    ) -> None:
        """The first link: between two transactions, when the stuck have been told."""
        self.committer = committer
        self.block = block
        """As the last transaction left it, when those who are stuck have been told."""
        self.words: Words = ()
        """The choices made since."""
        self.mask = mask
        """Who is asked between transactions, as bits."""
        self.chooser: int | None = None
        """Who is asked within one."""
        self.chance = chance
        self.drawn = chance
        """The generator that drew, after that: the own one, or one that was lent."""
        self.in_order = committer.phrases.has_seats_in_order(block)
        """Whether states belong to the players in their order."""
        self.before: Line | None = None
        self.root = self
        """The first link."""
        self.made: Words = ()
        """The choices of the last move, and of the chance after it."""
        self.last = CHANCE
        """Who made the last of them."""
        self.row = row
        """How many chance has made in a row."""
        self.begins = False
        """Whether a player's move began with them."""

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
        found: list[Any] = []
        for place, word in enumerate(words):
            if not place and memory.cells[STAGE] == CHOOSING:
                found.append(opener_of(committer.plan, memory, word))
                continue
            need = execute(committer.plan.world, memory, found).need
            candidates = committer.candidates(self.block, words[:place])
            assert need is not None and candidates is not None and len(candidates) == len(need.values)
            found.append(need.values[candidates.index(word)])
        return tuple(found)

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
        request = request_of(made, own, count, player, draws=self.chance is not None)
        return self._following(packed, request, self.chance, player, words, given)

    def say(self, phrase: Phrase, player: int = ACTIVE, chance: Chance | None = None) -> "Line | None":
        """The next link, when a phrase is the move of a player; a generator draws what it leaves open.

        None where the reference engine has to say what is.
        """
        if self.chooser is not None or (phrase.by_seat and not self.in_order):
            return None
        request = phrase.request if player == ACTIVE else phrase.request_by(player)
        if self.chance is not None:
            chance = self.chance
            request |= DRAWS
        who = self.committer.active(self.block) if player == ACTIVE else player
        return self._following(phrase.packed, request, chance, who, phrase.words_by(who), phrase.given)

    def _following(
        self, packed: bytes, request: int, chance: Chance | None, player: int, words: Words, given: Words
    ) -> "Line | None":
        found = self.committer.commit(self.block, packed, request, chance)
        if found is None or (found.chooser == CHANCE and self.chance is not None):
            return None  # the generator answers in a transaction of its own
        link = Line.__new__(Line)
        link.committer = self.committer
        link.before, link.root, link.in_order = self, self.root, self.in_order
        link.mask, link.chooser = found.mask, found.chooser
        link.chance = None if self.chance is None else found.chance
        link.drawn = found.chance
        choices = found.choices
        link.made = (*words, *given) if choices is None else choices[len(self.words) :]
        if found.block is None:
            assert choices is not None
            link.block, link.words = self.block, choices
        else:
            link.block, link.words = found.block, ()
        by_chance = len(link.made) - len(words)
        link.row = by_chance if player != CHANCE else self.row + len(link.made)
        if link.row > MOST_CHANCE:
            return None
        link.last = CHANCE if by_chance > 0 else player
        link.begins = player != CHANCE and (not self.words or self.last != player)
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


def begin_line(
    committer: Committer, memory: Memory, choosers: tuple[int, ...], chance: Chance | None, row: int
) -> Line | None:
    """A line that begins here, after so many choices of chance; None in the middle of a transaction."""
    if memory.cells[STAGE] not in (CHOOSING, OVER):
        return None
    mask = sum(1 << player for player in choosers)
    return Line(committer, committer.engine.block(memory), mask, chance, row)
