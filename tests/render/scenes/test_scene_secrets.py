"""A scene shows what its seat may know and nothing else: it changes only when the view or the record does."""

import pytest

from ludograph.play import Generator
from ludograph.render.scenes.messages import scene_message
from ludograph.render.scenes.states import scene_of
from ludograph.tgdl.game.game import State
from tests.games.shipped import load

SECRET = ("crazy-eights", "liars-dice")
PLAYED = (*SECRET, "backgammon", "hexil", "kalah", "pig", "two-lagoons")
STEPS = 8


def seats_of(state: State) -> tuple[int | None, ...]:
    return None, *range(state.players)


@pytest.mark.parametrize("name", SECRET)
def test_states_that_look_equal_to_a_seat_have_equal_scenes(name: str) -> None:
    state, generator = load(name).new(players=3, seed=5), Generator(2)
    differs = 0
    for _ in range(STEPS):
        state.push(state.legal_moves[generator.below(len(state.legal_moves))])
        for seat in range(state.players):
            one, other = (state.resample(seat, generator) for _ in range(2))
            assert other.view(seat) == one.view(seat)
            assert scene_message(scene_of(other, seat)) == scene_message(scene_of(one, seat))
            for rival in range(state.players):
                looks_equal = other.view(rival) == one.view(rival)
                differs += not looks_equal
                scenes = [scene_of(each, rival, choices=False) for each in (one, other)]
                assert looks_equal == (scenes[0] == scenes[1])
    assert differs, "other hands are sometimes different"


@pytest.mark.parametrize("name", PLAYED)
def test_a_scene_changes_only_when_the_view_or_the_record_of_its_seat_does(name: str) -> None:
    state, generator = load(name).new(seed=4), Generator(3)
    seen: dict[tuple[int | None, str], object] = {}
    for _ in range(STEPS):
        for seat in seats_of(state):
            known = (seat, state.view_json(seat).decode() + str(state.record_for(seat)))
            scene = scene_of(state, seat)
            assert seen.setdefault(known, scene) == scene
            # What the engine computed before, and how the state was reached, make no difference.
            again = state.game.from_bytes(state.to_bytes())
            if again.view(seat) == state.view(seat):
                assert scene_of(again, seat) == scene
        moves = state.legal_moves
        if not len(moves):
            break
        state.push(moves[generator.below(len(moves))])


@pytest.mark.parametrize("name", SECRET)
def test_nothing_that_only_others_see_is_in_the_bytes_of_a_scene(name: str) -> None:
    state = load(name).new(players=3, seed=5)
    for seat in seats_of(state):
        unseen = set(state.view(1)["things"]) - set(state.view(seat)["things"])
        message = scene_message(scene_of(state, seat))
        ids = {item.id for item in message.items}
        assert not {f"card.{thing.replace('#', '-')}" for thing in unseen} & ids
        assert not any(thing in item.title for item in message.items for thing in unseen)
