"""Builds a world from a typed program, a number of players and options."""

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from ludograph.geometry import hexes
from ludograph.text import Portable, Span
from ludograph.text.spelling import closest
from ludograph.tgdl import program as p
from ludograph.tgdl.program.declarations import is_secret
from ludograph.tgdl.program.setting_order import needs_of, topological_order
from ludograph.tgdl.program.table_sizes import (
    MAX_ENTRIES,
    MAX_TABLE_SIZE,
    TOO_MANY_ENTRIES,
    TOO_MANY_STACKS,
    count_entries,
    fault_of_size,
    names_of_sizes,
    with_sizes,
)
from ludograph.tgdl.program.types import Basic, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.compile.compiler import Compiler, NodeCompilers
from ludograph.tgdl.reference.compile.declarations import (
    compile_initialiser,
    compile_setups,
    compile_triggers,
    compile_turns,
    prepare_actions,
    prepare_verbs,
)
from ludograph.tgdl.reference.compile.explanations import ConditionExplainer
from ludograph.tgdl.reference.compile.expressions import compile_expression
from ludograph.tgdl.reference.compile.statements import compile_statements
from ludograph.tgdl.reference.compile.targets import mutation
from ludograph.tgdl.reference.fuel_costs import cell_counts_of, element_counters_of
from ludograph.tgdl.reference.instances import fill_stack, initialise, make_stacks
from ludograph.tgdl.reference.ranges import check_range
from ludograph.tgdl.reference.run import RECURSION, Run
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.analysis import walk, walk_program
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.limits import LETTERS_OF_ELEMENT, MAX_IN_STATE
from ludograph.tgdl.world.observer import Observer
from ludograph.tgdl.world.topology import GroupPlan, LinkPlan, TilePlan, Topology, chess_name, places_of
from ludograph.tgdl.world.values import format_number, has_type, is_compound
from ludograph.tgdl.world.world import World

DEFAULT_FUEL = 10_000_000
MAX_TILES = 100_000
MAX_SHOWN = 60
"""The greatest number of characters of a wrong option in a message."""
MAX_NAMED = 8
"""The greatest number of known options in a message about an unknown one."""
NOWHERE = Site(0, Span(0, 0))

KIND_WORDS = {
    p.ConstructKind.GLOBAL: ("state",),
    p.ConstructKind.LOCAL: ("state",),
    p.ConstructKind.GROUP_STATE: ("state",),
    p.ConstructKind.TILE: ("tile",),
    p.ConstructKind.INTERACTABLE: ("interactable",),
    p.ConstructKind.STACK: ("stack",),
    p.ConstructKind.GROUP: ("group",),
    p.ConstructKind.BOARD: ("board",),
}


class BadOption(Portable, ValueError):
    """The game cannot be played with these options. The message gives the reason."""

    def __init__(self, message: str, site: Site) -> None:
        super().__init__(message)
        self.site = site


NODE_COMPILERS = NodeCompilers(
    compile_expression,
    compile_statements,
    mutation,
    lambda compiler, block: ConditionExplainer(compiler, block).explain,
)


def build_world(
    program: p.Program,
    players: int,
    options: Mapping[str, Any] | None = None,
    *,
    fuel: int = DEFAULT_FUEL,
    observer: Observer | None = None,
) -> World:
    """Build a world. Raises BadOption for wrong options and Fault if an initialiser fails."""
    if program.sized_tables:
        program = _with_sizes(program, players, options or {}, fuel)
    world = _blank_world(program, players, fuel)
    world.observer = observer
    world.changes = bool(program.board.changes)
    world.has_secrets = any(
        one.secrecy is not p.Secrecy.PUBLIC or any(is_secret(one, each) for each in one.attributes)
        for one in program.constructs
    )
    world.names_things = any(one.names or one.interchangeable for one in program.constructs)
    world.merged_slots = {
        kind.index: tuple(each.slot for each in kind.construct.attributes if is_compound(each.type))
        for kind in world.kinds
        if kind.construct.interchangeable
    }
    made: set[mem.ConstructInfo] = set()
    for node in walk_program(program):
        if isinstance(node, p.Literal) and isinstance(node.value, str):
            world.longest_string = max(world.longest_string, len(node.value))
        if isinstance(node, p.New):
            made.add(world.kind[node.construct])
        elif isinstance(node, p.Input | p.Random) and node.visible is not None:
            world.has_secrets = True
        if isinstance(node, p.Input) and node.is_picked:
            world.list_names.add(node.name)
    _limit_strings(world)
    world.hides_values = world.has_secrets or any(
        phase.simultaneous for turn in program.turns for phase in turn.phases
    )
    world.made_tiles = frozenset(kind.index for kind in made if kind.construct.kind is p.ConstructKind.TILE)
    world.element_counters, world.cell_counts = (
        element_counters_of(world.kinds),
        cell_counts_of(world.kinds, world.relatives),
    )
    compiler = Compiler(world, NODE_COMPILERS)
    prepare_verbs(compiler)
    prepare_actions(compiler)
    memory = mem.blank_memory(world.population)
    _evaluate_settings(world, compiler, memory, options or {})
    created = _create_instances(world, compiler, memory)
    _compile(world, compiler)
    world.tainted_at_creation = cache(compiler.taint.tainted_at_creation)
    world.secret_keys = cache(compiler.taint.secret_keys)
    _initialise_all(world, memory, created)
    return world


def _blank_world(program: p.Program, players: int, fuel: int) -> World:
    """A world with the declarations only."""
    kinds = tuple(
        mem.ConstructInfo(index, construct, _ancestry(program, construct))
        for index, construct in enumerate(program.constructs)
    )
    subtypes: dict[str, list[int]] = {}
    for kind in kinds:
        for name in kind.ancestry:
            subtypes.setdefault(name, []).append(kind.index)
    for word in {word for words in KIND_WORDS.values() for word in words} | {"placeable", "stackable"}:
        subtypes.setdefault(word, [])
    return World(
        program,
        players,
        {},
        {},
        {enum.name: _members(enum) for enum in program.enums},
        kinds,
        {kind.name: kind for kind in kinds},
        {name: tuple(indexes) for name, indexes in subtypes.items()},
        _relatives(program, subtypes),
        mem.Population(kinds),
        fuel,
    )


def _ancestry(program: p.Program, construct: p.Construct) -> frozenset[str]:
    """All type names of a construct: its own, those of its bases, and the keywords of its kind."""
    by_name = {each.name: each for each in program.constructs}
    names = {*KIND_WORDS[construct.kind]}
    if construct.placeable:
        names.add("placeable")
    if construct.stackable:
        names.add("stackable")
    at: p.Construct | None = construct
    while at is not None and at.name not in names:
        names.add(at.name)
        at = None if at.base is None else by_name.get(at.base)
    return frozenset(names)


def _relatives(program: p.Program, subtypes: Mapping[str, list[int]]) -> dict[str, tuple[int, ...]]:
    by_name = {each.name: each for each in program.constructs}
    roots: list[str] = []
    for construct in program.constructs:
        while construct.base is not None:
            construct = by_name[construct.base]
        roots.append(construct.name)
    return {
        name: tuple(index for index, root in enumerate(roots) if root in {roots[each] for each in indexes})
        for name, indexes in subtypes.items()
    }


def _members(enum: p.Enumeration) -> tuple[mem.EnumMember, ...]:
    members = []
    for ordinal, name in enumerate(enum.members):
        member = mem.EnumMember(ordinal)
        member.enum, member.name = enum.name, name
        members.append(member)
    return tuple(members)


# Options and constants


def _evaluate_settings(
    world: World, compiler: Compiler, memory: mem.Memory, given: Mapping[str, Any]
) -> None:
    """Evaluate options (given or default) and constants in dependency order."""
    run = Run(world, memory)
    known = sorted(option.name for option in world.program.options)
    for name in given:
        if name not in known:
            raise _bad_option(world, f"there is no option '{name}'; {_suggestion(name, known)}", NOWHERE)
    every: list[p.Option | p.Constant] = [*world.program.options, *world.program.constants]
    settings = {one.name: one for one in every}
    for name in topological_order(needs_of(every)):
        compiler.file = settings[name].file
        _evaluate_setting(world, compiler, run, settings[name], given)


def _suggestion(name: str, known: list[str]) -> str:
    """A suggestion for an unknown option."""
    near = closest(name, known)
    if near:
        return f"did you mean '{near}'?"
    if not known:
        return "this game has none"
    more = f" and {len(known) - MAX_NAMED} more" if len(known) > MAX_NAMED else ""
    return f"this game has {', '.join(known[:MAX_NAMED])}{more}"


def _evaluate_setting(
    world: World, compiler: Compiler, run: Run, setting: Any, given: Mapping[str, Any]
) -> None:
    if world.program.sized_tables:
        setting = with_sizes(setting, lambda name: _size(world, name))
    if not isinstance(setting, p.Option):
        frame = _frame_for(setting.value)
        world.constants[setting.name] = compiler.expression(setting.value)(run, frame)
        return
    site = Site(setting.file, setting.span)
    frame = _frame_for((setting.value, setting.low, setting.high, setting.choices))
    default = compiler.expression(setting.value)(run, frame)
    value = default if setting.name not in given else _option_value(world, setting, given[setting.name], site)
    low = None if setting.low is None else compiler.expression(setting.low)(run, frame)
    high = None if setting.high is None else compiler.expression(setting.high)(run, frame)
    choices = [compiler.expression(choice)(run, frame) for choice in setting.choices]
    if value is None:
        raise _bad_option(world, f"the option '{setting.name}' has no value", site)
    if (low is not None and value < low) or (high is not None and value > high):
        ends = " to ".join("none" if end is None else format_number(end) for end in (low, high))
        raise _bad_option(world, f"the option '{setting.name}' goes from {ends}", site)
    if choices and value not in choices:
        found = (
            f"no choice {_text_of_given(given[setting.name])}"
            if setting.name in given
            else "a default value that is not one of its choices"
        )
        raise _bad_option(world, f"the option '{setting.name}' has {found}", site)
    world.options[setting.name] = value


def _frame_for(node: Any) -> list[Any]:
    """A frame for an expression outside of a body, with slots for the elements of its queries."""
    slots = [each.slot for each in walk(node) if isinstance(each, p.Query)]
    return [None] * (max(slots, default=-1) + 4)


def _option_value(world: World, option: p.Option, value: Any, site: Site) -> Any:
    """Convert an external value to the type of the option."""
    found = value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # This comparison is false for infinity, NaN and integers that are too large for a float.
    is_finite = not is_number or -sys.float_info.max <= value <= sys.float_info.max
    match option.type:
        case Basic.DECIMAL if is_number and is_finite:
            found = float(value) + 0.0  # minus zero becomes zero
        case Basic.PLAYER if is_number and is_finite:
            found = int(value) % world.players
        case EnumType(name) if isinstance(value, str):
            members = [member for member in world.members[name] if member.name == value]
            found = members[0] if members else value
        case _:
            pass
    if found is None or not has_type(found, option.type) or not is_finite:
        raise _bad_option(world, f"the option '{option.name}' cannot be {_text_of_given(value)}", site)
    return found


def _text_of_given(value: bool | float | str) -> str:
    """The shortened text of a wrong value in a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**MAX_SHOWN:
        return "so large a number"  # Python refuses to format very large integers
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _bad_option(world: World, message: str, site: Site) -> "BadOption":
    return BadOption(f"{world.program.name}: {message}", site)


# Sizes of tables


def _with_sizes(program: p.Program, players: int, options: Mapping[str, Any], fuel: int) -> p.Program:
    """The program of a configuration, with numbers as table sizes."""
    world = _blank_world(program, players, fuel)
    _evaluate_settings(world, Compiler(world, NODE_COMPILERS), mem.blank_memory(world.population), options)
    for table in program.sized_tables:
        type = with_sizes(table.type, lambda name: _size(world, name))
        if count_entries(type, lambda enum: len(world.members[enum]), players) > MAX_ENTRIES:
            raise _bad_option(world, TOO_MANY_ENTRIES, Site(table.file, table.span))
    return with_sizes(replace(program, sized_tables=()), lambda name: _size(world, name))


def _size(world: World, name: str) -> int:
    """The value of an option or constant that is a table size."""
    value: float | None = world.options[name] if name in world.options else world.constants[name]
    fault = fault_of_size(value)
    if fault is None:
        assert value is not None
        return int(value)
    first = next(one for one in world.program.sized_tables if name in names_of_sizes(one.type))
    found = "none" if value is None else format_number(value)
    raise _bad_option(world, f"{fault[1]}, but '{name}' is {found}", Site(first.file, first.span))


# Instances


def _create_instances(
    world: World, compiler: Compiler, memory: mem.Memory
) -> list[tuple[mem.Instance, int | None, Any]]:
    """Create the initial instances. Returns each with its owner and the values of its graph node."""
    created: list[tuple[mem.Instance, int | None, Any]] = []
    owned = {each.stack for construct in world.program.constructs for each in construct.attributes}

    def make_one(construct: str) -> mem.Instance:
        instance = memory.create(world.kind[construct])
        created.append((instance, None, None))
        return instance

    for kind in world.kinds:
        if kind.construct.kind in (p.ConstructKind.BOARD, p.ConstructKind.GROUP):
            world.singletons[kind.name] = memory.create(kind)
            created.append((world.singletons[kind.name], None, None))
            if kind.construct.kind is p.ConstructKind.BOARD:
                world.singletons.setdefault("board", world.singletons[kind.name])
    _create_tiles(world, compiler, memory, created)
    for kind in world.kinds:
        is_top_stack = kind.construct.kind is p.ConstructKind.STACK and kind.name not in owned
        if kind.construct.table is not None:
            _check_stacks(world, kind.construct)
            world.stack_tables[kind.name] = make_stacks(Run(world, memory), kind.construct.table, make_one)
        elif is_top_stack or kind.construct.kind in (p.ConstructKind.GLOBAL, p.ConstructKind.GROUP_STATE):
            world.singletons[kind.name] = make_one(kind.name)
    for name in world.program.given:
        kind = world.kind[name]
        if kind.construct.kind is p.ConstructKind.GROUP_STATE:
            memory.cells[world.singletons[name].extra + mem.OWNER] = tuple(range(world.players))
            continue
        for player in range(world.players):
            created.append((memory.create(kind), player, None))
    world.start = memory
    for kind in world.kinds:
        if kind.construct.kind is p.ConstructKind.TILE:
            for name in kind.ancestry:
                tiles = [tile for index in world.subtypes[name] for tile in memory.families[index]]
                tiles.sort(key=lambda tile: tile.number)
                world.key_index[name] = {tile: place for place, tile in enumerate(tiles)}
    return created


def _check_stacks(world: World, construct: p.Construct) -> None:
    """Reject a table of stacks that options make too large."""
    assert construct.table is not None
    if count_entries(construct.table, lambda enum: len(world.members[enum]), world.players) > MAX_TABLE_SIZE:
        raise _bad_option(world, TOO_MANY_STACKS, Site(construct.file, construct.span))


def _create_tiles(
    world: World, compiler: Compiler, memory: mem.Memory, created: list[tuple[mem.Instance, int | None, Any]]
) -> None:
    plans: list[GroupPlan] = []
    links: list[LinkPlan] = []
    run = Run(world, memory)
    for group in world.program.board.groups:
        compiler.file = group.file
        condition = group.condition
        if condition is not None and not compiler.expression(condition)(run, _frame_for(condition)):
            continue
        plan = _plan_group(world, compiler, memory, group, plans, created)
        plans.append(plan)
        named = {place.name: place.tile for place in plan.tiles}
        spots = {(place.row, place.column): place.tile for place in plan.tiles}
        for connection in group.connections:
            links += _links(connection, {group.name: (named, spots)})
    every = {
        plan.name: (
            {place.name: place.tile for place in plan.tiles},
            {(place.row, place.column): place.tile for place in plan.tiles},
        )
        for plan in plans
    }
    for connection in world.program.board.borders:
        links += _links(connection, every)
    world.plans, world.links = tuple(plans), tuple(links)
    world.topology = Topology(plans, links)


def _links(connection: p.Connection, groups: Mapping[str, Any]) -> list[LinkPlan]:
    def find(spot: p.Spot) -> mem.Instance | None:
        named, spots = groups.get(spot.group, ({}, {}))
        found: mem.Instance | None = (
            named.get(spot.name) if spot.name is not None else spots.get((spot.row, spot.column))
        )
        return found

    first, second = find(connection.first), find(connection.second)
    if first is None or second is None:
        return []
    there = connection.there if connection.adds else None
    back = connection.back if connection.adds else None
    links = [LinkPlan(first, second, there)]
    if connection.both_ways:
        links.append(LinkPlan(second, first, back))
    return links


def _plan_group(
    world: World,
    compiler: Compiler,
    memory: mem.Memory,
    group: p.Group,
    plans: list[GroupPlan],
    created: list[tuple[mem.Instance, int | None, Any]],
) -> GroupPlan:
    others = len(memory.instances) - sum(len(plan.tiles) for plan in plans)

    def tile(construct: str, values: Any = None) -> mem.Instance:
        instance = memory.create(world.kind[construct])
        if len(memory.instances) - others > MAX_TILES:
            raise _bad_option(
                world, f"the board has more than {MAX_TILES} tiles", Site(group.file, group.span)
            )
        created.append((instance, None, (group.file, values) if values else None))
        return instance

    if group.shape is p.GroupShape.GRAPH:
        tiles = tuple(
            TilePlan(tile(node.construct, node.values), None, None, node.name) for node in group.nodes
        )
        named = {place.name: place.tile for place in tiles}
        chains = tuple(tuple(named[name] for name in chain) for chain in group.chains)
        return GroupPlan(group.name, group.shape, tiles, None, chains)
    if group.shape in (p.GroupShape.CORNERS, p.GroupShape.SIDES):
        of = next((plan for plan in plans if plan.name == group.of), None)
        places = places_of(of, corners=group.shape is p.GroupShape.CORNERS) if of is not None else ()
        assert group.tile is not None
        tiles = tuple(
            TilePlan(tile(group.tile), None, None, f"{group.name}[{number}]", place)
            for number, place in enumerate(places)
        )
        return GroupPlan(group.name, group.shape, tiles if of is not None else (), group.of)
    spots = _spots(world, compiler, memory, group)
    # The first coordinate of a `hex col` is the column.
    in_columns = group.shape is p.GroupShape.HEX_COL
    rows = max((second if in_columns else first for _, first, second in spots), default=0) + 1

    def name(first: int, second: int) -> str:
        if not group.naming:
            return f"{group.name}[{first}][{second}]"
        return chess_name(second, first, rows) if in_columns else chess_name(first, second, rows)

    tiles = tuple(
        TilePlan(tile(construct), first, second, name(first, second)) for construct, first, second in spots
    )
    return GroupPlan(group.name, group.shape, tiles)


def _spots(
    world: World, compiler: Compiler, memory: mem.Memory, group: p.Group
) -> list[tuple[str, int, int]]:
    """Construct, row and column of each tile of a square or hex group."""
    spots = [
        (construct, row, column)
        for row, line in enumerate(group.rows)
        for column, construct in enumerate(line)
        if construct is not None
    ]
    run = Run(world, memory)
    sizes = [compiler.value(size)(run, _frame_for(size)) for size in group.size]
    if sizes and group.tile is not None:
        site = Site(group.file, group.span)
        if any(size != int(size) or size < 0 for size in sizes):
            raise _bad_option(world, "the size of a group is a whole number", site)
        numbers = [int(size) for size in sizes]
        if numbers[0] * numbers[-1] > MAX_TILES:
            raise _bad_option(world, f"the board has more than {MAX_TILES} tiles", site)
        if group.shape is p.GroupShape.HEXAGON:
            if numbers[0] < 1:
                raise _bad_option(world, "a hexagon has a side of at least 1", site)
            spots += [(group.tile, cell.r, cell.q) for cell in hexes.hexagon(numbers[0] - 1)]
        else:
            columns = range(numbers[-1])
            spots += [(group.tile, row, column) for row in range(numbers[0]) for column in columns]
    if group.filling is not None:
        run.loading = []
        frame: list[Any] = [None] * (group.frame + 3)
        frame[-1] = world.singletons.get(group.name)
        compiler.effect(group.filling)(run, frame)
        spots += run.loading
    places: dict[tuple[int, int], tuple[str, int, int]] = {}
    for construct, row, column in spots:
        places.setdefault((row, column), (construct, row, column))  # the first tile at a spot wins
    return list(places.values())


# Compilation and initial values


def _compile(world: World, compiler: Compiler) -> None:
    program = world.program
    by_index = {action.index: action for action in program.actions}
    for construct in program.constructs:
        for _, verb in construct.verbs:
            at: int | None = program.verbs[verb].overrides
            while at is not None:
                world.dispatch[construct.name, at] = verb
                at = program.verbs[at].overrides
        for action in construct.actions:
            base = by_index[action].overrides
            while base is not None:
                world.action_dispatch[construct.name, base] = action
                base = by_index[base].overrides
        names = tuple((name, verb) for name, verb in construct.verbs if program.verbs[verb].is_public)
        world.public_verbs[construct.name] = names
    for construct in program.constructs:
        world.initialisers[construct.name] = compile_initialiser(compiler, construct)
    compile_turns(compiler)
    compile_triggers(compiler)
    compile_setups(compiler)


def _initialise_all(
    world: World, memory: mem.Memory, created: list[tuple[mem.Instance, int | None, Any]]
) -> None:
    """Run all initialisers and fill the stacks, with the same recursion depth as during play."""
    run = Run(world, memory)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        _run_initialisers(world, memory, created, run)
    except RecursionError:
        site = run.calls[-1].site if run.calls else NOWHERE
        raise run.new_fault("TG0507", "calls and expressions are nested too deeply", site) from None
    finally:
        sys.setrecursionlimit(before)


def _run_initialisers(
    world: World, memory: mem.Memory, created: list[tuple[mem.Instance, int | None, Any]], run: Run
) -> None:
    compiler = Compiler(world, NODE_COMPILERS)
    site = NOWHERE
    for instance, player, _ in created:
        if player is not None:
            memory.cells[instance.extra + mem.OWNER] = player
    for instance, player, node in created:
        initialise(run, instance, site, player)
        if node is not None:
            compiler.file, values = node
            for slot, value in values:
                first = compiler.expression(value)(run, _frame_for(value))
                check_range(run, instance, slot, first, compiler.site(value.span))
                run.cells[instance.offset + slot] = first
    # A default block may create things whose stacks are filled with them, so the stacks are collected first.
    stacks = [kind for kind in world.kinds if kind.construct.kind is p.ConstructKind.STACK]
    for stack in [each for kind in stacks for each in memory.families[kind.index]]:
        fill_stack(run, stack, None)
    if world.turns:
        memory.cells[mem.TURN] = 0
        memory.cells[mem.PHASE] = world.turns[0].first


def _limit_strings(world: World) -> None:
    """Set the limit that depends on the strings of the program.

    A list holds a long string many times without copying it, but a saved state and a view write it each time.
    """
    attributes = [each for kind in world.kinds for each in kind.construct.attributes]
    if any(_holds_strings(each.type) for each in attributes):
        world.most_in_state = MAX_IN_STATE // (1 + world.longest_string // LETTERS_OF_ELEMENT)


def _holds_strings(type: Type) -> bool:
    """Whether a value of a type is a list or table with strings among its elements, or may be one."""
    match type:
        case ListType(inner) | TableType(_, inner):
            return inner in (Basic.STRING, Basic.OBJECT) or _holds_strings(inner)
        case _:
            return type is Basic.OBJECT
