"""The compilation unit of a world, and the values of its code."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.nodes import Data, Expression, Module
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.optimise.call_graph import find_flat_verbs, may_replay, may_wait
from ludograph.tgdl.native.optimise.effects import ActionEffectAnalysis
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.world import World

FREE_STATEMENTS, STATEMENTS_PER_LETTER, MAX_STATEMENTS = 40_000, 20, 250_000
"""The limits of the IR, as statements: those that every game may have, those for each letter of its source,
and those of the largest game. The largest shipped game has 12,000, and most texts need less than one for
each letter. Only hostile texts multiply."""

Fact = TypeVar("Fact")


class Value(Struct, frozen=True):
    """A value of the language in registers."""

    type: Type
    parts: tuple[Expression, ...]
    certain: bool = False
    """Whether the value is never none."""
    held: Any = None
    """For a list or table that is still in the block: its attribute."""

    @property
    def only(self) -> Expression:
        assert len(self.parts) == 1, self
        return self.parts[0]


class ActionEntry(Struct, frozen=True):
    """An entry point of an action: each one that is used has its own function."""

    action: int
    part: str | None = None
    """The name of the started effects; None: those without a name."""
    stage: int | None = None
    """The started phase of the action; None: the action."""
    given: tuple[int, ...] = ()
    """The indexes of the inputs that the caller passes."""
    fields: tuple[tuple[int, Type], ...] = ()
    """The slots of the fields of the event, and their types."""
    seals: bool = False
    """The action with its inputs is sealed until all others have chosen."""
    has_final_inputs: bool = False
    """All inputs are passed, and no test is repeated."""
    is_base: bool = False
    """For `base(…)`: only the effects of the part, or of the phases with the name of the stage."""


class CompilationUnit(Struct):
    """One world being compiled. Mutable."""

    world: World
    plan: Plan
    checked: bool = False
    """Whether the code has memory checks and assertions."""
    assertions: list[str] = field(default_factory=list)
    """The descriptions of the assertions, by number."""
    module: Module = field(default_factory=Module)
    strings: dict[str, int] = field(default_factory=dict)
    _making: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _data: dict[tuple[bytes | str, ...], str] = field(default_factory=dict)
    lower: Callable[[Any, p.Expression], Value] | None = None
    """Lowers an expression; set by `prepare`."""
    lower_statements: Callable[[Any, Sequence[p.Statement]], None] | None = None
    convert: Callable[[Any, Value, Type], Value] | None = None
    """Converts between values and objects; set by `prepare`."""
    keep_object: Callable[[Any, Value], Value] | None = None
    """Copies the lists of an object into the block; set by `prepare`."""
    count_keys: Callable[[Any, str], Expression] | None = None
    """The number of tiles of a construct; set by `prepare`."""
    performer: Callable[["CompilationUnit", ActionEntry], str] | None = None
    """Returns the function of an action entry; set by `prepare`."""
    starts: dict[ActionEntry, str] = field(default_factory=dict)
    _names: dict[Any, str] = field(default_factory=dict)
    _keys: dict[str, int] = field(default_factory=dict)
    inputs: list[p.Input] = field(default_factory=list)
    stored: dict[int, Any] = field(default_factory=dict)
    """The targets of outcomes of chance, by the identity of the node (`viewers.py`)."""
    chance_types: tuple[Type, ...] = ()
    """The types of outcomes of chance; a question of chance has the index of its type."""
    tracks_purity: bool = False
    has_positions: bool = False
    """Whether the rules compare positions, which depend on strings."""
    flat_verbs: frozenset[int] = frozenset()
    """Verbs whose call depth has a static bound."""
    waits: bool = False
    """Whether actions may wait for the end of the effect that triggered them."""
    _effects: ActionEffectAnalysis | None = None
    _facts: dict[Any, Any] = field(default_factory=dict)
    replays: bool = False
    """Whether effects may be executed again with the same choices."""
    statements: int = 0
    """The number of statements so far, in all functions."""
    max_statements: int = 0
    board_entries: int = 0
    """The number of entries so far in tables of the board."""
    poll: Callable[[], None] | None = None
    """Called regularly while code is generated; it may raise an exception to end that."""

    @property
    def effects(self) -> ActionEffectAnalysis:
        """The effect summaries of actions."""
        if self._effects is None:
            self._effects = ActionEffectAnalysis(self.world.program)
        return self._effects

    def __post_init__(self) -> None:
        letters = sum(len(source.text) for source in self.world.program.sources)
        self.max_statements = min(MAX_STATEMENTS, FREE_STATEMENTS + STATEMENTS_PER_LETTER * letters)
        # These facts are found before lowering, because stored code is used without lowering.
        for node in walk_program(self.world.program):
            match node:
                case p.Apply(Operation.TOP):
                    self.tracks_purity = True
                case p.Literal(str() as text):
                    self._learn_strings(text)
                case p.Apply(operation) if operation.facts.is_position:
                    self.has_positions = True
                case p.Input():
                    self.inputs.append(node)
                case _:
                    pass
        for value in (*self.world.options.values(), *self.world.constants.values()):
            self._learn_strings(value)
        self._learn_names()
        self.waits = may_wait(self.world)
        self.flat_verbs = find_flat_verbs(self.world)
        self.replays = may_replay(self.world)

    def _learn_names(self) -> None:
        """What fields of events and choices of effects may be called."""
        world = self.world
        self._learn_strings(("", *(each.turn.name for each in world.turns)))
        for kind in world.kinds:
            self._learn_strings((kind.name, *(each.name for each in kind.construct.attributes)))
        for action in world.program.actions:
            self._learn_strings(tuple(phase.name for phase in action.phases))
            for effects in (action.effects, *(phase.effects for phase in action.phases)):
                self._learn_strings(tuple(each.name or str(at) for at, each in enumerate(effects, 1)))

    def _learn_strings(self, value: Any) -> None:
        if isinstance(value, str):
            self.strings.setdefault(value, len(self.strings))
        elif isinstance(value, tuple):
            for item in value:
                self._learn_strings(item)

    def count_statement(self) -> None:
        """Count a statement of the IR. Compiling takes time and memory for each of them."""
        self.statements += 1
        if not self.statements & 0xFF and self.poll is not None:
            self.poll()
        if self.statements > self.max_statements:
            raise Unsupported(
                f"compiled code of more than {self.max_statements:,} statements, which would take too long"
            )

    def perform(self, start: ActionEntry) -> str:
        """The name of the function of an action entry."""
        assert self.performer is not None
        return self.performer(self, start)

    def need(self, name: str, make: Callable[[], None]) -> str:
        """The name of a function, which is emitted later if it is new."""
        if name not in self._known:
            self._known.add(name)
            self._making.append((name, make))
        return name

    def once(self, key: Any, find: Callable[[], Fact]) -> Fact:
        """A fact about the world, which is found when it is first needed."""
        if key not in self._facts:
            self._facts[key] = find()
        found: Fact = self._facts[key]
        return found

    def name_of(self, hint: str, key: Any) -> str:
        """The name of the function of a key."""
        if key not in self._names:
            plain = "".join(each if each.isalnum() and each.isascii() else "_" for each in hint)
            self._names[key] = f"{plain}.{len(self._names)}"
        return self._names[key]

    def make_all(self) -> None:
        while self._making:
            name, make = self._making.pop()
            if name not in self.module.functions:
                make()

    def data(self, *content: bytes | str, hint: str = "data") -> Data:
        """Constant data: bytes, and names of other data; equal contents are shared."""
        row = tuple(content) if any(content) else (bytes(8),)
        found = self._data.get(row)
        if found is None:
            found = self._data[row] = f"{hint}.{len(self._data)}"
            self.module.data[found] = row
        return Data(found)

    def string(self, text: str) -> int:
        """The number of a string; stored code and new code have the same numbers."""
        return self.strings[text]

    def key_number(self, name: str) -> int:
        """A number for the subject of a choice, unique in the unit."""
        return self._keys.setdefault(name, len(self._keys))

    def number_of_input(self, known: p.Input) -> int:
        """The number of an input in questions."""
        return self.inputs.index(known)  # by equality: a program from the cache has no shared nodes


def emitted(name: str) -> Callable[[Callable[[CompilationUnit], None]], Callable[[CompilationUnit], str]]:
    """Decorate a function that emits code: it returns the name of the code and emits it when first needed."""

    def decorate(emit: Callable[[CompilationUnit], None]) -> Callable[[CompilationUnit], str]:
        @wraps(emit)
        def need(unit: CompilationUnit) -> str:
            return unit.need(name, lambda: emit(unit))

        return need

    return decorate
