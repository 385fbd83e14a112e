"""A tree search from a native history; its moves are named when they are read."""

from functools import partial

from ludograph.play import Search, SearchedMove, SearchSettings
from ludograph.play.choices import Choice, format_move
from ludograph.play.search import playout_limit_of, rank
from ludograph.tgdl.game.native_log import Unnamed, name_choices
from ludograph.tgdl.game.reference_bridge import snapshot_at
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.execution import Failure, Outgrown, Stopped, TooLarge, Words
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.search import SearchTree, TreeEdge, TreeSettings, chance_key
from ludograph.tgdl.native.run.search_code import search_code_of


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
        run_with_stack = self.history.runner.engine.run_with_stack
        failures: list[Exception] = []

        def work() -> int:
            try:
                self.tree.run(iterations)
            except (Failure, Outgrown, TooLarge, Stopped) as reason:
                failures.append(reason)
            return 0

        if run_with_stack is None:
            work()
        else:
            run_with_stack(THREAD_STACK, work, self.tree.stop)
        for reason in failures:
            raise reason.to_exception() if isinstance(reason, Failure) else reason

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
        """The moves that the search expects after a move, as far as chance does not interrupt them."""
        found: list[str] = []
        tree, history, words = self.tree, self.history, edge.words
        player = self.player
        while len(found) < length:
            after = history.after(player, words, partial=True)
            nodes = tree.nodes_after(edge)
            if not isinstance(after, NativeHistory) or len(nodes) != 1 or not tree.chooser(nodes[0]) >= 0:
                break
            edges = [each for each in tree.edges(nodes[0]) if each.visits and each.words]
            if not edges:
                break
            player = tree.chooser(nodes[0])
            edge = max(edges, key=partial(_expectation, player, tree.is_proven(nodes[0])))
            history, words = after, edge.words
            found.append(f"{player}: {format_move(name_words(history, words, player))}")
        return tuple(found)


def _expectation(player: int, is_proven: bool, edge: TreeEdge) -> tuple[float, int]:
    """How much a move is expected: in a proven node the best proven move, otherwise the most visited one."""
    proven = edge.proven if is_proven else None
    return float("-inf") if proven is None else proven[player], edge.visits


THREAD_STACK = 1 << 20
"""Bytes of stack of the thread that searches."""


def start_native_search(
    history: NativeHistory | None,
    player: int,
    settings: SearchSettings,
    seed: int,
    previous: Search | None = None,
    *,
    resamples: bool = False,
) -> NativeSearch | None:
    """A search in native code; None without a native history, or if the code is too large to be compiled.

    With `resamples`, everything that the player does not see is drawn anew in each iteration. None if native
    code cannot do this.
    """
    if history is None:
        return None
    engine = history.runner.engine
    try:
        code = search_code_of(engine)
    except Unsupported:
        return None
    if resamples and (history.pending or not code.resamples):
        return None
    if (
        isinstance(previous, NativeSearch)
        and not resamples
        and previous.settings == settings
        and previous.player == player
    ):
        tree = _continue(previous, history)
        if tree is not None:
            return NativeSearch(history, player, settings, tree)
    wanted = TreeSettings(
        settings.exploration,
        playout_limit_of(settings, is_guided=False),
        settings.memory,
        player if resamples else -1,
        is_flat=settings.is_flat,
    )
    tree = SearchTree(code, engine.run_with_stack, history.block, history.pending, player, wanted, seed)
    return NativeSearch(history, player, settings, tree)


def _continue(previous: NativeSearch, history: NativeHistory) -> SearchTree | None:
    """The tree of an earlier search of the same game with the current position as its root.

    None: a new tree.
    """
    tree = previous.tree
    if tree.code is not search_code_of(history.runner.engine) or tree.is_half_full:
        return None
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
        if step.own_count and own:
            found = tree.find(place, own, chance_key(drawn))
            if found is None:
                return None
            place, own, drawn = found, (), ()
        own += step.move_words[: step.own_count]
        drawn += step.move_words[step.own_count :]
    found = tree.find(place, own, chance_key(drawn)) if own else place
    if found is None or tree.chooser(found) != previous.player:
        return None
    tree.set_root(found, history.block, history.pending)
    return tree


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
