import pytest

from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import (
    describe_action,
    describe_turn,
    format_number,
    format_plain,
    join_list,
)
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Seat,
    fresh_position,
)
from tests.render.samples import ACTIONS, MIDDLE_GAME

SENTENCES = {
    "dice": "player 3 rolls 3 + 5 = 8",
    "sum": "player 3 rolls 8",
    "unknown roll": "player 3 rolls the dice",
    "robber": "player 3 moves the robber to c6",
    "discard": "player 2 discards 2 lumber and 6 wool",
    "discard nothing": "player 2 discards nothing",
    "unknown theft": "player 3 steals a card from player 2",
    "theft": "player 3 steals ore from player 1",
    "buy village": "player 3 buys a village",
    "buy city": "player 3 buys a city",
    "buy road": "player 3 buys a road",
    "buy unknown card": "player 3 buys a development card",
    "buy card": "player 3 buys a development card: year of plenty",
    "village": "player 3 places a village at e5s",
    "city": "player 3 places a city at d5s",
    "road": "player 3 places a road at e5ne",
    "knight": "player 3 plays knight",
    "plenty": "player 3 plays year of plenty and takes 2 ore",
    "monopoly": "player 3 plays monopoly and takes all wool",
    "roads": "player 3 plays road building",
    "trade": "player 3 gives 1 lumber and 2 ore to player 1 for 3 brick",
    "bank trade": "player 3 gives 4 lumber to the bank for 1 grain",
    "end": "player 3 ends the turn",
}


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_is_told_in_a_sentence(kind: str) -> None:
    assert format_plain(describe_action(ACTIONS[kind], 3, place_name)) == SENTENCES[kind]


def test_an_unknown_player_is_the_player() -> None:
    assert format_plain(describe_action(ACTIONS["end"], None, place_name)) == "the player ends the turn"


@pytest.mark.parametrize(
    "position, sentence",
    [
        (fresh_position(BEGINNERS_ISLAND, 3), "set-up: player 1 to move, must place a village and a road"),
        (MIDDLE_GAME, "turn 27: player 3 to move, has rolled"),
        (MIDDLE_GAME.replace(rolled=False), "turn 27: player 3 to move, has not rolled"),
        (
            MIDDLE_GAME.replace(must=MustDiscard((Player(1), Player(2)))),
            "turn 27: player 3 to move, has rolled, player 1 and player 2 must discard",
        ),
        (
            MIDDLE_GAME.replace(must=MustMoveRobber(), bought=Cards(knight=1)),
            "turn 27: player 3 to move, has rolled, bought 1 knight, must move the robber",
        ),
        (
            MIDDLE_GAME.replace(must=MustSteal(), may_place=Pieces(road=2)),
            "turn 27: player 3 to move, has rolled, may place 2 roads, must steal a card",
        ),
        (
            MIDDLE_GAME.replace(must=MustPlace((Piece.CITY,))),
            "turn 27: player 3 to move, has rolled, must place a city",
        ),
        (Position(BEGINNERS_ISLAND, (), None), "turn 1: nobody plays"),
        (
            Position(BEGINNERS_ISLAND, (Seat(),), None, must=MustDiscard(())),
            "turn 1: player 1 to move, has not rolled, nobody must discard",
        ),
    ],
)
def test_the_state_of_a_turn_is_told_in_a_sentence(position: Position, sentence: str) -> None:
    assert format_plain(describe_turn(position)) == sentence


def test_lists_have_commas_and_an_and() -> None:
    assert [join_list("abc"[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_monstrous_numbers_are_not_written_out() -> None:
    assert format_number(10**5000) == ">999999"
    assert format_number(-(10**5000)) == "<-99999"
