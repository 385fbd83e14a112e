"""Games in OpenSpiel: its own tests and algorithms run on them."""

import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability, mcts
from open_spiel.python.algorithms.cfr import CFRSolver

import ludograph
from ludograph.adapters.openspiel import openspiel_game

GUESS = """
game "Guess";
enum coin { heads, tails }
local state seat { }
global state table
{
  hidden coin secret = heads;
  action guess
  {
    trigger on player choice;
    input coin side;
    effect { if side == secret { win player; } else { win players.next(player); } }
  }
}
setup { table.secret = (heads if random 2 == 0 else tails); }
"""


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "liars-dice", "connect-four"])
def test_the_tests_of_openspiel_pass(name: str) -> None:
    pyspiel.random_sim_test(openspiel_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ludograph.list_games())
def test_the_tests_of_openspiel_pass_for_every_game(name: str) -> None:
    pyspiel.random_sim_test(openspiel_game(name), num_sims=1, serialize=False, verbose=False)


def test_returns_and_texts_are_those_of_the_game() -> None:
    game = openspiel_game("tic-tac-toe")
    state = game.new_initial_state()
    for text in (
        "grid[0][0].mark",
        "grid[1][0].mark",
        "grid[0][1].mark",
        "grid[1][1].mark",
        "grid[0][2].mark",
    ):
        actions = {state.action_to_string(each): each for each in state.legal_actions()}
        state.apply_action(actions[text])
    assert state.is_terminal() and state.returns() == [1.0, -1.0]
    assert str(state).splitlines()[-1] == "0: grid[0][2].mark"


def test_a_copy_of_a_state_goes_its_own_way() -> None:
    state = openspiel_game("pig").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    twin = state.clone()
    twin.apply_action(twin.chance_outcomes()[0][0])
    assert state.is_chance_node() and not twin.is_chance_node()
    assert state.history() == twin.history()[:1]


def test_information_states_hide_what_a_player_does_not_see() -> None:
    state = openspiel_game("liars-dice").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    own, other = state.information_state_string(0), state.information_state_string(1)
    assert own != other and "?" in own and "?" in other


def test_the_tree_search_of_openspiel_plays_a_game() -> None:
    game = openspiel_game("tic-tac-toe")
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


def test_counterfactual_regret_minimisation_solves_a_game_with_a_secret() -> None:
    game = openspiel_game(ludograph.compile_source(GUESS, name="guess"), players=2)
    solver = CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 1e-6
