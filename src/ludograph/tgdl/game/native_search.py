"""A tree search from a native history; its moves are named when they are read."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from ludograph.play import CHANCE, Generator, Search, SearchedMove, SearchSettings
from ludograph.play.choices import Choice, format_move
from ludograph.play.log import is_known
from ludograph.play.merged_search import MergedSearch, seeds_of
from ludograph.play.search import exploration_of, playout_limit_of, rank
from ludograph.tgdl.game.native_log import Unnamed, entries_of, name_choices
from ludograph.tgdl.game.reference_bridge import replay_between, snapshot_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.resampled import resample_history
from ludograph.tgdl.game.revealed import shown_since
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.execution import Failure, Outgrown, Stopped, TooLarge, Words
from ludograph.tgdl.native.run.history import HistoryRoot, NativeHistory
from ludograph.tgdl.native.run.search import SearchTree, TreeEdge, TreeSettings, chance_key
from ludograph.tgdl.native.run.search_code import SearchCode, search_code_of


class NativeSearch:
    """A search in native code. Mutable: it grows by iterations."""

    def __init__(
        self, history: NativeHistory, player: int, settings: SearchSettings, tree: SearchTree
    ) -> None:
        self.history = history
        self.player = player
        self.settings = settings
        self.tree = tree

    @property
    def iterations(self) -> int:
        return self.tree.iterations

    @property
    def is_decided(self) -> bool:
        return self.tree.is_proven(self.tree.root)

    def run(self, iterations: int) -> None:
        """Run more iterations, in a thread of their own if there are threads, so that Ctrl-C is heard."""
        _run_together((self,), (iterations,))

    def moves(self, *, line: int = 0) -> tuple[SearchedMove, ...]:
        tree, found = self.tree, []
        for edge in tree.edges(tree.root):
            if edge.visits and edge.words:
                payoff = edge.total / edge.visits if edge.proven is None else edge.proven[self.player]
                choices = name_words(self.history, edge.words, self.player)
                expected = self._line(edge, line) if line else ()
                found.append(SearchedMove(choices, edge.visits, payoff, edge.proven is not None, expected))
        return rank(found)

    def _line(self, edge: TreeEdge, length: int) -> tuple[str, ...]:
        """The moves that the search expects after a move, as far as chance does not interrupt them.

        In a search with secrets they are moves of a sample, so that the line tells no secret.
        """
        found: list[str] = []
        tree, history = self.tree, self._line_start()
        after = None if history is None else history.after(self.player, edge.words, partial=True)
        while len(found) < length and isinstance(after, NativeHistory):
            nodes = tree.nodes_after(edge)
            if len(nodes) != 1 or tree.chooser(nodes[0]) not in after.choosers or CHANCE in after.choosers:
                break
            history, player = after, tree.chooser(nodes[0])
            edges = [each for each in tree.edges(nodes[0]) if each.visits and each.words]
            expectation = partial(_expectation, player, tree.is_proven(nodes[0]))
            # Some moves of the tree were possible in other samples only.
            for each in sorted(edges, key=expectation, reverse=True)[:MAX_EXPECTED]:
                after = history.after(player, each.words, partial=True)
                if isinstance(after, NativeHistory):
                    edge = each
                    found.append(f"{player}: {format_move(name_words(history, edge.words, player))}")
                    break
            else:
                break
        return tuple(found)

    def _line_start(self) -> NativeHistory | None:
        """A position that looks like the searched one to the player, in which nobody draws chance."""
        history = self.history
        if self.tree.observer >= 0:
            return resample_history(history, self.player, Generator(0))
        if not history.root.draws:
            return history

        def begin() -> ReferenceHistory:
            return ReferenceHistory(snapshot_at(history))

        block, pending = history.block, history.pending
        root = HistoryRoot(history.runner, block, draws=False, chance_streak=0, reference=begin)
        mask, chooser = history.chooser_mask, history.chooser
        return NativeHistory(root, None, block, pending, mask, chooser, None, CHANCE, (), 0)


MAX_EXPECTED = 16
"""A line ends if so many of the most expected moves are not possible in the sample."""


def _expectation(player: int, is_proven: bool, edge: TreeEdge) -> tuple[float, int]:
    """How much a move is expected: in a proven node the best proven move, otherwise the most visited one."""
    proven = edge.proven if is_proven else None
    return float("-inf") if proven is None else proven[player], edge.visits


THREAD_STACK = 1 << 20
"""Bytes of stack of a thread that searches."""


def _run_together(searches: Sequence[Search], iterations: Sequence[int]) -> None:
    """Run searches at the same time, each in a thread of its own if there are threads."""
    trees = [search.tree for search in searches if isinstance(search, NativeSearch)]
    assert len(trees) == len(searches)
    failures: dict[int, Exception] = {}

    def run(number: int) -> int:
        try:
            trees[number].run(iterations[number])
        except (Failure, Outgrown, TooLarge, Stopped) as reason:
            failures[number] = reason
        return 0

    def stop() -> None:
        for tree in trees:
            tree.stop()

    works = [partial(run, number) for number in range(len(trees)) if iterations[number]]
    run_with_stack = trees[0].code.engine.run_with_stack
    if run_with_stack is None:
        for work in works:
            work()
    elif works:
        run_with_stack(THREAD_STACK, works[0], stop, *works[1:])
    for number in sorted(failures):
        reason = failures[number]
        raise reason.to_exception() if isinstance(reason, Failure) else reason


def start_native_search(
    history: NativeHistory | None,
    player: int,
    settings: SearchSettings,
    seed: int,
    previous: Search | None = None,
    *,
    resamples: bool = False,
) -> Search | None:
    """A search in native code; None without a native history, or if the code is too large to be compiled.

    With `resamples`, everything that the player does not see is drawn anew in each iteration. None if native
    code cannot do this.
    """
    if history is None:
        return None
    try:
        code = search_code_of(history.runner.engine)
    except Unsupported:
        return None
    if resamples and (history.pending or not code.resamples):
        return None
    count = settings.threads
    each = replace(settings, memory=settings.memory // count, threads=1)
    known: Sequence[Search | None] = previous.searches if isinstance(previous, MergedSearch) else (previous,)
    if len(known) != count:
        known = [None] * count
    searches = [
        _start_tree(history, code, player, each, number, tree, resamples=resamples)
        for number, tree in zip(seeds_of(seed, count), known, strict=True)
    ]
    return searches[0] if count == 1 else MergedSearch(searches, _run_together)


def _start_tree(
    history: NativeHistory,
    code: SearchCode,
    player: int,
    settings: SearchSettings,
    seed: int,
    previous: Search | None,
    *,
    resamples: bool,
) -> NativeSearch:
    """A search with the tree of an earlier search if it fits, otherwise with a new one."""
    if (
        isinstance(previous, NativeSearch)
        and previous.settings == settings
        and previous.player == player
        and previous.tree.code is code
    ):
        kept = _continue(previous, history)
        if kept is not None:
            return NativeSearch(history, player, settings, kept)
    wanted = TreeSettings(
        exploration_of(settings, has_value=False),
        playout_limit_of(settings, has_value=False),
        settings.memory,
        player if resamples else -1,
        playout_choices=settings.playout_choices,
        is_flat=settings.is_flat,
    )
    run_with_stack = history.runner.engine.run_with_stack
    tree = SearchTree(code, run_with_stack, history.block, history.pending, player, wanted, seed)
    return NativeSearch(history, player, settings, tree)


def _continue(previous: NativeSearch, history: NativeHistory) -> SearchTree | None:
    """The tree of an earlier search of the same game with the current position as its root.

    None: a new tree. In a game with secrets a node stands for all that the player may have seen on the way
    to it. So the tree is kept only if the player saw all moves since, no outcome of chance and no secret.
    """
    tree = previous.tree
    if tree.is_half_full:
        return None
    knows_everything = tree.observer < 0
    steps: list[NativeHistory] = []
    node: NativeHistory | None = history
    while node is not None and node is not previous.history:
        steps.append(node)
        node = node.previous
        if len(steps) > MAX_STEPS:
            return None
    if node is None:
        return None
    place = tree.root
    own: Words = ()
    drawn: Words = ()
    for step in reversed(steps):
        if not knows_everything and not _is_as_expected(step, previous.player):
            return None
        if step.own_count and own:
            found = tree.find(place, own, chance_key(drawn))
            if found is None:
                return None
            place, own, drawn = found, (), ()
        own += step.move_words[: step.own_count]
        if knows_everything:  # outcomes of chance make no difference between information sets
            drawn += step.move_words[step.own_count :]
    found = tree.find(place, own, chance_key(drawn)) if own else place
    if found is None or tree.chooser(found) != previous.player:
        return None
    if not knows_everything and _has_seen_secrets(previous.history, history, previous.player):
        return None
    tree.set_root(found, history.block, history.pending)
    return tree


def _is_as_expected(step: NativeHistory, observer: int) -> bool:
    """Whether the observer saw all choices of players in a step, and none of chance."""
    players = step.runner.engine.shape.players
    return all(
        is_known(entry, observer, players) == (entry.choice.chooser != CHANCE) for entry in entries_of(step)
    )


def _has_seen_secrets(before: NativeHistory, history: NativeHistory, observer: int) -> bool:
    """Whether the observer sees anything that was hidden at an earlier node, or that depends on a secret."""
    replayed = replay_between(before, history)
    return replayed is None or any(shown_since(replayed, snapshot_at(before), 0, observer))


MAX_STEPS = 64
"""A tree is kept if at most so many moves were made since."""


def name_words(history: NativeHistory, words: Words, player: int) -> tuple[Choice, ...]:
    """The choices of some words after a node."""
    whole = (*history.pending, *words)
    try:
        return tuple(entry.choice for entry in name_choices(history, whole, player))
    except Unnamed:
        snapshot = snapshot_at(history)
        values = history.decode_choices(snapshot.memory, whole)
        return snapshot.name(values, player).choices
