"""What a seat can do: every move with its steps, every step with the items that stand for it."""

from typing import Any

import pytest

from ludograph.games.sources import compile_source
from ludograph.play import Generator
from ludograph.render.scenes import states
from ludograph.render.scenes.choices import marked_targets
from ludograph.render.scenes.items import SceneChoices, SceneStep
from ludograph.render.scenes.messages import scene_message
from ludograph.render.scenes.states import scene_of
from ludograph.tgdl.game.game import State
from tests.games.shipped import load


def choices_of(state: State, seat: int = 0) -> SceneChoices:
    return scene_of(state, seat).changing.choices


def steps_by_text(state: State, seat: int = 0) -> dict[str, SceneStep]:
    return {step.text: step for step in choices_of(state, seat).steps}


def start(text: str, **options: Any) -> State:
    return compile_source(text, engine="reference").new(seed=1, **options)


def test_a_move_of_chess_has_the_piece_and_the_tile() -> None:
    steps = steps_by_text(load("chess").new())
    assert steps["e2.play"].targets == ("piece.piece-19", "cell.e2")
    assert steps["e4"].targets == ("cell.e4",)


def test_a_tile_stands_for_what_is_on_it() -> None:
    state = load("chess").new()
    for move in ("e2.play(to: e4)", "d7.play(to: d5)"):
        state.push(move)
    victim = next(name for name, thing in state.view(0)["things"].items() if thing.get("at") == "d5")
    assert steps_by_text(state)["d5"].targets == ("cell.d5", f"piece.{victim.replace('#', '-')}")


@pytest.mark.parametrize("name", ["chess", "crazy-eights", "hexil", "kalah", "two-lagoons", "liars-dice"])
def test_the_steps_of_every_move_lead_to_items_of_the_scene(name: str) -> None:
    state, generator = load(name).new(seed=3), Generator(1)
    for _ in range(12):
        seat = state.asked[0]
        scene = scene_of(state, seat)
        choices = scene.changing.choices
        ids = {item.id for item in (*scene.static.items, *scene.changing.items)}
        assert choices.is_complete
        assert [move.text for move in choices.moves] == [move.text for move in state.legal_moves]
        for move, shown in zip(state.legal_moves, choices.moves, strict=True):
            steps = [choices.steps[index] for index in shown.steps]
            assert [step.text for step in steps] == [choice.text for choice in move.choices]
            assert all(ids >= set(step.targets) for step in steps)
        assert ids >= set(marked_targets(choices))
        state.push(state.legal_moves[generator.below(len(state.legal_moves))])


def test_counters_and_players_stand_for_choices() -> None:
    state = start(
        """
        players 2 has seat;
        enum good { wood, gem }
        local state seat { decimal[good] hand = { 1, 2 }; }
        action give
        {
          trigger on player choice;
          input good g;
          input player p { p != player }
          effect { pass; }
        }
        """
    )
    steps = steps_by_text(state)
    assert steps["give"].targets == ()
    assert set(steps["wood"].targets) == {"value.seat-1.hand.wood", "value.seat-2.hand.wood"}
    assert steps["1"].targets == ("mark.player1", "box.player1")


def test_inputs_of_one_name_and_several_types_are_told_apart() -> None:
    state = start(
        """
        players 2;
        tile cell { }
        board { group grid square 1 by 3 { cell; } }
        enum colour { red, blue }
        action paint { trigger on player choice; input colour what; effect { pass; } }
        action visit { trigger on player choice; input cell what; effect { pass; } }
        action hail { trigger on player choice; input player what; effect { pass; } }
        action count { trigger on player choice; input decimal what from 0 to 1; effect { pass; } }
        """
    )
    targets = {
        (choices.steps[move.steps[0]].name, choices.steps[move.steps[1]].text): choices.steps[
            move.steps[1]
        ].targets
        for choices in [choices_of(state)]
        for move in choices.moves
    }
    assert targets[("visit", "grid[0][2]")] == ("cell.grid-0--2-",)
    assert targets[("hail", "1")] == ("mark.player1", "box.player1")
    assert targets[("count", "1")] == ()
    assert targets[("paint", "blue")] == ()


def test_with_too_many_moves_the_answers_to_the_question_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    state = load("chess").new()
    monkeypatch.setattr(states, "MAX_MOVES", 19)
    choices = choices_of(state)
    assert not choices.is_complete
    assert [move.text for move in choices.moves] == [choice.text for choice in state.candidates()]
    assert choices.steps[0].targets


def test_the_middle_of_a_move_offers_its_rest() -> None:
    state = load("chess").new()
    opener = state.candidate("e2.play")
    assert opener is not None
    state.choose(opener)
    choices = choices_of(state)
    assert [step.targets for step in choices.steps] == [("cell.e3",), ("cell.e4",)]
    state.push(choices.moves[1].text)
    assert state.view(0)["things"]["piece#19"]["at"] == "e4"


def test_clicks_on_labels_and_rings_mean_what_is_below() -> None:
    message = scene_message(scene_of(load("hexil").new(seed=1), 0))
    assert {item.kind for item in message.items if item.is_decoration} >= {"label", "ground"}
    targets = {target for step in message.choices.steps for target in step.targets}
    assert not targets & {item.id for item in message.items if item.is_decoration}


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_list_with_very_many_values_is_not_listed(engine: str) -> None:
    """There are two million sets of twenty-one things, which would take minutes."""
    text = """
        interactable bead stackable { decimal n; }
        stack bag of bead
        {
          default
          {
            bead[] all = {};
            for decimal i from 1 to 21 all.add(new bead { n = i; });
            return all;
          }
        }
        action take { trigger on player choice; input bead[] some in bag; effect { pass; } }
    """
    state = compile_source(text, engine=engine).new(seed=1)
    choices = choices_of(state)
    assert choices == SceneChoices(is_complete=False)
