"""Laws of SGN: what is written reads back, canonical text is stable, any text gives a record or one error."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation import sgn
from ludograph.notation.json_records import reader as json_reader
from ludograph.settlers import Face, Harbor, Hex, HexCorner, HexSide, Island, Pole
from ludograph.settlers.actions import (
    BuyCard,
    Discard,
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
from ludograph.settlers.goods import BANK, Card, Goods, Player, Resource, Terrain, goods_of
from ludograph.settlers.places import FRAME, LAND_CORNERS, LAND_SIDES
from ludograph.settlers.record import (
    Act,
    CardPlayed,
    Event,
    Holding,
    HoldingChange,
    MapDefined,
    Record,
    Transferred,
)
from ludograph.text import TextError
from tests.notation.mutations import check_only_known_faults, json_mutations

players = st.integers(1, 6).map(Player)
hexes = st.builds(Hex, st.integers(-50, 50), st.integers(-50, 50))
corners = st.builds(HexCorner, hexes, st.sampled_from(Pole))
sides = st.builds(HexSide, hexes, st.sampled_from(Face))
resources = st.sampled_from(Resource)
some = st.integers(0, 5)
cards = st.builds(Goods, some, some, some, some, some).filter(bool)


@st.composite
def islands(draw: st.DrawFn) -> Island:
    terrain = dict.fromkeys(FRAME, Terrain.SEA)
    terrain |= draw(st.dictionaries(hexes, st.sampled_from(Terrain), max_size=12))
    number = st.none() | st.sampled_from([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    numbers = {place: draw(number) for place, kind in terrain.items() if kind.yields is not None}
    harbors = draw(st.dictionaries(sides, st.none() | resources, min_size=8, max_size=11))
    return Island.of(terrain, numbers, [Harbor(side, kind) for side, kind in harbors.items()])


@st.composite
def trades(draw: st.DrawFn) -> Act:
    player = draw(players)
    partner = draw(st.integers(0, 6).map(Player).filter(lambda other: other != player))
    give = draw(cards.filter(lambda goods: min(goods[kind] for kind in Resource) == 0))
    free = [kind for kind in Resource if not give[kind]]
    take = Goods()
    for kind in draw(st.lists(st.sampled_from(free), min_size=1)):
        take += goods_of(kind)
    return Act(Trade(give, take, partner), player)


@st.composite
def transfers(draw: st.DrawFn) -> Transferred:
    """Changes of different parties, each with something; the last one makes up for the others."""
    listed = draw(st.lists(st.integers(0, 6).map(Player), unique=True, min_size=2))
    counts = st.integers(-5, 5)
    goods = st.builds(Goods, counts, counts, counts, counts, counts).filter(bool)
    changes: list[HoldingChange] = [(player, Holding(draw(goods))) for player in listed[:-1]]
    total = Goods()
    for _, holding in changes:
        total += holding.goods
    if not total:
        changes[0] = (changes[0][0], Holding(changes[0][1].goods + goods_of(Resource.ORE, 11)))
        total = goods_of(Resource.ORE, 11)
    return Transferred((*changes, (listed[-1], Holding(-total))))


def acts_of(player: Player) -> st.SearchStrategy[Act]:
    others = players.filter(lambda other: other != player)
    actions = st.one_of(
        st.integers(2, 12).map(Roll),
        hexes.map(MoveRobber),
        cards.map(lambda given_up: Discard(player, given_up)),
        st.builds(Steal, others, resources),
        st.sampled_from(Card).map(BuyCard),
        (corners | st.sampled_from(LAND_CORNERS)).map(PlaceVillage),
        (corners | st.sampled_from(LAND_CORNERS)).map(PlaceCity),
        (sides | st.sampled_from(LAND_SIDES)).map(PlaceRoad),
        st.just(UseKnight()),
        st.just(UseRoads()),
        resources.map(UseMonopoly),
        st.lists(resources, min_size=1, max_size=2).map(
            lambda kinds: UsePlenty(sum((goods_of(kind) for kind in kinds), Goods()))
        ),
    )
    return actions.map(lambda action: Act(action, player))


events: st.SearchStrategy[Event] = st.one_of(
    players.flatmap(acts_of),
    trades(),
    transfers(),
    islands().map(MapDefined),
    players.map(lambda player: CardPlayed(Card.POINT, player)),
)
records = st.lists(events, min_size=1, max_size=12).map(lambda listed: Record(tuple(listed)))


@given(records)
def test_every_expressible_record_is_parsed_as_itself(record: Record) -> None:
    text = sgn.format(record)
    assert sgn.parse(text) == record
    assert sgn.format(sgn.parse(text)) == text


def test_every_corner_and_side_of_the_land_has_a_name_of_its_own() -> None:
    villages = Record(tuple(Act(PlaceVillage(corner), Player(1)) for corner in LAND_CORNERS))
    roads = Record(tuple(Act(PlaceRoad(side), Player(1)) for side in LAND_SIDES))
    for record, count in ((villages, 54), (roads, 72)):
        text = sgn.format(record)
        assert len(set(text.splitlines())) == count
        assert sgn.parse(text) == record


SAMPLE = "\n".join(
    line.split(" ==>")[0].replace("⏎", "\n")
    for line in (Path(__file__).parent / "valid.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("//")
)
KNOWN_CODES = sgn.CODES.keys() | json_reader.CODES.keys()


@given(json_mutations(SAMPLE, "1"))
def test_mutated_text_gives_a_record_or_a_known_fault(text: str) -> None:
    check_only_known_faults(sgn.parse, text, KNOWN_CODES)
    check_only_known_faults(sgn.parse_lenient, text, KNOWN_CODES)


@given(st.text() | st.text(alphabet='[]{}",:12BRDST \n'))
def test_any_text_gives_a_record_or_a_known_fault(text: str) -> None:
    check_only_known_faults(sgn.parse, text, KNOWN_CODES)
    check_only_known_faults(sgn.parse_lenient, text, KNOWN_CODES)


@pytest.mark.parametrize("line", [row for row in SAMPLE.splitlines() if row.strip()])
def test_a_line_cut_short_anywhere_is_refused(line: str) -> None:
    stripped = line.strip()
    for end in range(1, len(stripped)):
        with pytest.raises(TextError):
            sgn.parse(stripped[:end])


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        "\n" * 300_000,
        '["1","TR",[' + '{"player":"1","resources":{"G":1}},' * 10_000,
        '["1","RD",{"result":' + "9" * 5_000 + "}]",
        '["1","MR",{"tile":["' + "9" * 5_000 + '",0]}]',
        '["1","RD",{' + '"result":7,' * 20_000 + "}]",
        '["' + "1" * 2_000_000,
    ],
)
def test_big_bad_input_gives_one_error(text: str) -> None:
    check_only_known_faults(sgn.parse, text, KNOWN_CODES)
    check_only_known_faults(sgn.parse_lenient, text, KNOWN_CODES)


def test_a_long_record_is_read_and_written() -> None:
    gift = Transferred(((BANK, Holding(Goods(ore=-1))), (Player(2), Holding(Goods(ore=1)))))
    record = Record((Act(Roll(8), Player(2)), gift) * 3_000)
    assert sgn.parse(sgn.format(record)) == record
