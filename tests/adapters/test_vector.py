"""Many games at a time: the same as one game at a time, in native code and in Python."""

import random
from typing import Any

import numpy
import pytest
from gymnasium.vector import VectorEnv

from ludograph import compile_source
from ludograph.adapters.gymnasium import GameVector, new_generator
from ludograph.adapters.pettingzoo import GameAgents
from ludograph.adapters.vector import VectorEnvironment

TWO_SEATS = """
game "Two seats";
players 2 has seat;
local state seat { private decimal secret = 0; decimal told = 0; }
action tell
{
  trigger on player choice;
  input decimal n in { 1, 2, 3 };
  effect
  {
    seat.secret = n + random 5;
    seat.told += 1;
    if seat.told == 4 win player;
    pass;
  }
}
"""

STEPS_AND_JUMPS = """
game "Steps and jumps";
players 2 has seat;
interactable pawn placeable
{
  verb targets()
  {
    sq[] found = {};
    for sq s in tile.adjacent if s.pawn == none found.add(s);
    for sq s in tile.adjacent if s.pawn != none and s.pawn.player != this.player found.add(s);
    for sq s in tile.adjacent if s.pawn == none found.add(s);  // twice
    return found;
  }
  action step
  {
    trigger on player choice;
    input sq to in targets();
    effect
    {
      if to.pawn != none move to.pawn to none;
      move this to to;
      seat.turns += 1;
      if seat.turns == 6 draw;
      pass;
    }
  }
  action jump
  {
    trigger on player choice;
    input sq over in tile.adjacent { over.pawn != none }
    input sq to in over.adjacent { to.pawn == none }
    require { to != tile }
    effect { move this to to; seat.turns += 1; if seat.turns == 6 draw; pass; }
  }
}
local state seat { decimal turns = 0; }
tile sq holds pawn { }
board { group grid square around 3 by 3 { sq; } }
setup
{
  for sq s in grid.tiles
  {
    if s.row > 1 move new pawn { player = 0; } to s;
    if s.row < 1 move new pawn { player = 1; } to s;
  }
}
"""


def seeds_of(seed: int, count: int) -> list[int]:
    """The seeds of the games that `GameAgents` begins with some seeds."""
    return [int(new_generator(seed + game).integers(1 << 62)) >> 8 for game in range(count)]


@pytest.mark.parametrize(
    ("name", "players", "is_native"),
    [
        ("connect-four", 2, True),
        ("breakthrough", 2, True),
        ("pig", 3, True),  # chance
        ("crazy-eights", 3, True),  # hidden cards with names
        ("liars-dice", 2, True),  # hidden dice
    ],
)
def test_many_games_are_the_same_as_single_ones(name: str, players: int, is_native: bool) -> None:
    count = 4
    many = VectorEnvironment(name, count, players)
    assert many.is_native == is_native
    singles = [GameAgents(name, players) for _ in range(count)]
    for game, single in enumerate(singles):
        single.reset(seed=40 + game)
    many.reset(seeds_of(40, count))
    draws, ended = random.Random(7), [False] * count
    for _ in range(80):
        actions = [0] * count
        for game, single in enumerate(singles):
            if ended[game]:
                continue
            agent = single.agent_selection
            seen = single.observe(agent)
            assert many.players[game] == single.possible_agents.index(agent)
            assert numpy.array_equal(many.observations[game], seen["observation"])
            assert numpy.array_equal(many.masks[game], seen["action_mask"])
            actions[game] = draws.choice(numpy.flatnonzero(many.masks[game]).tolist())
        many.step(actions)
        for game, single in enumerate(singles):
            if ended[game]:
                continue
            single.step(actions[game])
            ended[game] = any(single.terminations.values())
            assert many.terminated[game] == ended[game]
            if ended[game]:
                rewards = [single._cumulative_rewards[agent] for agent in single.possible_agents]
                assert many.rewards[game].tolist() == pytest.approx(rewards)
            else:
                assert not many.rewards[game].any()


def play(games: VectorEnvironment, steps: int, seed: int = 3) -> list[list[Any]]:
    """Random actions, now and then an illegal one; returns everything that the arrays show."""
    games.reset(seed)
    draws, found = random.Random(1), []
    for _ in range(steps):
        actions = [
            draws.choice([*numpy.flatnonzero(mask).tolist()] or [0]) if draws.random() < 0.9 else -1
            for mask in games.masks
        ]
        games.step(actions)
        shown = games.players, games.masks, games.observations, games.rewards
        ends = games.terminated, games.truncated, games.illegal
        found.append([array.tolist() for array in (*shown, *ends)])
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "backgammon"])
def test_native_code_and_python_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native = VectorEnvironment(name, 3, choice_limit=25)
    threads = VectorEnvironment(name, 3, choice_limit=25, threads=2)
    monkeypatch.setattr(VectorEnvironment, "_native", lambda *_: None)
    other = VectorEnvironment(name, 3, choice_limit=25)
    assert native.is_native and not other.is_native
    found = play(native, 60)
    assert found == play(other, 60) == play(threads, 60)
    assert any(any(row[6]) for row in found), "there was an illegal action"


def test_a_game_without_given_names_at_the_start_is_the_same_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = compile_source(TWO_SEATS, engine="native")
    native = VectorEnvironment(rules, 3)
    assert native.is_native
    monkeypatch.setattr(VectorEnvironment, "_native", lambda *_: None)
    assert play(native, 40) == play(VectorEnvironment(rules, 3), 40)


def test_the_answers_after_a_first_choice_are_the_same_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = compile_source(STEPS_AND_JUMPS, engine="native")
    native = VectorEnvironment(rules, 3)
    assert native.is_native
    monkeypatch.setattr(VectorEnvironment, "_native", lambda *_: None)
    reference = compile_source(STEPS_AND_JUMPS, engine="reference")
    assert play(native, 60) == play(VectorEnvironment(reference, 3), 60)


def test_secrets_of_others_do_not_change_what_a_player_sees() -> None:
    games = VectorEnvironment(compile_source(TWO_SEATS, engine="native"), 16)
    games.reset(0)
    first = games.encoded.actions.numbers["action", "tell", "tell"]
    games.step([first] * 16)
    answer = int(numpy.flatnonzero(games.masks[0])[0])
    games.step([answer] * 16)  # player 0 has a secret now, and chance has drawn a part of it
    assert (games.players == 1).all()
    assert (games.observations == games.observations[0]).all()
    games.step([first] * 16)
    games.step([answer] * 16)
    assert (games.players == 0).all()
    assert (games.observations != games.observations[0]).any(), "a player sees the own secret"


def test_an_ended_game_is_followed_by_the_next_one_with_its_seed() -> None:
    games = VectorEnvironment("tic-tac-toe", 2)
    games.reset(10)
    start = games.observations.copy()
    row = [
        games.encoded.actions.numbers["action", "mark", f"grid[{row}][{column}].mark"]
        for row, column in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    ]
    for action in row:
        assert not games.terminated.any()
        games.step([action, action])
    assert games.terminated.all() and games.rewards.tolist() == [[1, -1]] * 2
    assert (games.observations == start).all() and (games.masks.sum(axis=1) == 9).all()
    assert [games._games.seed(game) for game in range(2)] == [12, 13]  # type: ignore[attr-defined]


def test_an_illegal_action_ends_the_game_with_the_least_payoff() -> None:
    games = VectorEnvironment("tic-tac-toe", 2)
    legal = int(numpy.flatnonzero(games.masks[0])[0])
    games.step([legal, legal])
    games.step([legal, int(numpy.flatnonzero(games.masks[1])[0])])
    assert games.illegal.tolist() == games.terminated.tolist() == [True, False]
    assert games.rewards.tolist() == [[0, -1], [0, 0]]


def test_a_game_that_is_too_long_is_truncated() -> None:
    games = VectorEnvironment("connect-four", 2, choice_limit=3)
    for step in range(4):
        assert games.truncated.all() == (step == 3)
        games.step([int(numpy.flatnonzero(mask)[0]) for mask in games.masks])


def test_games_that_change_their_board_run_in_python() -> None:
    source = """
    game "Growing";
    players 2;
    tile sq { action take { trigger on player choice; require { this.player == none }
      effect { this.player = player; if sq.all.all(c: c.player != none) win player; pass; } } }
    board { group grid square 1 by 2 { sq; } }
    action grow { trigger on player choice; require { grid[0][2] == none }
      effect { grid.add(sq, 0, 2); pass; } }
    """
    rules = compile_source(source, engine="native")
    games = VectorEnvironment(rules, 2)
    assert not games.is_native
    assert len(play(games, 10)) == 10


@pytest.mark.parametrize(("count", "limit"), [(0, 10), (1 << 20, 10), (1, 0)])
def test_numbers_out_of_range_are_refused(count: int, limit: int) -> None:
    with pytest.raises(ValueError):
        VectorEnvironment("tic-tac-toe", count, choice_limit=limit)


def test_each_game_needs_a_seed() -> None:
    with pytest.raises(ValueError, match="there are 2 games, but 3 seeds"):
        VectorEnvironment("tic-tac-toe", 2).reset([1, 2, 3])


def test_the_environment_of_gymnasium_has_the_rewards_of_the_acting_players() -> None:
    games: VectorEnv[Any, Any, Any] = GameVector("tic-tac-toe", 3)
    observations, infos = games.reset(seed=5)
    assert observations in games.observation_space
    rewards = numpy.zeros(3)
    while not rewards.any():
        actions = observations["action_mask"].argmax(axis=1)
        assert actions in games.action_space
        observations, rewards, terminated, truncated, infos = games.step(actions)
        assert infos["payoffs"][range(3), infos["acted"]].tolist() == rewards.tolist()
    assert terminated.all() and not truncated.any() and rewards.tolist() == [1, 1, 1]
    assert (infos["player"] == 0).all()
