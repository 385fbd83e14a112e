"""Games of catanatron: whole games are replayed by the rules to the same hands; errors have their place."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludograph
from ludograph import hexil
from ludograph.hexil import Match
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import parse_located
from ludograph.settlers import Goods, Player, Trade
from ludograph.text import TextError
from tests.notation.imports.catanatron_games import play_game
from tests.notation.mutations import mutated, refused

RESOURCES = {"WOOD": "lumber", "BRICK": "brick", "SHEEP": "wool", "WHEAT": "grain", "ORE": "ore"}
SEED = 7


@cache
def game() -> str:
    return play_game(SEED)


def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(game())
    return found


def with_actions(*actions: list[Any]) -> str:
    """The game with other actions after its set-up."""
    changed = data()
    changed["actions"] = [*changed["actions"][:12], *actions]
    changed["winning_color"] = None
    return json.dumps(changed)


def hands(played: dict[str, Any]) -> list[Goods]:
    state = played["player_state"]
    return [
        Goods(**{name: state[f"P{seat}_{word}_IN_HAND"] for word, name in RESOURCES.items()})
        for seat in range(len(played["colors"]))
    ]


def check_whole_game(text: str) -> None:
    played = json.loads(text)
    match = Match.from_record(text)
    assert [match.hands(number)[0] for number in range(1, match.players + 1)] == hands(played)
    assert played["colors"][(match.winner() or 0) - 1] == played["winning_color"]


def test_a_whole_game_is_replayed_to_the_same_hands_and_winner() -> None:
    check_whole_game(game())


def with_records(text: str) -> str:
    """A game as version 3.3 writes it: outcomes beside the actions, and discards of one card."""
    played = json.loads(text)
    records: list[list[Any]] = []
    for color, kind, value in played.pop("actions"):
        match kind:
            case "DISCARD":
                records += [[[color, "DISCARD_RESOURCE", card], card] for card in value]
            case "MOVE_ROBBER":
                records.append([[color, kind, value[:2]], value[2]])
            case "ROLL" | "BUY_DEVELOPMENT_CARD":
                records.append([[color, kind, value], value])
            case _:
                records.append([[color, kind, value], None])
    return json.dumps({**played, "action_records": records})


def test_a_game_of_a_newer_version_is_the_same_record() -> None:
    newer = with_records(game())
    assert "DISCARD_RESOURCE" in newer
    assert parse_located(newer).imported is ImportFormat.CATANATRON
    assert parse_located(newer).record == parse_located(game()).record


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([["RED", "END_TURN", None]], "the record of an action has 2 parts, found 1"),
        ([["RED", "DISCARD_RESOURCE", "GOLD"], "GOLD"], "unknown resource: 'GOLD'"),
        (
            [["RED", "MOVE_ROBBER", [[0, 0, 0], None, None]], None],
            "a move of the robber has 2 parts, found 3",
        ),
        ([["RED", "ROLL", None], None], "a roll is a list"),
    ],
)
def test_a_bad_record_of_a_newer_version_is_refused(record: list[Any], words: str) -> None:
    changed = json.loads(with_records(game()))
    changed["action_records"].append(record)
    with pytest.raises(TextError, match=words.replace("[", r"\[")):
        parse_located(json.dumps(changed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 6, 8, 9, 10, 11])
def test_many_games_are_replayed_to_the_same_hands_and_winner(seed: int) -> None:
    check_whole_game(play_game(seed, 2 + seed % 3))


def test_a_game_is_recognised_and_converted_without_loss_but_for_the_hidden_cards() -> None:
    assert parse_located(game()).imported is ImportFormat.CATANATRON
    assert ludograph.guess_notation(game()) is None
    text, losses = hexil.convert(game(), "catanatron", "han", dialect="2023")
    assert losses == ()
    again = Match.from_record(text)
    assert again == Match.from_record(game(), "catanatron")
    assert dict(again.headers())["Player1"] == data()["colors"][0]


def test_a_game_is_converted_without_the_rules_too() -> None:
    with_rules = hexil.convert(game(), "catanatron", "han", dialect="2023").text
    assert ludograph.convert(game(), "catanatron", "han", dialect="2023").text == with_rules


def test_an_illegal_action_is_reported_with_its_place() -> None:
    first = data()["colors"][0]
    wrong = with_actions([first, "ROLL", [1, 1]], [first, "BUY_DEVELOPMENT_CARD", "KNIGHT"])
    with pytest.raises(hexil.IllegalAction) as caught:
        hexil.convert(wrong, "catanatron", "han")
    line = wrong.index('["' + first + '", "BUY_DEVELOPMENT_CARD"')
    assert caught.value.place == f"1:{line + 1}"


def test_an_action_of_another_player_is_reported() -> None:
    second = data()["colors"][1]
    with pytest.raises(hexil.IllegalAction, match="by player 2 in the turn of player 1"):
        Match.from_record(with_actions([second, "ROLL", [1, 1]]))


def test_a_wrong_winner_contradicts_the_rules() -> None:
    changed = data()
    changed["winning_color"] = next(each for each in changed["colors"] if each != changed["winning_color"])
    with pytest.raises(ludograph.Nonsense) as caught:
        Match.from_record(json.dumps(changed))
    assert caught.value.code == "NT2003"


def test_trades_between_players_are_read_and_offers_are_lost() -> None:
    one, two, *_ = data()["colors"]
    offer = [1, 0, 0, 0, 0, 0, 2, 0, 0, 0]
    located = parse_located(
        with_actions(
            [one, "OFFER_TRADE", offer], [two, "ACCEPT_TRADE", offer], [one, "CONFIRM_TRADE", [*offer, two]]
        )
    )
    assert located.record.actions[-1] == Trade(Goods(lumber=1), Goods(brick=2), Player(2))
    assert [str(loss) for loss in located.losses] == ["lost: an offer, its acceptance or refusal (2 times)"]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("tiles", [], None),
        ("tiles", {}, "NT0614"),
        ("colors", ["RED", "RED"], "NT1701"),
        ("colors", ["RED"], "NT1701"),
        ("actions", [["RED", "FLY", None]], "NT0703"),
        ("actions", [["RED", "ROLL", [0, 7]]], "NT0620"),
        ("actions", [["RED", "ROLL", None]], "NT0614"),
        ("actions", [["RED", "ROLL"]], "NT0615"),
        ("actions", [["PINK", "ROLL", [1, 1]]], "NT1701"),
        ("actions", [["RED", "BUILD_CITY", 999]], "NT1703"),
        ("actions", [["RED", "BUILD_ROAD", [0, 53]]], "NT1703"),
        ("actions", [["RED", "BUY_DEVELOPMENT_CARD", "JOKER"]], "NT0702"),
        ("actions", [["RED", "PLAY_MONOPOLY", "GOLD"]], "NT0702"),
        ("actions", [["RED", "MOVE_ROBBER", [[1, 1, 1], None, None]]], "NT1703"),
        ("nodes", {"0": {"id": 0}}, "NT0621"),
        ("edges", [{"id": [0, 1], "tile_coordinate": [0, 0, 0], "direction": "UP"}], "NT0702"),
        ("winning_color", "PINK", "NT1701"),
    ],
)
def test_a_wrong_value_is_refused_with_its_code(key: str, value: object, code: str | None) -> None:
    text = json.dumps({**data(), key: value})
    if code is None:
        assert parse_located(text, "catanatron")
        return
    with pytest.raises(TextError) as caught:
        parse_located(text, "catanatron")
    assert caught.value.code == code


def test_tiles_are_defined_once() -> None:
    changed = data()
    changed["tiles"].append(changed["tiles"][0])
    with pytest.raises(TextError) as caught:
        parse_located(json.dumps(changed))
    assert caught.value.code == "NT1702"


@pytest.mark.parametrize("key", ["tiles", "nodes", "edges", "colors", "actions"])
def test_a_missing_part_is_named(key: str) -> None:
    text = json.dumps({name: value for name, value in data().items() if name != key})
    with pytest.raises(TextError, match=f'needs the key "{key}"'):
        parse_located(text, "catanatron")


def test_a_file_has_one_game() -> None:
    with pytest.raises(TextError) as caught:
        parse_located(game() + game(), "catanatron")
    assert caught.value.code == "NT0701"


SMALL = (
    '{"tiles":[{"coordinate":[0,0,0],"tile":{"id":0,"type":"RESOURCE_TILE","resource":"ORE","number":6}},'
    '{"coordinate":[1,-1,0],"tile":{"id":0,"type":"PORT","direction":"WEST","resource":null}}],'
    '"nodes":{"0":{"id":0,"tile_coordinate":[0,0,0],"direction":"NORTH"}},'
    '"edges":[{"id":[0,1],"tile_coordinate":[0,0,0],"direction":"EAST"}],"colors":["RED"],'
    '"actions":[["RED","BUILD_SETTLEMENT",0],["RED","BUILD_ROAD",[1,0]],["RED","ROLL",[1,2]],'
    '["RED","MARITIME_TRADE",["ORE","ORE",null,null,"WOOD"]],["RED","END_TURN",null]],"winning_color":null}'
)


@settings(max_examples=60)
@given(mutated(st.just(SMALL), '{}[]",:0123456789-RED null\n'))
def test_a_mutated_game_is_read_or_refused(text: str) -> None:
    error = refused(lambda given: parse_located(given, "catanatron"), text)
    if error is not None:
        assert error.code.startswith(("NT06", "NT07", "NT17"))
        return
    located = parse_located(text, "catanatron")
    assert len(located.spans) == len(located.record.events)
