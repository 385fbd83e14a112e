"""Older forms of CGN, which lenient parsing reads."""

import json
from typing import Any

import pytest

from ludograph.hexil.replay.records import play_record
from ludograph.notation import cgn
from ludograph.notation.located import parse_located
from ludograph.settlers import (
    BANK,
    BEGINNERS_ISLAND,
    Accepted,
    Act,
    Award,
    Awarded,
    Buy,
    BuyCard,
    Card,
    CardPlayed,
    Commented,
    Discard,
    EndTurn,
    Event,
    GameOver,
    Goods,
    Hex,
    Holding,
    MapDefined,
    MoveRobber,
    Offered,
    OrderRolled,
    OrderSet,
    Piece,
    PlaceRoad,
    Player,
    PlayerLeaves,
    Produced,
    Record,
    Resource,
    RobberRoused,
    Roll,
    Steal,
    Transferred,
    Withdrawn,
)
from ludograph.settlers.names import CGN_TILES, sgn_corner, sgn_side
from ludograph.text import BadText
from tests.places import corner, side

ONE, TWO = Player(1), Player(2)
SETUP = {"PS": {"phase": "Setup"}}


def axial_map() -> list[list[Any]]:
    """The map of the beginners' island as older records have it."""
    written = json.loads(cgn.format(Record((MapDefined(BEGINNERS_ISLAND),))))[0]["MD"]
    return [[tile.q, tile.r, *written[str(number)]] for number, tile in CGN_TILES.items()]


def quoted(value: Any) -> Any:
    """Coordinates as strings, as older records have them."""
    return str(value) if isinstance(value, int) else [quoted(item) for item in value]


def village(player: int, name: str) -> dict[str, Any]:
    return {"BS": {"player": player, "intersection": quoted(sgn_corner(corner(name)))}}


def road(player: int, name: str) -> dict[str, Any]:
    return {"BR": {"path": quoted(sgn_side(side(name))), "player": player}}


def events(*messages: dict[str, Any]) -> tuple[Event, ...]:
    """The events of messages after the start of the play phase."""
    text = json.dumps([SETUP, {"PS": {"phase": "Play"}}, {"TS": {"player": "1"}}, *messages])
    record, warnings = cgn.parse_lenient(text)
    assert [warning.code for warning in warnings] == ["NT0321"]
    return record.events[3:]


def test_an_older_game_is_replayed() -> None:
    deployment = [
        (1, "d4n", "d4ne"),
        (2, "c5n", "c5ne"),
        (2, "d2s", "d3nw"),
        (1, "e4n", "e4ne"),
    ]
    messages: list[dict[str, Any]] = [
        SETUP,
        {"PA": {"number": 1}},
        {"PA": {"player": "2"}},
        {"MD": axial_map()},
        {"PE": {"phase": "Setup"}},
        {"PS": {"phase": "Deployment"}},
        {"RM": "0,0"},
        *(
            each
            for player, first, second in deployment
            for each in (village(player, first), road(player, second))
        ),
        {"PE": {"phase": "Deployment"}},
        {"PS": {"phase": "Play"}},
        {"TS": {"player": "1"}},
        {"DR": {"player": "1", "result": 6}},
        {"RP": {"resources": {"1": {"B": 1}, "2": {"B": 1}}}},
        {"TE": {"player": "1"}},
        {"PE": {"phase": "End"}},
    ]
    played = play_record(parse_located(json.dumps(messages), "cgn", lenient=True))
    assert not played.faults
    assert (played.total, played.executor.turn) == (10, 2)


def test_a_road_is_bought_unless_a_card_pays_for_it() -> None:
    found = events(
        road(1, "d4ne"),
        {"PD": {"player": 1, "type": "RB"}},
        road(1, "d4nw"),
        {"LR": {"player": "1", "length": "5"}},
        road(1, "d4w"),
        road(1, "e4w"),
    )
    assert found == (
        Act(Buy(Piece.ROAD), ONE),
        Act(PlaceRoad(side("d4ne")), ONE),
        CardPlayed(Card.ROADS, ONE),
        Act(PlaceRoad(side("d4nw")), ONE),
        Awarded(Award.LONGEST_ROAD, ONE),
        Act(PlaceRoad(side("d4w")), ONE),
        Act(Buy(Piece.ROAD), ONE),
        Act(PlaceRoad(side("e4w")), ONE),
    )


GIVES, TAKES = Holding(Goods(brick=-1, lumber=1)), Holding(Goods(brick=1, lumber=-1))


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ({"RD": {"result": 7, "player": 1}}, (Act(Roll(7), ONE),)),
        ({"RA": None}, (RobberRoused(),)),
        ({"RD": None}, ()),
        ({"RD": {"2": {"G": "-4"}, "bank": {"G": "4"}}}, (Act(Discard(TWO, Goods(grain=4)), TWO),)),
        ({"RM": {"tile": "1,0"}}, (Act(MoveRobber(Hex(1, 0)), ONE),)),
        ({"RR": {"2": {"G": "-1"}, "1": {"G": "1"}}}, (Act(Steal(TWO, Resource.GRAIN), ONE),)),
        ({"RS": {"2": {"G": -1}, "1": {"G": 1}}}, (Act(Steal(TWO, Resource.GRAIN), ONE),)),
        ({"BD": {"type": "VP", "player": 1}}, (Act(BuyCard(Card.POINT), ONE),)),
        (
            {"TB": {"1": {"L": "-2", "B": "1"}, "bank": {"L": "2", "B": "-1"}}},
            (
                Transferred(
                    ((ONE, Holding(Goods(brick=1, lumber=-2))), (BANK, Holding(Goods(brick=-1, lumber=2))))
                ),
            ),
        ),
        (
            {"TO": {"player": 1, "uuid": "x", "resources": {"2": {"B": 1, "L": -1}, "1": {"L": 1, "B": -1}}}},
            (Offered(ONE, GIVES, ((TWO, TAKES),), "x"),),
        ),
        ({"TC": {"player": 1, "uuid": "x"}}, (Withdrawn(ONE, "x"),)),
        ({"TA": {"player": 2, "uuid": "x"}}, (Accepted(TWO, "x"),)),
        ({"CH": {"player": "A", "msg": "not your turn\n"}}, (Commented("not your turn"),)),
        ({"TE": {"player": "1"}}, (Act(EndTurn(), ONE),)),
        ({"GO": {"player": "2"}}, (GameOver(TWO),)),
    ],
    ids=lambda value: str(value)[:30],
)
def test_an_older_message(message: dict[str, Any], found: tuple[Event, ...]) -> None:
    text = json.dumps([SETUP, {"PS": {"phase": "Play"}}, {"TS": {"player": "1"}}, message])
    assert cgn.parse_lenient(text).value.events[3:] == found


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ('{"SR":{"P1":3,"P2":5}}', (OrderRolled(((ONE, 3), (TWO, 5))),)),
        ('{"E":["P2","P1"]}', (OrderSet((TWO, ONE)),)),
        ('{"G":{"P1":{"S":2,"R":2}}}', ()),
        (
            '{"G":{"P2":{"O":1}}}',
            (Produced(((TWO, Holding(Goods(ore=1))), (BANK, Holding(Goods(ore=-1))))),),
        ),
        ('Q "Ann"', (PlayerLeaves(),)),
        ('[{"E":["P2","P1"],\n{"TE":"P1"}]', (OrderSet((TWO, ONE)), Act(EndTurn(), ONE))),
    ],
)
def test_the_oldest_codes_other_names_and_missing_braces(message: str, found: tuple[Event, ...]) -> None:
    record, warnings = cgn.parse_lenient(message)
    assert record.events == found
    assert warnings
    with pytest.raises(BadText):
        cgn.parse(message)


@pytest.mark.parametrize(
    "message",
    [
        {"XX": {"player": 1}},
        {"TS": {}},
        {"TS": {"player": "7"}},
        {"BS": {"player": 1, "intersection": [["0", "0"], ["5", "5"], ["1", "0"]]}},
        {"BS": {"player": 1}},
        {"RR": {"1": {"G": 2}, "2": {"G": -2}}},
        {"TO": {"player": 1, "uuid": "x", "resources": {}}},
        {"RP": {"1": {"X": 1}}},
        {"MD": [[9, 9, "S", None]]},
    ],
    ids=lambda message: str(message)[:40],
)
def test_an_older_message_with_an_error_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="error"):
        cgn.parse_lenient(json.dumps([SETUP, message]))
