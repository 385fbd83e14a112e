"""Budgets: how long a bot thinks about a choice, in iterations or in seconds."""

from msgspec import Struct

from ludograph.play import Clock, Search

FIRST_STEP = 4
"""The number of iterations after which the clock is read first."""
STEP_SECONDS = 0.02
"""The clock is read about once in so many seconds."""
MAX_GROWTH = 4
"""A step has at most so many times as many iterations as the one before."""


class SearchBudget(Struct, frozen=True):
    """A number of iterations, or a number of seconds."""

    iterations: int | None = None
    seconds: float | None = None

    @property
    def text(self) -> str:
        return f"{self.iterations}" if self.seconds is None else f"{self.seconds:g}s"

    def spend(self, search: Search, clock: Clock) -> None:
        """Run a search until the budget is spent or nothing is left to decide.

        The clock is read from time to time, also if the budget is a number of iterations: a clock may raise
        an exception to end the search.
        """
        start, step, made = clock(), FIRST_STEP, 0
        while not search.is_decided:
            before = clock()
            if self.seconds is not None and before - start >= self.seconds:
                break
            if self.iterations is not None:
                step = min(step, self.iterations - made)
            if step == 0:
                break
            search.run(step)
            made += step
            used = clock() - before
            left = STEP_SECONDS if self.seconds is None else start + self.seconds - before - used
            wanted = int(step / max(used, 1e-6) * min(STEP_SECONDS, max(left, 0.0)))
            step = max(1, min(MAX_GROWTH * step, wanted))
