"""Tree search in native code, with memory checks, and compared with what the rules allow."""

import pytest

from ludograph.games.starts import sample_memory
from ludograph.play import Generator
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from ludograph.tgdl.native.run.search import SearchTree, TreeSettings, chance_key
from ludograph.tgdl.native.run.search_code import SearchCode
from tests.tgdl.rules import draft, game

STUCK = """
players 2 has seat;
local state seat { decimal left = 2; }
action take { trigger on player choice; require { seat[player].left > 0 } effect { seat[player].left -= 1;
if random 2 == 0 pass; } } action hear { trigger on stuck; effect { if seat[0].left + seat[1].left == 0 win
0; pass; } } """  # fmt: skip


VALUED = STUCK + """
verb value(player p) { 2 - seat[p].left }
local state offer
{
  action ask
  {
    trigger on player choice;
    effect { input bool yes player players.next(player); if yes seat[player].left += 1; pass; }
  }
}
"""  # fmt: skip


def tree_of(
    rules: Game, *, seed: int = 1, memory: int = 1 << 20, limit: int = 200, choices: int = 1
) -> SearchTree:
    """A tree of checked code at the start of a game."""
    state = rules.new()
    state.sample_chance(Generator(seed))
    world = state._world
    engine = Engine(world, sample_memory(rules, world), checked=True)
    block = engine.block(state._memory)
    settings = TreeSettings(0.7, limit, memory, playout_choices=choices)
    return SearchTree(SearchCode(engine), None, block, (), state.asked[0], settings, seed)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "liarsdice"])
def test_a_search_accesses_only_its_own_memory(name: str) -> None:
    tree = tree_of(draft(name))
    tree.run(60)
    assert tree.iterations == 60 and sum(edge.visits for edge in tree.edges(tree.root)) == 60


def test_guided_play_outs_access_only_their_own_memory() -> None:
    first, second = (tree_of(game(VALUED), limit=30, choices=3) for _ in range(2))
    first.run(60)
    second.run(20)
    second.run(40)
    assert first.iterations == 60 and bytes(first.memory) == bytes(second.memory)
    random = tree_of(game(VALUED), limit=30)
    random.run(60)
    assert bytes(random.memory) != bytes(first.memory)


def test_a_player_who_cannot_move_is_passed_over() -> None:
    tree = tree_of(game(STUCK))
    tree.run(80)
    (edge,) = tree.edges(tree.root)
    assert edge.visits == 80 and len(tree.nodes_after(edge)) == 2


def test_a_full_tree_is_not_written_beyond_its_end() -> None:
    tree = tree_of(draft("connect4"), memory=1 << 16)
    tree.run(700)
    assert tree.used <= 1 << 16 and tree.iterations == 700


def test_each_outcome_of_chance_has_a_node_with_its_key() -> None:
    rules = "action go { trigger on player choice; effect { if random 3 == 0 win player; } }"
    tree = tree_of(game(rules))
    tree.run(50)
    (edge,) = tree.edges(tree.root)
    keys = {tree._key(node) for node in tree.nodes_after(edge)}
    assert len(keys) == 3 and keys == {chance_key((word,)) for word in (_bits(0), _bits(1), _bits(2))}
    assert not tree.is_proven(tree.root)


def _bits(number: int) -> int:
    import struct

    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def test_a_stopped_search_ends_at_once() -> None:
    tree = tree_of(draft("tictactoe"))
    tree.stop()
    with pytest.raises(Exception) as caught:
        tree.run(1_000_000_000)
    assert type(caught.value).__name__ == "Stopped"
    assert isinstance(tree.context, ExecutionContext)
