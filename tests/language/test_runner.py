"""The corpus can fail: what nobody expects and what never comes are both found, of every kind."""

from pathlib import Path

import pytest

from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.program import Program
from tests.language.runner import FOLDER, STEPS, Case, cases_of
from tests.language.script import play_problems

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
setup { if a == 1 draw; } // error: TG0301 "name 'x'"
---
// as it says
setup { if a == 1 draw; } // error: TG0301 "name 'a'"
---
// two files, and a value
import "a.tgdl";
setup { if f() == 1 draw; } // expect: 7
// file: a.tgdl
verb f() { x } // error: TG0301 "'x'"
"""

GAME = """// a game with everything that can be expected
players 2..3 has seat;
option decimal pace = 1 from 1 to 3;
global state t
{
  decimal d = 0;
  decimal a = 3 + 4; EXPECT
}
local state seat
{
  private decimal secret = 5;
  string name = "x";
  action add { trigger on player choice; input decimal n from 1 to 2; effect { t.a += n * pace; pass; } }
  action roll { trigger on player choice; effect { t.a = random 2; pass; } }
  action stop { trigger on player choice; require { t.a == 7 } effect { win player; } }
  action divide
  {
    trigger on player choice;
    require { t.a == 10 }
    effect { t.d = 1 / t.d; } FAULT
  }
}
turn main { phase only { } default { pass player + 1; } }
setup { effect { t.d = 0; } effect for more { t.a = 10; } }
"""
DIVIDE = "// new: setup=more\n// play: divide"
MOVES = "add(n: 1), add(n: 2), roll, stop"


def read(tmp_path: Path, text: str = TEXT) -> list[Case]:
    path = tmp_path / "some.tgdl"
    path.write_text(text, encoding="utf-8")
    return list(cases_of(path))


def test_programs_have_titles_and_the_lines_of_their_file(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [case.title for case in found][:2] == ["nothing is wrong", "a fault that nobody expects"]
    assert [case.line for case in found] == [1, 5, 8, 12, 15, 18]


def test_only_unexpected_and_missing_diagnostics_are_problems(tmp_path: Path) -> None:
    problems = [len(case.problems()) for case in read(tmp_path)]
    assert problems == [0, 1, 2, 2, 0, 1]


def test_a_program_with_errors_that_is_to_be_played_is_a_problem(tmp_path: Path) -> None:
    assert read(tmp_path)[-1].problems() == ["line 18: a program with errors cannot be played"]


def test_an_expectation_that_is_misspelt_is_no_comment(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="there is no expectation `mvoes`"):
        read(tmp_path, "// a title\nsetup { draw; }\n// mvoes: a")


def test_the_title_is_no_expectation(tmp_path: Path) -> None:
    assert read(tmp_path, "// moves: what is offered\nsetup { draw; }")[0].expectations == ()


# Each script is met as it stands, and not when its last word is another.
SCRIPTS = {
    "new": ("// new: players=3\n// asked: 0", "// new: players=4\n// asked: 0"),
    "a setup": ("// new: setup=more\n// value: t.a = 10", "// new:\n// value: t.a = 10"),
    "an option": (
        "// new: option.pace=3\n// play: add(n: 2)\n// value: t.a = 13",
        "// new: option.pace=3\n// play: add(n: 2)\n// value: t.a = 9",
    ),
    "a position": (
        '// new: position={"instances": {"t": {"a": 2}}}\n// value: t.a = 2',
        '// new: position={"instances": {"t": {"a": 2}}}\n// value: t.a = 7',
    ),
    "play": ("// play: add(n: 2)\n// active: 1", "// play: add(n: 3)"),
    "choose": ("// choose: add\n// choose: 2\n// value: t.a = 9", "// choose: add\n// choose: 3"),
    "undo": ("// play: roll\n// undo:\n// asked: 0", "// undo:"),
    "moves": (f"// moves: {MOVES}", "// moves: add(n: 1), add(n: 2)"),
    "moves of the game's end": ("// play: stop\n// moves:", "// play: stop\n// moves: stop"),
    "candidates": ("// choose: add\n// candidates: 1, 2", "// choose: add\n// candidates: 2, 1"),
    "outcomes": ("// play: roll\n// outcomes: 0 1/2, 1 1/2", "// play: roll\n// outcomes: 0 1/3, 1 2/3"),
    "forced chance": (
        "// play: roll\n// play: random(1)\n// value: t.a = 1",
        "// play: roll\n// play: random(2)",
    ),
    "a seed": ("// new: seed=1\n// play: roll\n// asked: 1", "// new:\n// play: roll\n// asked: 1"),
    "refused": ('// play: roll\n// play: random(0)\n// refused: stop "t.a == 7"', "// refused: stop"),
    "the reason of a refusal": (
        '// refused: add(n: 5) "is not a value for"',
        '// refused: add(n: 5) "is not an action"',
    ),
    "words": (
        "// play: roll\n// play: random(0)\n// words: stop",
        '// play: roll\n// play: random(0)\n// words: stop "not yet"',
    ),
    "explained": (
        '// play: roll\n// play: random(0)\n// explained: stop "this is required: t.a == 7 (t.a is 0)"',
        '// play: roll\n// play: random(0)\n// explained: stop "this is required: t.a == 7"',
    ),
    "refused to begin": ('// refused: new players=5 "is for 2, 3"', "// refused: new players=2"),
    "asked": ("// play: roll\n// asked: chance", "// play: roll\n// asked: 1"),
    "active": ("// active: 0", "// active: 1"),
    "phase": ("// phase: only", "// phase: other"),
    "turn": ("// turn: main", "// turn: other"),
    "value": ("// value: seat[1].secret = 5", "// value: seat[1].secret = 6"),
    "value of a thing": ('// value: seat#1.name = "x"', "// value: seat#3.name = x"),
    "value of nothing": ("// value: seat#1.player = 0", "// value: seat#1.nothing = 5"),
    "view": ("// view 1: seat#2.secret = 5", "// view 1: seat#1.secret = 5"),
    "view that is closed": ("// view 1: seat#1.secret unseen", "// view 1: seat#2.secret unseen"),
    "resample": ("// resample 1: no `resample` block draws", "// resample 1: all is drawn anew"),
    "view of moves": (
        "// play: add(n: 1)\n// view 1: moves = {0: add(n: 1)}",
        "// play: add(n: 2)\n// view 1: moves = {0: add(n: 1)}",
    ),
    "result": ("// play: stop\n// result: win 0", "// result: win 0"),
    "unfinished": ("// result: unfinished", "// play: stop\n// result: unfinished"),
    "payoffs": ("// new: players=3\n// play: stop\n// payoffs: 1, -1/2, -1/2", "// payoffs: 1, -1"),
    "perft": ("// perft: 5 16", "// perft: 4"),
    "record": (
        "// play: roll\n// play: random(1)\n// record: 0: roll; *: random(1)",
        "// play: roll\n// record: 1: roll",
    ),
    "rules": ("// rules: 5976eac2a11ed710dc5f8e57639259f7", "// rules: 0"),
    "expect": ("// expect: 7", "// expect: 3 + 4"),
    "expect after play": ("// expect: 8\n// play: add(n: 1)", "// expect: 7\n// play: add(n: 1)"),
    "expect of every thing": ("// expect: 7", "// expect: 7, 7"),
    "fault": (f'// fault: TG0502 "division by zero"\n{DIVIDE}', "// fault: TG0502"),
    "another fault": (f"// fault: TG0502\n{DIVIDE}", f"// fault: TG0501\n{DIVIDE}"),
    "the message of a fault": (f"// fault: TG0502\n{DIVIDE}", f'// fault: TG0502 "x"\n{DIVIDE}'),
    "a fault that nobody expects": ("// play: add(n: 1)", DIVIDE),
}


def problems_of(tmp_path: Path, script: str) -> list[str]:
    """What is wrong with the game under a script; an `expect` or `fault` at its head stands at its line."""
    game = GAME
    first, _, rest = script.partition("\n")
    for kind, mark in (("expect", "EXPECT"), ("fault", "FAULT")):
        if first.startswith(f"// {kind}: "):
            game, script = game.replace(mark, first), rest
    case = read(tmp_path, game.replace("EXPECT", "").replace("FAULT", "") + script)[0]
    assert case.problems() == []
    return play_problems(case)


@pytest.mark.parametrize("met", [met for met, _ in SCRIPTS.values()], ids=list(SCRIPTS))
def test_what_is_expected_can_be_met(met: str, tmp_path: Path) -> None:
    assert problems_of(tmp_path, met) == []


@pytest.mark.parametrize("unmet", [unmet for _, unmet in SCRIPTS.values()], ids=list(SCRIPTS))
def test_what_is_expected_can_fail(unmet: str, tmp_path: Path) -> None:
    assert len(problems_of(tmp_path, unmet)) > 0


def test_a_failure_says_line_expected_and_found(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "// value: t.a = 8") == ["line 25: `value: t.a = 8`: found 7"]
    assert problems_of(tmp_path, "// expect: 8") == ["line 7: `expect: 8`: found 7"]


def test_another_engine_is_asked_the_same_and_found_out(tmp_path: Path) -> None:
    asked: list[int | None] = []

    def other(program: Program, fuel: int | None) -> Game:
        asked.append(fuel)
        return Game(
            compile_source(Source(GAME.replace("3 + 4", "3 * 4").replace("EXPECT", "").replace("FAULT", "")))
        )

    script = "// new: fuel=500\n// value: t.a = 7"
    case = read(tmp_path, GAME.replace("EXPECT", "").replace("FAULT", "") + script)[0]
    assert play_problems(case) == []
    assert play_problems(case, other) == ["line 26: `value: t.a = 7`: found 12"]
    assert asked == [500]


def test_every_kind_of_step_is_tried() -> None:
    words = " ".join(met + unmet for met, unmet in SCRIPTS.values())
    assert [kind for kind in STEPS if f"// {kind}:" not in words and f"// {kind} 1:" not in words] == []


def test_every_section_has_programs() -> None:
    folders = [path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert [folder.name for folder in folders if not list(folder.glob("*.tgdl"))] == []
