"""Runs the tests that a game states about its rules, and gives the failures as diagnostics.

It plays the game, so it belongs into a thread of its own, and only to an author who may run programs here.
"""

from msgspec import Struct

from ludograph.lsp.diagnostics import EditorDiagnostic
from ludograph.lsp.game import AnalysedGame
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.testing.running import run_test

MAX_TESTS = 200


class RuleTestRun(Struct, frozen=True):
    """The number of tests that ran, and the failures, in the main file."""

    count: int
    failures: tuple[EditorDiagnostic, ...]


def run_rule_tests(game: AnalysedGame, only: str = "") -> RuleTestRun:
    """Run the tests of a game without errors, or the one with a name."""
    if game.has_errors:
        return RuleTestRun(0, ())
    program = game.analysis.program
    tests = [one for one in program.tests if only in ("", one.name)][:MAX_TESTS]
    if not tests:
        return RuleTestRun(0, ())
    rules = Game(program)
    failures: list[EditorDiagnostic] = []
    for test in tests:
        failure = run_test(rules, test).failure
        if failure is not None:
            failures.append(
                EditorDiagnostic(
                    file=0,
                    code=failure.code,
                    message=failure.message,
                    span=failure.span,
                    severity=failure.severity,
                    hint=failure.hint,
                    notes=failure.notes,
                    is_unnecessary=False,
                )
            )
    return RuleTestRun(len(tests), tuple(failures))
