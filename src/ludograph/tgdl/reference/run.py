"""A run: one transaction being carried out on a memory, with the choices made so far.

A run is mutable and short-lived. It takes choices from a list; where the list ends it raises
`NeedChoice`, and whoever asked runs again from the same base with one choice more.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from msgspec import Struct

from ludograph.play import CHANCE
from ludograph.tgdl.reference.queues import NOBODY, Queue
from ludograph.tgdl.world.faults import CallSite, Fault, NeedChoice, Site
from ludograph.tgdl.world.memory import EDITS, Memory
from ludograph.tgdl.world.topology import MOST_KEPT, Edits, Topology
from ludograph.tgdl.world.world import World

DEEPEST_CALL = 1000
# A thousand calls of the author's, each about twenty of ours.
RECURSION = 40_000
NOT_MADE: Final = object()
PLACES: Final = -1
"""Stands for a cell: the places and owners of all things."""
Also = tuple[tuple[str, Site], ...]
"""Other places that a fault speaks of, and what is there."""


class TraceNode:
    """A step of a trace: what happened, and what happened inside it. Mutable while it is made."""

    __slots__ = ("inside", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inside: list[TraceNode] = []

    def lines(self, depth: int = 0) -> list[str]:
        return [
            f"{'  ' * depth}{self.text}",
            *(line for node in self.inside for line in node.lines(depth + 1)),
        ]


class Acting:
    """An action whose effects are being carried out. Mutable."""

    __slots__ = ("begun", "cancelled", "names", "part")

    def __init__(self, names: frozenset[str], left_out: frozenset[str]) -> None:
        self.names = names
        """The effects that have a name."""
        self.part: str | None = None
        """The effect under way; None: one without a name, or none."""
        self.begun: set[str] = set()
        self.cancelled = set(left_out)


Made = tuple[tuple[str | None, ...], str, str, Any]
"""A choice that was taken: the effects it was asked in, outermost first, its kind and name, its value."""


class Mark(Struct, frozen=True):
    """A point that a run can go back to."""

    memory: Memory
    pending: Any
    use_turn: int | None
    ended: Any
    depth: int
    calls: int
    queues: tuple[Queue, ...]
    acting: int
    notes: tuple[int, int]
    taints: dict[int, frozenset[int]]
    sealed_taints: dict[int, frozenset[int]]


Dealer = Callable[["Run", NeedChoice], Any]
"""Gives one of the values that chance may choose, or NOT_MADE."""


class Run:
    """A transaction at work. Mutable."""

    __slots__ = (
        "_edits",
        "_then",
        "_topology",
        "acting",
        "again",
        "at",
        "calls",
        "cells",
        "choices",
        "dealer",
        "depth",
        "ended",
        "fired",
        "fuel",
        "helped",
        "is_pure",
        "is_revealing",
        "known",
        "known_at",
        "loading",
        "made",
        "memory",
        "pending",
        "queues",
        "readers",
        "retold",
        "revealed",
        "sealed_taints",
        "silent",
        "spent_once",
        "taints",
        "trace",
        "use_turn",
        "waited",
        "world",
    )

    def __init__(
        self, world: World, memory: Memory, choices: Sequence[Any] = (), fuel: int | None = None
    ) -> None:
        self.world = world
        self.memory = memory
        self.cells = memory.cells
        self.choices = choices
        self.dealer: Dealer | None = None
        """Answers chance where the choices come to their end."""
        self.at = 0
        self.fuel = world.fuel if fuel is None else fuel
        self.spent_once = 0
        """Fuel for what a query works out once for all its elements."""
        self.depth = 0
        self.calls: list[CallSite] = []
        self.pending: tuple[int | None, int | None] | None = None
        """A pass to a player and a phase (None: the same, the first); () is the bare pass."""
        self.use_turn: int | None = None
        self.ended: tuple[str, tuple[Any, ...]] | None = None
        self.queues = [NOBODY]
        """Actions that wait for the end of the effect that triggered them."""
        self.waited = 0
        """How many have waited: who has waited longer comes first, all else being equal."""
        self.helped = False
        """Whether a stuck player did something about it."""
        self.is_pure = 0
        self.silent = 0
        """While a stack is filled nobody hears of it."""
        self.acting: list[Acting] = []
        """The actions under way, the innermost last."""
        self.made: list[Made] = []
        """Choices taken so far."""
        self.again: list[Made] = []
        """Choices to take once more, because what they were made for is carried out again."""
        self.fired: frozenset[str] = frozenset()
        """Named triggers of the action that is about to start."""
        self.loading: list[tuple[str, int, int]] | None = None
        """While a group's default block runs: the tiles that it adds."""
        self.trace: list[TraceNode] | None = None
        self.readers: tuple[int, ...] = ()
        """Players who read the trace: it tells only what all of them may see. Nobody: it tells everything."""
        self.retold: list[Callable[[], None]] = []
        """Changes notes at the end, where they tell what nobody ever saw."""
        self.known = memory
        """What players know: the state from which they look at what this run does,"""
        self.known_at = -1
        """after so many choices; -1: as it begins."""
        self.taints: dict[int, frozenset[int]] = {}
        """The cells that a secret was written to since then, and who may know them."""
        self.is_revealing = False
        """Whether the sealed choices of a simultaneous phase take effect in this run."""
        self.sealed_taints: dict[int, frozenset[int]] = {}
        """The same as `taints` while sealed choices count as secrets too."""
        self.revealed: tuple[int, frozenset[int]] | None = None
        """How many notes were made before the sealed choices took effect, and who made the choices."""
        self._then: Run | None = None
        self._edits: Edits | None = None
        self._topology = world.topology
        """The board as the changes have it that were looked at last."""

    # Limits

    def spend(self, amount: int, site: Site) -> None:
        self.fuel -= amount
        if self.fuel < 0:
            self.fault("TG0506", "this ran out of fuel: it goes on for too long, perhaps for ever", site)

    def enter(self, call: CallSite) -> None:
        self.depth += 1
        self.fuel -= call.price
        self.calls.append(call)
        if self.fuel < 0 or self.depth > DEEPEST_CALL:
            self.refuse_call(call)

    def refuse_call(self, call: CallSite) -> NoReturn:
        if self.fuel < 0:
            self.fault("TG0506", f"no fuel is left for {call.what}: the calls go on for too long", call.site)
        self.fault("TG0507", f"{call.what} is called within {DEEPEST_CALL} other calls", call.site)

    def leave(self) -> None:
        self.depth -= 1
        self.calls.pop()

    def fault(self, code: str, message: str, site: Site, also: Also = ()) -> NoReturn:
        raise self.new_fault(code, message, site, also)

    def new_fault(self, code: str, message: str, site: Site, also: Also = ()) -> Fault:
        fault = Fault(code, message, site, tuple(self.calls))
        fault.also = also
        fault.sources = self.world.program.sources
        fault.has_secrets = self.world.hides_values
        return fault

    # The board

    @property
    def topology(self) -> Topology:
        world = self.world
        if not world.changes:
            return world.topology
        edits = self.cells[EDITS]
        if edits is None:
            return world.topology
        if edits is not self._edits:
            self._edits, self._topology = edits, self._find_topology(edits)
        return self._topology

    def _find_topology(self, edits: Edits) -> Topology:
        world = self.world
        found = world.topologies.get(edits)
        if found is None:
            if len(world.topologies) > 256 or len(world.topologies) * len(world.topology.group) > MOST_KEPT:
                world.topologies.clear()
            found = world.topologies[edits] = Topology(world.plans, world.links, edits)
        return found

    # What players know

    @property
    def then(self) -> "Run | None":
        """A look at the state that players know; None if it is this one."""
        if self.known is self.memory:
            return None
        if self._then is None:
            self._then = Run(self.world, self.known)
        return self._then

    def _come_to_known(self) -> None:
        """All choices are taken whose effects players have seen."""
        self.known, self._then = self.memory.copy(), None
        self.taints.clear()
        self.sealed_taints.clear()

    def begin_reveal(self, players: frozenset[int]) -> None:
        """Let the sealed choices of players take effect: the result is secret until this run has ended."""
        if not self.is_revealing:
            self.is_revealing, self.sealed_taints = True, self.taints.copy()
            self.revealed = 0 if self.trace is None else len(self.trace[0].inside), players

    @property
    def known_taints(self) -> dict[int, frozenset[int]]:
        """The tainted cells, and who may know them now."""
        return self.sealed_taints if self.is_revealing else self.taints

    def add_taint(self, taints: dict[int, frozenset[int]], cell: int, readers: frozenset[int]) -> None:
        if len(readers) < self.world.players:
            taints[cell] = taints.get(cell, readers) & readers

    # Choices

    def recall(self, kind: str, name: str) -> Any:
        """The choice that was made here; NOT_MADE where the choices come to their end."""
        label = tuple([acting.part for acting in self.acting])
        for place, known in enumerate(self.again):
            if known[:3] == (label, kind, name):
                del self.again[: place + 1]
                self.made.append(known)
                return known[3]
        if self.at == self.known_at:
            self._come_to_known()
        if self.at == len(self.choices):
            return NOT_MADE
        value = self.choices[self.at]
        self.at += 1
        self.made.append((label, kind, name, value))
        return value

    def take(
        self,
        chooser: int,
        kind: str,
        name: str,
        values: Sequence[Any],
        *,
        index: int = 0,
        seen_by: frozenset[int] | None = None,
        origin: Any = None,
    ) -> Any:
        """The next choice that was made, or a question with these candidates."""
        value = self.recall(kind, name)
        if value is not NOT_MADE:
            return value
        raise NeedChoice(chooser, kind, name, list(values), index=index, seen_by=seen_by, origin=origin)

    def chance(
        self,
        values: Sequence[Any],
        weights: Sequence[int] | None,
        site: Site,
        seen_by: frozenset[int] | None = None,
        name: str = "random",
    ) -> Any:
        """Let chance choose one of some values; a range stands for decimals."""
        if self.is_pure:
            self.fault("TG0513", "a shuffled card is looked at where chance may not choose", site)
        value = self.recall("chance", name)
        if value is not NOT_MADE:
            return value
        known = list(weights) if weights is not None else [1] * len(values)
        found = [float(number) for number in values] if isinstance(values, range) else list(values)
        need = NeedChoice(CHANCE, "chance", name, found, weights=known, seen_by=seen_by)
        value = NOT_MADE if self.dealer is None else self.dealer(self, need)
        if value is NOT_MADE:
            raise need
        self.choices = (*self.choices, value)
        return self.recall("chance", name)

    # Waiting

    def wait(self, rank: tuple[Any, ...], what: Any) -> None:
        """Let an action wait for the end of the effect that is under way, behind others of its rank."""
        self.waited += 1
        self.queues[-1] = self.queues[-1].put((*rank, self.waited), what)

    # Going back

    def mark(self) -> Mark:
        """This point, to go back to."""
        return Mark(
            self.memory.copy(),
            self.pending,
            self.use_turn,
            self.ended,
            self.depth,
            len(self.calls),
            tuple(self.queues),
            len(self.acting),
            (0, 0) if self.trace is None else (len(self.trace), len(self.trace[-1].inside)),
            self.taints.copy(),
            self.sealed_taints.copy(),
        )

    def go_back(self, mark: Mark) -> None:
        """Make everything as it was at a mark; choices that were taken stay taken."""
        self.memory = mark.memory.copy()
        self.cells = self.memory.cells
        self.pending, self.use_turn, self.ended = mark.pending, mark.use_turn, mark.ended
        self.depth = mark.depth
        del self.calls[mark.calls :]
        self.queues = list(mark.queues)
        self.taints, self.sealed_taints = mark.taints.copy(), mark.sealed_taints.copy()
        del self.acting[mark.acting :]
        if self.trace is not None:
            notes, inside = mark.notes
            del self.trace[notes:]
            del self.trace[-1].inside[inside:]

    # Traces

    def note(self, text: str) -> TraceNode | None:
        if self.trace is None:
            return None
        node = TraceNode(text)
        self.trace[-1].inside.append(node)
        return node

    def open_note(self, text: str) -> None:
        if self.trace is not None:
            node = TraceNode(text)
            self.trace[-1].inside.append(node)
            self.trace.append(node)

    def close_note(self) -> None:
        if self.trace is not None:
            self.trace.pop()

    def drop_note(self) -> None:
        """Close a note about what did not happen after all."""
        if self.trace is not None:
            self.trace.pop()
            self.trace[-1].inside.pop()
