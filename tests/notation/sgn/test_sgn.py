"""SGN: its lines, what they mean, what it leaves to the reader, what it loses, and how a stream is cut."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ludograph.notation import sgn
from ludograph.notation.json_records import reader as json_reader
from ludograph.notation.results import LossKind, Unwritable
from ludograph.settlers import BEGINNERS_ISLAND, Face, Harbor, Hex, HexCorner, HexSide, Pole, fresh_position
from ludograph.settlers.actions import (
    Action,
    Buy,
    BuyCard,
    Discard,
    EndTurn,
    MoveRobber,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Roll,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.goods import BANK, Award, Card, Goods, Piece, Player, Resource, Terrain
from ludograph.settlers.island import Island
from ludograph.settlers.record import (
    Accepted,
    Act,
    Awarded,
    CardPlayed,
    Commented,
    Event,
    GameOver,
    Holding,
    MapDefined,
    Offered,
    OrderRolled,
    OrderSet,
    Phase,
    PhaseEnds,
    PhaseStarts,
    PlayerJoins,
    PlayerLeaves,
    PlayerQuits,
    Produced,
    Record,
    RobberRoused,
    RoundEnds,
    RoundStarts,
    Said,
    Transferred,
    TurnStarts,
    Withdrawn,
)
from ludograph.text import BadText, Nonsense, Source, TextError

DATA = Path(__file__).parent
ONE, TWO, THREE = Player(1), Player(2), Player(3)


def cases(name: str) -> list[tuple[str, ...]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = (re.split(r" ==>(?: |$)", line) for line in lines if not line.startswith("//"))
    return [tuple(part.replace("⏎", "\n") for part in row) for row in rows]


@pytest.mark.parametrize(("text", "lines"), cases("valid.txt"))
def test_valid_text_has_a_canonical_form(text: str, lines: str) -> None:
    record = sgn.parse(text)
    assert sgn.format(record) == f"{lines}\n"
    assert sgn.parse(lines) == record
    assert sgn.parse_lenient(text) == (record, ())


@pytest.mark.parametrize(("text", "lines", "codes"), cases("lenient.txt"))
def test_lenient_text_is_read_with_warnings(text: str, lines: str, codes: str) -> None:
    record, warnings = sgn.parse_lenient(text)
    assert sgn.format(record) == f"{lines}\n"
    assert [warning.code for warning in warnings] == codes.split()
    with pytest.raises(TextError) as caught:
        sgn.parse(text)
    assert replace(caught.value.diagnostic, severity="warning") == warnings[0]


@pytest.mark.parametrize(("text", "place", "hint"), cases("invalid.txt"))
def test_invalid_text_is_refused_with_its_place_and_a_hint(text: str, place: str, hint: str) -> None:
    with pytest.raises(TextError) as caught:
        sgn.parse(text)
    error = caught.value
    assert f"{error.code} {error.line}:{error.column}" == place
    assert hint in error.hint
    assert isinstance(error, Nonsense if error.code.startswith("NT15") else BadText)


def test_every_code_is_documented_and_tried() -> None:
    folder = Path(sgn.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    used = set(re.findall(r'"(NT\d{4})"(?!:)', sources))
    assert used - json_reader.CODES.keys() == sgn.CODES.keys()
    assert {place.split()[0] for _, place, _ in cases("invalid.txt")} >= sgn.CODES.keys()


# What lines mean.

NORTH, SOUTH = HexCorner(Hex(0, 0), Pole.NORTH), HexCorner(Hex(0, 0), Pole.SOUTH)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ('["1","RD",{"result":8}]', Roll(8)),
        ('["1","MR",{"tile":["-2","0"]}]', MoveRobber(Hex(-2, 0))),
        ('["1","BS",{"intersection":[[1,-1],[0,0],[0,-1]]}]', PlaceVillage(NORTH)),
        ('["1","BC",{"intersection":[[0,0],[0,1],[-1,1]]}]', PlaceCity(SOUTH)),
        (
            '["1","BR",{"path":[[[1,-1],[0,0],[0,-1]],[[0,-1],[0,0],[-1,0]]]}]',
            PlaceRoad(HexSide(Hex(0, 0), Face.NORTH_WEST)),
        ),
        ('["1","BD",{"cCode":"VP"}]', BuyCard(Card.POINT)),
        ('["1","PD",{"cCode":"KN"}]', UseKnight()),
        ('["1","PD",{"cCode":"RB"}]', UseRoads()),
        ('["1","PD",{"cCode":"MO","rCodes":["O"]}]', UseMonopoly(Resource.ORE)),
        ('["1","PD",{"cCode":"YP","rCodes":["W","B"]}]', UsePlenty(Goods(brick=1, wool=1))),
        (
            '["1","ST",[{"player":"1","resources":{"W":1}},{"player":"2","resources":{"W":-1}}]]',
            Steal(TWO, Resource.WOOL),
        ),
        (
            '["1","TR",[{"player":"2","resources":{"W":-1,"O":2}},{"player":"1","resources":{"O":-2,"W":1}}]]',
            Trade(Goods(ore=2), Goods(wool=1), TWO),
        ),
        (
            '["1","TR",[{"player":"1","resources":{"O":-2}},{"player":"B","resources":{"O":2}}]]',
            Discard(ONE, Goods(ore=2)),
        ),
    ],
)
def test_a_line_is_an_action_of_its_player(line: str, action: Action) -> None:
    assert sgn.parse(line) == Record((Act(action, ONE),))
    assert sgn.format(Record((Act(action, ONE),))).count("\n") == 1


def test_a_point_card_is_shown_not_used() -> None:
    assert sgn.parse('["2","PD",{"cCode":"VP"}]').events == (CardPlayed(Card.POINT, TWO),)


def test_a_map_of_any_shape_comes_back() -> None:
    terrain = {Hex(40, -7): Terrain.FOREST, Hex(0, 0): Terrain.SEA, Hex(1, 1): Terrain.DESERT}
    harbors = (Harbor(HexSide(Hex(40, -7), Face.WEST), Resource.ORE), Harbor(HexSide(Hex(1, 1), Face.WEST)))
    frame = dict(BEGINNERS_ISLAND.terrain) | terrain
    numbers = dict(BEGINNERS_ISLAND.numbers) | {Hex(40, -7): 12, Hex(0, 0): None, Hex(1, 1): None}
    large = Island.of(frame, numbers, (*BEGINNERS_ISLAND.harbors, *harbors))
    for island in (BEGINNERS_ISLAND, large):
        text = sgn.format(Record((MapDefined(island),)))
        assert text.startswith('["B","DM",{"tiles":[')
        assert sgn.parse(text) == Record((MapDefined(island),))


def test_a_map_has_at_least_37_tiles_and_8_harbors() -> None:
    island = BEGINNERS_ISLAND
    too_few_tiles = Island.of(dict(island.terrain[1:]), dict(island.numbers), island.harbors)
    too_few_harbors = Island.of(dict(island.terrain), dict(island.numbers), island.harbors[2:])
    for small in (too_few_tiles, too_few_harbors):
        with pytest.raises(Unwritable, match="at least 37 and 8"):
            sgn.format(Record((MapDefined(small),)))
    text = sgn.format(Record((MapDefined(island),)))
    one_harbor = text[: text.index('"harbors":[') + 11] + text[text.rindex('{"path"') :]
    with pytest.raises(BadText, match="at least 8 harbors, found 1"):
        sgn.parse(one_harbor)
    record, warnings = sgn.parse_lenient(one_harbor)
    assert [warning.code for warning in warnings] == ["NT0508"]
    assert record == Record((MapDefined(Island(island.terrain, island.numbers, island.harbors[-1:])),))


def test_the_picture_of_a_fault_points_at_it() -> None:
    with pytest.raises(BadText) as caught:
        sgn.parse('["1","RD",{"result":8}]\n["1","MR",{"tile":[0,"a"]}]\n')
    assert str(caught.value) == (
        "error[NT0505]: a coordinate is an integer\n"
        " --> 2:22\n"
        '2 | ["1","MR",{"tile":[0,"a"]}]\n'
        "  |                      ^^^\n"
        "  = hint: write an integer"
    )


def test_a_fault_in_a_file_names_file_line_and_record() -> None:
    source = Source('["1","RD",{"result":8}]\n[]', name="game.sgn", first_line=40, record=3)
    with pytest.raises(BadText) as caught:
        sgn.read(source, lenient=False)
    assert caught.value.diagnostic.place() == "game.sgn:41:1 (record 3)"


def test_line_ends_of_any_kind_are_read() -> None:
    text = '["1","RD",{"result":8}]\n\n["2","RD",{"result":9}]\n'
    for line_end in ("\r\n", "\r"):
        assert sgn.parse(text.replace("\n", line_end)) == sgn.parse(text)


def test_a_byte_order_mark_is_read_leniently() -> None:
    warnings = sgn.parse_lenient('\ufeff["1","RD",{"result":8}]').warnings
    assert [warning.code for warning in warnings] == ["NT0618"]


# What is implied, and what is lost.

ROLL = Act(Roll(8), ONE)
ROLL_LINE = '["1","RD",{"result":8}]\n'
VILLAGE = Act(PlaceVillage(NORTH), ONE)
WOOL, NO_WOOL = Holding(Goods(wool=1)), Holding(Goods(wool=-1))
IMPLIED: list[tuple[Event, ...]] = [
    (PlayerJoins(ONE), ROLL),
    (PhaseStarts(Phase.PLAY), RoundStarts(1), TurnStarts(ONE), ROLL, RoundEnds(1), PhaseEnds(Phase.PLAY)),
    (ROLL, Produced(((ONE, WOOL), (BANK, NO_WOOL)))),
    (ROLL, RobberRoused()),
    (ROLL, Awarded(Award.LONGEST_ROAD, ONE)),
    (Transferred(((ONE, Holding(villages=2, roads=2)), (BANK, Holding(villages=-2, roads=-2)))), ROLL),
]


@pytest.mark.parametrize("events", IMPLIED)
def test_what_other_lines_imply_is_not_written_and_not_lost(events: tuple[Event, ...]) -> None:
    assert sgn.format(Record(events)) == ROLL_LINE


def test_a_purchase_is_implied_by_the_piece_that_is_placed_next() -> None:
    assert sgn.format(Record((Act(Buy(Piece.VILLAGE), ONE), VILLAGE))) == sgn.format(Record((VILLAGE,)))
    for other in (Act(PlaceCity(NORTH), ONE), Act(PlaceVillage(NORTH), TWO), ROLL):
        losses = sgn.format_lenient(Record((Act(Buy(Piece.VILLAGE), ONE), other))).losses
        assert [str(loss) for loss in losses] == [
            "lost: event 1: the purchase of a village that is not placed at once"
        ]


def test_the_end_of_a_turn_is_implied_by_the_next_player() -> None:
    ended = (ROLL, Act(EndTurn(), ONE), Act(Discard(ONE, Goods(ore=1)), ONE), Act(Roll(9), TWO))
    assert sgn.format(Record(ended)).count("\n") == 3
    for events, message in (
        ((ROLL, Act(EndTurn(), ONE)), "the end of the last turn"),
        ((ROLL, Act(EndTurn(), ONE), ROLL), "the end of a turn after which the same player acts"),
    ):
        (loss,) = sgn.format_lenient(Record(events)).losses
        assert (loss.message, loss.event) == (message, 1)


def test_cards_of_other_notations_are_written_as_lines_of_sgn() -> None:
    assert sgn.format(Record((CardPlayed(Card.KNIGHT, ONE),))) == '["1","PD",{"cCode":"KN"}]\n'
    assert sgn.format(Record((CardPlayed(Card.ROADS, TWO),))) == '["2","PD",{"cCode":"RB"}]\n'


def test_a_discard_names_its_player_itself() -> None:
    discard = Discard(TWO, Goods(ore=2))
    assert sgn.format(Record((Act(discard),))) == sgn.format(Record((Act(discard, TWO),)))


def test_only_the_sum_of_the_dice_is_written() -> None:
    text, losses = sgn.format_lenient(Record((Act(Roll((3, 5)), ONE),)))
    assert text == ROLL_LINE
    assert [str(loss) for loss in losses] == ["lost: event 1: the dice 3+5, of which only the sum is written"]


def test_the_offer_of_a_trade_is_lost_and_the_trade_is_not() -> None:
    text, losses = sgn.format_lenient(Record((Transferred(((ONE, WOOL), (TWO, NO_WOOL)), "x"),)))
    assert sgn.parse(text) == Record((Transferred(((ONE, WOOL), (TWO, NO_WOOL))),))
    assert [loss.message for loss in losses] == ["the offer that the trade fulfils"]


LOST, MISSING = LossKind.LOST, LossKind.MISSING
FAR = Hex(1_000_000, 0)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Act(Roll(8)), LOST),
        (Act(Roll(8), BANK), LOST),
        (Act(Roll(8), Player(7)), LOST),
        (Act(Roll(None), ONE), LOST),
        (Act(Roll(1), ONE), LOST),
        (Act(Steal(TWO, None), ONE), LOST),
        (Act(Steal(ONE, Resource.ORE), ONE), LOST),
        (Act(BuyCard(None), ONE), LOST),
        (Act(Discard(TWO, Goods(ore=1)), ONE), LOST),
        (Act(Discard(TWO, Goods()), TWO), LOST),
        (Act(MoveRobber(FAR), ONE), LOST),
        (Act(PlaceVillage(HexCorner(Hex(999_999, 0), Pole.NORTH)), ONE), LOST),
        (Act(PlaceRoad(HexSide(Hex(999_999, 0), Face.NORTH_EAST)), ONE), LOST),
        (Act(UsePlenty(Goods(ore=3)), ONE), LOST),
        (Act(UsePlenty(Goods()), ONE), LOST),
        (Act(Trade(Goods(ore=1), Goods(), TWO), ONE), LOST),
        (Act(Trade(Goods(ore=2), Goods(ore=1, wool=1), TWO), ONE), LOST),
        (CardPlayed(Card.MONOPOLY, ONE), MISSING),
        (CardPlayed(Card.PLENTY, ONE), MISSING),
        (CardPlayed(Card.POINT), MISSING),
        (PlayerJoins(Player(4)), LOST),
        (TurnStarts(ONE), LOST),
        (PlayerLeaves(ONE), LOST),
        (PlayerQuits(ONE), LOST),
        (OrderRolled(((ONE, 7), (TWO, 8))), LOST),
        (OrderSet((ONE, TWO)), LOST),
        (GameOver(ONE), LOST),
        (Offered(ONE, WOOL, ((TWO, NO_WOOL),), "x"), LOST),
        (Withdrawn(ONE, "x"), LOST),
        (Accepted(ONE, "x"), LOST),
        (Said(ONE, "x"), LOST),
        (Commented("x"), LOST),
        (Transferred(()), LOST),
        (Transferred(((ONE, WOOL),)), LOST),
        (Transferred(((ONE, WOOL), (ONE, NO_WOOL))), LOST),
        (Transferred(((ONE, WOOL), (TWO, NO_WOOL), (THREE, Holding()))), LOST),
        (Transferred(((ONE, WOOL), (Player(7), NO_WOOL))), LOST),
        (Transferred(((ONE, Holding(cards=1)), (TWO, Holding(cards=-1)))), LOST),
        (
            Transferred(((ONE, Holding(Goods(wool=1), roads=1)), (BANK, Holding(Goods(wool=-1), roads=-1)))),
            LOST,
        ),
        (MapDefined(Island.of({Hex(0, 0): Terrain.DESERT}, {Hex(0, 0): 5})), LOST),
        (MapDefined(Island.of({}, {Hex(0, 0): 5})), LOST),
        (MapDefined(Island.of({FAR: Terrain.SEA})), LOST),
        (MapDefined(Island(((Hex(0, 0), Terrain.SEA),) * 2)), LOST),
        (MapDefined(Island((), (), (Harbor(HexSide(Hex(0, 0), Face.WEST)),) * 2)), LOST),
    ],
)
def test_inexpressible_events_are_left_out_and_reported(event: Event, kind: LossKind) -> None:
    text, losses = sgn.format_lenient(Record((event, Act(MoveRobber(Hex(0, 0)), TWO))))
    assert text == '["2","MR",{"tile":[0,0]}]\n'
    assert [(loss.kind, loss.event) for loss in losses] == [(kind, 0)]
    with pytest.raises(Unwritable):
        sgn.format(Record((event,)))


def test_the_start_is_lost_headers_become_comments_and_nothing_is_no_record() -> None:
    record = Record((ROLL,), fresh_position(BEGINNERS_ISLAND, 4), (("Event", "x"), ("Date", "a\nb")))
    text, losses = sgn.format_lenient(record)
    assert sgn.parse(text).headers == (("Event", "x"),)
    assert [str(loss) for loss in losses] == ["lost: the start position", "lost: the header 'Date'"]
    with pytest.raises(Unwritable):
        sgn.format(Record())


# Streams.

MAP_LINE = '["B","DM",{"tiles":[],"harbors":[]}]\n'


def split(text: str) -> list[tuple[int, str]]:
    return list(sgn.split(io.StringIO(text, newline="")))


def test_headers_alone_are_no_record() -> None:
    text, losses = sgn.format_lenient(
        Record((Act(EndTurn(), ONE),), headers=(("Order", "2"), ("Event", "x")))
    )
    assert text == ""
    assert [loss.message for loss in losses][1:] == ["the header 'Order'", "the header 'Event'"]


def test_a_map_begins_a_record() -> None:
    text = f"\n{MAP_LINE}{ROLL_LINE}\n{MAP_LINE} {MAP_LINE}"
    assert split(text) == [(2, f"{MAP_LINE}{ROLL_LINE}\n"), (5, MAP_LINE), (6, f" {MAP_LINE}")]


def test_lines_before_a_map_are_a_record() -> None:
    assert split(ROLL_LINE + MAP_LINE) == [(1, ROLL_LINE), (2, MAP_LINE)]
    assert split(ROLL_LINE + ROLL_LINE) == [(1, ROLL_LINE + ROLL_LINE)]
    assert split("") == split("\n \r\n") == []


def test_options_are_headers_in_comments_before_the_lines() -> None:
    text = '# [Points "12"]\n# [Trades "nobody"]\n["1","RD",{"result":8}]\n'
    record = sgn.parse(text)
    assert record.headers == (("Points", "12"), ("Trades", "nobody"))
    assert sgn.format(record) == text


def test_headers_start_a_new_record() -> None:
    lines = ['# [Points "12"]\n', "\n", '["1","RD",{"result":8}]\n']
    assert list(sgn.split(lines * 2)) == [(1, "".join(lines)), (4, "".join(lines))]
