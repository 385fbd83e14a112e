"""Bots know only what their seat may know: resampling, and equal choices in states that look the same."""

from itertools import count

import pytest

from ludograph.bots import parse_bot
from ludograph.games import load
from ludograph.play import Generator, Seat
from ludograph.play.seats import CannotResample
from tests.tgdl.rules import SEALED_BIDS, game


@pytest.mark.parametrize("name", ["crazy-eights", "liars-dice"])
def test_a_resampled_state_looks_the_same_and_forgets_the_secrets(name: str) -> None:
    rules = load(name, engine="reference")
    for seed in range(3):
        state = rules.new(seed=seed)
        for _ in range(seed):
            state.push(state.legal_moves[0])
        player = state.asked[0]
        drawn = [state.resample(player, Generator(number)) for number in range(4)]
        seen = state.view(player)
        assert all({**each.view(player), "moves": None} == {**seen, "moves": None} for each in drawn)
        assert len({each.digest() for each in drawn}) > 1
        assert drawn[0].resample(player, Generator(9)) == state.resample(player, Generator(9))


@pytest.mark.parametrize(("name", "bot"), [("liars-dice", "mcts:40"), ("crazy-eights", "greedy")])
def test_states_that_look_the_same_get_the_same_choice(name: str, bot: str) -> None:
    state = load(name, engine="reference").new(seed=2)
    player = state.asked[0]
    other = state.resample(player, Generator(77))
    assert other != state
    ticks = count()
    choices = [
        parse_bot(bot).make(Generator(3), lambda: float(next(ticks))).choose(Seat(each, player))
        for each in (state, other)
    ]
    assert choices[0] == choices[1]


def test_a_sealed_choice_of_another_player_is_forgotten() -> None:
    state = game(SEALED_BIDS).new()
    bids = []
    for bid in (1, 3):
        after = state.copy()
        after.push(f"seat#1.bet(n: {bid})", 0)
        bids.append(after.resample(1, Generator(1)))
    assert bids[0] == bids[1]


def test_rules_that_hide_attributes_without_drawing_them_anew_are_refused() -> None:
    source = """
players 2 has seat;
local state seat
{
  private decimal shown = 0;
  action throw { trigger on player choice; effect { shown = random 6; pass; } }
}
"""
    state = game(source).new(seed=1)
    with pytest.raises(CannotResample, match="no `resample` block draws this anew"):
        state.resample(0, Generator(1))
