"""Matches between bots, over the protocol that every game follows."""

from ludograph.bots.simple_bots import RandomBot
from ludograph.play import CHANCE, Generator, Move, Seat, perft, play_bots
from ludograph.play.match import Outcome, summarize
from ludograph.play.results import drawn_by, won_by
from tests.tgdl.rules import draft, game


class FirstMove:
    def choose(self, seat: Seat) -> Move:
        return seat.legal_moves[0]


def test_bots_play_a_match_to_its_end() -> None:
    outcome = play_bots(draft("tictactoe").new(), [FirstMove(), FirstMove()], chance=Generator(1))
    assert outcome.result is not None
    assert (outcome.result.winners, outcome.moves) == ((0,), 7)


def test_a_limit_cuts_a_match_short_and_gives_no_result() -> None:
    outcome = play_bots(draft("connect4").new(), [FirstMove(), FirstMove()], chance=Generator(1), limit=3)
    assert (outcome.result, outcome.moves) == (None, 3)


def test_random_bots_play_the_same_match_again() -> None:
    matches = []
    for _ in range(2):
        state = draft("liarsdice").new()
        bot = RandomBot(Generator(4))
        play_bots(state, [bot, bot], chance=Generator(8))
        matches.append(state)
    assert matches[0] == matches[1]
    assert matches[0].record == matches[1].record


def test_a_generator_answers_all_that_chance_is_asked() -> None:
    state = draft("liarsdice").new()
    assert state.asked == (CHANCE,)
    state.sample_chance(Generator(2))
    assert state.asked == (0,)


def test_no_moves_is_one_sequence() -> None:
    assert perft(draft("tictactoe").new(), 0) == 1


def test_moves_are_counted_however_many_follow_one_another() -> None:
    rules = game("action go { trigger on player choice; effect { pass; } }")
    assert perft(rules.new(), 1200) == 1


def test_chance_is_counted_however_often_it_is_asked_in_a_row() -> None:
    rules = game("""
    global state t { decimal n = 0; }
    action go { trigger on player choice; effect { for decimal i from 1 to 400 t.n += random 1; pass; } }
    """)
    assert [perft(rules.new(), depth) for depth in (1, 2)] == [1, 1]


def test_outcomes_count_each_whether_they_are_shared_or_equal() -> None:
    won, drawn = Outcome(won_by((0,), 2), 5), Outcome(drawn_by((0, 1), 2), 9)
    equal = Outcome(won.result, 5)
    found = summarize(iter([won, drawn, won, equal, Outcome(None, 2)]))
    assert (found.playouts, found.moves, found.shortest, found.longest) == (5, 26, 2, 9)
    assert found.payoffs == (3.0, -3.0)
    assert found.results == {"draw": 1, "unfinished": 1, "win 0": 3}
