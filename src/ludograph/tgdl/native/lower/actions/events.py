"""Lowering of events: their listeners, the queue of waiting actions, and the start of an action.

An event has code only if it has listeners. Listeners are sorted by priority, by source position, by seat from
the active player, and by number. `before` and `fast` triggers run at once; `after` triggers wait in the queue
of the current effect. All queues share one memory region, the innermost last: an effect begins its queue at
the end of the region, and drains it at its own end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.actions.listening import (
    ListeningGroup,
    find_listening,
    listeners_of_event,
    listening_group,
    possible_constructs,
)
from ludograph.tgdl.native.lower.actions.switches import is_allowed
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of, is_present, owner_in, pay_for_all
from ludograph.tgdl.native.lower.unit import ActionEntry, CompilationUnit, Value
from ludograph.tgdl.program.events import CONDITION, QUEUED, Event
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import find_resample_blocks, triggers_over_names, walk
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.world import Listener, World

CHOSEN, OPTIONAL = 1, 2
"""The mode of an action: a player chose it; it is skipped if it cannot be executed."""

ENTRY = 24
"""Bytes of a queue entry before its fields: order, action, instance, player."""
FIELD = 24

NO_MORE = 2**31 - 1
"""A number larger than that of any instance."""

Fields = Mapping[str, Value]
NO_FIELDS: Fields = {}
NOTHING_FIRED: Mapping[str, Expression] = {}


# The instance of an action


def bind_this(
    b: Emitter, action: p.Action, this: Expression, player: Expression, *, is_owner: bool = False
) -> None:
    """Bind `this` and `player`: the owner of a local state, otherwise the player who started the transaction.

    `is_owner`: if it is the action of a local state, the player is known to be its owner.
    """
    b.player = player
    if action.owner is None:
        b.this = None
        return
    b.this = Value(ConstructType(action.owner), (this,), certain=True)
    family = b.plan.family(action.owner)
    if family.kind is p.ConstructKind.LOCAL and not is_owner:
        owner = b.let(owner_in(b, family, this))
        b.player = b.let(Op("select", (owner < 0, player, owner), I32))


def phase_numbers(world: World, phases: tuple[tuple[str, str], ...]) -> tuple[int, ...]:
    return tuple(
        scene.index
        for scene in world.phases
        if (world.turns[scene.turn].turn.name, scene.phase.name) in phases
    )


def is_phase(b: Emitter, numbers: Sequence[int]) -> Expression:
    """Whether the current phase is one of some."""
    phase = b.head("phase", I32)
    found: Expression = const(0, I1)
    for number in numbers:
        found = found | phase.eq(number)
    return found


def is_in_trigger_phase(b: Emitter, listener: Listener) -> Expression:
    """Whether a trigger is active in the current phase."""
    phases = listener.trigger.phases
    return is_phase(b, phase_numbers(b.world, phases)) if phases else const(1, I1)


@contextmanager
def each_listening(
    b: Emitter, listeners: Sequence[Listener], action: p.Action, about: Expression | None, whose: str
) -> Iterator[Expression]:
    """For each instance whose action an event starts: the instance of the event (`own`), or all."""
    is_listening: Expression = const(0, I1)
    for listener in listeners:
        is_listening = is_listening | is_in_trigger_phase(b, listener)
    none = const(-1, I32)
    with b.when(is_listening):
        if action.owner is None:
            with b.when(is_allowed(b, action.index, None, none)):
                yield none
            return
        family = b.plan.family(action.owner)
        if whose == "own":
            assert about is not None
            kinds = _kinds_with(b.world, family, action, None)
            has = is_one_of(b, family, about, kinds)
            with b.when(has & is_allowed(b, action.index, family, about)):
                yield about
            return
        kinds = _kinds_with(b.world, family, action, action.owner)
        pay_for_all(b, action.owner)
        with b.count(b.let(count_of(b, family))) as (number, _):
            here = is_one_of(b, family, number, kinds) & is_present(b, family, number)
            with b.when(here & is_allowed(b, action.index, family, number)):
                yield number


def _kinds_with(world: World, family: Family, action: p.Action, owner: str | None) -> tuple[int, ...]:
    subtypes = None if owner is None else world.subtypes[owner]
    return tuple(
        kind.index
        for kind in family.kinds
        if action.index in kind.construct.actions and (subtypes is None or kind.index in subtypes)
    )


def accepts_event(
    b: Emitter, listener: Listener, this: Expression, player: Expression, fields: Fields
) -> Expression:
    """Whether the condition of a trigger is true."""
    block = listener.trigger.block
    if block is None or not block.statements:
        return const(1, I1)
    return _test(b, listener.action, block, this, player, _read_in(block, listener, fields))


def _read_in(block: p.Block, listener: Listener, fields: Fields) -> list[tuple[int, Value]]:
    """The fields of an event that a block reads, with their slots."""
    read = {node.slot for node in walk(block) if isinstance(node, p.Variable)}
    return [(slot, fields[name]) for name, slot in listener.fields if slot in read]


def _test(
    b: Emitter,
    index: int,
    block: p.Block,
    this: Expression,
    player: Expression,
    fields: Sequence[tuple[int, Value]] = (),
    fired: Mapping[str, Expression] = NOTHING_FIRED,
) -> Expression:
    """A condition of an action, in its own function, because it has its own variables."""
    unit = b.unit
    action = unit.world.program.actions[index]
    parts = [part for _, value in fields for part in value.parts]
    shape = tuple((slot, value.type) for slot, value in fields)
    name = unit.name_of(f"accepts_{action.name}", (id(block), shape, tuple(fired)))

    def make() -> None:
        mine, who = Local("this", I32), Local("starter", I32)
        given = [
            tuple(Local(f"f{place}_{n}", part.kind) for n, part in enumerate(value.parts))
            for place, (_, value) in enumerate(fields)
        ]
        names = {each: Local(f"fired{place}", I1) for place, each in enumerate(fired)}
        flat = (local for row in given for local in row)
        body = Emitter(unit, name, (mine, who, *flat, *names.values()), (I1,))
        body.caches_invariants = False
        body.fired = names
        bind_this(body, action, mine, who)
        for (slot, value), locals_ in zip(fields, given, strict=True):
            body.bind(slot, Value(value.type, locals_), block)
        with body.arena_scope(), body.forbidding_chance():
            passed = body.let(body.passes(block))
        body.done(passed)
        body.finish()

    (passed,) = b.run(unit.need(name, make), (this, player, *parts, *fired.values()), (I1,))
    return passed


def combines(
    b: Emitter,
    where: tuple[int, int | None],
    this: Expression,
    player: Expression,
    fired: Mapping[str, Expression],
    listener: Listener | None = None,
    fields: Fields = NO_FIELDS,
) -> Expression:
    """Whether a trigger over names (`trigger { A or B }`) is true when some named triggers have fired.

    The triggers belong to an action, or to a phase of it. They can read the fields of the event.
    """
    result = b.variable(const(0, I1), "combines")
    b.spend(b.world.combined_triggers[where].price)
    index, stage = where
    for trigger in triggers_over_names(b.world.program.actions[index], stage):
        block = trigger.block
        assert block is not None
        asked = dict.fromkeys(node.name for node in walk(block) if isinstance(node, p.NamedPart))
        names = {name: fired.get(name, const(0, I1)) for name in asked}
        known = [] if listener is None else _read_in(block, listener, fields)
        with b.when(~result):
            b.set(result, _test(b, index, block, this, player, known, names))
    return result


# Running actions

RUNNING = 16
"""Bytes of the record of a running action: the address of the record around it, the action, the instance."""


def ignores_own(action: p.Action) -> bool:
    """Whether a trigger of an action ignores events that the action itself causes."""
    triggers = (*action.triggers, *(each for phase in action.phases for each in phase.triggers))
    return any(each.ignores_own for each in triggers)


@contextmanager
def running(b: Emitter, action: p.Action, this: Expression) -> Iterator[None]:
    """A scope in which an action is recorded as running, if a trigger asks for that."""
    if not ignores_own(action):
        yield
        return
    record = b.stack_slot(RUNNING, "running")
    around = b.get("running", PTR)
    b.store(record, 0, around)
    b.store(record, 8, const(action.index, I32))
    b.store(record, 12, this)
    b.put("running", record)
    yield
    if not b.is_closed:
        b.put("running", around)


@contextmanager
def _reacting(b: Emitter, listener: Listener, this: Expression) -> Iterator[None]:
    """A scope that is skipped if a trigger ignores an event because its own action is running."""
    if not listener.trigger.ignores_own:
        yield
        return
    arguments = (const(listener.action, I32), this)
    (is_running,) = b.run(_is_running_function(b.unit), arguments, (I1,))
    with b.when(~is_running):
        yield


@routine("is_running", (I32, I32), gives=(I1,))
def _is_running_function(b: Emitter, action: Local, this: Local) -> None:
    record = b.variable(b.get("running", PTR), "record")
    with b.loop("records") as label:
        b.leave_if(record.eq(0), label)
        is_action = b.load(record, 8, I32).eq(action)
        b.done_if(is_action & b.load(record, 12, I32).eq(this), const(1, I1))
        b.set(record, b.load(record, 0, PTR))
    b.done(const(0, I1))


# Conditions

STARTED = 16
"""Bytes of the record of a start by a condition: the record before it, the condition, the instance."""


def start_by_conditions(b: Emitter) -> None:
    """Start the actions whose condition has become true, until no condition does."""
    if not b.world.conditions:
        return
    with b.loop("conditions") as label:
        fire_event(b, CONDITION, b.world.conditions, NO_FIELDS, p.When.AFTER)
        b.leave_if(b.get("queue", I64).eq(b.get("queue_base", I64)), label)
        flush(b)


def _becomes_true(
    b: Emitter, listener: Listener, number: int, this: Expression, passed: Expression
) -> Expression:
    """Remember whether a condition holds. Returns whether it starts its action: once in a transaction."""
    owner = b.world.program.actions[listener.action].owner
    holds = b.let(widen(passed, I32, signed=False))
    if owner is None:
        place = b.plan.off[number]
        held = b.let(b.load(BLOCK, place, I8).ne(0))
        b.store(BLOCK, place, widen(holds, I8))
    else:
        column = b.plan.family(owner).columns["off", number]
        held = b.let(b.read_column(column, this, Basic.BOOL).only.ne(0))
        b.write_column(column, this, Value(Basic.BOOL, (holds,), certain=True))
    starts = b.variable(holds.ne(0) & ~held, "starts")
    with b.when(starts):
        arguments = (const(number, I32), this)
        (is_first,) = b.run(_start_once_function(b.unit), arguments, (I1,))
        b.set(starts, is_first)
    return starts


@routine("start_once", (I32, I32), gives=(I1,))
def _start_once_function(b: Emitter, number: Local, this: Local) -> None:
    """The function that records a start; it returns whether it is the first in this transaction."""
    first = b.get("started", PTR)
    record = b.variable(first, "record")
    with b.loop("records") as label:
        b.leave_if(record.eq(0), label)
        is_same = b.load(record, 8, I32).eq(number)
        b.done_if(is_same & b.load(record, 12, I32).eq(this), const(0, I1))
        b.set(record, b.load(record, 0, PTR))
    made = b.allocate(STARTED)
    b.store(made, 0, first)
    b.store(made, 8, number)
    b.store(made, 12, this)
    b.put("started", made)
    b.done(const(1, I1))


# Waiting actions


class QueueEntry(Struct, frozen=True, eq=False):
    """A kind of queue entry: a listener, or the unnamed effects that a combined trigger starts."""

    listener: Listener
    is_combined: bool
    start: ActionEntry
    fields: tuple[tuple[str, Type], ...]
    """The fields that the action reads, in the order of the queue entry."""


def all_queue_entries(unit: CompilationUnit) -> tuple[QueueEntry, ...]:
    """All kinds of queue entries."""
    return unit.once("queue entries", lambda: _find_queue_entries(unit))


def _find_queue_entries(unit: CompilationUnit) -> tuple[QueueEntry, ...]:
    known: dict[int, Listener] = {}
    for (event, _), listeners in unit.world.listeners.items():
        if event in QUEUED:
            known |= {id(listener): listener for listener in listeners}
    found: list[QueueEntry] = []
    for listener in known.values():
        found.append(make_queue_entry(unit, listener, is_combined=False))
        if listener.joins is not None:
            found.append(make_queue_entry(unit, listener, is_combined=True))
    return tuple(found)


def make_queue_entry(unit: CompilationUnit, listener: Listener, *, is_combined: bool) -> QueueEntry:
    action = unit.world.program.actions[listener.action]
    read = unit.once(("variables", action.index), lambda: _variables_of(action))
    known = tuple((name, slot, read[slot]) for name, slot in listener.fields if slot in read)
    start = ActionEntry(
        listener.action,
        None if is_combined else listener.trigger.name,
        listener.stage,
        (),
        tuple((slot, type) for _, slot, type in known),
    )
    return QueueEntry(listener, is_combined, start, tuple((name, type) for name, _, type in known))


def _variables_of(action: p.Action) -> dict[int, Type]:
    """The variables that an action reads, by slot, with their types."""
    return {
        node.slot: node.type
        for node in walk(
            (
                action.inputs,
                action.requires,
                action.effects,
                tuple((phase.requires, phase.effects) for phase in action.phases),
            )
        )
        if isinstance(node, p.Variable)
    }


def _size(unit: CompilationUnit) -> int:
    """Bytes of a queue entry."""
    most = unit.once(
        "fields of queue entries",
        lambda: max((len(each.fields) for each in all_queue_entries(unit)), default=0),
    )
    return ENTRY + FIELD * most


@routine("start", (PTR,))
def start_function(b: Emitter, entry: Local) -> None:
    """The function that starts the action of a queue entry."""
    what, this, player = (b.load(entry, offset, I32) for offset in (8, 12, 16))
    cases = []
    for number, each in enumerate(all_queue_entries(b.unit)):
        with b.apart() as row:
            values: list[Expression] = []
            for place, (_, type) in enumerate(each.fields):
                at = ENTRY + FIELD * place
                for kind in b.plan.rep(type).kinds:
                    values.append(b.load(entry, at, kind))
                    at += 8
            _start(b, each, this, player, values)
        cases.append((number, row))
    b.switch(what, cases, [])
    b.done()


def _start(
    b: Emitter, waiting: QueueEntry, this: Expression, player: Expression, values: Sequence[Expression]
) -> None:
    if not waiting.is_combined:
        b.enter()
    b.run(b.unit.perform(waiting.start), (this, player, const(OPTIONAL, I32), *values), (I32,))
    if not waiting.is_combined:
        b.exit()


# Queues


@contextmanager
def queue(b: Emitter) -> Iterator[None]:
    """A scope with its own queue, which is drained at its end."""
    if not b.unit.waits:
        yield
        return
    before = b.get("queue_base", PTR)
    b.put("queue_base", b.get("queue", PTR))
    yield
    if not b.is_closed:
        flush(b)
        b.put("queue_base", before)


def flush(b: Emitter) -> None:
    """Run the actions that wait in the innermost queue."""
    if b.unit.waits:
        b.run(drain_function(b.unit))


@routine("drain")
def drain_function(b: Emitter) -> None:
    """Start the actions of the innermost queue, in order, until it is empty."""
    size = _size(b.unit)
    entry = b.stack_slot(size, "entry")
    base = b.get("queue_base", I64)
    with b.loop("queue") as label:
        end = b.get("queue", I64)
        b.leave_if(base.eq(end), label)
        best = b.variable(base, "best")
        order = b.variable(b.load(_pointer(base), 0, I64), "order")
        at = b.variable(base + size, "at")
        with b.loop("search") as search:
            b.leave_if(at.uge(end), search)
            other = b.load(_pointer(at), 0, I64)
            with b.when(other < order):
                b.set(order, other)
                b.set(best, at)
            b.set(at, at + size)
        b.copy(entry, _pointer(best), size)
        after = b.let(best + size)
        b.copy(_pointer(best), _pointer(after), b.let(end - after))
        b.put("queue", end - size)
        others = Op("sdiv", (end - base, const(size)), I64)
        pay(b, b.let(others - 1))
        b.run(start_function(b.unit), (entry,))
    b.done()


def _pointer(at: Expression) -> Expression:
    return Op("inttoptr", (at,), PTR)


def _append(
    b: Emitter, waiting: QueueEntry, this: Expression, player: Expression, fields: Fields, order: Expression
) -> None:
    """Append an action to the innermost queue."""
    numbers = b.unit.once("numbers of queue entries", lambda: _number_queue_entries(b.unit))
    number = numbers[id(waiting.listener), waiting.is_combined]
    at = b.get("queue", PTR)
    end = b.let(address(at, _size(b.unit)))
    b.stop_if(end.ugt(b.get("queue_end", PTR)), GROW)
    b.put("queue", end)
    b.store(at, 0, order)
    b.store(at, 8, const(number, I32))
    b.store(at, 12, this)
    b.store(at, 16, player)
    for place, (name, type) in enumerate(waiting.fields):
        offset = ENTRY + FIELD * place
        for part in _kept(b, _field(b, fields, name, type)).parts:
            b.store(at, offset, part)
            offset += 8


def _number_queue_entries(unit: CompilationUnit) -> dict[tuple[int, bool], int]:
    """The number of each kind of queue entry, by the identity of its listener."""
    entries = all_queue_entries(unit)
    return {(id(each.listener), each.is_combined): place for place, each in enumerate(entries)}


def _field(b: Emitter, fields: Fields, name: str, type: Type) -> Value:
    return b.coerce(fields[name], type) if name in fields else b.none(type)


def _kept(b: Emitter, value: Value) -> Value:
    """A value that outlives the effect: lists are copied to a region that is kept during the transaction."""
    match value.type:
        case ListType(element):
            start, length = value.parts
            size = b.let(length * b.plan.rep(element).size)
        case TableType():
            start, length = value.only, const(0)
            size = const(b.plan.rep(value.type).size)
            if not value.certain:
                size = b.let(select(b.is_none(value), const(0), size))
        case _:
            return value
    to = b.get("queued_lists", PTR)
    end = b.let(address(to, (size + 7) & -8))
    b.stop_if(end.ugt(b.get("queued_lists_end", PTR)), GROW)
    b.put("queued_lists", end)
    b.copy(to, start, size)
    if not value.certain:
        to = b.let(select(b.is_none(value), const(0, PTR), to))
    return Value(value.type, (to, length) if len(value.parts) == 2 else (to,), value.certain)


# Firing


def fire_event(b: Emitter, name: str, listeners: Sequence[Listener], fields: Fields, when: p.When) -> None:
    """Fire an event without an instance."""
    chosen = tuple(each for each in listeners if each.when is when)
    if chosen:
        group = listening_group(b.unit, chosen, ("all",) * len(chosen))
        _fire(b, f"{when.value}.{name}", group, None, fields)


@contextmanager
def firing(b: Emitter, event: Event, about: Value, fields: Fields) -> Iterator[None]:
    """A scope around a change of an instance: `before` triggers run first, the others after the change."""
    fire_for_instance(b, event, about, fields, p.When.BEFORE)
    yield
    fire_for_instance(b, event, about, fields, p.When.FAST)
    fire_for_instance(b, event, about, fields, p.When.AFTER)


def fire_for_instance(b: Emitter, event: Event, about: Value, fields: Fields, when: p.When) -> None:
    """Fire an event of an instance to the `before`, `fast` or `after` triggers."""
    assert fields.keys() == {name for name, _ in event.fields}, f"{event} has other fields"
    fire_for_constructs(
        b, event.kind, about, lambda kind: listeners_of_event(b.world, event, kind), fields, when
    )


def has_listeners(b: Emitter, about: Value, events: Sequence[Event]) -> bool:
    """Whether such events of an instance have listeners."""
    return any(
        listeners_of_event(b.world, event, kind)
        for _, kinds in possible_constructs(b, about)
        for kind in kinds
        for event in events
    )


def fire_for_constructs(
    b: Emitter,
    name: str,
    about: Value,
    listeners_of: Callable[[ConstructInfo], Sequence[Listener]],
    fields: Fields,
    when: p.When,
) -> None:
    """Fire an event of an instance; the listeners depend on its actual construct.

    The name determines the listeners of each construct.
    """
    families = b.unit.once(
        ("listening", name, about.type, when), lambda: find_listening(b, about, listeners_of, when)
    )
    for family, groups in families:
        for group, alike in groups:
            number = widen(about.only, I32)
            test = is_one_of(b, family, number, tuple(kind.index for kind in alike))
            full = f"{when.value}.{name}.{alike[0].name}"
            if len(families) > 1:
                here = (about.only >> 32).eq(family.index)
                with b.when(here), b.when(test):
                    _fire(b, full, group, number, fields)
            else:
                with b.when(test):
                    _fire(b, full, group, number, fields)


def _fire(
    b: Emitter,
    name: str,
    group: ListeningGroup,
    about: Expression | None,
    fields: Fields,
) -> None:
    """Call the function that starts (or queues) the actions of the listeners of an event."""
    unit = b.unit
    given = {field: value for field, value in fields.items() if field in group.used}
    number = const(-1, I32) if about is None else about
    types = tuple((field, value.type) for field, value in given.items())
    full = unit.name_of(f"fire_{name}", ("fire", group.number, types))

    def make() -> None:
        instance, player = Local("about", I32), Local("starter", I32)
        parameters: list[Local] = []
        known: dict[str, Value] = {}
        for place, (field, value) in enumerate(given.items()):
            row = tuple(Local(f"f{place}_{n}", part.kind) for n, part in enumerate(value.parts))
            parameters += row
            known[field] = Value(value.type, row)
        body = Emitter(unit, full, (instance, player, *parameters))
        missing = {field: b.none(Basic.NONE) for field in group.used if field not in known}
        _make_fire(body, group.listeners, group.whose, instance, player, {**known, **missing})
        body.done()
        body.finish()

    parts = [part for value in given.values() for part in value.parts]
    b.run(unit.need(full, make), (number, b.player, *parts))


def _make_fire(
    b: Emitter,
    listeners: tuple[Listener, ...],
    whose: tuple[str, ...],
    about: Expression,
    player: Expression,
    fields: Fields,
) -> None:
    if may_be_silent(b.unit):
        b.done_if(b.get("silent", I32).ne(0))
    is_after = listeners[0].when is p.When.AFTER
    only = listeners[0] if len(listeners) == 1 else None
    if only is not None and not is_after and only.trigger.name is None:
        action = b.world.program.actions[only.action]
        if action.owner is None or whose[0] == "own":
            # A single listener needs no queue.
            waiting = make_queue_entry(b.unit, only, is_combined=False)
            with each_listening(b, listeners, action, about, whose[0]) as this, _reacting(b, only, this):
                b.spend(only.price)
                with b.when(accepts_event(b, only, this, player, fields)):
                    values = [_field(b, fields, name, type) for name, type in waiting.fields]
                    _start(b, waiting, this, player, [part for value in values for part in value.parts])
            return
    before = b.get("queue_base", PTR)
    if not is_after:
        b.put("queue_base", b.get("queue", PTR))
    runs: dict[tuple[int, int], list[_Run]] = {}
    for listener, who in zip(listeners, whose, strict=True):
        if who != "nobody":
            start = b.get("queue", I64)
            _put_in_order(b, listener, who, about, player, fields)
            if listener.joins is not None:
                run = _Run(listener, listener.joins, b.variable(start, "run"), b.get("queue", I64))
                stage = -1 if listener.stage is None else listener.stage
                runs.setdefault((listener.action, stage), []).append(run)
    for _, together in sorted(runs.items()):
        _put_combined(b, together, player, fields)
    if not is_after:
        b.run(drain_function(b.unit))
        b.put("queue_base", before)


def may_be_silent(unit: CompilationUnit) -> bool:
    """Whether events may be suppressed: while stacks are filled, and in `resample` blocks."""
    if find_resample_blocks(unit.world.program):
        return True
    return any(kind.construct.filling is not None for kind in unit.world.kinds)


@contextmanager
def without_events(b: Emitter) -> Iterator[None]:
    """A scope without events, in which a stack is filled."""
    b.put("silent", b.get("silent", I32) + 1)
    yield
    b.put("silent", b.get("silent", I32) - 1)


def _put_in_order(
    b: Emitter, listener: Listener, whose: str, about: Expression, player: Expression, fields: Fields
) -> None:
    """Append the actions of a listener to the innermost queue."""
    action = b.world.program.actions[listener.action]
    with each_listening(b, (listener,), action, about, whose) as this, _reacting(b, listener, this):
        b.spend(listener.price)
        accepted = accepts_event(b, listener, this, player, fields)
        if listener.condition is not None:
            accepted = _becomes_true(b, listener, listener.condition, this, accepted)
        with b.when(accepted):
            waiting = make_queue_entry(b.unit, listener, is_combined=False)
            _append(b, waiting, this, player, fields, b.let(_order(b, action, this)))


class _Run(Struct, frozen=True, eq=False):
    """The consecutive queue entries of one named listener for an event, by the number of the instance."""

    listener: Listener
    name: str
    at: Local
    """The next entry."""
    end: Expression


def _put_combined(b: Emitter, runs: Sequence[_Run], player: Expression, fields: Fields) -> None:
    """For each instance whose named triggers have fired, test the triggers over these names.

    The runs are merged, so that each instance appears once with all its names.
    """
    first = runs[0].listener
    action = b.world.program.actions[first.action]
    size = _size(b.unit)
    beside = make_queue_entry(b.unit, first, is_combined=True)
    with b.loop("things") as label:
        this = b.variable(const(NO_MORE, I32), "this")
        for run in runs:
            with b.when(run.at.ult(run.end)):
                other = b.load(_pointer(run.at), 12, I32)
                with b.when(other < this):
                    b.set(this, other)
        b.leave_if(this.eq(NO_MORE), label)
        fired = {run.name: b.variable(const(0, I1), "fired") for run in runs}
        for run in runs:
            with b.when(run.at.ult(run.end)):
                with b.when(b.load(_pointer(run.at), 12, I32).eq(this)):
                    b.set(fired[run.name], const(1, I1))
                    b.set(run.at, run.at + size)
        with b.when(combines(b, (first.action, first.stage), this, player, fired, first, fields)):
            _append(b, beside, this, player, fields, b.let(_order(b, action, this)))


def _order(b: Emitter, action: p.Action, this: Expression) -> Expression:
    """The sort key: priority, source position, seat from the active player, number of the instance."""
    actions = sorted(b.world.program.actions, key=lambda each: (-each.priority, each.index))
    rank = const(actions.index(action) << 40)
    if action.owner is None:
        return rank
    owner = b.let(owner_in(b, b.plan.family(action.owner), this))
    apart = b.let(owner - b.head("active", I32))
    around = select(apart < 0, apart + b.world.players, apart)
    seat = select(owner < 0, const(0, I32), around)
    low = (widen(seat, I64) << 32) | widen(this, I64)
    return rank | low


def begin_queues(b: Emitter) -> None:
    """At the beginning of a transaction: the queues are empty."""
    for name in ("queue", "queued_lists"):
        b.put(name, b.get(f"{name}_start", PTR))
    b.put("queue_base", b.get("queue_start", PTR))
    b.put("running", const(0))
    b.put("started", const(0))
    b.put("silent", const(0, I32))
