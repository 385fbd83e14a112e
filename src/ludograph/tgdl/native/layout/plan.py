"""The layout of a block: a complete state in one relocatable piece of memory.

A block has a header (turn, phase, active player and so on), columns and a heap. All constructs that derive
from one root are a family: its instances are numbered together, in order of creation, and every attribute is
a column over the family. Lists are in the heap. A run that needs a larger heap stops and starts again in a
larger block.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.nodes import I8, I32, I256, WHOLE, layout_of
from ludograph.tgdl.native.layout.representations import (
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    POSITION,
    WIDE,
    Rep,
    kind_of_seats,
    lanes_of,
    small,
    table,
)
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import ConstructInfo, Instance, Memory
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.world import World

GENERIC = {
    "state": (p.ConstructKind.GLOBAL, p.ConstructKind.LOCAL, p.ConstructKind.GROUP_STATE),
    "tile": (p.ConstructKind.TILE,),
    "interactable": (p.ConstructKind.INTERACTABLE,),
    "placeable": (p.ConstructKind.INTERACTABLE,),
    "stackable": (p.ConstructKind.INTERACTABLE,),
    "stack": (p.ConstructKind.STACK,),
    "group": (p.ConstructKind.GROUP,),
    "board": (p.ConstructKind.BOARD,),
}

PARTS = ("bottom", "pool", "top")
"""The columns of a stack: known cards under the shuffled ones, shuffled cards, and known cards on top."""

HEADER = {
    "stage": 4,
    "turn": 4,
    "phase": 4,
    "active": 4,
    "heap_top": 8,
    "ended": 4,
    "stuck_count": 4,
    "sealed": 16,
    "setup": 4,
    "compacted": 4,
}
"""The fields of the header of a block and their sizes; sets of players and the payoffs follow."""

SEATS = ("out", "dropped", "winners", "sealed_mask")
"""The sets of players in a header."""

MAX_KEYS = 4
"""A question records so many variables of the loops around it, the outermost first."""

CONTEXT = {
    "fuel": 8,
    "floor": 8,
    "depth": 8,
    "choices": 8,
    "choice_count": 8,
    "choice_capacity": 8,
    "choice_index": 8,
    "arena": 8,
    "arena_end": 8,
    "heap_end": 8,
    "pending": 4,
    "pending_player": 4,
    "pending_phase": 4,
    "use_turn": 4,
    "ended": 4,
    "chance_forbidden": 4,
    "fault": 4,
    "site": 4,
    "need_chooser": 4,
    "need_input": 4,
    "need_count": 8,
    "need_values": 8,
    "need_weights": 8,
    "need_index": 4,
    "need_seen": I256.size,
    "need_keys": 8 * MAX_KEYS,
    "draws_chance": 4,
    "chance_streak": 4,
    "family_full": 4,
    "unhandled": 4,
    "rng": 32,
    "base": 8,
    "full_fuel": 8,
    "full_floor": 8,
    "event_fuel": 8,
    "test_fuel": 8,
    "trial_fuel": 8,
    "arena_start": 8,
    "saved": 8,
    "saved_end": 8,
    "saved_start": 8,
    "moves": 8,
    "moves_end": 8,
    "moves_start": 8,
    "index": 8,
    "index_end": 8,
    "index_at": 8,
    "list_mode": 4,
    "in_place": 4,
    "limit_state": 4,
    "move_count": 8,
    "move_limit": 8,
    "sure_count": 8,
    "stuck_moments": 8,
    "stuck_moment_count": 8,
    "stuck_streak": 8,
    "played": 8,
    "game_log": 8,
    "game_log_end": 8,
    "count_log": 8,
    "count_log_end": 8,
    "stop": 8,
    "fuel_limit": 8,
    "queue": 8,
    "queue_start": 8,
    "queue_end": 8,
    "queue_base": 8,
    "running": 8,
    "started": 8,
    "queued_lists": 8,
    "queued_lists_start": 8,
    "queued_lists_end": 8,
    "checkpoints": 8,
    "checkpoints_start": 8,
    "checkpoints_end": 8,
    "choice_log": 8,
    "choice_log_start": 8,
    "choice_log_end": 8,
    "replayed": 8,
    "replayed_start": 8,
    "replayed_end": 8,
    "replayed_top": 8,
    "recalled_choice": 8,
    "active_record": 8,
    "cancelled": 4,
    "silent": 4,
    "stack_overflow": 4,
    "stack_size": 8,
    "stack_end": 8,
    "failed_check": 8,
    "regions": 8,
    "region_count": 8,
    "stack_slots": 8,
    "stack_slots_start": 8,
    "stack_slots_end": 8,
    "spare_block": 8,
    "script_base": 8,
    "committed_choices": 8,
    "trial_price": 8,
    "is_trial": 4,
    "text": 8,
    "text_start": 8,
    "text_end": 8,
    "insertion": 8,
    "insertion_start": 8,
    "insertion_end": 8,
    "has_start_names": 4,
    "name_form": 4,
    "name_reader": 4,
    "outcome_size": 8,
    "outcome_count": 8,
    "outcome_chooser": 8,
    "outcome_mask": I256.size,
    "winners": I256.size,
    "payoffs": 8 * WHOLE[I256],
}
"""The fields of the context of a run and their sizes; one struct reads all `outcome` fields."""

REGIONS = ("queue", "queued_lists", "checkpoints", "choice_log", "replayed")
"""Memory regions outside the block: waiting actions, the lists passed to them, checkpoints, the choices made,
and the choices to repeat."""

CONTEXT_AT, CONTEXT_SIZE = layout_of(CONTEXT)
"""The offsets of the fields and their total size: the same in every world."""
HEADER_AT, _ = layout_of(HEADER)
"""The offsets of the header fields that do not depend on the number of players."""


class Column(Struct, frozen=True):
    """One value for every instance of a family."""

    rep: Rep
    offset: int
    type: Type | None = None

    @property
    def stride(self) -> int:
        return self.rep.size


class Family(Struct):
    """A root construct with all constructs that derive from it. Mutable while the plan is built."""

    index: int
    name: str
    kinds: tuple[ConstructInfo, ...]
    kind: p.ConstructKind
    capacity: int
    columns: dict[object, Column] = field(default_factory=dict)
    count_at: int = 0
    """The offset of the number of instances in a block."""
    grows: bool = False

    @property
    def rep(self) -> Rep:
        return small(self.capacity)

    @property
    def is_mixed(self) -> bool:
        return len(self.kinds) > 1


class Plan:
    """The layout of the blocks of one world."""

    def __init__(self, world: World, capacities: dict[str, int], created: frozenset[str]) -> None:
        """`created`: the roots of families that may get new instances in play."""
        self.world = world
        self.families: list[Family] = []
        self.family_of_kind: dict[int, Family] = {}
        by_root: dict[str, list[ConstructInfo]] = {}
        for kind in world.kinds:
            by_root.setdefault(self._root(kind), []).append(kind)
        for name, kinds in by_root.items():
            family = Family(
                len(self.families), name, tuple(kinds), kinds[0].construct.kind, capacities.get(name, 1)
            )
            family.grows = name in created
            self.families.append(family)
            for kind in kinds:
                self.family_of_kind[kind.index] = family
        self.context, self.context_size = CONTEXT_AT, CONTEXT_SIZE
        self.seats = kind_of_seats(world.players)
        """The machine type of a set of players, with one bit for each."""
        sets = dict.fromkeys(SEATS, self.seats.size)
        self.header, at = layout_of(HEADER | sets | {"stuck": WHOLE[self.seats]})
        self.payoffs = at
        at += 8 * world.players
        self.switched = _switched(world)
        self.off: dict[int, int] = {}
        """The offset of the flag that switches off an action of the game itself, by action.

        A condition that starts such an action has a flag too: whether it held at its last test.
        """
        flags = [(action, action) for action in sorted(self.switched)]
        for number, action in flags + self._conditions():
            if world.program.actions[action].owner is None:
                self.off[number] = at
                at += 1
        at = (at + 3) // 4 * 4
        self.setups = tuple(
            dict.fromkeys(
                effect.name
                for setup in world.program.setups
                for effect in setup.effects
                if effect.name is not None
            )
        )
        for family in self.families:
            family.count_at = at
            at += 4
        at = (at + 7) // 8 * 8
        self.changes = world.changes or any(
            family.grows for family in self.families if family.kind is p.ConstructKind.TILE
        )
        """Whether play may create or remove tiles, or change their neighbours."""
        self.edits: dict[str, int] = {}
        """The offsets of the lists of added tiles and of changed links."""
        if self.changes:
            self.edits = {"placed": at, "links": at + 16}
            at += 32
        shapes = {plan.shape for plan in world.plans}
        has_places = p.GroupShape.CORNERS in shapes or p.GroupShape.SIDES in shapes
        self.place_lists = ("corners", "sides", "cells") if has_places else ()
        """The lists of a tile that exist only on boards with corners or sides."""
        self.single_held = self._single_held()
        for family in self.families:
            at = self._place_columns(family, at)
        at = max([at, *self._ends_of_lanes()])
        self.fixed_size = (at + 15) // 16 * 16
        """The offset of the heap."""
        self._ids: dict[Instance, int] = {}

    def _root(self, kind: ConstructInfo) -> str:
        construct = kind.construct
        while construct.base is not None and construct.base in self.world.kind:
            construct = self.world.kind[construct.base].construct
        return construct.name

    # Families

    def family(self, name: str) -> Family:
        """The only family of a type."""
        found = self.families_of(name)
        assert len(found) == 1, name
        return found[0]

    def families_of(self, name: str) -> tuple[Family, ...]:
        """The families whose instances belong to a type."""
        if name in self.world.kind:
            return (self.family_of_kind[self.world.kind[name].index],)
        kinds = GENERIC[name]
        return tuple(
            family
            for family in self.families
            if family.kind in kinds
            and (name != "placeable" or any(each.construct.placeable for each in family.kinds))
            and (name != "stackable" or any(each.construct.stackable for each in family.kinds))
        )

    def _single_held(self) -> Family | None:
        """The family of pieces, if no tile can ever hold more than one piece."""
        pieces = self.families_of("placeable")
        if len(pieces) != 1:
            return None
        root = pieces[0].name
        tiles = [
            kind for family in self.families if family.kind is p.ConstructKind.TILE for kind in family.kinds
        ]
        return pieces[0] if tiles and all(kind.construct.holds == root for kind in tiles) else None

    # Columns

    def _place_columns(self, family: Family, at: int) -> int:
        reps: dict[object, tuple[Rep, Type | None]] = {}
        if family.is_mixed:
            reps["kind"] = (small(len(self.world.kinds)), None)
        if family.grows:
            reps["number"] = (Rep("small", (I32,), I32, 4), None)
        for kind in family.kinds:
            for attribute in kind.construct.attributes:
                key = self.column_key(kind, attribute.slot)
                reps.setdefault(key, (self.rep(attribute.type), attribute.type))
        match family.kind:
            case p.ConstructKind.INTERACTABLE:
                reps["place"] = (self.rep_of_place(), None)
                if self.single_held is None:
                    reps["next"] = reps["previous"] = (self.rep_of_piece(), None)
            case p.ConstructKind.TILE if self.families_of("placeable"):
                reps["first"] = (self.rep_of_piece(), None)
                if self.single_held is None:
                    reps["last"] = (self.rep_of_piece(), None)
            case p.ConstructKind.LOCAL:
                reps["owner"] = (small(self.world.players), None)
            case p.ConstructKind.GROUP_STATE:
                reps["owner"] = (Rep("small", (self.seats,), self.seats, self.seats.size), None)
            case p.ConstructKind.STACK:
                for part in PARTS:
                    reps[part] = (LIST, ListType(self.card_type(family)))
                reps["holder"] = (WIDE, None)
            case _:
                pass
        if self.changes:
            reps |= self._topology_reps(family)
        for kind in family.kinds:
            for action in kind.construct.actions:
                if action in self.switched:
                    reps["off", action] = (BOOLEAN, None)
            for number, action in self._conditions():
                if action in kind.construct.actions:
                    reps["off", number] = (BOOLEAN, None)
        for key, (rep, type) in sorted(reps.items(), key=lambda each: -_alignment(each[1][0])):
            step = _alignment(rep)
            at = (at + step - 1) // step * step
            family.columns[key] = Column(rep, at, type)
            at += rep.size * family.capacity
        return at

    def _ends_of_lanes(self) -> Iterator[int]:
        """The ends of the vector loads that read a column of bytes for all tiles."""
        for family in self.families:
            if family.kind is p.ConstructKind.TILE:
                length = sum(lanes_of(family.capacity))
                yield from (each.offset + length for each in family.columns.values() if each.rep.stored is I8)

    def _topology_reps(self, family: Family) -> dict[object, tuple[Rep, Type | None]]:
        """The columns of a changing board: the changes of play, and the topology derived from them."""
        found: dict[object, tuple[Rep, Type | None]] = {}
        tiles, numbers = ListType(ConstructType("tile")), ListType(Basic.DECIMAL)
        match family.kind:
            case p.ConstructKind.TILE:
                found["taken"] = (BOOLEAN, None)
                found["placed"] = found["group"] = (small(len(self.world.kinds)), None)
                for key in ("placed_row", "placed_column", "row", "column"):
                    found[key] = (NUMBER, None)
                for key in ("adjacent", "ways", *self.place_lists):
                    found[key] = (LIST, tiles)
                found["weights"] = (LIST, numbers)
            case p.ConstructKind.GROUP:
                found["absent"] = (BOOLEAN, None)
                found["tiles"] = (LIST, tiles)
                for key in ("rows", "columns", "spots"):
                    found[key] = (LIST, numbers)
            case _:
                pass
        return found

    def column_key(self, kind: ConstructInfo, slot: int) -> object:
        """The key of the column of an attribute: the construct that declares it, and its slot."""
        at = kind
        while at.construct.base is not None and at.construct.base in self.world.kind:
            base = self.world.kind[at.construct.base]
            if slot >= len(base.construct.attributes):
                break
            at = base
        return (at.index, slot)

    def column(self, name: str, slot: int) -> Column:
        kind = self.world.kind[name]
        return self.family_of_kind[kind.index].columns[self.column_key(kind, slot)]

    def family_with(self, column: Column) -> Family:
        """The family that a column belongs to."""
        return next(each for each in self.families if column in each.columns.values())

    def attribute(self, name: str, slot: int) -> p.Attribute:
        return self.world.kind[name].construct.attributes[slot]

    # Representations

    def rep(self, type: Type) -> Rep:
        match type:
            case Basic.DECIMAL:
                return NUMBER
            case Basic.BOOL:
                return BOOLEAN
            case Basic.PLAYER:
                return small(self.world.players)
            case Basic.PHASE:
                return small(len(self.world.phases))
            case Basic.STRING:
                return Rep("small", (I32,), I32, 4)
            case Basic.POSITION:
                return POSITION
            case Basic.NONE:
                return small(0)
            case EnumType(name):
                return small(len(self.world.members[name]))
            case ConstructType(name):
                families = self.families_of(name)
                return families[0].rep if len(families) == 1 else WIDE
            case ListType():
                return LIST
            case TableType(key, value):
                assert self.world.start is not None
                if self.is_growing(type) and isinstance(key, ConstructType):
                    capacity = sum(family.capacity for family in self.families_of(key.name))
                    return table(capacity, self.rep(value))
                return table(key_count(self.world, self.world.start, key), self.rep(value))
            case _:
                return OBJECT

    def is_growing(self, type: Type) -> bool:
        """Whether this is the type of a table that gets an entry for every new tile."""
        if not isinstance(type, TableType) or not isinstance(type.key, ConstructType):
            return False
        return any(family.grows for family in self.families_of(type.key.name))

    def rep_of_piece(self) -> Rep:
        families = self.families_of("placeable")
        return families[0].rep if len(families) == 1 else WIDE

    def place_families(self) -> tuple[Family, ...]:
        """The families of the places of pieces: tiles and stacks."""
        tiles = self.families_of("tile") if self.families_of("placeable") else ()
        stacks = self.families_of("stack") if self.families_of("stackable") else ()
        return (*tiles, *stacks)

    def rep_of_place(self) -> Rep:
        families = self.place_families()
        return families[0].rep if len(families) == 1 else WIDE

    def card_type(self, family: Family) -> ConstructType:
        """The element type of the stacks of a family."""
        found = {kind.construct.element or "stackable" for kind in family.kinds}
        return ConstructType(found.pop() if len(found) == 1 else "stackable")

    def holder_families(self) -> tuple[Family, ...]:
        """The families whose instances own stacks."""
        return tuple(
            family
            for family in self.families
            if any(each.makes_stack for kind in family.kinds for each in kind.construct.attributes)
        )

    def created_by(self, nodes: Iterable[Any]) -> frozenset[str]:
        """The families of which some nodes of the program may create instances."""
        found: set[str] = set()
        for node in nodes:
            if isinstance(node, p.New | p.Attach):
                found |= self._created_with(node.construct)
        return frozenset(found)

    def _created_with(self, name: str) -> set[str]:
        """The family of a construct, and those of the instances that its initial values create."""
        names = [name]
        for one in names:
            for attribute in self.world.kind[one].construct.attributes:
                created = {node.construct for node in walk(attribute.initial) if isinstance(node, p.New)}
                if attribute.stack is not None:
                    created.add(attribute.stack)
                names += sorted(created.difference(names))
        return {self.family(one).name for one in names}

    # Instances

    def number_of(self, memory: Memory, instance: Instance) -> int:
        """The number of an instance in its family."""
        family = self.family_of_kind[instance.kind.index]
        if not family.is_mixed:
            return instance.ordinal
        return sum(
            1
            for kind in family.kinds
            for other in memory.families[kind.index]
            if other.number < instance.number
        )

    def _conditions(self) -> list[tuple[int, int]]:
        """The numbers of the conditions, with the actions that they start."""
        first = len(self.world.program.actions)
        return [(first + place, each.action) for place, each in enumerate(self.world.conditions)]

    def is_condition(self, key: object) -> bool:
        """Whether the key of a column or flag belongs to a condition."""
        number = key[1] if isinstance(key, tuple) else key
        return isinstance(number, int) and number >= len(self.world.program.actions)

    def members(self, memory: Memory, family: Family) -> list[Instance]:
        """The instances of a family, in order of creation."""
        found = [each for kind in family.kinds for each in memory.families[kind.index]]
        return sorted(found, key=lambda each: each.number)


def _switched(world: World) -> frozenset[int]:
    """Actions that the program may switch off, and their overrides in derived constructs."""
    program = world.program
    written = {
        node.place.root.action
        for node in walk((program.actions, program.verbs, program.turns, program.setups, program.constructs))
        if isinstance(node, p.Assign) and isinstance(node.place.root, p.AllowedOf)
    }
    derived = {real for (_, action), real in world.action_dispatch.items() if action in written}
    return frozenset(written | derived)


def _alignment(rep: Rep) -> int:
    if rep.shape in ("list", "object"):
        return 8
    if rep.shape == "table":
        item = rep.size // rep.count if rep.count else 1
        return min(8, item & -item) if item else 1
    return min(8, rep.size)
