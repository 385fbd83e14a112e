"""Monte Carlo tree search over any state: the reference for the search in native code, and much slower.

An iteration plays the moves of the tree on a copy of the position. UCT selects among the legal moves. If
chance follows a move, the move leads to one node for each sequence of outcomes.
"""

from functools import partial
from math import exp, log, sqrt

from ludograph.play.choices import CHANCE, Move
from ludograph.play.game import State
from ludograph.play.generator import Generator
from ludograph.play.results import Ending, drawn_by, won_by
from ludograph.play.search import SearchedMove, SearchSettings, exploration_of, playout_limit_of, rank

INFINITE = float("inf")


class _Edge:
    """A move of a node. Mutable."""

    __slots__ = ("children", "has_chance", "move", "total", "visits")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.visits = 0
        self.total = 0.0
        self.has_chance = False
        self.children: dict[tuple[object, ...], _Node] = {}

    @property
    def proven(self) -> tuple[float, ...] | None:
        if self.has_chance or not self.children:
            return None
        (child,) = self.children.values()
        return child.proven


class _Node:
    """A decision of a player. Mutable."""

    __slots__ = ("chooser", "edges", "proven", "visits")

    def __init__(self, chooser: int | None) -> None:
        self.chooser = chooser
        self.visits = 0
        self.edges: dict[Move, _Edge] = {}
        self.proven: tuple[float, ...] | None = None


class TreeSearch:
    """A search of the reference engine. Mutable."""

    def __init__(
        self,
        start: State,
        settings: SearchSettings,
        seed: int,
        *,
        has_greatest_payoff: bool,
        counts_wins_only: bool,
    ) -> None:
        """Search from a state without a seed.

        `has_greatest_payoff`: no payoff is greater than that of a win. `counts_wins_only`: the payoffs of the
        rules only say who wins.
        """
        self.counts_wins_only = counts_wins_only
        self.start = start
        self.players = start.players
        self.settings = settings
        self.seed = seed
        self.greatest = 1.0 if has_greatest_payoff or counts_wins_only else INFINITE
        self.low, self.high = INFINITE, -INFINITE
        self.iterations = 0
        self.root: _Node | None = None

    @property
    def is_decided(self) -> bool:
        return self.root is not None and self.root.proven is not None

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            if self.is_decided:
                return
            self._iterate(Generator(self.seed + self.iterations))
            self.iterations += 1

    def _iterate(self, generator: Generator) -> None:
        state = self.start.copy()
        if self.root is None:
            self.root = _Node(state.asked[0])
        node = self.root
        path: list[tuple[_Node, _Edge]] = []
        while node.proven is None and state.asked:
            if node is not self.root and (node.visits == 0 or self.settings.is_flat):
                break
            edge = self._select(node, state, generator)
            path.append((node, edge))
            state.push(edge.move)
            key = _draw(state, generator)
            edge.has_chance = edge.has_chance or bool(key)
            chooser = state.asked[0] if state.asked else None
            node = edge.children.setdefault((chooser, *key), _Node(chooser))
        is_over = not state.asked
        payoffs = node.proven or self._evaluate(state, generator)
        if is_over:
            node.proven = payoffs
        self._back_up(path, node, payoffs)

    def _select(self, node: _Node, state: State, generator: Generator) -> _Edge:
        assert node.chooser is not None
        edges = []
        for move in state.legal_moves_of(node.chooser):
            edge = node.edges.get(move)
            if edge is None:
                edge = node.edges[move] = _Edge(move)
            edges.append(edge)
        untried = [edge for edge in edges if not edge.visits]
        if untried:
            return untried[generator.below(len(untried))]
        if self.settings.is_flat:
            return min(edges, key=lambda edge: edge.visits)
        breadth = self.high - self.low if self.high > self.low else 1.0
        factor, chooser = exploration_of(self.settings, has_value=False) * breadth, node.chooser

        def score(edge: _Edge) -> float:
            if edge.proven is not None:
                return edge.proven[chooser]
            return edge.total / edge.visits + factor * sqrt(log(max(node.visits, 1)) / edge.visits)

        return max(edges, key=score)

    def _evaluate(self, state: State, generator: Generator) -> tuple[float, ...]:
        """Play at random to the end, or estimate the payoffs at the limit."""
        for _ in range(playout_limit_of(self.settings, has_value=False)):
            if not state.asked:
                break
            self._play_one(state, generator)
            _draw(state, generator)
        payoffs = self._payoffs_of(state)
        if not state.is_over:
            return payoffs
        self.low, self.high = min(self.low, *payoffs), max(self.high, *payoffs)
        return payoffs

    def _play_one(self, state: State, generator: Generator) -> None:
        """Make a random move, or the best of several by `value`."""
        moves, chooser = state.legal_moves, state.asked[0]
        drawn = [moves[generator.below(len(moves))] for _ in range(self.settings.playout_choices)]
        if len(drawn) > 1 and state.value(chooser) is not None:
            tried = [state.copy() for _ in drawn]
            for after, move in zip(tried, drawn, strict=True):
                after.push(move)
            payoffs = [self._payoffs_of(after)[chooser] for after in tried]
            state.push(drawn[payoffs.index(max(payoffs))])
        else:
            state.push(drawn[0])

    def _payoffs_of(self, state: State) -> tuple[float, ...]:
        """The payoffs of a game that is over, or estimates by `value`."""
        result = state.result
        if result is None:
            return estimate_payoffs([state.value(player) for player in range(self.players)])
        if not self.counts_wins_only or result.ending is not Ending.FINISH:
            return result.payoffs
        if result.winners:
            return won_by(result.winners, self.players).payoffs
        return drawn_by(result.drawn, self.players).payoffs

    def _back_up(self, path: list[tuple[_Node, _Edge]], leaf: _Node, payoffs: tuple[float, ...]) -> None:
        leaf.visits += 1
        for node, edge in reversed(path):
            assert node.chooser is not None
            if edge.proven is not None:
                self._prove(node, edge.proven)
                payoffs = node.proven or payoffs
            node.visits += 1
            edge.visits += 1
            edge.total += payoffs[node.chooser]

    def _prove(self, node: _Node, found: tuple[float, ...]) -> None:
        chooser = node.chooser
        assert chooser is not None
        if found[chooser] >= self.greatest:
            node.proven = found
            return
        proven = [edge.proven for edge in node.edges.values()]
        known = [each for each in proven if each is not None]
        if len(known) == len(proven):
            node.proven = max(known, key=lambda payoffs: payoffs[chooser])

    def moves(self, *, line: int = 0) -> tuple[SearchedMove, ...]:
        root = self.root
        if root is None or root.chooser is None:
            return ()
        found = []
        for edge in root.edges.values():
            if edge.visits:
                proven = edge.proven
                payoff = edge.total / edge.visits if proven is None else proven[root.chooser]
                found.append(
                    SearchedMove(
                        edge.move.choices, edge.visits, payoff, proven is not None, _line(edge, line)
                    )
                )
        return rank(found)


def _line(edge: _Edge, length: int) -> tuple[str, ...]:
    """The moves that the search expects after an edge."""
    found: list[str] = []
    while len(found) < length and edge.children:
        node = max(edge.children.values(), key=lambda each: each.visits)
        tried = [each for each in node.edges.values() if each.visits]
        if not tried:
            break
        edge = max(tried, key=partial(_expectation, node))
        found.append(f"{node.chooser}: {edge.move.text}")
    return tuple(found)


def _expectation(node: _Node, edge: _Edge) -> tuple[float, int]:
    """How much a move is expected: in a proven node the best proven move, otherwise the most visited one."""
    assert node.chooser is not None
    proven = None if node.proven is None else edge.proven
    return -INFINITE if proven is None else proven[node.chooser], edge.visits


def _draw(state: State, generator: Generator) -> tuple[object, ...]:
    """Draw all open choices of chance; returns the outcomes."""
    found: list[object] = []
    while state.asked == (CHANCE,):
        question = state.question()
        choice = question.candidates[generator.pick(question.weights)]
        found.append((choice.name, choice.value))
        state.choose(choice)
    return tuple(found)


def estimate_payoffs(values: list[float | None]) -> tuple[float, ...]:
    """Payoffs of a game that is not over, from the `value` of each player; a draw if there are none.

    A difference of values is the logarithm of odds, so that the chances to win are the softmax of the values.

    >>> estimate_payoffs([None, None]), estimate_payoffs([2.0, 2.0])
    ((0.0, 0.0), (0.0, 0.0))
    """
    known = [0.0 if value is None or abs(value) > 1e300 else value for value in values]
    if values[0] is None or len(values) == 1:
        return tuple(known)
    odds = [exp(value - max(known)) for value in known]
    loss = -1 / (len(known) - 1)
    return tuple(each / sum(odds) * (1 - loss) + loss for each in odds)
