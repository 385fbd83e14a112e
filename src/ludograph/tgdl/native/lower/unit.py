"""What is compiled together for one world, and the values that its code works on."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.nodes import Data, Expression, Module
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.optimise.call_graph import find_flat_verbs, may_replay, may_wait
from ludograph.tgdl.native.optimise.effects import EffectAnalysis
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.world import World


class Value(Struct, frozen=True):
    """A value of the language in registers."""

    type: Type
    parts: tuple[Expression, ...]
    certain: bool = False
    """It is not none."""
    held: Any = None
    """For a list or table that was read where it is kept: the attribute that keeps it."""

    @property
    def only(self) -> Expression:
        assert len(self.parts) == 1, self
        return self.parts[0]


class ActionEntry(Struct, frozen=True):
    """A way to carry out an action: there is a function for each that is used."""

    action: int
    part: str | None = None
    """The named effects that are started; None: those without a name."""
    stage: int | None = None
    """The phase of the action that is started; None: the action."""
    given: tuple[int, ...] = ()
    """The inputs, by their place, that the caller gives."""
    fields: tuple[tuple[int, Type], ...] = ()
    """Slots that hold fields of the event, and their types."""
    seals: bool = False
    """It is only chosen with its inputs, and kept until all others have chosen."""
    is_settled: bool = False
    """All inputs are given, and nothing is tested again."""
    is_base: bool = False
    """By `base(…)`: only the effects of the part, or those of the phases with the name of the stage."""


class Unit(Struct):
    """One world being compiled. Mutable."""

    world: World
    plan: Plan
    checked: bool = False
    """The code tests what it takes for granted."""
    beliefs: list[str] = field(default_factory=list)
    """What it tests, by its number."""
    module: Module = field(default_factory=Module)
    strings: dict[str, int] = field(default_factory=dict)
    _making: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _data: dict[tuple[bytes | str, ...], str] = field(default_factory=dict)
    lower: Callable[[Any, p.Expression], Value] | None = None
    """Lowers an expression; set before anything is made."""
    lower_statements: Callable[[Any, Sequence[p.Statement]], None] | None = None
    convert: Callable[[Any, Value, Type], Value] | None = None
    """Makes objects of values, and values of objects; set before anything is made."""
    keep_object: Callable[[Any, Value], Value] | None = None
    """Puts the lists of an object into the block; set before anything is made."""
    count_keys: Callable[[Any, str], Expression] | None = None
    """How many tiles of a construct there are; set before anything is made."""
    performer: Callable[["Unit", ActionEntry], str] | None = None
    """Gives the function that carries out an action; set before anything is made."""
    starts: dict[ActionEntry, str] = field(default_factory=dict)
    _names: dict[Any, str] = field(default_factory=dict)
    _keys: dict[str, int] = field(default_factory=dict)
    inputs: list[p.Input] = field(default_factory=list)
    stored: dict[int, Any] = field(default_factory=dict)
    """Where the outcomes of chance go, by the identity of the node (`viewers.py`)."""
    chance_types: tuple[Type, ...] = ()
    """The types of what chance may give; a question of chance says which by the number here."""
    tracks_purity: bool = False
    has_positions: bool = False
    """The rules look at positions, in which texts count."""
    flat_verbs: frozenset[int] = frozenset()
    """Verbs that neither lead to themselves nor belong to those that do: calls of them are never deep."""
    waits: bool = False
    """Actions may wait for the end of the effect that triggered them."""
    _effects: EffectAnalysis | None = None
    replays: bool = False
    """Effects may be carried out again, with the choices that were made the first time."""

    @property
    def effects(self) -> EffectAnalysis:
        """What actions can do, known before they run."""
        if self._effects is None:
            self._effects = EffectAnalysis(self.world.program)
        return self._effects

    def __post_init__(self) -> None:
        # Known before anything is lowered, so that code from the store needs no lowering at all.
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
        self._learn_strings(("", *(each.turn.name for each in world.rounds)))
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

    def perform(self, start: ActionEntry) -> str:
        """The function that carries out an action in some way."""
        assert self.performer is not None
        return self.performer(self, start)

    def need(self, name: str, make: Callable[[], None]) -> str:
        """The name of a function, which is made later if it is not yet known."""
        if name not in self._known:
            self._known.add(name)
            self._making.append((name, make))
        return name

    def name_of(self, hint: str, key: Any) -> str:
        """A name for a function that a key stands for: the same for the same key."""
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
        """Constant data: bytes, and names of other data; equal contents are kept once."""
        row = tuple(content) if any(content) else (bytes(8),)
        found = self._data.get(row)
        if found is None:
            found = self._data[row] = f"{hint}.{len(self._data)}"
            self.module.data[found] = row
        return Data(found)

    def string(self, text: str) -> int:
        """The number of a text, known before: code from the store and new code have the same ones."""
        return self.strings[text]

    def key_number(self, name: str) -> int:
        """A number for what a choice is about; nobody asks what it means."""
        return self._keys.setdefault(name, len(self._keys))

    def number_of_input(self, known: p.Input) -> int:
        """The number of an input, by which a question names it."""
        return self.inputs.index(known)  # the first of equal ones: the cache does not keep what is shared
