"""A long native history drops the blocks of older nodes, and rebuilds them on demand.

Undoing must lead to the earlier positions, whether chance was drawn by the game's own generator, by one of
the caller, or not at all, and even if other states share the same nodes.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from ludograph.games.engines import compile_world
from ludograph.hexil import Deal, Match
from ludograph.notation import han
from ludograph.play import Generator
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.native.run.history import BLOCK_INTERVAL, DROP_INTERVAL, RECENT_BLOCKS, NativeHistory

STEPS = 5 * DROP_INTERVAL + 7
ENDLESS = """
players 3;
interactable token stackable { decimal size = 0; }
global state t { decimal n = 0; decimal told = 0; }
stack kept of token;
turn main { phase go; default { pass player + 1; } }
action step { trigger on player choice; effect { t.n += 1 + random 6; pass; } }
action ask
{
  trigger on player choice;
  input decimal x from 1 to 3;
  effect { t.n += x; input player p { p != player } t.told += p; pass; }
}
action make
{
  trigger on player choice;
  effect { token k = new token; k.size = t.n % 10; kept.push(k); pass; }
}
action take { trigger on player choice; require { kept.length > 0 } effect { t.n += kept.pop().size; pass; } }
"""


def _nodes(state: State) -> Iterator[NativeHistory]:
    node = state._native_history()
    while node is not None:
        yield node
        node = node.previous


def _endless() -> State:
    program = compile_source(Source(ENDLESS, "endless.tgdl"))
    return Game(program, compiler=compile_world, uses_before_compiling=0).new(seed=4)


def _play(state: State, steps: int, draws: random.Random) -> list[str]:
    """Play at random; gives how the game stood before each move."""
    stood = []
    for _ in range(steps):
        stood.append(state.digest())
        state.push(draws.choice(state.legal_moves))
    return stood


def test_a_long_line_keeps_few_blocks() -> None:
    state = _endless()
    _play(state, STEPS, random.Random(1))
    nodes = list(_nodes(state))
    assert len(nodes) == STEPS + 1
    assert [node.depth for node in nodes] == list(range(STEPS, -1, -1))
    kept = [node.depth for node in nodes if node.cached_block is not None]
    assert set(range(STEPS - RECENT_BLOCKS, STEPS + 1)) <= set(kept)
    assert 0 in kept and max(one - other for one, other in pairwise(kept)) <= BLOCK_INTERVAL
    assert len(kept) <= RECENT_BLOCKS + DROP_INTERVAL + STEPS // BLOCK_INTERVAL + 1


@pytest.mark.parametrize("leap", [1, 3, 50])
def test_going_back_leads_where_the_game_was(leap: int) -> None:
    state = _endless()
    stood = _play(state, STEPS, random.Random(2))
    record = state.record
    while len(stood) > leap:
        for _ in range(leap):
            state.pop()
            expected = stood.pop()
        assert state.digest() == expected
    state.push(state.legal_moves[0])
    assert state.record.moves[: len(stood)] == record.moves[: len(stood)]


def test_going_back_and_on_again() -> None:
    state, draws = _endless(), random.Random(3)
    stood = _play(state, STEPS, draws)
    for steps in (2 * DROP_INTERVAL, DROP_INTERVAL - 1, 1, 3 * DROP_INTERVAL // 2):
        for _ in range(steps):
            state.pop()
            assert state.digest() == stood.pop()
        stood += _play(state, steps + 5, draws)
    while stood:
        state.pop()
        assert state.digest() == stood.pop()


def test_a_copy_that_stays_behind_stands_where_it_stood() -> None:
    state, draws = _endless(), random.Random(4)
    behind = []
    for _ in range(STEPS // 20):
        behind.append((state.copy(), state.digest(), [move.text for move in state.legal_moves]))
        _play(state, 20, draws)
    assert any(next(_nodes(copy)).cached_block is None for copy, _, _ in behind)
    for copy, digest, texts in behind:
        moves = copy.legal_moves
        assert [move.text for move in moves] == texts
        assert copy.digest() == digest
        copy.push(moves[-1])
        copy.pop()
        assert copy.digest() == digest


def test_moves_listed_long_ago_can_be_played_where_they_were_listed() -> None:
    state, draws = _endless(), random.Random(5)
    _play(state, 5, draws)
    copy, moves = state.copy(), state.legal_moves
    _play(state, 2 * DROP_INTERVAL, draws)
    for _ in range(2 * DROP_INTERVAL):
        state.pop()
    assert next(_nodes(state)) is next(_nodes(copy))
    state.push(moves[-1])
    copy.push(moves[-1].text)
    assert state.digest() == copy.digest()


def test_chance_that_was_lent_is_not_drawn_again() -> None:
    game, chance = Match.new(4, 6, engine="native", trades="bank_only"), Generator(6)
    stood: list[str] = []
    while game.winner() is None and len(stood) < STEPS:
        actions = [action for action in game.legal_moves if not isinstance(action, Deal)]
        stood.append(game.hsn())
        action = actions[chance.below(len(actions))]
        game.push(han.format(action) if len(stood) % 3 else action)
    while stood:
        game.pop()
        assert game.hsn() == stood.pop()
