"""Scenes: built from what a seat sees and from nothing else; changes lead from one scene to the next."""

import json
from typing import Any

import msgspec
import pytest

from ludograph.games.sources import compile_source
from ludograph.play import Generator
from ludograph.render.scenes.building import build_scene
from ludograph.render.scenes.hints import NO_HINTS, Hints
from ludograph.render.scenes.items import ItemKind, Scene, SceneChoices, SceneItem
from ludograph.render.scenes.messages import (
    SceneChanges,
    apply_scene_changes,
    find_scene_changes,
    scene_message,
)
from ludograph.render.scenes.states import scene_of
from ludograph.tgdl.game.game import State
from tests.games.shipped import load
from tests.render.scenes.shown_games import POSITIONS, shown_state


def items_of(scene: Scene) -> dict[str, SceneItem]:
    return {item.id: item for item in (*scene.static.items, *scene.changing.items)}


def start(text: str, **options: Any) -> State:
    return compile_source(text, engine="reference").new(seed=1, **options)


def texts(scene: Scene) -> str:
    return " | ".join(f"{item.text} {' '.join(item.notes)}" for item in scene.changing.items)


# Secrets


def test_states_that_look_equal_to_a_seat_have_equal_scenes() -> None:
    state = load("crazy-eights").new(players=2, seed=1)
    data = json.loads(json.dumps(state.to_json()))
    other = state.game.from_json(_with_other_hidden_cards(data))
    same = state.game.from_json(data)
    assert other != same
    assert other.view(0) == same.view(0)
    assert scene_of(other, 0) == scene_of(same, 0)
    assert scene_of(other, None) == scene_of(same, None)
    assert scene_of(other, 1) != scene_of(same, 1)


def _with_other_hidden_cards(data: dict[str, Any]) -> dict[str, Any]:
    """The same position with a card of the second player's hand and a card of the deck exchanged."""
    changed: dict[str, Any] = json.loads(json.dumps(data))
    hand = changed["instances"]["seat.hand#2"]["@top"]
    deck = changed["instances"]["deck"]["@shuffled"]
    hand[0], deck[0] = deck[0], hand[0]
    deck.sort(key=lambda name: int(name.partition("#")[2]))
    return changed


def test_hidden_cards_carry_no_identity() -> None:
    state = load("crazy-eights").new(players=2, seed=1)
    hidden = set(state.view(1)["things"]) - set(state.view(0)["things"])
    assert len(hidden) == 7
    data = msgspec.json.encode(scene_of(state, 0)).decode()
    assert not any(f'"{name}"' in data or f"card.{name.replace('#', '-')}" in data for name in hidden)
    backs = [item for item in scene_of(state, 0).changing.items if item.style == "back"]
    assert sorted(item.text for item in backs if item.text) == ["37", "7"]


@pytest.mark.parametrize("name", ["crazy-eights", "hexil", "liars-dice"])
def test_a_scene_depends_on_the_view_alone(name: str) -> None:
    state = shown_state(name)
    for seat in (None, 0, 1):
        assert scene_of(state, seat) == scene_of(state.copy(), seat)


def test_only_the_seat_that_is_asked_sees_its_choices() -> None:
    state = load("tic-tac-toe").new()
    choices = scene_of(state, 0).changing.choices
    assert [move.text for move in choices.moves] == [move.text for move in state.legal_moves]
    assert choices.steps[0].targets == ("cell.grid-0--0-",)
    assert scene_of(state, 1).changing.choices == scene_of(state, None).changing.choices == SceneChoices()


# Changes


@pytest.mark.parametrize("name", ["two-lagoons", "crazy-eights", "backgammon"])
def test_changes_lead_from_one_scene_to_the_next(name: str) -> None:
    state, generator = load(name).new(seed=2), Generator(2)
    scene = scene_of(state, 0)
    message = scene_message(scene)
    for _ in range(8):
        moves = state.legal_moves
        state.push(moves[generator.below(len(moves))])
        after = scene_of(state, 0, previous=scene)
        changes = find_scene_changes(message, scene_message(after))
        assert changes is not None and changes.static is None
        decoded = msgspec.json.decode(msgspec.json.encode(changes), type=SceneChanges)
        message = apply_scene_changes(message, decoded)
        assert message == scene_message(after)
        scene = after


def test_a_move_changes_only_a_few_items() -> None:
    state = load("chess").new()
    before = scene_message(scene_of(state))
    state.push("e2.play(to: e4)")
    changes = find_scene_changes(before, scene_message(scene_of(state)))
    assert changes is not None
    assert {item.id for item in changes.items if item.kind == "piece"} == {"piece.piece-19"}
    assert len(changes.items) < 12
    assert len(changes.drawings) < 8


def test_the_last_move_is_shown_by_rings_and_an_arrow() -> None:
    state = load("chess").new()
    before = scene_of(state)
    state.push("e2.play(to: e4)")
    effects = scene_of(state, previous=before).changing.effects
    assert {item.id for item in effects if item.kind is ItemKind.RING} >= {"changed.e2", "changed.e4"}
    arrow = next(item for item in effects if item.kind is ItemKind.ARROW)
    cells = items_of(before)
    assert arrow.points[0] == (cells["cell.e2"].x, cells["cell.e2"].y)


# Defaults


def test_pieces_with_common_names_have_symbols() -> None:
    items = scene_of(load("chess").new()).changing.items
    assert {item.symbol for item in items if item.kind is ItemKind.PIECE} == {
        *("pawn", "knight", "bishop", "rook", "queen", "king")
    }


def test_a_suit_and_a_rank_look_like_a_playing_card() -> None:
    cards = [item for item in scene_of(shown_state("crazy-eights"), 0).changing.items if item.style == "suit"]
    assert cards
    assert {item.symbol for item in cards} <= {"heart", "diamond", "spade", "club"}
    assert all(item.text in ("A", *map(str, range(2, 11)), "J", "Q", "K") for item in cards)


def test_a_table_over_an_enum_is_a_row_of_counters() -> None:
    state = start(
        """
        players 2 has seat;
        enum good { wood, gem }
        global state bank { decimal[good] stock = { 5, 6 }; }
        local state seat { decimal[good] hand = { 1, 2 }; }
        action go { trigger on player choice; effect { pass; } }
        """
    )
    counters = [item for item in scene_of(state, 0).changing.items if item.kind is ItemKind.COUNTER]
    assert [(item.notes[0], item.text) for item in counters] == [
        *(("wood", "5"), ("gem", "6")),
        *(("wood", "1"), ("gem", "2")),
        *(("wood", "1"), ("gem", "2")),
    ]


def test_a_throw_that_everybody_saw_is_a_die() -> None:
    state = load("pig").new(seed=1)
    state.push("roll")
    thrown = [item for item in scene_of(state).changing.items if item.kind is ItemKind.DIE]
    value = state.view(None)["moves"][-1].removeprefix("*: random(").removesuffix(")")
    assert [item.text for item in thrown] == [str(int(value) + 1)]


def test_private_dice_are_dice_for_their_owner_only() -> None:
    state = load("liars-dice").new(seed=1)
    dice = [
        [item.text for item in scene_of(state, seat).changing.items if item.kind is ItemKind.DIE]
        for seat in (0, None)
    ]
    assert dice == [[str(value) for value in state.view(0)["things"]["cup#1"]["shown"]], []]


def test_a_removed_link_is_a_wall() -> None:
    state = start(
        """
        tile spot { }
        board { group grid square 2 by 2 names a1 { spot; } }
        action plant { trigger on player choice; effect { unlink a1 <-> a2; unlink b1 -> b2; pass; } }
        """
    )
    before = scene_of(state)
    state.push("plant")
    after = scene_of(state, previous=before)
    walls = {item.title: item.style for item in after.static.items if "wall" in item.style}
    assert walls == {"no way from a2 to a1": "wall", "no way from b1 to b2": "wall one-way"}
    changes = find_scene_changes(scene_message(before), scene_message(after))
    assert changes is not None and changes.static == scene_message(after).static


@pytest.mark.parametrize("name", POSITIONS)
def test_nothing_that_a_seat_sees_is_left_out(name: str) -> None:
    """Without hints, every number of a state is somewhere in the picture, with the name of its attribute."""
    state = shown_state(name)
    scene = scene_of(state, 0, hints=NO_HINTS)
    shown = texts(scene) + " | ".join(item.title for item in scene.changing.items)
    material = state.material()
    for thing in state.view(0)["things"].values():
        if material.kind(thing["is"]).role not in ("global state", "local state"):
            continue
        for attribute in material.kind(thing["is"]).attributes:
            value = thing.get(attribute.name)
            if isinstance(value, int) and not isinstance(value, bool) and attribute.type.base == "decimal":
                assert attribute.name.removesuffix("()") in shown
                assert str(value) in shown


def test_a_line_joins_the_two_tiles_beside_it() -> None:
    state = start(
        """
        players 2;
        tile town { }
        tile track { }
        board { group map adjacency { town a, b; track t, u; a <-> t; t <-> b; a <-> u; u <-> b; } }
        action claim { trigger on player choice; input track t; effect { t.player = player; pass; } }
        appearance { track { line; colour player; } }
        """
    )
    state.push("claim(t: t)")
    items = items_of(scene_of(state, 1))
    road = items["token.t"]
    assert (road.kind, road.style, road.owner) == (ItemKind.LINE, "road", 0)
    ends = [items["cell.a"], items["cell.b"]]
    assert min(end.x for end in ends) < road.x < max(end.x for end in ends) or ends[0].x == ends[1].x
    assert items["cell.t"].points != items["cell.u"].points, "they are side by side"


@pytest.mark.parametrize(("hint", "style"), [("", "card"), ("cards;", "card"), ("cards false;", "")])
def test_the_counters_of_a_player_are_cards(hint: str, style: str) -> None:
    state = start(
        f"""
        players 2 has seat;
        enum good {{ wood, gem }}
        local state seat {{ decimal[good] hand = {{ 1, 2 }}; }}
        action go {{ trigger on player choice; effect {{ pass; }} }}
        appearance {{ seat.hand {{ label "Hand"; {hint} }} }}
        """
    )
    counters = [item for item in scene_of(state, 0).changing.items if item.kind is ItemKind.COUNTER]
    assert {item.style for item in counters} == {style}


def test_players_are_called_by_their_names_in_every_text() -> None:
    state = shown_state("liars-dice")
    names = ("Ann", "", "A name that is far too long for the box of a player")
    view = state.view(0)
    scene = build_scene(
        state.material(), state.arrangement(), view, hints=Hints(state.game.appearance), names=names
    )
    texts = {item.id: item.text for item in scene.changing.items}
    assert (texts["name.player0"], texts["name.player1"]) == ("Ann", "Player 1")
    assert texts["status"] == "Ann to move"
    assert texts["last-move"].startswith("Move 3, A name that is far too long")
    long = next(item for item in scene.changing.items if item.id == "name.player2")
    box = next(item for item in scene.changing.items if item.id == "box.player2")
    assert long.text.endswith("…") and long.x + long.width <= box.x + box.width
    assert long.title == names[2]
    assert "Ann to move" in scene.changing.description


def test_a_result_names_the_winner() -> None:
    state = shown_state("tic-tac-toe").copy()
    while state.asked:
        state.push(state.legal_moves[0])
    view = {**state.view(), "result": ["win", [0]]}
    scene = build_scene(state.material(), state.arrangement(), view, names=("Ann", "Bob"))
    assert "Ann wins" in {item.text for item in scene.changing.items}
