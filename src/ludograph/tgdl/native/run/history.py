"""The history of a game on the native engine: a persistent linked list with one node for every move.

A node holds the block after the last transaction, the choices made since, the choosers, and the previous
node. A copy of a state shares all nodes with the original. To undo a move is to return to the previous node.

The content of a node never changes. A long history drops most of its older blocks: otherwise every move would
use fresh memory, which costs more time than native code takes for the move. A dropped block is rebuilt on
demand from the nearest older block.
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

MAX_CHANCE = 900
"""After so many choices of chance in a row, the reference engine takes over: it counts them exactly."""
MAX_CHANCE_TRANSACTIONS = 32
"""After so many transactions of chance in a row, the reference engine takes over: they share one budget."""
RECENT_BLOCKS = 16
"""The newest nodes keep their blocks, so that undoing a few moves is free."""
BLOCK_INTERVAL = 16
"""One older node in so many keeps its block."""
DROP_INTERVAL = 64
"""Old blocks are dropped once in so many moves."""
FEW_MOVES = 4096
TOO_MANY_TO_LIST = "TG0521"
"""At most so many moves are listed to find the answers that lead to a complete move."""


class HistoryRoot:
    """Data shared by all nodes of a history. Never changed."""

    __slots__ = (
        "_reference",
        "chance_streak",
        "draws",
        "move_compiler",
        "play_fast",
        "runner",
        "seats_in_order",
    )

    def __init__(
        self,
        runner: MoveRunner,
        block: bytes,
        *,
        draws: bool,
        chance_streak: int,
        reference: Any,
        is_new: bool = False,
    ) -> None:
        """`reference` may be a function that makes it. `is_new`: the setup has not run yet."""
        self.runner = runner
        self._reference = reference
        self.move_compiler = runner.move_compiler
        self.draws = draws
        """Whether a generator of the game answers chance."""
        may_differ = is_new and runner.move_compiler.setup_transfers_states
        self.seats_in_order = not may_differ and runner.move_compiler.has_seats_in_order(block)
        """Whether state number n belongs to player n."""
        self.chance_streak = chance_streak
        """The number of consecutive choices of chance before the first node."""
        has_fast_path = self.seats_in_order and not draws and not runner.engine.checked
        self.play_fast = _make_fast_path(runner) if has_fast_path else _no_fast_path

    @property
    def reference(self) -> Any:
        """The reference history up to the first node; it does not change any more."""
        if callable(self._reference):
            self._reference = self._reference()
        return self._reference


class NativeHistory:
    """A position of a game, with the list of moves that led to it."""

    __slots__ = (
        "cached_block",
        "cached_choosers",
        "chooser",
        "chooser_mask",
        "depth",
        "generator_state",
        "listing",
        "log_entries",
        "move_words",
        "moves_json",
        "own_count",
        "pending",
        "player",
        "previous",
        "public_json",
        "question",
        "replayed",
        "root",
        "snapshot",
        "text",
    )

    root: HistoryRoot
    previous: "NativeHistory | None"
    depth: int
    """The number of previous nodes."""
    cached_block: bytes | None
    """The block, unless it was dropped."""
    pending: Words
    """The choices made since the block."""
    chooser_mask: int
    """The choosers between transactions, as bits."""
    chooser: int | None
    """The chooser of the open question within a transaction."""
    generator_state: Chance | None
    """The state of the generator after the move: the own generator, or one that the caller lent."""
    player: int
    """The player who made the last move."""
    move_words: Words
    """The choices of the last move, and of chance after it."""
    own_count: int
    """How many of these choices the player made."""
    replayed: Any
    """A reference history of the same moves, which does not change any more; None: there is none yet."""
    cached_choosers: tuple[int, ...] | None
    public_json: bytes | None
    """The last move as JSON, if everybody may know all of it."""
    text: str | None
    """The text of the last move, if it was listed and has no further choices; None: not formatted yet."""
    log_entries: Any
    """The named choices of the last move and of chance; None: not named yet."""
    moves_json: dict[int | None, bytes] | None
    """All moves so far as JSON, by viewer."""
    listing: Any
    """The listed legal moves of one player; None: not listed yet."""
    question: Any
    """The open question of a transaction; None: not read yet."""
    snapshot: Any
    """The same position for the reference engine; None: not decoded yet."""

    def __init__(
        self,
        root: HistoryRoot,
        previous: "NativeHistory | None",
        block: bytes,
        pending: Words,
        chooser_mask: int,
        chooser: int | None,
        generator_state: Chance | None,
        player: int,
        move_words: Words,
        own_count: int,
    ) -> None:
        self.root, self.previous, self.cached_block, self.pending = root, previous, block, pending
        self.chooser_mask, self.chooser, self.generator_state = chooser_mask, chooser, generator_state
        self.player, self.move_words, self.own_count = player, move_words, own_count
        self.replayed = self.text = self.log_entries = self.moves_json = None
        self.cached_choosers = self.public_json = self.listing = self.question = self.snapshot = None
        self.depth = 0 if previous is None else previous.depth + 1

    @property
    def block(self) -> bytes:
        """The block after the last transaction, with its stuck players resolved."""
        block = self.cached_block
        if block is None:
            block = self.cached_block = self._rebuild_block()
        return block

    def _rebuild_block(self) -> bytes:
        """Replay the moves since the nearest older block."""
        nodes: list[NativeHistory] = []
        node = self
        while (block := node.cached_block) is None:
            nodes.append(node)
            assert node.previous is not None, "the first node keeps its block"
            node = node.previous
        for later in reversed(nodes):
            words, own_count = later.move_words, later.own_count
            committed = node._commit(block, later.player, words[:own_count], words[own_count:], partial=True)
            if committed is None or isinstance(committed, Refused):
                raise MemoryError("there is not enough memory to go back in this game")
            block = committed[0] or block  # a transaction that is not complete leaves no block
            node = later
        return block

    def _has_same_moves(self, other: "NativeHistory") -> bool:
        """Whether both histories have the same moves since a common node or since equal first blocks."""
        one, two = self, other
        while one is not two:
            if one.depth != two.depth or one.move_words != two.move_words:
                return False
            if one.player != two.player or one.own_count != two.own_count:
                return False
            if one.previous is None or two.previous is None:
                return one.cached_block == two.cached_block
            one, two = one.previous, two.previous
        return True

    def drop_old_blocks(self) -> None:
        """Drop the blocks and caches of older nodes, back to the nodes that an earlier call has handled."""
        node: NativeHistory | None = self
        for _ in range(RECENT_BLOCKS):
            node = None if node is None else node.previous
        while node is not None and node.previous is not None:
            node.listing = node.question = node.snapshot = node.moves_json = None
            if node.depth % BLOCK_INTERVAL:
                if node.cached_block is None:
                    return
                node.cached_block = None
            node = node.previous

    @property
    def runner(self) -> MoveRunner:
        return self.root.runner

    @property
    def chance(self) -> Chance | None:
        """The state of the generator that answers chance in this game."""
        return self.generator_state if self.root.draws else None

    def generator(self) -> Generator | None:
        """The generator that answers chance in this game."""
        return None if self.chance is None else Generator.from_state(self.chance)

    @property
    def last_chooser(self) -> int:
        """Who made the last choice."""
        return CHANCE if len(self.move_words) > self.own_count else self.player

    @property
    def begins_move(self) -> bool:
        """Whether the first choice of this node began a move of a player."""
        previous = self.previous
        if previous is None or self.player == CHANCE:
            return False
        return not previous.pending or previous.last_chooser != self.player

    def exceeds_chance_transactions(self) -> bool:
        """Whether so many transactions of chance follow each other that their budget must be counted."""
        node: NativeHistory | None = self
        for _ in range(MAX_CHANCE_TRANSACTIONS):
            if node is None or node.player != CHANCE:
                return False
            node = node.previous
        return True

    def exceeds_chance_limit(self) -> bool:
        """Whether chance made so many choices in a row that the reference engine has to count them."""
        node, streak = self, 0
        while node.previous is not None and streak <= MAX_CHANCE:
            if node.player != CHANCE:
                return streak + len(node.move_words) - node.own_count > MAX_CHANCE
            streak += len(node.move_words)
            node = node.previous
        return streak + node.root.chance_streak > MAX_CHANCE

    @property
    def choosers(self) -> tuple[int, ...]:
        """The choosers now, the first one first; empty when the game is over."""
        choosers = self.cached_choosers
        if choosers is None:
            runner = self.root.runner
            if self.chooser is not None:
                choosers = (self.chooser,)
            else:
                choosers = runner.players_of_mask(self.chooser_mask, runner.active(self.block))
            self.cached_choosers = choosers
        return choosers

    @property
    def is_over(self) -> bool:
        return self.chooser is None and not self.chooser_mask

    def accepts_moves_of(self, listed: "NativeHistory") -> bool:
        """Whether moves that were listed at another node mean the same here."""
        if listed is self:
            return True
        if listed.runner is not self.runner or listed.chooser != self.chooser:
            return False
        if listed.pending != self.pending or listed.chooser_mask != self.chooser_mask:
            return False
        return self._has_same_moves(listed) or listed.block == self.block

    def decode(self) -> tuple[Memory, tuple[Any, ...]]:
        """The block as a memory, and the choices since, for the reference engine."""
        memory = self.runner.engine.memory(self.block)
        return memory, self.decode_choices(memory, self.pending)

    def decode_choices(self, memory: Memory, words: Words) -> tuple[Any, ...]:
        """Choices since the block, for the reference engine."""
        runner = self.runner
        values = runner.presenter.values(self._rebuild_block(), memory, words)
        if values is not None:
            return values

        def candidates(before: Words) -> Words | None:
            return runner.candidates(self._rebuild_block(), before)  # not cached: the node may be old

        return choices_of(runner.plan, memory, words, candidates)

    # Playing

    def after(self, player: int, words: Words, *, partial: bool = False) -> "NativeHistory | Refused | None":
        """The next node after these choices of a player: a complete move, or a part of one.

        Returns the refusal if the rules do not allow the move, and None if native code has no memory for it.
        """
        committed = self._commit(self.block, player, words, (), partial=partial)
        if committed is None or isinstance(committed, Refused):
            return committed
        return self._append(committed, player, words, len(words))

    def after_setup(self) -> "NativeHistory | Refused | None":
        """The node after the setup of a game, or the fault in it; None if there is no memory for it."""
        chance = self.chance
        request = request_of(0, 0, 0, CHANCE, draws=chance is not None)
        committed = self.root.runner.commit(self.block, b"", request, chance)
        if committed is None or isinstance(committed, Refused):
            return committed
        block, mask, chooser, choices, state = committed
        if choices:
            return self._append(committed, CHANCE, (), 0)
        self.cached_block, self.chooser_mask = block or self.block, mask
        self.chooser, self.generator_state = chooser, state
        self.cached_choosers = None
        return self  # the setup made no choice

    def after_part(self, later: "NativeHistory", count: int) -> "NativeHistory":
        """The node after the first `count` choices of the next node; chance is not drawn there."""
        words, own_count = later.move_words[:count], min(count, later.own_count)
        total, first = len(self.pending) + count, len(self.pending) + own_count
        packed = struct.pack(f"<{2 * total}q", *self.pending, *words, *(ANY,) * total)
        request = request_of(len(self.pending), first, total, later.player, draws=False) | PARTIAL
        committed = self.root.runner.commit(self.block, packed, request, None)
        if committed is None or isinstance(committed, Refused) or committed[0] is not None:
            raise MemoryError("there is not enough memory to go back in this game")
        pending, state = (*self.pending, *words), self.generator_state
        return NativeHistory(
            self.root, self, self.block, pending, 0, committed[2], state, later.player, words, own_count
        )

    def after_chance(self, chance: Chance) -> "NativeHistory | Refused | None":
        """The next node after a generator has answered the open question of chance."""
        count = len(self.pending)
        packed = struct.pack(f"<{2 * count}q", *self.pending, *(ANY,) * count)
        request = request_of(count, count, count, CHANCE, draws=True)
        committed = self.root.runner.commit(self.block, packed, request, chance)
        if committed is None or isinstance(committed, Refused):
            return committed
        return self._append(committed, CHANCE, (), 0)

    def _commit(
        self, block: bytes, player: int, words: Words, chance_words: Words, *, partial: bool = False
    ) -> Committed | Refused | None:
        """Run choices of a player, and given choices of chance, from the block of this node."""
        before = len(self.pending)
        own = before + len(words)
        count = own + len(chance_words)
        packed = struct.pack(f"<{2 * count}q", *self.pending, *words, *chance_words, *(ANY,) * count)
        chance = None if chance_words else self.chance
        request = request_of(before, own, count, player, draws=chance is not None)
        return self.root.runner.commit(block, packed, request | PARTIAL if partial else request, chance)

    def play_compiled(
        self, compiled: CompiledMove, player: int | None = None, chance: Chance | None = None
    ) -> "NativeHistory | Refused | None":
        """The next node after a compiled move of a player (default: the active player).

        A generator in the state `chance` draws the choices that the move leaves to chance. Returns the
        refusal if the rules do not allow the move, and None if the compiled move does not apply here.
        """
        root, block = self.root, self.block
        if self.chooser is not None or (compiled.needs_seat_order and not root.seats_in_order):
            return None
        if compiled.compiler is not root.move_compiler:
            return None
        if compiled.draws and chance is None and not root.draws:
            return None
        runner = root.runner
        if player is None:
            request, player = compiled.request, block[runner.active_at]
        else:
            request = compiled.request_for(player)
        words = compiled.words_for(player)
        if root.draws:
            chance, request = self.generator_state, request | DRAWS
        committed = runner.commit(block, compiled.packed, request, chance)
        if committed is None or isinstance(committed, Refused):
            if compiled.without_stop is None:
                return committed
            return self.play_compiled(compiled.without_stop, player, chance)
        return self._append(committed, player, words, compiled.own_count)

    def _append(
        self, committed: Committed, player: int, words: Words, own_count: int
    ) -> "NativeHistory | Refused | None":
        block, mask, chooser, choices, state = committed
        if choices is not None:
            words = choices[len(self.pending) :]
        pending: Words = ()
        if block is None:
            assert choices is not None
            block, pending = self.block, choices
        node = NativeHistory(self.root, self, block, pending, mask, chooser, state, player, words, own_count)
        if (len(words) > MAX_CHANCE or player == CHANCE) and node.exceeds_chance_limit():
            return None
        if chooser == CHANCE and self.root.draws:  # the generator answers in a transaction of its own
            if node.exceeds_chance_transactions():
                return None
            assert state is not None
            return node.after_chance(state)
        return node

    def moves(self, player: int) -> "MoveRows | Sequence[Words] | Refused | None":
        """The choices since the block of every complete move of a player; a fault, or None: no memory."""
        if player == CHANCE:
            candidates = self.runner.candidates(self.block, self.pending)
            return None if candidates is None else [(*self.pending, word) for word in candidates]
        is_out_of_turn = self.chooser is None and not self.chooser_mask >> player & 1
        return self.runner.moves(self.block, self.pending, player, OFFTURN if is_out_of_turn else LIST)

    def has_more_moves(self, player: int, count: int) -> bool | None:
        """Whether a player has more complete moves than a number; None if native code cannot tell."""
        if player == CHANCE:
            return None
        is_out_of_turn = self.chooser is None and not self.chooser_mask >> player & 1
        mode = OFFTURN if is_out_of_turn else LIST
        moves = self.runner.moves(self.block, self.pending, player, mode, count + 1)
        if isinstance(moves, Refused):
            return True if moves.fault == TOO_MANY_TO_LIST else None
        return None if moves is None else len(moves) > count

    def next_words(self, player: int) -> list[int] | Refused | None:
        """The different answers to the open question that lead to a complete move of a player.

        If there are few moves, all are listed. Otherwise each answer is tried separately.
        """
        moves = self.runner.moves(self.block, self.pending, player, LIST, FEW_MOVES)
        if moves is None or isinstance(moves, Refused):
            return moves
        count = len(self.pending)
        if len(moves) < FEW_MOVES:
            return list(dict.fromkeys(row[count] for row in moves))
        candidates = self.runner.candidates(self.block, self.pending)
        if candidates is None:
            return None
        answers = []
        for word in candidates:
            moves = self.runner.moves(self.block, (*self.pending, word), player, LIST, 1)
            if moves is None or isinstance(moves, Refused):
                return moves
            if len(moves):
                answers.append(word)
        return answers


def _no_fast_path(root: HistoryRoot, history: NativeHistory, compiled: CompiledMove) -> NativeHistory | None:
    return None


def _make_fast_path(
    runner: MoveRunner,
) -> Callable[[HistoryRoot, NativeHistory, CompiledMove], NativeHistory | None]:
    """The fast path for most moves: complete moves of the active player in which chance draws nothing.

    The function returns None for every other move, and for a move that is not legal. It uses prepared
    arguments only, so that a call from Python looks up and converts next to nothing.
    """
    if runner.plan.seats.size > 8:
        return _no_fast_path
    compiler, free, commit = runner.move_compiler, runner.pool.free, runner.engine.prepared_commit
    unpack_outcome, outcome_at = struct.Struct("<q16xQ").unpack_from, runner.outcome_at
    active_at = runner.active_at
    new: Callable[[type[NativeHistory]], NativeHistory] = object.__new__

    def play_fast(root: HistoryRoot, history: NativeHistory, compiled: CompiledMove) -> NativeHistory | None:
        block = history.cached_block
        if block is None or history.chooser is not None or compiled.fast_compiler is not compiler:
            return None
        try:
            buffers = free.pop()
        except IndexError:
            return None
        context_handle, work_handle, size, context, work = buffers.prepared
        if len(block) > size or commit(
            context_handle, work_handle, block, compiled.packed, compiled.prepared
        ):
            free.append(buffers)
            return None
        size, mask = unpack_outcome(context, outcome_at)
        after = work[:size]
        free.append(buffers)
        player = block[active_at]
        words = compiled.words_by_player.get(player) or compiled.words_for(player)
        node = new(NativeHistory)  # the same as __init__, in half the time
        node.root, node.previous, node.cached_block, node.pending = root, history, after, ()
        node.chooser_mask, node.chooser, node.generator_state = mask, None, None
        node.player, node.move_words, node.own_count = player, words, compiled.own_count
        node.replayed = node.text = node.log_entries = node.moves_json = None
        node.cached_choosers = node.public_json = node.listing = node.question = node.snapshot = None
        node.depth = history.depth + 1
        return node

    return play_fast


def begin_history(
    runner: MoveRunner,
    memory: Memory,
    choosers: tuple[int, ...],
    chooser: int | None,
    chance: Chance | None,
    chance_streak: int,
    reference: Any,
) -> NativeHistory:
    """A new native history that continues a reference history.

    Either some choosers may choose between transactions, or one chooser has an open question in one.
    """
    mask = sum(1 << player for player in choosers)
    block = runner.engine.block(memory)
    root = HistoryRoot(
        runner, block, draws=chance is not None, chance_streak=chance_streak, reference=reference
    )
    return NativeHistory(root, None, block, (), mask, chooser, chance, CHANCE, (), 0)


def branch(history: NativeHistory, reference: Any) -> NativeHistory:
    """A new history from the same position, without its moves; chance is not drawn there."""
    block = history.block
    root = HistoryRoot(history.runner, block, draws=False, chance_streak=0, reference=reference)
    mask, chooser = history.chooser_mask, history.chooser
    return NativeHistory(root, None, block, history.pending, mask, chooser, None, CHANCE, (), 0)
