"""Lines: the course of a game on the native engine, one link for every move.

A link holds the block that the last transaction left, the choices made since, who is asked, and the link
before. So a copy of a state shares everything with it, and to take a move back is to go to the link before.

What a link tells never changes. Yet a long line lets go of most of its older blocks, or every move would need
memory that was never used before, which costs more than native code takes for the move. A block that is
wanted again is made again, from the next older one that was kept.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from ludograph.play import CHANCE, Generator
from ludograph.tgdl.native.layout.interface import ANY, DRAWS, LIST, OFFTURN, PARTIAL, request_of
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.calls import Chance, Committed, MoveRows, MoveRunner, Words
from ludograph.tgdl.native.run.choices import choices_of
from ludograph.tgdl.native.run.compiled_moves import CompiledMove
from ludograph.tgdl.world.memory import Memory

MOST_CHANCE = 900
"""More choices of chance in a row are left to the reference engine, which counts them."""
RECENT = 16
"""So many links keep their blocks, so that it costs nothing to take a few moves back."""
APART = 16
"""Of the older links one in so many keeps its block."""
OFTEN = 64
"""After so many moves a line lets go of blocks."""
FEW_MOVES = 4096
"""So many moves are listed at the most to find out which answers lead to one."""


class HistoryRoot:
    """What all links of a line share. Never changed."""

    __slots__ = ("committer", "course", "draws", "in_order", "phrases", "row", "say_briefly")

    def __init__(
        self, committer: MoveRunner, block: bytes, *, draws: bool, row: int, course: Any, is_new: bool = False
    ) -> None:
        """`is_new`: the setup is still to come."""
        self.committer = committer
        self.course = course
        """What the reference engine has played before, which is not changed any more."""
        self.phrases = committer.phrases
        self.draws = draws
        """Whether the game has a generator that answers chance."""
        may_differ = is_new and committer.phrases.setup_hands_on
        self.in_order = not may_differ and committer.phrases.has_seats_in_order(block)
        """Whether states belong to the players in their order."""
        self.row = row
        """How many choices chance had made in a row, in the beginning."""
        can_be_brief = self.in_order and not draws and not committer.engine.checked
        self.say_briefly = _brief_way(committer) if can_be_brief else _no_way


class NativeHistory:
    """Where a game stands, and the line of moves that led there."""

    __slots__ = (
        "asked",
        "before",
        "chooser",
        "depth",
        "drawn",
        "entries",
        "followed",
        "histories",
        "kept",
        "listed",
        "made",
        "mask",
        "own",
        "player",
        "question",
        "root",
        "standing",
        "text",
        "told",
        "words",
    )

    root: HistoryRoot
    before: "NativeHistory | None"
    depth: int
    """How many links are before."""
    kept: bytes | None
    """The block, if it is kept."""
    words: Words
    """The choices made since the block."""
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
    followed: Any
    """A course that has come here and is not changed any more, for whoever needs one; None: there is none."""
    asked: tuple[int, ...] | None
    """Who may choose now, if somebody wanted to know it."""
    told: bytes | None
    """The choices of the last move as a move in JSON, if everybody may know all of it."""
    text: str | None
    """The text of the last move, if it was listed and has no further choices; None: nobody has written it."""
    entries: Any
    """The choices of the last move and of chance, named; None: nobody has read them."""
    histories: dict[int | None, bytes] | None
    """The moves so far as JSON, for viewers who have read them."""
    listed: Any
    """The listing of one player's legal moves; None until somebody lists them."""
    question: Any
    """The question that is open within a transaction, if somebody has read it."""
    standing: Any
    """Where the game stands for the reference engine, if somebody needed that."""

    def __init__(
        self,
        root: HistoryRoot,
        before: "NativeHistory | None",
        block: bytes,
        words: Words,
        mask: int,
        chooser: int | None,
        drawn: Chance | None,
        player: int,
        made: Words,
        own: int,
    ) -> None:
        self.root, self.before, self.kept, self.words = root, before, block, words
        self.mask, self.chooser, self.drawn = mask, chooser, drawn
        self.player, self.made, self.own = player, made, own
        self.followed = self.text = self.entries = self.histories = self.asked = self.told = None
        self.listed = self.question = self.standing = None
        self.depth = 0 if before is None else before.depth + 1

    @property
    def block(self) -> bytes:
        """As the last transaction left it, when those who are stuck have been told."""
        block = self.kept
        if block is None:
            block = self.kept = self._made_again()
        return block

    def _made_again(self) -> bytes:
        """The block, after the moves since the last one that was kept."""
        links: list[NativeHistory] = []
        link = self
        while (block := link.kept) is None:
            links.append(link)
            assert link.before is not None, "the first link keeps its block"
            link = link.before
        for later in reversed(links):
            made, own = later.made, later.own
            found = link._commit(block, later.player, made[:own], made[own:], partial=True)
            if found is None or isinstance(found, Refused):
                raise MemoryError("there is no room to go back in this game")
            block = found[0] or block  # none is left in the middle of a transaction
            link = later
        return block

    def _came_like(self, other: "NativeHistory") -> bool:
        """Whether the same moves have led here and there, from the same link or from equal blocks."""
        one, two = self, other
        while one is not two:
            if one.depth != two.depth or one.made != two.made:
                return False
            if one.player != two.player or one.own != two.own:
                return False
            if one.before is None or two.before is None:
                return one.kept == two.kept
            one, two = one.before, two.before
        return True

    def let_go(self) -> None:
        """Let go of blocks of older links, as far as to where that was done."""
        link: NativeHistory | None = self
        for _ in range(RECENT):
            link = None if link is None else link.before
        while link is not None and link.before is not None:
            link.listed = link.question = link.standing = link.histories = None
            if link.depth % APART:
                if link.kept is None:
                    return
                link.kept = None
            link = link.before

    @property
    def committer(self) -> MoveRunner:
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
        found = self.asked
        if found is None:
            committer = self.root.committer
            if self.chooser is not None:
                found = (self.chooser,)
            else:
                found = committer.asked(self.mask, committer.active(self.block))
            self.asked = found
        return found

    @property
    def is_over(self) -> bool:
        return self.chooser is None and not self.mask

    def can_take(self, listed: "NativeHistory") -> bool:
        """Whether choices mean here what they mean where they were listed."""
        if listed is self:
            return True
        if listed.committer is not self.committer or listed.chooser != self.chooser:
            return False
        if listed.words != self.words or listed.mask != self.mask:
            return False
        return self._came_like(listed) or listed.block == self.block

    def decoded(self) -> tuple[Memory, tuple[Any, ...]]:
        """The base and the choices since, as the reference engine takes them."""
        memory = self.committer.engine.memory(self.block)
        return memory, self.meaning(memory, self.words)

    def meaning(self, memory: Memory, words: Words) -> tuple[Any, ...]:
        """Choices since the base as the reference engine takes them."""
        committer = self.committer
        values = committer.presenter.values(self._made_again(), memory, words)
        if values is not None:
            return values

        def candidates(made: Words) -> Words | None:
            return committer.candidates(self._made_again(), made)  # of an older link: not kept for this

        return choices_of(committer.plan, memory, words, candidates)

    # Going on

    def after(self, player: int, words: Words, *, partial: bool = False) -> "NativeHistory | Refused | None":
        """The next link, when a player has made these choices: a whole move, or a part of one.

        Otherwise why the rules refuse it; None where there is no room for it here.
        """
        found = self._commit(self.block, player, words, (), partial=partial)
        if found is None or isinstance(found, Refused):
            return found
        return self._link(found, player, words, len(words))

    def after_setup(self) -> "NativeHistory | Refused | None":
        """Where the setup of a game leads from here, or the fault in it; None if there is no room."""
        chance = self.chance
        request = request_of(0, 0, 0, CHANCE, draws=chance is not None)
        found = self.root.committer.commit(self.block, b"", request, chance)
        if found is None or isinstance(found, Refused):
            return found
        block, mask, chooser, choices, drawn = found
        if choices:
            return self._link(found, CHANCE, (), 0)
        self.kept, self.mask, self.chooser, self.drawn = block or self.block, mask, chooser, drawn
        self.asked = None
        return self  # nothing was chosen

    def part(self, later: "NativeHistory", count: int) -> "NativeHistory":
        """The link after so many of the choices of the next one; chance waits to be chosen there."""
        made, own = later.made[:count], min(count, later.own)
        total, first = len(self.words) + count, len(self.words) + own
        packed = struct.pack(f"<{2 * total}q", *self.words, *made, *(ANY,) * total)
        request = request_of(len(self.words), first, total, later.player, draws=False) | PARTIAL
        found = self.root.committer.commit(self.block, packed, request, None)
        if found is None or isinstance(found, Refused) or found[0] is not None:
            raise MemoryError("there is no room to go back in this game")
        words = (*self.words, *made)
        return NativeHistory(
            self.root, self, self.block, words, 0, found[2], self.drawn, later.player, made, own
        )

    def after_chance(self, chance: Chance) -> "NativeHistory | Refused | None":
        """The next link, when a generator has answered what chance is asked."""
        made = len(self.words)
        packed = struct.pack(f"<{2 * made}q", *self.words, *(ANY,) * made)
        request = request_of(made, made, made, CHANCE, draws=True)
        found = self.root.committer.commit(self.block, packed, request, chance)
        if found is None or isinstance(found, Refused):
            return found
        return self._link(found, CHANCE, (), 0)

    def _commit(
        self, block: bytes, player: int, words: Words, given: Words, *, partial: bool = False
    ) -> Committed | Refused | None:
        """What comes of these choices of a player, and of what chance gives, with the block of this link."""
        made = len(self.words)
        own = made + len(words)
        count = own + len(given)
        packed = struct.pack(f"<{2 * count}q", *self.words, *words, *given, *(ANY,) * count)
        chance = None if given else self.chance
        request = request_of(made, own, count, player, draws=chance is not None)
        return self.root.committer.commit(block, packed, request | PARTIAL if partial else request, chance)

    def say(
        self, phrase: CompiledMove, player: int | None = None, chance: Chance | None = None
    ) -> "NativeHistory | Refused | None":
        """The next link, when a phrase is the move of a player, or else of the one whose turn it is.

        A generator draws what the phrase leaves open.

        Otherwise why the rules refuse it; None where the phrase cannot be said here.
        """
        root, block = self.root, self.block
        if self.chooser is not None or (phrase.by_seat and not root.in_order):
            return None
        if phrase.phrases is not root.phrases or (phrase.draws and chance is None and not root.draws):
            return None
        committer = root.committer
        if player is None:
            request, player = phrase.request, block[committer.active_at]
        else:
            request = phrase.request_by(player)
        made = phrase.made_by(player)
        if root.draws:
            chance, request = self.drawn, request | DRAWS
        found = committer.commit(block, phrase.packed, request, chance)
        if found is None or isinstance(found, Refused):
            return found if phrase.full is None else self.say(phrase.full, player, chance)
        return self._link(found, player, made, phrase.own)

    def _link(self, found: Committed, player: int, made: Words, own: int) -> "NativeHistory | Refused | None":
        block, mask, chooser, choices, drawn = found
        if choices is not None:
            made = choices[len(self.words) :]
        if block is None:
            assert choices is not None
            link = NativeHistory(
                self.root, self, self.block, choices, mask, chooser, drawn, player, made, own
            )
        else:
            link = NativeHistory(self.root, self, block, (), mask, chooser, drawn, player, made, own)
        if (len(made) > MOST_CHANCE or player == CHANCE) and link.is_row_of_chance():
            return None
        if chooser == CHANCE and self.root.draws:  # the generator answers in a transaction of its own
            assert drawn is not None
            return link.after_chance(drawn)
        return link

    def moves(self, player: int) -> "MoveRows | Sequence[Words] | Refused | None":
        """The choices since the base of every complete move of a player; a fault, or None: no room."""
        if player == CHANCE:
            candidates = self.committer.candidates(self.block, self.words)
            return None if candidates is None else [(*self.words, word) for word in candidates]
        is_out_of_turn = self.chooser is None and not self.mask >> player & 1
        return self.committer.moves(self.block, self.words, player, OFFTURN if is_out_of_turn else LIST)

    def next_words(self, player: int) -> list[int] | Refused | None:
        """Within a transaction: the answers of a player that lead to a complete move, each once.

        All moves are listed if there are few; otherwise each answer is tried by itself.
        """
        found = self.committer.moves(self.block, self.words, player, LIST, FEW_MOVES)
        if found is None or isinstance(found, Refused):
            return found
        made = len(self.words)
        if len(found) < FEW_MOVES:
            return list(dict.fromkeys(row[made] for row in found))
        candidates = self.committer.candidates(self.block, self.words)
        if candidates is None:
            return None
        answers = []
        for word in candidates:
            way = self.committer.moves(self.block, (*self.words, word), player, LIST, 1)
            if way is None or isinstance(way, Refused):
                return way
            if len(way):
                answers.append(word)
        return answers


def _no_way(root: HistoryRoot, line: NativeHistory, phrase: CompiledMove) -> NativeHistory | None:
    return None


def _brief_way(
    committer: MoveRunner,
) -> Callable[[HistoryRoot, NativeHistory, CompiledMove], NativeHistory | None]:
    """How most moves are made: by the active player, to their end, and chance draws nothing in them.

    None where a move is none of these, or cannot be made. What it needs is at hand or prepared, so that next
    to nothing is looked up or converted in a call from Python.
    """
    if committer.plan.seats.size > 8:
        return _no_way
    phrases, free, commit = committer.phrases, committer.free, committer.engine.prepared_commit
    settled, settled_at = struct.Struct("<q16xQ").unpack_from, committer.settled_at
    active_at = committer.active_at
    new: Callable[[type[NativeHistory]], NativeHistory] = object.__new__

    def say_briefly(root: HistoryRoot, line: NativeHistory, phrase: CompiledMove) -> NativeHistory | None:
        block = line.kept
        if block is None or line.chooser is not None or phrase.brief_in is not phrases:
            return None
        try:
            desk = free.pop()
        except IndexError:
            return None
        context_handle, work_handle, room, context, work = desk.prepared
        if len(block) > room or commit(context_handle, work_handle, block, phrase.packed, phrase.prepared):
            free.append(desk)
            return None
        size, asked = settled(context, settled_at)
        after = work[:size]
        free.append(desk)
        player = block[active_at]
        made = phrase.opened.get(player) or phrase.made_by(player)
        link = new(NativeHistory)  # with what __init__ would do, in half the time
        link.root, link.before, link.kept, link.words = root, line, after, ()
        link.mask, link.chooser, link.drawn = asked, None, None
        link.player, link.made, link.own = player, made, phrase.own
        link.followed = link.text = link.entries = link.histories = link.asked = link.told = None
        link.listed = link.question = link.standing = None
        link.depth = line.depth + 1
        return link

    return say_briefly


def begin_line(
    committer: MoveRunner,
    memory: Memory,
    choosers: tuple[int, ...],
    chooser: int | None,
    chance: Chance | None,
    row: int,
    course: Any,
) -> NativeHistory:
    """A line that begins where a course stands, after so many choices of chance.

    Asked are some choosers between transactions, or one chooser within a transaction.
    """
    mask = sum(1 << player for player in choosers)
    block = committer.engine.block(memory)
    root = HistoryRoot(committer, block, draws=chance is not None, row=row, course=course)
    return NativeHistory(root, None, block, (), mask, chooser, chance, CHANCE, (), 0)


def branch(line: NativeHistory, course: Any) -> NativeHistory:
    """A line that begins where another stands, without its moves; chance waits to be chosen."""
    root = HistoryRoot(line.committer, line.block, draws=False, row=0, course=course)
    return NativeHistory(root, None, line.block, line.words, line.mask, line.chooser, None, CHANCE, (), 0)
