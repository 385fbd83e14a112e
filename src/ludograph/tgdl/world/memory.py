"""Memory: a whole state as one flat list of cells, with a table of the instances that live in it.

The header cells say whose turn it is; then every instance has its attributes, and behind them a
few cells of its kind: where a piece lies, what stands on a tile, who owns a state. Values are plain:
a decimal is a float, a player an int, an enum member a `EnumMember`, a list or table a tuple, a reference an
`Instance`, none is None. Nothing inside a cell ever changes, so a copy is one copy of the list
and what was copied once is safe for ever.
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
"""The phase, counted over the phases of all turns; None if the turn has none."""
ACTIVE: Final = 3
OUT: Final = 4
"""Players who are out, in order."""
RESULT: Final = 5
"""None, or ("win" | "draw" | "finish", a tuple of players or payoffs)."""
STUCK: Final = 6
"""Players who were stuck since anybody moved, in order."""
DROPPED: Final = 7
"""Asked players who were stuck in this phase and are not asked again in it."""
SEALED: Final = 8
"""For a simultaneous phase: (player, choices) of those who have chosen."""
EDITS: Final = 9
"""What play has changed on the board: see `layout.Edits`; None if nothing."""
SWITCHED: Final = 10
"""Actions of the game itself that are switched off."""
SETUP: Final = 11
"""The named setup effect that was asked for."""
HEADER: Final = 12

# Stages.
BLANK: Final = 0
"""Before setup."""
CHOOSING: Final = 1
"""Between transactions: players are asked."""
STUCK_STAGE: Final = 2
"""A stuck player's actions run."""
OVER: Final = 3

# Cells of an instance behind its attributes.
SWITCHES: Final = 0
"""Actions switched off for this instance."""
HELD: Final = 1
"""Tile: the placeables on it, in order of arrival."""
PLACE: Final = 1
"""Interactable: the tile or stack it lies on, or None."""
OWNER: Final = 1
"""Local state: its player or None. Group state: its players."""
BOTTOM: Final = 1
"""Stack: cards known to lie under the shuffled ones."""
POOL: Final = 2
"""Stack: shuffled cards, in order of creation, because their order is not yet decided."""
TOP: Final = 3
"""Stack: cards known to lie on top."""
HOLDER: Final = 4
"""Stack: the state it belongs to, or None."""

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
LARGEST_FAMILY: Final = 65_535
"""Instances of one construct."""


class EnumMember(int):
    """A member of an enum: its ordinal, which also knows which enum it belongs to."""

    enum: str
    name: str

    def __repr__(self) -> str:
        return f"{self.enum}.{self.name}"


class PositionHash(int):
    """A position of the game or of a group: 128 bits of its content."""

    def __repr__(self) -> str:
        return f"Position({int(self):#034x})"


class ConstructInfo(Struct, frozen=True, eq=False):
    """A construct as memory sees it."""

    index: int
    construct: Construct
    ancestry: frozenset[str]
    """Its own name and those of its bases."""

    @property
    def name(self) -> str:
        return self.construct.name

    @property
    def width(self) -> int:
        return len(self.construct.attributes) + EXTRA[self.construct.kind]


class Instance(Struct, frozen=True, eq=False):
    """A thing of a construct. There is one object for one thing, so identity is equality."""

    number: int
    """Over all instances, in order of creation."""
    ordinal: int
    """Among those of its construct."""
    kind: ConstructInfo
    offset: int
    """Its first attribute's cell."""
    extra: int
    """Its first cell behind the attributes."""

    def __repr__(self) -> str:
        return f"{self.kind.name}#{self.ordinal + 1}"


class Population:
    """Gives out instances, one object for one place in memory. Mutable: it grows as games are played."""

    def __init__(self, kinds: tuple[ConstructInfo, ...]) -> None:
        self.kinds = kinds
        self._known: dict[tuple[int, int, int], Instance] = {}

    def instance(self, kind: ConstructInfo, number: int, ordinal: int, offset: int) -> Instance:
        # Number and offset follow from the kinds created before; the three below tell all apart.
        key = (kind.index, number, offset)
        found = self._known.get(key)
        if found is None or found.ordinal != ordinal:
            extra = offset + len(kind.construct.attributes)
            found = self._known[key] = Instance(number, ordinal, kind, offset, extra)
        return found


class Memory:
    """The cells and the instances in them. Mutable while a transaction runs on it, then left alone."""

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
        """Instances by the index of their exact construct."""
        self._shared = False

    def copy(self) -> "Memory":
        # The tables of instances are copied only when one of the two makes a new instance.
        twin = Memory(self.population, self.cells.copy(), self.instances, self.families)
        self._shared = twin._shared = True
        return twin

    def create(self, kind: ConstructInfo) -> Instance:
        """A new instance with empty cells."""
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
        """Whether two memories of the same rules and configuration hold the same."""
        if self.instances != other.instances or self.cells != other.cells:
            return False
        # To Python 1, true and player 1 are equal.
        return not any(map(differs, self.cells, other.cells))


def blank_memory(population: Population) -> Memory:
    """No instances, and a header at its beginning."""
    cells: list[Any] = [None] * HEADER
    cells[STAGE] = BLANK
    cells[ACTIVE] = 0
    cells[OUT] = cells[STUCK] = cells[DROPPED] = cells[SEALED] = cells[SWITCHED] = ()
    return Memory(population, cells, [], [[] for _ in population.kinds])


def differs(first: Any, second: Any) -> bool:
    """Whether an assignment changes anything; here none is the same as none."""
    if first is second:
        return False
    if type(first) is not type(second) or first != second:
        return True
    # Within a list of objects Python takes 1, true and player 1 for the same.
    return isinstance(first, tuple) and any(map(differs, first, second))


HAVE_PLAYERS = (ConstructKind.LOCAL, ConstructKind.GROUP_STATE)


def player_slot(kind: ConstructInfo) -> int | None:
    """The attribute `player` of a tile or interactable."""
    for attribute in kind.construct.attributes:
        if attribute.name == "player":
            return attribute.slot
    return None
