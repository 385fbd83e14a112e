"""Runs the tests of a game: starts it, makes the moves of each test, and compares what happens with it.

A test that fails gives a diagnostic at the step that failed. The fuel of its moves bounds a test.
"""

from msgspec import Struct

from ludograph.play import CHANCE, Generator, IllegalMove, format_move
from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl import program as p
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.game.state import State
from ludograph.tgdl.reference.building import BadOption
from ludograph.tgdl.testing.evaluation import evaluate_expectation
from ludograph.tgdl.world.faults import Fault

CODES = {
    "TG0601": "a test that cannot begin",
    "TG0602": "a move of a test that is refused",
    "TG0603": "a move of a test that is legal, or is refused for another reason",
    "TG0604": "an expectation that does not hold",
    "TG0605": "a test that lacks an outcome of chance",
}


MAX_SHOWN = 6
"""The greatest number of outcomes of chance in a message."""


class RuleTestResult(Struct, frozen=True):
    """The result of a test; without a failure, it passed."""

    name: str
    span: Span
    """The name of the test in the source."""
    failure: Diagnostic | None
    steps: int
    """The number of moves and expectations that did what they should."""
    state: State | None
    """The state after these steps; None if the game could not begin."""

    @property
    def passed(self) -> bool:
        return self.failure is None


def run_tests(game: Game) -> tuple[RuleTestResult, ...]:
    """Run all tests of the main file, in their order."""
    return tuple(run_test(game, test) for test in game.program.tests)


def run_test(game: Game, test: p.RuleTest) -> RuleTestResult:
    """Run one test of a game."""
    run = _TestRun(game, test)
    failure = run.start() or run.play_steps()
    return RuleTestResult(test.name, test.name_span, failure, run.steps, run.state)


class _TestRun:
    """A test and how far it has got. Mutable."""

    def __init__(self, game: Game, test: p.RuleTest) -> None:
        self.game = game
        self.test = test
        self.state: State | None = None
        self.steps = 0
        self.outcomes = list(reversed(test.settings.outcomes or ()))
        self.generator: Generator | None = None

    def start(self) -> Diagnostic | None:
        """Begin the game; the failure, if it cannot begin."""
        settings = self.test.settings
        seed = settings.seed
        if settings.outcomes is not None and seed is not None:
            self.generator, seed = Generator(seed), None
        try:
            self.state = self.game.new(
                players=settings.players,
                seed=seed,
                options=dict(settings.options) or None,
                position=settings.position,
                setup=settings.setup,
            )
            return self._make_outcomes(self.state, self.test.name_span)
        except (BadOption, ValueError) as error:
            return self._failure("TG0601", f"the game cannot begin: {error}", self.test.name_span)
        except Fault as fault:
            return self._fault(fault, self.test.name_span)

    def play_steps(self) -> Diagnostic | None:
        """Make the moves and judge the expectations; the first failure."""
        state = self.state
        assert state is not None
        # The types of a world have numbers as table sizes, so its steps are used and not those of the game.
        tests = {each.span: each for each in world_of(state).program.tests}
        for step in tests[self.test.span].steps:
            try:
                failure = self._run_step(state, step)
            except Fault as fault:
                failure = self._fault(fault, step.span)
            if failure is not None:
                return failure
            self.steps += 1
        if self.outcomes:
            message = f"chance is not asked for the outcome '{self.outcomes[-1]}'"
            return self._failure("TG0605", message, self.test.name_span, "remove it")
        return None

    def _run_step(self, state: State, step: p.TestStep) -> Diagnostic | None:
        match step:
            case p.PlayedMove():
                return self._play(state, step)
            case p.RefusedMove():
                return self._refuse(state, step)
            case p.Expectation():
                sides = evaluate_expectation(state, self.test.frame, step)
                if sides is None:
                    return None
                source = self._source().text[step.condition.span.start : step.condition.span.end]
                message = f"expected {' '.join(source.split())}"
                return self._failure("TG0604", f"{message}, found {sides}" if sides else message, step.span)

    def _play(self, state: State, step: p.PlayedMove) -> Diagnostic | None:
        if step.chooser != CHANCE and state.asked[:1] == (CHANCE,):
            first = format_move([state.outcomes()[0][0]])
            hint = f"write the outcome, such as *: {first};, or a seed at the beginning: seed 1;"
            return self._failure("TG0605", "an outcome of chance must come before this move", step.span, hint)
        try:
            state.push(step.text, step.chooser)
        except IllegalMove as error:
            reason = state.why_not(step.text, step.chooser) or error
            return self._failure("TG0602", str(reason), step.span)
        return self._make_outcomes(state, step.span)

    def _refuse(self, state: State, step: p.RefusedMove) -> Diagnostic | None:
        try:
            state.copy().push(step.text, step.chooser)
        except IllegalMove as error:
            reason = str(state.why_not(step.text, step.chooser) or error)
        else:
            return self._failure("TG0603", f"the move '{step.text}' is legal here", step.span)
        if step.words is None or step.words in reason:
            return None
        return self._failure("TG0603", f"the move is refused for another reason: {reason}", step.span)

    def _make_outcomes(self, state: State, span: Span) -> Diagnostic | None:
        """Let chance choose as the test says: the outcomes in order, then those of the seed."""
        while state.asked[:1] == (CHANCE,):
            if self.outcomes:
                text = self.outcomes.pop()
                try:
                    state.push(text, CHANCE)
                except IllegalMove:
                    known = ", ".join(format_move([choice]) for choice, _ in state.outcomes()[:MAX_SHOWN])
                    message = f"'{text}' is not an outcome of chance here"
                    return self._failure("TG0605", message, span, f"the outcomes are {known}")
            elif self.generator is not None:
                state.sample_chance(self.generator)
            else:
                break
        return None

    def _fault(self, fault: Fault, span: Span) -> Diagnostic:
        """The failure of a step in which the rules have a fault."""
        notes = ((fault.site.span, "the rules fail here"),) if fault.site.file == 0 else ()
        return self._failure(fault.code, fault.message, span, notes=notes)

    def _failure(
        self, code: str, message: str, span: Span, hint: str = "", notes: tuple[tuple[Span, str], ...] = ()
    ) -> Diagnostic:
        if span != self.test.name_span:
            notes = (*notes, (self.test.name_span, "in this test"))
        return Diagnostic(code, message, span, hint, self._source(), notes=notes)

    def _source(self) -> Source:
        return self.game.program.sources[0]
