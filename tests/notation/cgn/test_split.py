"""A stream of CGN is cut into records, each with the line where it begins."""

import io
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation import cgn
from ludograph.settlers.goods import Player
from ludograph.settlers.record import Commented, Phase, PhaseStarts, PlayerJoins, Record


def split(text: str) -> list[tuple[int, str]]:
    return list(cgn.split(io.StringIO(text, newline="")))


def test_each_list_is_a_record() -> None:
    text = '[\n{"PA":"P1"}\n]\n\n[{"SP":["P1"]}] # end\n[]\n'
    assert split(text) == [(1, '[\n{"PA":"P1"}\n]\n'), (4, '\n[{"SP":["P1"]}] # end\n'), (6, "[]\n")]


def test_lists_may_share_a_line() -> None:
    assert split('[{"PA":"P1"}][{"PA":\n"P2"}] []') == [
        (1, '[{"PA":"P1"}]'),
        (1, '[{"PA":\n"P2"}]'),
        (2, " []"),
    ]


def test_brackets_in_strings_and_comments_do_not_count() -> None:
    text = '[{"CH":{"P1":"]\\"]"}} # ]\n]\n[]\n'
    assert [first for first, _ in split(text)] == [1, 3]


def test_loose_lines_go_on_until_the_next_setup() -> None:
    text = 'PS "Setup"\nPA "P1"\n# next\n\nPS "Setup"\nPA "P2"\n"PS": "setup",\n{"PS":"Setup"}\n# last\n'
    assert split(text) == [
        (1, 'PS "Setup"\nPA "P1"\n'),
        (3, '# next\n\nPS "Setup"\nPA "P2"\n'),
        (7, '"PS": "setup",\n'),
        (8, '{"PS":"Setup"}\n# last\n'),
    ]


def test_loose_lines_need_not_begin_with_a_setup() -> None:
    assert split('TS "P1"\nPS "Play"\nPS "Setup"\n') == [(1, 'TS "P1"\nPS "Play"\n'), (3, 'PS "Setup"\n')]


def test_comments_belong_to_the_record_after_them_and_at_the_end_to_the_last() -> None:
    text = "# one\n[]\n# two\n[]\n# end\n"
    assert split(text) == [(1, "# one\n[]\n"), (3, "# two\n[]\n# end\n")]


def test_blank_streams_have_no_record_and_comments_alone_are_one() -> None:
    assert split("") == split("\n \r\n") == []
    assert split("\n# only\n") == [(1, "\n# only\n")]


def test_what_is_wrong_stays_with_its_record() -> None:
    assert split('[{"PA":"P1"\n') == [(1, '[{"PA":"P1"\n')]
    assert split("[]]\n[]\n") == [(1, "[]]\n"), (2, "[]\n")]
    assert split('[{"CH":{"P1":"open}}\n]\n[]') == [(1, '[{"CH":{"P1":"open}}\n]\n'), (3, "[]")]


def test_any_line_end_is_kept() -> None:
    assert split("[\r\n]\r\n[\r]\r") == [(1, "[\r\n]\r\n"), (3, "[\r]\r")]


def test_a_record_is_given_out_before_the_stream_is_read_on() -> None:
    def lines() -> Iterator[str]:
        yield "[]\n"
        yield "[]\n"
        raise AssertionError("read too far")

    assert next(cgn.split(lines())) == (1, "[]\n")


record_events = st.one_of(
    st.just(PlayerJoins(Player(1))),
    st.just(PhaseStarts(Phase.SETUP)),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n")).map(Commented),
)


@given(st.lists(st.lists(record_events).map(lambda listed: Record(tuple(listed))), max_size=4))
def test_records_written_one_after_another_come_back(records: list[Record]) -> None:
    text = "".join(cgn.format(record) for record in records)
    assert [cgn.parse(part) for _, part in split(text)] == records


@given(st.text(alphabet='[]{}"\\#\n\r PSetup:,'))
def test_nothing_but_blank_text_is_dropped(text: str) -> None:
    parts = split(text)
    assert "".join(part for _, part in parts).strip() == text.strip() or not text.strip()
    assert [first for first, _ in parts] == sorted(first for first, _ in parts)
