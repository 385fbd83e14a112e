"""Only verbs without a static bound of their call depth count it."""

from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.optimise.call_graph import find_flat_verbs
from tests.tgdl.rules import game as game_of

PROGRAM = """
players 2;
global state t { decimal n = 0; }
verb alone() { t.n + 1 }
verb above() { down(3) + alone() }
verb down(decimal k) { if k < 1 return below(); return down(k - 1); }
verb below() { t.n }
verb first(decimal k) { if k < 1 return 0; return second(k); }
verb second(decimal k) { first(k - 1) }
action go { trigger on player choice; effect { t.n = above() + first(2); %s finish { 1, 2 }; } }
action other { effect { t.n = 5; } }
"""


def flat(more: str = "") -> set[str]:
    world = world_of(game_of(PROGRAM % more).new(seed=0))
    found = find_flat_verbs(world)
    return {verb.name for verb in world.program.verbs if verb.index in found}


def test_verbs_around_and_inside_those_that_call_themselves_count() -> None:
    assert flat() == {"alone"}


def test_all_verbs_count_where_actions_start_others() -> None:
    assert flat("other();") == set()
