"""`test` blocks: what passes, what fails and how each failure is shown."""

import pytest

from ludograph.games.sources import compile_source as compile_game
from ludograph.play import replay
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.testing.running import CODES, RuleTestResult, run_test, run_tests
from tests.golden_files import Golden
from tests.language.runner import Case, cases
from tests.tgdl.rules import game

TESTED = [
    case for case in cases() if (program := case.check()[0]) is not None and program.rules and program.tests
]

RULES = """
players 2;
option decimal target = 5 from 3 to 20;
global state table { decimal sum = 0; decimal[] parts = { 1, 2 }; }
action add
{
  trigger on player choice;
  input decimal n from 1 to 3;
  require { n + table.sum <= target } else "there is no room for {n}";
  effect { table.sum += n; pass; }
}
action roll { trigger on player choice; effect { table.sum += random 6; pass; } }
action divide { trigger on player choice; effect { table.sum = 1 / table.sum; pass; } }
"""
FAILURES = {
    "TG0601": "option target = 2; 0: roll;",
    "TG0602": "0: add(n: 1); 0: add(n: 1);",
    "TG0603": '0: refuses roll "no room";',
    "TG0604": "0: add(n: 2); expect table.sum == 3;",
    "TG0605": "0: roll; 1: roll;",
}


def result_of(steps: str) -> RuleTestResult:
    (result,) = run_tests(game(f'{RULES}test "it" {{ {steps} }}\n'))
    return result


def failure_of(steps: str) -> str:
    failure = result_of(steps).failure
    return "" if failure is None else f"{failure.code}: {failure.message}"


@pytest.mark.parametrize("case", TESTED, ids=[case.name for case in TESTED])
def test_the_tests_of_the_corpus_pass(case: Case) -> None:
    program = case.check()[0]
    assert program is not None
    assert [one.failure for one in run_tests(Game(program))] == [None] * len(program.tests)


def test_the_tests_of_the_corpus_pass_on_the_native_engine() -> None:
    case = next(case for case in TESTED if "every setting" in case.title)
    tested = compile_game(case.text, name="tested", engine="native")
    assert [one.failure for one in run_tests(tested)] == [None]


@pytest.mark.parametrize("code", CODES)
def test_every_failure_has_a_picture(code: str, golden: Golden) -> None:
    failure = result_of(FAILURES[code]).failure
    assert failure is not None and failure.code == code
    golden(f"tgdl/tests/{code}.txt", f"{code}: {CODES[code]}\n\n{failure.picture()}\n")


def test_steps_are_counted_up_to_the_failure() -> None:
    result = result_of("0: add(n: 2); 1: add(n: 1); expect table.sum == 3; 0: add(n: 3); 1: add(n: 1);")
    assert (result.passed, result.steps) == (False, 3)
    assert result.state is not None and result.state.record.moves[-1].text == "add(n: 1)"


@pytest.mark.parametrize(
    ("steps", "failure"),
    [
        ('0: add(n: 2); 1: add(n: 3); 0: refuses add(n: 1) "no room for 1";', ""),
        ("0: refuses add(n: 4);", ""),
        ("0: refuses add(n: 2);", "TG0603: the move 'add(n: 2)' is legal here"),
        ('0: refuses add(n: 4) "room";', "TG0603: the move is refused for another reason: '4' is not"),
        ("0: ad(n: 2);", "TG0602: "),
        ("1: add(n: 2);", "TG0602: "),
        ("seed 3; 0: roll; 1: roll; expect asked.length == 1;", ""),
        ("chance { random(2); random(5); } 0: roll; 1: roll; expect table.sum == 7;", ""),
        ("chance { 2; } 0: roll; expect table.sum == 2;", ""),
        ("chance { random(6); } 0: roll;", "TG0605: 'random(6)' is not an outcome of chance here"),
        ("chance { random(1); } 0: add(n: 1);", "TG0605: chance is not asked for the outcome 'random(1)'"),
        ("chance { random(1); } seed 3; 0: roll; 1: roll; expect asked.length == 1;", ""),
        ("chance { random(1); } 0: roll; 1: roll; *: random(0); expect table.sum == 1;", ""),
        ("seed 3; 0: roll; *: random(1);", "TG0602: "),
        ('position { "instances": { "table": { "sum": 4 } } }; 0: refuses add(n: 2) "no room";', ""),
        ("position { active };", "TG0601: the game cannot begin: "),
        ('position { "active": 7 };', "TG0601: the game cannot begin: "),
        ("0: divide;", "TG0502: division by zero"),
        ("expect 1 / table.sum == 1;", "TG0502: division by zero"),
        ("expect table.sum != 0;", "TG0604: expected table.sum != 0, found 0"),
        ("expect table.sum + 1 > 1 + 1;", "TG0604: expected table.sum + 1 > 1 + 1, found 1 and 2"),
        ("expect table.parts.contains(3);", "TG0604: expected table.parts.contains(3), found {1, 2}"),
        (
            "expect not (table.parts == { 1, 2 });",
            "TG0604: expected not (table.parts == { 1, 2 }), found {1, 2}",
        ),
        (
            "expect table.sum == 0 and table.parts.length == 0;",
            "TG0604: expected table.sum == 0 and table.parts.length == 0",
        ),
    ],
)
def test_a_test_fails_for_one_reason(steps: str, failure: str) -> None:
    found = failure_of(steps)
    assert found.startswith(failure) if failure else not found


def test_a_seed_gives_the_outcomes_of_a_game_with_this_seed() -> None:
    tested = game(f'{RULES}test "it" {{ seed 11; 0: roll; 1: roll; }}\n')
    (result,) = run_tests(tested)
    assert result.state is not None
    assert replay(tested, result.state.record).state == result.state
    again = tested.new(seed=11)
    for _ in range(2):
        again.push("roll")
    assert again == result.state


def test_only_tests_of_the_main_file_are_run() -> None:
    texts = {
        "lib.tgdl": 'global state lib { decimal n = 1; }\ntest "in the library" { expect lib.n == 2; }\n'
    }
    main = 'import "lib.tgdl";\naction go { trigger on player choice; effect { lib.n += 1; pass; } }\n'
    program = compile_source(Source(f'{main}test "here" {{ 0: go; }}\n', "main.tgdl"), texts.get)
    assert [test.name for test in program.tests] == ["here"]


def test_tables_with_the_size_of_an_option_can_be_compared() -> None:
    tested = game(
        "option decimal size = 3 from 2 to 5;\n"
        "global state t { decimal[size] row; }\n"
        "action go { trigger on player choice; effect { t.row[0] = 1; pass; } }\n"
        'test "five" { option size = 5; 0: go; expect t.row.length == 5 and t.row[0] == 1; }\n'
    )
    assert [one.failure for one in run_tests(tested)] == [None]


def test_a_test_leaves_its_game_unchanged() -> None:
    tested = game(f'{RULES}test "it" {{ 0: add(n: 1); }}\n')
    before = tested.new().to_bytes()
    run_test(tested, tested.program.tests[0])
    assert tested.new().to_bytes() == before
