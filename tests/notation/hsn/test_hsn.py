"""HSN: the example of its specification, every spelling of its fields, what is refused, what is lost."""

import re
from pathlib import Path

import pytest

from ludograph.notation import hsn
from ludograph.notation.guess import guess_notation
from ludograph.notation.hsn.canonical import maybe_canonical
from ludograph.notation.hsn.reader import MAX_COLUMNS, MAX_PLAYERS
from ludograph.notation.hsn.writer import _maybe_standard
from ludograph.notation.notations import Notation
from ludograph.notation.results import LossKind, Unwritable
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Face,
    Goods,
    Harbor,
    Hex,
    HexCorner,
    HexSide,
    Island,
    MustDiscard,
    MustPlace,
    Piece,
    Pieces,
    Player,
    Pole,
    Position,
    Resource,
    Seat,
    Terrain,
    fresh_position,
)
from ludograph.settlers.names import han_name
from ludograph.text import BadText, Source, TextError
from tests.golden_files import Golden
from tests.notation.case_files import cases
from tests.places import corner, side

VALID = cases("hsn/valid.txt")
INVALID = cases("hsn/invalid.txt")
FRESH = fresh_position(BEGINNERS_ISLAND, 3)

EXAMPLE = """\
[3SSSS/2SOWLS/1SGBWBS/SGLDLOS/SLOGWS1/SBGWS2/SSSS3]
[/10,2,9/12,6,4,10/9,11,3,9/8,3,4,5/5,6,11]
[d2nw,e2nw,c3w,Of3ne,Bg4w,Wb5w,Le6nw,a7ne,Gc7nw]

[||e3n] [c3n,d5s|d3n,c5n|c4n] [d2w,d6nw|e2w,d4w|f2w,c4ne] d4

[B5O2W||G2W] [Dk2Dm|Dk|Dv2] [0|3|2] 2 1

2

R . . R2"""


def refusal(text: str) -> TextError:
    with pytest.raises(TextError) as caught:
        hsn.parse(text)
    return caught.value


def small(**fields: str) -> str:
    """A short position in which some fields are spelled as given."""
    parts = {
        "tiles": "[]",
        "numbers": "[]",
        "harbors": "[]",
        "cities": "[]",
        "villages": "[|]",
        "roads": "[]",
        "robber": "d4",
        "goods": "[]",
        "cards": "[]",
        "knights": "[]",
        "army": "0",
        "road": "0",
        "turn": "1",
        "rolled": ".",
        "must": ".",
        "bought": ".",
        "may_place": ".",
    }
    return " ".join((parts | fields).values())


# The example of the specification.


def test_the_example_is_written_back_byte_for_byte() -> None:
    assert hsn.format(hsn.parse(EXAMPLE)) == EXAMPLE
    assert hsn.format_lenient(hsn.parse(EXAMPLE)) == (EXAMPLE, ())


def test_both_readers_agree_on_the_example() -> None:
    assert maybe_canonical(EXAMPLE) == hsn.read(Source(EXAMPLE), lenient=False).value
    assert maybe_canonical(EXAMPLE) is not None


def test_the_example_has_these_tiles_numbers_and_harbors() -> None:
    island = hsn.parse(EXAMPLE).island
    row = [island.tiles[Hex(q, -2)] for q in range(-1, 4)]
    assert [tile.terrain.name for tile in row] == ["SEA", "MOUNTAINS", "PASTURE", "FOREST", "SEA"]
    assert [tile.number for tile in row] == [None, 10, 2, 9, None]
    assert [number for _, number in island.numbers] == [
        *(10, 2, 9, 12, 6, 4, 10, 9, 11, 3, 9, 8, 3, 4, 5, 5, 6, 11),
    ]
    kinds = {han_name(harbor.side): harbor.resource for harbor in island.harbors}
    assert kinds == {
        "d2nw": None,
        "e2nw": None,
        "c3w": None,
        "f3ne": Resource.ORE,
        "g4w": Resource.BRICK,
        "b5w": Resource.WOOL,
        "e6nw": Resource.LUMBER,
        "a7ne": None,
        "c7nw": Resource.GRAIN,
    }


def test_the_example_has_these_pieces_hands_and_awards() -> None:
    position = hsn.parse(EXAMPLE)
    assert position.seats == (
        Seat(
            villages=(corner("c3n"), corner("d5s")),
            roads=(side("d2w"), side("d6nw")),
            goods=Goods(brick=5, ore=2, wool=1),
            cards=Cards(knight=2, monopoly=1),
        ),
        Seat(
            villages=(corner("d3n"), corner("c5n")),
            roads=(side("e2w"), side("d4w")),
            cards=Cards(knight=1),
            knights=3,
        ),
        Seat(
            cities=(corner("e3n"),),
            villages=(corner("c4n"),),
            roads=(side("f2w"), side("c4ne")),
            goods=Goods(grain=2, wool=1),
            cards=Cards(point=2),
            knights=2,
        ),
    )
    assert (position.robber, position.largest_army, position.longest_road) == (Hex(0, 0), 2, 1)


def test_the_example_has_this_state_of_the_turn() -> None:
    position = hsn.parse(EXAMPLE)
    assert (position.turn, position.rolled, position.must) == (2, True, None)
    assert (position.bought, position.may_place) == (Cards(), Pieces(road=2))
    assert position.current == 2


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("harbors", "[d2nw,e2nw,c3w,Of3ne,Bg4w,Wb5w,Le6nw,a7ne,Gc7nw]"),
        ("cities", "[||e3n]"),
        ("villages", "[c3n,d5s|d3n,c5n|c4n]"),
        ("roads", "[d2w,d6nw|e2w,d4w|f2w,c4ne]"),
        ("robber", "d4"),
        ("goods", "[B5O2W||G2W]"),
        ("cards", "[Dk2Dm|Dk|Dv2]"),
        ("knights", "[0|3|2]"),
        ("army", "2"),
        ("road", "1"),
        ("turn", "2"),
        ("rolled", "R"),
        ("must", "D[1,3]"),
        ("bought", "."),
        ("may_place", "R2"),
    ],
)
def test_every_field_of_the_specification_is_parsed_and_written_unchanged(field: str, text: str) -> None:
    written = hsn.format(hsn.parse(small(**({"villages": "[||]"} | {field: text}))))
    assert text in written.split()


def test_the_tiles_and_numbers_of_the_specification_are_written_unchanged() -> None:
    tiles = "[3SSSS/2SOWLS/1SGBWBS/SGLDLOS/SLOGWS1/SBGWS2/SSSS3]"
    numbers = "[/10,2,9/12,6,4,10/9,11,3,9/8,3,4,5/5,6,11]"
    assert hsn.format(hsn.parse(small(tiles=tiles, numbers=numbers))).split()[:2] == [tiles, numbers]


# Texts and how they are written.


@pytest.mark.parametrize(("text", "canonical"), VALID)
def test_a_position_is_written_in_one_form(text: str, canonical: str) -> None:
    position = hsn.parse(text)
    assert hsn.format(position) == canonical
    assert hsn.parse(canonical) == position
    assert hsn.parse_lenient(text) == (position, ())


@pytest.mark.parametrize(("text", "place", "hint"), INVALID)
def test_a_bad_position_is_refused_with_code_place_and_hint(text: str, place: str, hint: str) -> None:
    error = refusal(text)
    assert f"{error.code} {error.line}:{error.column}" == place
    assert hint in error.hint
    assert error.hint
    assert type(error) is BadText


def test_every_code_is_documented_and_raised_by_a_case() -> None:
    folder = Path(hsn.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    assert set(re.findall(r'"(NT\d{4})"(?!:)', sources)) == hsn.CODES.keys()
    lenient = {"NT0202", "NT0215"}
    assert {place.split()[0] for _, place, _ in INVALID} | lenient == hsn.CODES.keys()


# The decisions about HSN, one by one.


def test_decision_1_what_must_be_placed_is_a_list_of_items() -> None:
    position = hsn.parse(small(must="P[V,R]"))
    assert position.must == MustPlace((Piece.VILLAGE, Piece.ROAD))
    assert hsn.parse(small(must="P[VR]")) == position
    assert "P[V,R]" in hsn.format(position).split()
    error = refusal(small(must="P[1]"))
    assert (error.code, error.hint.split(":")[0]) == (
        "NT0213",
        "the list names pieces, not players",
    )


def test_decision_2_a_dash_after_the_resource_of_a_harbor_is_read_and_not_written() -> None:
    position = hsn.parse(small(harbors="[O-f3ne,d2nw]"))
    assert position.island.harbors == (Harbor(side("d2nw"), None), Harbor(side("f3ne"), Resource.ORE))
    assert "[d2nw,Of3ne]" in hsn.format(position).split()
    assert refusal(small(harbors="[-f3ne]")).code == "NT0207"


def test_decision_3_empty_rows_of_numbers_at_the_end_are_optional() -> None:
    short, long = small(tiles="[S/W/S/S]", numbers="[/6]"), small(tiles="[S/W/S/S]", numbers="[/6//]")
    assert hsn.parse(short) == hsn.parse(long)
    assert "[/6]" in hsn.format(hsn.parse(long)).split()


def test_decision_3_the_old_form_without_the_leading_slash_is_read_if_the_counts_fit() -> None:
    example = EXAMPLE.replace("[/10,2,9", "[10,2,9")
    assert hsn.parse(example) == hsn.parse(EXAMPLE)
    assert refusal(EXAMPLE.replace("[/10,2,9", "[10,2")).code == "NT0206"


def test_decision_4_skips_at_row_ends_are_written_and_optional_when_read() -> None:
    bare = EXAMPLE.replace("S1/", "S/").replace("S2/", "S/").replace("SSSS3]", "SSSS]")
    assert bare != EXAMPLE
    assert hsn.format(hsn.parse(bare)) == EXAMPLE


def test_decision_5_the_villages_determine_the_number_of_players() -> None:
    assert hsn.parse(small(villages="[|||]")).players == 4
    error = refusal(small(villages="[||]", goods="[B|B]"))
    assert (error.code, error.message) == (
        "NT0208",
        "the list of resources has 2 players, the list of villages has 3",
    )


def test_decision_5_an_empty_list_is_empty_for_all_players_of_another_list() -> None:
    assert hsn.parse(small(villages="[]", knights="[0|2]")).seats == (Seat(), Seat(knights=2))
    assert refusal(small(villages="[]")).code == "NT0208"


def test_decision_6_an_empty_entry_of_the_knights_is_none() -> None:
    assert [seat.knights for seat in hsn.parse(small(villages="[||]", knights="[|2|]")).seats] == [0, 2, 0]


@pytest.mark.parametrize(("turn", "player"), [("1", 1), ("2", 2), ("3", 3), ("4", 1), ("100", 1)])
def test_decision_7_the_turn_number_determines_the_current_player(turn: str, player: int) -> None:
    assert hsn.parse(small(villages="[||]", turn=turn)).current == player


@pytest.mark.parametrize(
    ("roads", "player"),
    [("[||]", 1), ("[a1w||]", 2), ("[a1w|b1w|]", 3), ("[a1w|b1w|c1w]", 3), ("[a1w|b1w|c1w,d1w]", 2)],
)
@pytest.mark.parametrize("must", ["P[V,R]", "P[R]"])
def test_decision_7_in_the_set_up_the_pieces_determine_the_current_player(
    roads: str, player: int, must: str
) -> None:
    assert hsn.parse(small(villages="[||]", roads=roads, must=must)).current == player


def test_decision_8_bank_and_pieces_left_follow_from_what_is_held_and_placed() -> None:
    position = hsn.parse(EXAMPLE)
    assert position.bank == Goods(brick=14, grain=17, lumber=19, ore=17, wool=17)
    assert position.pieces_left(3) == Pieces(village=4, city=3, road=13)
    assert hsn.parse(small(villages="[||||]", goods="[B||||]")).bank == Goods(23, 24, 24, 24, 24)


def test_decision_9_lists_are_sorted_by_row_column_and_suffix() -> None:
    position = hsn.parse(small(roads="[b2w,b2nw,a2w,b2ne,c1w|]", villages="[c3s,c3n,d2n|]"))
    assert position.seat(1).roads == tuple(map(side, ("c1w", "a2w", "b2ne", "b2nw", "b2w")))
    assert position.seat(1).villages == tuple(map(corner, ("d2n", "c3n", "c3s")))


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_decision_10_carriage_returns_are_blanks(line_end: str) -> None:
    assert hsn.parse(EXAMPLE.replace("\n", line_end)) == hsn.parse(EXAMPLE)


def test_decision_11_missing_blanks_between_numbers_follow_the_grammar() -> None:
    position = hsn.parse(EXAMPLE.replace("2 1\n\n2\n\nR", "2 12 R"))
    assert (position.largest_army, position.longest_road, position.turn) == (2, 1, 2)
    assert position == hsn.parse(EXAMPLE)


def test_decision_12_header_lines_are_not_part_of_a_position() -> None:
    text = f'[Deck "kkvm"]\n[Dice "3+4"]\n\n{EXAMPLE}'
    assert refusal(text).code == "NT0205"
    position, warnings = hsn.parse_lenient(text)
    assert position == hsn.parse(EXAMPLE)
    assert [(warning.code, warning.line, warning.column) for warning in warnings] == [("NT0202", 1, 1)]


@pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u2003"])
def test_other_blanks_than_those_of_the_grammar_are_refused(blank: str) -> None:
    assert type(refusal(EXAMPLE.replace(" ", blank))) is BadText
    assert type(refusal(EXAMPLE + blank)) is BadText


def test_two_harbors_on_one_side_are_the_same_in_either_order() -> None:
    first, second = (EXAMPLE.replace("[d2nw,", f"[{pair},") for pair in ("d2nw,Bd2nw", "Bd2nw,d2nw"))
    assert hsn.parse(first) == hsn.parse(second)
    assert hsn.format(hsn.parse(second)) == first


def test_the_quick_writer_knows_positions_on_a_standard_island() -> None:
    assert _maybe_standard(FRESH) == hsn.format_lenient(FRESH).text


# Lenient reading.


def test_a_byte_order_mark_is_warned_of() -> None:
    position, warnings = hsn.parse_lenient(f"\ufeff{EXAMPLE}")
    assert position == hsn.parse(EXAMPLE)
    assert [(warning.code, warning.line, warning.column) for warning in warnings] == [("NT0201", 1, 1)]


def test_a_byte_order_mark_before_headers_gives_two_warnings() -> None:
    warnings = hsn.parse_lenient(f'\ufeff[Deck "k"]\n{EXAMPLE}').warnings
    assert [warning.code for warning in warnings] == ["NT0201", "NT0202"]


@pytest.mark.parametrize(
    "text", [text for text, _, _ in INVALID if text[:1] != "\ufeff" and not text.startswith("[Event")]
)
def test_lenient_reading_refuses_all_other_faults(text: str) -> None:
    with pytest.raises(BadText) as caught:
        hsn.parse_lenient(text)
    assert caught.value.diagnostic == refusal(text).diagnostic


# Limits.


def test_a_frame_of_999_rows_and_columns_is_read_and_a_larger_one_is_not() -> None:
    largest = "[" + "/" * (MAX_COLUMNS - 1) + "S" * MAX_COLUMNS + "]"
    assert len(hsn.parse(small(tiles=largest)).island.terrain) == MAX_COLUMNS
    assert refusal("[" + "/" * MAX_COLUMNS).code == "NT0214"
    assert refusal("[" + "S" * (MAX_COLUMNS + 1)).code == "NT0214"
    assert refusal("[][" + "/" * MAX_COLUMNS).code == "NT0214"
    assert refusal("[][" + "1," * MAX_COLUMNS + "1").code == "NT0214"


def test_99_players_are_read_and_more_are_not() -> None:
    assert hsn.parse(small(villages=f"[{'|' * (MAX_PLAYERS - 1)}]")).players == MAX_PLAYERS
    assert refusal(small(villages=f"[{'|' * MAX_PLAYERS}]")).code == "NT0214"


# What cannot be written.

AWAY = Hex(-4, 0)
TOO_FAR = "it has no name in HAN"


@pytest.mark.parametrize(
    ("position", "loss"),
    [
        (FRESH.replace(robber=None), "invented: the robber on d2: its place is unknown"),
        (FRESH.replace(seats=()), "invented: a player: the position has none"),
        (FRESH.replace(seats=(Seat(),) * 100), "lost: the players above 99"),
        (FRESH.replace(turn=0), "lost: the turn number: 0 cannot be written"),
        (FRESH.replace(turn=10**9), "lost: the turn number: 1000000000 cannot be written"),
        (FRESH.replace(largest_army=Player(7)), "lost: the largest army of player 7: players are 1 to 6"),
        (FRESH.replace(longest_road=Player(-1)), "lost: the longest road of player -1: players are 1 to 6"),
        (FRESH.replace(must=MustDiscard((Player(7),))), "lost: discards of players above 6"),
        (
            FRESH.replace(bought=Cards(point=-1)),
            "lost: the cards bought this turn (point): -1 cannot be written",
        ),
        (
            FRESH.replace(may_place=Pieces(road=-1)),
            "lost: the roads that may be placed: -1 cannot be written",
        ),
        (FRESH.replace_seat(2, goods=Goods(ore=-1)), "lost: player 2's ore: -1 cannot be written"),
        (FRESH.replace_seat(2, goods=Goods(ore=10**9)), "lost: player 2's ore: 1000000000 cannot be written"),
        (
            FRESH.replace_seat(1, cards=Cards(plenty=-1)),
            "lost: player 1's cards (plenty): -1 cannot be written",
        ),
        (FRESH.replace_seat(1, knights=-1), "lost: player 1's knights: -1 cannot be written"),
        (
            FRESH.place(1, Piece.VILLAGE, HexCorner(AWAY, Pole.NORTH)),
            f"lost: player 1's village at the south-west corner of a3: {TOO_FAR}",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(terrain={AWAY: Terrain.SEA})),
            f"lost: the terrain of tile (-4, 0): {TOO_FAR}",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(terrain={Hex(0, 996): Terrain.SEA})),
            "lost: d1000: the frame ends at 999",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(terrain={Hex(996, 0): Terrain.SEA})),
            "lost: all4: the frame ends at 999",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, -2): None})),
            "invented: the number 7 on d2, which has none",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, 0): 7})),
            "lost: the number 7: its tile produces nothing",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, -2): 0})),
            "lost: the number on d2: 0 cannot be written",
        ),
        (
            FRESH.replace(island=BEGINNERS_ISLAND.replace(harbors=[Harbor(HexSide(AWAY, Face.WEST))])),
            f"lost: the harbor at the west side of tile (-4, 0): {TOO_FAR}",
        ),
        (
            FRESH.replace(island=Island(((Hex(0, 0), Terrain.DESERT), (Hex(0, 0), Terrain.SEA)))),
            "lost: the second tile on d4 (sea)",
        ),
        (
            FRESH.replace(island=Island(((Hex(0, 0), Terrain.HILLS),), ((Hex(0, 0), 5), (Hex(0, 0), 6)))),
            "lost: a second number on d4: 6",
        ),
    ],
)
def test_inexpressible_parts_are_listed_and_not_written(position: Position, loss: str) -> None:
    text, losses = hsn.format_lenient(position)
    assert [str(found) for found in losses] == [loss]
    assert hsn.format(hsn.parse(text)) == text
    with pytest.raises(Unwritable) as caught:
        hsn.format(position)
    assert str(caught.value) == f"HSN cannot express this: {loss}"


def test_every_loss_is_listed_at_once() -> None:
    position = FRESH.replace(turn=0, robber=None).replace_seat(3, goods=Goods(-1, -1, -1, -1, -1))
    losses = hsn.format_lenient(position).losses
    assert [loss.kind for loss in losses] == [*[LossKind.LOST] * 5, LossKind.INVENTED, LossKind.LOST]


def test_places_far_away_are_written_if_they_have_names() -> None:
    far = Hex(475_250, 999_995)
    position = FRESH.replace(robber=far).place(1, Piece.ROAD, HexSide(far, Face.WEST))
    assert hsn.parse(hsn.format(position)) == position
    assert "zzzz999999" in hsn.format(position).split()


# What people see.


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("number_missing", EXAMPLE.replace("12,6,4,10", "12,6,4")),
        ("side_for_a_corner", EXAMPLE.replace("c3n,d5s", "c3nw,d5s")),
        ("players_disagree", EXAMPLE.replace("[0|3|2]", "[0|3]")),
        ("players_must_place", EXAMPLE.replace("R . .", "R P[1] .")),
        ("unknown_tile", EXAMPLE.replace("SGLDLOS", "SGLXLOS")),
        ("cut_off", EXAMPLE[:180]),
        ("followed_by_actions", f"{EXAMPLE}\n\nR(2+3)"),
        ("place_too_far", EXAMPLE.replace("d4\n", f"{'d' * 5000}4\n")),
        ("in_one_line_with_crlf", EXAMPLE.replace("\n", " ").replace(" d4", "\r\n\td4n\r\n")),
    ],
)
def test_the_picture_of_a_bad_position(name: str, text: str, golden: Golden) -> None:
    golden(f"notation/hsn/{name}.txt", f"{refusal(text)}\n")


OLDER = """
3SSSS/2SOWLS/1SGBWBS/SGLDLOS/SLOGWS1/SBGWS2/SSSS3
10,2,9/12,6,4,10/9,11,3,8/8,3,4,5/5,6,11
d2nw,Ge2ne,L-c3w,O-f3ne,g4w,B-b5w,e6nw,a7ne,W-c7nw

d4 c3n,d5s|d3n,c5n|c4n ||e3n d2w,d6nw|e2w,d4w|f2w,c4ne

B5O2W||G2W k2m|k|v2 0|3|2 2 0

2 R . y r2
"""


def test_an_older_position_without_brackets_is_read_leniently() -> None:
    position, warnings = hsn.parse_lenient(OLDER)
    assert [warning.code for warning in warnings] == ["NT0215"]
    assert [len(seat.cities) for seat in position.seats] == [0, 0, 1]
    assert position.seats[0].villages == (corner("c3n"), corner("d5s"))
    assert position.seats[0].cards == Cards(knight=2, monopoly=1)
    assert (position.robber, position.bought, position.may_place) == (
        Hex(0, 0),
        Cards(plenty=1),
        Pieces(road=2),
    )
    assert guess_notation(OLDER) is Notation.HSN
    with pytest.raises(BadText):
        hsn.parse(OLDER)


def test_cards_without_their_letter_are_read_leniently() -> None:
    text = hsn.format(hsn.parse_lenient(OLDER).value)
    older = text.replace("Dk2Dm|Dk|Dv2", "k2m|k|v2").replace("Dy R2", "y r2")
    assert older != text
    assert hsn.parse_lenient(older).value == hsn.parse(text)


def test_an_older_position_with_an_error_shows_its_place() -> None:
    with pytest.raises(BadText) as caught:
        hsn.parse_lenient(OLDER.replace("1SGBWBS", "1SGBXBS"))
    assert caught.value.line == 2
