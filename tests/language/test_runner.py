"""The corpus can fail: what nobody expects and what never comes are both found."""

from pathlib import Path

from tests.language.runner import FOLDER, Case, cases_of

TEXT = """// nothing is wrong
setup { draw; }
---

// a fault that nobody expects
setup { if a == 1 draw; }
---
// a fault on another line
setup { // error: TG0301
  if a == 1 draw; }
---
// another message
setup { if a == 1 draw; } // error: TG0301 "called 'x'"
---
// as it says
setup { if a == 1 draw; } // error: TG0301 "called 'a'"
---
// two files, and a value
import "a.tgdl";
setup { if f() == 1 draw; } // expect: 7
// file: a.tgdl
verb f() { x } // error: TG0301 "'x'"
"""


def read(tmp_path: Path) -> list[Case]:
    path = tmp_path / "some.tgdl"
    path.write_text(TEXT, encoding="utf-8")
    return list(cases_of(path))


def test_programs_have_titles_and_the_lines_of_their_file(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [case.title for case in found][:2] == ["nothing is wrong", "a fault that nobody expects"]
    assert [case.line for case in found] == [1, 5, 8, 12, 15, 18]


def test_only_unexpected_and_missing_diagnostics_are_problems(tmp_path: Path) -> None:
    problems = [len(case.problems()) for case in read(tmp_path)]
    assert problems == [0, 1, 2, 2, 0, 0]


def test_expected_values_are_kept_for_playing(tmp_path: Path) -> None:
    last = read(tmp_path)[-1]
    assert [(one.kind, one.file, one.line, one.text) for one in last.expectations] == [
        ("expect", "game.tgdl", 20, "7"),
        ("error", "a.tgdl", 1, "TG0301 \"'x'\""),
    ]


def test_every_section_has_programs() -> None:
    folders = [path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert [folder.name for folder in folders if not list(folder.glob("*.tgdl"))] == []
