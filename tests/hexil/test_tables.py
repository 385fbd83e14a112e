"""Tables of Hexil: every place can be chosen, nothing hidden is drawn, and the log is in HAN."""

from itertools import pairwise

import msgspec
import pytest

from ludograph.games import State, load
from ludograph.games.sources import compile_source
from ludograph.hexil.tables.style import HexilTable
from ludograph.hexil.typed_moves import list_typed_moves
from ludograph.play import Generator
from ludograph.render.scenes.choices import find_choices, find_targets
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.messages import scene_message
from ludograph.render.scenes.states import list_seat_moves
from ludograph.server.styles.special_games import find_style
from tests.games.shipped import load as load_shipped

NAMES = ("Ann", "bot 2 (easy)", "A player whose name is so long that nobody ever reads it to its end", "Dora")
PLACED = ("place_village", "place_road", "place_city", "move_robber", "steal")
RETYPED = (*PLACED[:4], "bank_trade", "discard", "end", "buy_road", "buy_village", "buy_city", "use_knight")


def random_states(seed: int, count: int, players: int = 4) -> list[State]:
    state, chance = load_shipped("hexil").new(players=players, seed=seed), Generator(seed)
    states = [state.copy()]
    while state.asked and len(states) < count:
        moves = state.legal_moves
        state.push(moves[chance.below(len(moves))])
        states.append(state.copy())
    return states


def test_every_place_of_a_move_can_be_clicked() -> None:
    style = HexilTable()
    seen = set()
    for state in random_states(3, 160):
        if not state.asked:
            break
        seat = state.asked[0]
        scene = style.scene(state, state.view(seat), None, NAMES)
        targets = find_targets((*scene.static.items, *scene.changing.items))
        choices = find_choices(list_seat_moves(state, seat), targets, Hints(state.game.appearance))
        for move in choices.moves:
            action = choices.steps[move.steps[0]].name
            if action in PLACED:
                seen.add(action)
                assert any(choices.steps[step].targets for step in move.steps), move.text
    assert {"place_village", "place_road", "move_robber", "steal"} <= seen


def test_a_scene_shows_what_the_viewer_sees_and_no_more() -> None:
    style = HexilTable()
    state = random_states(5, 120)[-1]
    view = state.view(1)
    texts = {msgspec.json.encode(scene_message(style.scene(state, view, None, NAMES)))}
    for seed in range(3):
        other = state.resample(1, Generator(seed))
        assert {**other.view(1), "moves": view["moves"]} == view
        texts.add(msgspec.json.encode(scene_message(style.scene(other, view, None, NAMES))))
    assert len(texts) == 1
    hidden = [item.id for item in style.scene(state, view, None, NAMES).changing.items]
    assert "seat.1.hand" in hidden and "seat.1.brick" not in hidden
    assert "seat.2.brick" in hidden


def test_players_have_their_names() -> None:
    style = HexilTable()
    before, state = random_states(3, 3)[-2:]
    scene = style.scene(state, state.view(None), before.view(None), NAMES)
    items = {item.id: item for item in scene.changing.items}
    assert items["name.player0"].text == "Ann"
    assert items["name.player2"].text.endswith("…")
    assert items["name.player2"].title == NAMES[2]
    words = " ".join(item.text for item in scene.changing.items if item.text)
    assert "Ann 1 places a road" in words
    assert "bot 2 (easy) 2 to place a village" in words
    assert "bot 2 (easy)" in scene.changing.title


@pytest.mark.parametrize("seed", [3, 8])
def test_the_log_is_han_that_means_the_moves(seed: int) -> None:
    style = HexilTable()
    states = random_states(seed, 260)
    retyped = set()
    for before, after in pairwise(states):
        known, moves = before.view(None)["moves"], after.view(None)["moves"]
        line = moves[len(known)]
        who, _, move = line.partition(": ")
        text = style.notations(after, moves, len(known))[0]
        assert text, line
        action = move.partition("(")[0]
        if action in RETYPED:
            retyped.add(action)
            assert list_typed_moves(before, text, int(who)) == (move,)
    assert {"place_village", "place_road", "move_robber", "end", "bank_trade"} <= retyped


def test_chance_belongs_to_the_move_before_it() -> None:
    style = HexilTable()
    state = random_states(3, 60)[-1]
    moves = state.view(None)["moves"]
    pairs = list(zip(moves, style.notations(state, moves, 0), strict=True))
    assert pairs[0][1] == "the island"
    assert all(not text for line, text in pairs[1:] if line.startswith("*"))
    rolled = next(index for index, (line, _) in enumerate(pairs) if line.endswith(": roll"))
    dice = sorted(int(face) + 1 for face in pairs[rolled + 1][0][len("*: random(") : -1].split(", "))
    assert pairs[rolled][1] == f"R({dice[0]}+{dice[1]})"


def test_other_rules_have_the_usual_style() -> None:
    shipped = load("hexil")
    assert find_style("hexil", shipped) is not None
    assert find_style("chess", load("chess")) is None
    changed = shipped.program.sources[0].text.replace(
        "const decimal long_road = 5;", "const decimal long_road = 6;"
    )
    assert find_style("hexil", compile_source(changed, name="hexil.tgdl")) is None
