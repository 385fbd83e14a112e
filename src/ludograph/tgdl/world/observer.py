"""What an observer of the reference engine is told: statements that run, and conditions with their results.

Coverage counts both, and the stepper records them. A world without an observer runs at full speed.
"""

from typing import Any, Protocol

from ludograph.tgdl import program as p


class Observer(Protocol):
    """Hears what the rules of a world do. `run` is the run of the engine, `frame` the slots of the body."""

    def begin_statement(self, run: Any, frame: Any, file: int, node: p.Statement) -> None:
        """A statement is about to run."""

    def judge(self, run: Any, frame: Any, file: int, node: p.Block | p.Expression, value: Any) -> None:
        """A condition or another block with a value has been evaluated."""
