"""Visitors: a file is shown part by part, records need not be built, games and variations can be skipped."""

from collections.abc import Iterator

import pytest
from hypothesis import given

import ludograph
from ludograph.notation import han
from ludograph.notation.stream import visit_records
from ludograph.settlers import Act, Commented, Event, Position, Record
from ludograph.settlers.visitors import SKIP, RecordVisitor, Skip, visit_record
from ludograph.text import BadText, Source, split_lines
from tests.strategies import han_trees, less_often

GAME = '[Event "One"]\n[Date "2026.11.18"]\n# c\nR? {d} (R(1+2) (R(1+3)) E) E\n'


class Recorder(RecordVisitor[str]):
    """Writes down everything that it is shown, and skips what it is told to. Mutable."""

    def __init__(self, skipped: str = "") -> None:
        self.skipped = skipped
        self.seen: list[str] = []

    def _skip(self, part: str) -> Skip | None:
        return SKIP if part == self.skipped else None

    def begin_game(self) -> Skip | None:
        self.seen = ["begin"]
        return self._skip("game")

    def visit_header(self, key: str, value: str) -> None:
        self.seen.append(f"{key}={value}")

    def end_headers(self) -> Skip | None:
        self.seen.append("headers")
        return self._skip("headers")

    def visit_start(self, position: Position) -> None:
        self.seen.append(repr(position))

    def visit_event(self, event: Event) -> None:
        match event:
            case Act(action):
                self.seen.append(han.format(action))
            case Commented(text):
                self.seen.append(f"#{text}")
            case _:
                self.seen.append(type(event).__name__)

    def begin_variation(self) -> Skip | None:
        self.seen.append("(")
        return self._skip("variation")

    def end_variation(self) -> None:
        self.seen.append(")")

    def end_game(self) -> None:
        self.seen.append("end")

    def result(self) -> str:
        return " ".join(self.seen)


@pytest.mark.parametrize(
    ("skipped", "seen"),
    [
        ("", "begin Event=One Date=2026.11.18 headers #c R? #d ( R(1+2) ( R(1+3) ) E ) E end"),
        ("game", "begin"),
        ("headers", "begin Event=One Date=2026.11.18 headers"),
        ("variation", "begin Event=One Date=2026.11.18 headers #c R? #d ( E end"),
    ],
)
def test_a_visitor_sees_a_game_in_the_order_of_its_text(skipped: str, seen: str) -> None:
    assert han.visit_game(Source(GAME), Recorder(skipped)) == (seen, ())
    assert visit_record(han.parse_game(GAME), Recorder(skipped)) == seen


@less_often
@given(han_trees())
def test_a_visitor_of_a_text_sees_what_a_visitor_of_the_record_sees(record: Record) -> None:
    text = han.format_game(record)
    assert han.visit_game(Source(text), Recorder()).value == visit_record(record, Recorder())


def test_every_record_of_a_file_is_visited() -> None:
    results = [result for result, _ in visit_records(split_lines(GAME * 3), "han", Recorder())]
    assert len(results) == 3
    assert set(results) == {visit_record(han.parse_game(GAME), Recorder())}


def test_a_skipped_game_is_not_parsed() -> None:
    text = GAME.replace("R(1+2)", "nonsense")
    assert [each.value for each in visit_records(split_lines(text), "han", Recorder("headers"))]
    with pytest.raises(BadText) as caught:
        list(visit_records(split_lines(GAME + text), "han", Recorder(), name="games.han"))
    assert str(caught.value.diagnostic.place()) == "games.han:8:9 (record 2)"


def test_records_of_other_notations_are_visited_too() -> None:
    text = '[{"PA":"P1"},{"CH":{"P1":"hello"}}]'
    assert [each.value for each in visit_records([text], "cgn", Recorder())] == [
        "begin headers PlayerJoins Said end"
    ]


def test_a_file_is_read_game_by_game() -> None:
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield from split_lines(GAME)

    next(ludograph.visit_records(lines(), "han", Recorder()))
    assert read < 5


def test_a_visitor_without_methods_has_no_result() -> None:
    assert han.visit_game(Source(GAME), RecordVisitor[None]()) == (None, ())


def test_lenient_visits_have_warnings() -> None:
    text = "Pv(d4n) Pr(d4w) E"
    assert [warning.code for warning in han.visit_game(Source(text), Recorder(), lenient=True).warnings] == [
        "NT1107"
    ]
