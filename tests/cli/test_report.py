"""What commands say: places of warnings, groups of losses, files."""

import io
import sys
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.cli.output import CommandError, parse_path, write_text
from ludograph.cli.report import error_json, print_losses, warnings_json
from ludograph.notation.results import Loss, LossKind
from ludograph.text import BadText, Diagnostic, Source, Span
from tests.work import calls_of


def said(losses: list[Loss], record: int | None = None) -> list[str]:
    with mock.patch.object(sys, "stderr", io.StringIO()) as stream:
        print_losses(losses, record=record)
    return stream.getvalue().splitlines()


def test_losses_are_grouped_by_kind_and_message() -> None:
    losses = [
        Loss(LossKind.LOST, "chat", 4),
        Loss(LossKind.MISSING, "chat", 5),
        Loss(LossKind.LOST, "chat", 9),
        Loss(LossKind.LOST, "the header 'A'"),
        Loss(LossKind.LOST, "the header 'A'"),
        Loss(LossKind.INVENTED, "sea"),
    ]
    assert said(losses) == [
        "note: lost: chat (2 times, first at event 5)",
        "note: missing: chat (event 6)",
        "note: lost: the header 'A' (2 times)",
        "note: invented: sea",
    ]
    assert said(losses[:1], record=3) == ["note: record 3: lost: chat (event 5)"]
    assert said([]) == []


@given(st.text("ab\r\n", min_size=1), st.integers(1, 9), st.data())
def test_the_places_of_warnings_are_those_of_their_diagnostics(
    text: str, first_line: int, data: st.DataObject
) -> None:
    source = Source(text, "x", first_line, 2)
    offsets = data.draw(st.lists(st.integers(0, len(text) - 1), min_size=1))
    warnings = [Diagnostic("NT0000", "m", Span(offset, offset + 1), "h", source) for offset in offsets]
    for warning, answer in zip(warnings, warnings_json(warnings), strict=True):
        assert answer | {"kind": "bad text"} == error_json(BadText(warning))


def test_many_warnings_take_their_share_of_work() -> None:
    def warnings(count: int) -> list[Diagnostic]:
        source = Source("x\n" * count)
        return [
            Diagnostic("NT0000", "m", Span(2 * line, 2 * line + 1), source=source) for line in range(count)
        ]

    assert warnings_json(warnings(50_000))[-1]["line"] == 50_000
    few, many = warnings(1_000), warnings(10_000)
    assert calls_of(lambda: warnings_json(many)) < 12 * calls_of(lambda: warnings_json(few))


def test_a_file_is_written_whatever_its_characters(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_text("é\ud800\n", str(path))
    assert path.read_bytes() == b"\xc3\xa9\\ud800\n"


@pytest.mark.parametrize("name", ["", "\0", "\ud800"])
def test_no_path_has_an_impossible_name(name: str) -> None:
    with pytest.raises(CommandError):
        parse_path(name)
    assert parse_path("x") == Path("x")
