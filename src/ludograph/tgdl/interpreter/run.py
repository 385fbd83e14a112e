"""A run: one transaction being carried out on a memory, with the choices made so far.

A run is mutable and short-lived. It takes choices from a list; where the list ends it raises
`NeedChoice`, and whoever asked runs again from the same base with one choice more.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

from ludograph.play import CHANCE
from ludograph.tgdl.interpreter.faults import Call, Fault, NeedChoice, Site
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.layout import Topology
from ludograph.tgdl.memory import EDITS, Memory

DEEPEST_CALL = 1000


class Node:
    """A step of a trace: what happened, and what happened inside it. Mutable while it is made."""

    __slots__ = ("inside", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.inside: list[Node] = []

    def lines(self, depth: int = 0) -> list[str]:
        return [
            f"{'  ' * depth}{self.text}",
            *(line for node in self.inside for line in node.lines(depth + 1)),
        ]


class Run:
    """A transaction at work. Mutable."""

    __slots__ = (
        "at",
        "calls",
        "cancelled",
        "cells",
        "choices",
        "depth",
        "ended",
        "fired",
        "fuel",
        "is_pure",
        "loading",
        "memory",
        "pending",
        "queues",
        "trace",
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
        self.at = 0
        self.fuel = world.fuel if fuel is None else fuel
        self.depth = 0
        self.calls: list[Call] = []
        self.pending: tuple[int | None, int | None] | None = None
        """A pass to a player and a phase (None: the same, the first); () is the bare pass."""
        self.use_turn: int | None = None
        self.ended: tuple[str, tuple[Any, ...]] | None = None
        self.queues: list[list[Any]] = [[]]
        """Actions that wait for the end of the effect that triggered them."""
        self.is_pure = 0
        self.cancelled: set[str] = set()
        """Effects of the action under way that are left out."""
        self.fired: frozenset[str] = frozenset()
        """Named triggers of the action that is about to start."""
        self.loading: list[tuple[str, int, int]] | None = None
        """While a group's default block runs: the tiles that it adds."""
        self.trace: list[Node] | None = None

    # Limits

    def spend(self, amount: int, site: Site) -> None:
        self.fuel -= amount
        if self.fuel < 0:
            self.fault("TG0506", "this ran out of fuel: it goes on for too long, perhaps for ever", site)

    def enter(self, call: Call) -> None:
        self.depth += 1
        self.fuel -= 1
        self.calls.append(call)
        if self.fuel < 0:
            self.fault("TG0506", f"no fuel is left for {call.what}: the calls go on for too long", call.site)
        if self.depth > DEEPEST_CALL:
            self.fault("TG0507", f"{call.what} is called within {DEEPEST_CALL} other calls", call.site)

    def leave(self) -> None:
        self.depth -= 1
        self.calls.pop()

    def fault(self, code: str, message: str, site: Site) -> NoReturn:
        raise self.new_fault(code, message, site)

    def new_fault(self, code: str, message: str, site: Site) -> Fault:
        fault = Fault(code, message, site, tuple(self.calls))
        fault.sources = self.world.program.sources
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
        found = world.topologies.get(edits)
        if found is None:
            if len(world.topologies) > 256:
                world.topologies.clear()
            found = world.topologies[edits] = Topology(world.plans, world.links, edits)
        return found

    # Choices

    def take(
        self,
        chooser: int,
        kind: str,
        name: str,
        value_of: Any,
        *,
        index: int = 0,
        seen_by: frozenset[int] | None = None,
    ) -> Any:
        """The next choice that was made; `value_of` lists the candidates if it was not."""
        if self.at < len(self.choices):
            value = self.choices[self.at]
            self.at += 1
            return value
        raise NeedChoice(chooser, kind, name, value_of(), index=index, seen_by=seen_by)

    def chance(
        self,
        values: Sequence[Any],
        weights: Sequence[int] | None,
        site: Site,
        seen_by: frozenset[int] | None = None,
        name: str = "random",
    ) -> Any:
        """Let chance choose one of some values."""
        if self.is_pure:
            self.fault("TG0513", "a shuffled card is looked at where chance may not choose", site)
        if self.at < len(self.choices):
            value = self.choices[self.at]
            self.at += 1
            return value
        known = list(weights) if weights is not None else [1] * len(values)
        raise NeedChoice(CHANCE, "chance", name, list(values), weights=known, seen_by=seen_by)

    # Traces

    def note(self, text: str) -> None:
        if self.trace is not None:
            self.trace[-1].inside.append(Node(text))

    def open_note(self, text: str) -> None:
        if self.trace is not None:
            node = Node(text)
            self.trace[-1].inside.append(node)
            self.trace.append(node)

    def close_note(self) -> None:
        if self.trace is not None:
            self.trace.pop()
