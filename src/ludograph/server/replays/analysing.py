"""Analysis: what bots think of positions: the best moves, and what the player who chooses may expect."""

import time

from ludograph.bots import parse_bot
from ludograph.bots.budgets import SearchBudget
from ludograph.games import State
from ludograph.play import (
    CHANCE,
    Generator,
    IllegalMove,
    Move,
    RulesWrong,
    Search,
    SearchedMove,
    SearchSettings,
    play_bot,
)
from ludograph.play.seats import CANNOT_PLAY
from ludograph.protocol.replays import BestMove, BestMoves
from ludograph.server.replays.documents import NodeValue, StoredNode
from ludograph.server.replays.games import CannotShow, ReplayGame
from ludograph.server.replays.painters import Moment, WordedMove

SEED = 1
MAX_BEST = 6
STRONGEST = ("settlers:hard",)
"""Bots for specific games. They are asked in addition to the tree search."""


def find_best(game: ReplayGame, node: int, seconds: float) -> BestMoves:
    """The best moves at a node for the player who is asked first."""
    state = game.state(node)
    if not state.asked or state.asked == (CHANCE,):
        return BestMoves(-1, 0, ())
    seat = state.asked[0]
    pick = _pick_move(state, seat)
    try:
        search = state.start_search(seat, SearchSettings(), SEED)
        SearchBudget(seconds=seconds).spend(search, time.monotonic)
    except CANNOT_PLAY as error:
        raise CannotShow(f"no bot can play here: {error}") from None
    searched = search.moves()
    found = [_describe(game, node, seat, each, search.iterations, pick) for each in searched[:MAX_BEST]]
    if pick is not None and not any(each.is_pick for each in found):
        known = next((each for each in searched if each.text == pick.text), None)
        unknown = SearchedMove(pick.choices, 0, _payoff_of(search), False)
        found.append(_describe(game, node, seat, known or unknown, search.iterations, pick))
    return BestMoves(seat, search.iterations, tuple(sorted(found, key=lambda each: not each.is_pick)))


def _payoff_of(search: Search) -> float:
    moves = search.moves()
    return moves[0].payoff if moves else 0.0


def _describe(
    game: ReplayGame, node: int, seat: int, move: SearchedMove, iterations: int, pick: Move | None
) -> BestMove:
    """A searched move with its words; a compound move may have only its first choices."""
    before = game.state(node)
    after = before.copy()
    worded, is_whole = WordedMove(), True
    try:
        after.push(move.text, seat)
        worded = game.painter.word(Moment(StoredNode(node, seat, move.text), before, after))
    except (IllegalMove, RulesWrong):
        is_whole = False
    return BestMove(
        move.text,
        worded.words,
        worded.notation,
        round(move.payoff, 3),
        round(move.visits / max(iterations, 1), 3),
        move.is_proven,
        pick is not None and pick.text == move.text,
        () if is_whole else tuple(choice.text for choice in move.choices),
    )


def _pick_move(state: State, seat: int) -> Move | None:
    """The move of the strongest bot that knows this game; None if a search is the strongest."""
    for text in STRONGEST:
        try:
            return play_bot(state.copy(), parse_bot(text).make(Generator(SEED), time.monotonic), seat)
        except (IllegalMove, RulesWrong):
            raise
        except (*CANNOT_PLAY, ValueError):
            continue
    return None


def evaluate_nodes(game: ReplayGame, nodes: tuple[int, ...], seconds: float) -> tuple[NodeValue, ...]:
    """What the players may expect at some nodes; so many seconds for each."""
    return tuple(_evaluate(game.state(node), node, seconds) for node in nodes)


def _evaluate(state: State, node: int, seconds: float) -> NodeValue:
    payoffs = state.payoffs
    if payoffs is not None:
        return NodeValue(node, final=tuple(map(float, payoffs)))
    if not state.asked or state.asked == (CHANCE,):
        return NodeValue(node)
    seat = state.asked[0]
    try:
        search = state.start_search(seat, SearchSettings(), SEED)
        SearchBudget(seconds=seconds).spend(search, time.monotonic)
    except CANNOT_PLAY:
        return NodeValue(node)
    return NodeValue(node, seat, round(_payoff_of(search), 4))
