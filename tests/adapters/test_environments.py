"""Games in Gymnasium and PettingZoo: the tests of both pass."""

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from ludograph.adapters.gymnasium import GameEnvironment
from ludograph.adapters.pettingzoo import GameAgents

GAMES = ["tic-tac-toe", "crazy-eights", "pig", "liars-dice"]
WARNINGS = (
    "ignore::UserWarning"  # of the checkers: about unbounded boxes and observations that are dictionaries
)


@pytest.mark.filterwarnings(WARNINGS)
@pytest.mark.parametrize("name", GAMES)
def test_the_checker_of_gymnasium_passes(name: str) -> None:
    check_env(GameEnvironment(name), skip_render_check=True)


@pytest.mark.filterwarnings(WARNINGS)
@pytest.mark.parametrize("name", GAMES)
def test_the_tests_of_pettingzoo_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(GameAgents(name), num_cycles=40)
    seed_test(lambda: GameAgents(name))


def test_a_seat_plays_whole_games_against_bots_with_masked_actions() -> None:
    environment = GameEnvironment("connect-four", seat=1, opponents=("mcts:20",))
    total = 0.0
    for seed in range(3):
        _, info = environment.reset(seed=seed)
        is_over = False
        while not is_over:
            legal = [number for number, is_legal in enumerate(info["action_mask"]) if is_legal]
            observation, reward, is_over, _, info = environment.step(legal[0])
            assert (observation["action_mask"] == info["action_mask"]).all()
        assert not any(info["action_mask"])
        total += float(reward)
    assert -3 <= total <= 3


def test_the_same_seed_gives_the_same_episode() -> None:
    def episode(seed: int) -> list[float]:
        environment = GameEnvironment("crazy-eights", players=3, opponents=("random",))
        observation, info = environment.reset(seed=seed)
        found = [float(observation["observation"].sum())]
        for _ in range(20):
            legal = [number for number, is_legal in enumerate(info["action_mask"]) if is_legal]
            if not legal:
                break
            observation, *_, info = environment.step(legal[-1])
            found.append(float(observation["observation"].sum()))
        return found

    assert episode(5) == episode(5)


def test_an_illegal_action_ends_the_episode_with_the_least_payoff() -> None:
    environment = GameEnvironment("tic-tac-toe")
    environment.reset(seed=1)
    _, reward, terminated, _, info = environment.step(environment.encoded.actions.size - 1)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)


def test_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="the seat is between 0 and 1, not 2"):
        GameEnvironment("tic-tac-toe", seat=2)
