"""A world: one configuration of a game (players and options) with its compiled parts.

`building` and `compiler` of the reference engine fill it once. Afterwards only its caches change. A compiled
expression or statement is a closure of type `Closure`, which takes a run and a frame. A frame is a list: the
slots of the program, then the result of `return`, the current `player`, and `this`.
"""

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import ConstructType, TableType, Type
from ludograph.tgdl.world.faults import CallSite, Site
from ludograph.tgdl.world.limits import MAX_IN_STATE
from ludograph.tgdl.world.memory import ConstructInfo, EnumMember, Instance, Memory, Population
from ludograph.tgdl.world.observer import Observer
from ludograph.tgdl.world.topology import Edits, GroupPlan, LinkPlan, Topology

T = TypeVar("T")
Frame = list[Any]
AnyRun = Any
"""A run of the reference engine. This package does not import that engine."""
Closure = Callable[[AnyRun, Frame], Any]
CellCount = tuple[tuple[int, ...], int]
"""The indexes of constructs, and the number of cells that an instance of them has."""
ElementCounters = tuple[int, tuple[tuple[int, Callable[[Any], int]], ...]]
"""The index of a construct, and its list and table attributes, each with a function that counts elements."""

RESULT_SLOT: Final = -3
PLAYER: Final = -2
THIS: Final = -1

# A statement returns None or one of these.
RETURN: Final = 1
BREAK: Final = 2
CONTINUE: Final = 3


class CompiledInput(Struct, frozen=True):
    """A compiled input."""

    input: p.Input
    site: Site
    source: Closure | None
    low: Closure | None
    high: Closure | None
    least: Closure | None
    most: Closure | None
    chooser: Closure | None
    visible: Closure | None
    filters: tuple[Closure, ...]
    list_filters: tuple[Closure, ...]
    supply: Callable[[AnyRun], list[Any]] | None
    """All values of the type, if there is neither a source nor bounds."""
    is_list: bool
    conditions: tuple["CompiledRequire", ...] = ()
    """The filters as conditions that a refusal can explain."""
    list_conditions: tuple["CompiledRequire", ...] = ()
    """The same for the filters of the whole list."""
    source_words: str = ""
    is_compound: bool = False
    """The candidates are lists, tables or objects, which have to be compared with one another."""
    price: int = 1
    """The fuel cost of testing one candidate."""
    list_price: int = 1
    """The fuel cost of testing a list of candidates."""
    limit: "CompiledRequire | None" = None
    """The bounds and the source list as a condition on the argument of a caller, for explaining a refusal."""
    bounds: Callable[[], tuple["ReadValue", ...]] = tuple
    """The bounds, which a refusal shows to players who may see their values."""
    keys: tuple[tuple[int, Type, Any], ...] = ()
    """The variables of the enclosing loops, with the guards of their values (as in `Read`)."""
    own_filters: tuple[Closure, ...] = ()
    """For a multiset: the filters that read only the number of their own key."""
    other_filters: tuple[Closure, ...] = ()
    """For a multiset: the other filters of its keys."""
    merged_width: int = 0
    """Candidates that are alike are merged: the fuel cost of comparing two of them. 0: they are not."""
    refusal: Callable[[], "Explain"] | None = None
    """The words for a player whose value is no candidate; None: there are none."""


class ReadValue(Struct, frozen=True):
    """An expression that a condition reads. A refusal shows its value."""

    words: str
    code: Closure
    guards: tuple[tuple[Closure, int], ...] | None
    """Instances and slots of attributes. A player sees the value only if they may see all of them.

    None: nobody may see the value.
    """
    type: Type


Guards = tuple[tuple[Closure, int], ...] | None
"""As `Read.guards`."""


class Explanation(Struct, frozen=True):
    """Why a condition is false, as far as one player may know."""

    words: str = ""
    """The words of the author for players."""
    reason: str = ""
    """The part that failed, as source text with the calls around it; "": the whole condition."""
    seen: tuple[tuple[str, str], ...] | None = None
    """The expressions of the part with their values; None: those of the whole condition."""
    site: Site | None = None
    """The place of the part; None: there are several parts."""


Explain = Callable[[AnyRun, Frame, int], Explanation]
"""Explains to a player why a condition is false in a frame."""


class CompiledRequire(Struct, frozen=True, eq=False):
    """A compiled require."""

    name: str | None
    needs: int
    code: Closure
    words: str
    site: Site
    reads: Callable[[], tuple[ReadValue, ...]]
    """The values that a refusal shows, computed on demand."""
    shared: bool = False
    """It does not read `this`, so for one player the result is the same for all instances."""
    explain: Callable[[], Explain] | None = None
    """Compiled on demand; None: the condition has no parts."""


class CompiledEffect(Struct, frozen=True):
    """A compiled effect."""

    name: str | None
    key: str
    """Its name, or the key of the unnamed effects of its phase: see `unnamed_key`."""
    code: Closure
    site: Site


def unnamed_key(phase: int | None) -> str:
    """The key of the unnamed effects of an action, or of one of its phases. No name looks like it."""
    return "#" if phase is None else f"#{phase}"


def is_unnamed(key: str) -> bool:
    return key.startswith("#")


class CompiledActionPhase(Struct, frozen=True):
    """A compiled phase of an action, or the part of the action outside its phases."""

    name: str | None
    unnamed: str
    """The key of its unnamed effects."""
    specifier: str
    choices: int
    requires: tuple[CompiledRequire, ...]
    parts: tuple[CompiledEffect, ...]
    has_triggers: bool
    site: Site


class CompiledAction(Struct, frozen=True):
    """A compiled action."""

    action: p.Action
    frame: int
    prompts: tuple[CompiledInput, ...]
    requires: tuple[CompiledRequire, ...]
    main: CompiledActionPhase
    phases: tuple[CompiledActionPhase, ...]
    call: CallSite
    safe: bool
    """Nothing in the action, or in what it triggers, can fail or ask for a choice."""
    certain: bool
    """Nothing in the action, or in what it triggers, uses chance."""
    can_cancel: bool
    effects: frozenset[str]
    """The names of its effects and of the effects of its phases."""


class CompiledVerb(Struct, frozen=True):
    """A compiled verb."""

    verb: p.Verb
    frame: int
    prompts: tuple[CompiledInput, ...]
    """One per parameter."""
    code: Closure
    call: CallSite
    is_expression: bool
    """The closure returns the value itself instead of a `return` signal."""


class Listener(Struct, frozen=True):
    """An action (or a phase of it) that a trigger starts."""

    action: int
    trigger: p.Trigger
    block: Closure | None
    stage: int | None
    """The phase of the action that it starts; None: it starts the action."""
    when: p.When
    call: CallSite
    fields: tuple[tuple[str, int], ...]
    price: int
    """The fuel cost of its condition."""
    joins: str | None
    """Its name, if a trigger over names (`trigger { A or B }`) may combine it with others."""
    condition: int | None = None
    """Without an event: the number under which a state remembers whether its condition held."""


class CombinedTriggers(Struct, frozen=True):
    """The triggers over names (`trigger { A or B }`) of an action or phase: one of them must hold."""

    blocks: tuple[Closure, ...]
    price: int
    """The fuel cost of all blocks together."""
    site: Site


class ActionOffer(Struct, frozen=True):
    """A player choice trigger: it lets players choose an action."""

    action: int
    part: str | None
    event: str
    """`choice`, `offturn` or `aside`."""
    phases: frozenset[int] | None
    """The phases in which it is offered; None: all."""
    block: Closure | None
    fields: tuple[tuple[str, int], ...]
    site: Site
    price: int
    """The fuel cost of its condition."""
    condition: CompiledRequire | None = None
    """Its block as a condition that a refusal can explain."""
    refusal: Callable[[], Explain] | None = None
    """The words for a player whom it does not offer the action now; None: there are none."""


class CompiledPhase(Struct, frozen=True):
    """A compiled turn phase."""

    phase: p.TurnPhase
    index: int
    turn: int
    asks: Closure | None
    prompts: tuple[CompiledInput, ...]
    effect: Closure | None
    frame: int
    call: CallSite


class CompiledTurn(Struct, frozen=True):
    """A compiled turn."""

    turn: p.Turn
    index: int
    first: int | None
    """The index of its first phase, counted over all turns."""
    default: Closure | None
    frame: int
    call: CallSite


class CompiledSetup(Struct, frozen=True):
    """A compiled setup."""

    setup: p.Setup
    prompts: tuple[CompiledInput, ...]
    parts: tuple[CompiledEffect, ...]
    frame: int
    call: CallSite


class Initialiser(Struct, frozen=True):
    """The initial values of the attributes of a construct."""

    values: tuple[tuple[int, Closure | ConstructType | TableType], ...]
    """Slots with their initialisers, in order; the type of an owned stack or table of stacks."""
    blanks: tuple[tuple[int, Closure], ...]
    """Lists and tables that may be read before they are initialised. They are never none."""
    stacks: tuple[int, ...]
    """The slots of owned stacks and tables of stacks."""
    creating: frozenset[int]
    """The slots whose initialisers create instances."""
    frame: int
    cost: int
    """The fuel cost of long initialisers, per instance."""


class GrowingTable(Struct, frozen=True):
    """An attribute with tables that get an entry for each new tile."""

    kind: int
    """The index of its construct."""
    slot: int
    type: Type
    entries: dict[Type, Closure]
    """The entry for a new tile, by the type of the table, which may be nested in another."""
    frame: int


class OnDemand(dict[int, T]):
    """Compiled parts by number, each compiled at its first use. Mutable.

    A game that runs natively needs few of its actions and verbs in compiled form. It is a dict because the
    engine looks up parts very often.
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
        """All parts in order; compiles those that are missing."""
        return [self[number] for number in range(self._count)]


def _nothing(number: int) -> NoReturn:
    raise AssertionError(f"part {number} was requested before the world was built")


def _nowhere() -> dict[str, list[int]]:
    return {}


class World(Struct, eq=False):
    """One configuration of a game. Mutable only while it is built."""

    program: p.Program
    players: int
    options: dict[str, Any]
    constants: dict[str, Any]
    members: dict[str, tuple[EnumMember, ...]]
    kinds: tuple[ConstructInfo, ...]
    kind: dict[str, ConstructInfo]
    subtypes: dict[str, tuple[int, ...]]
    """By name of a construct: its index and the indexes of the constructs derived from it."""
    relatives: dict[str, tuple[int, ...]]
    """By name of a construct: the indexes of all constructs with the same root as it or a derived one."""
    population: Population
    fuel: int
    plans: tuple[GroupPlan, ...] = ()
    links: tuple[LinkPlan, ...] = ()
    topology: Topology = field(default_factory=lambda: Topology(()))
    observer: Observer | None = None
    """Hears what the rules do on the reference engine."""
    changes: bool = False
    """Whether the program changes the board during play."""
    has_secrets: bool = False
    """Whether there is anything that not everybody may see."""
    names_things: bool = False
    """Whether there are things with names by their attributes, or interchangeable ones."""
    merged_slots: dict[int, tuple[int, ...]] = {}
    """The slots of lists, tables and objects of interchangeable constructs, by the index of the construct."""
    longest_string: int = 0
    """The letters of the longest string in the program. Only a saved state can hold others."""
    most_in_state: int = MAX_IN_STATE
    """The number of elements in all lists and tables of a state: fewer if they can hold long strings."""
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
    stack_tables: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """The stacks of a top-level table of stacks, by construct; with more dimensions, tuples of tuples."""
    key_index: dict[str, dict[Instance, int]] = field(default_factory=dict)
    """For a tile construct that is the key of a table: the index of each tile."""
    growing_tables: tuple[GrowingTable, ...] = ()
    start: Memory | None = None
    actions: OnDemand[CompiledAction] = field(default_factory=lambda: OnDemand(0, _nothing))
    verbs: OnDemand[CompiledVerb] = field(default_factory=lambda: OnDemand(0, _nothing))
    dispatch: dict[tuple[str, int], int] = field(default_factory=dict)
    """By construct and verb: the verb that overrides it there."""
    action_dispatch: dict[tuple[str, int], int] = field(default_factory=dict)
    initialisers: dict[str, Initialiser] = field(default_factory=dict)
    offers: tuple[ActionOffer, ...] = ()
    listeners: dict[tuple[str, str], tuple[Listener, ...]] = field(default_factory=dict)
    """By kind and subject of the event."""
    conditions: tuple[Listener, ...] = ()
    """The triggers whose condition starts an action, in order; also the listeners of `CONDITION`."""
    combined_triggers: dict[tuple[int, int | None], CombinedTriggers] = field(default_factory=dict)
    """By action and phase (None: the action itself): the triggers over names."""
    goals: tuple[int, ...] = ()
    phases: tuple[CompiledPhase, ...] = ()
    turns: tuple[CompiledTurn, ...] = ()
    setups: tuple[CompiledSetup, ...] = ()
    ranges: dict[tuple[str, int], tuple[Closure | None, Closure | None, Site]] = field(default_factory=dict)
    visible: dict[tuple[str, int], Closure] = field(default_factory=dict)
    """`visible to` rules of attributes."""
    viewer_dependence: dict[int, bool] = field(default_factory=dict)
    """Cache: whether the result of a public verb depends on the viewer."""
    public_verbs: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    list_names: set[str] = field(default_factory=set)
    """The names of list inputs."""
    position_cache: dict[Any, int] = field(default_factory=dict)
    """Cache of hashes of parts of positions: see `reference/positions.py`."""
    cell_counts: tuple[CellCount, ...] = ()
    """The number of cells of each construct."""
    element_counters: tuple[ElementCounters, ...] = ()
    """The list and table attributes of each construct."""
    tracked: dict[ConstructInfo, tuple[bool, tuple[tuple[int, Type, bool], ...]]] = field(
        default_factory=dict
    )
