"""Budgets: how long a bot thinks about a choice, in iterations or in seconds."""

from msgspec import Struct

from ludograph.play import Clock, Search

FIRST_STEP = 4
"""The number of iterations after which the clock is read first."""
STEP_SECONDS = 0.02
"""The clock is read about once in so many seconds."""


class Budget(Struct, frozen=True):
    """A number of iterations, or a number of seconds."""

    iterations: int | None = None
    seconds: float | None = None

    @property
    def text(self) -> str:
        return f"{self.iterations}" if self.seconds is None else f"{self.seconds:g}s"

    def spend(self, search: Search, clock: Clock) -> None:
        """Run a search until the budget is spent or nothing is left to decide."""
        if self.seconds is None:
            search.run(self.iterations or 0)
            return
        start = clock()
        step = FIRST_STEP
        while not search.is_decided:
            before = clock()
            if before - start >= self.seconds:
                break
            search.run(step)
            used = clock() - before
            left = start + self.seconds - before - used
            rate = step / max(used, 1e-6)
            step = max(1, min(2 * step, int(rate * min(STEP_SECONDS, max(left, 0.0)))))
