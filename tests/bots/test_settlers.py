"""The settlers player: it plays whole games, knows only what its seat may know, and beats random players."""

from itertools import count

import pytest

from ludograph.bots import parse_bot
from ludograph.bots.settlers import LEVELS, SettlersBot
from ludograph.games import load
from ludograph.lab.matches import play_match
from ludograph.play import Bot, Generator, Seat, State, play_bots


def make(level: str, seed: int = 1) -> Bot:
    ticks = count()
    return parse_bot(f"settlers:{level}").make(Generator(seed), lambda: next(ticks) / 1000)


def after_random_moves(seed: int, moves: int, players: int = 4) -> State:
    state = load("hexil", engine="native").new(players=players)
    generator = Generator(seed)
    for _ in range(moves):
        state.sample_chance(generator)
        if not state.asked:
            break
        legal = state.legal_moves
        state.push(legal[generator.below(len(legal))])
    state.sample_chance(generator)
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_resampled_state_looks_the_same_to_the_player(players: int) -> None:
    for moves in (0, 9, 300, 700):
        state = after_random_moves(players, moves, players)
        for player in range(players):
            seen = {**state.view(player), "moves": None}
            drawn = [state.resample(player, Generator(number)) for number in range(3)]
            assert all({**each.view(player), "moves": None} == seen for each in drawn)
            assert drawn[0].resample(player, Generator(9)) == state.resample(player, Generator(9))
    assert len({each.digest() for each in drawn}) > 1  # type: ignore[attr-defined]


def test_a_resampled_state_keeps_the_number_of_each_card() -> None:
    state = after_random_moves(5, 500)
    drawn = state.resample(1, Generator(3))
    for each in (state, drawn):
        things = each.to_json()["instances"]  # type: ignore[attr-defined]
        seats = [things[f"seat#{number}"] for number in range(1, 5)]
        stock, deck = things["table"]["stock"], things["table"]["deck"]
        used = things["table"]["used"]
        assert [sum(counts) for counts in zip(stock, *(seat["hand"] for seat in seats), strict=True)] == [
            19
        ] * 5
        held = [seat[name] for seat in seats for name in ("cards", "fresh")]
        assert [sum(counts) for counts in zip(deck, used, *held, strict=True)] == [14, 2, 2, 5, 2]
        for seat in seats:
            assert seat["hand_size"] == sum(seat["hand"])
            assert seat["unplayed_size"] == sum(seat["cards"]) + sum(seat["fresh"])
            assert seat["fresh_size"] == sum(seat["fresh"])


@pytest.mark.parametrize("level", LEVELS)
def test_states_that_look_the_same_get_the_same_choice(level: str) -> None:
    for moves in (5, 60, 200):
        state = after_random_moves(8, moves)
        player = state.asked[0]
        other = state.resample(player, Generator(77))
        choices = [make(level).choose(Seat(each, player)) for each in (state, other)]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("players", [2, 5, 6])
def test_every_level_plays_complete_games(players: int) -> None:
    levels = [list(LEVELS)[number % 3] for number in range(players)]
    played = play_match(
        load("hexil", engine="native"),
        [f"settlers:{level}" for level in levels],
        players=players,
        options={"points": 5},
    )
    assert played.result is not None and len(played.result.winners) == 1


def test_the_same_seed_gives_the_same_game() -> None:
    records = []
    for _ in range(2):
        state = load("hexil", engine="native").new(players=3)
        play_bots(state, [make("hard", seed) for seed in range(3)], chance=Generator(4), limit=60)
        records.append(state.record.moves)
    assert records[0] == records[1]


def test_medium_beats_random_players() -> None:
    played = play_match("hexil", ["settlers:medium", "random", "random", "random"], seed=3)
    assert played.result is not None and played.result.winners == (0,)


def test_hard_takes_the_move_that_wins() -> None:
    state = load("hexil", engine="native").new(players=2, seed=1, options={"points": 3})
    generator = Generator(1)
    bots = [SettlersBot("hard", Generator(seed)) for seed in range(2)]
    play_bots(state, bots, chance=generator, limit=2000)
    assert state.result is not None


@pytest.mark.parametrize("text", ["settlers:strong", "settlers:", "settlers:100"])
def test_a_wrong_level_is_explained(text: str) -> None:
    with pytest.raises(ValueError, match="the levels of 'settlers' are easy, medium, hard, not"):
        parse_bot(text)


def test_the_level_is_hard_if_none_is_given() -> None:
    assert parse_bot("settlers").text == "settlers:hard"
