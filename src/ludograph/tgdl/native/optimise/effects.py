"""What is known of an action before it runs: whether it can fail, and whether it can ask for more.

An action that can do neither needs no trial: each choice of its inputs is one complete move. One that can
only fail may be drawn first and tried then, which leaves all that succeed equally likely. Where an input
stands inside an effect, the conditions around it often tell from the inputs alone that it will not be asked.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ludograph.tgdl.program import (
    Action,
    Ambient,
    Apply,
    Ask,
    Assign,
    Attach,
    AttributeOf,
    CallAction,
    CallVerb,
    Cancel,
    Expression,
    Fail,
    ForEach,
    ForRange,
    If,
    Input,
    InputMode,
    Link,
    Literal,
    Logic,
    Move,
    Mutate,
    NamedTile,
    New,
    Out,
    Program,
    Setting,
    Singleton,
    Specifier,
    Statement,
    This,
    Trigger,
    Variable,
    When,
)
from ludograph.tgdl.program.events import OFFERS
from ludograph.tgdl.program.operations import CHANGING, Operation
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.world.analysis import CHANCY, reached, walk


class Guard(Struct, frozen=True):
    """Conditions, and the truth that they must have, without which an input in an effect is not asked."""

    conditions: tuple[tuple[Expression, bool], ...]


class ActionEffects(Struct, frozen=True):
    """What an action can do."""

    fails: bool
    asks: bool
    guards: tuple[Guard, ...] | None
    """If it asks: one of these holds then. None: nothing is known."""


class EffectAnalysis:
    """The effects of the actions of a program. Mutable: each is analysed once, when it is first needed."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, ActionEffects] = {}

    @cached_property
    def surroundings(self) -> ActionEffects:
        """What may follow any action."""
        roots = _surroundings(self._program)
        return ActionEffects(_fails(self._program, *roots), _asks(self._program, *roots), None)

    def of(self, action: Action) -> ActionEffects:
        found = self._known.get(action.index)
        if found is None:
            found = self._known[action.index] = _analyse(self._program, action, self.surroundings)
        return found


def _analyse(program: Program, action: Action, around: ActionEffects) -> ActionEffects:
    own = (action.effects, action.phases)
    is_plain = action.specifier is Specifier.PLAIN and not action.phases
    if not is_plain or around.asks:
        return ActionEffects(True, True, None)
    fails = around.fails or _fails(program, own)
    if not _asks(program, own):
        return ActionEffects(fails, False, ())
    return ActionEffects(fails, True, _guards(program, action))


def is_combinatorial(action: Action) -> bool:
    """Whether its complete moves are combinations: a list is chosen, or an input asked in a counted loop.

    Such moves are too many to be listed for each draw.
    """
    if any(isinstance(known.type, ListType) and known.mode is InputMode.ASKED for known in action.inputs):
        return True
    for node in walk((action.effects, action.phases)):
        if isinstance(node, ForEach | ForRange) and any(isinstance(each, Ask) for each in walk(node.body)):
            return True
        if isinstance(node, Ask) and isinstance(node.input.type, ListType):
            return True
    return False


def _surroundings(program: Program) -> list[Any]:
    """What may follow any action: phases, defaults, goals, and all that is triggered."""
    found: list[Any] = [turn.default for turn in program.turns]
    found += [(phase.effect, phase.inputs) for turn in program.turns for phase in turn.phases]
    for action in program.actions:
        if action.is_goal or any(each.event != "stuck" for each in _heard(action)):
            found += [action.effects, action.phases, action.inputs]
    return found


def _fails(program: Program, *roots: Any) -> bool:
    return any(
        isinstance(node, Fail | Cancel | CallAction)
        or (isinstance(node, Input) and node.mode in (InputMode.ASKED, InputMode.AUTO))
        for node in reached(program, *roots)
    )


def _asks(program: Program, *roots: Any) -> bool:
    return any(
        isinstance(node, Ask | CallAction | Cancel)
        or (isinstance(node, Input) and node.mode is InputMode.ASKED)
        for node in reached(program, *roots)
    )


def _guards(program: Program, action: Action) -> tuple[Guard, ...] | None:
    """The guards of all inputs inside the effects; None if a verb asks, or the effects call actions."""
    inside = [node for node in walk(action.effects) if isinstance(node, Ask | CallAction | Cancel)]
    if not all(isinstance(node, Ask) for node in inside):
        return None
    for node in walk(action.effects):
        if isinstance(node, CallVerb) and _asks(program, node):
            return None
    moments = {each.when for other in program.actions for each in _heard(other)}
    if moments - {When.AFTER} or (moments and len(action.effects) > 1):
        return None  # what is triggered meanwhile may change anything
    inputs = {known.slot for known in action.inputs}
    found: list[Guard] = []
    before = Writes()
    for effect in action.effects:
        for conditions in _paths(program, effect.block.statements, (), before, inputs):
            found.append(Guard(conditions))
    return tuple(found) if found else None


def _heard(action: Action) -> Iterator[Trigger]:
    """The triggers of an action, and of its phases, by which events start it."""
    for each in (*action.triggers, *(each for phase in action.phases for each in phase.triggers)):
        if each.event and each.event not in OFFERS:
            yield each


class Writes:
    """What has been written so far. Mutable."""

    def __init__(self) -> None:
        self.slots: set[int] = set()
        self.moved = False
        self.edited = False
        """The board may be another."""
        self.other = False
        """There may be other things, or they may belong to others or lie elsewhere."""
        self.variables: set[int] = set()

    @property
    def is_empty(self) -> bool:
        return not (self.slots or self.moved or self.edited or self.other)

    def see(self, program: Program, node: Any) -> None:
        for inner in reached(program, node):
            if isinstance(inner, Assign | Mutate):
                root = inner.place.root
                if isinstance(root, Variable):
                    self.variables.add(root.slot)
                elif isinstance(root, AttributeOf):
                    self.slots.add(root.slot)
            elif isinstance(inner, Move):
                self.moved = True
            elif isinstance(inner, Link) or (isinstance(inner, Apply) and inner.operation in EDITING):
                self.edited = self.moved = True
            elif isinstance(inner, Attach | New | Out) or (
                isinstance(inner, Apply) and inner.operation in CHANGING
            ):
                self.other = True


def _paths(
    program: Program,
    statements: Sequence[Statement],
    conditions: tuple[tuple[Expression, bool], ...],
    before: Writes,
    inputs: set[int],
) -> Iterator[tuple[tuple[Expression, bool], ...]]:
    """For each input asked among some statements: the conditions around it that the inputs alone decide."""
    for statement in statements:
        match statement:
            case Ask():
                yield conditions
            case If(condition, then, otherwise):
                usable = _is_usable(condition, before, inputs)
                yes = (*conditions, (condition, True)) if usable else conditions
                no = (*conditions, (condition, False)) if usable else conditions
                yield from _paths(program, then, yes, before, inputs)
                yield from _paths(program, otherwise, no, before, inputs)
            case _:
                if any(isinstance(node, Ask) for node in walk(statement)):
                    yield conditions
        before.see(program, statement)


PLACES = frozenset({Operation.HELD, Operation.TILE_OF, Operation.PLACEABLES})
GEOMETRY = frozenset(
    {
        Operation.ADJACENT,
        Operation.BETWEEN,
        Operation.CELLS,
        Operation.COLUMN,
        Operation.CORNERS,
        Operation.DISTANCE,
        Operation.LINE,
        Operation.LINES,
        Operation.NEXT,
        Operation.ROW,
        Operation.SIDES,
        Operation.TILES,
        Operation.TILE_AT,
    }
)
EDITING = frozenset({Operation.ADD_TILE, Operation.REMOVE_TILE, Operation.ADD_GROUP, Operation.REMOVE_GROUP})
OF_VALUES = frozenset(
    {
        Operation.ABS,
        Operation.ADD,
        Operation.AS_NUMBER,
        Operation.AS_PLAYER,
        Operation.AT,
        Operation.CEIL,
        Operation.CONTAINS,
        Operation.DIVIDE,
        Operation.EQUAL,
        Operation.FIND,
        Operation.FIRST,
        Operation.FLOOR,
        Operation.GREATER,
        Operation.GREATER_OR_EQUAL,
        Operation.GREATEST,
        Operation.IS_NONE,
        Operation.LAST,
        Operation.LEAST,
        Operation.LENGTH,
        Operation.LESS,
        Operation.LESS_OR_EQUAL,
        Operation.MODULO,
        Operation.MULTIPLY,
        Operation.NEGATE,
        Operation.NOT,
        Operation.POWER,
        Operation.ROUND,
        Operation.SUBTRACT,
        Operation.XOR,
    }
)
"""Operations that depend on nothing but their operands."""


def _is_usable(condition: Expression, before: Writes, inputs: set[int]) -> bool:
    """Whether a condition means the same before the effect begins."""
    for node in walk(condition):
        match node:
            case Variable(slot):
                if slot not in inputs or slot in before.variables:
                    return False
            case AttributeOf():
                if node.slot in before.slots:
                    return False
            case Apply(operation):
                if operation in CHANCY or not _means_the_same(operation, before):
                    return False
            case Ambient() | Literal() | Logic() | NamedTile() | Setting() | Singleton() | This():
                pass
            case _ if hasattr(node, "span"):
                return False
            case _:
                pass
    return True


def _means_the_same(operation: Operation, before: Writes) -> bool:
    """Whether an operation gives the same for the same operands after what has been written."""
    if operation in OF_VALUES or before.is_empty:
        return True
    if operation in GEOMETRY:
        return not before.edited
    return operation in PLACES and not (before.moved or before.other)
