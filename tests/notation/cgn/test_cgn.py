"""CGN: every example of its specification, every decision about it, every fault with its place and hint."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ludograph.notation import cgn
from ludograph.notation.json_records import reader as json_reader
from ludograph.settlers import BEGINNERS_ISLAND, Harbor, Hex, Island, Terrain
from ludograph.settlers.actions import MoveRobber, PlaceRoad, PlaceVillage, Roll, Steal
from ludograph.settlers.goods import BANK, Goods, Player, Resource
from ludograph.settlers.names import CGN_TILES
from ludograph.settlers.record import (
    Act,
    Holding,
    MapDefined,
    Offered,
    OrderRolled,
    Produced,
    Record,
    Transferred,
)
from ludograph.settlers.standard import HARBOR_SIDES
from ludograph.text import BadText, Nonsense, Source, TextError

DATA = Path(__file__).parent

STARTER_MAP = (DATA / "starter_map.txt").read_text(encoding="utf-8")
"""The map of the specification, with its misprint: tile 35 has the type O."""


def cases(name: str) -> list[tuple[str, ...]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = (re.split(r" ==>(?: |$)", line) for line in lines if not line.startswith("//"))
    return [tuple(part.replace("⏎", "\n") for part in row) for row in rows]


def as_list(messages: str) -> str:
    return f"[\n{messages}\n]\n" if messages else "[\n]\n"


@pytest.mark.parametrize(("text", "messages"), cases("valid.txt"))
def test_valid_text_has_a_canonical_form(text: str, messages: str) -> None:
    record = cgn.parse(text)
    assert cgn.format(record) == as_list(messages)
    assert cgn.parse(as_list(messages)) == record
    assert cgn.parse_lenient(text) == (record, ())


@pytest.mark.parametrize(("text", "messages", "codes"), cases("lenient.txt"))
def test_lenient_text_is_read_with_warnings(text: str, messages: str, codes: str) -> None:
    record, warnings = cgn.parse_lenient(text)
    assert cgn.format_lenient(record).text == as_list(messages)
    assert [warning.code for warning in warnings] == codes.split()
    with pytest.raises(TextError) as caught:
        cgn.parse(text)
    assert replace(caught.value.diagnostic, severity="warning") == warnings[0]


@pytest.mark.parametrize(("text", "place", "hint"), cases("invalid.txt"))
def test_invalid_text_is_refused_with_its_place_and_a_hint(text: str, place: str, hint: str) -> None:
    with pytest.raises(TextError) as caught:
        cgn.parse(text)
    error = caught.value
    assert f"{error.code} {error.line}:{error.column}" == place
    assert hint in error.hint
    assert isinstance(error, Nonsense if error.code.startswith("NT13") else BadText)


def test_every_code_is_documented_and_tried() -> None:
    folder = Path(cgn.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    used = set(re.findall(r'"(NT\d{4})"(?!:)', sources))
    assert used - json_reader.CODES.keys() == cgn.CODES.keys()
    tried = {place.split()[0] for _, place, _ in cases("invalid.txt")}
    tried |= set(re.findall(r'"(NT\d{4})"', Path(__file__).read_text(encoding="utf-8")))
    tried |= {code for *_, codes in cases("lenient.txt") for code in codes.split()}
    assert tried >= cgn.CODES.keys()


# The map.


def map_text(**tiles: str) -> str:
    """The starter map without its misprint and with some tiles changed, as an MD line."""
    text = STARTER_MAP.replace('"35":["O",3]', '"35":["M",3]')
    for tile, value in tiles.items():
        text = re.sub(rf'"{tile[1:]}": *\[[^\]]*\]', f'"{tile[1:]}":{value}', text)
    return f"MD {text}"


def island_of(text: str) -> Island:
    (event,) = cgn.parse(text).events
    assert isinstance(event, MapDefined)
    return event.island


def test_the_starter_map_is_the_beginners_island() -> None:
    assert island_of(map_text()) == BEGINNERS_ISLAND


def test_type_o_is_mountains_with_a_warning() -> None:
    record, warnings = cgn.parse_lenient(f"MD {STARTER_MAP}")
    assert record == Record((MapDefined(BEGINNERS_ISLAND),))
    assert [(warning.code, warning.line, warning.column) for warning in warnings] == [("NT0312", 36, 9)]
    with pytest.raises(BadText) as caught:
        cgn.parse(f"MD {STARTER_MAP}")
    assert (caught.value.code, caught.value.hint) == ("NT0312", "mountains are M")


def test_the_canonical_map_lists_all_tiles_on_one_line() -> None:
    text = cgn.format(Record((MapDefined(BEGINNERS_ISLAND),)))
    assert text.startswith('[\n{"MD":{"1":["HR",null],"2":["S",null],"3":["HRG",null],')
    assert text.endswith('"35":["M",3],"36":["FO",11],"37":["D",null]}}\n]\n')
    assert cgn.parse(text) == Record((MapDefined(BEGINNERS_ISLAND),))


def test_an_odd_harbor_tile_serves_the_side_of_the_standard_frame() -> None:
    assert {harbor.side for harbor in island_of(map_text()).harbors} == set(HARBOR_SIDES)


def test_a_third_part_names_the_land_tile_that_a_harbor_faces() -> None:
    island = island_of(map_text(t3='["HRG",null,21]', t2='["HR",null,20]'))
    sides = {frozenset(harbor.side.cells): harbor.resource for harbor in island.harbors}
    assert sides[frozenset({CGN_TILES[3], CGN_TILES[21]})] is Resource.GRAIN
    assert sides[frozenset({CGN_TILES[2], CGN_TILES[20]})] is None
    text = cgn.format(Record((MapDefined(island),)))
    assert '"2":["HR",null,20],"3":["HRG",null,21]' in text
    assert island_of(text) == island


def test_a_third_part_with_the_standard_tile_is_left_out() -> None:
    assert island_of(map_text(t3='["HRG",null,20]')) == BEGINNERS_ISLAND


@pytest.mark.parametrize(("tile", "faced"), [(2, 19), (4, 21), (6, 22), (8, 23), (16, 29), (18, 30)])
def test_an_even_harbor_tile_faces_the_first_land_clockwise_with_a_warning(tile: int, faced: int) -> None:
    text = map_text(**{f"t{tile}": '["hrw",null]'})
    record, warnings = cgn.parse_lenient(text)
    assert f'"{tile}":["HRW",null,{faced}]' in cgn.format(record)
    assert [warning.code for warning in warnings] == ["NT0314"]
    with pytest.raises(BadText) as caught:
        cgn.parse(text)
    assert caught.value.code == "NT0314"
    assert f"{faced} is the first clockwise" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (map_text(t1='["X",null]'), "NT0313", "'X' is not a type of tile"),
        (map_text(t1="[7,null]"), "NT0614", "the type of tile 1 is a string, found a number"),
        (map_text(t1='["S"]'), "NT0615", "tile 1 has a type and a number, found 1 parts"),
        (map_text(t1='["S",null,19,1]'), "NT0615", "tile 1 has a type and a number, found 4 parts"),
        (map_text(t1='["S",null,19]'), "NT0311", "tile 1 is not a harbor and faces no tile"),
        (map_text(t1='["S",4]'), "NT1304", "tile 1 (S) produces nothing and has no number"),
        (map_text(t1='["HR",4]'), "NT1304", "tile 1 (HR) produces nothing and has no number"),
        (map_text(t37='["D",4]'), "NT1304", "tile 37 (D) produces nothing and has no number"),
        (map_text(t19='["M",7]'), "NT1304", "a tile cannot have the number 7"),
        (map_text(t19='["M",13]'), "NT0620", "the number on tile 19 is from 2 to 12, found 13"),
        (map_text(t1='["M",4]'), "NT1305", "tile 1 is sea, not 'M'"),
        (map_text(t19='["S",null]'), "NT1305", "tile 19 is land, not 'S'"),
        (map_text(t19='["HR",null]'), "NT1305", "tile 19 is land, not 'HR'"),
        (map_text(t3='["HR",null,37]'), "NT1306", "a harbor on tile 3 cannot face tile 37"),
        (map_text(t3='["HR",null,null]'), "NT0614", "a tile is an integer, found null"),
        ('MD {"38":["S",null]}', "NT0309", "there is no tile '38'"),
        ('MD {"01":["S",null]}', "NT0309", "there is no tile '01'"),
        ('MD {"1":["S",null],"1":["S",null]}', "NT0613", "the key '1' is repeated"),
        ('MD {"1":["S",null]}', "NT0310", "the map lacks tiles 2, 3, 4, 5, 6 and 31 more"),
        (map_text().replace('"9": ["HR",null],', ""), "NT0310", "the map lacks tile 9"),
    ],
)
def test_a_map_that_cannot_be_is_refused(text: str, code: str, message: str) -> None:
    with pytest.raises(TextError) as caught:
        cgn.parse(text)
    assert (caught.value.code, caught.value.message) == (code, message)


def test_a_producing_tile_may_have_no_number() -> None:
    island = island_of(map_text(t19='["M",null]'))
    assert island.number_at(CGN_TILES[19]) is None
    assert island_of(cgn.format(Record((MapDefined(island),)))) == island


# What messages mean.


def test_the_sample_turn_of_the_specification_has_its_events() -> None:
    turn = """
  R {"P1":7}               # P1 rolls a 7
  M {"P1":34}              # P1 moves the robber to tile 34
  S {"P1": P3{{"G":1}}     # P1 steals 1 grain from P3
  B {"P1":{"S":1}}         # P1 builds settlement
"""
    record, warnings = cgn.parse_lenient(turn)
    one, three = Player(1), Player(3)
    assert record.actions[:3] == (Roll(7), MoveRobber(Hex(0, 1)), Steal(three, Resource.GRAIN))
    assert {event.player for event in record.events if isinstance(event, Act)} == {one}
    assert [warning.code for warning in warnings] == ["NT0315"]


def test_the_deployment_of_the_specification_has_its_events() -> None:
    deployment = """
  PS "Deployment"
  T  {"P1":{"S":2,"R":2},
      "P2":{"S":2,"R":2},
      "P3":{"S":2,"R":2},
      "P4":{"S":2,"R":2},
      "B":{"S":-8,"R":-8}},
  R  {"P1":3, "P2":5, "P3":11, "P4":8}
  SP ["P3","P4","P1","P2"]
  D  {"P3": {"S":[20 31 19],"R":[[20 31 19], [20 32 31]]} }
  PE "Deployment"
"""
    record, _ = cgn.parse_lenient(deployment)
    handed_out = record.events[1]
    assert isinstance(handed_out, Transferred)
    assert handed_out.changes[-1] == (BANK, Holding(villages=-8, roads=-8))
    assert record.events[2] == OrderRolled(((Player(1), 3), (Player(2), 5), (Player(3), 11), (Player(4), 8)))
    assert [type(action) for action in record.actions] == [PlaceVillage, PlaceRoad]


def test_the_bank_and_brick_and_build_are_distinguished_by_context() -> None:
    record = cgn.parse(
        'B {"P3":{"R":1,"B":-1,"L":-1},"B":{"R":-1,"B":1,"L":1}}\nRP {"P1":{"B":1},"B":{"B":-1}}'
    )
    assert record.events[1] == Produced(
        ((Player(1), Holding(Goods(brick=1))), (BANK, Holding(Goods(brick=-1))))
    )


def test_an_offer_to_several_is_open_and_one_to_a_player_is_not() -> None:
    direct, opened = cgn.parse(
        'O {"P1":{"W":1},"P2":{"W":-1},"UUID":"x"}\nO {"P1":{"W":1},"?":{"P2":{"W":-1}},"UUID":"x"}'
    ).events
    wool = Holding(Goods(wool=1))
    answer = (Player(2), Holding(Goods(wool=-1)))
    assert direct == Offered(Player(1), wool, (answer,), "x")
    assert opened == Offered(Player(1), wool, (answer,), "x", open=True)


def test_a_new_offer_of_the_same_name_forgets_the_old_one() -> None:
    text = (
        'O {"P1":{"W":1},"P2":{"W":-1},"UUID":"x"}\nA {"P2":{"UUID":"x"}}\n'
        'T {"P1":{"W":1},"P2":{"W":-1},"UUID":"x"}\n'
        'O {"P3":{"W":1},"P4":{"W":-1},"UUID":"x"}\nA {"P4":{"UUID":"x"}}\n'
        'T {"P3":{"W":1},"P4":{"W":-1},"UUID":"x"}'
    )
    assert len(cgn.parse(text).events) == 6


def test_a_fault_about_an_offer_names_how_the_offer_ended() -> None:
    offer = 'O {"P1":{"W":1},"?":{"P2":{"W":-1},"P4":{"W":-1}},"UUID":"x"}'
    said = {
        'W "x"': "was withdrawn",
        'TE "P1"': "ended with the turn",
        'A {"P2":"x"}': "was accepted by P2",
        'O {"P1":{"B":1},"P2":{"B":-1}}': "ended when P1 made another offer",
    }
    for end, message in said.items():
        with pytest.raises(Nonsense) as caught:
            cgn.parse(f'{offer}\n{end}\nA {{"P4":"x"}}')
        assert caught.value.message == f"this offer cannot be accepted: it {message}"


def test_the_picture_of_a_fault_names_the_nearest_intersections() -> None:
    with pytest.raises(Nonsense) as caught:
        cgn.parse('R {"P1":8}\nD {"P1":{"S":[2,20,21]}} # P1 deploys a settlement')
    assert str(caught.value) == (
        "error[NT1302]: the tiles 2, 20 and 21 do not meet\n"
        " --> 2:14\n"
        '2 | D {"P1":{"S":[2,20,21]}} # P1 deploys a settlement\n'
        "  |              ^^^^^^^^^\n"
        "  = hint: the nearest intersections are [3, 20, 2], [2, 20, 19], [3, 21, 20], [21, 32, 20]"
    )


def test_a_transfer_that_does_not_balance_names_the_item_and_the_difference() -> None:
    with pytest.raises(Nonsense) as caught:
        cgn.parse('T {"P1":{"B":1,"W":-3},"B":{"B":-1,"W":2}}')
    assert caught.value.message == "wool (W) does not balance: the changes add up to -1"


def test_a_fault_in_a_file_names_file_line_and_record() -> None:
    source = Source('PA "P9"\n', name="game.cgn", first_line=40, record=3)
    with pytest.raises(BadText) as caught:
        cgn.read(source, lenient=False)
    assert caught.value.diagnostic.place() == "game.cgn:40:4 (record 3)"


def test_line_ends_of_any_kind_are_read() -> None:
    text = 'PS "Setup"\nPA "P1" # one\nPA "P2"'
    for line_end in ("\r\n", "\r"):
        assert cgn.parse(text.replace("\n", line_end)) == cgn.parse(text)


def test_a_byte_order_mark_is_read_leniently() -> None:
    assert [warning.code for warning in cgn.parse_lenient('\ufeffPA "P1"').warnings] == ["NT0618"]


def test_a_harbor_is_kept_as_a_side() -> None:
    harbor = next(harbor for harbor in BEGINNERS_ISLAND.harbors if harbor.resource is Resource.WOOL)
    assert harbor == Harbor(HARBOR_SIDES[5], Resource.WOOL)
    assert BEGINNERS_ISLAND.terrain_at(CGN_TILES[11]) is Terrain.SEA
