"""Bots for any game, on both engines."""

from itertools import count

import pytest

from ludograph.bots import parse_bot
from ludograph.games import load
from ludograph.games.sources import compile_source
from ludograph.play import Bot, Generator, Move, SearchSettings, Seat, play_bot, play_bots
from ludograph.tgdl.game.game import State

ENGINES = ("native", "reference")

RACE = """
players 2 has seat;
local state seat { decimal steps = 0; }
verb value(player p) { seat[p].steps - seat[players.next(p)].steps }
action step
{
  trigger on player choice;
  input decimal n from 1 to 3;
  effect { seat[player].steps += n; if seat[player].steps >= 9 win player; pass; }
}
"""


def make(text: str, seed: int = 1) -> Bot:
    ticks = count()
    return parse_bot(text).make(Generator(seed), lambda: next(ticks) / 1000)


def tic_tac_toe(engine: str, *moves: str) -> State:
    state = load("tic-tac-toe", engine=engine).new()
    for move in moves:
        state.push(move)
    return state


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bot", ["mcts:300", "flat:300", "greedy"])
def test_a_bot_wins_in_one_move(bot: str, engine: str) -> None:
    state = tic_tac_toe(engine, "grid[0][0].mark", "grid[1][0].mark", "grid[0][1].mark", "grid[1][1].mark")
    play_bot(state, make(bot), 0)
    assert state.result is not None and state.result.winners == (0,)


@pytest.mark.parametrize("engine", ENGINES)
def test_tree_search_prevents_a_win_in_one_move(engine: str) -> None:
    state = tic_tac_toe(engine, "grid[0][0].mark", "grid[1][1].mark", "grid[0][1].mark")
    assert play_bot(state, make("mcts:300"), 1).text == "grid[0][2].mark"


def test_tree_search_never_loses_tic_tac_toe() -> None:
    for seed in range(6):
        bots = [make("mcts:1000", seed), make("random" if seed % 2 else "flat:300", seed)]
        order = bots if seed < 3 else bots[::-1]
        state = tic_tac_toe("native")
        play_bots(state, order, chance=Generator(seed))
        assert state.result is not None and order.index(bots[1]) not in state.result.winners


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bot", ["random", "greedy", "flat:40", "mcts:40"])
def test_the_same_seed_and_budget_give_the_same_game(bot: str, engine: str) -> None:
    records = []
    for _ in range(2):
        state = load("pig", engine=engine).new(options={"target": 20})
        play_bots(state, [make(bot, 5), make("random", 6)], chance=Generator(7), limit=40)
        records.append(state.record)
    assert records[0] == records[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_greedy_takes_the_move_with_the_best_value(engine: str) -> None:
    state = compile_source(RACE, engine=engine).new()
    assert [play_bot(state, make("greedy"), player).text for player in (0, 1)] == ["step(n: 3)", "step(n: 3)"]
    assert (state.value(0), state.value(1)) == (0.0, 0.0)
    state.push("step(n: 2)")
    assert (state.value(0), state.value(1)) == (2.0, -2.0)


POINTS = """
players 2;
global state table { decimal turns = 0; }
verb value(player p) { 0 }
action give_up { trigger on player choice; effect { finish players.table(p: (30 if p == player else 34)); } }
action go_on
{
  trigger on player choice;
  effect { table.turns += 1; if table.turns == 6 finish players.table(p: 32); pass; }
}
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bot", ["mcts:60", "flat:60"])
def test_a_search_with_values_counts_who_wins_and_not_the_points(bot: str, engine: str) -> None:
    state = compile_source(POINTS, engine=engine).new()
    assert play_bot(state, make(bot), 0).text == "go_on"
    search = state.start_search(1, SearchSettings(), 1)
    search.run(60)
    assert {move.text: move.payoff for move in search.moves()}["give_up"] == -1


@pytest.mark.parametrize("engine", ENGINES)
def test_guided_play_outs_take_the_best_of_a_few_moves(engine: str) -> None:
    state = compile_source(RACE, engine=engine).new()
    search = state.start_search(0, SearchSettings(playout_limit=50, playout_choices=40, is_flat=True), 1)
    search.run(30)
    payoffs = {move.text: move.payoff for move in search.moves()}
    # Who then always makes three steps wins only with three steps now.
    assert payoffs == {"step(n: 1)": -1, "step(n: 2)": -1, "step(n: 3)": 1}


def test_a_game_without_the_verb_has_no_value() -> None:
    assert tic_tac_toe("native").value(0) is None and tic_tac_toe("reference").value(1) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bot_makes_every_choice_of_a_compound_move(engine: str) -> None:
    rules = """
    players 2;
    action pay
    {
      trigger on player choice;
      input decimal[] coins in {1, 2, 5} from 2 to 2;
      effect { if coins.sum() == 7 win player; win players.next(player); }
    }
    """
    state = compile_source(rules, engine=engine).new()
    move = play_bot(state, make("mcts:200"), 0)
    assert len(move.choices) == 3 and state.result is not None and state.result.winners == (0,)


def test_each_of_three_players_maximises_its_own_payoff() -> None:
    rules = """
    players 3;
    global state table { decimal turns = 0; }
    action take
    {
      trigger on player choice;
      input decimal n from 0 to 2;
      effect
      {
        table.turns += 1;
        if table.turns == 2 { if n == 1 finish { 5, 1, 9 }; finish { 9, 0, 5 }; }
        pass;
      }
    }
    """
    state = compile_source(rules, engine="native").new()
    state.push("take(n: 0)")
    assert play_bot(state, make("mcts:100"), 1).text == "take(n: 1)"


def test_a_tree_is_kept_from_move_to_move() -> None:
    state = load("connect-four", engine="native").new()
    first = state.start_search(0, SearchSettings(), 1)
    first.run(400)
    state.push(Move(first.moves()[0].choices))
    state.push(state.legal_moves[0])
    again = state.start_search(0, SearchSettings(), 1, first)
    assert 0 < sum(move.visits for move in again.moves()) < 400
    again.run(100)
    state.push(Move(again.moves()[0].choices))


def test_a_full_tree_goes_on_without_new_nodes() -> None:
    state = load("connect-four", engine="native").new()
    search = state.start_search(0, SearchSettings(memory=1 << 16), 1)
    search.run(3000)
    assert search.iterations == 3000 and len(search.moves()) == 7


def test_a_line_names_the_expected_moves() -> None:
    state = tic_tac_toe("native", "grid[0][0].mark", "grid[1][0].mark")
    search = state.start_search(0, SearchSettings(), 1)
    search.run(500)
    line = search.moves(line=3)[0].line
    assert [each.partition(":")[0] for each in line] == ["1", "0", "1"][: len(line)] and line


WRONG_BUDGET = (
    "the budget of '{0}' is a number of iterations, such as {0}:1000, or of seconds, such as {0}:2s, not {1}"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mtcs", "there is no bot 'mtcs'; did you mean mcts?"),
        ("", "there is no bot '', only random, greedy, flat, mcts, settlers"),
        ("random:5", "'random' has no budget, so nothing may follow its name"),
        ("mcts:", WRONG_BUDGET.format("mcts", "''")),
        ("mcts:0", "the number of iterations is between 1 and 1,000,000,000, not 0"),
        ("flat:0s", "the number of seconds is more than 0 and at most 86,400, not 0s"),
        ("flat:-1", WRONG_BUDGET.format("flat", "'-1'")),
    ],
)
def test_a_wrong_text_of_a_bot_is_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_bot(text)
    assert str(caught.value) == message


def test_a_bot_sees_only_what_its_seat_may_know() -> None:
    seat = Seat(load("liars-dice").new(seed=1), 0)
    shown = "has_secrets history legal_moves player players question resample start_search view"
    assert [name for name in dir(seat) if not name.startswith("_")] == shown.split()
    assert "?" in seat.history.moves[0].text
