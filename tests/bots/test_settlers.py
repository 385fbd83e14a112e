"""The settlers player: it plays whole games, knows only what its seat may know, and beats random players."""

from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from ludograph.bots import parse_bot
from ludograph.bots.settlers import LEVELS, SettlersBot
from ludograph.bots.settlers.guessing import Guesses
from ludograph.bots.settlers.judging import Judge
from ludograph.games import State as GameState
from ludograph.games import load
from ludograph.lab.matches import play_match
from ludograph.play import Bot, Generator, Seat, State, play_bot, play_bots


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


def test_a_decision_judges_a_limited_number_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = 0
    original = Judge.chance_of

    def chance_of(self: Judge, *arguments: Any) -> float:
        nonlocal judged
        judged += 1
        return original(self, *arguments)

    monkeypatch.setattr(Judge, "chance_of", chance_of)
    counts = []
    for limit in (40, 400):
        state = rich_state()
        judged = 0
        bot = SettlersBot(replace(LEVELS["hard"], max_judged=limit), Generator(1))
        move = bot.choose(Seat(state, 0))
        assert move.text in [each.text for each in state.legal_moves_of(0)]
        counts.append(judged)
    # The outcomes of one move of chance are judged to the end.
    assert counts[0] <= 40 + 60 and 200 < counts[1] <= 400 + 60


def test_a_deadline_ends_a_decision() -> None:
    state = rich_state()
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return float(asked)

    move = SettlersBot("hard", Generator(1), clock, seconds=10).choose(Seat(state, 0))
    assert move.text in [each.text for each in state.legal_moves_of(0)]
    assert 10 <= asked <= 30


def rich_state() -> State:
    """A state in which player 0 has many cards and the turn."""
    game = load("hexil", engine="native")
    state, generator = game.new(players=4), Generator(3)
    state.sample_chance(generator)
    while "end" not in [move.text for move in state.legal_moves]:
        legal = state.legal_moves
        state.push(legal[generator.below(len(legal))])
        state.sample_chance(generator)
    data = state.to_json()
    instances = data["instances"]
    assert isinstance(instances, dict)
    instances["seat#1"] |= {"hand": [4, 4, 4, 4, 4], "hand_size": 20}
    instances["table"]["stock"] = [9, 9, 9, 9, 9]
    return game.from_json(data)


def hands(state: State) -> list[list[int]]:
    assert isinstance(state, GameState)
    instances = state.to_json()["instances"]
    assert isinstance(instances, dict)
    return [instances[f"seat#{player}"]["hand"] for player in (2, 3, 4)]


def distance(state: State, other: State) -> int:
    pairs = zip(hands(state), hands(other), strict=True)
    return sum(abs(a - b) for one, two in pairs for a, b in zip(one, two, strict=True))


def test_guesses_look_the_same_and_remember_the_history() -> None:
    state, chance = load("hexil", engine="native").new(players=4), Generator(2)
    bots = [make("easy", player) for player in range(4)]
    guesses, draws = Guesses(), Generator(5)
    remembered = forgotten = 0
    for _ in range(260):
        state.sample_chance(chance)
        player = state.asked[0]
        if player == 0:
            seat, seen = Seat(state, 0), {**state.view(0), "moves": None}
            for guess in guesses.draw(seat, 2, draws):
                assert {**guess.view(0), "moves": None} == seen
                remembered += distance(guess, state)
                forgotten += distance(seat.resample(draws), state)
        play_bot(state, bots[player], player)
    assert remembered < 0.8 * forgotten
