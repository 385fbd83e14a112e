"""What a server needs of a state, for every shipped game on both engines: changes, views, records.

Random games with single choices, whole moves, copies and moves that are taken back. The views before and
after each step are known, so the changes between them can be tested.
"""

import json
import random
from typing import Any

import pytest

from ludograph.games import list_games, load
from ludograph.play import CHANCE, Generator, IllegalMove
from ludograph.play.changes import apply_changes
from ludograph.tgdl.game.game import State

STEPS = 25
SECRETIVE = ("crazy-eights", "liars-dice", "hexil")


def viewers(state: State) -> list[int | None]:
    return [None, *range(state.players)]


def views(state: State) -> list[dict[str, Any]]:
    return [state.view(viewer) for viewer in viewers(state)]


def step(state: State, chance: random.Random) -> None:
    """Go on at random, or back."""
    if state.is_over or (chance.random() < 0.2 and state.choice_count() > 3):
        try:
            state.pop()
        except IllegalMove:
            return
    elif state.asked == (CHANCE,):
        state.sample_chance(Generator(chance.randrange(1 << 30)))
    elif chance.random() < 0.3:
        candidates = state.question().candidates
        state.choose(candidates[chance.randrange(len(candidates))])
    else:
        moves = state.legal_moves
        state.push(moves[chance.randrange(len(moves))])


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", list_games())
def test_changes_lead_from_every_earlier_view_to_the_present_one(name: str, engine: str) -> None:
    chance = random.Random(f"{name} 1")
    state = load(name, engine=engine).new(seed=3)
    past: list[tuple[State, int, list[dict[str, Any]]]] = []
    for _ in range(STEPS if engine == "native" else 8):
        past.append((state.copy(), state.choice_count(), views(state)))
        step(state, chance)
        now = views(state)
        earlier, moment, then = past[chance.randrange(len(past))]
        for viewer, old, new in zip(viewers(state), then, now, strict=True):
            changes = json.loads(json.dumps(state.changes(viewer, since=earlier)))
            assert apply_changes(old, changes) == new
            assert apply_changes(old, state.changes(viewer, since=moment)) == new
        count = chance.randrange(state.choice_count() + 1)
        known = state._at_choice_count(count)
        for viewer, new in zip(viewers(state), now, strict=True):
            assert apply_changes(known.view(viewer), state.changes(viewer, since=count)) == new


@pytest.mark.parametrize("name", list_games())
def test_views_as_json_say_what_views_say(name: str) -> None:
    chance = random.Random(f"{name} 2")
    state = load(name, engine="native").new(seed=5)
    for _ in range(STEPS):
        for viewer in viewers(state):
            assert json.loads(state.view_json(viewer)) == state.view(viewer)
        step(state, chance)


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", SECRETIVE)
def test_a_spectator_sees_and_reads_nothing_that_some_player_may_not(name: str, engine: str) -> None:
    chance = random.Random(f"{name} 3")
    state = load(name, engine=engine).new(seed=7)
    for _ in range(STEPS if engine == "native" else 8):
        spectator = state.view()
        assert spectator["you"] is None
        for player in range(state.players):
            view = state.view(player)
            for thing, seen in spectator["things"].items():
                for key, value in seen.items():
                    assert view["things"][thing][key] == value or key.endswith("()")
            assert_hides_no_less(spectator["moves"], view["moves"])
            record = [move.text for move in state.record_for(player).moves]
            assert_hides_no_less([move.text for move in state.record_for(None).moves], record)
        step(state, chance)


def assert_hides_no_less(hidden: list[str], told: list[str]) -> None:
    """Every move is told in the same words, or something in it is hidden."""
    assert len(hidden) == len(told)
    assert all(one == other or "?" in one for one, other in zip(hidden, told, strict=True))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_record_for_a_player_has_neither_the_seed_nor_what_others_hide(engine: str) -> None:
    state = load("liars-dice", engine=engine).new(seed=1)
    own, other, anybody = (state.record_for(viewer).moves[0].text for viewer in (0, 1, None))
    whole = state.record.moves[0].text
    assert state.record.seed is not None and state.record_for(0).seed is None
    assert "?" not in whole
    assert own.count("?") == other.count("?") == whole.count(",") // 2 + 1
    assert anybody.count("?") == whole.count(",") + 1


def test_a_position_that_a_game_with_secrets_began_with_is_not_in_the_record_of_a_player() -> None:
    rules = load("liars-dice")
    state = rules.from_json(rules.new(seed=1).to_json())
    assert state.record.position is not None
    assert state.record_for(0).position is None and state.record_for(None).position is None
    open_game = load("tic-tac-toe")
    assert open_game.from_json(open_game.new().to_json()).record_for(0).position is not None


@pytest.mark.parametrize("since", [-1, 1000])
def test_changes_since_choices_that_were_not_made_are_refused(since: int) -> None:
    with pytest.raises(ValueError, match=f"choices have been made, so there is no state after {since}"):
        load("tic-tac-toe").new().changes(0, since=since)
