"""Files with many records: cut into records one at a time, errors at their place in the file."""

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludograph
from ludograph.notation import ccn, han, hsn, sgn
from ludograph.notation.convert import write_record
from ludograph.notation.notations import NOTATIONS, Notation
from ludograph.notation.stream import read_records, sources
from ludograph.settlers import BEGINNERS_ISLAND, MapDefined, Record, fresh_position
from ludograph.text import BadText, TextError, split_lines
from tests.notation.games import games, setups

POSITION = hsn.format(fresh_position(BEGINNERS_ISLAND, 2)) + "\n"
SETUP = "2/O10S2L9W12B6S4B10W9L11DL3O8L8O3W4S5B5W6S11/TWOTTSTBL\n"
PRETTY = ccn.format(ccn.parse(SETUP + "/V0,-1,0Z0,0"), pretty=True) + "\n"

PLACEMENTS = "Pv(d4n) Pr(d4w)\n" * 4

SGN_MAP = sgn.format(Record((MapDefined(BEGINNERS_ISLAND),)))
RECORDS = {
    Notation.HAN: [
        f'[Event "1"]\n{POSITION}{PLACEMENTS}R(1+2) E\n',
        f"{POSITION}\n{PLACEMENTS}\nR(1+2)\nE\n",
        f"{SETUP}{PLACEMENTS}R(1+2) E\n",
    ],
    Notation.HSN: [POSITION, POSITION.replace("\n", " ") + "\n", POSITION.replace("d4", "\nd4\n")],
    Notation.CGN: ['[\n{"PS":"Setup"},\n{"PA":"P1"}\n]\n', '[{"PA":"P1"}]\n', "[\n]\n"],
    Notation.CCN: [SETUP, PRETTY, SETUP],
    Notation.SGN: [
        SGN_MAP + '["1","RD",{"result":7}]\n',
        f'{{"player":"1","aCode":"DM","value":{SGN_MAP.strip()[10:-1]}}}\n',
        f'\n{SGN_MAP}\n["1","RD",{{"result":7}}]\n',
    ],
}


def chunks(text: str, notation: Notation) -> list[tuple[int, str]]:
    return list(NOTATIONS[notation].split(split_lines(text)))


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("between", ["", "\n", "\n \n\n"])
def test_many_records_are_read_one_after_another(notation: Notation, between: str) -> None:
    texts = RECORDS[notation] * 3
    read = [reading.value for reading in read_records(split_lines(between.join(texts)), notation)]
    alone = [next(iter(read_records(split_lines(text), notation))).value for text in texts]
    assert read == alone


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_make_no_difference(notation: Notation, end: str) -> None:
    text = "\n".join(RECORDS[notation])
    plain = [reading.value for reading in read_records(split_lines(text), notation)]
    assert [
        reading.value for reading in read_records(split_lines(text.replace("\n", end)), notation)
    ] == plain
    assert len(plain) == 3


@pytest.mark.parametrize("notation", Notation)
def test_no_character_of_a_file_is_lost(notation: Notation) -> None:
    text = "\n\n".join(RECORDS[notation] * 2)
    joined = "".join(text for _, text in chunks(text, notation))
    assert joined.split() == text.split()


SPOILED = {
    Notation.HAN: ("R(1+2)", "R(0+7)", "NT0102", 3),
    Notation.HSN: ("[/10", "[/x", "NT0211", 3),
    Notation.CGN: ('"P1"', '"P9"', "NT0305", 7),
    Notation.CCN: ("O10", "O7", "NT0402", 4),
    Notation.SGN: ('"tiles":[', '"tiles":"x",[', "NT0603", 24),
}


@pytest.mark.parametrize("notation", Notation)
def test_an_error_names_the_record_and_the_line_of_the_file(notation: Notation) -> None:
    good, bad, code, column = SPOILED[notation]
    text = "\n".join([*RECORDS[notation], RECORDS[notation][0].replace(good, bad, 1)])
    line = next(number for number, line in enumerate(text.split("\n"), start=1) if bad in line)
    readings = read_records(split_lines(text), notation, name="games.txt")
    for _ in range(3):
        next(readings)
    with pytest.raises(BadText) as caught:
        next(readings)
    error = caught.value
    assert (error.code, error.line, error.column) == (code, line, column)
    assert error.diagnostic.place() == f"games.txt:{line}:{column} (record 4)"


@pytest.mark.parametrize("notation", Notation)
def test_an_error_in_a_file_with_one_record_does_not_count_it(notation: Notation) -> None:
    good, bad, code, _ = SPOILED[notation]
    (source,) = sources(split_lines(RECORDS[notation][0].replace(good, bad, 1)), notation, name="x")
    assert source.record is None
    with pytest.raises(BadText) as caught:
        list(read_records(split_lines(source.text), notation, name="x"))
    assert caught.value.code == code
    assert "record" not in caught.value.diagnostic.place()


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("text", ["", "\n", "\r\n \t\n"])
def test_an_empty_file_is_one_empty_record(notation: Notation, text: str) -> None:
    (source,) = sources(split_lines(text), notation)
    assert source.text.strip() == ""
    assert source.record is None


@pytest.mark.parametrize("notation", Notation)
def test_no_more_than_two_records_are_held(notation: Notation) -> None:
    record = RECORDS[notation][0] + "\n"
    length = record.count("\n")
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for line in split_lines(record * 100):
            taken += 1
            yield line

    for number, source in enumerate(sources(lines(), notation), start=1):
        assert source.record == number
        # The next record is held, and the line that shows where it ends has been read.
        assert taken <= (number + 1) * length + 2
    assert taken == 100 * length


@pytest.mark.parametrize("notation", Notation)
def test_ten_thousand_records_are_read(notation: Notation) -> None:
    record = RECORDS[notation][1]
    numbers = [source.record for source in sources(split_lines(record * 10_000), notation)]
    assert numbers == list(range(1, 10_001))


# Where records end.


@pytest.mark.parametrize(
    ("text", "first_lines"),
    [
        ("R(1+2)\nE\nR(1+3)\n", [1]),
        ('[A "1"]\nR(1+2)\n[A "2"]\n[B "2"]\nR(1+3)\n', [1, 3]),
        ('[A "1"]\n[A "2"]\n', [1]),
        (f'{POSITION}[A "2"]\nE\n', [1, 12]),
        (f"{POSITION}{POSITION}", [1, 12]),
        (f"{SETUP}{SETUP}E\n", [1, 2]),
        (f"{PRETTY}R(1+2)\n{PRETTY}", [1, 13]),
        (f"{PRETTY}{PRETTY}", [1, 12]),
        # A comment after a blank line belongs to what follows.
        ('[A "1"]\nE\n# of the first\n\n# of the second\n[A "2"]\nE\n', [1, 4]),
        ('[A "1"]\nE\n\n# of the first\n\nE\n[A "2"]\n', [1, 7]),
        ("E\n\n# the end\n", [1]),
        # What cannot be read does not hide where the next game begins.
        (f"{POSITION}nonsense\n{POSITION}", [1, 13]),
        ('E # [A "1"]\nE\n', [1]),
    ],
)
def test_a_game_ends_where_headers_or_a_start_begin(text: str, first_lines: list[int]) -> None:
    assert [line for line, _ in chunks(text, Notation.HAN)] == first_lines


def test_comments_between_games_go_with_the_right_one() -> None:
    text = '[A "1"]\nE\n# of the first\n\n# of the second\n[A "2"]\nE\n'
    assert [chunk for _, chunk in chunks(text, Notation.HAN)] == [
        '[A "1"]\nE\n# of the first\n',
        '\n# of the second\n[A "2"]\nE\n',
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (POSITION.replace(". P[V,R] . .", "R D[1,2] . .") * 2, 2),
        (POSITION.replace(". P[V,R] . .", ".\nP[V,R]\n. .") * 2, 2),
        (POSITION.replace(". P[V,R] . .", ". P\n[V,R] . .") * 2, 2),
        (POSITION.replace(". P[V,R] . .", "R D\n[1,2] . .") * 2, 2),
        (POSITION.replace("[", "\n[").replace("P\n[", "P[") * 2, 2),
        (f'[A "1"]\n{POSITION}[A "2"]\n{POSITION}', 2),
    ],
)
def test_a_position_ends_after_its_nine_lists(text: str, count: int) -> None:
    assert len(chunks(text, Notation.HSN)) == count
    assert len(list(read_records(split_lines(text), Notation.HSN, lenient=True))) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (PRETTY.replace("V0,-1,0", "V0,\n-1,\n0\n") * 2, 2),
        (PRETTY.replace("-1", "-\n1") * 2, 2),
        (PRETTY.replace("4", "|4|") * 2, 2),
        (SETUP.replace("2/", "2\n/", 1) * 3, 3),
    ],
)
def test_a_set_up_ends_where_a_number_of_players_follows(text: str, count: int) -> None:
    assert len(chunks(text, Notation.CCN)) == count
    assert len(list(read_records(split_lines(text), Notation.CCN))) == count


@settings(max_examples=40)
@given(st.lists(games(unknown=True, most_turns=2), min_size=2, max_size=3), st.sampled_from(Notation))
def test_written_records_are_cut_where_they_were_joined(records: list[Record], notation: Notation) -> None:
    texts = [write_record(record, Notation.HAN, notation).text.rstrip("\n") + "\n" for record in records]
    between = "\n" if notation in (Notation.HAN, Notation.HSN) else ""
    read = [reading.value for reading in read_records(split_lines(between.join(texts)), notation)]
    alone = [next(iter(read_records(split_lines(text), notation))).value for text in texts]
    assert read == alone


@settings(max_examples=40)
@given(st.lists(setups(), min_size=2, max_size=4), st.booleans())
def test_written_set_ups_are_cut_where_they_were_joined(records: list[Record], pretty: bool) -> None:
    text = "\n".join(ccn.format(record, pretty=pretty) for record in records)
    assert [reading.value for reading in read_records(split_lines(text), Notation.CCN)] == records


@given(st.text() | st.text('[]{}"#,:/|0123456789 \n\rBGLOWDSTVCREPAM()'), st.sampled_from(Notation))
def test_any_file_is_cut_into_records_that_are_read_or_refused(text: str, notation: Notation) -> None:
    cut = list(sources(split_lines(text), notation))
    assert cut
    lines = text.count("\n") + text.count("\r") + 1
    for source in cut:
        assert 1 <= source.first_line <= lines
        with contextlib.suppress(TextError):
            assert list(read_records(split_lines(source.text), notation))


def test_warnings_of_lenient_reading_come_with_their_record() -> None:
    readings = list(read_records(split_lines("\ufeff" + SETUP), Notation.CCN, lenient=True))
    assert [warning.code for warning in readings[0].warnings] == ["NT0409"]


def test_the_module_offers_streaming() -> None:
    assert ludograph.read_records is read_records
    assert "read_records" in ludograph.__all__


def test_a_notation_may_be_named_and_a_wrong_name_is_refused_at_once() -> None:
    (reading,) = read_records(split_lines(SETUP), "ccn")
    assert reading.value == ccn.parse(SETUP)
    with pytest.raises(ValueError, match="'pgn' is not a notation"):
        read_records(split_lines(SETUP), "pgn")


def test_records_are_read_as_the_lines_come() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield SETUP

    readings = read_records(endless(), Notation.CCN)
    assert [next(readings).value.start for _ in range(3)] == [ccn.parse(SETUP).start] * 3


def test_a_game_read_alone_is_the_game_in_the_file() -> None:
    text = RECORDS[Notation.HAN][0]
    first, _ = read_records(split_lines(text * 2), Notation.HAN)
    assert first.value == han.parse_game(text)
