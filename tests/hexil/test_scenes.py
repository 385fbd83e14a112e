"""Scenes of matches: what a seat sees, what an action did, what can be chosen, and captions."""

from itertools import combinations

import pytest

from ludograph.hexil import Match
from ludograph.hexil.captions import describe_moves, describe_step
from ludograph.hexil.deals import Agree, Counter, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.scenes import SettlersViews, list_steps
from ludograph.render import Scene, draw_scene
from ludograph.render.descriptions import format_plain
from ludograph.render.scenes.items import SceneChoices, SceneItem
from ludograph.settlers import Goods, Player

OPENING = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


def match_after(*actions: str, seed: int | None = 5) -> Match:
    match = Match.new(players=2, seed=5, beginners=True)
    for text in (*OPENING.split(), *actions):
        match.push(text)
    return match


def items(scene: Scene) -> dict[str, SceneItem]:
    return {item.id: item for item in (*scene.static.items, *scene.changing.items)}


def test_a_player_sees_the_own_hand_and_the_size_of_the_others() -> None:
    shown = items(match_after("R(3+3)").scene(1))
    assert "seat.1.brick" in shown
    assert "seat.2.brick" not in shown
    assert shown["seat.2.hand"].text == "4"


def test_states_that_look_equal_to_a_player_have_equal_scenes() -> None:
    match = Match.new(players=3, seed=2, beginners=True)
    for _ in range(12):
        match.push(match.legal_moves[7 % len(match.legal_moves)])
    match.push("R(3+4)")
    compared = 0
    for tile in match.legal_moves:
        robbed = match.copy()
        robbed.push(tile)
        stolen = [f"S{letter}2" for letter in "BGLOW" if robbed.why_not(f"S{letter}2") is None]
        for one, two in combinations(stolen, 2):
            first, second = robbed.copy(), robbed.copy()
            first.push(one)
            second.push(two)
            assert first.scene(3) == second.scene(3)
            assert first.scene(1) != second.scene(1)
            compared += 1
    assert compared


def test_a_scene_with_all_hands_shows_what_the_last_action_did() -> None:
    shown = items(match_after("R(3+3)").scene())
    gains = {name: item.text for name, item in shown.items() if name.endswith(".change")}
    assert gains
    assert all(text[0] in "+−" for text in gains.values())


def test_the_scene_of_a_new_match_has_no_changes() -> None:
    scene = Match.new(players=4, seed=1).scene()
    assert not [item for item in scene.changing.items if item.id.endswith(".change")]


def test_the_places_of_a_choice_are_items() -> None:
    scene = Match.new(players=2, beginners=True).scene(1)
    targets = {target for step in scene.changing.choices.steps for target in step.targets}
    assert len(targets) == 54
    assert targets <= set(items(scene))
    assert draw_scene(scene, choices=True).count('class="choice"') == 54


def test_nobody_sees_the_choices_of_another_player() -> None:
    assert Match.new(players=2, beginners=True).scene(2).changing.choices == SceneChoices()


def test_a_player_who_does_not_exist_has_no_scene() -> None:
    with pytest.raises(ValueError, match="there is no player 3"):
        Match.new(players=2, beginners=True).scene(3)


def test_the_steps_of_a_match_are_its_start_and_its_actions() -> None:
    match = match_after("R(3+3)", "E")
    steps = list_steps(match._executor, match._log, match._start)
    captions = [format_plain(step.caption) for step in steps]
    assert len(steps) == 1 + 10
    assert captions[0] == "the start of the game"
    assert captions[-2:] == ["player 1 rolls 3 + 3 = 6", "player 1 ends the turn"]
    assert steps[-1].position == match.position()
    assert len({step.scene.static for step in steps}) == 1


def test_the_views_of_a_seat_show_what_is_new() -> None:
    match, views = Match.new(players=2, seed=5, beginners=True), SettlersViews(1)
    first, caption = views.scene(match.state(), match.state().view(1)["moves"])
    match.push("Pv(d4n)")
    second, words = views.scene(match.state(), match.state().view(1)["moves"])
    assert (format_plain(caption), format_plain(words)) == (
        "the start of the game",
        "player 1 places a village at d4n",
    )
    assert (first.changing.effects, [each.place for each in second.changing.effects]) == ((), ["corner.d4n"])


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("0: discard(n: 1, n: 0, n: 2, n: 0, n: 0)", "player 1 discards 1 brick and 2 lumber"),
        ("1: steal(victim: seat[0])", "player 2 steals a card from player 1"),
        ("1: offer(give: ore, cards: 2, get: wool)", "player 2 offers 2 ore for 1 wool"),
        ("1: bank_trade(give: ore, get: wool)", "player 2 gives ore to the bank for wool"),
        ("1: use_plenty(first: ore, second: ore)", "player 2 plays year of plenty and takes 2 ore"),
        ("1: use_monopoly(r: ore)", "player 2 plays monopoly and takes all ore"),
        ("1: buy_card", "player 2 buys a development card"),
        ("1: accept", "player 2 accepts the offer"),
        ("1: end", "player 2 ends the turn"),
        ("1: something_new(x: 1)", "player 2 – something new x: 1"),
    ],
)
def test_moves_of_the_rules_are_described(move: str, words: str) -> None:
    match = Match.new(players=2, beginners=True)
    assert format_plain(describe_moves([move], match.layout)) == words


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (Offer(Goods(ore=1), Goods(wool=1), ()), "player 2 offers 1 ore for 1 wool"),
        (Counter(Player(2), Goods(ore=1), Goods(wool=1)), "player 2 offers instead 1 ore for 1 wool"),
        (Refuse(Player(2)), "player 2 refuses the offer"),
        (Agree(), "player 2 accepts the other offer"),
        (Decline(), "player 2 declines the other offer"),
        (Withdraw(), "player 2 withdraws the offer"),
    ],
)
def test_deals_are_described(deal: Offer | Counter | Refuse | Agree | Decline | Withdraw, words: str) -> None:
    assert format_plain(describe_step(deal, 2)) == words
