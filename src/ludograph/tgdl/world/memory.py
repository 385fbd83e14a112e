"""Memory: a state of the reference engine as one flat list of cells, with a table of its instances.

The header cells hold the turn, the phase and the like. Then each instance has one cell per attribute,
followed by a few cells for its kind of construct: the place of a piece, the pieces on a tile, the owner of a
state. A decimal is a float, a player an int, an enum member an `EnumMember`, a list or table a tuple, a
reference an `Instance`, none is None. Values in cells are immutable, so copying the list copies the state.
"""

from typing import Any, Final

from msgspec import Struct

from ludograph.tgdl.program import Construct, ConstructKind

# Header cells.
STAGE: Final = 0
"""One of the stages below."""
TURN: Final = 1
"""The index of the turn in use; None in a program without turns."""
PHASE: Final = 2
"""The index of the phase, counted over all turns; None if the turn has no phases."""
ACTIVE: Final = 3
OUT: Final = 4
"""Players who are out, in order."""
RESULT: Final = 5
"""None, or ("win" | "draw" | "finish", a tuple of players or payoffs)."""
STUCK: Final = 6
"""Players who were stuck since the last move, in order."""
DROPPED: Final = 7
"""Players who were stuck in this phase and are not asked again in it."""
SEALED: Final = 8
"""In a simultaneous phase: (player, choices) of the players who have chosen."""
EDITS: Final = 9
"""The changes of the board: see `topology.Edits`; None: no changes."""
SWITCHED: Final = 10
"""Numbers of actions of the game that are not allowed; then of conditions that held at their last test.

The numbers of conditions follow those of actions: see `Listener.condition`.
"""
SETUP: Final = 11
"""The requested named setup effect."""
HEADER: Final = 12

# Stages.
BLANK: Final = 0
"""Before setup."""
CHOOSING: Final = 1
"""Between transactions: players are asked."""
STUCK_STAGE: Final = 2
"""A stuck player's actions run."""
OVER: Final = 3

# Cells of an instance after its attributes.
SWITCHES: Final = 0
"""As SWITCHED, for the actions of this instance."""
HELD: Final = 1
"""Tile: the placeables on it, in order of arrival."""
PLACE: Final = 1
"""Interactable: the tile or stack that contains it, or None."""
OWNER: Final = 1
"""Local state: its player or None. Group state: its players."""
BOTTOM: Final = 1
"""Stack: the cards below the shuffled ones."""
POOL: Final = 2
"""Stack: the shuffled cards in order of creation. Their real order is drawn later."""
TOP: Final = 3
"""Stack: the cards above the shuffled ones."""
HOLDER: Final = 4
"""Stack: the state that owns it, or None."""

EXTRA: Final = {
    ConstructKind.GLOBAL: 1,
    ConstructKind.LOCAL: 2,
    ConstructKind.GROUP_STATE: 2,
    ConstructKind.TILE: 2,
    ConstructKind.INTERACTABLE: 2,
    ConstructKind.STACK: 5,
    ConstructKind.GROUP: 1,
    ConstructKind.BOARD: 1,
}
MAX_FAMILY_SIZE: Final = 65_535
"""The greatest number of instances of one construct."""


class EnumMember(int):
    """A member of an enum: its ordinal, with its enum and name."""

    enum: str
    name: str

    def __repr__(self) -> str:
        return f"{self.enum}.{self.name}"


class PositionHash(int):
    """The hash (128 bits) of a position of the game or of a group."""

    def __repr__(self) -> str:
        return f"Position({int(self):#034x})"


class ConstructInfo(Struct, frozen=True, eq=False):
    """The memory layout of a construct."""

    index: int
    construct: Construct
    ancestry: frozenset[str]
    """Its own name and the names of its bases."""

    @property
    def name(self) -> str:
        return self.construct.name

    @property
    def width(self) -> int:
        return len(self.construct.attributes) + EXTRA[self.construct.kind]


class Instance(Struct, frozen=True, eq=False):
    """An instance of a construct. There is one object per instance, so identity is equality."""

    number: int
    """Its index among all instances, in order of creation."""
    ordinal: int
    """Its index among the instances of its construct."""
    kind: ConstructInfo
    offset: int
    """The cell of its first attribute."""
    extra: int
    """The first cell after its attributes."""

    def __repr__(self) -> str:
        return f"{self.kind.name}#{self.ordinal + 1}"


class Population:
    """Interns instances: one object per place in memory. Mutable: it grows while games are played."""

    def __init__(self, kinds: tuple[ConstructInfo, ...]) -> None:
        self.kinds = kinds
        self._known: dict[tuple[int, int, int], Instance] = {}

    def instance(self, kind: ConstructInfo, number: int, ordinal: int, offset: int) -> Instance:
        # Number and offset follow from the constructs created before, so these three identify an instance.
        key = (kind.index, number, offset)
        found = self._known.get(key)
        if found is None or found.ordinal != ordinal:
            extra = offset + len(kind.construct.attributes)
            found = self._known[key] = Instance(number, ordinal, kind, offset, extra)
        return found


class Memory:
    """The cells and the instances in them. Mutable while a transaction runs on it, then immutable."""

    __slots__ = ("_shared", "cells", "families", "instances", "population")

    def __init__(
        self,
        population: Population,
        cells: list[Any],
        instances: list[Instance],
        families: list[list[Instance]],
    ) -> None:
        self.population = population
        self.cells = cells
        self.instances = instances
        self.families = families
        """Instances by the index of their construct."""
        self._shared = False

    def copy(self) -> "Memory":
        # Copy on write: the tables of instances are copied when one of the two creates an instance.
        copy = Memory(self.population, self.cells.copy(), self.instances, self.families)
        self._shared = copy._shared = True
        return copy

    def create(self, kind: ConstructInfo) -> Instance:
        """Create an instance with empty cells."""
        ordinal = len(self.families[kind.index])
        instance = self.population.instance(kind, len(self.instances), ordinal, len(self.cells))
        if self._shared:
            self.instances = self.instances.copy()
            self.families = [family.copy() for family in self.families]
            self._shared = False
        self.instances.append(instance)
        self.families[kind.index].append(instance)
        cells: list[Any] = [None] * kind.width
        at = len(kind.construct.attributes)
        cells[at + SWITCHES] = ()
        match kind.construct.kind:
            case ConstructKind.TILE | ConstructKind.GROUP_STATE:
                cells[at + HELD] = ()
            case ConstructKind.STACK:
                cells[at + BOTTOM] = cells[at + POOL] = cells[at + TOP] = ()
        self.cells += cells
        return instance

    def same_as(self, other: "Memory") -> bool:
        """Whether two memories of the same rules and configuration hold the same state."""
        if self.instances != other.instances or self.cells != other.cells:
            return False
        # To Python 1, true and player 1 are equal.
        return not any(map(differs, self.cells, other.cells))


def blank_memory(population: Population) -> Memory:
    """A memory before setup, without instances."""
    cells: list[Any] = [None] * HEADER
    cells[STAGE] = BLANK
    cells[ACTIVE] = 0
    cells[OUT] = cells[STUCK] = cells[DROPPED] = cells[SEALED] = cells[SWITCHED] = ()
    return Memory(population, cells, [], [[] for _ in population.kinds])


def differs(first: Any, second: Any) -> bool:
    """Whether an assignment changes the value. Here none equals none."""
    if first is second:
        return False
    if type(first) is not type(second) or first != second:
        return True
    # In a list of objects, Python considers 1, true and player 1 equal.
    return isinstance(first, tuple) and any(map(differs, first, second))


HAVE_PLAYERS = (ConstructKind.LOCAL, ConstructKind.GROUP_STATE)


def player_slot(kind: ConstructInfo) -> int | None:
    """The slot of the attribute `player` of a tile or interactable."""
    for attribute in kind.construct.attributes:
        if attribute.name == "player":
            return attribute.slot
    return None
