"""A run: the execution of one transaction on a memory, with the choices made so far.

A run is mutable and short-lived. It reads choices from a list. At the end of the list it raises `NeedChoice`;
the caller then runs the transaction again from the same base with one more choice.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from msgspec import Struct

from ludograph.play import CHANCE
from ludograph.tgdl.reference.queues import EMPTY_QUEUE, Queue
from ludograph.tgdl.world.faults import CallSite, Fault, NeedChoice, Site
from ludograph.tgdl.world.limits import MAX_NOTES
from ludograph.tgdl.world.memory import EDITS, Instance, Memory
from ludograph.tgdl.world.topology import MAX_CACHED_TILES, Edits, Topology
from ludograph.tgdl.world.world import World, is_unnamed, unnamed_key

MAX_CALL_DEPTH = 1000
# A thousand calls in TGDL, each about twenty Python calls.
RECURSION = 40_000
NOT_MADE: Final = object()
PLACES: Final = -1
"""Stands for a cell: the places and owners of all things."""
Also = tuple[tuple[str, Site], ...]
"""Other locations of a fault, each with a note."""


class TraceNode:
    """A step of a trace with its nested steps. Mutable while the trace is recorded."""

    __slots__ = ("inside", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inside: list[TraceNode] = []

    def lines(self, depth: int = 0) -> list[str]:
        return [
            f"{'  ' * depth}{self.text}",
            *(line for node in self.inside for line in node.lines(depth + 1)),
        ]


class RunningAction:
    """An action whose effects are running. Mutable."""

    __slots__ = ("begun", "cancelled", "index", "names", "part", "this", "unnamed")

    def __init__(
        self, index: int, this: Instance | None, names: frozenset[str], left_out: frozenset[str]
    ) -> None:
        self.index = index
        self.this = this
        self.names = names
        """The names of its effects."""
        self.part: str | None = None
        """The key of the running effect; None: no effect is running."""
        self.unnamed = unnamed_key(None)
        """The key of the unnamed effects of the running phase."""
        self.begun: set[str] = set()
        self.cancelled = set(left_out)

    @property
    def is_cancelled(self) -> bool:
        """Whether a plain `cancel` has undone unnamed effects: the action is no longer announced."""
        return any(map(is_unnamed, self.cancelled))


Made = tuple[tuple[str | None, ...], str, str, Any]
"""A choice that the run has read: the enclosing effects (outermost first), its kind, name and value."""


class Savepoint(Struct, frozen=True):
    """A savepoint of a run."""

    memory: Memory
    pending: Any
    use_turn: int | None
    ended: Any
    depth: int
    calls: int
    queues: tuple[Queue, ...]
    running: int
    notes: tuple[int, int]
    taints: dict[int, frozenset[int]]
    sealed_taints: dict[int, frozenset[int]]


Dealer = Callable[["Run", NeedChoice], Any]
"""Returns one of the values that chance may choose, or NOT_MADE."""


class Run:
    """The execution of a transaction. Mutable."""

    __slots__ = (
        "_edits",
        "_then",
        "_topology",
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
        "known_after",
        "loading",
        "made",
        "memory",
        "notes",
        "pending",
        "queued",
        "queues",
        "readers",
        "replayed",
        "revealed",
        "running",
        "sealed_taints",
        "silent",
        "spent_once",
        "started",
        "taints",
        "trace",
        "trace_edits",
        "use_turn",
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
        """Makes chance choices after the end of the given choices."""
        self.at = 0
        self.fuel = world.fuel if fuel is None else fuel
        self.spent_once = 0
        """Fuel for loop invariants, which a query evaluates once for all its elements."""
        self.depth = 0
        self.calls: list[CallSite] = []
        self.pending: tuple[int | None, int | None] | None = None
        """The pending pass: player and phase (None: the same player, the first phase); (): a bare pass."""
        self.use_turn: int | None = None
        self.ended: tuple[str, tuple[Any, ...]] | None = None
        self.queues = [EMPTY_QUEUE]
        """Actions that wait for the end of the effect that triggered them, by nesting level."""
        self.queued = 0
        """The number of actions queued so far. It orders actions of equal rank."""
        self.started: set[tuple[int, Instance | None]] = set()
        """The conditions that have started an action in this transaction, with the instance of the action."""
        self.helped = False
        """Whether an action triggered by `stuck` changed the state or asked for a choice."""
        self.is_pure = 0
        self.silent = 0
        """Greater than 0 while a stack gets its initial content, which triggers no events."""
        self.running: list[RunningAction] = []
        """The running actions, innermost last."""
        self.made: list[Made] = []
        """The choices read so far."""
        self.replayed: list[Made] = []
        """Choices to read again, because the effects that asked for them run again."""
        self.fired: frozenset[str] = frozenset()
        """The named triggers that have fired, of the action whose combined triggers are tested."""
        self.loading: list[tuple[str, int, int]] | None = None
        """The tiles that the default block of a group has added so far; None outside of such a block."""
        self.trace: list[TraceNode] | None = None
        self.notes = 0
        """The number of steps in the trace."""
        self.readers: tuple[int, ...] = ()
        """The players who read the trace: it contains only what all of them may see. Empty: everything."""
        self.trace_edits: list[Callable[[], None]] = []
        """Functions that change the trace at the end of the run, to hide values that nobody ever saw."""
        self.known = memory
        """What players know: the state from which they look at what this run does,"""
        self.known_after = -1
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
        """The topology for `_edits`."""

    # Limits

    def spend(self, amount: int, site: Site) -> None:
        self.fuel -= amount
        if self.fuel < 0:
            self.fault(
                "TG0506", "the transaction ran out of fuel here: it takes too long, or never ends", site
            )

    def enter(self, call: CallSite) -> None:
        self.depth += 1
        self.fuel -= call.price
        self.calls.append(call)
        if self.fuel < 0 or self.depth > MAX_CALL_DEPTH:
            self.refuse_call(call)

    def refuse_call(self, call: CallSite) -> NoReturn:
        if self.fuel < 0:
            message = f"no fuel is left for {call.what}: the transaction takes too long, or never ends"
            self.fault("TG0506", message, call.site)
        self.fault("TG0507", f"{call.what} is called within {MAX_CALL_DEPTH} other calls", call.site)

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
            if (
                len(world.topologies) > 256
                or len(world.topologies) * len(world.topology.group) > MAX_CACHED_TILES
            ):
                world.topologies.clear()
            found = world.topologies[edits] = Topology(world.plans, world.links, edits)
        return found

    # Known state

    @property
    def then(self) -> "Run | None":
        """A run over the state that players know; None if it is the current state."""
        if self.known is self.memory:
            return None
        if self._then is None:
            self._then = Run(self.world, self.known)
        return self._then

    def _come_to_known(self) -> None:
        """Take the current state as known: players have seen the effects of all choices so far."""
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

    def next_choice(self, kind: str, name: str) -> Any:
        """The next choice from the list; NOT_MADE at its end."""
        label = tuple([running.part for running in self.running])
        for place, known in enumerate(self.replayed):
            if known[:3] == (label, kind, name):
                del self.replayed[: place + 1]
                self.made.append(known)
                return known[3]
        if self.at == self.known_after:
            self._come_to_known()
        if self.at == len(self.choices):
            return NOT_MADE
        value = self.choices[self.at]
        self.at += 1
        self.made.append((label, kind, name, value))
        return value

    def replay(self, made: int) -> None:
        """Read the choices since a point again. Those that an outer effect reads again follow."""
        self.replayed = self.made[made:] + self.replayed
        del self.made[made:]

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
        """The next choice from the list; raises `NeedChoice` with these candidates at its end."""
        value = self.next_choice(kind, name)
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
        """A chance choice among values. A range means decimals."""
        if self.is_pure:
            self.fault(
                "TG0513", "this reads a card of a shuffled stack, but chance is not allowed here", site
            )
        value = self.next_choice("chance", name)
        if value is not NOT_MADE:
            return value
        known = list(weights) if weights is not None else [1] * len(values)
        found = [float(number) for number in values] if isinstance(values, range) else list(values)
        need = NeedChoice(CHANCE, "chance", name, found, weights=known, seen_by=seen_by)
        value = NOT_MADE if self.dealer is None else self.dealer(self, need)
        if value is NOT_MADE:
            raise need
        self.choices = (*self.choices, value)
        return self.next_choice("chance", name)

    # Queued actions

    def enqueue(self, rank: tuple[Any, ...], what: Any) -> None:
        """Queue an action until the running effect ends, after others of equal rank."""
        self.queued += 1
        self.queues[-1] = self.queues[-1].put((*rank, self.queued), what)

    # Savepoints

    def savepoint(self) -> Savepoint:
        """Take a savepoint."""
        return Savepoint(
            self.memory.copy(),
            self.pending,
            self.use_turn,
            self.ended,
            self.depth,
            len(self.calls),
            tuple(self.queues),
            len(self.running),
            (0, 0) if self.trace is None else (len(self.trace), len(self.trace[-1].inside)),
            self.taints.copy(),
            self.sealed_taints.copy(),
        )

    def restore(self, mark: Savepoint) -> None:
        """Restore a savepoint. The choices that were read stay read."""
        self.memory = mark.memory.copy()
        self.cells = self.memory.cells
        self.pending, self.use_turn, self.ended = mark.pending, mark.use_turn, mark.ended
        self.depth = mark.depth
        del self.calls[mark.calls :]
        self.queues = list(mark.queues)
        self.taints, self.sealed_taints = mark.taints.copy(), mark.sealed_taints.copy()
        del self.running[mark.running :]
        if self.trace is not None:
            notes, inside = mark.notes
            del self.trace[notes:]
            del self.trace[-1].inside[inside:]

    def unwind(self) -> None:
        """Leave everything that is running, because the game has ended. The state stays as it is."""
        self.depth = 0
        self.calls.clear()
        self.queues = [EMPTY_QUEUE]
        self.running.clear()
        self.replayed = []
        self.pending = self.use_turn = None
        if self.trace is not None:
            del self.trace[1:]

    # Traces

    def note(self, text: str) -> TraceNode | None:
        """Add a step to the trace. A trace that is too long ends with a step that says so."""
        if self.trace is None:
            return None
        self.notes += 1
        if self.notes > MAX_NOTES + 1:
            return None
        node = TraceNode(text if self.notes <= MAX_NOTES else "… more steps follow")
        self.trace[-1].inside.append(node)
        return node

    def open_note(self, text: str) -> None:
        if self.trace is not None:
            node = self.note(text)
            self.trace.append(TraceNode(text) if node is None else node)

    def close_note(self) -> None:
        if self.trace is not None:
            self.trace.pop()

    def drop_note(self) -> None:
        """Discard the open step, because its action did not happen."""
        if self.trace is not None:
            dropped = self.trace.pop()
            if self.trace[-1].inside and self.trace[-1].inside[-1] is dropped:
                self.trace[-1].inside.pop()
