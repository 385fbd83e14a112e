"""The balance of games whose statistics are known."""

import json

import pytest

from ludograph.lab.balance import Balance, measure_balance, measure_skill
from tests.cli.command import call
from tests.tgdl.rules import game

# The first player wins after three moves, whatever happens; a `quit` of the second is never offered.
SHORT = """
enum colour { red, green, blue }
global state table { decimal moves = 0; }
action paint
{
  trigger on player choice;
  input colour c in { red, blue };
  effect { table.moves += 1; if table.moves == 3 win player 0; pass; }
}
verb value(player p) { (1 if p == player 0 else 0) * table.moves }
"""
# A coin decides; nobody leads before.
COIN = """
action flip { trigger on player choice; effect { if random 2 == 0 win player 0; win player 1; } }
"""
# Whoever takes the last stone of five wins, one or two at a time: skill decides.
NIM = """
global state heap { decimal stones = 8; }
action take
{
  trigger on player choice;
  input decimal n from 1 to 2;
  require { n <= heap.stones }
  effect { heap.stones -= n; if heap.stones == 0 win player; pass; }
}
"""


def balance_of(text: str, games: int = 60) -> Balance:
    return measure_balance(game(text).new(), games, seed=2)


def test_a_game_that_the_first_player_always_wins() -> None:
    found = balance_of(SHORT)
    assert [(seat.wins, seat.score) for seat in found.seats] == [(60, 1.0), (0, 0.0)]
    assert (found.games, found.draws, found.unfinished) == (60, 0, 0)
    assert (found.mean_length, found.quantile(0.05), found.quantile(0.95)) == (3.0, 3, 3)
    assert (found.branching, found.forced, found.lead_changes) == (2.0, 0.0, 0.0)
    assert [(each.moment, each.score) for each in found.leaders if each.games] == [(0.5, 1.0), (0.75, 1.0)]


def test_actions_and_values_are_counted() -> None:
    choices = {(each.action, each.value): each for each in balance_of(SHORT).choices}
    assert set(choices) == {("paint", ""), ("paint", "red"), ("paint", "blue")}
    assert choices["paint", "red"].offered == choices["paint", ""].offered == 180
    assert (
        choices["paint", "red"].chosen + choices["paint", "blue"].chosen == choices["paint", ""].chosen == 180
    )
    assert choices["paint", ""].won == pytest.approx(2 / 3)  # two of three moves are those of the winner


def test_a_coin_has_no_leader_and_forced_moves() -> None:
    found = balance_of(COIN)
    assert (found.forced, found.branching, found.decisions) == (1.0, 1.0, 60)
    assert 10 < found.seats[0].wins < 50
    low, high = found.seats[0].interval
    assert low < found.seats[0].score < high


def test_unfinished_games_are_not_results() -> None:
    text = "action wait { trigger on player choice; effect { pass; } }"
    found = measure_balance(game(text).new(), 3, limit=5)
    assert (found.unfinished, found.mean_length) == (3, 5.0)
    assert [seat.score for seat in found.seats] == [0.0, 0.0]


def test_games_of_bots_are_described_in_the_same_way() -> None:
    found = measure_balance(game(SHORT).new(), 3, bots=("flat:4", "random"))
    assert (found.games, found.seats[0].wins, found.sampled_games, found.decisions) == (3, 3, 3, 9)


def test_skill_tells_luck_from_thought() -> None:
    assert measure_skill(game(COIN).new(), 20, iterations=8).fair == 0.5
    skill = measure_skill(game(NIM).new(), 12, iterations=64, seed=1)
    assert (skill.stronger, skill.weaker, skill.games) == ("mcts:64", "mcts:32", 12)
    assert 0 <= skill.interval[0] <= skill.score <= skill.interval[1] <= 1


def test_the_command_describes_a_game() -> None:
    result = call("balance", "tic-tac-toe", "-n", "50", "--seed", "1", "--skill", "2")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert lines[0].startswith("50 games, ")
    assert any(line.startswith("mcts:200 against mcts:100") for line in lines)
    assert any(line.startswith("mark ") for line in lines)


def test_the_command_writes_json() -> None:
    told = json.loads(call("balance", "pig", "-n", "10", "--option", "target=10", "--json").out)
    assert (told["game"], told["games"], told["skill"]) == ("Pig", 10, None)
    assert {"seats", "lengths", "branching", "forced", "leaders", "choices"} <= set(told)
