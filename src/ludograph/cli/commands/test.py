"""`ludograph test`: run the `test` blocks of games, and show those that fail."""

from argparse import Namespace
from typing import Any

from ludograph.cli.game_opening import open_game
from ludograph.cli.game_sources import diagnostic_json, print_diagnostics
from ludograph.cli.output import FAILURE, SUCCESS, write_json
from ludograph.tgdl.testing.running import RuleTestResult, run_test


def run(arguments: Namespace) -> int:
    found = [(name, _run_tests(name, arguments.only)) for name in arguments.games]
    is_fine = all(results and all(one.passed for one in results) for _, results in found)
    if arguments.json:
        write_json({"fine": is_fine, "games": [_game_json(name, results) for name, results in found]})
        return SUCCESS if is_fine else FAILURE
    for name, results in found:
        print_diagnostics([one.failure for one in results if one.failure is not None])
        print(f"{name}: {_verdict(results, is_selection=bool(arguments.only))}")
    return SUCCESS if is_fine else FAILURE


def _run_tests(name: str, only: str) -> list[RuleTestResult]:
    game = open_game(name)
    return [run_test(game, test) for test in game.program.tests if only in test.name]


def _verdict(results: list[RuleTestResult], *, is_selection: bool) -> str:
    if not results:
        return "no test has this text in its name" if is_selection else "there are no tests"
    failed = sum(1 for one in results if not one.passed)
    count = f"{len(results)} test{'s' if len(results) != 1 else ''}"
    return f"{failed} of {count} failed" if failed else f"{count} passed"


def _game_json(name: str, results: list[RuleTestResult]) -> dict[str, Any]:
    tests = [
        {
            "name": one.name,
            "passed": one.passed,
            "steps": one.steps,
            "failure": None if one.failure is None else diagnostic_json(one.failure),
        }
        for one in results
    ]
    return {"game": name, "tests": tests}
