"""The writer of CGN: expressible events, events with their own messages, and losses."""

import pytest

from ludograph.notation import cgn
from ludograph.notation.results import Loss, LossKind, Unwritable
from ludograph.settlers import BEGINNERS_ISLAND, Face, Harbor, Hex, HexCorner, HexSide, Pole, fresh_position
from ludograph.settlers.actions import (
    Action,
    Buy,
    BuyCard,
    Discard,
    EndTurn,
    MoveRobber,
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
from ludograph.settlers.names import CGN_TILES
from ludograph.settlers.record import (
    Accepted,
    Act,
    Awarded,
    Commented,
    Event,
    Holding,
    MapDefined,
    Offered,
    OrderRolled,
    OrderSet,
    PlayerJoins,
    PlayerLeaves,
    Record,
    RobberRoused,
    RoundStarts,
    Said,
    Transferred,
    Withdrawn,
)
from ludograph.settlers.standard import HARBOR_SIDES

ONE, TWO = Player(1), Player(2)
WOOL, NO_WOOL = Holding(Goods(wool=1)), Holding(Goods(wool=-1))


def messages(*events: Event) -> list[str]:
    """The canonical messages of events, which lose nothing."""
    return [line.rstrip(",") for line in cgn.format(Record(events)).splitlines()[1:-1]]


@pytest.mark.parametrize(
    ("action", "expected", "canonical"),
    [
        (UseKnight(), ['{"P":{"P1":"KN"}}'], "CardPlayed"),
        (UseRoads(), ['{"P":{"P1":"RB"}}'], "CardPlayed"),
        (
            UsePlenty(Goods(lumber=1, ore=1)),
            ['{"P":{"P1":"YP"}}', '{"T":{"P1":{"L":1,"O":1},"B":{"L":-1,"O":-1}}}'],
            "CardPlayed and Transferred",
        ),
        (
            Trade(Goods(lumber=2), Goods(wool=1), TWO),
            ['{"T":{"P1":{"L":-2,"W":1},"P2":{"L":2,"W":-1}}}'],
            "Transferred",
        ),
        (
            Trade(Goods(grain=4), Goods(brick=1), BANK),
            ['{"T":{"P1":{"B":1,"G":-4},"B":{"B":-1,"G":4}}}'],
            "Transferred",
        ),
    ],
)
def test_trades_and_cards_as_actions_are_written_as_the_events_that_are_read_back(
    action: Action, expected: list[str], canonical: str
) -> None:
    record = Record((Act(action, ONE),))
    text, losses = cgn.format_lenient(record)
    assert [line.rstrip(",") for line in text.splitlines()[1:-1]] == expected
    message = f"that {type(action).__name__} is an action: it is parsed as {canonical}"
    assert losses == (Loss(LossKind.LOST, message, 0),)
    events = cgn.parse(text).events
    assert " and ".join(type(event).__name__ for event in events) == canonical
    assert cgn.format(Record(events)) == text
    with pytest.raises(Unwritable, match=f"it is parsed as {canonical}"):
        cgn.format(record)


def test_a_discard_names_its_player_itself() -> None:
    line = '{"C":{"P2":{"O":-2},"B":{"O":2}}}'
    assert messages(Act(Discard(TWO, Goods(ore=2)), TWO)) == [line]
    text, losses = cgn.format_lenient(Record((Act(Discard(TWO, Goods(ore=2))),)))
    assert text == f"[\n{line}\n]\n"
    assert [loss.message for loss in losses] == [
        "that the event of a discard names no player: the parser adds it"
    ]


def test_a_monopoly_is_written_with_the_transfer_after_it() -> None:
    haul = Transferred(((ONE, WOOL), (TWO, NO_WOOL)))
    text, losses = cgn.format_lenient(Record((Act(UseMonopoly(Resource.WOOL), ONE), haul)))
    assert text == '[\n{"P":{"P1":"MO"}},\n{"T":{"P1":{"W":1},"P2":{"W":-1}}}\n]\n'
    assert [str(loss) for loss in losses] == [
        "lost: event 1: that UseMonopoly is an action: it is parsed as CardPlayed"
    ]


def test_a_monopoly_alone_lacks_what_it_took() -> None:
    text, losses = cgn.format_lenient(Record((Act(UseMonopoly(Resource.ORE), ONE),)))
    assert text == '[\n{"P":{"P1":"MO"}}\n]\n'
    assert [str(loss) for loss in losses] == [
        "lost: event 1: that UseMonopoly is an action: it is parsed as CardPlayed",
        "missing: event 1: the ore cards that each player gave for the monopoly",
    ]


LOST, MISSING, INVENTED = LossKind.LOST, LossKind.MISSING, LossKind.INVENTED


@pytest.mark.parametrize(
    ("event", "text", "kind", "message"),
    [
        (
            Act(Roll((3, 4)), ONE),
            '{"R":{"P1":7}}',
            LOST,
            "the dice 3+4, of which only the sum is written",
        ),
        (
            Offered(ONE, WOOL, ((TWO, NO_WOOL), (Player(3), NO_WOOL)), "x"),
            '{"O":{"P1":{"W":1},"?":{"P2":{"W":-1},"P3":{"W":-1}},"UUID":"x"}}',
            INVENTED,
            "that the first player to accept the offer wins it",
        ),
        (
            Commented("two\nlines"),
            "# two\n# lines",
            LOST,
            "that a comment of several lines is one comment",
        ),
    ],
)
def test_some_events_are_written_in_part(event: Event, text: str, kind: LossKind, message: str) -> None:
    assert cgn.format_lenient(Record((event,))) == (f"[\n{text}\n]\n", (Loss(kind, message, 0),))
    with pytest.raises(Unwritable):
        cgn.format(Record((event,)))


FAR = Hex(9, 9)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Act(EndTurn()), LOST),
        (Act(Roll(None), ONE), LOST),
        (Act(Roll(13), ONE), LOST),
        (Act(Roll(7), Player(5)), LOST),
        (Act(Roll(7), BANK), LOST),
        (Act(Steal(TWO, None), ONE), LOST),
        (Act(Steal(ONE, Resource.ORE), ONE), LOST),
        (Act(Steal(BANK, Resource.ORE), ONE), LOST),
        (Act(Discard(TWO, Goods(ore=1)), ONE), LOST),
        (Act(Discard(TWO, Goods()), TWO), LOST),
        (Act(UsePlenty(Goods()), ONE), LOST),
        (Act(UsePlenty(Goods(ore=3)), ONE), LOST),
        (Act(UsePlenty(Goods(brick=-1, ore=3)), ONE), LOST),
        (Act(MoveRobber(FAR), ONE), LOST),
        (Act(PlaceVillage(HexCorner(FAR, Pole.NORTH)), ONE), LOST),
        (Act(PlaceVillage(HexCorner(Hex(0, -3), Pole.NORTH)), ONE), LOST),
        (Act(PlaceRoad(HexSide(FAR, Face.WEST)), ONE), LOST),
        (Act(PlaceRoad(HexSide(Hex(1, -3), Face.WEST)), ONE), LOST),
        (Act(Trade(Goods(ore=1), Goods(), TWO), ONE), LOST),
        (Act(Trade(Goods(ore=2), Goods(ore=1, wool=1), TWO), ONE), LOST),
        (Act(Trade(Goods(ore=2), Goods(wool=1), ONE), ONE), LOST),
        (PlayerJoins(Player(5)), LOST),
        (PlayerLeaves(BANK), LOST),
        (Awarded(Award.LARGEST_ARMY, Player(6)), LOST),
        (RoundStarts(0), LOST),
        (RoundStarts(10**9), LOST),
        (OrderRolled(((ONE, 7),)), LOST),
        (OrderRolled(()), LOST),
        (OrderRolled(((ONE, 7), (ONE, 8))), LOST),
        (OrderSet((ONE, ONE)), LOST),
        (Transferred(((ONE, WOOL),)), LOST),
        (Transferred(((ONE, WOOL), (ONE, NO_WOOL))), LOST),
        (Transferred(((ONE, WOOL), (Player(7), NO_WOOL))), LOST),
        (Transferred(((ONE, WOOL), (TWO, NO_WOOL)), ""), LOST),
        (
            Transferred(((ONE, Holding(Goods(wool=10**9))), (TWO, Holding(Goods(wool=-(10**9)))))),
            LOST,
        ),
        (Offered(ONE, WOOL, (), "x"), LOST),
        (Offered(ONE, WOOL, ((BANK, NO_WOOL),), "x"), LOST),
        (Offered(ONE, WOOL, ((ONE, NO_WOOL),), "x", open=True), LOST),
        (Offered(ONE, WOOL, ((TWO, WOOL),), "x"), LOST),
        (Offered(ONE, WOOL, ((TWO, NO_WOOL), (TWO, NO_WOOL)), "x", open=True), LOST),
        (Withdrawn(ONE, ""), LOST),
        (Accepted(ONE, "\ud800"), LOST),
        (Said(ONE, "\udfff"), LOST),
        (Commented("\udfff"), LOST),
        (MapDefined(Island.of({Hex(0, 0): Terrain.DESERT})), LOST),
        (MapDefined(BEGINNERS_ISLAND.replace(terrain={Hex(0, 0): Terrain.SEA})), LOST),
        (MapDefined(BEGINNERS_ISLAND.replace(terrain={FAR: Terrain.SEA})), LOST),
        (MapDefined(Island((*BEGINNERS_ISLAND.terrain, (Hex(0, 0), Terrain.DESERT)))), LOST),
    ],
)
def test_inexpressible_events_are_left_out_and_reported(event: Event, kind: LossKind) -> None:
    text, losses = cgn.format_lenient(Record((event, PlayerJoins(ONE))))
    assert text == '[\n{"PA":"P1"}\n]\n'
    assert [(loss.kind, loss.event) for loss in losses] == [(kind, 0)]
    with pytest.raises(Unwritable):
        cgn.format(Record((event,)))


def test_the_start_is_lost_and_headers_become_comments() -> None:
    record = Record((), fresh_position(BEGINNERS_ISLAND, 4), (("Event", "x"), ("Date", "a\nb")))
    text, losses = cgn.format_lenient(record)
    assert '# [Event "x"]' in text
    assert [str(loss) for loss in losses] == ["lost: the start position", "lost: the header 'Date'"]


def test_a_trade_of_strangers_is_written_and_reported() -> None:
    record = cgn.parse_lenient(
        'O {"P1":{"W":1},"P2":{"W":-1},"UUID":"x"}\nA {"P2":"x"}\nT {"P1":{"W":1},"P3":{"W":-1},"UUID":"x"}'
    ).value
    text, losses = cgn.format_lenient(record)
    assert cgn.parse_lenient(text).value == record
    assert [loss.event for loss in losses] == [2]


def test_harbors_that_cgn_has_no_tile_for_are_lost_one_by_one() -> None:
    inland = Harbor(HexSide(Hex(0, 0), Face.WEST))
    crowded = Harbor(HexSide(Hex(2, -2), Face.NORTH_WEST))
    island = BEGINNERS_ISLAND.replace(harbors=(Harbor(HARBOR_SIDES[1]), inland, crowded))
    text, losses = cgn.format_lenient(Record((MapDefined(island),)))
    assert '"3":["HR",null],' in text
    assert len(losses) == 2


def test_missing_sea_is_invented_and_odd_numbers_are_lost() -> None:
    sea, desert = CGN_TILES[1], CGN_TILES[37]
    terrain = tuple((place, kind) for place, kind in BEGINNERS_ISLAND.terrain if place != sea)
    island = Island(terrain, (*BEGINNERS_ISLAND.numbers, (desert, 5)))
    text, losses = cgn.format_lenient(Record((MapDefined(island),)))
    assert '"1":["S",null]' in text
    assert [loss.kind for loss in losses] == [INVENTED, LOST]
    assert isinstance(cgn.parse(text).events[0], MapDefined)


def test_the_kind_of_a_bought_card_is_in_a_header() -> None:
    record = Record((Act(BuyCard(Card.KNIGHT), ONE),))
    text = cgn.format(record)
    assert text.splitlines()[1] == '# [Bought "Dk"]'
    assert cgn.parse(text) == record


def test_options_are_headers_in_comments_before_the_first_message() -> None:
    record = Record((RobberRoused(),), headers=(("Points", "12"), ("Friendly", "yes")))
    text = cgn.format(record)
    assert text == '[\n# [Points "12"]\n# [Friendly "yes"]\n{"R!":null}\n]\n'
    assert cgn.parse(text) == record
    assert cgn.parse('[{"R!":null}\n# [Points "12"]\n]').headers == ()


def test_a_comment_that_would_be_read_as_a_header_is_a_loss() -> None:
    losses = cgn.format_lenient(Record((Commented('[Points "12"]'), RobberRoused()))).losses
    assert [loss.message for loss in losses] == ["that a comment is not a header"]


def test_the_price_of_each_build_is_written() -> None:
    assert messages(*(Act(Buy(piece), ONE) for piece in Piece), Act(BuyCard(), ONE)) == [
        '{"B":{"P1":{"S":1,"B":-1,"G":-1,"L":-1,"W":-1},"B":{"S":-1,"B":1,"G":1,"L":1,"W":1}}}',
        '{"B":{"P1":{"C":1,"G":-2,"O":-3},"B":{"C":-1,"G":2,"O":3}}}',
        '{"B":{"P1":{"R":1,"B":-1,"L":-1},"B":{"R":-1,"B":1,"L":1}}}',
        '{"B":{"P1":{"DC":1,"G":-1,"O":-1,"W":-1},"B":{"DC":-1,"G":1,"O":1,"W":1}}}',
    ]
