"""Random games and programs are step by step the same on both engines; differences are found and shrunk.

The short form of what `python -m tests.tgdl.native.differential` does; the long one is marked slow.
"""

import random
from pathlib import Path

import pytest

from ludograph.games import list_games
from ludograph.text import Source
from ludograph.tgdl import compile_source
from tests.tgdl.native.differential import (
    Report,
    compare_game,
    compare_program,
    difference_of,
    main,
    parse_report,
    random_numbers,
)
from tests.tgdl.native.programs import random_program, smaller_programs
from tests.tgdl.native.shrinking import shrink_list, shrink_numbers
from tests.tgdl.native.sides import Setting, Sides
from tests.tgdl.native.table_games import write_table_game

QUICK = ("tic-tac-toe", "liars-dice", "crazy-eights", "kalah", "two-lagoons")
PROGRAMS = 24
"""Random programs of the short form."""


@pytest.mark.parametrize("name", QUICK)
def test_random_games_are_the_same_step_by_step(name: str) -> None:
    steps, report = compare_game(name, 2, 11, 25)
    assert report is None, str(report)
    assert steps > 10


@pytest.mark.parametrize("part", range(2))
def test_random_programs_play_the_same(part: int) -> None:
    ran = 0
    for number in range(part, PROGRAMS, 2):
        draws = random.Random(f"short {number}")
        report = compare_program(random_program(draws), draws, games=2)
        assert not isinstance(report, Report), f"program {number}:\n{report}"
        ran += report
    assert ran >= 3, "too few of the programs have no errors"


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_many_random_games_are_the_same_step_by_step(name: str) -> None:
    games = 20 if name in ("hexil", "chess", "go", "backgammon", "two-lagoons") else 150
    _, report = compare_game(name, games, 100)
    assert report is None, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_random_programs_play_the_same(part: int) -> None:
    for number in range(200):
        draws = random.Random(f"long {part} {number}")
        report = compare_program(random_program(draws), draws)
        assert not isinstance(report, Report), f"program {part} {number}:\n{report}"


# What is found is shrunk and told


def test_a_list_is_shrunk_to_what_shows_the_fault() -> None:
    assert shrink_list(list(range(100)), lambda some: {7, 93} <= set(some)) == [7, 93]


def test_numbers_are_shrunk_to_small_ones() -> None:
    numbers = random_numbers(random.Random(5), 40)
    assert shrink_numbers([*numbers, 3 << 16], lambda some: any(number >> 16 == 3 for number in some)) == [
        3 << 16
    ]


def test_programs_are_shrunk_by_whole_pieces() -> None:
    found = smaller_programs("verb a() { 1 } verb b() { 2 + c; return 3; }")
    assert found[0] == "verb a() { 1 }"
    assert "verb a() { 1 } verb b() { return 3; }" in found


def test_a_report_can_be_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("pig", "", Setting(3, (("target", 20),)), (0, 1, 65536), "nothing")
    again = parse_report(str(report))
    assert (again.game, again.setting, again.numbers) == (report.game, report.setting, report.numbers)
    path = tmp_path / "report.txt"
    path.write_text(str(report), encoding="utf-8")
    assert main(["--replay", str(path)]) == 0
    assert capsys.readouterr().out == "the engines agree\n"


def test_the_tiles_of_a_board_that_changes_are_those_of_the_world_that_is_compiled() -> None:
    text = """
        tile cell { }
        board { group grid square sides { cell, cell, cell; } }
        action go { trigger on player choice; effect { grid.remove(grid[0][1]); pass; } }
    """
    program = compile_source(Source(text, "game.tgdl"))
    assert difference_of(Sides(program, checked=True), (0, 0)) == ""


def test_a_game_may_go_on_natively_where_the_reference_engine_has_no_fuel_for_the_list() -> None:
    text = """
        tile cell { action own { trigger on player choice; trigger { here() } effect { pass; } } }
        board { group grid square 6 by 1 { cell; } }
        global state t { decimal n; }
        verb here() { cell.all.any(x: cell.all.any(y: x.row > y.row + 20)) }
        action count choice 1 { trigger on player choice; effect { while true { t.n += 1; } } }
    """
    program = compile_source(Source(text, "game.tgdl"))
    sides = Sides(program, Setting(fuel=300))
    assert [difference_of(sides, (seed,)) for seed in range(8)] == [""] * 8


def test_random_games_with_boards_and_cards_are_valid() -> None:
    for seed in range(20):
        compile_source(Source(write_table_game(random.Random(seed)), "game.tgdl"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_games_with_boards_and_cards_are_the_same_on_both_engines(part: int) -> None:
    assert main(["--tables", "50", "--seed", str(50 * part)]) == 0
