"""Actions with stable numbers, and tensors of views."""

import pytest

import ludograph
from ludograph.adapters.action_ids import ActionTable, build_action_table
from ludograph.adapters.encoding import encode_game, legal_actions, whose_choice
from ludograph.adapters.observations import ObservationEncoder
from ludograph.play.choices import CHANCE, Choice, Kind
from ludograph.play.generator import Generator

LONG = {"hexil", "go", "hex", "chess"}
"""Games in which only the first choices are tried."""


@pytest.mark.parametrize("name", ludograph.list_games())
def test_every_legal_choice_has_an_action_of_its_own(name: str) -> None:
    encoded = encode_game(name)
    state, generator = encoded.new(seed=7), Generator(5)
    spare = 0
    for _ in range(60 if name in LONG else 200):
        chooser = whose_choice(state)
        if chooser is None:
            break
        candidates = state.question(chooser).candidates
        numbers = legal_actions(encoded, state)
        assert list(numbers.values()) != [] and set(numbers.values()) == set(candidates)
        assert list(numbers) == sorted(numbers) and max(numbers) < encoded.actions.size
        spare += sum(number >= len(encoded.actions.actions) for number in numbers)
        state.choose(candidates[generator.below(len(candidates))])
    assert spare == 0, "the material and the sample name all choices of the shipped games"


def test_the_same_game_has_the_same_actions_in_any_order_of_play() -> None:
    game = ludograph.load("crazy-eights", engine="native")
    one, two = build_action_table(game.new(players=3)), build_action_table(game.new(players=3, seed=9))
    assert one.actions == two.actions


def test_a_choice_that_is_not_in_the_table_gets_a_spare_action() -> None:
    table = ActionTable((("action", "go", "go"),), {("action", "go", "go"): 0}, 0, 1, (-1.0, 1.0), 0.0)
    known = Choice(0, Kind.ACTION, "go", (1, 2, 0), "go")
    unknown = Choice(0, Kind.ACTION, "fly", (2, 2, 0), "fly")
    assert table.number_candidates([unknown, known]) == {0: known, 1: unknown}
    assert table.describe(0) == "go" and table.describe(1) == "spare 0"


def test_a_tensor_shows_the_values_of_a_view_at_the_places_that_its_planes_name() -> None:
    state = ludograph.load("tic-tac-toe").new()
    encoder = ObservationEncoder(state)
    state.push("grid[1][1].mark")
    tensor = encoder.encode(state.view(1))
    shown = [
        f"{plane.name}: {label}"
        for plane in encoder.planes
        for index, label in enumerate(plane.labels)
        if tensor[plane.start + index]
    ]
    assert shown == [
        "you: player 1",
        "asked: player 1",
        "active: player 1",
        "thing grid[1][1]: player player 0",
    ]


def test_cards_that_a_seat_does_not_see_are_not_in_its_tensor() -> None:
    state = ludograph.load("crazy-eights", engine="native").new(players=2, seed=4)
    encoder = ObservationEncoder(state)
    tensor = encoder.encode(state.view(0))
    hands = {
        plane.name: int(tensor[plane.start + 1 : plane.start + plane.size].sum())
        for plane in encoder.planes
        if plane.name.startswith("stack seat.hand")
    }
    lengths = {
        plane.name: int(tensor[plane.start])
        for plane in encoder.planes
        if plane.name.startswith("stack seat.hand")
    }
    assert sorted(hands.values()) == [0, 7] and sorted(lengths.values()) == [7, 7]


@pytest.mark.parametrize("name", ["crazy-eights", "liars-dice"])
def test_states_that_look_the_same_to_a_seat_have_the_same_tensor(name: str) -> None:
    encoded = encode_game(name)
    state, generator = encoded.new(seed=3), Generator(8)
    for _ in range(20):
        chooser = whose_choice(state)
        if chooser is None or chooser == CHANCE:
            break
        other = state.resample(0, generator)
        one, two = (encoded.observations.encode(each.view(0)) for each in (state, other))
        assert (one == two).all()
        candidates = state.question(chooser).candidates
        state.choose(candidates[generator.below(len(candidates))])
