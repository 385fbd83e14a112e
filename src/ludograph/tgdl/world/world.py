"""A world: everything about a game that one configuration (players and options) fixes.

It is filled once by `building` and `compiler` and then only read, but for caches. Closures are of type
`Code`: they take the run and a frame. A frame is a list: the program's slots, then what the statement
`return` gave, the bare `player`, and `this`.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.faults import CallSite, Site
from ludograph.tgdl.world.memory import ConstructInfo, EnumMember, Instance, Memory, Population
from ludograph.tgdl.world.topology import Edits, GroupPlan, LinkPlan, Topology

T = TypeVar("T")
Frame = list[Any]
Run = Any
"""A run of the reference engine; this package does not know that engine."""
Code = Callable[[Run, Frame], Any]
Bulk = tuple[tuple[int, ...], int]
"""Constructs by their indexes, and how many cells a thing of them has."""
Extent = tuple[int, tuple[tuple[int, Callable[[Any], int]], ...]]
"""A construct by its index, and attributes with what counts the elements in their values."""

RESULT_SLOT: Final = -3
PLAYER: Final = -2
THIS: Final = -1

# What a statement gives back: None, or one of these.
RETURN: Final = 1
BREAK: Final = 2
CONTINUE: Final = 3


class CompiledInput(Struct, frozen=True):
    """A compiled input."""

    input: p.Input
    site: Site
    source: Code | None
    low: Code | None
    high: Code | None
    least: Code | None
    most: Code | None
    chooser: Code | None
    visible: Code | None
    filters: tuple[Code, ...]
    list_filters: tuple[Code, ...]
    supply: Callable[[Run], list[Any]] | None
    """All values of the type, where there is neither a source nor bounds."""
    is_list: bool
    conditions: tuple["Test", ...] = ()
    """The filters again, as conditions that can be explained,"""
    list_conditions: tuple["Test", ...] = ()
    """and those of the whole list."""
    source_words: str = ""
    is_compound: bool = False
    """What can be chosen are lists, tables or values of any type: each is compared with all others."""
    price: int = 1
    """What it costs to test one candidate,"""
    list_price: int = 1
    """and a list of them."""
    limit: "Test | None" = None
    """Bounds, and the list to choose from, as a condition of what a caller gives; to be explained."""
    bounds: Callable[[], tuple["Read", ...]] = tuple
    """The bounds, to be told where their values may be seen."""
    keys: tuple[tuple[int, Type, Any], ...] = ()
    """The variables of the loops around it, with what guards their values (as in `Read`)."""


class Read(Struct, frozen=True):
    """Something that a condition reads, to be shown when it refuses."""

    words: str
    code: Code
    guards: tuple[tuple[Code, int], ...] | None
    """Things and the attributes read of them: whoever may not see one of them is not shown the value.

    None: nobody is.
    """
    type: Type


Guards = tuple[tuple[Code, int], ...] | None
"""Things, and the attributes read of them: whoever may not see one of them is not told; None: nobody is."""


class Test(Struct, frozen=True, eq=False):
    """A compiled require."""

    name: str | None
    needs: int
    code: Code
    words: str
    site: Site
    reads: Callable[[], tuple[Read, ...]]
    """What to show when it refuses; worked out when somebody asks."""
    shared: bool = False
    """It does not speak of `this`, so for one player it is the same for all instances."""


class Part(Struct, frozen=True):
    """A compiled effect."""

    name: str | None
    code: Code
    site: Site


class Stage(Struct, frozen=True):
    """A compiled phase of an action, or the action's own part."""

    name: str | None
    specifier: str
    choices: int
    tests: tuple[Test, ...]
    parts: tuple[Part, ...]
    has_triggers: bool
    site: Site


class CompiledAction(Struct, frozen=True):
    """A compiled action."""

    action: p.Action
    frame: int
    askers: tuple[CompiledInput, ...]
    tests: tuple[Test, ...]
    main: Stage
    stages: tuple[Stage, ...]
    call: CallSite
    safe: bool
    """Nothing in it, or after it, can fail or ask."""
    certain: bool
    """Chance has no part in it, or after it."""
    can_cancel: bool
    effects: frozenset[str]
    """The names of its effects, those of its phases included."""


class CompiledVerb(Struct, frozen=True):
    """A compiled verb."""

    verb: p.Verb
    frame: int
    askers: tuple[CompiledInput, ...]
    """One a parameter."""
    code: Code
    call: CallSite
    is_expression: bool
    """The code gives the value itself, without a `return`."""


class Listener(Struct, frozen=True):
    """An action (or a phase of it) that a trigger starts."""

    deed: int
    trigger: p.Trigger
    block: Code | None
    stage: int | None
    """The phase of the action that it starts; None: the action."""
    when: p.When
    call: CallSite
    fields: tuple[tuple[str, int], ...]
    price: int
    """What it costs to find out whether it starts the action."""
    joins: str | None
    """Its name, if the action (or the phase) has triggers over names that it may hold together with."""


class OverNames(Struct, frozen=True):
    """The triggers of an action or a phase without an event (`trigger { A or B }`): one of them must hold."""

    blocks: tuple[Code, ...]
    price: int
    """What it costs to ask them, all together."""
    site: Site


class ActionOffer(Struct, frozen=True):
    """A way for players to choose an action."""

    deed: int
    part: str | None
    event: str
    """`choice`, `offturn` or `aside`."""
    phases: frozenset[int] | None
    """Phases in which it is offered; None: all."""
    block: Code | None
    fields: tuple[tuple[str, int], ...]
    site: Site
    price: int
    """What it costs to find out whether it is offered."""


class CompiledPhase(Struct, frozen=True):
    """A compiled turn phase."""

    phase: p.TurnPhase
    index: int
    turn: int
    asks: Code | None
    askers: tuple[CompiledInput, ...]
    effect: Code | None
    frame: int
    call: CallSite


class CompiledTurn(Struct, frozen=True):
    """A compiled turn."""

    turn: p.Turn
    index: int
    first: int | None
    """Its first phase, counted over all turns."""
    default: Code | None
    frame: int
    call: CallSite


class CompiledSetup(Struct, frozen=True):
    """A compiled setup."""

    setup: p.Setup
    askers: tuple[CompiledInput, ...]
    parts: tuple[Part, ...]
    frame: int
    call: CallSite


class Beginning(Struct, frozen=True):
    """How the attributes of a construct begin."""

    values: tuple[tuple[int, Code | str], ...]
    """In order; a text is the construct of a stack of their own."""
    blanks: tuple[tuple[int, Code], ...]
    """Lists and tables that may be read before they have their values: they are never none."""
    stacks: tuple[int, ...]
    """Slots that hold a stack of their own."""
    frame: int
    cost: int
    """What long initialisers cost for each instance."""


class Growth(Struct, frozen=True):
    """An attribute with tables that get an entry for every new tile."""

    kind: int
    """The construct that has it."""
    slot: int
    type: Type
    entries: dict[Type, Code]
    """The entry for a new tile, by the type of the table (which may stand in another)."""
    frame: int


class OnDemand(dict[int, T]):
    """Compiled parts by their number, each made when it is first asked for. Mutable.

    Most games start, and many are played natively, without most of their actions and verbs. It is a dict
    because code that runs looks here all the time.
    """

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        super().__init__()
        self._count = count
        self._make = make

    def __missing__(self, number: int) -> T:
        if not 0 <= number < self._count:
            raise IndexError(number)
        made = self[number] = self._make(number)
        return made

    def every(self) -> list[T]:
        """All of them, in order."""
        return [self[number] for number in range(self._count)]


def _nothing(number: int) -> NoReturn:
    raise AssertionError(f"there is no part {number} of a world that is not yet made")


def _nowhere() -> dict[str, list[int]]:
    return {}


class World(Struct, eq=False):
    """One configuration of a game. Mutable only while it is made."""

    program: p.Program
    players: int
    options: dict[str, Any]
    constants: dict[str, Any]
    members: dict[str, tuple[EnumMember, ...]]
    kinds: tuple[ConstructInfo, ...]
    kind: dict[str, ConstructInfo]
    lineage: dict[str, tuple[int, ...]]
    """The indexes of a construct and all derived from it."""
    relatives: dict[str, tuple[int, ...]]
    """The indexes of all constructs that have a root in common with one, or with one derived from it."""
    population: Population
    fuel: int
    plans: tuple[GroupPlan, ...] = ()
    links: tuple[LinkPlan, ...] = ()
    topology: Topology = field(default_factory=lambda: Topology(()))
    changes: bool = False
    """Whether play may change the board."""
    has_secrets: bool = False
    """Whether there is anything that not everybody may see."""
    hides_values: bool = False
    """Whether messages must hide values: the game has secrets, or choices that are sealed for a time."""
    tainted_at_creation: Callable[[], dict[str, list[int]]] = _nowhere
    """Gives the slots of attributes, by construct, that may hold a secret in new things."""
    secret_keys: Callable[[], frozenset[int]] = frozenset
    """Gives the inputs, by identity, in loops over something that not everybody may see."""
    made_tiles: frozenset[int] = frozenset()
    """The kinds of tiles that play may make."""
    topologies: dict[Edits, Topology] = field(default_factory=dict)
    singletons: dict[str, Instance] = field(default_factory=dict)
    key_index: dict[str, dict[Instance, int]] = field(default_factory=dict)
    """For a tile construct that is a table's key: the place of each tile."""
    growths: tuple[Growth, ...] = ()
    start: Memory | None = None
    deeds: OnDemand[CompiledAction] = field(default_factory=lambda: OnDemand(0, _nothing))
    functions: OnDemand[CompiledVerb] = field(default_factory=lambda: OnDemand(0, _nothing))
    dispatch: dict[tuple[str, int], int] = field(default_factory=dict)
    """The verb that stands for a verb in a construct, by the construct's name."""
    action_dispatch: dict[tuple[str, int], int] = field(default_factory=dict)
    beginnings: dict[str, Beginning] = field(default_factory=dict)
    offers: tuple[ActionOffer, ...] = ()
    listeners: dict[tuple[str, str], tuple[Listener, ...]] = field(default_factory=dict)
    """By the event's kind and what it speaks of."""
    combined: dict[tuple[int, int | None], OverNames] = field(default_factory=dict)
    """For an action, and for a phase of it: the triggers over named triggers."""
    goals: tuple[int, ...] = ()
    scenes: tuple[CompiledPhase, ...] = ()
    rounds: tuple[CompiledTurn, ...] = ()
    openings: tuple[CompiledSetup, ...] = ()
    ranges: dict[tuple[str, int], tuple[Code | None, Code | None, Site]] = field(default_factory=dict)
    visible: dict[tuple[str, int], Code] = field(default_factory=dict)
    asks_who_looks: dict[int, bool] = field(default_factory=dict)
    """Of public verbs, as far as it is known: whether what they give depends on the player who asks."""
    """`visible to` rules of attributes."""
    public_verbs: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    list_names: set[str] = field(default_factory=set)
    """The names of the lists that somebody is asked for."""
    digests: dict[Any, int] = field(default_factory=dict)
    """What positions have been made of: see `digest`."""
    bulks: tuple[Bulk, ...] = ()
    """All constructs."""
    extents: tuple[Extent, ...] = ()
    """The attributes of each construct that are lists or tables."""
    tracked: dict[ConstructInfo, tuple[bool, tuple[tuple[int, Type, bool], ...]]] = field(
        default_factory=dict
    )
