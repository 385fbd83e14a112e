"""Backgammon: which dice must be played, against a program that tries all ways; bar, hits and stakes."""

import re

import pytest

from ludograph.play.generator import Generator
from ludograph.tgdl.game.game import State
from tests.games.peers.rivals import backgammon_first_steps
from tests.games.shipped import load, men_of


def dice_of(state: State) -> tuple[int, ...]:
    things = state.to_json()["instances"]
    assert isinstance(things, dict)
    return tuple(things["table"]["dice"])


def steps_of(state: State, player: int) -> set[tuple[int, int]]:
    found = set()
    for move in state.legal_moves:
        step = re.fullmatch(r"(?:p(\d+)|bar\d)\.play\(die: (\d)\)", move.text)
        assert step is not None
        point = int(step[1]) if step[1] else 25 - 25 * player
        found.add((point if player == 0 else 25 - point, int(step[2])))
    return found


def position(men: dict[str, tuple[int, int]], dice: list[int], home: list[int]) -> State:
    points = {f"track.{name}": {"player": player, "men": count} for name, (player, count) in men.items()}
    things = points | {"table": {"dice": dice, "home": home}}
    data = {"format": 1, "stage": "play", "active": 0, "instances": things}
    return load("backgammon").new(seed=1, position=data)


# With seed 4 both are shut out, one after the other, which is no draw.
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 4])
def test_a_program_that_tries_all_ways_agrees_throughout_a_random_game(seed: int) -> None:
    state = load("backgammon").new(seed=seed)
    generator = Generator(seed)
    while state.asked:
        player = state.asked[0]
        men, foes = men_of(state, player), men_of(state, 1 - player)
        assert sum(men) == sum(foes) == 15
        assert steps_of(state, player) == backgammon_first_steps(men, foes, dice_of(state))
        moves = state.legal_moves
        state.push(moves[generator.below(len(moves))])
    assert state.result is not None
    assert state.result.text.startswith("win")


def test_the_higher_die_is_played_if_only_one_can_be() -> None:
    state = position({"p24": (0, 1), "p15": (1, 2)}, [4, 5], [14, 13])
    assert [move.text for move in state.legal_moves] == ["p24.play(die: 5)"]


def test_a_step_after_which_the_other_die_cannot_be_played_is_not_offered() -> None:
    # Only the man on p20 can play the 6, and from p18 it could not.
    state = position({"p20": (0, 1), "p10": (0, 1), "p12": (1, 2), "p4": (1, 2)}, [6, 2], [13, 11])
    assert [move.text for move in state.legal_moves] == ["p10.play(die: 2)", "p20.play(die: 6)"]


def test_a_single_man_is_hit_and_must_enter_first() -> None:
    state = position({"p24": (0, 2), "p20": (1, 1), "p13": (1, 2)}, [4, 1], [13, 12])
    state.push("p24.play(die: 4)")
    assert men_of(state, 1)[25] == 1
    state.push("p24.play(die: 1)")
    assert {pip for pip, _ in steps_of(state, 1)} == {25}


@pytest.mark.parametrize(
    "loser, off, stake",
    [({"p10": (1, 14)}, 1, 1), ({"p10": (1, 15)}, 0, 2), ({"p3": (1, 15)}, 0, 3), ({"bar1": (1, 15)}, 0, 3)],
)
def test_the_stake_grows_with_the_defeat(loser: dict[str, tuple[int, int]], off: int, stake: int) -> None:
    state = position({"p1": (0, 1), **loser}, [1], [14, off])
    state.push("p1.play(die: 1)")
    assert state.result is not None
    assert state.result.payoffs == (stake, -stake)
