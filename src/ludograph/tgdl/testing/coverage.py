"""Coverage: which statements and conditions of a game have run, counted while games are played.

`points_of` lists everything that can run. A `RuleCounter` is the observer of a game on the reference
engine; it counts how often each point is reached, and how often a condition holds or fails.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p

Place = tuple[int, int, int]
"""The file of a span, its start and its end."""


class PointKind(Enum):
    STATEMENT = "statement"
    CONDITION = "condition"


class RulePoint(Struct, frozen=True):
    """A statement or a condition of a game."""

    kind: PointKind
    owner: str
    """The declaration that it belongs to, such as `action frog.hop`."""
    file: int
    span: Span

    @property
    def place(self) -> Place:
        return self.file, self.span.start, self.span.end


class PointCount(Struct, frozen=True):
    """How often a point was reached; for a condition, also its results."""

    point: RulePoint
    reached: int
    held: int
    failed: int


class RuleCounter:
    """Counts what the rules of a game do. Mutable."""

    def __init__(self) -> None:
        self.reached: dict[Place, int] = {}
        self.held: dict[Place, int] = {}

    def begin_statement(self, run: Any, frame: Any, file: int, node: p.Statement) -> None:
        place = (file, node.span.start, node.span.end)
        self.reached[place] = self.reached.get(place, 0) + 1

    def judge(self, run: Any, frame: Any, file: int, node: p.Block | p.Expression, value: Any) -> None:
        place = (file, node.span.start, node.span.end)
        self.reached[place] = self.reached.get(place, 0) + 1
        if value is True:
            self.held[place] = self.held.get(place, 0) + 1

    def counts(self, program: p.Program) -> tuple[PointCount, ...]:
        """The counts of all points of a program, in the order of the source."""
        found = []
        for point in points_of(program):
            reached, held = self.reached.get(point.place, 0), self.held.get(point.place, 0)
            is_condition = point.kind is PointKind.CONDITION
            found.append(PointCount(point, reached, held, reached - held if is_condition else 0))
        return tuple(found)


def points_of(program: p.Program) -> tuple[RulePoint, ...]:
    """All points of a program, once each, in the order of the source."""
    found: dict[Place, RulePoint] = {}
    for point in _all_points(program):
        found.setdefault(point.place, point)
    return tuple(found[place] for place in sorted(found))


def _all_points(program: p.Program) -> Iterator[RulePoint]:
    for action in program.actions:
        owner = f"{'goal' if action.is_goal else 'action'} {_with_owner(action)}"
        yield from _points_of_parts(owner, action.file, action)
        for phase in action.phases:
            yield from _points_of_parts(owner, action.file if phase.file is None else phase.file, phase)
        yield from _points_of_inputs(owner, action.file, action.inputs)
    for verb in program.verbs:
        yield from _statements(f"verb {_with_owner(verb)}", verb.file, verb.block)
    for turn in program.turns:
        for turn_phase in turn.phases:
            owner = f"phase {turn_phase.name} of turn {turn.name}"
            yield from _statements(owner, turn.file, turn_phase.effect)
            yield from _points_of_inputs(owner, turn.file, turn_phase.inputs)
        yield from _statements(f"turn {turn.name}", turn.file, turn.default)
    for setup in program.setups:
        for effect in setup.effects:
            yield from _statements("setup", setup.file, effect.block)


def _with_owner(declared: p.Action | p.Verb) -> str:
    return f"{declared.owner}.{declared.name}" if declared.owner else declared.name


def _points_of_parts(owner: str, file: int, part: p.Action | p.ActionPhase) -> Iterator[RulePoint]:
    """The points of an action or of its phase; inherited parts are in other files."""
    for require in part.requires:
        yield RulePoint(
            PointKind.CONDITION, owner, file if require.file is None else require.file, require.block.span
        )
    for trigger in part.triggers:
        if trigger.block is not None and trigger.block.statements:
            place = file if trigger.file is None else trigger.file
            yield RulePoint(PointKind.CONDITION, owner, place, trigger.block.span)
    for effect in part.effects:
        yield from _statements(owner, file if effect.file is None else effect.file, effect.block)


def _points_of_inputs(owner: str, file: int, inputs: tuple[p.Input, ...]) -> Iterator[RulePoint]:
    for known in inputs:
        place = file if known.file is None else known.file
        for block in (*known.filters, *known.list_filters):
            yield RulePoint(PointKind.CONDITION, owner, place, block.span)


def _statements(owner: str, file: int, block: p.Block | None) -> Iterator[RulePoint]:
    """The statements of a block, also those inside of others, and the conditions of `if`s and inputs."""
    waiting: list[p.Statement] = [] if block is None else list(block.statements)
    while waiting:
        node = waiting.pop()
        yield RulePoint(PointKind.STATEMENT, owner, file, node.span)
        match node:
            case p.If():
                yield RulePoint(PointKind.CONDITION, owner, file, node.condition.span)
                waiting += (*node.then, *node.otherwise)
            case p.While():
                waiting += (*node.body, *node.step)
            case p.ForEach() | p.ForRange():
                waiting += node.body
            case p.Ask(known):
                yield from _points_of_inputs(owner, file, (known,))
            case _:
                pass
