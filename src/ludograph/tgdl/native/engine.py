"""The native engine of a world: compiled code, and the memory that it runs in."""

import ctypes
import struct
from dataclasses import dataclass
from typing import Any

from ludograph.play import Generator
from ludograph.tgdl.interpreter.analysis import walk
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.memory import Memory
from ludograph.tgdl.native import machine
from ludograph.tgdl.native.actions import perform_function
from ludograph.tgdl.native.driver import EXPORTS, SAMPLE, make_driver, record_size
from ludograph.tgdl.native.emit import emit
from ludograph.tgdl.native.expressions import lower_expression
from ludograph.tgdl.native.ir import verify
from ludograph.tgdl.native.plan import REGIONS, Plan
from ludograph.tgdl.native.sealed import image_of, memory_from
from ludograph.tgdl.native.statements import lower_statements
from ludograph.tgdl.native.turns import check_world
from ludograph.tgdl.native.unit import FINE, Unit, walk_program
from ludograph.tgdl.program import New

WORDS = 1 << 16


def plan_of(world: World, sample: Memory) -> Plan:
    """The plan of a world, its families as large as in a sample state."""
    first = Plan(world, {}, frozenset())
    made = {first.family(node.construct).name for node in walk_program(world) if isinstance(node, New)}
    program = world.program
    later = walk((program.actions, program.verbs, program.turns))
    in_play = {first.family(node.construct).name for node in later if isinstance(node, New)}
    capacities = {family.name: max(1, len(first.members(sample, family))) for family in first.families}
    for name in in_play:
        capacities[name] = max(64, 2 * capacities[name])
    return Plan(world, capacities, frozenset(made))


def unit_of(world: World, plan: Plan) -> Unit:
    """Everything of a world, lowered."""
    unit = Unit(world, plan)
    unit.lower = lower_expression
    unit.lower_statements = lower_statements
    unit.performer = perform_function
    check_world(unit)
    make_driver(unit)
    unit.make_all()
    return unit


def text_of(unit: Unit) -> str:
    verify(unit.module)
    return emit(unit.module)


@dataclass(frozen=True, slots=True)
class Played:
    """How a random game went."""

    memory: Memory
    moves: int


class Engine:
    """Compiled code of one world. What it works in belongs to one thread."""

    def __init__(self, world: World, sample: Memory) -> None:
        self.world = world
        self.plan = plan_of(world, sample)
        self.unit = unit_of(world, self.plan)
        made = machine.assemble(text_of(self.unit))
        self.machine = machine.link(made, EXPORTS)
        pointer = ctypes.c_void_p
        self._execute = self.machine.function("execute", ctypes.c_int32, pointer, pointer)
        self._playout = self.machine.function("playout", ctypes.c_int32, pointer, pointer, ctypes.c_int64)
        self._explore = self.machine.function(
            "explore", ctypes.c_int32, pointer, pointer, ctypes.c_int64, ctypes.c_int32, ctypes.c_int32
        )
        self._batch = self.machine.function(
            "batch", ctypes.c_int32, *[pointer] * 4, *[ctypes.c_int64] * 3, pointer, pointer
        )
        self.size = 1 << 16
        self._make_room()

    def _make_room(self) -> None:
        plan = self.plan
        self.blocks = [ctypes.create_string_buffer(plan.fixed_size + self.size) for _ in range(3)]
        self.arena = ctypes.create_string_buffer(self.size * 16)
        self.saved = ctypes.create_string_buffer(self.size * 8)
        self.moves = ctypes.create_string_buffer(self.size * 8)
        self.choices = ctypes.create_string_buffer(WORDS * 8)
        self.seen = ctypes.create_string_buffer(8 * 1024)
        self.context = ctypes.create_string_buffer(plan.context_size)
        for name, buffer in (("arena", self.arena), ("saved", self.saved), ("moves", self.moves)):
            start = ctypes.addressof(buffer)
            self.put(name, "<q", start)
            self.put(f"{name}_end", "<q", start + len(buffer))
        self.regions = [ctypes.create_string_buffer(self.size * 4) for _ in REGIONS]
        for name, buffer in zip(REGIONS, self.regions, strict=True):
            start = ctypes.addressof(buffer)
            self.put(f"{name}_start", "<q", start)
            self.put(f"{name}_end", "<q", start + len(buffer))
        self.put("arena_start", "<q", ctypes.addressof(self.arena))
        self.put("moves_start", "<q", ctypes.addressof(self.moves))
        self.put("choices", "<q", ctypes.addressof(self.choices))
        self.put("choice_room", "<q", WORDS)
        self.index = ctypes.create_string_buffer(self.size * 8)
        self.put("index", "<q", ctypes.addressof(self.index))
        self.put("index_end", "<q", ctypes.addressof(self.index) + len(self.index))
        self.put("seen", "<q", ctypes.addressof(self.seen))
        self.put("heap_end", "<q", plan.fixed_size + self.size)
        self.put("full_fuel", "<q", self.world.fuel)
        self.put("move_limit", "<q", 1 << 62)

    def put(self, name: str, form: str, *values: Any) -> None:
        struct.pack_into(form, self.context, self.plan.context[name], *values)

    def get(self, name: str, form: str) -> Any:
        return struct.unpack_from(form, self.context, self.plan.context[name])[0]

    def load(self, memory: Memory) -> None:
        """Make a memory the base."""
        data = image_of(self.plan, memory, self.unit.strings)
        ctypes.memmove(self.blocks[0], data, len(data))
        self.put("base", "<q", ctypes.addressof(self.blocks[0]))

    def base(self) -> Memory:
        """The base as a memory."""
        address = self.get("base", "<q")
        buffer = next(each for each in self.blocks if ctypes.addressof(each) == address)
        return memory_from(self.plan, buffer.raw, list(self.unit.strings))

    def playout(self, limit: int = 100_000) -> int:
        """Play the base on; gives how many moves it took."""
        work = (
            self.blocks[1] if self.get("base", "<q") == ctypes.addressof(self.blocks[0]) else self.blocks[0]
        )
        self.put("way", "<i", 0)
        status = self._playout(ctypes.addressof(self.context), ctypes.addressof(work), limit)
        if status != FINE:
            raise RuntimeError(f"status {status}, fault {self.get('fault', '<i')}")
        return int(self.get("played", "<q"))

    def batch(self, start: Memory, first: int, count: int, limit: int = 100_000) -> list[tuple[int, ...]]:
        """Random games from a start: moves, how each ended, who, payoffs."""
        data = image_of(self.plan, start, self.unit.strings)
        self.put("way", "<i", SAMPLE)
        size = record_size(self.unit)
        out = ctypes.create_string_buffer(size * count)
        done = ctypes.c_int64(0)
        status = self._batch(
            ctypes.addressof(self.context),
            ctypes.addressof(self.blocks[1]),
            ctypes.addressof(self.blocks[0]),
            data,
            first,
            count,
            limit,
            ctypes.addressof(out),
            ctypes.addressof(done),
        )
        if status != FINE:
            raise RuntimeError(f"status {status}, fault {self.get('fault', '<i')} after {done.value} games")
        form = "<qqq" + "d" * self.world.players
        return [struct.unpack_from(form, out, place * size) for place in range(count)]

    def seed(self, generator: Generator) -> None:
        self.put("rng", "<QQQQ", *generator.state)
